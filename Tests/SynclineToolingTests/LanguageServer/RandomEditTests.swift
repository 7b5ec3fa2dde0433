import Foundation
import Syncline
import SynclineCompiler
import TestSupport
import Testing

/// However files are typed, what is known of them is what a reader finds who sees them for the first time.
@Suite(.serialized) struct RandomEditTests {
  private static let names = ["A.syncline", "B.syncline", "Deep/C.syncline"]
  /// What is typed and pasted.
  private static let pieces = [
    "model Task {\n  id: Int\n}\n", "model Tag { id: Int; tasks: [Task] }\n",
    "enum State: String { case open, done }\n",
    "struct Home { city: String }\n", "union Item on \"type\" { case task: Task }\n", "  tags: [Tag]\n",
    "  state: State = .open\n",
    "  home: Home?\n", "  item: Item?\n", "@Relationship(inverse: \\Tag.tasks) ", "@Index(\\.id)\n",
    "@UpdatedAt(\\.at)\n",
    "  at: Date?\n", "{", "}", "(", ")", "[", "]", ":", "\n", "\r\n", "\r", " ", "@", "\\", ".", "\"", "/*",
    "*/", "// é😀\n",
    "Task", "Tag", "id", "Int", "?", "=", "é", "😀", "\u{0}", "schema { access: public }\n",
  ]

  @Test(arguments: Soak.seeds(9300, count: 20))
  func randomEditsGiveTheStateOfAFreshServer(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    let editor = try Editor()
    var texts = Dictionary(uniqueKeysWithValues: RandomEditTests.names.map { ($0, "") })
    for name in RandomEditTests.names { editor.open(name, "") }
    for step in 1...500 {
      let name = random.pick(RandomEditTests.names)
      var text = Array((texts[name] ?? "").utf16)
      // Texts stay as small as those that are typed.
      let isLong = text.count > 1500
      let start = random.pick(0...text.count)
      let end = isLong ? text.count : random.chance(70) ? start : min(text.count, start + random.pick(0...12))
      let piece = isLong || random.chance(25) ? "" : random.pick(RandomEditTests.pieces)
      // What an editor sends are characters.
      guard RandomEditTests.isBoundary(start, text), RandomEditTests.isBoundary(end, text) else { continue }
      editor.change(
        name,
        [
          [
            "range": [
              "start": RandomEditTests.position(start, text), "end": RandomEditTests.position(end, text),
            ], "text": .string(piece),
          ]
        ])
      text.replaceSubrange(start..<end, with: piece.utf16)
      texts[name] = String(decoding: text, as: UTF16.self)
      if step.isMultiple(of: 25) { try compare(editor, texts) }
    }
  }

  /// A place that is between characters, and not between the two of a line's end.
  private static func isBoundary(_ index: Int, _ text: [UInt16]) -> Bool {
    guard index > 0, index < text.count else { return true }
    return !UTF16.isTrailSurrogate(text[index]) && !(text[index - 1] == 13 && text[index] == 10)
  }

  private static func position(_ index: Int, _ text: [UInt16]) -> SyncJSON {
    var (line, start) = (0, 0)
    for offset in 0..<index {
      let endsLine =
        text[offset] == 10 || (text[offset] == 13 && !(offset + 1 < text.count && text[offset + 1] == 10))
      if endsLine { (line, start) = (line + 1, offset + 1) }
    }
    return ["line": .number(SyncNumber(line)), "character": .number(SyncNumber(index - start))]
  }

  /// A server that opens the texts as they are now says the same of them.
  private func compare(_ editor: Editor, _ texts: [String: String]) throws {
    let fresh = try Editor()
    for name in RandomEditTests.names { fresh.open(name, texts[name] ?? "") }
    for name in RandomEditTests.names {
      let known = try #require(editor.diagnostics[editor.uri(name)]),
        found = try #require(fresh.diagnostics[fresh.uri(name)])
      #expect(Self.text(known, editor) == Self.text(found, fresh))
      for method in ["documentSymbol", "semanticTokens/full", "foldingRange", "formatting"] {
        func ask(_ editor: Editor) throws -> SyncJSON {
          try editor.ask("textDocument/\(method)", ["textDocument": ["uri": .string(editor.uri(name))]])
        }
        #expect(try ask(editor) == ask(fresh))
      }
    }
  }

  private static func text(_ diagnostics: [SyncJSON], _ editor: Editor) -> String {
    SyncJSON.array(diagnostics).description.replacing(editor.folder, with: "")
  }
}
