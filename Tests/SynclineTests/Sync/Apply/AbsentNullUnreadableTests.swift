import Foundation
import Syncline
import SynclineTesting
import Testing

/// The contract's table of absent, null and unreadable values, for scalars.
@Suite struct AbsentNullUnreadableTests {
  static let complete = #"""
    "id": 1, "text": "t", "int": 1, "double": 1.5, "bool": true, "date": "2020-01-02T03:04:05Z",
    "uuid": "C3E7A1B2-1001-4ABC-9DEF-0123456789AB", "url": "/a", "decimal": 2.5, "data": "AQID", "level": 1,
    "words": ["w"], "json": {"a": 1}
    """#
  static let zeros: [(property: String, zero: SyncJSON?)] = [
    ("text", ""), ("int", 0), ("double", 0), ("bool", false), ("date", "1970-01-01T00:00:00.000Z"),
    ("uuid", "00000000-0000-0000-0000-000000000000"), ("url", nil), ("decimal", 0), ("data", nil),
    ("level", nil),
    ("words", []), ("json", .null),
  ]
  static let unreadable = [
    "text": "{}", "int": "true", "double": #""x""#, "bool": "7", "uuid": "1", "url": #""""#,
    "decimal": "false",
    "data": #""?""#, "level": "[]", "words": "[null]",
  ]

  private func container(_ rows: SyncConfiguration.InvalidRows = .fail) throws -> SyncContainer {
    try makeStore(invalidRows: rows)
  }

  /// The complete row with one member replaced, or left out for nil.
  private func row(_ property: String, _ text: String?) throws -> SyncJSON {
    guard var members = try SyncJSON(parsing: "{\(Self.complete)}").object else { return .null }
    members[property] = try text.map { try SyncJSON(parsing: $0) }
    return [.object(members)]
  }

  // MARK: Optional scalars

  static let optionals = [
    "text", "int", "int8", "uint64", "double", "float", "bool", "date", "uuid", "url", "decimal", "data",
    "level",
    "state", "words", "numbers", "json", "stamp",
  ]
  static let optionalValues = #"""
    "text": "t", "int": 1, "int8": 1, "uint64": 1, "double": 1.5, "float": 1.5, "bool": true,
    "date": "2020-01-02", "uuid": "C3E7A1B2-1001-4ABC-9DEF-0123456789AB", "url": "/a", "decimal": 2.5, "data": "AQID", "level": 1,
    "state": "open", "words": ["w"], "numbers": [1], "json": {"a": 1}, "stamp": "2020-01-02"
    """#

  @Test(arguments: optionals) func anAbsentOptionalIsUnchangedAndNilOnInsert(_ property: String) async throws
  {
    let container = try container()
    try await container.sync(payload: "[{\"id\": 1, \(Self.optionalValues)}]", as: Kinds.self)
    let before = try container.rows(of: Kinds.self)
    #expect(before[0][property] != .null)
    let report = try await container.sync(payload: #"[{"id": 1}, {"id": 2}]"#, as: Kinds.self)
    #expect(report.unchanged == 1 && report.problems == [])
    let after = try container.rows(of: Kinds.self)
    #expect(after[0] == before[0])
    #expect(after[1][property] == .null)
  }

  @Test(arguments: optionals) func nullSetsOptionalToNil(_ property: String) async throws {
    let container = try container()
    try await container.sync(payload: "[{\"id\": 1, \(Self.optionalValues)}]", as: Kinds.self)
    let payload = "[{\"id\": 1, \"\(property)\": null}, {\"id\": 2, \"\(property)\": null}]"
    let report = try await container.sync(payload: payload, as: Kinds.self)
    #expect(report.updated == 1 && report.problems == [])
    #expect(try container.rows(of: Kinds.self).map { $0[property] } == [.null, .null])
    #expect(try await container.sync(payload: payload, as: Kinds.self).isUnchanged)
  }

  @Test(arguments: optionals.filter { $0 != "json" })
  func anUnreadableOptionalIsUnchangedAndNilOnInsertAndReported(_ property: String) async throws {
    let container = try container()
    try await container.sync(payload: "[{\"id\": 1, \(Self.optionalValues)}]", as: Kinds.self)
    let before = try container.rows(of: Kinds.self)
    let payload = "[{\"id\": 1, \"\(property)\": {}}, {\"id\": 2, \"\(property)\": {}}]"
    let report = try await container.sync(payload: payload, as: Kinds.self)
    #expect(report.unchanged == 1 && report.inserted == 1)
    #expect(report.problems.map(\.action) == [.keptStoredValue, .usedNil])
    #expect(report.problems.map(\.path) == ["[0].\(property)", "[1].\(property)"])
    #expect(report.problems.map(\.identity) == ["1", "2"])
    #expect(report.problemCount == 2)
    let after = try container.rows(of: Kinds.self)
    #expect(after[0] == before[0])
    #expect(after[1][property] == .null)
    #expect(try await container.sync(payload: payload, as: Kinds.self).isUnchanged)
  }

  @Test func anOptionalWithADefaultGetsItWhenAbsentOrUnreadableOnInsert() async throws {
    let container = try container()
    let report = try await container.sync(
      payload: #"[{"id": 1}, {"id": 2, "optional": null}, {"id": 3, "optional": []}]"#, as: Defaults.self)
    #expect(report.problems.map(\.path) == ["[2].optional"])
    #expect(
      try container.rows(of: Defaults.self).map { $0["optional"] } == ["default", .null, "default"])
  }

  // MARK: Required scalars

  @Test(arguments: zeros.map(\.property))
  func anAbsentRequiredScalarIsUnchangedAndAnErrorOnInsert(_ property: String) async throws {
    let container = try container()
    let payload = try row(property, nil)
    let error = await #expect(throws: SyncError.self) {
      try await container.sync(payload: payload, as: Required.self)
    }
    guard case .invalidPayload("Required", let reason)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(
      reason.contains("“\(property)”") && reason.contains("[0].\(property)") && reason.contains("identity 1"))
    try await container.sync(payload: "[{\(Self.complete)}]", as: Required.self)
    #expect(try await container.sync(payload: payload, as: Required.self).isUnchanged)
  }

  @Test(arguments: zeros.map(\.property))
  func nullRequiredScalarBecomesZeroValueOrIsAnError(_ property: String) async throws {
    let zero = Self.zeros.first { $0.property == property }?.zero
    let payload = try row(property, "null")
    let new = try container()
    let known = try container()
    try await known.sync(payload: "[{\(Self.complete)}]", as: Required.self)
    let before = try known.rows(of: Required.self)
    guard let zero else {
      await #expect(throws: SyncError.self) { try await new.sync(payload: payload, as: Required.self) }
      await #expect(throws: SyncError.self) { try await known.sync(payload: payload, as: Required.self) }
      #expect(try known.rows(of: Required.self) == before)
      return
    }
    for container in [new, known] {
      let report = try await container.sync(payload: payload, as: Required.self)
      #expect(report.problems == [])
      #expect(try container.rows(of: Required.self)[0][property] == zero)
      #expect(try await container.sync(payload: payload, as: Required.self).isUnchanged)
    }
  }

  @Test(arguments: unreadable.keys.sorted())
  func unreadableRequiredScalarFailsSyncOrSkipsRow(_ property: String) async throws {
    let payload = try row(property, Self.unreadable[property])
    for isKnown in [false, true] {
      let failing = try container()
      let skipping = try container(.skip)
      for container in [failing, skipping] where isKnown {
        try await container.sync(payload: "[{\(Self.complete)}]", as: Required.self)
      }
      let before = try failing.rows(of: Required.self)
      await #expect(throws: SyncError.self) { try await failing.sync(payload: payload, as: Required.self) }
      #expect(try failing.rows(of: Required.self) == before)
      let report = try await skipping.sync(payload: payload, as: Required.self)
      #expect(report.isUnchanged && report.skipped == 1)
      #expect(report.problems.map(\.action) == [.skippedRow])
      #expect(report.problems.first?.identity == "1")
      #expect(try skipping.rows(of: Required.self) == before)
    }
  }

  @Test(arguments: ["true", #""x""#, "{}", "[]", #""""#])
  func anUnreadableRequiredDateIsUnchangedAnd1970OnInsert(_ text: String) async throws {
    let container = try container()
    let payload = try row("date", text)
    var report = try await container.sync(payload: payload, as: Required.self)
    #expect(report.problems.map(\.action) == [.usedDefault] && report.problems.first?.path == "[0].date")
    #expect(try container.rows(of: Required.self)[0]["date"] == "1970-01-01T00:00:00.000Z")
    try await container.sync(payload: "[{\(Self.complete)}]", as: Required.self)
    report = try await container.sync(payload: payload, as: Required.self)
    #expect(report.isUnchanged)
    #expect(report.problems.map(\.action) == [.keptStoredValue])
    #expect(try container.rows(of: Required.self)[0]["date"] == "2020-01-02T03:04:05.000Z")
  }

  @Test func anAbsentRequiredScalarWithADefaultGetsItOnInsertOnly() async throws {
    let container = try container()
    try await container.sync(payload: #"[{"id": 1}]"#, as: Defaults.self)
    #expect(
      try container.rows(of: Defaults.self) == [
        [
          "id": 1, "text": "a \"quoted\" default", "int": -3, "double": 1.5, "bool": true, "decimal": 0.1,
          "uuid": "C3E7A1B2-1001-0000-0000-000000000001", "level": 10, "words": ["a", "b"],
          "levels": [1, 10],
          "optional": "default",
        ]
      ])
    try await container.sync(
      payload: #"[{"id": 1, "int": 4, "words": [], "optional": null}]"#, as: Defaults.self)
    #expect(try await container.sync(payload: #"[{"id": 1}]"#, as: Defaults.self).isUnchanged)
    #expect(try container.rows(of: Defaults.self)[0]["int"] == 4)
  }

  @Test func defaultIsNotUsedForNullOrUnreadableRequiredScalar() async throws {
    let container = try container()
    try await container.sync(
      payload: #"[{"id": 1, "int": null, "text": null, "words": null}]"#, as: Defaults.self)
    let row = try container.rows(of: Defaults.self)[0]
    #expect(row["int"] == 0 && row["text"] == "" && row["words"] == [])
    for members in [#""int": "x""#, #""level": null"#, #""bool": 3"#] {
      await #expect(throws: SyncError.self) {
        try await container.sync(payload: "[{\"id\": 2, \(members)}]", as: Defaults.self)
      }
    }
  }
}
