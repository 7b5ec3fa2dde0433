import Syncline
import SynclineTesting
import TestSupport
import Testing

/// Several objects of one row are merged before they are compared with the stored row.
@Suite struct RepeatedRowTests {
  /// Syncs a payload twice. The second sync must not change any table.
  private func sync<Model: SyncUpdatableModel>(
    _ payload: String, as model: Model.Type, in store: SyncContainer
  ) async throws {
    try await store.sync(payload: payload, as: model)
    let tables = try StoreDump(store)
    let report = try await store.sync(payload: payload, as: model)
    #expect(report.isUnchanged, "\(payload)\n\(report)")
    #expect(try StoreDump(store) == tables, "\(payload)")
  }

  @Test(arguments: [
    // The last timestamp is newer than the stored one, so all objects are applied.
    (#"[{"id": 1, "title": "A", "stamp": 30}, {"id": 1, "title": "B", "stamp": 20}]"#, "B", "20"),
    (#"[{"id": 1, "title": "A", "stamp": 30}, {"id": 1, "title": "B"}]"#, "B", "30"),
    (#"[{"id": 1, "title": "A", "stamp": 5}, {"id": 1, "stamp": 20}]"#, "A", "20"),
    // The last timestamp is not newer, so no object is applied.
    (#"[{"id": 1, "title": "A", "stamp": 30}, {"id": 1, "title": "B", "stamp": 5}]"#, "old", "10"),
    (#"[{"id": 1, "title": "A", "stamp": 30}, {"id": 1, "title": "B", "stamp": 10}]"#, "old", "10"),
  ])
  func mergedStampOfRepeatedRowIsComparedWithStoredStamp(_ payload: String, _ title: String, _ stamp: String)
    async throws
  {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "title": "old", "stamp": 10}]"#, as: Post.self)
    try await sync(payload, as: Post.self, in: store)
    let expected: SyncJSON = .string("1970-01-01T00:00:\(stamp).000Z")
    #expect(try store.pick(Post.self, "title", "stamp") == [[.string(title), expected]])
  }

  @Test func objectsOfANewRowAreMergedRegardlessOfStamps() async throws {
    let store = try makeStore()
    try await sync(
      #"[{"id": 1, "title": "A", "stamp": 30}, {"id": 1, "title": "B", "stamp": 20}]"#, as: Post.self,
      in: store)
    #expect(try store.pick(Post.self, "title") == [["B"]])
  }

  @Test func nestedObjectsOfOneRowAreMerged() async throws {
    let store = try makeStore()
    try await sync(
      #"""
      [{"id": 1, "text": "a", "stamp": 1, "post": {"id": 7, "title": "A", "stamp": 30}},
       {"id": 2, "text": "b", "stamp": 1, "post": {"id": 7, "title": "B", "stamp": 20}}]
      """#, as: Comment.self, in: store)
    #expect(try store.pick(Post.self, "title", "comments") == [["B", [1, 2]]])
  }

  @Test func softDeletionInOneObjectAppliesToTheRow() async throws {
    let store = try makeStore()
    let payload = #"""
      [{"id": "s", "name": "S", "updated_at": 1, "deleted_at": "2024-01-01"}, {"id": "s", "name": "T", "updated_at": 1}]
      """#
    try await sync(payload, as: Studio.self, in: store)
    #expect(try store.pick(Studio.self, "name", "deletedAt") == [["T", "2024-01-01T00:00:00.000Z"]])
  }

  @Test func rowOrderDoesNotAffectSoftDeletionOfRepeatedRow() async throws {
    let rows = [
      #"{"id": "q", "title": "Q", "studio": {"id": "s", "name": "S", "rooms": [{"id": "r", "deleted_at": "2024-01-01"}]}}"#,
      #"{"id": "p", "title": "P"}"#, #"{"id": "r", "title": "R"}"#,
    ]
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0], [0, 2, 1]] {
      let store = try makeStore()
      try await sync("[\(order.map { rows[$0] }.joined(separator: ","))]", as: Room.self, in: store)
      #expect(
        try store.pick(Room.self, "remoteID", "deletedAt").last == ["r", "2024-01-01T00:00:00.000Z"],
        "\(order)")
    }
  }

  @Test func keyToRowDeletedByPayloadBecomesPending() async throws {
    let store = try makeStore()
    let rows = [#"{"id": "a", "name": "A"}"#, #"{"id": "b", "name": "B", "parent_id": "a"}"#]
    try await store.sync(payload: "[\(rows.joined(separator: ","))]", as: Category.self)
    try await sync("[\(rows[1])]", as: Category.self, in: store)
    #expect(try store.pick(Category.self, "id", "parent") == [["b", nil]])
    try await store.sync(item: rows[0], as: Category.self)
    #expect(try store.pick(Category.self, "id", "parent") == [["a", nil], ["b", "a"]])
  }

  @Test func listLinksToRowsDeletedByPayloadBecomePending() async throws {
    let store = try makeStore()
    let names = #"[{"id": 1, "name": "A"}, {"id": 2, "name": "B"}]"#
    try await store.sync(payload: names, as: Crew.self)
    try await sync(#"[{"id": 1, "name": "A", "ally_ids": [1, 2]}]"#, as: Crew.self, in: store)
    #expect(try store.pick(Crew.self, "id", "allies") == [[1, [1]]])
    try await store.sync(payload: names, as: Crew.self)
    #expect(try store.pick(Crew.self, "id", "allies") == [[1, [1, 2]], [2, []]])
  }
}
