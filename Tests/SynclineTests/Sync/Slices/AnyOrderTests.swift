import Foundation
import SynclineTesting
import TestSupport
import Testing

@testable import Syncline

/// Rows of a payload may be read in stored order, without any effect on the result.
@Suite(.enabled(if: TestKind.random.runs))
struct AnyOrderTests {
  /// Stores with the same contents. The payload is read in its own order, in stored order, and in stored order with a small
  /// number of rows at a time.
  private struct Stores {
    let all: [SyncContainer]

    init(_ invalidRows: SyncConfiguration.InvalidRows = .fail) throws {
      all = try [0, SyncConfiguration().orderedRows, 40].map { orderedRows in
        var configuration = SyncConfiguration(invalidRows: invalidRows)
        configuration.orderedRows = orderedRows
        return try SynclineTestsSchema.makeStore(in: nil, configuration)
      }
    }

    /// Syncs a payload, and expects equal reports or errors, and equal rows.
    func expectSame<Model: SyncUpdatableModel>(
      _ payload: String, as model: Model.Type, _ policy: DeletionPolicy? = nil, _ name: String = "",
      at path: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
      var outcomes: [String] = []
      for store in all {
        do {
          let report = try await store.sync(payload: payload, at: path, as: model, deletionPolicy: policy)
          outcomes.append("\(report.models)\n\(report.problemCount) \(report.problems)")
        } catch {
          outcomes.append("\(error)")
        }
      }
      for (store, outcome) in zip(all, outcomes).dropFirst() {
        #expect(outcome == outcomes[0], "\(name)", sourceLocation: sourceLocation)
        // The mark of a soft deletion is the time of its sync, so it is not compared.
        let (rows, expected) = (try store.rows(of: model), try all[0].rows(of: model))
        #expect(
          rows.map(withoutMark) == expected.map(withoutMark), "\(name)", sourceLocation: sourceLocation)
      }
    }

    private func withoutMark(_ row: SyncJSON) -> [String] {
      ["id", "name", "text", "level", "int", "changedAt"].map { "\(row[$0] ?? "absent")" }
        + ["\(row["deletedAt"] == nil || row["deletedAt"] == .null)"]
    }
  }

  /// Creates payloads that are difficult to reorder.
  private struct Writer {
    var random: SeededGenerator
    let identity: (Int) -> String
    /// The percentage of rows with errors.
    var oddity = 0

    mutating func payload(_ count: Int, among range: Int) -> String {
      var numbers = (0..<count).map { _ in Int.random(in: 0..<range, using: &random) }
      switch Int.random(in: 0..<4, using: &random) {
      case 0: numbers.sort()
      case 1: numbers.sort(by: >)
      case 2: numbers[..<(count / 2)].sort()
      default: break
      }
      let space = ["", " ", "\n  "].randomElement(using: &random) ?? ""
      return "[" + numbers.map { row($0) }.joined(separator: "," + space) + space + "]"
    }

    private mutating func row(_ number: Int) -> String {
      let value = Int.random(in: 0..<3, using: &random)
      let text = ["a", #"\"]}"#, #"\\"#, "é{[", #"}\u00e9"#, String(repeating: "long ", count: 30)]
      let name = #""name": "\#(text.randomElement(using: &random) ?? "")\#(value)""#
      let stamp = #""changed_at": "2025-01-0\#(1 + Int.random(in: 0..<9, using: &random))T00:00:00Z""#
      var members = [#""id": \#(identity(number))"#, name, #""text": "\#(value)""#, stamp]
      members.append(#""level": \#(value), "int": \#(value)"#)
      members.append(#""other": [{"id": 1, "deep": [["}"]]}, [], {}, "\\\""]"#)
      if Bool.random(using: &random) { members.shuffle(using: &random) }
      guard Int.random(in: 0..<100, using: &random) < oddity else {
        return "{" + members.joined(separator: ", ") + "}"
      }
      switch Int.random(in: 0..<11, using: &random) {
      case 0: members.append(#""id": \#(identity(number + 1))"#)
      case 1: members[0] = #""i\u0064": \#(identity(number))"#
      case 2: members = [name]
      case 3: members = [#""id": null"#, stamp]
      case 4: members = [#""id": \#(identity(number)), "level": "high", "int": []"#]
      case 5: members = [#""id": \#(identity(number)), "name": null, "text": {}"#]
      case 6: members.append(#""level": "x", "int": 1.5"#)
      case 7: return "{ }"
      case 8: members[1] = #""name": {}"#
      case 9: members = [#""id": \#(identity(number))"#, stamp, #""name": []"#]
      default: members = [#""id": \#(identity(number))"#]
      }
      return "{" + members.joined(separator: ",") + "}"
    }
  }

  private func expectSame<Model: SyncUpdatableModel>(
    _ model: Model.Type, seed: Int, identity: @escaping (Int) -> String
  ) async throws {
    let ways = [SyncConfiguration.InvalidRows.fail, .skip].flatMap { rows in [0, 5, 60].map { (rows, $0) } }
    for (invalidRows, oddity) in Soak.ways(ways, seed: seed) {
      let stores = try Stores(invalidRows)
      var writer = Writer(
        random: SeededGenerator(seed: seed * 10 + oddity), identity: identity, oddity: oddity)
      for round in 0..<6 {
        let count = Int.random(in: 30..<250, using: &writer.random)
        let payload = writer.payload(count, among: Int.random(in: 60..<400, using: &writer.random))
        try await stores.expectSame(
          payload, as: model, round % 3 == 2 ? DeletionPolicy.none : nil,
          "seed \(seed), \(invalidRows), oddity \(oddity), round \(round)")
      }
    }
  }

  @Test(arguments: Soak.seeds(60_000_000, count: 8)) func integerIdentitiesSyncTheSameInAnyOrder(seed: Int)
    async throws
  {
    try await expectSame(Kinds.self, seed: seed) { seed % 2 == 0 ? "\($0)" : "\"\($0)\"" }
  }

  @Test(arguments: Soak.seeds(60_000_000, count: 8)) func textIdentitiesSyncTheSameInAnyOrder(seed: Int)
    async throws
  {
    try await expectSame(Label.self, seed: seed) { seed % 2 == 0 ? "\"key \($0)\"" : "\($0)" }
  }

  @Test(arguments: Soak.seeds(60_000_000, count: 4)) func uuidIdentitiesSyncTheSameInAnyOrder(seed: Int)
    async throws
  {
    try await expectSame(Token.self, seed: seed) {
      let digits = String(format: "%012d", $0)
      return "\"C3E7A1B2-1001-0000-\(seed % 2 == 0 ? "abcd" : "ABCD")-\(digits)\""
    }
  }

  @Test(arguments: Soak.seeds(60_000_000, count: 8)) func stampedRowsSyncTheSameInAnyOrder(seed: Int)
    async throws
  {
    try await expectSame(Bulletin.self, seed: seed) { "\($0)" }
    try await expectSame(Leaflet.self, seed: seed) { "\"\($0)\"" }
  }

  @Test func extremeIntegerIdentitiesSyncTheSameInAnyOrder() async throws {
    let stores = try Stores()
    let numbers =
      [Int.min, .max, 0, -1, 1, .max - 1, .min + 1] + (0..<50).map { $0 * (1 << 57) - (1 << 62) }
    for _ in 0..<3 {
      let rows = numbers.shuffled().map { #"{"id": \#($0), "text": "\#($0)"}"# }
      try await stores.expectSame("[\(rows.joined(separator: ","))]", as: Kinds.self)
    }
    #expect(try stores.all[1].rows(of: Kinds.self).count == Set(numbers).count)
  }

  /// The reported problem is the first one in the payload's order, and the first thousand problems are kept.
  @Test(arguments: [SyncConfiguration.InvalidRows.fail, .skip])
  func problemsAreReportedInPayloadOrder(invalidRows: SyncConfiguration.InvalidRows) async throws {
    let stores = try Stores(invalidRows)
    let rows = (0..<3_000).map {
      #"{"id": \#($0 * 7_919 % 3_001), "name": \#($0 % 2 == 0 ? "null" : "\"n\"")}"#
    }
    try await stores.expectSame("[\(rows.joined(separator: ","))]", as: Bulletin.self)
    // Incomplete rows are reported at the end of the payload.
    let incomplete = (0..<3_000).map { #"{"id": \#($0 * 7_919 % 3_001)}"# }
    try await stores.expectSame("[\(incomplete.joined(separator: ","))]", as: Bulletin.self)
    try await stores.expectSame("[\(incomplete.joined(separator: ","))]", as: Leaflet.self)
    let readings = (0..<3_000).map { #"{"id": \#($0 * 7_919 % 3_001), "int": "x\#($0)"}"# }
    try await stores.expectSame("[\(readings.joined(separator: ","))]", as: Kinds.self)
  }

  /// Text before the payload is not read, wherever the payload begins in the buffer.
  @Test func truncatedPayloadReadsNoBytesBeforeItsStart() async throws {
    let stores = try Stores()
    let rows = (0..<60).map { #"{"id": \#($0 * 37 % 61), "text": "\#($0)"}"# }
    let payload = "[\(rows.joined(separator: ","))]"
    try await stores.expectSame(payload, as: Kinds.self)
    for count in stride(from: 1, to: payload.utf8.count, by: 7) {
      for before in ["\"", ",", "]", "{"] {
        let bytes = Data((before + payload).utf8).dropFirst().prefix(count)
        for store in stores.all {
          await #expect(throws: SyncError.self) { try await store.sync(payload: bytes, as: Kinds.self) }
        }
      }
    }
  }

  @Test func firstSyntaxErrorIsReportedEvenIfALaterOneIsFoundFirst() async throws {
    var rows = (0..<60).map { #"{"id": \#($0 * 37 % 61), "text": "\#($0)"}"# }
    rows[3] = #"{"id": 9, "text": "\q"}"#
    rows[5] = #"{"id" 7}"#
    try await Stores().expectSame("[\(rows.joined(separator: ","))]", as: Kinds.self)
  }

  /// Many objects of one row, or of rows without identities, take no longer to join than others.
  @Test func manyObjectsOfOneRowAreMerged() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": "x"}, {"id": "y"}]"#, as: Label.self)
    let others = (0..<40).map { #"{"id": "\#($0)"}"# }
    let same = Array(repeating: #"{"id":"x"},{}"#, count: 100_000)
    let report = try await store.sync(
      payload: "[\((others + same).joined(separator: ","))]", as: Label.self)
    #expect(report.inserted == 40 && report.unchanged == 1 && report.deleted == 1)
    #expect(report.skipped == 100_000)
  }

  /// The order of deletions decides which of them are denied, so it is fixed.
  @Test func missingRowsAreDeletedInAFixedOrder() async throws {
    for kept in ["1, 9", "9, 1"] {
      let store = try makeStore()
      try await store.sync(payload: payload(1...9) { #"{"id": \#($0)}"# }, as: Folder.self)
      try await store.sync(
        payload: payload(1...9) { #"{"id": \#($0), "folder_id": \#($0)}"# }, as: Document.self)
      let rows = kept.split(separator: ", ").map { #"{"id": \#($0)}"# }.joined(separator: ",")
      let report = try await store.sync(payload: "[\(rows)]", as: Folder.self)
      #expect(report.problems.map(\.identity) == (2...8).map { "\($0)" })
    }
  }

  /// No delete rule deletes a row in the payload.
  @Test func deleteRuleDoesNotDeleteARowInThePayload() async throws {
    for order in [Array(2...80), (2...80).reversed(), (2...80).shuffled()] {
      let store = try makeStore()
      try await store.sync(payload: payload(1...80) { #"{"id": \#($0)}"# }, as: Part.self)
      try await store.sync(
        payload: #"[{"id": 1, "made_of_id": 1, "holding_id": 2}]"#, as: Assembly.self)
      let rows = order.map { #"{"id": \#($0)}"# }.joined(separator: ",")
      let report = try await store.sync(payload: "[\(rows)]", as: Part.self)
      #expect(report[Part.self].unchanged == 79)
      #expect(report[Part.self].deleted == 1)
      #expect(report[Assembly.self].deleted == 1)
    }
  }

  @Test func invalidJSONGivesTheSameErrorInAnyReadOrder() async throws {
    let rows = (0..<200).map { #"{"id": \#($0 * 37 % 211), "text": "\#($0)"}"# }
    let good = "[\(rows.joined(separator: ","))]"
    let stores = try Stores()
    try await stores.expectSame(good, as: Kinds.self)
    for (name, bad) in [
      ("an end", String(good.dropLast())), ("half", String(good.prefix(good.count / 2))),
      ("more", good + ", {}"), ("a comma", good.replacing("}]", with: "},]")),
      ("a number", good.replacing("150\"}", with: "150\"}, 7")),
      ("a key", good.replacing(#""text": "150"#, with: #"text: "150"#)),
      ("an escape", good.replacing(#""text": "150"#, with: #""text": "\q150"#)),
      ("a bracket", good.replacing("150\"}", with: "150\"]")),
      ("a quote", good.replacing("150\"", with: "150")),
      ("an envelope", #"{"a": {"b": "# + good + "}, }"),
    ] {
      try await stores.expectSame(bad, as: Kinds.self, nil, name)
    }
    try await stores.expectSame(
      #"{"a": [1, {"id": 3}], "b": {"c": "# + good + "}}", as: Kinds.self, at: "b.c")
  }
}
