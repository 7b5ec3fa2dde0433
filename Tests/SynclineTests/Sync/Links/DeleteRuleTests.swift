import Syncline
import SynclineTesting
import Testing

/// The effects of deleting a row on the rows at the other end.
@Suite struct DeleteRuleTests {
  @Test func nullifyClearsTheLinksAndKeepsTheRows() async throws {
    let store = try makeStore()
    try await store.sync(
      payload:
        #"[{"id": 1, "title": "A", "project": {"id": 1, "name": "P"}, "tags": [{"id": 1, "name": "T"}]}]"#,
      as: Task.self)
    let report = try await store.sync(payload: "[]", as: Project.self)
    #expect(report[Project.self].deleted == 1)
    #expect(report.problems.isEmpty)
    try await store.sync(payload: "[]", as: Tag.self)
    #expect(try store.pick(Task.self, "id", "project", "tags") == [[1, nil, []]])
  }

  @Test func cascadeDeletedRowsAreCountedForTheirOwnModel() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"""
        [{"id": 1, "title": "A", "items": [{"id": "i", "title": "I"}, {"id": "j", "title": "J"}],
          "tags": [{"id": 1, "name": "T"}]}, {"id": 2, "title": "B"}]
        """#, as: Task.self)
    let report = try await store.sync(payload: #"[{"id": 2, "title": "B"}]"#, as: Task.self)
    #expect(report[Task.self].deleted == 1)
    #expect(report[Item.self].deleted == 2)
    #expect(try store.rows(of: Item.self).isEmpty)
    #expect(try store.pick(Tag.self, "id", "tasks") == [[1, []]])
  }

  @Test func requiredChildrenAreCascadeDeletedByDefault() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"[{"id": 1, "name": "N", "passport": {"id": 1, "number": "x"}}]"#, as: Person.self)
    let report = try await store.sync(payload: "[]", as: Person.self)
    #expect(report[Passport.self].deleted == 1)
    #expect(try store.everything().isEmpty)
    let crews = try makeStore()
    try await crews.sync(
      payload: #"[{"id": 1, "name": "C", "sailors": [{"id": 1, "name": "S"}]}]"#, as: Crew.self)
    #expect(try await crews.sync(payload: "[]", as: Crew.self)[Sailor.self].deleted == 1)
  }

  @Test func deletingChildrenDoesNotCascadeToTheirParent() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"[{"id": "i", "title": "I", "task": {"id": 1, "title": "A"}}]"#, as: Item.self)
    try await store.sync(payload: "[]", as: Item.self)
    #expect(try store.pick(Task.self, "id", "items") == [[1, []]])
  }

  @Test func denyKeepsTheRowAndIsReported() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"[{"id": 1, "documents": [{"id": 1}]}, {"id": 2, "documents": []}]"#, as: Folder.self)
    let report = try await store.sync(payload: "[]", as: Folder.self)
    #expect(try store.pick(Folder.self, "id", "documents") == [[1, [1]]])
    #expect(report.deleted == 1)
    #expect(report.actions == [.keptRow])
    #expect(report.problems.first?.identity == "1")
    try await store.sync(payload: "[]", as: Document.self)
    #expect(try await store.sync(payload: "[]", as: Folder.self).deleted == 1)
  }

  @Test func aDeniedCascadeDeletesNothing() async throws {
    let store = try makeStore()
    try await store.sync(
      payload:
        #"[{"id": 1, "boxes": [{"id": 1, "things": [{"id": 1}]}, {"id": 2}]}, {"id": 2, "boxes": [{"id": 3}]}]"#,
      as: Shelf.self)
    let report = try await store.sync(payload: "[]", as: Shelf.self)
    #expect(try store.pick(Shelf.self, "id", "boxes") == [[1, [1, 2]]])
    #expect(try store.pick(Box.self, "id") == [[1], [2]])
    #expect(report[Shelf.self].deleted == 1)
    #expect(report[Box.self].deleted == 1)
    #expect(report.actions == [.keptRow])
    #expect(try await store.sync(payload: "[]", as: Shelf.self).isUnchanged)
  }

  @Test func childMovedByPayloadDoesNotDenyDeletion() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "documents": [{"id": 1}]}]"#, as: Folder.self)
    let report = try await store.sync(payload: #"[{"id": 2, "document_ids": [1]}]"#, as: Folder.self)
    #expect(try store.pick(Folder.self, "id", "documents") == [[2, [1]]])
    #expect(report.problems.isEmpty)
  }

  @Test func childMovedByPayloadIsNotCascadeDeleted() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "boxes": [{"id": 1}]}, {"id": 2}]"#, as: Shelf.self)
    try await store.sync(payload: #"[{"id": 2, "box_ids": [1]}]"#, as: Shelf.self)
    #expect(try store.pick(Box.self, "id", "shelf") == [[1, 2]])
  }

  @Test func childPolicyFollowsDeleteRules() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"[{"id": 1, "boxes": [{"id": 1, "things": [{"id": 1}]}, {"id": 2}]}]"#, as: Shelf.self)
    let report = try await store.sync(
      payload: #"[{"id": 1, "boxes": []}]"#, as: Shelf.self, children: [.policy(\.boxes, .hardDeleteMissing)])
    #expect(try store.pick(Box.self, "id") == [[1]])
    #expect(report[Box.self].deleted == 1)
    #expect(report.actions == [.keptRow])
  }

  /// When SQLite deletes a row, it also deletes rows that reference it, and rows that reference those.
  @Test func rowsDeletedByACascadeCycleAreCounted() async throws {
    let store = try TextStore(
      """
      model Room {
        id: Int
        @Relationship(inverse: \\Lamp.room, deleteRule: .cascade) lamps: [Lamp]
        @Relationship(inverse: \\Lamp.spare, deleteRule: .cascade) spares: [Lamp]
        @Relationship(inverse: \\Lamp.rooms) lamp: Lamp?
      }

      model Lamp {
        id: Int
        @Relationship(inverse: \\Room.lamps) room: Room
        @Relationship(inverse: \\Room.spares) spare: Room?
        @Relationship(inverse: \\Room.lamp, deleteRule: .cascade) rooms: [Room]
      }
      """)
    let rooms = #"""
      [{"id": 3, "spare_ids": [1]}, {"id": 4, "lamps": [{"id": 4}, {"id": 1, "room_ids": [4]}]},
       {"id": 9, "lamps": [{"id": 9, "room_ids": [3]}]}]
      """#
    try await store.sync(rooms, as: "Room")
    let report = try await store.sync(changes: #"{"deleted": [9]}"#, as: "Lamp")
    #expect(report.models["Lamp"]?.deleted == 3 && report.models["Room"]?.deleted == 2, "\(report)")
    #expect(try store.values(of: "Room", "id") == [[9]])
    #expect(try store.values(of: "Lamp", "id").isEmpty)
  }

  /// Each row denies the deletion of the one that it refers to, but no row is left.
  @Test(arguments: [1, -1]) func longChainOfDenyingRowsIsDeleted(step: Int) async throws {
    let store = try TextStore(
      """
      model Node {
        id: Int
        parent: Node?
        @Relationship(inverse: \\Node.parent, deleteRule: .deny) children: [Node]
      }
      """)
    let nodes = (1...300).map {
      "{\"id\": \($0), \"parent_id\": \((1...300).contains($0 + step) ? "\($0 + step)" : "null")}"
    }
    try await store.sync("[\(nodes.joined(separator: ","))]", as: "Node")
    let report = try await store.sync("[]", as: "Node")
    #expect(report.models["Node"]?.deleted == 300 && report.problems == [])
  }

  /// The payload does not contain the row, so the problem has no path.
  @Test func problemOfAProtectedRowNamesTheRow() async throws {
    let store = try TextStore(
      """
      model Parent { id: Int; @Relationship(deleteRule: .deny) children: [Child] }
      model Child { id: Int; parent: Parent? }
      """)
    try await store.sync(#"[{"id": 1, "children": [{"id": 5}]}]"#, as: "Parent")
    let report = try await store.sync("[]", as: "Parent")
    #expect(
      report.problems.map(\.description) == [
        "Parent “1”: Child 5 prevents the deletion: it requires this row, or a delete rule is .deny (the row was kept)"
      ])
  }
}
