import Foundation
import Syncline
import SynclineTesting
import TestSupport
import Testing

/// Lists of the rows that meet a condition.
@Suite struct ConditionTests {
  /// A store with two open tasks, one that is done, and one without a project.
  private func tracker() async throws -> SyncContainer {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "name": "P"}, {"id": 2, "name": "Q"}]"#, as: Project.self)
    try await store.sync(
      payload: #"""
        [{"id": 1, "title": "A", "state": {"id": "open"}, "project_id": 1},
         {"id": 2, "title": "B", "state": {"id": "open"}, "project_id": 2},
         {"id": 3, "title": "C", "state": {"id": "done"}, "project_id": 1},
         {"id": 4, "title": "D", "state": {"id": "in_progress"}, "estimate": 2}]
        """#, as: Task.self)
    return store
  }

  @Test func onlyRowsMeetingTheConditionAreDeleted() async throws {
    let store = try await tracker()
    let payload = #"[{"id": 2, "title": "B"}, {"id": 9, "title": "N", "state": {"id": "open"}}]"#
    let report = try await store.sync(payload: payload, as: Task.self, within: Task.Columns.state == .open)
    #expect((report.deleted, report.inserted, report.unchanged) == (1, 1, 1))
    #expect(try store.pick(Task.self, "id") == [[2], [3], [4], [9]])
    let before = try store.writes()
    for payload in [payload, #"[{"id": 9, "title": "N", "state": {"id": "open"}}, {"id": 2, "title": "B"}]"#]
    {
      let again = try await store.sync(payload: payload, as: Task.self, within: Task.Columns.state == .open)
      #expect(again.isUnchanged)
    }
    #expect(try store.writes() == before)
  }

  @Test func payloadRowsAreStoredRegardlessOfTheCondition() async throws {
    let store = try await tracker()
    let payload = #"""
      [{"id": 1, "title": "A", "state": {"id": "done"}}, {"id": 2, "title": "B"},
       {"id": 3, "title": "C", "state": {"id": "open"}}, {"id": 9, "title": "N", "state": {"id": "done"}}]
      """#
    try await store.sync(payload: payload, as: Task.self, within: Task.Columns.state == .open)
    #expect(
      try store.pick(Task.self, "id", "state") == [
        [1, "done"], [2, "open"], [3, "open"], [4, "in_progress"], [9, "done"],
      ])
  }

  @Test func rowsForWhichTheConditionIsNullAreNotDeleted() async throws {
    let store = try await tracker()
    let estimate = Task.Columns.estimate.sqlExpression
    try await store.sync(payload: "[]", as: Task.self, within: estimate != 2.0)
    #expect(try store.pick(Task.self, "id") == [[1], [2], [3], [4]])
    try await store.sync(payload: "[]", as: Task.self, within: Task.Columns.estimate == nil)
    #expect(try store.pick(Task.self, "id") == [[4]])
  }

  /// The payload moves the first task out of the project.
  @Test func conditionAppliesToRowsAsStoredBeforeTheSync() async throws {
    let store = try await tracker()
    let payload = #"[{"id": 3, "title": "C", "project": {"id": 1, "name": "P", "tasks": [3, 4]}}]"#
    try await store.sync(payload: payload, as: Task.self, within: Task.Columns.project == 1)
    // The last task was moved into the project, and did not meet the condition before.
    #expect(try store.pick(Task.self, "id", "project") == [[2, 2], [3, 1], [4, 1]])
  }

  @Test func parentAndConditionBothLimitDeletion() async throws {
    let store = try await tracker()
    for _ in 0..<2 {
      try await store.sync(
        payload: #"[{"id": 8, "title": "H"}]"#, as: Task.self, parent: 1, relationship: \.project,
        within: Task.Columns.state == .open)
      #expect(
        try store.pick(Task.self, "id", "project") == [[2, 2], [3, 1], [4, nil], [8, 1]])
    }
  }

  @Test func syncWithAConditionUsesTheDeletionPolicy() async throws {
    let store = try await tracker()
    let kept = try await store.sync(
      payload: "[]", as: Task.self, deletionPolicy: .none, within: Task.Columns.state == .open)
    #expect(kept.deleted == 0)
    let empty = try await store.sync(
      payload: "[]", as: Task.self, requireNonEmptyFullSlice: true, within: Task.Columns.state == .open)
    #expect(empty.deleted == 0 && empty.actions == [.deletedNothing])
    try await store.sync(
      payload: #"[{"id": 1, "name": "a", "level": 1}, {"id": 2, "name": "b", "level": 2}]"#, as: Bulletin.self
    )
    let marked = try await store.sync(
      payload: "[]", as: Bulletin.self, within: Bulletin.Columns.level == 2)
    #expect((marked.softDeleted, marked.deleted) == (1, 0))
    #expect(
      try await store.sync(payload: "[]", as: Bulletin.self, within: Bulletin.Columns.level == 2).isUnchanged)
  }

  @Test func conditionsMayBeComposed() async throws {
    let store = try await tracker()
    try await store.sync(
      payload: "[]", as: Task.self,
      within: Task.Columns.state == .open && Task.Columns.project == 2 || Task.Columns.title == "D")
    #expect(try store.pick(Task.self, "id") == [[1], [3]])
  }

  @Test func aConditionThatSQLiteRefusesWritesNothing() async throws {
    let store = try await tracker()
    let before = try store.everything()
    await #expect(throws: (any Error).self) {
      try await store.sync(
        payload: #"[{"id": 1, "title": "other"}]"#, as: Task.self,
        within: SQL(sql: "no_such_column = 1").sqlExpression)
    }
    #expect(try store.everything() == before)
  }

  // MARK: Pages

  private func pages(
    _ first: String, _ last: String, between change: @escaping @Sendable () async throws -> Void = {}
  ) -> SyncPages {
    SyncPages { cursor in
      if cursor == nil { return SyncPage(first, cursor: "2") }
      try await change()
      return SyncPage(last)
    }
  }

  @Test func pagedSyncDeletesOnlyRowsMeetingTheCondition() async throws {
    let store = try await tracker()
    let all = pages(#"[{"id": 2, "title": "B"}]"#, #"[{"id": 7, "title": "G"}]"#)
    let report = try await store.sync(pages: all, as: Task.self, within: Task.Columns.state == .open)
    #expect(report.deleted == 1)
    #expect(try store.pick(Task.self, "id") == [[2], [3], [4], [7]])
    let again = try await store.sync(pages: all, as: Task.self, within: Task.Columns.state == .open)
    #expect(again.isUnchanged)
  }

  /// While the pages are read, one row stops meeting the condition, and another one starts.
  @Test func pagedSyncEvaluatesTheConditionAfterTheLastPage() async throws {
    let store = try await tracker()
    let empty = pages("[]", "[]") {
      try await store.database.write { database in
        try database.execute(sql: "UPDATE \"Task\" SET \"state\" = 'done' WHERE \"id\" = 1")
        try database.execute(sql: "UPDATE \"Task\" SET \"state\" = 'open' WHERE \"id\" = 3")
      }
    }
    try await store.sync(pages: empty, as: Task.self, within: Task.Columns.state == .open)
    #expect(try store.pick(Task.self, "id") == [[1], [4]])
  }

  @Test func pagedSyncCombinesParentAndCondition() async throws {
    let store = try await tracker()
    try await store.sync(
      pages: pages("[]", "[]"), as: Task.self, parent: 1, relationship: \.project,
      within: Task.Columns.state == .open)
    #expect(try store.pick(Task.self, "id") == [[2], [3], [4]])
  }

  /// Absences are counted for each condition.
  @Test func absencesAreCountedPerCondition() async throws {
    let store = try await tracker()
    let empty = pages("[]", "[]")
    try await store.sync(pages: empty, as: Task.self, absences: 2, within: Task.Columns.project == 1)
    try await store.sync(pages: empty, as: Task.self, absences: 2, within: Task.Columns.state == .open)
    #expect(try store.pick(Task.self, "id") == [[1], [2], [3], [4]])
    try await store.sync(pages: empty, as: Task.self, absences: 2, within: Task.Columns.state == .open)
    #expect(try store.pick(Task.self, "id") == [[3], [4]])
  }

  // MARK: Moments

  @Test func olderRequestForAnotherConditionIsApplied() async throws {
    let store = try await tracker()
    let (old, new) = (store.moment, store.moment)
    try await store.sync(
      payload: "[]", as: Task.self, within: Task.Columns.state == .open, requestedAt: new)
    try await store.sync(
      payload: "[]", as: Task.self, within: Task.Columns.state == .done, requestedAt: old)
    #expect(try store.pick(Task.self, "id") == [[4]])
    try await store.sync(item: #"{"id": 1, "title": "A"}"#, as: Task.self)
    try await store.sync(
      payload: "[]", as: Task.self, within: Task.Columns.state == .open, requestedAt: old)
    #expect(try store.pick(Task.self, "id") == [[1], [4]])
  }
}
