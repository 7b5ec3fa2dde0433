import Foundation
import GRDB
import Syncline
import TestSupport
import Testing

/// Tables of users that become the tables of models.
@Suite struct AdoptedTableTests {
  private func open(_ sql: String, identity: String = "Int") async throws -> TextStore {
    let queue = try DatabaseQueue()
    try await queue.write { try $0.execute(sql: sql) }
    return try TextStore(
      "model Item { id: \(identity); name: String; n: Int?; box: Box? } model Box { id: String; name: String? }",
      in: .database(queue))
  }

  private func refusal(of sql: String, identity: String = "Int") async -> String? {
    do {
      _ = try await open(sql, identity: identity)
    } catch SyncError.containerInitialization(let reason) {
      return reason
    } catch {
      return "\(error)"
    }
    return nil
  }

  @Test(arguments: [
    ("id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE ON CONFLICT IGNORE, n INTEGER", "IGNORE", "name"),
    ("id INTEGER PRIMARY KEY, name TEXT NOT NULL on  conflict /**/ ignore, n INTEGER", "IGNORE", "name"),
    (
      "id INTEGER PRIMARY KEY, name TEXT NOT NULL, n INTEGER, UNIQUE (name, n) ON CONFLICT REPLACE",
      "REPLACE",
      "UNIQUE"
    ),
  ])
  func conflictClauseThatLosesRowsIsRefused(_ columns: String, _ action: String, _ part: String) async throws
  {
    let refusal = try #require(await refusal(of: "CREATE TABLE Item (\(columns))"))
    #expect(refusal.hasPrefix("the table “Item” has a constraint with ON CONFLICT \(action)"), "\(refusal)")
    #expect(refusal.contains(": “\(part) "), "\(refusal)")
  }

  /// A sync inserts no row that is stored, so the clause has no effect on it.
  @Test(arguments: [
    "id INTEGER PRIMARY KEY ON CONFLICT REPLACE, name TEXT NOT NULL, n INTEGER",
    "id INTEGER NOT NULL, name TEXT NOT NULL, n INTEGER, PRIMARY KEY (id) ON CONFLICT IGNORE",
  ])
  func conflictClauseOfThePrimaryKeyIsAllowed(_ columns: String) async throws {
    let store = try await open("CREATE TABLE Item (\(columns))")
    try await store.sync(#"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]"#)
    let payload = #"[{"id": 2, "name": "c"}, {"id": 3, "name": "d"}, {"id": 1, "name": "a"}]"#
    let report = try await store.sync(payload)
    #expect((report.inserted, report.updated, report.unchanged) == (1, 1, 1))
    #expect(try await store.rows("SELECT id, name FROM Item ORDER BY id") == ["1 a", "2 c", "3 d"])
  }

  @Test(arguments: ["ROLLBACK", "ABORT", "FAIL"])
  func conflictClauseThatThrowsIsAllowed(_ action: String) async throws {
    let store = try await open(
      "CREATE TABLE Item (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE ON CONFLICT \(action), n INTEGER)"
    )
    try await store.sync(#"[{"id": 1, "name": "a"}]"#)
    await #expect(throws: DatabaseError.self) {
      try await store.sync(#"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}, {"id": 3, "name": "a"}]"#)
    }
    #expect(try await store.rows("SELECT id FROM Item") == ["1"])
    try await store.sync(#"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]"#)
  }

  @Test(arguments: ["", " STORED"]) func generatedColumnOfAPropertyIsRefused(_ kind: String) async {
    let refusal = await refusal(
      of: "CREATE TABLE Item (id INTEGER PRIMARY KEY, name TEXT NOT NULL, n INTEGER AS (id + 1)\(kind))")
    #expect(refusal?.hasPrefix("the column “Item.n” is GENERATED") == true, "\(refusal ?? "")")
  }

  /// Otherwise `a` would be the row `A`, and the order of the rows would not be that of the payload.
  @Test(arguments: ["NOCASE", "RTRIM"]) func collationOfAnIdentityIsRefused(_ collation: String) async {
    let identity = await refusal(
      of:
        "CREATE TABLE Item (id TEXT PRIMARY KEY NOT NULL COLLATE \(collation), name TEXT NOT NULL, n INTEGER)",
      identity: "String")
    #expect(identity?.hasPrefix("the column “Item.id” has the collation \(collation)") == true)
    let reference = await refusal(
      of: "CREATE TABLE Item (id INTEGER PRIMARY KEY, name TEXT NOT NULL, box TEXT COLLATE \(collation))")
    #expect(reference?.hasPrefix("the column “Item.box” has the collation \(collation)") == true)
  }

  @Test func collationOfAValueIsKept() async throws {
    let store = try await open(
      "CREATE TABLE Item (id TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL COLLATE NOCASE, n INTEGER)",
      identity: "String")
    try await store.sync(#"[{"id": "a", "name": "x"}]"#)
    #expect(try await store.sync(#"[{"id": "a", "name": "X"}]"#).totals.updated == 1)
    #expect(try await store.rows("SELECT name FROM Item") == ["X"])
  }

  @Test func observedListComparesByTheCollationOfItsColumn() async throws {
    let store = try await open(
      "CREATE TABLE Item (id INTEGER PRIMARY KEY, name TEXT NOT NULL COLLATE NOCASE, n INTEGER)",
      identity: "Int")
    try await store.sync(#"[{"id": 1, "name": "y"}]"#)
    func follow<Model: SyncUpdatableModel>(_ model: Model.Type) async throws {
      var values = store.container.values(of: model, where: GRDB.Column("name") == "x").makeAsyncIterator()
      #expect(try await values.next()?.count == 0)
      try await store.run("UPDATE Item SET name = 'X'")
      #expect(try await values.next()?.count == 1)
    }
    try await follow(store.model())
  }

  @Test(arguments: ["Int", "String"]) func identityThatIsNotUniqueBecomesThePrimaryKey(_ identity: String)
    async throws
  {
    let columns = "id \(identity == "Int" ? "INTEGER" : "TEXT") NOT NULL, name TEXT NOT NULL, own TEXT"
    let store = try await open(
      "CREATE TABLE Item (\(columns)); INSERT INTO Item VALUES (1, 'a', 'x')", identity: identity)
    #expect(try await store.rows("SELECT name FROM pragma_table_info('Item') WHERE pk = 1") == ["id"])
    #expect(try await store.rows("SELECT id, name, own FROM Item") == ["1 a x"])
    let refusal = await refusal(
      of: "CREATE TABLE Item (\(columns)); INSERT INTO Item (id, name) VALUES (1, 'a'), (1, 'b')",
      identity: identity)
    #expect(refusal?.hasPrefix("Item: 1 identity would be the same for several rows, the first is") == true)
  }

  @Test func uniqueColumnMayBeTheIdentity() async throws {
    let columns = "number INTEGER PRIMARY KEY, id INTEGER NOT NULL UNIQUE, name TEXT NOT NULL, n INTEGER"
    let store = try await open("CREATE TABLE Item (\(columns))")
    #expect(store.container.evolution?.rebuiltTables.contains("Item") != true)
    try await store.sync(#"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]"#)
    #expect(try await store.sync(#"[{"id": 2, "name": "b"}]"#).totals.deleted == 1)
  }

  /// Whether the schema has the column of the key or not.
  @Test(arguments: [
    ("number INTEGER PRIMARY KEY, id INTEGER NOT NULL, name TEXT NOT NULL", "number"),
    (
      "number INTEGER, id INTEGER NOT NULL UNIQUE, name TEXT NOT NULL, CONSTRAINT pk PRIMARY KEY (number)",
      "number"
    ),
    ("code TEXT PRIMARY KEY, id INTEGER NOT NULL, name TEXT NOT NULL", "code"),
    ("id INTEGER NOT NULL, name TEXT NOT NULL, CONSTRAINT pk PRIMARY KEY (id)", "id"),
  ])
  func copiedTableKeepsItsPrimaryKey(_ columns: String, _ key: String) async throws {
    let queue = try DatabaseQueue()
    try await queue.write { try $0.execute(sql: "CREATE TABLE Item (\(columns))") }
    let first = try TextStore("model Item { id: Int; name: String }", in: .database(queue))
    try await first.sync(#"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]"#)
    let numbers = try await first.rows("SELECT rowid, id FROM Item ORDER BY id")
    let second = try TextStore("model Item { id: Int; name: String? }", in: .database(queue))
    #expect(second.container.evolution?.rebuiltTables == ["Item"])
    #expect(try await second.rows("SELECT rowid, id FROM Item ORDER BY id") == numbers)
    #expect(try await second.rows("SELECT name FROM pragma_table_info('Item') WHERE pk = 1") == [key])
    let report = try await second.sync(#"[{"id": 1, "name": "a"}, {"id": 3}]"#)
    #expect((report.inserted, report.unchanged, report.deleted) == (1, 1, 1))
    await #expect(throws: DatabaseError.self) { try await second.run("INSERT INTO Item (id) VALUES (3)") }
  }

  /// A sync writes related rows in any order, so the foreign key is checked at the end of the transaction.
  @Test(arguments: [
    "project INTEGER NOT NULL REFERENCES Project(id)",
    "project INTEGER NOT NULL REFERENCES Project ON DELETE CASCADE",
    "project INTEGER NOT NULL, CONSTRAINT fk FOREIGN KEY (project) REFERENCES Project(id)",
    "project INTEGER NOT NULL",
  ])
  func toOneColumnGetsTheForeignKeyOfTheSchema(_ column: String) async throws {
    let queue = try DatabaseQueue()
    try await queue.write {
      try $0.execute(
        sql: """
          CREATE TABLE Project (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
          CREATE TABLE Todo (id INTEGER PRIMARY KEY, title TEXT NOT NULL, \(column));
          INSERT INTO Project VALUES (1, 'p'); INSERT INTO Todo VALUES (1, 'a', 1);
          """)
    }
    let store = try TextStore(
      """
      model Todo { id: Int; title: String; project: Project }
      model Project { id: Int; name: String; todos: [Todo] }
      """, in: .database(queue))
    #expect(store.container.evolution?.rebuiltTables == ["Todo"])
    #expect(
      try await store.rows(#"SELECT "from", "table", "on_delete" FROM pragma_foreign_key_list('Todo')"#) == [
        "project Project CASCADE"
      ])
    let report = try await store.sync(
      #"[{"id": 1, "title": "a"}, {"id": 2, "title": "b", "project": {"id": 5, "name": "q"}}]"#)
    #expect((report.totals.inserted, report.totals.unchanged) == (2, 1))
    #expect(try await store.rows("SELECT id, project FROM Todo ORDER BY id") == ["1 1", "2 5"])
  }

  @Test func keyOfAMissingRowBecomesAPendingLink() async throws {
    let store = try await open(
      """
      CREATE TABLE Item (id INTEGER PRIMARY KEY, name TEXT NOT NULL, box TEXT);
      INSERT INTO Item VALUES (1, 'a', 'x')
      """)
    #expect(try await store.rows("SELECT box FROM Item") == ["-"])
    try await store.sync(#"[{"id": "x"}]"#, as: "Box")
    #expect(try await store.rows("SELECT box FROM Item") == ["x"])
  }

  /// No sync could insert a row.
  @Test func requiredKeyThatTheSchemaLacksIsRefused() async {
    let refusal = await refusal(
      of: "CREATE TABLE Item (code TEXT NOT NULL PRIMARY KEY, id INTEGER NOT NULL UNIQUE, name TEXT NOT NULL)"
    )
    #expect(refusal?.hasPrefix("the column “Item.code” is not in the schema, and is NOT NULL") == true)
  }

  @Test func columnNamesMayDifferInCase() async throws {
    let store = try await open(
      "CREATE TABLE item (ID INTEGER PRIMARY KEY, NAME TEXT NOT NULL, n INTEGER); INSERT INTO item VALUES (1, 'a', 2)"
    )
    #expect(try await store.export("Item").contains(#""name":"a""#))
    #expect(try await store.sync(#"[{"id": 1, "name": "a"}]"#).isUnchanged)
  }
}
