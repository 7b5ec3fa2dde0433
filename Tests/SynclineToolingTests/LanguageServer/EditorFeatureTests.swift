import Syncline
import SynclineCompiler
import TestSupport
import Testing

/// Formatting, code actions, folding and colours.
@Suite struct EditorFeatureTests {
  private func document(_ editor: Editor) -> SyncJSON {
    ["textDocument": ["uri": .string(editor.uri("Schema.syncline"))]]
  }

  // MARK: Formatting

  @Test func formattingRequestMatchesTheFormatCommand() throws {
    let editor = try Editor()
    editor.open("Schema.syncline", "")
    var count = 0
    let fixtures = try Fixture.texts()
    for text in fixtures + fixtures.map({ $0.replacing(" {", with: "{") }) + [
      "model A{id:Int}\n// 😀é", "model A { id: Int }\n// é", "model A{ id: Int }\r\n// 😁",
    ] {
      editor.change("Schema.syncline", [["text": .string(text)]])
      let edits = try editor.ask("textDocument/formatting", document(editor))
      let formatted = ParsedFile(SourceFile(path: "Schema.syncline", text: text)).formatted
      #expect(try editor.applying(edits, to: text) == formatted ?? text)
      if formatted == text { #expect(edits == []) } else { count += edits.array?.count ?? 0 }
    }
    #expect(count > 20)
  }

  @Test func formattingEditsOnlyChangedText() throws {
    let text = "model A {\n  id: Int\n  name:String\n  note: String\n}\n"
    let editor = try Editor(marked: text)
    let edits = try editor.ask("textDocument/formatting", document(editor))
    let place: SyncJSON = ["line": 2, "character": 7]
    #expect(edits == [["range": ["start": place, "end": place], "newText": " "]])
  }

  // MARK: Code actions

  @Test func eachFixItIsOfferedAsCodeAction() throws {
    let editor = try Editor()
    editor.open("Schema.syncline", "")
    var count = 0
    for text in try Fixture.texts() {
      editor.change("Schema.syncline", [["text": .string(text)]])
      let file = SourceFile(
        path: editor.folder + "/Schema.syncline", relativePath: "Schema.syncline", text: text)
      let analysis = CompilerPipeline.analyse(CompilerInput(target: "work", files: [file]))
      let said = editor.diagnostics[editor.uri("Schema.syncline")] ?? []
      #expect(said.map { $0["message"]?.string } == analysis.diagnostics.map(\.message))
      for (diagnostic, range) in zip(analysis.diagnostics, said.map { $0["range"] ?? .null })
      where !diagnostic.fixIts.isEmpty {
        let actions = try editor.ask(
          "textDocument/codeAction",
          [
            "textDocument": ["uri": .string(editor.uri("Schema.syncline"))], "range": range,
            "context": ["diagnostics": []],
          ])
        for fixIt in diagnostic.fixIts where fixIt.range.file === file {
          let bytes = Array(text.utf8)
          let fixed = String(
            decoding: bytes[..<fixIt.range.offsets.lowerBound] + Array(fixIt.replacement.utf8)
              + bytes[fixIt.range.offsets.upperBound...],
            as: UTF8.self)
          let results = try actions.array?.map {
            try editor.applying($0["edit"]?["changes"]?[editor.uri("Schema.syncline")], to: text)
          }
          #expect(results?.contains(fixed) == true, "\(diagnostic.message)")
          count += 1
        }
      }
    }
    #expect(count > 50)
  }

  @Test func codeActionHasTitleKindAndDiagnostic() throws {
    let editor = try Editor(marked: "model A { id: Int; name: Strng }")
    let action = try editor.ask(
      "textDocument/codeAction",
      [
        "textDocument": ["uri": .string(editor.uri("Schema.syncline"))],
        "range": ["start": ["line": 0, "character": 26], "end": ["line": 0, "character": 26]],
      ])[0]
    #expect(action?["title"] == "Write “String”")
    #expect(action?["kind"] == "quickfix")
    #expect(action?["isPreferred"] == true)
    #expect(action?["diagnostics"]?[0]?["code"] == "SL012")
  }

  // MARK: Folding

  /// The folding ranges of a text with their kinds.
  private func folds(_ text: String) throws -> [String]? {
    let editor = try Editor(marked: text)
    return try editor.ask("textDocument/foldingRange", document(editor)).array?.map {
      "\($0["startLine"]?.int ?? -1)-\($0["endLine"]?.int ?? -1) \($0["kind"]?.string ?? "")"
    }
  }

  @Test func bodiesCommentsAndImportsFold() throws {
    let text = """
      import A
      import B
      // One
      // Two

      /* Three
         lines */
      model A {
        id: Int
        @Relationship(
          inverse: nil,
          deleteRule: .nullify
        )
        other: A?
      }
      enum State { case open, done }
      struct S {
      }
      """
    #expect(try folds(text) == ["9-11 ", "7-13 ", "2-3 comment", "5-6 comment", "0-1 imports"])
  }

  @Test func foldedCommentsAndImportsHideNoCode() throws {
    let text = """
      import A
      model A {
        id: Int  // The number.
        name: String  // The title.
        /* a */ other: Int?
        // One
        // Two
      }
      import B
      import C
      """
    #expect(try folds(text) == ["1-6 ", "5-6 comment", "8-9 imports"])
  }

  // MARK: Colours

  /// The words of a text with what they are.
  private func words(_ text: String) throws -> [String] {
    let editor = try Editor(marked: text)
    let data = try #require(
      try editor.ask("textDocument/semanticTokens/full", document(editor))["data"]?.array)
    let kinds = [
      "keyword", "comment", "string", "number", "decorator", "namespace", "type", "struct", "enum",
      "enumMember", "property",
      "parameter",
    ]
    let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }.map { Array($0.utf16) }
    var (line, column) = (0, 0)
    var words: [String] = []
    for index in stride(from: 0, to: data.count, by: 5) {
      let part = data[index..<index + 5].map { $0.int ?? -1 }
      line += part[0]
      column = part[0] == 0 ? column + part[1] : part[1]
      let word = String(decoding: lines[line][column..<column + part[2]], as: UTF16.self)
      let modifiers = (part[4] & 1 != 0 ? "!" : "") + (part[4] & 2 != 0 ? "*" : "")
      words.append("\(word) \(kinds[part[3]])\(modifiers)")
    }
    return words
  }

  @Test func semanticTokensClassifyEachWord() throws {
    let text = """
      import Base
      /* 😀
      two */ @Index(\\.title)
      model Task { id: Int = -1; @Relationship(inverse: \\Tag.tasks, deleteRule: .deny) tags: [Tag] } // é
      enum State: String { case open = "o" }
      union Item on "type" { case tag: Tag }
      struct Address { isOpen: Bool = true }
      schema { access: public }
      """
    #expect(
      try words(text) == [
        "import keyword", "Base namespace", "/* 😀 comment", "two */ comment", "Index decorator",
        "title property",
        "model keyword", "Task type!", "id property!", "Int type*", "1 number", "Relationship decorator",
        "inverse parameter", "Tag type", "tasks property", "deleteRule parameter", "deny enumMember",
        "tags property!", "Tag type", "// é comment", "enum keyword", "State enum!", "String type*",
        "case keyword",
        "open enumMember!", "\"o\" string", "union keyword", "Item enum!", "on keyword", "\"type\" string",
        "case keyword",
        "tag enumMember!", "Tag type", "struct keyword", "Address struct!", "isOpen property!", "Bool type*",
        "true keyword", "schema keyword", "access property",
      ])
  }

  @Test func semanticTokensClassifyMapsAndAttributesOnTheSameLine() throws {
    #expect(
      try words("@Offline model Task { id: Int; scores: [String: Double] }") == [
        "Offline decorator", "model keyword", "Task type!", "id property!", "Int type*", "scores property!",
        "String type*", "Double type*",
      ])
  }

  @Test func semanticTokensAreOrderedAndDoNotOverlap() throws {
    let editor = try Editor()
    editor.open("Schema.syncline", "")
    var count = 0
    for text in try Fixture.texts() {
      editor.change("Schema.syncline", [["text": .string(text)]])
      let data = try #require(
        try editor.ask("textDocument/semanticTokens/full", document(editor))["data"]?.array?.compactMap(\.int)
      )
      for index in stride(from: 0, to: data.count, by: 5) {
        #expect(data[index] >= 0 && data[index + 1] >= 0 && data[index + 2] > 0)
        // One begins behind the end of the one before.
        if index > 0, data[index] == 0 { #expect(data[index + 1] >= data[index - 3]) }
        count += 1
      }
    }
    #expect(count > 1000)
  }
}
