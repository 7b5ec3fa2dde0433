import Testing

@testable import SynclineCompiler
@testable import SynclineTooling

/// An edit costs the declarations that it changes.
@Suite struct EditedFileTests {
  /// A file with models, and what is known of it.
  private struct Edits {
    var file: EditedFile
    var memory = AnalysisMemory()
    var analysis: Analysis

    init(_ text: String) {
      file = EditedFile(path: "Schema.syncline", text: text)
      file.settle()
      analysis = CompilerPipeline.analyse(
        target: "App", files: file.sections.map(\.file), modules: [:], otherPackages: [], &memory)
    }

    init(models: Int) {
      var text = "enum State: String {\n  case open, done\n}\n"
      for model in 0..<models {
        text +=
          "\n/// The model \(model).\nmodel Model\(model) {\n  id: Int\n  name: String\n  state: State\n"
        text += "  next: Model\((model + 1) % models)?\n  note: String?\n}\n"
      }
      self.init(text)
    }

    /// Writes a text in place of the first that is like another.
    ///
    /// - Returns: how many declarations were parsed, and how many models were resolved.
    mutating func write(_ new: String, for old: String) throws -> [Int] {
      let before = [file.parsedDeclarations, memory.resolvedModels]
      let text = file.text
      let range = try #require(text.firstRange(of: old))
      let start = text.utf8.distance(from: text.startIndex, to: range.lowerBound)
      file.replace(start..<(start + old.utf8.count), with: new)
      file.settle()
      analysis = CompilerPipeline.analyse(
        target: "App", files: file.sections.map(\.file), modules: [:], otherPackages: [], &memory)
      return [file.parsedDeclarations - before[0], memory.resolvedModels - before[1]]
    }

    var messages: [String] { analysis.diagnostics.map(\.message) }

    /// The messages for the same text as a new file.
    var newMessages: [String] {
      let whole = SourceFile(path: "Schema.syncline", text: file.text)
      return CompilerPipeline.analyse(CompilerInput(target: "App", files: [whole])).diagnostics.map(\.message)
    }
  }

  @Test func eachDeclarationIsASection() {
    var file = EditedFile(
      path: "A",
      text:
        "import Base\nmodel A { id: Int }\n\n// B\nmodel B {\n  id: Int\n} // b\n// C\n@Index(\\.id)\nmodel C {"
    )
    file.settle()
    #expect(
      file.sections.map(\.file.source.text) == [
        "import Base\n", "model A { id: Int }\n", "\n// B\nmodel B {\n  id: Int\n} // b\n",
        "// C\n@Index(\\.id)\nmodel C {",
      ])
    #expect(file.sections.map(\.line) == [0, 1, 2, 7])
    #expect(file.sections.map(\.offset) == [0, 12, 32, 65])
  }

  @Test func incompleteDeclarationsShareOneSection() {
    for text in [
      "model A {\n  enum B: String { case c }\n}\n", "model A {\n  id:\nmodel B { id: Int }\n",
      "import\nmodel A { id: Int }\n", "/*\nmodel A { id: Int }\n",
      "\"\"\"\nmodel A { id: Int }\nmodel B { id: Int }\n",
      "} # a\n# b\nmodel A { id: Int }\n",
    ] {
      var file = EditedFile(path: "A", text: text)
      file.settle()
      #expect(file.sections.map(\.file.source.text) == [text])
    }
  }

  @Test func editOfModelParsesAndResolvesOnlyThatModel() throws {
    var edits = Edits(models: 60)
    #expect(edits.messages == [])
    let head = "model Model25 {\n  id: Int\n  name: "
    let cost = try edits.write(head + "Strin\n", for: head + "String\n")
    #expect(cost == [1, 1])
    #expect(edits.messages == ["unknown type “Strin”; did you mean “String”?"])
    let back = try edits.write(head + "String\n", for: head + "Strin\n")
    #expect(back == [1, 1])
    #expect(edits.messages == [])
  }

  @Test func aBrokenDeclarationIsParsedWithTheNext() throws {
    var edits = Edits(models: 60)
    let cost = try edits.write(
      "note: \n}\n\n/// The model 30.", for: "note: String?\n}\n\n/// The model 30.")
    #expect(cost[0] <= 3 && cost[1] <= 2, "\(cost)")
    #expect(edits.messages.count == 1)
  }

  @Test func typingANewModelDoesNotParseTheOthers() throws {
    var edits = Edits(models: 60)
    let typed = "model Added {\n  id: Int\n  name: String\n"
    var written = "\n/// The model 25."
    for letter in typed {
      let next = written.replacing("\n/// The model 25.", with: "") + String(letter) + "\n/// The model 25."
      let cost = try edits.write(next, for: written)
      #expect(cost[0] <= 8 && cost[1] <= 4, "\(cost) behind “\(letter)”")
      written = next
    }
    #expect(edits.messages.count == 1)
  }

  @Test func renamedModelResolvesOnlyModelsThatUseIt() throws {
    var edits = Edits(models: 60)
    let cost = try edits.write("model Other7 {", for: "model Model7 {")
    #expect(cost == [1, 2])
    #expect(edits.messages.count == 1 && edits.messages[0].hasPrefix("unknown type “Model7”"))
  }

  @Test func editedEnumResolvesOnlyModelsThatUseIt() throws {
    var edits = Edits(
      "enum State: String { case open }\n"
        + "struct Place { state: State }\nmodel A { id: Int; place: Place? }\nmodel B { id: Int }\n"
        + "model C { id: Int; state: State = .open }\n")
    let cost = try edits.write("case shut", for: "case open")
    #expect(cost == [1, 2])
    #expect(edits.messages.count == 1)
  }

  @Test func typeParametersAreReportedOnlyAtTheirDeclaration() throws {
    var edits = Edits("model Page { id: Int }\nmodel A { id: Int }\nmodel B { id: Int; page: Page<A>? }\n")
    #expect(edits.messages == ["“Page<A>?” is not a schema type: “JSON” holds any value"])
    _ = try edits.write("model Page<T> {", for: "model Page {")
    #expect(edits.messages.count == 1 && edits.messages[0].hasPrefix("“Page” cannot be generic"))
    #expect(edits.messages == edits.newMessages)
    _ = try edits.write("model Page {", for: "model Page<T> {")
    #expect(edits.messages == ["“Page<A>?” is not a schema type: “JSON” holds any value"])
  }

  @Test func duplicateDeclarationHidesUnknownTypeErrors() throws {
    var edits = Edits("model A { id: Int; other: Zebra? }\nmodel B { id: Int }\nmodel C { id: Int }\n")
    #expect(edits.messages == ["unknown type “Zebra”"])
    _ = try edits.write("model B { id: Int }\nmodel B", for: "model B { id: Int }\nmodel C")
    #expect(edits.messages == ["“B” is declared twice"])
    _ = try edits.write("model B { id: Int }\nmodel C", for: "model B { id: Int }\nmodel B")
    #expect(edits.messages == ["unknown type “Zebra”"])
  }

  @Test func unknownTypeIsReportedAtItsFirstUse() throws {
    let edits = Edits("model A {\n  id: Int\n  other: Zebra?\n}\nmodel B { z: Zebra?; id: Int }\n")
    let diagnostic = try #require(edits.analysis.diagnostics.first)
    #expect(edits.messages == ["unknown type “Zebra”"] && diagnostic.notes.count == 1)
    #expect(edits.file.offsets(of: diagnostic.range) == 29..<34)
  }

  @Test func changedSettingsResolveAllModels() throws {
    var edits = Edits("schema { null: [\"\"] }\nmodel A { id: Int; size: Int? }\nmodel B { id: Int }\n")
    let cost = try edits.write("[\"none\"]", for: "[\"\"]")
    #expect(cost == [1, 2])
  }

  @Test func pendingEditsAreNotParsedUntilSettled() {
    var edits = Edits(models: 50)
    let before = edits.file.parsedDeclarations
    for line in 0..<1_000 {
      let offset = edits.file.offset(line: 6 + line % 5, utf16Column: 2)
      edits.file.replace(offset..<offset, with: "x")
    }
    #expect(edits.file.parsedDeclarations == before)
    edits.file.settle()
    #expect(edits.file.parsedDeclarations - before == 1)
  }

  @Test(arguments: ["\n", "\r\n", "\r"])
  func positionsAreThoseOfTheWholeFile(lineEnd: String) {
    let text = ["// 😀é", "model A { id: Int }", "", "/* é */ model B {", "  id: Int", "}", ""].joined(
      separator: lineEnd)
    let whole = SourceFile(path: "A", text: text)
    var file = EditedFile(path: "A", text: text)
    file.settle()
    for line in -1..<9 {
      for column in [0, 1, 4, 5, 100] {
        #expect(
          file.offset(line: line, utf16Column: column) == whole.offset(line: line, utf16Column: column))
      }
    }
  }

  @Test func insertedLineFeedJoinsPrecedingCarriageReturn() {
    var file = EditedFile(path: "A", text: "model A { id: Int }\rmodel B { id: Int }\rmodel C { id: Int }")
    file.settle()
    #expect(file.sections.map(\.line) == [0, 1, 2])
    file.replace(20..<20, with: "\n")
    #expect(file.offset(line: 1, utf16Column: 0) == 21)
    file.settle()
    #expect(file.sections.map(\.line) == [0, 1, 2])
    #expect(file.sections.map(\.offset) == [0, 21, 41])
  }
}
