import Foundation
import Syncline
import Testing

@Suite struct TextCoercionTests {
  @Test func textAcceptsNumbersAndBooleansAsWritten() async throws {
    try await expectAccepted(
      "text",
      [
        (#""""#, ""), (#"" a ""#, " a "), ("42", "42"), ("42.5", "42.5"), ("42.50", "42.50"), ("1e5", "1e5"),
        ("-0", "-0"), ("9007199254740993", "9007199254740993"), ("true", "true"), ("false", "false"),
        (#""a\nb\t\"\\\/\b\f\r""#, "a\nb\t\"\\/\u{8}\u{C}\r"), (#""\u00e9\u65e5\ud83d\ude00""#, "é日😀"),
        (#""日本語 🏳️‍🌈""#, "日本語 🏳️‍🌈"), (#""e\u0301""#, "e\u{301}"),
      ])
  }

  @Test func textRefusesListsAndObjects() async throws {
    try await expectRefused("text", ["[]", #"["a"]"#, "{}", #"{"text": "a"}"#])
  }

  @Test func canonicallyEquivalentTextIsADifferentValue() async throws {
    let container = try makeStore()
    try await container.sync(payload: #"[{"id": 1, "text": "\u00e9"}]"#, as: Kinds.self)
    let report = try await container.sync(payload: #"[{"id": 1, "text": "e\u0301"}]"#, as: Kinds.self)
    #expect(report.updated == 1)
    let stored = try await container.database.read { try Kinds.fetchOne($0)?.text }
    #expect(stored.map { Array($0.utf8) } == Array("e\u{301}".utf8))
  }

  @Test func textWithNULIsStoredCompletely() async throws {
    let container = try makeStore()
    let payload = #"[{"id": 1, "text": "a\u0000b", "words": ["\u0000"]}]"#
    try await container.sync(payload: payload, as: Kinds.self)
    let length = try await container.database.read {
      try Int.fetchOne($0, sql: "SELECT length(CAST(text AS BLOB)) FROM Kinds")
    }
    #expect(length == 3)
    #expect(try await container.sync(payload: payload, as: Kinds.self).isUnchanged)
    #expect(try await container.export(as: Kinds.self)[0]["text"] == "a\0b")
    #expect(try await container.export(as: Kinds.self)[0]["words"] == ["\0"])
  }

  @Test func uuidAccepts36CharactersInAnyCase() async throws {
    let text = "C3E7A1B2-1001-4ABC-9DEF-0123456789AB"
    try await expectAccepted(
      "uuid",
      [
        ("\"\(text)\"", .string(text)), ("\"\(text.lowercased())\"", .string(text)),
        (#""c3E7a1B2-1001-4aBc-9dEf-0123456789aB""#, .string(text)),
        (#""00000000-0000-0000-0000-000000000000""#, "00000000-0000-0000-0000-000000000000"),
      ])
  }

  @Test func aUUIDRefusesOtherForms() async throws {
    try await expectRefused(
      "uuid",
      [
        #""""#, #""C3E7A1B210014ABC9DEF0123456789AB""#, #""{C3E7A1B2-1001-4ABC-9DEF-0123456789AB}""#,
        #""C3E7A1B2-1001-4ABC-9DEF-0123456789A""#, #""C3E7A1B2-1001-4ABC-9DEF-0123456789ABC""#,
        #""C3E7A1B2-1001-4ABC-9DEF-0123456789AG""#, #"" C3E7A1B2-1001-4ABC-9DEF-0123456789AB""#,
        #""C3E7A1B-21001-4ABC-9DEF-0123456789AB""#, #""urn:uuid:C3E7A1B2-1001-4ABC-9DEF-0123456789AB""#,
        "1", "true", "[]", "{}",
      ])
  }

  @Test func urlAcceptsAbsoluteAndRelativeForms() async throws {
    try await expectAccepted(
      "url",
      [
        (#""https://example.com/a?b=c&d=%20#e""#, "https://example.com/a?b=c&d=%20#e"),
        (#""/a/b.png""#, "/a/b.png"), (#""b.png""#, "b.png"), (#""../b?c=d""#, "../b?c=d"),
        (#""//host/path""#, "//host/path"), (#""mailto:a@b.c""#, "mailto:a@b.c"), (##""#part""##, "#part"),
        (#""http:\/\/[::1]:8080\/""#, "http://[::1]:8080/"),
        (#""https://example.com/日本""#, "https://example.com/%E6%97%A5%E6%9C%AC"),
        (#""https://example.com/?q=é😀""#, "https://example.com/?q=%C3%A9%F0%9F%98%80"),
      ])
  }

  @Test func urlEncodesInvalidCharactersOnce() async throws {
    try await expectAccepted(
      "url",
      [
        (#""https://x.org/Zürich|1.jpg""#, "https://x.org/Z%C3%BCrich%7C1.jpg"),
        (#""https://x.org/?t[]=café""#, "https://x.org/?t%5B%5D=caf%C3%A9"),
        (#""https://x.org/?t[]=caf%C3%A9""#, "https://x.org/?t%5B%5D=caf%C3%A9"),
        (#""http://[::1]:80/a[1]?b={c}""#, "http://[::1]:80/a%5B1%5D?b=%7Bc%7D"),
        (#""a[1]/b?c=//[d]""#, "a%5B1%5D/b?c=//%5Bd%5D"), (#""//x.org/^""#, "//x.org/%5E"),
        (#""https://x.org/100%""#, "https://x.org/100%25"),
      ])
  }

  @Test func aURLRefusesEmptyTextBlanksAndControlCharacters() async throws {
    try await expectRefused(
      "url",
      [
        #""""#, #"" ""#, #""https://example.com/a b""#, #"" https://example.com""#,
        #""https://example.com\n""#,
        #""a\tb""#, #""a\u0000b""#, #""a\u007fb""#, #""a\u0085b""#, #""a\u00a0b""#, #""a\u2028b""#,
        #""a\u3000b""#, "1", "true", "[]", "{}",
      ])
  }

  @Test func dataAcceptsBase64InBothAlphabets() async throws {
    try await expectAccepted(
      "data",
      [
        (#""""#, ""), (#""AQID""#, "AQID"), (#""AQI=""#, "AQI="), (#""AQI""#, "AQI="), (#""AQ==""#, "AQ=="),
        (#""AQ""#, "AQ=="), (#""+/+/""#, "+/+/"), (#""-_-_""#, "+/+/"), (#""-_8=""#, "+/8="),
        (#""-_8""#, "+/8="),
      ])
  }

  @Test func dataRefusesOtherText() async throws {
    try await expectRefused(
      "data",
      [
        #""A""#, #""AQIDA""#, #""AQ=""#, #""A===""#, #""====""#, #""=""#, #""AQ==AQ==""#, #""A?ID""#,
        #""AQ ID""#,
        #""AQID\n""#, #"" AQID""#, #""AQID=""#, #""AQI==""#, #""ÄQID""#, "1", "true", "[]", "[1, 2]", "{}",
      ])
  }

  @Test func dataOfEveryLengthIsReadCompletely() async throws {
    var random = SeededGenerator(seed: 7)
    let blobs = (0..<70).map { count in
      Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
    }
    try await expectAccepted(
      "data", blobs.map { ("\"\($0.base64EncodedString())\"", .string($0.base64EncodedString())) })
  }
}
