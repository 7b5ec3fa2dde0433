import Foundation
import GRDB
import SynclineTesting
import Testing

@testable import Syncline

/// Repeated rows with keys of missing rows (contract, section 8). Their pending links are read together with them.
@Suite struct RepeatedPendingLinkTests {
  private static let tasks = """
    [{"id": 1, "title": "a", "project_id": 7}, {"id": 2, "title": "b", "project_id": 8}, \
    {"id": 3, "title": "c", "project_id": 7}]
    """

  private func makeWaiting() async throws -> SyncContainer {
    let store = try makeStore()
    #expect(try await store.sync(payload: Self.tasks, as: Task.self).waitingCount == 3)
    return store
  }

  private func project(of task: Int, in store: SyncContainer) async throws -> Int? {
    try await store.database.read {
      try Int.fetchOne($0, sql: "SELECT project FROM Task WHERE id = ?", arguments: [task])
    }
  }

  @Test func repeatedPendingLinksAreReportedAgainAndRowsUnchanged() async throws {
    let store = try await makeWaiting()
    let report = try await store.sync(payload: Self.tasks, as: Task.self)
    #expect(report[Task.self].unchanged == 3 && report[Task.self].updated == 0)
    #expect(report.waiting.map(\.path) == ["[0].project_id", "[1].project_id", "[2].project_id"])
    #expect(report.waiting.map(\.targetIdentity) == ["7", "8", "7"])
  }

  @Test func rowInsertedBySQLResolvesPendingLinks() async throws {
    let store = try await makeWaiting()
    try await store.database.write { try $0.execute(sql: "INSERT INTO Project (id, name) VALUES (7, 'P')") }
    let report = try await store.sync(payload: Self.tasks, as: Task.self)
    #expect(report.waiting.map(\.identity) == ["2"])
    #expect(try await project(of: 1, in: store) == 7)
    #expect(try await project(of: 3, in: store) == 7)
    #expect(try await store.waitingLinks().count == 1)
  }

  @Test func rowLaterInThePayloadResolvesPendingLinks() async throws {
    let store = try await makeWaiting()
    let payload = """
      [{"id": 1, "title": "a", "project_id": 7}, {"id": 2, "title": "b", "project_id": 8}, \
      {"id": 3, "title": "c", "project": {"id": 7, "name": "P"}}]
      """
    let report = try await store.sync(payload: payload, as: Task.self)
    #expect(report.waiting.map(\.identity) == ["2"])
    #expect(try await project(of: 1, in: store) == 7)
    #expect(try await project(of: 3, in: store) == 7)
  }

  @Test(arguments: [
    ("another key", "9", ["7", "9", "7"]), ("null", "null", ["7", "7"]),
  ])
  func anotherKeyOrNullReplacesThePendingLink(_ name: String, _ value: String, _ waiting: [String])
    async throws
  {
    let store = try await makeWaiting()
    let payload = Self.tasks.replacing("\"project_id\": 8", with: "\"project_id\": \(value)")
    let report = try await store.sync(payload: payload, as: Task.self)
    #expect(report.waiting.map(\.targetIdentity) == waiting)
    #expect(try await store.waitingLinks().count == waiting.count)
    let again = try await store.sync(payload: payload, as: Task.self)
    #expect(again.waiting == report.waiting && again[Task.self].unchanged == 3)
  }

  @Test func pendingLinksAreUnchangedInAnotherRowOrder() async throws {
    let store = try await makeWaiting()
    let payload = """
      [{"id": 3, "title": "c", "project_id": 7}, {"id": 1, "title": "a", "project_id": 7}, \
      {"id": 2, "title": "b", "project_id": 8}]
      """
    let report = try await store.sync(payload: payload, as: Task.self)
    #expect(report[Task.self].unchanged == 3 && report.waitingCount == 3)
    #expect(try await store.waitingLinks().count == 3)
  }

  /// If a row occurs twice in the payload, its last key becomes the pending link.
  @Test func lastKeyOfARepeatedRowIsThePendingLink() async throws {
    let store = try await makeWaiting()
    let payload = """
      [{"id": 1, "title": "a", "project_id": 7}, {"id": 1, "title": "a", "project_id": 9}]
      """
    let report = try await store.sync(payload: payload, as: Task.self, deletionPolicy: DeletionPolicy.none)
    #expect(report.waiting.map(\.targetIdentity) == ["9"])
    let targets = try await store.database.read {
      try Int.fetchAll($0, sql: "SELECT targetID FROM syncline_pending_link WHERE ownerID = 1")
    }
    #expect(targets == [9])
  }

  @Test func resolvedAndPendingLinksAreDistinguished() async throws {
    let store = try await makeWaiting()
    try await store.sync(item: #"{"id": 8, "name": "Q"}"#, as: Project.self)
    #expect(try await project(of: 2, in: store) == 8)
    let report = try await store.sync(payload: Self.tasks, as: Task.self)
    #expect(report[Task.self].unchanged == 3 && report.waiting.map(\.identity) == ["1", "3"])
  }

  @Test func listMembershipOverridesTheMembersPendingKey() async throws {
    let store = try await makeWaiting()
    let item = #"{"id": 5, "name": "P", "tasks": [{"id": 1, "title": "a", "project_id": 7}]}"#
    try await store.sync(item: item, as: Project.self)
    #expect(try await project(of: 1, in: store) == 5)
    #expect(try await store.waitingLinks().count == 2)
  }

  /// Contract, section 8: a row has one owner, that of the last list which contains it, even if the row is not stored and the
  /// list repeats an earlier one.
  @Test(arguments: [false, true])
  func lastListOwnsAMemberEvenIfItIsNotStored(isStored: Bool) async throws {
    let store = try TextStore(
      """
      model Box { id: Int; things: [Thing] }
      model Thing { id: Int; box: Box? }
      model Shelf { id: Int; boxes: [Box] }
      """)
    let things = #"[{"id": 1}, {"id": 2}]"#
    let shelves = #"""
      [{"id": 1, "boxes": [{"id": 5, "thing_ids": [1, 2]}]},
       {"id": 2, "boxes": [{"id": 4, "thing_ids": [1]}, {"id": 5, "thing_ids": [2, 1]}]}]
      """#
    if isStored { try await store.sync(things, as: "Thing") }
    for _ in 1...2 {
      let report = try await store.sync(shelves, as: "Shelf", policy: DeletionPolicy.none)
      #expect(report.waiting.map(\.identity) == (isStored ? [] : ["5", "5"]))
    }
    if !isStored { try await store.sync(things, as: "Thing") }
    #expect(try store.values(of: "Thing", "id", "box") == [[1, 5], [2, 5]])
  }

  @Test func lastListOwnsAPendingMemberIfMissingRuleIsKeep() async throws {
    let store = try TextStore(
      """
      model Box { id: Int; @Relationship(inverse: \\Thing.box, missing: .keep) things: [Thing] }
      model Thing { id: Int; box: Box? }
      """)
    let boxes = #"[{"id": 1, "thing_ids": [8]}, {"id": 4, "thing_ids": [9]}, {"id": 1, "thing_ids": [9]}]"#
    for _ in 1...2 {
      let report = try await store.sync(boxes, as: "Box")
      #expect(report.waiting.map { "\($0.identity) \($0.targetIdentity)" } == ["1 8", "1 9"])
    }
  }
}
