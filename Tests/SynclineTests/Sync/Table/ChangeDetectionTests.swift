import Syncline
import SynclineTesting
import TestSupport
import Testing

/// A known row accepts every readable value, and counts as updated only if its stored value changed.
@Suite struct ChangeDetectionTests {
  static let values: [(property: String, texts: [String])] = [
    (
      "text",
      [
        "null", #""""#, #""a""#, #""\u0061""#, "1", #""1""#, "1.0", "true", #""true""#, #""é""#,
        #""e\u0301""#,
      ]
    ),
    ("int", ["null", "0", "-0", "1", #""1""#, "1.0", "1.5", "9223372036854775807", #""+1""#]),
    ("uint8", ["null", "0", "255", #""255""#, "255.5"]),
    ("double", ["null", "0", "-0.0", "1", "1.0", #""1""#, "0.1", "0.10", "1e-1", "0.1000000000000000055"]),
    ("float", ["null", "0.1", "0.10000000149011612", "1", "16777217", "16777216"]),
    ("bool", ["null", "true", "1", #""yes""#, "false", "0", #""no""#]),
    (
      "date",
      [
        "null", #""2018-07-14""#, #""2018-07-14T00:00:00Z""#, #""2018-07-14T02:00:00+02:00""#, "1531526400",
        "0",
        "1531526400000", #""20180714""#,
      ]
    ),
    (
      "uuid",
      ["null", #""C3E7A1B2-1001-4ABC-9DEF-0123456789AB""#, #""c3e7a1b2-1001-4abc-9def-0123456789ab""#]
    ),
    ("url", ["null", #""/a""#, #""\/a""#, #""/b""#, #""/é""#, #""/%C3%A9""#]),
    ("decimal", ["null", "0.1", "0.10", #""0.1""#, "1e-1", "0"]),
    ("data", ["null", #""""#, #""AQ==""#, #""AQ""#, #""+/8=""#, #""-_8""#]),
    ("level", ["null", "1", #""1""#, "10", "99"]),
    ("state", ["null", #""open""#, #""done""#, #""x""#, "1", #""1""#]),
    ("words", ["null", "[]", #"["a"]"#, #"["\u0061"]"#, "[1]", #"["1"]"#]),
    ("json", ["null", "1", "[]", #"{"a": 1, "b": 2}"#, #"{"a":1,"b":2}"#, #""1""#]),
    ("stamp", ["null", #""Sun Aug 31 00:29:15 +0000 2014""#, #""2014-08-31T00:29:15Z""#, "1409444955"]),
  ]

  @Test(.enabled(if: TestKind.thorough.runs), arguments: values.map(\.property))
  func rowIsUpdatedOnlyIfItsStoredValueChanges(_ property: String) async throws {
    let texts = try #require(Self.values.first { $0.property == property }).texts
    let fresh = try await ScalarReadings(of: property, texts).values
    let container = try SyncContainer(for: Kinds.self)
    for (before, first) in zip(texts, fresh) {
      for (after, second) in zip(texts, fresh) {
        try await container.sync(item: "{\"id\": 1, \"\(property)\": \(before)}", as: Kinds.self)
        let report = try await container.sync(item: "{\"id\": 1, \"\(property)\": \(after)}", as: Kinds.self)
        let stored = try container.rows(of: Kinds.self)[0][property] ?? .null
        #expect(try stored.data() == second.data(), "\(property): \(before), then \(after)")
        let isSame = try first.data() == second.data()
        #expect(
          (report.updated, report.unchanged) == (isSame ? 0 : 1, isSame ? 1 : 0), "\(before), then \(after)")
      }
    }
  }

  @Test func changeAtTheEndOfLongDataIsDetected() async throws {
    let container = try SyncContainer(for: Kinds.self)
    for end in ["AAAA", "AAAB"] {
      let data = String(repeating: "AAAA", count: 5_000) + end
      let report = try await container.sync(payload: "[{\"id\": 1, \"data\": \"\(data)\"}]", as: Kinds.self)
      #expect(report.inserted + report.updated == 1)
      #expect(try await container.export(as: Kinds.self)[0]["data"]?.string == data)
    }
  }

  @Test func dateWithSubmillisecondsSyncsBackUnchanged() async throws {
    let container = try SyncContainer(for: Kinds.self)
    try await container.sync(item: #"{"id": 1, "date": "2018-07-14T12:00:00.123456Z"}"#, as: Kinds.self)
    let body = try await container.export(as: Kinds.self)
    #expect(body[0]["date"] == "2018-07-14T12:00:00.123Z")
    #expect(try await container.sync(payload: SyncJSON.array(body), as: Kinds.self).isUnchanged)
    #expect(
      try await container.sync(item: #"{"id": 1, "date": "2018-07-14T12:00:00.124Z"}"#, as: Kinds.self)
        .updated == 1)
  }

  @Test func linkMadeDuringTheScanOverridesTheRowsOwnKey() async throws {
    let container = try makeStore()
    try await container.sync(
      payload: #"[{"id": "p", "name": "P"}, {"id": "x", "name": "X", "parent_id": "p"}]"#, as: Category.self)
    // "c" is new, so the scan is already on "p" when the list moves "x".
    try await container.sync(
      payload:
        #"[{"id": "c", "name": "C", "child_ids": ["p"]}, {"id": "p", "parent": null}, {"id": "x"}]"#,
      as: Category.self)
    let rows = try container.rows(of: Category.self)
    #expect(rows.map { $0["parent"] } == [.null, "c", "p"], "the list a row is in wins over its own key")
  }
}
