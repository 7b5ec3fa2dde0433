import GRDB
import Syncline
import SynclineTesting
import TestSupport
import Testing

/// Soft-deleted rows, and child policies.
@Suite struct SoftDeleteTests {
  private static let studios = #"""
    [{"id": "s", "name": "S", "updated_at": 100, "rooms": [
      {"id": "r", "title": "R", "updated_at": 100, "beds": [{"id": 1}, {"id": 2}]},
      {"id": "q", "title": "Q", "updated_at": 100}]},
     {"id": "t", "name": "T", "updated_at": 100}]
    """#

  private func store() async throws -> SyncContainer {
    let store = try makeStore()
    try await store.sync(payload: Self.studios, as: Studio.self)
    return store
  }

  private func marked<Model: SyncUpdatableModel>(_ model: Model.Type, in store: SyncContainer) throws
    -> [SyncJSON?]
  {
    try store.rows(of: model).filter { $0["deletedAt"] != .null }.map { $0["remoteID"] }
  }

  @Test func missingRowIsSoftDeletedOnce() async throws {
    let store = try await store()
    let payload = #"[{"id": "t", "name": "T", "updated_at": 100}]"#
    #expect(try await store.sync(payload: payload, as: Studio.self).softDeleted == 1)
    let first = try store.pick(Studio.self, "remoteID", "deletedAt")
    #expect(try marked(Studio.self, in: store) == ["s"])
    for _ in 1...2 {
      let report = try await store.sync(payload: payload, as: Studio.self)
      #expect(report.isUnchanged)
      #expect(try store.pick(Studio.self, "remoteID", "deletedAt") == first)
    }
  }

  @Test func softDeleteKeepsLinksAndDoesNotCascade() async throws {
    let store = try await store()
    try await store.sync(payload: "[]", as: Studio.self)
    #expect(try marked(Studio.self, in: store) == ["s", "t"])
    #expect(try marked(Room.self, in: store) == [])
    #expect(try store.pick(Room.self, "remoteID", "studio") == [["q", "s"], ["r", "s"]])
  }

  @Test(arguments: [50, 100, 150])
  func returningRowIsReactivatedRegardlessOfItsStamp(_ stamp: Int) async throws {
    let store = try await store()
    try await store.sync(payload: #"[{"id": "t"}]"#, as: Studio.self)
    let payload =
      #"[{"id": "s", "name": "new", "updated_at": \#(stamp)}, {"id": "t", "name": "T", "updated_at": 100}]"#
    let report = try await store.sync(payload: payload, as: Studio.self)
    #expect(report.reactivated == 1)
    #expect(report.updated == 0)
    #expect(
      try store.pick(Studio.self, "name", "deletedAt") == [[stamp > 100 ? "new" : "S", nil], ["T", nil]])
    #expect(try await store.sync(payload: payload, as: Studio.self).isUnchanged)
  }

  @Test func deletedAtInThePayloadIsStoredLikeAnyValue() async throws {
    let store = try await store()
    try await store.sync(payload: #"[{"id": "t"}]"#, as: Studio.self)
    let report = try await store.sync(
      item: #"{"id": "s", "updated_at": 200, "deleted_at": "2024-01-01T00:00:00Z"}"#, as: Studio.self)
    #expect(report.reactivated == 0)
    #expect(try store.pick(Studio.self, "deletedAt") == [["2024-01-01T00:00:00.000Z"], [nil]])
    let null = try await store.sync(
      item: #"{"id": "s", "updated_at": 300, "deleted_at": null}"#, as: Studio.self)
    #expect(null.totals.isUnchanged == false)
    #expect(try store.pick(Studio.self, "deletedAt") == [[nil], [nil]])
  }

  @Test func deletedAtInAStalePayloadIsIgnored() async throws {
    let store = try await store()
    try await store.sync(payload: #"[{"id": "t"}]"#, as: Studio.self)
    for value in ["null", "5"] {
      let report = try await store.sync(
        item: #"{"id": "s", "updated_at": 100, "deleted_at": \#(value)}"#, as: Studio.self)
      #expect(report.isUnchanged)
    }
    #expect(try marked(Studio.self, in: store) == ["s"])
  }

  @Test func itemSyncReactivatesASoftDeletedRow() async throws {
    let store = try await store()
    try await store.sync(payload: "[]", as: Studio.self)
    let report = try await store.sync(item: #"{"id": "s", "updated_at": 100}"#, as: Studio.self)
    #expect(report.reactivated == 1)
    #expect(try marked(Studio.self, in: store) == ["t"])
  }

  @Test func nestedObjectReactivatesASoftDeletedRow() async throws {
    let store = try await store()
    try await store.sync(payload: "[]", as: Room.self)
    #expect(try marked(Room.self, in: store) == ["q", "r"])
    try await store.sync(item: #"{"id": 9, "room": {"id": "r", "updated_at": 100}}"#, as: Bed.self)
    #expect(try marked(Room.self, in: store) == ["q"])
  }

  @Test func hardDeletePolicyDeletesSoftDeletedRowsToo() async throws {
    let store = try await store()
    try await store.sync(payload: #"[{"id": "t"}]"#, as: Studio.self)
    let report = try await store.sync(payload: "[]", as: Studio.self, deletionPolicy: .hardDeleteMissing)
    #expect(report.deleted == 2)
    #expect(try store.rows(of: Studio.self).isEmpty)
    #expect(try store.pick(Room.self, "studio") == [[nil], [nil]])
  }

  @Test func deletionPolicyNoneDeletesNothing() async throws {
    let store = try await store()
    #expect(
      try await store.sync(payload: "[]", as: Studio.self, deletionPolicy: DeletionPolicy.none).isUnchanged)
    #expect(try store.rows(of: Studio.self).count == 2)
  }

  @Test func softDeletePolicyWithoutTheAttributeThrowsBeforeAnyWrite() async throws {
    let store = try makeStore()
    await #expect(throws: SyncError.self) {
      try await store.sync(payload: #"[{"id": 1}]"#, as: Bed.self, deletionPolicy: .softDeleteMissing)
    }
    await #expect(throws: SyncError.self) {
      try await store.sync(
        payload: #"[{"id": "r", "title": "R", "updated_at": 1}]"#, as: Room.self,
        children: [.policy(\.beds, .softDeleteMissing)])
    }
    #expect(try store.everything().isEmpty)
  }

  @Test func emptyPayloadDeletesNothingIfNonEmptyIsRequired() async throws {
    let store = try await store()
    let report = try await store.sync(payload: "[]", as: Studio.self, requireNonEmptyFullSlice: true)
    #expect(report.isUnchanged)
    #expect(report.actions == [.deletedNothing])
    #expect(try marked(Studio.self, in: store) == [])
  }

  // MARK: Children

  @Test func childrenAreDeletedByTheirOwnPolicyAtAnyDepth() async throws {
    let store = try await store()
    let payload =
      #"[{"id": "s", "updated_at": 200, "rooms": [{"id": "r", "updated_at": 200, "beds": [{"id": 2}]}]}]"#
    let report = try await store.sync(
      payload: payload, as: Studio.self, deletionPolicy: DeletionPolicy.none,
      children: [.policy(\.rooms, .softDeleteMissing, children: [.policy(\.beds, .hardDeleteMissing)])])
    #expect(report[Room.self].softDeleted == 1)
    #expect(report[Bed.self].deleted == 1)
    #expect(try marked(Room.self, in: store) == ["q"])
    #expect(try store.pick(Room.self, "remoteID", "studio") == [["q", "s"], ["r", "s"]])
    #expect(try store.pick(Bed.self, "id") == [[2]])
  }

  @Test func staleChildListDeletesNothing() async throws {
    let store = try await store()
    let report = try await store.sync(
      item: #"{"id": "s", "updated_at": 100, "rooms": []}"#, as: Studio.self,
      children: [.policy(\.rooms, .hardDeleteMissing)])
    #expect(report.isUnchanged)
    #expect(try store.pick(Studio.self, "rooms") == [[["q", "r"]], [[]]])
  }

  @Test func missingChildIsUnlinkedByDefaultAndKeptByPolicyNone() async throws {
    let payload = #"[{"id": "s", "updated_at": 200, "rooms": [{"id": "r", "updated_at": 100}]}, {"id": "t"}]"#
    let replacing = try await store()
    try await replacing.sync(payload: payload, as: Studio.self)
    #expect(
      try replacing.pick(Room.self, "remoteID", "studio", "deletedAt") == [
        ["q", nil, nil], ["r", "s", nil],
      ])
    let keeping = try await store()
    try await keeping.sync(payload: payload, as: Studio.self, children: [.policy(\.rooms, .none)])
    #expect(
      try keeping.pick(Room.self, "remoteID", "studio", "deletedAt") == [["q", "s", nil], ["r", "s", nil]])
  }

  @Test func emptyChildListDeletesNothingIfNonEmptyIsRequired() async throws {
    let store = try await store()
    let report = try await store.sync(
      payload:
        #"[{"id": "s", "updated_at": 200, "rooms": [{"id": "r", "updated_at": 200, "beds": []}]}, {"id": "t"}]"#,
      as: Studio.self,
      children: [
        .policy(
          \.rooms, .softDeleteMissing, children: [.policy(\.beds, .hardDeleteMissing, requireNonEmpty: true)])
      ])
    #expect(try store.rows(of: Bed.self).count == 2)
    #expect(report.actions.contains(.deletedNothing))
    #expect(report[Room.self].softDeleted == 1)
  }

  @Test func aChildThatMovesToAnotherListIsNotDeleted() async throws {
    for rooms in [#""rooms": [{"id": "r", "updated_at": 200}]"#, #""room_ids": ["r"]"#] {
      for isFirst in [true, false] {
        let store = try await store()
        let rows = [
          #"{"id": "s", "updated_at": 200, "rooms": [{"id": "q", "updated_at": 200}]}"#,
          #"{"id": "t", "updated_at": 200, \#(rooms)}"#,
        ]
        let payload = isFirst ? "[\(rows[0]), \(rows[1])]" : "[\(rows[1]), \(rows[0])]"
        try await store.sync(
          payload: payload, as: Studio.self, children: [.policy(\.rooms, .hardDeleteMissing)])
        #expect(try store.pick(Room.self, "remoteID", "studio") == [["q", "s"], ["r", "t"]])
      }
    }
  }

  /// It stays in its owner's list, and the list of the server is expected to lack it.
  @Test func markedRowThatRequiresItsOwnerIsNotReported() async throws {
    let store = try TextStore(
      """
      model Project { id: Int; tasks: [Task] }
      @SoftDelete(\\.deletedAt) model Task { id: Int; name: String; deletedAt: Date?; project: Project }
      """)
    let project = #"{"id": 1, "tasks": [{"id": 5, "name": "a"}]}"#
    try await store.sync(
      #"[{"id": 1, "tasks": [{"id": 5, "name": "a"}, {"id": 6, "name": "b"}]}]"#, as: "Project")
    let tasks = #"[{"id": 5, "name": "a", "project": \#(project)}]"#
    let report = try await store.sync(tasks, as: "Task")
    #expect(report.softDeleted == 1 && report.problems == [])
    for (payload, model) in [(tasks, "Task"), ("[\(project)]", "Project")] {
      let again = try await store.sync(payload, as: model)
      #expect(again.isUnchanged && again.problems == [])
    }
    #expect(try await store.rows("SELECT id, project FROM Task ORDER BY id") == ["5 1", "6 1"])
  }

  @Test func softDeletedChildKeepsItsFirstDeletionTime() async throws {
    let store = try await store()
    let policies: [SyncChildPolicy<Studio>] = [.policy(\.rooms, .softDeleteMissing)]
    let payload = #"[{"id": "s", "updated_at": 200, "rooms": [{"id": "q", "updated_at": 200}]}, {"id": "t"}]"#
    try await store.sync(payload: payload, as: Studio.self, children: policies)
    let first = try store.pick(Room.self, "remoteID", "deletedAt")
    #expect(try marked(Room.self, in: store) == ["r"])
    let newer = payload.replacing("200", with: "300")
    try await store.sync(payload: newer, as: Studio.self, children: policies)
    #expect(try store.pick(Room.self, "remoteID", "deletedAt") == first)
  }

  @Test func notDeletedRequestExcludesSoftDeletedRows() async throws {
    let container = try makeStore()
    try await container.sync(
      payload: #"[{"id": "a", "name": "A"}, {"id": "b", "name": "B"}]"#, as: Studio.self)
    try await container.sync(payload: #"[{"id": "a", "name": "A"}]"#, as: Studio.self)
    let names = try await container.database.read { db in try Studio.notDeleted.fetchAll(db).map(\.name) }
    #expect(names == ["A"])
    #expect(try container.rows(of: Studio.self).count == 2)
  }
}
