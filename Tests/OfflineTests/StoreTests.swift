import Foundation
import GRDB
import SynclineSchema
import SynclineTesting
import TestSupport
import Testing

@testable import Syncline

/// Edits and their store: other programs, triggers of the user's, and another schema (contract, section 13).
@Suite struct StoreTests {
  private let folder = TemporaryFolder()

  @Test func containerOfOtherModelsKeepsTheEditTriggers() async throws {
    let store = try makeStore(in: folder)
    try await store.sync(payload: #"[{"id": 1, "name": "a"}]"#, as: Project.self)
    let other = try SyncContainer(for: Tag.self, storage: .file(URL(filePath: store.database.path)))
    try await other.sync(payload: #"[{"id": 1}]"#, as: Tag.self)
    try await store.run("UPDATE Project SET name = 'x'")
    #expect(try await store.edits("Project") == ["update 1 name"])
  }

  /// The container does not have the model with edits, but its foreign keys change the rows.
  @Test func deletionByAContainerOfOtherModelsIsNoEdit() async throws {
    let store = try makeStore(in: folder)
    try await store.sync(payload: #"[{"id": 1}, {"id": 2}]"#, as: Tag.self)
    try await store.sync(payload: #"[{"id": 1, "title": "a", "tag_ids": [1, 2]}]"#, as: Task.self)
    let other = try SyncContainer(for: Tag.self, storage: .file(URL(filePath: store.database.path)))
    try await other.sync(payload: #"[{"id": 1}]"#, as: Tag.self)
    #expect(try await store.rows("SELECT target FROM \"Task.tags\"") == ["1"])
    #expect(try await store.edits("Task") == [])
  }

  /// Items look up the edits of rows with links by these indexes.
  @Test func storeOfAnEarlierVersionGetsTheIndexesOfLinksInEdits() async throws {
    let store = try makeStore(in: folder)
    let sql =
      "SELECT sql FROM sqlite_master WHERE type = 'index' AND tbl_name LIKE 'syncline_edit%' ORDER BY 1"
    let indexes = try await store.rows(sql)
    let names = try await store.rows(
      "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = 'syncline_edit_Task' AND sql LIKE '%base_%'"
    )
    #expect(!names.isEmpty)
    for name in names { try await store.run("DROP INDEX \"\(name)\"") }
    #expect(try await store.rows(sql).count == indexes.count - names.count)
    let reopened = try makeStore(in: folder)
    #expect(try await reopened.rows(sql) == indexes)
  }

  /// Each sync sets a flag in the store, which is no change.
  @Test func syncWithoutChangesIsUnchangedWithOfflineModels() async throws {
    let store = try makeStore()
    let payload = #"[{"id": 1, "title": "t"}]"#
    try await store.sync(payload: payload, as: Task.self)
    try await expectUnchanged(in: store) { try await $0.sync(payload: payload, as: Task.self) }
    let change = await #expect(throws: UnexpectedChange.self) {
      try await expectUnchanged(in: store) { store in
        try await store.run("UPDATE Task SET votes = 3")
        return try await store.sync(payload: payload, as: Task.self)
      }
    }
    #expect((change?.changedRows ?? 0) > 0)
  }

  @Test func reopeningTheStoreKeepsTheEdits() async throws {
    let store = try makeStore(in: folder)
    try await store.sync(payload: #"[{"id": 1, "name": "a"}]"#, as: Project.self)
    try await store.run("UPDATE Project SET name = 'x'")
    let again = try SyncContainer(
      for: OfflineTestsSchema.self, storage: .file(URL(filePath: store.database.path)))
    #expect(again.evolution == nil)
    #expect(try await again.edits("Project") == ["update 1 name"])
  }

  /// The triggers ask the table of one row whether a sync writes.
  @Test func editsAreRecordedIfAUserEmptiesOrDropsTheTableOfTheFlag() async throws {
    let store = try makeStore(in: folder)
    let payload = #"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]"#
    try await store.sync(payload: payload, as: Project.self)
    try await store.run("DELETE FROM \(SyncContainer.flagTable)")
    try await store.run("UPDATE Project SET name = 'x' WHERE id = 1")
    #expect(try await store.edits("Project") == ["update 1 name"])
    try await store.sync(payload: payload.replacing("b", with: "c"), as: Project.self)
    #expect(try await store.edits("Project") == ["update 1 name"])
    try await store.run("DROP TABLE \(SyncContainer.flagTable)")
    let reopened = try SyncContainer(
      for: OfflineTestsSchema.self, storage: .file(URL(filePath: store.database.path)))
    #expect(reopened.evolution == nil)
    try await reopened.run("UPDATE Project SET name = 'y' WHERE id = 2")
    #expect(try await reopened.edits("Project") == ["update 1 name", "update 2 name"])
  }

  @Test(arguments: [true, false]) func modelWhoseTableAUserDroppedIsCreatedAgain(hasForeignKeys: Bool)
    async throws
  {
    let schema =
      "@Offline model Item { id: Int; name: String; tags: [Tag] } model Tag { id: Int; name: String }"
    let payload = #"[{"id": 1, "name": "a", "tags": [{"id": 1, "name": "t"}]}]"#
    let queue = try DatabaseQueue()
    try await TextStore(schema, in: .database(queue)).sync(payload)
    try await queue.writeWithoutTransaction { database in
      try database.execute(sql: "PRAGMA foreign_keys = \(hasForeignKeys ? "ON" : "OFF"); DROP TABLE Tag")
    }
    guard hasForeignKeys else {
      // Dropping the table did not delete the links.
      #expect {
        try TextStore(schema, in: .database(queue))
      } throws: { error in
        guard case SyncError.containerInitialization(let reason) = error else { return false }
        return reason.hasPrefix("the table “Tag” is missing, but 1 row refers to it by Item.tags")
          && !reason.contains("trigger")
      }
      return
    }
    let store = try TextStore(schema, in: .database(queue))
    let report = try await store.sync(payload)
    #expect(report.totals.inserted == 1 && report.totals.linked == 1)
  }

  /// What a trigger writes while rows are put back and on again would be taken for the server's.
  @Test func userTriggerWritesDuringASyncAreNotEdits() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "title": "one", "votes": 1}]"#, as: Task.self)
    try await store.run(
      """
      CREATE TRIGGER count_votes AFTER UPDATE OF title ON Task
      BEGIN UPDATE Task SET votes = votes + 1 WHERE id = NEW.id; END
      """)
    try await store.run("UPDATE Task SET title = 'mine' WHERE id = 1")
    #expect(try await store.rows("SELECT title, votes FROM Task") == ["mine 2"])
    for title in ["one", "theirs", "others"] {
      try await store.sync(
        payload: #"[{"id": 1, "title": "\#(title)", "votes": 1, "due": "2026-01-0\#(title.count - 2)"}]"#,
        as: Task.self)
      #expect(try await store.rows("SELECT title, votes FROM Task") == ["mine 2"])
    }
    // What it writes during a sync belongs to the sync.
    #expect(try await store.edits("Task") == ["update 1 title"])
  }

  @Test func triggerMaintainedSearchIndexStaysConsistent() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"[{"id": 1, "name": "apple"}, {"id": 2, "name": "pear"}]"#, as: Project.self)
    try await store.run("CREATE VIRTUAL TABLE found USING fts5(name, content='Project', content_rowid='id')")
    try await store.run("INSERT INTO found (rowid, name) SELECT id, name FROM Project")
    for (event, body) in [
      ("INSERT", "INSERT INTO found (rowid, name) VALUES (NEW.id, NEW.name);"),
      ("DELETE", "INSERT INTO found (found, rowid, name) VALUES ('delete', OLD.id, OLD.name);"),
      (
        "UPDATE",
        "INSERT INTO found (found, rowid, name) VALUES ('delete', OLD.id, OLD.name); INSERT INTO found (rowid, name) VALUES (NEW.id, NEW.name);"
      ),
    ] {
      try await store.run("CREATE TRIGGER found_\(event) AFTER \(event) ON Project BEGIN \(body) END")
    }
    try await store.run("UPDATE Project SET name = 'mine' WHERE id = 1")
    try await store.run("DELETE FROM Project WHERE id = 2")
    try await store.run("INSERT INTO Project (id, name) VALUES (9, 'new')")
    try await store.sync(payload: #"[{"id": 1, "name": "plum"}, {"id": 2, "name": "fig"}]"#, as: Project.self)
    try await store.run("INSERT INTO found (found) VALUES ('integrity-check')")
    for (word, rows) in [("mine", ["1"]), ("new", ["9"]), ("plum", []), ("fig", []), ("apple", [])] {
      #expect(try await store.rows("SELECT rowid FROM found WHERE found MATCH '\(word)'") == rows, "\(word)")
    }
  }

  @Test func parentScopedRowsArePushed() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "title": "a"}, {"id": 2, "title": "b"}]"#, as: Task.self)
    for task in [1, 2] {
      try await store.sync(
        payload: #"[{"id": 1, "name": "s"}]"#, as: Seat.self, parent: task, relationship: \.task)
    }
    try await store.run("UPDATE Seat SET name = 'x' || task")
    for expected in [1, 1] {
      try await store.withPendingChanges(for: Seat.self) { changes in
        #expect(changes.count == expected)
        return [changes[0].id: .confirmed]
      }
    }
    #expect(try await !store.hasPendingChanges())
    #expect(try await store.rows("SELECT task, name FROM Seat ORDER BY task") == ["1 x1", "2 x2"])
  }

  // MARK: Another schema

  private static func schema(_ properties: [SyncSchemaSnapshot.Property], isOffline: Bool = true)
    -> SyncSchemaSnapshot
  {
    SyncSchemaSnapshot(models: [
      .init(
        name: "Person", identity: "id",
        properties: [.init(name: "id", kind: .value(SyncStoredType(.int)))] + properties, isOffline: isOffline
      )
    ])
  }

  private static func text(_ name: String, from former: [String] = []) -> SyncSchemaSnapshot.Property {
    .init(name: name, kind: .value(SyncStoredType(.string)), isOptional: true, renamedFrom: former)
  }

  @Test func editTableFollowsAPropertyRename() throws {
    let database = try DatabaseQueue()
    try SyncContainer.makeStore(of: Self.schema([Self.text("name")]), in: database)
    try database.write { db in
      try db.execute(sql: "INSERT INTO Person (id, name) VALUES (1, 'mine')")
      try db.execute(sql: "INSERT INTO syncline_edit_Person (key, isNew, base_name) VALUES (1, 0, 'theirs')")
    }
    let new = Self.schema([Self.text("title", from: ["name"]), Self.text("note")])
    try SyncContainer.makeStore(of: new, in: database)
    let row = try database.read {
      try Row.fetchOne($0, sql: "SELECT base_title, base_note FROM syncline_edit_Person")
    }
    #expect(row == ["base_title": "theirs", "base_note": nil])
  }

  @Test func rowsWithEditsGetNewRequiredProperties() async throws {
    let database = try DatabaseQueue()
    func open(_ schema: String) throws -> TextStore { try TextStore(schema, in: .database(database)) }
    let old = try open("@Offline model Person { id: Int; name: String; age: Int?; city: String? }")
    try await old.sync(#"[{"id": 1, "name": "theirs"}, {"id": 2, "name": "b"}]"#)
    try await old.run("UPDATE Person SET name = 'mine', city = 'x' WHERE id = 1")
    try await old.run("UPDATE Person SET city = 'y' WHERE id = 2")
    let store = try open(
      "@Offline model Person { id: Int; name: String; age: Int = 7; city: String; rank: Int = 1 }")
    let payload = #"[{"id": 1, "name": "theirs", "city": "z"}, {"id": 2, "name": "b", "rank": 3}]"#
    for _ in 1...2 {
      try await store.sync(payload)
      #expect(
        try await store.rows("SELECT id, name, age, city, rank FROM Person") == ["1 mine 7 x 1", "2 b 7 y 3"])
    }
    #expect(try await store.pushes() == [#"PATCH {"name":"mine","city":"x"}"#, #"PATCH {"city":"y"}"#])
    try await store.container.discardAllPendingChanges()
    #expect(try await store.rows("SELECT id, name, city FROM Person") == ["1 theirs z", "2 b y"])
  }

  /// Opens two schemas one after the other, with edits of the first one's rows.
  private func evolve(
    _ first: String, to second: String, _ prepare: (TextStore) async throws -> Void
  ) async throws -> TextStore {
    let database = try DatabaseQueue()
    try await prepare(TextStore(first, in: .database(database)))
    return try TextStore(second, in: .database(database))
  }

  @Test func editsOfRowsThatGetAParentAreKept() async throws {
    let project = "@Offline model Project { id: Int; tasks: [Task] }\n"
    let task = "@Offline model Task { id: Int; name: String; project: Project }"
    let store = try await evolve(project + task, to: "\(project)@ParentScoped(\\.project) \(task)") { store in
      try await store.sync(
        #"[{"id": 1, "tasks": [{"id": 7, "name": "a"}, {"id": 8, "name": "b"}]}]"#, as: "Project")
      try await store.run("UPDATE Task SET name = 'mine' WHERE id = 7")
      try await store.run("DELETE FROM Task WHERE id = 8")
      try await store.run("INSERT INTO Task VALUES (9, 'new', 1)")
    }
    #expect(
      try await store.pushes(of: "Task") == [
        #"PATCH {"name":"mine"}"#, #"POST {"id":9,"name":"new","project_id":1}"#, "DELETE ",
      ])
  }

  /// The row has no link while its key waits, which is no edit.
  @Test func keysOfMissingRowsThatBecomePendingLinksAreNotEdits() async throws {
    let project = "model Project { id: Int }\n"
    let store = try await evolve(
      project + "@Offline model Task { id: Int; name: String; projectID: Int? }",
      to: project
        + #"@Offline model Task { id: Int; name: String; @RenamedFrom("projectID") project: Project? }"#
    ) { store in
      try await store.sync(#"[{"id": 1, "name": "a", "project_id": 9}]"#, as: "Task")
      try await store.run("UPDATE Task SET name = 'mine'")
    }
    #expect(try await store.pushes(of: "Task") == [#"PATCH {"name":"mine"}"#])
    try await store.sync(#"[{"id": 9}]"#, as: "Project")
    #expect(try await store.rows("SELECT name, project FROM Task") == ["mine 9"])
    #expect(try await store.pushes(of: "Task") == [#"PATCH {"name":"mine"}"#])
  }

  @Test(arguments: [
    ("Int", "1"), ("String", #""a-b""#), ("UUID", #""00000000-0000-0000-0000-0000000000AB""#),
  ])
  func linkThatBecomesAListIsNotAnEdit(type: String, id: String) async throws {
    let tag = "model Tag { id: \(type) }\n"
    let store = try await evolve(
      tag + "@Offline model Task { id: Int; name: String; tag: Tag? }",
      to: tag + #"@Offline model Task { id: Int; name: String; @RenamedFrom("tag") tags: [Tag] }"#
    ) { store in
      try await store.sync(#"[{"id": 5, "name": "a", "tag": {"id": \#(id)}}]"#, as: "Task")
      try await store.run("UPDATE Task SET name = 'mine'")
    }
    #expect(try await store.pushes(of: "Task") == [#"PATCH {"name":"mine"}"#])
    try await store.container.discardAllPendingChanges()
    let members = #"SELECT name, COUNT(*) FROM Task JOIN "Task.tags" ON "source" = Task.id"#
    #expect(try await store.rows(members) == ["a 1"])
  }

  @Test func linkThatIsRenamedByItsOtherEndIsNotAnEdit() async throws {
    func schema(_ name: String) -> String {
      """
      model Project { id: Int; tasks: [Task] }
      @Offline model Task { id: Int; name: String; \(name): Project? }
      """
    }
    let store = try await evolve(schema("project"), to: schema("folder")) { store in
      try await store.sync(
        #"[{"id": 1, "tasks": [{"id": 7, "name": "a"}, {"id": 8, "name": "b"}]}]"#, as: "Project")
      try await store.run("UPDATE Task SET name = 'mine' WHERE id = 7")
      try await store.run("UPDATE Task SET project = NULL WHERE id = 8")
    }
    #expect(
      try await store.pushes(of: "Task") == [#"PATCH {"name":"mine"}"#, #"PATCH {"folder_id":null}"#])
    try await store.container.discardAllPendingChanges()
    #expect(try await store.rows("SELECT name, folder FROM Task ORDER BY id") == ["a 1", "b 1"])
  }

  /// The identity 5 belongs to another project than the code.
  @Test func editedValuesDoNotBecomeKeysThatAreLookedUp() async throws {
    let project = "model Project { id: Int; @Unique code: Int }\n"
    let store = try await evolve(
      project + "@Offline model Task { id: Int; code: Int? }",
      to: """
        \(project)@Offline model Task {
          id: Int
          @RenamedFrom("code") @Relationship(by: \\.code) project: Project?
        }
        """
    ) { store in
      try await store.sync(#"[{"id": 1, "code": 5}, {"id": 5, "code": 9}]"#, as: "Project")
      try await store.sync(#"[{"id": 1, "code": 5}]"#, as: "Task")
      try await store.run("UPDATE Task SET code = NULL")
    }
    #expect(try await store.pushes(of: "Task") == [])
    try await store.container.discardAllPendingChanges()
    #expect(try await store.rows("SELECT id, project FROM Task") == ["1 -"])
  }

  @Test func renamedMembersOfAStructAreNotEdits() async throws {
    let house = "@Offline model House { id: Int; name: String; place: Place? }\n"
    let store = try await evolve(
      house + "struct Place { city: String }",
      to: house + #"struct Place { @RenamedFrom("city") town: String; floor: Int = 1 }"#
    ) { store in
      try await store.sync(#"[{"id": 1, "name": "a", "place": {"city": "Ulm"}}]"#)
      try await store.run("UPDATE House SET name = 'mine'")
    }
    #expect(try await store.pushes() == [#"PATCH {"name":"mine"}"#])
    try await store.container.discardAllPendingChanges()
    #expect(try await store.rows("SELECT name, place FROM House") == [#"a {"floor":1,"town":"Ulm"}"#])
  }

  @Test(arguments: [("Int", "String"), ("String", "Int")])
  func listsWhoseMembersGetAnotherIdentityTypeAreNotEdits(old: String, new: String) async throws {
    func schema(_ type: String) -> String {
      """
      @Offline model Task { id: Int; name: String; tags: [Tag] }
      model Tag { id: \(type) }
      """
    }
    let store = try await evolve(schema(old), to: schema(new)) { store in
      try await store.sync(old == "Int" ? #"[{"id": 1}]"# : #"[{"id": "1"}]"#, as: "Tag")
      try await store.sync(
        old == "Int"
          ? #"[{"id": 5, "name": "a", "tag_ids": [1]}]"# : #"[{"id": 5, "name": "a", "tag_ids": ["1"]}]"#)
      try await store.run("UPDATE Task SET name = 'mine'")
    }
    #expect(try await store.pushes() == [#"PATCH {"name":"mine"}"#])
  }

  /// The row that was deleted cannot be stored without its title.
  @Test func deletionOfARowThatLacksARequiredPropertyIsKept() async throws {
    func schema(_ title: String) -> String {
      """
      @Offline model Task { id: Int; title: \(title); @Relationship(inverse: nil) tags: [Tag] }
      model Tag { id: Int }
      """
    }
    let store = try await evolve(schema("String?"), to: schema("String")) { store in
      try await store.sync(#"[{"id": 1}]"#, as: "Tag")
      try await store.sync(#"[{"id": 1, "tag_ids": [1]}, {"id": 2, "title": "b"}]"#)
      try await store.run("DELETE FROM Task WHERE id = 1")
    }
    try await store.sync(#"[{"id": 2, "title": "c"}]"#)
    #expect(try await store.rows("SELECT id, title FROM Task") == ["2 c"])
    #expect(try await store.pushes() == ["DELETE "])
    try await store.container.discardAllPendingChanges()
    #expect(try await store.pending() == [])
  }

  /// The payload says nothing about the deleted row.
  @Test func deletedRowThatLacksARequiredPropertyIsNotGone() async throws {
    func schema(_ title: String) -> String { "@Offline model Task { id: Int; title: \(title) }" }
    let store = try await evolve(schema("String?"), to: schema("String")) { store in
      try await store.sync(#"[{"id": 1}, {"id": 2, "title": "b"}]"#)
      try await store.run("DELETE FROM Task WHERE id = 1")
    }
    try await store.sync(#"[{"id": 2, "title": "c"}]"#, policy: DeletionPolicy.none)
    #expect(try await store.container.pendingChanges().map(\.isGone) == [false])
  }

  /// The deletions of the rows that were deleted with it end, too, and the removal of links to it.
  @Test(arguments: [
    ("task: Task", #""task_id": 1"#), ("task: Task?", #""task_id": 1"#),
    ("tasks: [Task]", #""task_ids": [1]"#),
  ])
  func discardedDeletionOfARowThatLacksARequiredPropertyEnds(link: String, links: String) async throws {
    func schema(_ title: String) -> String {
      """
      @Offline model Task { id: Int; title: \(title) }
      @Offline model Step { id: Int; @Relationship(inverse: nil) \(link) }
      """
    }
    let step = "[{\"id\": 5, \(links)}]"
    let store = try await evolve(schema("String?"), to: schema("String")) { store in
      try await store.sync(#"[{"id": 1}]"#, as: "Task")
      try await store.sync(step, as: "Step")
      try await store.run("DELETE FROM Task")
    }
    try await store.discardAll(of: "Task")
    #expect(try await store.pending() == [])
    try await store.sync(#"[{"id": 1, "title": "a"}]"#, as: "Task")
    try await store.sync(step, as: "Step")
    #expect(try await store.rows("SELECT id, title FROM Task") == ["1 a"])
    #expect(try await store.rows("SELECT id FROM Step") == ["5"])
    #expect(try await store.pending() == [])
  }

  /// The server's members are not kept, so the row's link is sent.
  @Test func editsAreKeptIfAListBecomesAToOne() async throws {
    func schema(_ type: String) -> String {
      """
      @Offline model Box { id: Int; name: String; @Relationship(inverse: nil) items: \(type) }
      @Offline model Item { id: Int }
      """
    }
    let store = try await evolve(schema("[Item]"), to: schema("Item?")) { store in
      try await store.sync(#"[{"id": 7}]"#, as: "Item")
      try await store.sync(#"[{"id": 1, "name": "a", "item_ids": [7]}, {"id": 2, "name": "b"}]"#)
      try await store.run("UPDATE Box SET name = 'mine'")
    }
    #expect(try await store.pushes() == [#"PATCH {"name":"mine","items_id":7}"#, #"PATCH {"name":"mine"}"#])
  }

  /// The server would remove the new relationship's links.
  @Test(arguments: ["Item?", "[Item]"])
  func removedLinksOfARelationshipToAnotherModelAreNotEdits(type: String) async throws {
    func schema(_ target: String) -> String {
      let property = type.replacingOccurrences(of: "Item", with: target)
      return """
        @Offline model Box { id: Int; name: String; @Relationship(inverse: nil) items: \(property) }
        @Offline model Item { id: Int }
        @Offline model Thing { id: Int }
        """
    }
    let store = try await evolve(schema("Item"), to: schema("Thing")) { store in
      try await store.sync(#"[{"id": 7}]"#, as: "Item")
      try await store.sync(#"[{"id": 1, "name": "a", "items_id": 7, "item_ids": [7]}]"#)
      try await store.run("UPDATE Box SET name = 'mine'")
      try await store.run("DELETE FROM Item")
    }
    #expect(try await store.pushes() == [#"PATCH {"name":"mine"}"#])
  }

  /// The lamps have swapped their pens, so no row ends without a link.
  @Test func editsOfAOneToOneMoveToTheEndThatStoresIt() async throws {
    func schema(_ type: String) -> String {
      """
      @Offline model Lamp { id: Int; pen: Pen? }
      @Offline model Pen { id: Int; @Relationship(inverse: \\Lamp.pen) lamp: \(type) }
      """
    }
    let store = try await evolve(schema("Lamp?"), to: schema("Lamp")) { store in
      try await store.sync(#"[{"id": 1}, {"id": 2}]"#, as: "Pen")
      try await store.sync(#"[{"id": 5, "pen_id": 1}, {"id": 6, "pen_id": 2}]"#, as: "Lamp")
      try await store.run("UPDATE Lamp SET pen = NULL")
      try await store.run("UPDATE Lamp SET pen = 7 - id")
    }
    #expect(try await store.pending() == ["Pen update 1 pending", "Pen update 2 pending"])
    #expect(try await store.pushes(of: "Pen") == [#"PATCH {"lamp_id":6}"#, #"PATCH {"lamp_id":5}"#])
    try await store.container.discardAllPendingChanges()
    #expect(try await store.rows("SELECT id, lamp FROM Pen") == ["1 5", "2 6"])
    #expect(try await store.pending() == [])
  }

  /// The names of the ends decide which of them stores the links.
  @Test(arguments: [
    ("Int", ["1", "2", "3"]), ("String", [#""a""#, #""b""#, #""c""#]),
    ("UUID", (1...3).map { #""00000000-0000-0000-0000-00000000000\#($0)""# }),
  ])
  func editsOfAManyToManyMoveToTheEndThatStoresIt(type: String, id: [String]) async throws {
    func schema(_ property: String, _ rename: String = "") -> String {
      "@Offline model Node { id: \(type); name: String?; \(rename)\(property): [Node]"
        + "; @Relationship(inverse: \\Node.\(property)) targets: [Node] }"
    }
    let store = try await evolve(
      schema("sources"), to: schema("zones", #"@RenamedFrom("sources") "#)
    ) { store in
      let rows = id.dropFirst().map { "{\"id\": \($0)}" }.joined(separator: ", ")
      try await store.sync("[{\"id\": \(id[0]), \"source_ids\": [\(id[0]), \(id[1])]}, \(rows)]")
      try await store.run("UPDATE Node SET name = 'mine' WHERE id = (SELECT min(id) FROM Node)")
      try await store.run(
        #"DELETE FROM "Node.sources" WHERE target = (SELECT max(target) FROM "Node.sources")"#)
      try await store.run(
        #"INSERT INTO "Node.sources" SELECT source, (SELECT max(id) FROM Node) FROM "Node.sources""#)
    }
    #expect(
      try await store.pushes() == [
        #"PATCH {"name":"mine"}"#, #"PATCH {"target_ids":[]}"#,
        "PATCH {\"target_ids\":[\(id[0])]}",
      ])
    try await store.container.discardAllPendingChanges()
    let links = #"SELECT COUNT(*), COUNT(DISTINCT "source"), COUNT(DISTINCT "target") FROM "Node.targets""#
    #expect(try await store.rows(links) == ["2 2 1"])
    #expect(try await store.pending() == [])
  }

  @Test(arguments: [("Int", "5"), ("UUID", #""00000000-0000-0000-0000-000000000005""#)])
  func linksOfADeletedRowMoveToTheEndThatStoresThem(type: String, id: String) async throws {
    let box = "@Offline model Box { id: Int; items: [Item] }\n"
    let store = try await evolve(
      box + "@Offline model Item { id: \(type); @Relationship(inverse: \\Box.items) boxes: [Box] }",
      to: box + #"@Offline model Item { id: \#(type); @RenamedFrom("boxes") box: Box? }"#
    ) { store in
      try await store.sync(#"[{"id": 1}]"#, as: "Box")
      try await store.sync("[{\"id\": \(id), \"box_ids\": [1]}]", as: "Item")
      try await store.run("DELETE FROM Item")
    }
    #expect(try await store.pushes(of: "Item") == ["DELETE "])
    try await store.container.discardAllPendingChanges()
    #expect(try await store.rows("SELECT box FROM Item") == ["1"])
    #expect(try await store.pending() == [])
  }

  /// A user's trigger that is newer than those that record edits: they are recreated when a container opens.
  @Test func containersOpenAfterAUserHasAddedATrigger() async throws {
    let store = try makeStore(in: folder)
    try await store.sync(payload: #"[{"id": 1, "text": "a"}]"#, as: Note.self)
    try await store.run(
      "CREATE TABLE log (name); CREATE TRIGGER logged AFTER UPDATE ON Note BEGIN INSERT INTO log VALUES (NEW.text); END"
    )
    let file = URL(filePath: store.database.path)
    let reader = try SyncContainer(for: OfflineTestsSchema.self, storage: .readOnly(file))
    #expect(try reader.rows(of: Note.self).count == 1)
    let tables = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1"
    let before = try await store.rows(tables)
    let part = try SyncContainer(for: Note.self, storage: .file(file))
    #expect(part.evolution == nil)
    #expect(try await store.rows(tables) == before)
    try await part.run("UPDATE Note SET text = 'x'")
    #expect(try await store.edits("Note") == ["update 1 text"])
    #expect(try await store.rows("SELECT name FROM log") == ["x"])
    _ = try makeStore(in: folder)
  }

  @Test func propertiesAndModelsWithTriggersAreDropped() async throws {
    let database = try DatabaseQueue()
    func open(_ schema: String) throws -> TextStore { try TextStore(schema, in: .database(database)) }
    let old = try open(
      "@Offline model Person { id: Int; name: String; note: String? } @Offline model Pet { id: Int }")
    try await old.run("INSERT INTO Person (id, name, note) VALUES (1, 'mine', 'n')")
    let store = try open("@Offline model Person { id: Int; name: String }")
    #expect(try await store.rows("SELECT id, name FROM Person") == ["1 mine"])
    #expect(try await store.pushes() == [#"POST {"id":1,"name":"mine"}"#])
  }

  @Test func pendingEditsPreventRemovalOfOffline() throws {
    let database = try DatabaseQueue()
    try SyncContainer.makeStore(of: Self.schema([Self.text("name")]), in: database)
    try database.write {
      try $0.execute(
        sql: """
          INSERT INTO Person (id, name) VALUES (1, 'a'), (2, 'b');
          INSERT INTO syncline_edit_Person (key, isNew) VALUES (1, 1), (2, 1);
          """)
    }
    let error = #expect(throws: (any Error).self) {
      try SyncContainer.makeStore(of: Self.schema([Self.text("name")], isOffline: false), in: database)
    }
    #expect("\(error as Any)".contains("2 edits of Person are not pushed yet"))
    // Rows that are deleted again leave edits without an effect.
    try database.write { try $0.execute(sql: "DELETE FROM Person") }
    try SyncContainer.makeStore(of: Self.schema([Self.text("name")], isOffline: false), in: database)
    #expect(try database.read { try !$0.tableExists("syncline_edit_Person") })
  }

  /// The identity 1 of the deleted row would be another row's value of `code`.
  @Test func pendingEditsPreventAnotherIdentity() async throws {
    let error = await #expect(throws: SyncError.self) {
      try await evolve(
        "@Offline model Task { id: Int; code: Int }",
        to: "@Offline model Task { id: Int; @PrimaryKey code: Int }"
      ) { store in
        try await store.sync(#"[{"id": 1, "code": 7}]"#)
        try await store.run("DELETE FROM Task")
      }
    }
    let message = "1 edit of Task is not pushed yet. Push or discard it before the identity changes"
    #expect("\(error as Any)".contains(message))
  }

  /// The values of the rows themselves can be converted.
  @Test func refusedConversionOfEditsNamesTheProperty() async throws {
    let error = await #expect(throws: SyncError.self) {
      try await evolve(
        "@Offline model Task { id: String; size: String }", to: "@Offline model Task { id: Int; size: Int }"
      ) { store in
        try await store.sync(#"[{"id": "1", "size": "big"}, {"id": "b", "size": "2"}]"#)
        try await store.run("UPDATE Task SET size = '5'")
        try await store.run("DELETE FROM Task WHERE id = 'b'")
      }
    }
    for part in [
      "Task.id: 1 value of edits cannot be converted to Int, the first is “b”. Push or discard the edits",
      "Task.size: 1 value of edits cannot be converted to Int, the first is “big”. Push or discard the edits",
    ] {
      #expect("\(error as Any)".components(separatedBy: part).count == 2)
    }
  }

  @Test func refusedConversionOfParentsNamesTheParentScope() async throws {
    func schema(_ type: String) -> String {
      """
      @Offline model Board { id: \(type); lanes: [Lane] }
      @Offline @ParentScoped(\\.board) model Lane { id: Int; board: Board }
      """
    }
    let error = await #expect(throws: SyncError.self) {
      try await evolve(schema("String"), to: schema("Int")) { store in
        try await store.sync(#"[{"id": "b", "lanes": [{"id": 4}]}]"#, as: "Board")
        try await store.run("DELETE FROM Board")
      }
    }
    let message = "\(error as Any)"
    #expect(message.contains("Lane.board: 1 value of edits cannot be converted to Int, the first is “b”"))
    #expect(!message.contains("Lane.id"))
  }
}
