import Syncline
import SynclineTesting
import Testing

/// An operation mask, and its effects according to the contract.
struct MaskRow: Sendable, CustomTestStringConvertible {
  enum Nested: Sendable { case ignored, linked, linkedAndRenamed }

  let name: String
  let mask: SyncRelationshipOperations
  let linksNewRow: Bool
  let setsKey: Bool
  let clears: Bool
  /// The result of the list [1, 2] if the payload contains [2, 3].
  let list: [SyncJSON]
  let emptyList: [SyncJSON]
  let known: Nested
  let createsUnknown: Bool
  /// The result of the list [1, 2] if the payload contains object 2 with another name, and the new object 3.
  let nestedList: [SyncJSON]
  let renamesMember: Bool

  var testDescription: String { name }
  var renames: Bool { mask.contains(.update) }

  static let all: [MaskRow] = [
    MaskRow(
      name: "none", mask: [], linksNewRow: false, setsKey: false, clears: false, list: [1, 2],
      emptyList: [1, 2], known: .ignored, createsUnknown: false, nestedList: [1, 2], renamesMember: false),
    MaskRow(
      name: "insert", mask: .insert, linksNewRow: true, setsKey: false, clears: false, list: [1, 2],
      emptyList: [1, 2], known: .ignored, createsUnknown: false, nestedList: [1, 2], renamesMember: false),
    MaskRow(
      name: "update", mask: .update, linksNewRow: false, setsKey: true, clears: false, list: [1, 2, 3],
      emptyList: [1, 2], known: .linkedAndRenamed, createsUnknown: false, nestedList: [1, 2],
      renamesMember: true),
    MaskRow(
      name: "delete", mask: .delete, linksNewRow: false, setsKey: false, clears: true, list: [2],
      emptyList: [], known: .ignored, createsUnknown: false, nestedList: [2], renamesMember: false),
    MaskRow(
      name: "insert+update", mask: [.insert, .update], linksNewRow: true, setsKey: true, clears: false,
      list: [1, 2, 3], emptyList: [1, 2], known: .linkedAndRenamed, createsUnknown: true,
      nestedList: [1, 2, 3], renamesMember: true),
    MaskRow(
      name: "insert+delete", mask: [.insert, .delete], linksNewRow: true, setsKey: true, clears: true,
      list: [2, 3], emptyList: [], known: .linked, createsUnknown: true, nestedList: [2, 3],
      renamesMember: false),
    MaskRow(
      name: "update+delete", mask: [.update, .delete], linksNewRow: false, setsKey: true, clears: true,
      list: [2, 3], emptyList: [], known: .linkedAndRenamed, createsUnknown: false, nestedList: [2],
      renamesMember: true),
    MaskRow(
      name: "all", mask: .all, linksNewRow: true, setsKey: true, clears: true, list: [2, 3], emptyList: [],
      known: .linkedAndRenamed, createsUnknown: true, nestedList: [2, 3], renamesMember: true),
  ]
}

@Suite struct OperationMaskTests {
  /// A store in which task 1 has project 1 and tags 1 and 2. Project 2 and tag 3 have no links.
  private func store() async throws -> SyncContainer {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "name": "P1"}, {"id": 2, "name": "P2"}]"#, as: Project.self)
    try await store.sync(
      payload: #"[{"id": 1, "name": "T1"}, {"id": 2, "name": "T2"}, {"id": 3, "name": "T3"}]"#, as: Tag.self)
    try await store.sync(
      payload: #"[{"id": 1, "title": "A", "project_id": 1, "tag_ids": [1, 2]}]"#, as: Task.self)
    return store
  }

  private func sync(_ item: String, _ row: MaskRow, in store: SyncContainer) async throws -> SyncReport {
    try await store.sync(item: item, as: Task.self, relationshipOperations: row.mask)
  }

  @Test(arguments: MaskRow.all)
  func newRowIsLinkedToNestedObjectsOnlyWithInsert(_ row: MaskRow) async throws {
    let store = try await store()
    _ = try await sync(
      #"""
      {"id": 2, "title": "B", "project": {"id": 1, "name": "renamed"},
       "tags": [{"id": 1, "name": "renamed"}, {"id": 9, "name": "T9"}]}
      """#, row, in: store)
    let linked = row.linksNewRow
    let renamed = linked && row.renames
    #expect(
      try store.pick(Task.self, "id", "title", "project", "tags")
        == [[1, "A", 1, [1, 2]], [2, "B", linked ? 1 : nil, linked ? [1, 9] : []]])
    #expect(try store.pick(Project.self, "name") == [[renamed ? "renamed" : "P1"], ["P2"]])
    #expect(
      try store.pick(Tag.self, "name")
        == [[renamed ? "renamed" : "T1"], ["T2"], ["T3"]] + (linked ? [["T9"]] : []))
  }

  @Test(arguments: MaskRow.all)
  func newRowIsLinkedByKeysOnlyWithInsert(_ row: MaskRow) async throws {
    let store = try await store()
    _ = try await sync(#"{"id": 2, "title": "B", "project_id": 2, "tag_ids": [2, 3]}"#, row, in: store)
    #expect(
      try store.pick(Task.self, "project", "tags")
        == [[1, [1, 2]], row.linksNewRow ? [2, [2, 3]] : [nil, []]])
  }

  @Test(arguments: MaskRow.all)
  func keySetsTheLinkOfAStoredRowAsTheMaskAllows(_ row: MaskRow) async throws {
    let store = try await store()
    _ = try await sync(#"{"id": 1, "project_id": 2}"#, row, in: store)
    #expect(try store.pick(Task.self, "project") == [[row.setsKey ? 2 : 1]])
  }

  @Test(arguments: MaskRow.all)
  func nullClearsTheLinkOfAStoredRowAsTheMaskAllows(_ row: MaskRow) async throws {
    for key in ["project_id", "project"] {
      let store = try await store()
      _ = try await sync(#"{"id": 1, "\#(key)": null}"#, row, in: store)
      #expect(try store.pick(Task.self, "project") == [[row.clears ? nil : 1]])
    }
  }

  @Test(arguments: MaskRow.all)
  func keyListAddsAndRemovesMembersAsTheMaskAllows(_ row: MaskRow) async throws {
    let store = try await store()
    _ = try await sync(#"{"id": 1, "tag_ids": [2, 3]}"#, row, in: store)
    #expect(try store.pick(Task.self, "tags") == [[.array(row.list)]])
  }

  @Test(arguments: MaskRow.all)
  func emptyListOrNullRemovesMembersAsTheMaskAllows(_ row: MaskRow) async throws {
    for value in ["[]", "null"] {
      let store = try await store()
      _ = try await sync(#"{"id": 1, "tags": \#(value)}"#, row, in: store)
      #expect(try store.pick(Task.self, "tags") == [[.array(row.emptyList)]])
    }
  }

  @Test(arguments: MaskRow.all)
  func storedNestedRowIsLinkedAndUpdatedAsTheMaskAllows(_ row: MaskRow) async throws {
    let store = try await store()
    _ = try await sync(#"{"id": 1, "project": {"id": 2, "name": "renamed"}}"#, row, in: store)
    #expect(try store.pick(Task.self, "project") == [[row.known == .ignored ? 1 : 2]])
    #expect(
      try store.pick(Project.self, "name") == [["P1"], [row.known == .linkedAndRenamed ? "renamed" : "P2"]])
  }

  @Test(arguments: MaskRow.all)
  func newNestedRowIsInsertedAndLinkedAsTheMaskAllows(_ row: MaskRow) async throws {
    let store = try await store()
    _ = try await sync(#"{"id": 1, "project": {"id": 3, "name": "P3"}}"#, row, in: store)
    #expect(try store.pick(Task.self, "project") == [[row.createsUnknown ? 3 : 1]])
    #expect(
      try store.pick(Project.self, "id", "tasks")
        == (row.createsUnknown ? [[1, []], [2, []], [3, [1]]] : [[1, [1]], [2, []]]))
  }

  @Test(arguments: MaskRow.all)
  func nestedListChangesMembersAsTheMaskAllows(_ row: MaskRow) async throws {
    let store = try await store()
    try await store.sync(item: #"{"id": 1, "tag_ids": [1, 2]}"#, as: Task.self)
    try await store.sync(payload: #"[{"id": 1, "name": "T1"}, {"id": 2, "name": "T2"}]"#, as: Tag.self)
    _ = try await sync(
      #"{"id": 1, "tags": [{"id": 2, "name": "renamed"}, {"id": 3, "name": "T3"}]}"#, row, in: store)
    #expect(try store.pick(Task.self, "tags") == [[.array(row.nestedList)]])
    #expect(
      try store.pick(Tag.self, "id", "name")
        == [[1, "T1"], [2, row.renamesMember ? "renamed" : "T2"]] + (row.createsUnknown ? [[3, "T3"]] : []))
  }

  @Test(arguments: MaskRow.all)
  func scalarColumnsAreUpdatedUnderAnyMask(_ row: MaskRow) async throws {
    let store = try await store()
    let report = try await sync(#"{"id": 1, "title": "renamed", "estimate": 2.5}"#, row, in: store)
    #expect(report[Task.self].updated == 1)
    #expect(try store.pick(Task.self, "title", "estimate", "project") == [["renamed", 2.5, 1]])
  }

  @Test(arguments: MaskRow.all)
  func keyIgnoredByTheMaskIsNotPending(_ row: MaskRow) async throws {
    let store = try await store()
    _ = try await sync(#"{"id": 1, "project_id": 7, "tag_ids": [1, 2, 7]}"#, row, in: store)
    try await store.sync(item: #"{"id": 7, "name": "P7"}"#, as: Project.self)
    try await store.sync(item: #"{"id": 7, "name": "T7"}"#, as: Tag.self)
    #expect(
      try store.pick(Task.self, "project", "tags") == [row.setsKey ? [7, [1, 2, 7]] : [1, [1, 2]]])
  }

  @Test func listThatOnlyAddsKeepsPendingLinks() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"[{"id": 1, "title": "A"}, {"id": 9, "title": "T", "tag_ids": [3]}]"#, as: Task.self)
    // The second object of the row is compared with the stored list.
    try await store.sync(
      payload: #"[{"id": 3, "name": "x", "task_ids": [1]}, {"id": 3, "name": "x", "task_ids": [1]}]"#,
      as: Tag.self, relationshipOperations: [.insert, .update])
    #expect(try store.pick(Tag.self, "id", "tasks") == [[3, [1, 9]]])
  }
}
