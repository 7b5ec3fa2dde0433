import Foundation
import Syncline
import SynclineTesting
import TestSupport
import Testing

@Suite struct DiffingTests {
  private func ids<Model: SyncUpdatableModel>(_ container: SyncContainer, _ model: Model.Type) throws
    -> [SyncJSON?]
  {
    try container.rows(of: model).map { $0["id"] }
  }

  @Test func rowsAreInsertedUpdatedKeptAndDeleted() async throws {
    let container = try makeStore()
    try await container.sync(
      payload: #"[{"id": 1, "text": "a"}, {"id": 2, "text": "b"}, {"id": 3, "text": "c"}]"#, as: Kinds.self)
    let report = try await container.sync(
      payload: #"[{"id": 4, "text": "d"}, {"id": 2, "text": "B"}, {"id": 1, "text": "a"}]"#, as: Kinds.self)
    let counts = report[Kinds.self]
    #expect(counts.inserted == 1)
    #expect(counts.updated == 1)
    #expect(counts.unchanged == 1)
    #expect(counts.deleted == 1)
    #expect(try container.rows(of: Kinds.self).map { $0["text"] } == ["a", "B", "d"])
  }

  @Test func repeatedSyncOfAPayloadWritesNothing() async throws {
    let folder = TemporaryFolder()
    let container = try makeStore(in: folder)
    let payload = #"""
      [{"id": 1, "text": "é", "int": 1.5, "double": 0.1, "decimal": "1.50", "date": 1400000000.1234567,
        "uuid": "c3e7a1b2-1001-4abc-9def-0123456789ab", "url": "/ä", "data": "-_8", "level": "7",
        "bool": "yes",
        "words": [1, true], "json": {"b": 1.0, "a": null}, "stamp": "Sun Aug 31 00:29:15 +0000 2014"},
       {"id": "2", "text": 5}]
      """#
    try await container.sync(payload: payload, as: Kinds.self)
    let (writes, logSize) = (try container.writes(), try container.logSize)
    let report = try await container.sync(payload: payload, as: Kinds.self)
    #expect(report.isUnchanged)
    #expect(report.unchanged == 2)
    #expect(try container.writes() == writes)
    #expect(try container.logSize == logSize)
  }

  @Test func anyOrderOfTheRowsGivesTheSameStore() async throws {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<60 {
      let container = try SyncContainer(for: Kinds.self)
      let first = (0..<12).filter { _ in Bool.random(using: &random) }.shuffled(using: &random)
      let second = (0..<12).filter { _ in Bool.random(using: &random) }.shuffled(using: &random)
      for list in [first, second] {
        let payload = SyncJSON.array(
          list.map { ["id": SyncJSON(integerLiteral: $0), "int": SyncJSON(integerLiteral: $0 * $0)] })
        try await container.sync(payload: payload, as: Kinds.self)
      }
      #expect(try ids(container, Kinds.self).map { $0?.int } == second.sorted())
      let rows = try container.rows(of: Kinds.self)
      #expect(rows.allSatisfy { $0["int"]?.int == $0["id"]?.int.map { $0 * $0 } })
    }
  }

  @Test func reportCountsMatchIdentitiesOfBothPayloads() async throws {
    var random = SeededGenerator(seed: 12)
    for round in 0..<60 {
      let container = try SyncContainer(for: Kinds.self)
      func list() -> [Int] {
        (0..<Int.random(in: 1...14, using: &random)).map { _ in Int.random(in: 0..<10, using: &random) }
      }
      let (first, second) = (list(), list())
      func payload(_ list: [Int]) -> SyncJSON {
        .array(list.map { ["id": SyncJSON(integerLiteral: $0), "text": "x"] })
      }
      var report = try await container.sync(payload: payload(first), as: Kinds.self)
      #expect(report.inserted == Set(first).count && report.unchanged == 0, "round \(round): \(first)")
      report = try await container.sync(payload: payload(second), as: Kinds.self)
      #expect(report.inserted == Set(second).subtracting(first).count, "\(first) → \(second)")
      #expect(report.unchanged == Set(second).intersection(first).count, "\(first) → \(second)")
      #expect(report.deleted == Set(first).subtracting(second).count, "\(first) → \(second)")
      #expect(try ids(container, Kinds.self).map { $0?.int } == Set(second).sorted())
    }
  }

  @Test func repeatedIdentityIsMergedIntoOneRowKeyByKey() async throws {
    let container = try makeStore()
    var report = try await container.sync(
      payload: #"[{"id": 1, "text": "a", "int": 1}, {"id": 2}, {"id": "1", "text": "b", "bool": true}]"#,
      as: Kinds.self)
    #expect(report.inserted == 2)
    let row = try container.rows(of: Kinds.self)[0]
    #expect(row["text"] == "b")
    #expect(row["int"] == 1)
    #expect(row["bool"] == true)
    report = try await container.sync(
      payload: #"[{"id": 1, "text": "x"}, {"id": 2}, {"id": 1, "text": "b"}]"#, as: Kinds.self)
    #expect(report.isUnchanged, "a change that is undone is none")
    #expect(report.unchanged == 2)
  }

  @Test(arguments: [
    #"[{"id": 1}, {"id": 1, "name": "a"}]"#, #"[{"id": 1, "name": "a"}, {"id": 1}]"#,
    #"[{"id": 1, "columns": []}, {"id": 1, "name": []}, {"id": 1, "name": "a"}]"#,
  ])
  func incompleteObjectsOfOneRowCompleteEachOther(_ payload: String) async throws {
    let container = try makeStore()
    let report = try await container.sync(payload: payload, as: Board.self)
    #expect(report.inserted == 1)
    #expect(try container.rows(of: Board.self) == [["id": 1, "name": "a", "columns": []]])
    #expect(try await container.sync(payload: payload, as: Board.self).isUnchanged)
  }

  @Test func rowStillIncompleteAfterAllObjectsIsAnError() async throws {
    let container = try makeStore()
    await #expect(throws: SyncError.self) {
      try await container.sync(payload: #"[{"id": 1}, {"id": 1}, {"id": 2, "name": "b"}]"#, as: Board.self)
    }
    #expect(try container.rows(of: Board.self).isEmpty)
  }

  @Test func laterObjectOfARowOverridesEarlierValues() async throws {
    let container = try makeStore()
    try await container.sync(
      payload: #"""
        [{"id": 1, "description": "first", "estimate": 1}, {"id": 2, "title": "B"},
         {"id": 1, "description": "second", "title": "A"}]
        """#, as: Task.self)
    #expect(
      try container.pick(Task.self, "title", "details", "estimate") == [
        ["A", "second", 1], ["B", nil, nil],
      ])
  }

  @Test func zeroNegativeNumbersAndEmptyTextAreIdentities() async throws {
    let container = try makeStore()
    try await container.sync(
      payload: #"[{"id": 0}, {"id": -1}, {"id": "-9223372036854775808"}]"#, as: Kinds.self)
    #expect(try ids(container, Kinds.self) == [-9_223_372_036_854_775_808, -1, 0])
    try await container.sync(payload: #"[{"id": ""}, {"id": "a"}, {"id": "A"}, {"id": " "}]"#, as: Label.self)
    #expect(try ids(container, Label.self) == ["", " ", "A", "a"])
  }

  @Test func unknownKeysAreIgnored() async throws {
    let container = try SyncContainer(for: Kinds.self)
    let report = try await container.sync(
      payload: #"[{"": 1, "id": 1, "Text": "x", "text ": "y", "rowid": 7, "extra": {"id": 3}}]"#,
      as: Kinds.self)
    #expect(report.problems == [])
    #expect(try container.rows(of: Kinds.self)[0]["text"] == .null)
  }

  @Test func otherTablesAreUntouched() async throws {
    let container = try makeStore()
    try await container.sync(payload: #"[{"id": 1}]"#, as: Kinds.self)
    try await container.sync(payload: #"[]"#, as: Label.self)
    try await container.sync(payload: #"[{"id": "a"}]"#, as: Label.self)
    #expect(try ids(container, Kinds.self) == [1])
  }

  @Test func emptyPayloadDeletesAllRowsUnlessNonEmptyIsRequired() async throws {
    let container = try SyncContainer(for: Kinds.self)
    try await container.sync(payload: #"[{"id": 1}, {"id": 2}]"#, as: Kinds.self)
    let kept = try await container.sync(payload: "[]", as: Kinds.self, requireNonEmptyFullSlice: true)
    #expect(kept.isUnchanged)
    #expect(kept.problems.map(\.action) == [.deletedNothing])
    #expect(try ids(container, Kinds.self) == [1, 2])
    let report = try await container.sync(payload: "[]", as: Kinds.self)
    #expect(report.deleted == 2)
    #expect(try ids(container, Kinds.self) == [])
  }

  @Test func policyNoneAndItemSyncDeleteNothing() async throws {
    let container = try SyncContainer(for: Kinds.self)
    try await container.sync(payload: #"[{"id": 1}, {"id": 2}]"#, as: Kinds.self)
    try await container.sync(payload: #"[{"id": 3}]"#, as: Kinds.self, deletionPolicy: DeletionPolicy.none)
    try await container.sync(payload: "[]", as: Kinds.self, deletionPolicy: DeletionPolicy.none)
    let report = try await container.sync(item: #"{"id": 4}"#, as: Kinds.self)
    #expect(report.inserted == 1)
    #expect(try ids(container, Kinds.self) == [1, 2, 3, 4])
  }

  @Test func rowNestedAtAnyDepthIsNotDeleted() async throws {
    let container = try makeStore()
    try await container.sync(
      payload: #"[{"id": "a", "name": "A"}, {"id": "b", "name": "B"}, {"id": "c", "name": "C"}]"#,
      as: Category.self)
    let report = try await container.sync(
      payload: #"[{"id": "c", "name": "C", "parent": {"id": "b", "parent": {"id": "d", "name": "D"}}}]"#,
      as: Category.self)
    #expect(report.deleted == 1)
    #expect(report.inserted == 1)
    #expect(try ids(container, Category.self) == ["b", "c", "d"])
  }

  @Test(arguments: ["b", "c", "d"])
  func aLaterRowWinsOverTheSameRowNestedBefore(_ first: String) async throws {
    let container = try makeStore()
    try await container.sync(payload: #"[{"id": "c", "name": "stored"}]"#, as: Category.self)
    try await container.sync(
      payload: #"""
        [{"id": "\#(first)", "name": "first", "parent": {"id": "c", "name": "nested"}},
         {"id": "c", "name": "stored"}]
        """#, as: Category.self)
    #expect(try container.rows(of: Category.self).first { $0["id"] == "c" }?["name"] == "stored")
  }
}
