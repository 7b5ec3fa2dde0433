import Foundation
import Syncline
import SynclineTesting
import Testing

@Suite struct JSONReaderTests {
  private func nested(_ levels: Int, _ open: String = "[", _ close: String = "]", _ inner: String = "")
    -> String
  {
    String(repeating: open, count: levels) + inner + String(repeating: close, count: levels)
  }

  @Test func nestingOf512LevelsIsAcceptedAnd513Refused() throws {
    _ = try SyncJSON(parsing: nested(512))
    _ = try SyncJSON(parsing: nested(512, "[", "]", "1"))
    _ = try SyncJSON(parsing: nested(512, #"{"a":"#, "}", "1"))
    _ = try SyncJSON(parsing: "[" + nested(511) + "," + nested(511) + "]")
    for text in [
      nested(513), nested(513, "[", "]", "1"), nested(513, #"{"a":"#, "}", "1"), "[1," + nested(512) + "]",
    ] {
      #expect(throws: SyncError.self) { try SyncJSON(parsing: text) }
    }
  }

  @Test func nestingLimitCountsFromThePayloadRoot() async throws {
    let container = try SyncContainer(for: Kinds.self)
    func payload(_ levels: Int) -> String { #"[{"id": 1, "json": "# + nested(levels) + "}]" }
    func envelope(_ levels: Int) -> String { #"{"data": {"items": "# + payload(levels) + "}}" }
    let report = try await container.sync(payload: payload(510), as: Kinds.self)
    #expect(report.inserted == 1)
    #expect(try await container.export(as: Kinds.self)[0]["json"]?.description == nested(510))
    await #expect(throws: SyncError.self) { try await container.sync(payload: payload(511), as: Kinds.self) }
    try await container.sync(payload: envelope(508), at: "data.items", as: Kinds.self)
    await #expect(throws: SyncError.self) {
      try await container.sync(payload: envelope(509), at: "data.items", as: Kinds.self)
    }
    // The limit also applies to members that no property reads.
    let unknown = #"[{"id": 1, "unknown": "# + nested(511) + "}]"
    await #expect(throws: SyncError.self) { try await container.sync(payload: unknown, as: Kinds.self) }
  }

  @Test(arguments: ["[", #"{"a":"#, "[{\"a\":"])
  func nestingOf100000LevelsIsRefusedAndOverflowsNoStack(_ open: String) async throws {
    let text = String(repeating: open, count: 100_000)
    #expect(throws: SyncError.self) { try SyncJSON(parsing: text) }
    let container = try SyncContainer(for: Kinds.self)
    await #expect(throws: SyncError.self) { try await container.sync(payload: text, as: Kinds.self) }
    await #expect(throws: SyncError.self) { try await container.sync(item: text, at: "a", as: Kinds.self) }
  }

  @Test func writingMoreThan512LevelsIsRefused() throws {
    var json = SyncJSON.array([])
    for _ in 1..<512 { json = [json] }
    #expect(try json.data().count == 1024)
    #expect(throws: SyncError.self) { try SyncJSON.array([json]).data() }
  }

  @Test func byteOrderMarkIsSkipped() async throws {
    let mark = Data([0xEF, 0xBB, 0xBF])
    #expect(try SyncJSON(parsing: mark + Data("[1]".utf8)) == [1])
    let container = try SyncContainer(for: Kinds.self)
    let report = try await container.sync(payload: mark + Data(#" [{"id": 1}]"#.utf8), as: Kinds.self)
    #expect(report.inserted == 1)
    try await container.sync(item: mark + Data(#"{"a": {"id": 2}}"#.utf8), at: "a", as: Kinds.self)
    for bytes in [
      mark, mark + mark + Data("[]".utf8), Data([0xEF, 0xBB]) + Data("[]".utf8), Data([0xFE, 0xFF, 0, 0x5B]),
    ] {
      #expect(throws: SyncError.self) { try SyncJSON(parsing: bytes) }
    }
  }

  @Test func lastOfDuplicateKeysIsUsed() async throws {
    #expect(try SyncJSON(parsing: #"{"a": 1, "b": 2, "a": 3}"#) == ["a": 3, "b": 2])
    let container = try makeStore()
    let payload = #"""
      [{"id": 9, "text": "a", "int": 1, "id": 1, "text": "b", "\u0069nt": 2, "bool": true, "bool": null}]
      """#
    try await container.sync(payload: payload, as: Kinds.self)
    let row = try container.rows(of: Kinds.self)[0]
    #expect(row["id"] == 1)
    #expect(row["text"] == "b")
    #expect(row["int"] == 2)
    #expect(row["bool"] == .null)
    try await container.sync(
      payload: #"[{"id": 1, "profile": {"email": "a", "email": "b"}}]"#, as: Keyed.self)
    #expect(try container.rows(of: Keyed.self)[0]["email"] == "b")
    try await container.sync(payload: #"{"a": [{"id": 3}], "a": [{"id": 4}]}"#, at: "a", as: Kinds.self)
    #expect(try container.rows(of: Kinds.self).map { $0["id"] } == [4])
  }

  @Test func escapedKeysAreUnescaped() async throws {
    let container = try makeStore()
    try await container.sync(
      payload: #"[{"\u0069d": 1, "te\u0078t": "a"}, {"id": 2, "text": "b"}, {"i\u0064": 3, "text": "c"}]"#,
      as: Kinds.self)
    #expect(try container.rows(of: Kinds.self).map { $0["text"] } == ["a", "b", "c"])
    try await container.sync(payload: #"[{"id": 1, "pro\u0066ile": {"\u0065mail": "x"}}]"#, as: Keyed.self)
    #expect(try container.rows(of: Keyed.self)[0]["email"] == "x")
  }

  @Test func unpairedSurrogateEscapeBecomesReplacementCharacter() throws {
    let cases = [
      #""\ud800""#: "\u{FFFD}", #""\udc00""#: "\u{FFFD}", #""a\ud83db""#: "a\u{FFFD}b",
      #""\ud83d\ud83d\ude00""#: "\u{FFFD}😀", #""\ude00\ud83d""#: "\u{FFFD}\u{FFFD}",
      #""\ud83d\n""#: "\u{FFFD}\n",
      #""\uD83D\uDE00""#: "😀", #""\ud83d\u0041""#: "\u{FFFD}A", #""\uDBFF\uDFFF""#: "\u{10FFFF}",
    ]
    for (text, value) in cases { #expect(try SyncJSON(parsing: text).string == value, "\(text)") }
  }

  @Test func invalidUTF8IsRefusedEverywhere() throws {
    let sequences: [[UInt8]] = [
      [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
      [0xED, 0xA0, 0x80],
      [0xED, 0xBF, 0xBF], [0xE2, 0x82], [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF],
      [0xF4, 0x90, 0x80, 0x80],
      [0xF5, 0x80, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFF], [0xFE], [0xF0, 0x9F, 0x98],
      [0xC3, 0x28],
    ]
    for sequence in sequences {
      for lead in 0..<9 {
        let bytes = Array("[\"".utf8) + Array(repeating: 0x61, count: lead) + sequence + Array("\"]".utf8)
        #expect(throws: SyncError.self, "\(sequence) after \(lead)") { try SyncJSON(parsing: bytes) }
      }
      #expect(throws: SyncError.self) {
        try SyncJSON(parsing: Array("{\"".utf8) + sequence + Array("\":1}".utf8))
      }
    }
  }

  @Test func everyUnicodeScalarSurvives() throws {
    for start in stride(from: UInt32(0), through: 0x10FFFF, by: 0x800) {
      let scalars = (start..<start + 0x800).compactMap(Unicode.Scalar.init)
      var text = ""
      text.unicodeScalars.append(contentsOf: scalars)
      let json = SyncJSON.string(text)
      let read = try SyncJSON(parsing: json.data()).string
      #expect(read.map { Array($0.utf8) == Array(text.utf8) } == true, "from \(start)")
    }
  }

  @Test func unescapedControlCharactersAreRefused() throws {
    for byte in UInt8(0)..<0x20 {
      for lead in 0..<9 {
        let bytes = Array("\"".utf8) + Array(repeating: 0x61, count: lead) + [byte] + Array("bcdefghi\"".utf8)
        #expect(throws: SyncError.self) { try SyncJSON(parsing: bytes) }
      }
    }
    #expect(try SyncJSON(parsing: "\"\u{7F}\"").string == "\u{7F}")
    #expect(try SyncJSON(parsing: #""\u0000\u001f""#).string == "\0\u{1F}")
  }

  @Test func onlyJSONWhitespaceIsAcceptedBetweenTokens() throws {
    #expect(try SyncJSON(parsing: " \t\r\n[ \t\r\n1 \t\r\n, \t\r\n2 \t\r\n] \t\r\n") == [1, 2])
    for blank in ["\u{B}", "\u{C}", "\u{0}", "\u{85}", "\u{A0}", "\u{2028}", "\u{FEFF}", "/**/", "//\n"] {
      #expect(throws: SyncError.self) { try SyncJSON(parsing: "[1,\(blank)2]") }
    }
  }

  @Test func numbersKeepTheirDigits() throws {
    for text in [
      "0", "-0", "0.0", "1.50", "9007199254740993", "9223372036854775807", "-9223372036854775808",
      "18446744073709551615", "123456789012345678901234567890.123456789", "1e400", "1E+2", "-1.0e-10",
    ] {
      #expect(try SyncJSON(parsing: text).description == text)
    }
    #expect(try SyncJSON(parsing: "9007199254740993").int == 9_007_199_254_740_993)
    #expect(try SyncJSON(parsing: "9223372036854775808").int == nil)
  }

  @Test func utf16IsNamedInTheParseError() throws {
    for start: UInt8 in [0xFE, 0xFF] {
      let error = #expect(throws: (any Error).self) { try SyncJSON(parsing: [start, 0x5B, 0x5D]) }
      #expect("\(try #require(error))".contains("with which UTF-16 begins: JSON is UTF-8, at byte 0"))
    }
  }

  /// Rows have the same keys. If hashes ignored the values, each row of a large set would be compared with all others.
  @Test func objectsWithTheSameKeysHaveDifferentHashes() throws {
    let rows: [SyncJSON] = (0..<1_000).map { ["id": .number($0), "name": "a"] }
    let nested: [SyncJSON] = rows.map { ["list": [["row": $0]]] }
    for values in [rows, nested] {
      #expect(Set(values.map(\.hashValue)).count > 990)
      #expect(Set(values).count == 1_000)
    }
    let one = try SyncJSON(parsing: #"{"a": 1, "b": {"c": [1.0], "d": null}}"#)
    let other = try SyncJSON(parsing: #"{"b": {"d": null, "c": [1]}, "a": 1.0}"#)
    #expect(one == other && one.hashValue == other.hashValue)
  }

  @Test func numbersWithEqualValuesAreEqual() throws {
    func number(_ text: String) throws -> SyncJSON { try SyncJSON(parsing: text) }
    for (left, right) in [("1", "1.0"), ("1e2", "100"), ("-0", "0"), ("0.10", "1e-1"), ("1e400", "10e399")] {
      #expect(try number(left) == number(right))
      #expect(try number(left).hashValue == number(right).hashValue)
    }
    for (left, right) in [
      ("1", "-1"), ("9007199254740993", "9007199254740992.0"),
      ("12345678901234567890", "12345678901234567891"),
      ("1e400", "1e401"), ("0.1", "0.10000000000000000001"),
    ] {
      #expect(try number(left) != number(right))
    }
  }

  @Test func extremeDoublesSurviveARoundTrip() throws {
    for value in [-0x1p63, 0x1p63, -0x1p53, Double.greatestFiniteMagnitude, .leastNonzeroMagnitude, -0.0] {
      let number = try #require(SyncNumber(value))
      #expect(number.double == value)
      #expect(try SyncJSON(parsing: number.text).double == value)
    }
    #expect(SyncNumber(Double.nan) == nil)
    #expect(SyncNumber(Double.infinity) == nil)
  }

  @Test func parseErrorContainsTheBytePosition() throws {
    let error = #expect(throws: SyncError.self) { try SyncJSON(parsing: #"[1, 2, x]"#) }
    #expect(error == .invalidPayload(model: "", reason: "unexpected “x” at byte 7"))
    for text in [
      "", "  ", "[", "[1", "[1,", "{", #"{"a""#, #"{"a":"#, #"""#, "tru", "-", "1.", "1e", #""\"#, #""\u12"#,
    ] {
      #expect(throws: SyncError.self) { try SyncJSON(parsing: text) }
    }
  }
}
