@testable import SynclineCompiler
import Testing

/// Two neighboring tokens in the wrong order give one error with a fix-it that swaps them.
@Suite struct SwappedTokenTests {
  @Test(arguments: [
    ("enum S: String { open case, done }", "enum S: String { case open, done }"),
    ("enum S: String { case open done, }", "enum S: String { case open, done }"),
    ("schema access {: public }", "schema { access: public }"),
    ("model { A id: Int }", "model A { id: Int }"),
    (
      "model A { id: Int; groups: [Group} ]\nmodel Group { id: Int }",
      "model A { id: Int; groups: [Group] }\nmodel Group { id: Int }"
    ),
    ("model A { id: Int; title String: }", "model A { id: Int; title: String }"),
    ("model A { id: Int; titles: String[ ] }", "model A { id: Int; titles: [String] }"),
  ])
  func swappedTokensAreSwappedBack(text: String, expected: String) throws {
    let file = SourceFile(path: "A.syncline", text: text)
    let errors = ParsedFile(file).diagnostics.filter { $0.severity == .error }
    #expect(errors.count == 1, "\(errors.map(\.message))")
    let fixIt = try #require(errors.first?.fixIts.first)
    var bytes = file.bytes
    bytes.replaceSubrange(fixIt.range.offsets, with: Array(fixIt.replacement.utf8))
    #expect(words(String(decoding: bytes, as: UTF8.self)) == words(expected))
  }

  /// A fix-it that removes the error is kept.
  @Test func ownFixItsComeFirst() throws {
    let errors = ParsedFile(SourceFile(path: "A.syncline", text: "model A { id Int }")).diagnostics
    #expect(errors.first?.fixIts.first?.message.contains("swap") == false)
  }

  /// A file with many errors is not parsed again and again.
  @Test func manyErrorsGetNoSwaps() {
    let text = (0..<40).map { "model A\($0) { id: Int; title String: }" }.joined(separator: "\n")
    let errors = ParsedFile(SourceFile(path: "A.syncline", text: text)).diagnostics
    #expect(errors.count == 40 && errors.allSatisfy { !$0.fixIts.contains { $0.message.hasPrefix("swap") } })
  }

  private func words(_ text: String) -> [Substring] {
    text.split { $0 == " " || $0 == "\n" }.flatMap { word -> [Substring] in
      var parts: [Substring] = []
      var rest = word
      while let first = rest.first {
        let part = first.isLetter ? rest.prefix { $0.isLetter || $0.isNumber } : rest.prefix(1)
        parts.append(part)
        rest = rest.dropFirst(part.count)
      }
      return parts
    }
  }
}
