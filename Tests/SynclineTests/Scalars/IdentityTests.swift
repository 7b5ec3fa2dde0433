import Foundation
import Syncline
import SynclineTesting
import Testing

@Suite struct IdentityTests {
  /// The identity of a row with the given members; nil if the payload is rejected because it has none.
  private func identity<Model: SyncUpdatableModel>(
    _ members: String, _ model: Model.Type, style: KeyStyle = .snakeCase
  ) async throws -> SyncJSON? {
    let container = try makeStore(keyStyle: style)
    do {
      let report = try await container.sync(payload: "[{\(members)}]", as: model)
      #expect(report.inserted == 1)
      let again = try await container.sync(payload: "[{\(members)}]", as: model)
      #expect(again.isUnchanged && again.unchanged == 1, "\(members) is matched by what it is stored under")
    } catch SyncError.invalidPayload {
      #expect(try container.rows(of: model) == [])
      return nil
    }
    return try container.rows(of: model).first.flatMap { row in
      ["id", "remoteID", "accountCode"].compactMap { row[$0] }.first
    }
  }

  @Test func integerIdentityAcceptsTextAndWholeNumbers() async throws {
    let cases: [(String, SyncJSON)] = [
      ("64", 64), (#""64""#, 64), ("64.0", 64), ("6.4e1", 64), ("640e-1", 64), (#""+64""#, 64),
      (#""064""#, 64),
      ("0", 0), ("-0", 0), ("-5", -5), (#""-5""#, -5), ("9223372036854775807", 9_223_372_036_854_775_807),
    ]
    for (text, value) in cases {
      #expect(try await identity("\"id\": \(text)", Kinds.self) == value, "\(text)")
    }
  }

  @Test func textIdentityAcceptsTextAndWholeNumbers() async throws {
    let cases: [(String, SyncJSON)] = [
      (#""a""#, "a"), (#""""#, ""), (#"" a ""#, " a "), ("64", "64"), ("64.0", "64"), ("6.4e1", "64"),
      ("-0", "0"),
      ("-0.0", "0"), ("-7", "-7"), ("12345678901234567890", "12345678901234567890"), (#""64.0""#, "64.0"),
      ("1e20", "100000000000000000000"), ("12345678901234567890.0", "12345678901234567890"),
      (#""007""#, "007"),
    ]
    for (text, value) in cases {
      #expect(try await identity("\"id\": \(text)", Label.self) == value, "\(text)")
    }
  }

  @Test func uuidIdentityAcceptsAnyLetterCase() async throws {
    let text = "C3E7A1B2-1001-4ABC-9DEF-0123456789AB"
    #expect(try await identity(#""id": "\#(text)""#, Token.self) == .string(text))
    #expect(try await identity(#""id": "\#(text.lowercased())""#, Token.self) == .string(text))
    let container = try SyncContainer(for: Token.self)
    try await container.sync(payload: #"[{"id": "\#(text)", "name": "a"}]"#, as: Token.self)
    let report = try await container.sync(
      payload: #"[{"id": "\#(text.lowercased())", "name": "b"}]"#, as: Token.self)
    #expect(report.updated == 1)
  }

  @Test(arguments: [
    "1.5", "true", "false", "null", "{}", "[]", "[1]", #""""#, #""a""#, #"" 1""#, #""1.0""#, #""1e2""#,
    "1e400",
  ])
  func integerIdentityRefusesOtherValues(_ text: String) async throws {
    #expect(try await identity("\"id\": \(text)", Kinds.self) == nil)
  }

  @Test(arguments: ["1.5", "true", "false", "null", "{}", "[]", #"["a"]"#, "1e-1", "1e400"])
  func textIdentityRefusesOtherValues(_ text: String) async throws {
    #expect(try await identity("\"id\": \(text)", Label.self) == nil)
  }

  @Test(arguments: ["1", "true", "null", #""""#, #""C3E7A1B210014ABC9DEF0123456789AB""#, "{}"])
  func uuidIdentityRefusesOtherValues(_ text: String) async throws {
    #expect(try await identity("\"id\": \(text)", Token.self) == nil)
  }

  @Test func identityOutsideItsIntegerRangeIsRefused() async throws {
    for text in ["128", "-129", #""128""#, "1e3"] {
      #expect(try await identity("\"id\": \(text)", Tiny.self) == nil)
    }
    #expect(try await identity(#""id": -128"#, Tiny.self) == -128)
    for text in ["-1", "9223372036854775808", "18446744073709551615"] {
      #expect(try await identity("\"id\": \(text)", Unsigned.self) == nil)
    }
    #expect(try await identity(#""id": 9223372036854775807"#, Unsigned.self) == 9_223_372_036_854_775_807)
  }

  @Test func identityIsReadFromItsAliases() async throws {
    for key in ["id", "remote_id", "remoteID"] {
      #expect(try await identity("\"\(key)\": 5", Kinds.self) == 5)
      #expect(try await identity("\"\(key)\": 5", Remote.self) == 5)
      #expect(try await identity("\"\(key)\": 5", Kinds.self, style: .camelCase) == 5)
      #expect(try await identity("\"\(key)\": 5", Remote.self, style: .camelCase) == 5)
    }
    #expect(try await identity(#""remoteId": 5"#, Remote.self, style: .camelCase) == 5)
    #expect(try await identity(#""remoteId": 5"#, Remote.self) == nil)
    #expect(try await identity(#""ID": 5"#, Kinds.self) == nil)
  }

  @Test func firstReadableIdentityKeyIsUsed() async throws {
    #expect(try await identity(#""remoteID": 3, "remote_id": 2, "id": 1"#, Kinds.self) == 1)
    #expect(try await identity(#""remoteID": 3, "remote_id": 2, "id": 1"#, Remote.self) == 2)
    for unreadable in ["null", "true", "1.5", "{}", #""x""#, "[]"] {
      #expect(try await identity("\"id\": \(unreadable), \"remote_id\": 7", Kinds.self) == 7, "\(unreadable)")
    }
    for unreadable in ["null", "true", "1.5", "{}"] {
      #expect(
        try await identity("\"id\": \(unreadable), \"remote_id\": 42.0", Label.self) == "42", "\(unreadable)")
    }
  }

  @Test func identityAliasReadByAnotherPropertyIsIgnored() async throws {
    #expect(try await identity(#""remote_id": 5"#, Guarded.self) == nil)
    #expect(try await identity(#""remoteID": 5"#, Guarded.self) == nil)
    let container = try SyncContainer(for: Guarded.self)
    try await container.sync(payload: #"[{"id": 1, "remote_id": "r"}]"#, as: Guarded.self)
    #expect(try container.rows(of: Guarded.self) == [["id": 1, "remoteID": "r"]])
  }

  @Test func explicitIdentityKeyReplacesTheAliases() async throws {
    #expect(try await identity(#""ext_id": 5, "id": 9, "remote_id": 8"#, External.self) == 5)
    #expect(try await identity(#""ext_id": 5"#, External.self, style: .camelCase) == 5)
    #expect(try await identity(#""extId": 5"#, External.self, style: .camelCase) == 5)
    for key in ["id", "remote_id", "remoteID", "extId"] {
      #expect(try await identity("\"\(key)\": 5", External.self) == nil, "\(key)")
    }
    #expect(try await identity(#""meta": {"key": "k"}, "id": "x""#, Nested.self) == "k")
    #expect(try await identity(#""meta.key": "literal", "meta": {"key": "k"}"#, Nested.self) == "literal")
    for members in [
      #""id": "x""#, #""meta": null"#, #""meta": "x""#, #""meta": {"key": null}"#, #""key": "k""#,
    ] {
      #expect(try await identity(members, Nested.self) == nil, "\(members)")
    }
  }

  @Test func namedIdentityHasNoAliases() async throws {
    #expect(try await identity(#""account_code": "k""#, Coded.self) == "k")
    #expect(try await identity(#""accountCode": "k""#, Coded.self) == "k")
    #expect(try await identity(#""accountCode": "k""#, Coded.self, style: .camelCase) == "k")
    for key in ["id", "remote_id", "remoteID"] {
      #expect(try await identity("\"\(key)\": \"k\"", Coded.self) == nil)
    }
    #expect(try await identity(#""account_code": "k""#, Coded.self, style: .camelCase) == nil)
  }

  @Test func textAndNumberIdentifyTheSameRow() async throws {
    let container = try makeStore()
    try await container.sync(payload: #"[{"id": "64", "text": "a"}]"#, as: Kinds.self)
    let report = try await container.sync(payload: #"[{"id": 64, "text": "b"}]"#, as: Kinds.self)
    #expect(report[Kinds.self].updated == 1)
    try await container.sync(payload: #"[{"id": 64, "name": "a"}]"#, as: Label.self)
    #expect(try await container.sync(payload: #"[{"id": "64", "name": "a"}]"#, as: Label.self).isUnchanged)
  }

  @Test func textIdentitiesAreComparedAndOrderedByteByByte() async throws {
    let container = try SyncContainer(for: Label.self)
    let texts = ["", "A", "Z", "a", "a\0", "a\0b", "ab", "e\u{301}", "é", "日", "\u{FFFD}", "😀"]
    let rows = SyncJSON.array(texts.reversed().map { ["id": .string($0)] })
    let report = try await container.sync(payload: rows, as: Label.self)
    #expect(report.inserted == texts.count)
    let stored = try await container.export(as: Label.self).compactMap { $0["id"]?.string }
    #expect(stored.map { Array($0.utf8) } == texts.map { Array($0.utf8) })
    #expect(try await container.sync(payload: rows, as: Label.self).isUnchanged)
    #expect(
      try await container.sync(payload: SyncJSON.array(texts.map { ["id": .string($0)] }), as: Label.self)
        .isUnchanged)
  }

  @Test func aRowWithoutIdentityIsSkippedAndReported() async throws {
    let container = try SyncContainer(for: Label.self)
    let report = try await container.sync(
      payload: #"{"data": [{"id": "a"}, {"name": "b"}, {"id": null}, {"id": 1.5}, {"id": "c"}]}"#, at: "data",
      as: Label.self)
    #expect(report.inserted == 2)
    #expect(report.skipped == 3)
    #expect(report.problems.map(\.path) == ["data[1]", "data[2]", "data[3]"])
    #expect(report.problems.map(\.row) == [1, 2, 3])
    #expect(
      report.problems.allSatisfy { $0.action == .skippedRow && $0.identity == nil && $0.model == "Label" })
  }

  @Test func payloadWithoutAnyIdentityIsRefusedAndDeletesNothing() async throws {
    let container = try SyncContainer(for: Label.self)
    try await container.sync(payload: #"[{"id": "a"}]"#, as: Label.self)
    for payload in [#"[{"name": "x"}]"#, #"[{}, {"id": null}]"#, #"[{"id": 1.5}, {"id": true}]"#] {
      await #expect(throws: SyncError.self) { try await container.sync(payload: payload, as: Label.self) }
    }
    await #expect(throws: SyncError.self) {
      try await container.sync(item: #"{"name": "x"}"#, as: Label.self)
    }
    #expect(try container.rows(of: Label.self) == [["id": "a", "name": nil]])
  }
}
