import Foundation
import SynclineSchema
import Testing

@testable import Syncline

/// What users have made beside the models, and of their tables.
@Suite struct UserDefinedObjectTests {
  private let text =
    "model Task { id: String; title: String; note: String?; project: Project? } model Project { id: Int; tasks: [Task] }"
  /// Has the table of tasks copied.
  private let copied =
    "model Task { id: String; title: String?; note: String?; project: Project? } model Project { id: Int; tasks: [Task] }"

  private func store(_ sql: String) throws -> EvolvingStore {
    try EvolvingStore(
      text,
      """
      INSERT INTO Project VALUES (1), (2);
      INSERT INTO Task VALUES ('a', 'x', NULL, 1), ('b', 'y', NULL, 2), ('c', 'z', NULL, NULL);
      DELETE FROM Task WHERE id = 'b';
      """ + sql)
  }

  @Test func userTablesKeepTheirRowsAndForeignKeys() throws {
    let store = try store(
      """
      CREATE TABLE own (id INTEGER PRIMARY KEY, task TEXT REFERENCES Task(id) ON DELETE CASCADE);
      INSERT INTO own VALUES (1, 'a'), (2, 'c');
      """)
    try store.evolve(to: copied, leaving: ["own"])
    #expect(try store.rows("SELECT * FROM own") == ["1|a", "2|c"])
    try store.evolve(
      to: copied.replacing("model Task", with: #"@RenamedFrom("Task") model Todo"#).replacing(
        "[Task]", with: "[Todo]"),
      leaving: ["own"])
    try store.execute("DELETE FROM Todo WHERE id = 'a'")
    #expect(try store.rows("SELECT * FROM own") == ["2|c"])
  }

  @Test func userColumnsAndConstraintsSurviveATableRebuild() throws {
    let store = try store(
      """
      DROP TABLE Task;
      CREATE TABLE Task (
        "id" TEXT PRIMARY KEY NOT NULL, -- a comment, (with) marks
        "title" TEXT NOT NULL COLLATE NOCASE CHECK (length("title") < 5),
        mine INTEGER NOT NULL DEFAULT (1 + 2),
        "note" TEXT COLLATE NOCASE UNIQUE, "project" INTEGER REFERENCES "Project"("id") ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED,
        long TEXT GENERATED ALWAYS AS (title || '!') VIRTUAL,
        kept TEXT AS (title || '?') STORED,
        CONSTRAINT few CHECK (mine < 10), UNIQUE (mine, "title")
      );
      INSERT INTO Task (id, title, mine) VALUES ('a', 'x', 7);
      """)
    let evolution = try store.evolve(to: copied)
    #expect(evolution.rebuiltTables == ["Task"])
    #expect(try store.rows("SELECT id, title, mine, long, kept FROM Task") == ["a|x|7|x!|x?"])
    try store.execute("INSERT INTO Task (id) VALUES ('b')")
    #expect(try store.rows("SELECT mine FROM Task WHERE id = 'b'") == ["3"])
    #expect(try store.rows("SELECT count(*) FROM Task WHERE title = 'X'") == ["1"])
    #expect(throws: DatabaseError.self) { try store.execute("UPDATE Task SET mine = 11") }
    #expect(throws: DatabaseError.self) { try store.execute("UPDATE Task SET title = '12345'") }
    #expect(throws: DatabaseError.self) { try store.execute("UPDATE Task SET note = 'same'") }
  }

  @Test func userIndexesTriggersAndViewsAreRecreatedVerbatim() throws {
    let store = try store(
      """
      CREATE INDEX mine ON Task(title COLLATE NOCASE DESC, lower(note)) WHERE note IS NOT NULL;
      CREATE TABLE log (what TEXT);
      CREATE TRIGGER watch AFTER UPDATE OF title ON Task BEGIN INSERT INTO log VALUES (new.title); END;
      CREATE TRIGGER far AFTER INSERT ON log WHEN new.what = 'touch' BEGIN UPDATE Task SET note = 'touched'; END;
      CREATE VIEW titles AS SELECT id, title FROM Task;
      CREATE TRIGGER through INSTEAD OF DELETE ON titles BEGIN DELETE FROM Task WHERE id = old.id; END;
      """)
    let before = try store.rows(
      "SELECT name, sql FROM sqlite_master WHERE type IN ('index', 'trigger', 'view') ORDER BY name")
    try store.evolve(to: copied, leaving: ["log"])
    #expect(
      try store.rows(
        "SELECT name, sql FROM sqlite_master WHERE type IN ('index', 'trigger', 'view') ORDER BY name")
        == before)
    // Nobody was told of an edit that nobody made.
    #expect(try store.rows("SELECT * FROM log") == [])
    try store.execute(
      "UPDATE Task SET title = 'new' WHERE id = 'a'; INSERT INTO log VALUES ('touch'); DELETE FROM titles WHERE id = 'c'"
    )
    #expect(try store.rows("SELECT id, title, note FROM Task") == ["a|new|touched"])
    #expect(try store.rows("SELECT * FROM log") == ["new", "touch"])
  }

  @Test func brokenViewIsRecreatedWithItsTriggers() throws {
    let store = try store(
      """
      CREATE VIEW bad AS SELECT id, absent FROM Task;
      CREATE TRIGGER through INSTEAD OF DELETE ON bad BEGIN DELETE FROM Task WHERE id = old.id; END;
      """)
    let before = try store.rows(
      "SELECT sql FROM sqlite_master WHERE type IN ('view', 'trigger') ORDER BY name")
    try store.evolve(to: copied)
    #expect(
      try store.rows("SELECT sql FROM sqlite_master WHERE type IN ('view', 'trigger') ORDER BY name")
        == before)
    #expect(before.count == 2)
  }

  /// Links are written to a new table where the identities at one end are of another type.
  @Test(arguments: [
    (
      #"CREATE TRIGGER mine AFTER INSERT ON "Tag.tasks" BEGIN SELECT 1; END"#,
      "the trigger “mine” depends on it"
    ),
    (#"CREATE INDEX mine ON "Tag.tasks"(target, source)"#, "the index “mine” depends on it"),
    (#"ALTER TABLE "Tag.tasks" ADD COLUMN mine TEXT"#, "and the column “mine” is in it"),
  ])
  func joinTableWithUserObjectsIsNotDropped(sql: String, reason: String) throws {
    func text(_ type: String) -> String {
      "model Task { id: Int; @Relationship(inverse: \\Tag.tasks) tags: [Tag] } model Tag { id: \(type); tasks: [Task] }"
    }
    let store = try EvolvingStore(
      text("Int"),
      #"INSERT INTO Task VALUES (1); INSERT INTO Tag VALUES (2); INSERT INTO "Tag.tasks" VALUES (2, 1);"#
        + sql)
    #expect(try store.refusal(of: text("String")).contains(reason))
    #expect(try store.refusal(of: text("String")).hasPrefix("Tag.tasks is dropped"))
  }

  /// A full-text index knows rows by their numbers, or by the column that it was told.
  @Test func changesThatBreakAFullTextIndexAreRefused() throws {
    let store = try EvolvingStore(
      "model Task { id: Int; title: String } model Note { id: String; title: String }",
      """
      CREATE VIRTUAL TABLE tasks USING fts5(title, content='Task', content_rowid='id');
      CREATE VIRTUAL TABLE notes USING fts5(title, content='Note', content_rowid='rowid');
      """)
    let renamed =
      #"model Task { @PrimaryKey @RenamedFrom("id") number: Int; title: String } model Note { id: String; title: String }"#
    #expect(
      try store.refusal(of: renamed).hasPrefix("Task.id is renamed, and the virtual table “tasks” reads it"))
    let renumbered = "model Task { id: Int; title: String } model Note { id: Int; title: String }"
    #expect(
      try store.refusal(of: renumbered).hasPrefix(
        "the rowids of Note change, and the virtual table “notes” refers to them"))
    let taken =
      "model Task { id: Int; title: String } model Note { id: String; title: String } model notes { id: Int }"
    #expect(try store.refusal(of: taken).hasPrefix("the virtual table “notes” has the name of a model"))
  }

  @Test func mismatchedUserForeignKeyDoesNotPreventEvolution() throws {
    let store = try store("CREATE TABLE p (a); CREATE TABLE ch (x REFERENCES p(a));")
    try store.execute("PRAGMA foreign_keys")
    _ = try SchemaEvolution(to: schema(copied)).run(store.database)
    #expect(try store.rows("SELECT id FROM Task ORDER BY 1") == ["a", "c"])
  }

  /// A table that was a model's, and is its user's now.
  @Test func tableOfANowHandwrittenModelIsKept() throws {
    let store = try store("")
    let evolution = SchemaEvolution(
      to: try schema("model Project { id: Int }"),
      declaring: .init(handwritten: [.init(model: "Task", property: "id")]))
    let result = try evolution.run(store.database)
    #expect(result?.changes == [])
    #expect(try store.rows("SELECT id FROM Task ORDER BY 1") == ["a", "c"])
    #expect(try evolution.run(store.database) == nil)
  }

  /// A container of some models says nothing of the others.
  @Test func evolutionWithSomeModelsIsRefusedIfOthersHaveRows() throws {
    let store = try store("")
    let some = SchemaEvolution(to: try schema("model Project { id: Int; name: String? }"), isWhole: false)
    let before = try store.everything()
    #expect {
      _ = try some.run(store.database)
    } throws: { error in
      (error as? SyncError)
        == SyncError.containerInitialization(
          reason: """
            the store also has rows of Task, which the container was not given. Open it with the schema or with all models, or \
            delete the rows in `beforeEvolution`
            """)
    }
    #expect(try store.everything() == before)
    try store.execute("DELETE FROM Task")
    #expect(try some.run(store.database)?.changes.count == 3)
  }

  /// A database without a stored schema may have tables of earlier names, and names in another letter case.
  @Test(arguments: ["teams", "team", "Team"])
  func adoptedTableMayReferenceARenamedTable(table: String) throws {
    let database = try DatabaseQueue()
    try database.write { db in
      try db.execute(
        sql: """
          CREATE TABLE \(table) (id INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL);
          CREATE TABLE Player (id INTEGER NOT NULL PRIMARY KEY, team INTEGER);
          INSERT INTO \(table) VALUES (7, 'Bern'); INSERT INTO Player VALUES (1, 7), (2, NULL);
          """)
    }
    let text = """
      @RenamedFrom("teams") model Team { id: Int; name: String; players: [Player] }
      model Player { id: Int; team: Team? }
      """
    _ = try SchemaEvolution(to: try schema(text)).run(database)
    let rows = try database.read { db in
      try Row.fetchAll(
        db, sql: "SELECT Player.id, name FROM Player LEFT JOIN Team ON Team.id = team ORDER BY 1"
      )
      .map { "\($0)" }
    }
    #expect(rows == ["[id:1 name:\"Bern\"]", "[id:2 name:NULL]"])
  }

  /// The model of a new table's relationship may have the former name of another.
  @Test func adoptedTableMayReferenceAModelWithSwappedName() throws {
    let database = try DatabaseQueue()
    _ = try SchemaEvolution(to: try schema("model A { id: Int; x: String }; model B { id: Int; y: String }"))
      .run(database)
    try database.write { db in
      try db.execute(
        sql: """
          INSERT INTO A VALUES (1, 'first'); INSERT INTO B VALUES (2, 'second');
          CREATE TABLE P (id INTEGER NOT NULL PRIMARY KEY, a INTEGER); INSERT INTO P VALUES (3, 2);
          """)
    }
    let text = """
      @RenamedFrom("B") model A { id: Int; y: String }
      @RenamedFrom("A") model B { id: Int; x: String }
      model P { id: Int; a: A? }
      """
    _ = try SchemaEvolution(to: try schema(text)).run(database)
    #expect(
      try database.read { try String.fetchOne($0, sql: "SELECT y FROM P JOIN A ON A.id = a") } == "second")
  }

  // MARK: Steps that do as they like

  @Test(arguments: [true, false])
  func danglingForeignKeysLeftByAStepAreRefused(isBefore: Bool) throws {
    let store = try store("")
    let step: SyncConfiguration.EvolutionStep = { database, _ in
      try database.execute(sql: "DELETE FROM Project WHERE id = 1")
    }
    let configuration =
      isBefore ? SyncConfiguration(beforeEvolution: step) : SyncConfiguration(afterEvolution: step)
    let renamed = text.replacing("title:", with: #"@RenamedFrom("title") name:"#)
    let before = try store.everything()
    #expect {
      _ = try SchemaEvolution(to: try schema(renamed), configuration).run(store.database)
    } throws: { error in
      (error as? SyncError)
        == SyncError.containerInitialization(
          reason: """
            rows of “Task” would have dangling foreign keys: foreign keys are off in `beforeEvolution` and `afterEvolution`, so \
            delete the rows that reference a deleted row, too
            """)
    }
    #expect(try store.everything() == before)
  }

  @Test func evolutionStepCannotCommitAndItsPragmasAreReset() throws {
    let store = try store("")
    let renamed = #"""
      model Task { id: String; title: String; note: String?; @RenamedFrom("project") folder: Folder? }
      @RenamedFrom("Project") model Folder { id: Int; tasks: [Task] }
      """#
    try store.evolve(
      to: renamed,
      SyncConfiguration(beforeEvolution: { database, _ in
        try database.execute(sql: "PRAGMA legacy_alter_table = ON")
      }))
    #expect(try store.rows("SELECT \"table\" FROM pragma_foreign_key_list('Task')") == ["Folder"])
    #expect {
      try store.evolve(
        to: renamed + " model Other { id: Int }",
        SyncConfiguration(beforeEvolution: { database, _ in try database.execute(sql: "COMMIT") }))
    } throws: { error in
      (error as? SyncError)
        == SyncError.containerInitialization(
          reason: "`beforeEvolution` has ended the transaction that the store is evolved in")
    }
  }

  @Test func viewsAndTriggersFollowARename() throws {
    let store = try store(
      """
      CREATE TABLE log (what TEXT);
      CREATE VIEW titles AS SELECT id, title FROM Task;
      CREATE TRIGGER watch AFTER UPDATE OF title ON Task BEGIN INSERT INTO log VALUES (new.title); END;
      """)
    try store.evolve(
      to: """
        @RenamedFrom("Task") model Todo { id: String; @RenamedFrom("title") name: String?; note: String?; project: Project? }
        model Project { id: Int; tasks: [Todo] }
        """, leaving: ["log"])
    try store.execute("UPDATE Todo SET name = 'new' WHERE id = 'a'")
    #expect(try store.rows("SELECT * FROM titles") == ["a|new", "c|z"])
    #expect(try store.rows("SELECT * FROM log") == ["new"])
  }

  @Test func rowsKeepTheirRowidsInATableRebuild() throws {
    let store = try store("")
    let numbers = try store.rows("SELECT rowid, id FROM Task")
    #expect(numbers == ["1|a", "3|c"])
    try store.evolve(to: copied)
    #expect(try store.rows("SELECT rowid, id FROM Task") == numbers)
  }

  @Test func fullTextIndexOfARebuiltTableStaysValid() throws {
    let store = try store(
      """
      CREATE VIRTUAL TABLE found USING fts5(title, content='Task', content_rowid='rowid');
      INSERT INTO found(found) VALUES ('rebuild');
      """)
    try store.evolve(
      to: copied, leaving: ["found", "found_config", "found_data", "found_docsize", "found_idx"])
    #expect(try store.rows("SELECT rowid, title FROM found WHERE found MATCH 'z'") == ["3|z"])
  }

  @Test(arguments: [
    (
      #"@RenamedFrom("Task") model Todo { id: String; title: String; note: String?; project: Project? } model Project { id: Int; tasks: [Todo] }"#,
      "Task is renamed, and the virtual table “found” reads it."
    ),
    (
      #"model Task { id: String; @RenamedFrom("title") name: String; note: String?; project: Project? } model Project { id: Int; tasks: [Task] }"#,
      "Task.title is renamed, and the virtual table “found” reads it."
    ),
    (
      "model Task { id: String; note: String?; project: Project? } model Project { id: Int; tasks: [Task] }",
      "Task.title is dropped, and the virtual table “found” reads it."
    ),
    ("model Project { id: Int }", "Task is dropped, and the virtual table “found” reads it."),
  ])
  func fullTextIndexSourcesCannotBeRenamedOrDropped(text: String, reason: String) throws {
    let store = try store(
      "CREATE VIRTUAL TABLE found USING fts5(title, content='Task', content_rowid='rowid')")
    #expect(try store.refusal(of: text).hasPrefix(reason))
  }

  @Test(arguments: [
    ("CREATE INDEX mine ON Task(note, title)", "Task.note is dropped, and the index “mine” depends on it"),
    (
      "CREATE VIEW notes AS SELECT note FROM Task",
      "error in view notes after drop column: no such column: note"
    ),
    (
      "CREATE TRIGGER watch AFTER UPDATE OF title, note ON Task BEGIN SELECT 1; END",
      "Task.note is dropped, and the trigger “watch” depends on it"
    ),
    (
      "CREATE TABLE log (x); CREATE TRIGGER far AFTER INSERT ON log BEGIN UPDATE Task SET note = 1; END",
      "the trigger “far” would not compile: no such column: note"
    ),
  ])
  func columnUsedByAUserObjectIsNotDropped(sql: String, reason: String) throws {
    let store = try store(sql)
    let refusal = try store.refusal(
      of:
        "model Task { id: String; title: String; project: Project? } model Project { id: Int; tasks: [Task] }"
    )
    #expect(refusal.contains(reason), "\(refusal)")
  }

  @Test(arguments: [
    ("CREATE INDEX mine ON Task(note, title)", "Task is dropped, and the index “mine” depends on it"),
    ("CREATE VIEW notes AS SELECT note FROM Task", "the view “notes” would not compile"),
    (
      "CREATE TRIGGER watch AFTER UPDATE OF note ON Task BEGIN SELECT 1; END",
      "Task is dropped, and the trigger “watch” depends on it"
    ),
    (
      "CREATE TABLE own (task TEXT REFERENCES Task)",
      "Task is dropped, and a foreign key of the table “own” refers to it"
    ),
  ])
  func modelUsedByAUserObjectIsNotDropped(sql: String, reason: String) throws {
    let refusal = try store(sql).refusal(of: "model Project { id: Int }")
    #expect(refusal.contains(reason), "\(refusal)")
  }

  /// SQLite would refuse each write to the two tables.
  @Test(arguments: ["id", "email"])
  func columnThatAForeignKeyOfAUserReferencesStaysUnique(column: String) throws {
    let store = try EvolvingStore(
      "model User { id: Int; number: Int; @Unique email: String }",
      "CREATE TABLE own (user REFERENCES User(\(column)))")
    let text = "model User { id: Int; @PrimaryKey number: Int; email: String }"
    #expect(
      try store.refusal(of: text)
        == #"the foreign key of the table “own” would not compile: foreign key mismatch - "own" referencing "User""#
    )
    try store.evolve(to: "model User { id: Int; number: Int?; @Unique email: String }", leaving: ["own"])
  }

  @Test func aViewThatIsBrokenAlreadyStaysAsItIs() throws {
    let sql = "CREATE VIEW broken AS SELECT absent FROM nowhere"
    let store = try store(
      sql + "; CREATE TRIGGER bad AFTER INSERT ON Task BEGIN INSERT INTO nowhere VALUES (1); END;")
    try store.evolve(
      to: #"@RenamedFrom("Task") model Todo { id: String; title: String } model Project { id: Int }"#)
    #expect(try store.rows("SELECT sql FROM sqlite_master WHERE type = 'view'") == [sql])
  }

  @Test func existingForeignKeyViolationIsTolerated() throws {
    let store = try store("")
    try store.database.writeWithoutTransaction { db in
      try db.execute(
        sql:
          "PRAGMA foreign_keys = OFF; UPDATE Task SET project = 77 WHERE id = 'a'; PRAGMA foreign_keys = ON")
    }
    let evolution = SchemaEvolution(to: try schema(copied))
    #expect(try evolution.run(store.database)?.rebuiltTables == ["Task"])
    #expect(try store.rows("SELECT id, project FROM Task ORDER BY id") == ["a|77", "c|-"])
  }

  @Test func manuallyDroppedColumnIsNamedInTheError() throws {
    let store = try store("ALTER TABLE Task DROP COLUMN note")
    #expect(try store.refusal(of: copied) == "the table “Task” has no column “note”")
    #expect(try store.refusal(of: text) == "the table “Task” has no column “note”")
  }

  @Test func analyzeStatisticsSurviveATableRebuild() throws {
    let store = try store("ANALYZE")
    let before = try store.rows("SELECT * FROM sqlite_stat1 ORDER BY 1, 2")
    #expect(before.count > 1)
    try store.evolve(to: copied)
    #expect(try store.rows("SELECT * FROM sqlite_stat1 ORDER BY 1, 2") == before)
  }

  @Test func strictTablesStayStrict() throws {
    let store = try EvolvingStore("model Task { id: Int; n: Int }")
    try store.execute(
      "DROP TABLE Task; CREATE TABLE Task (id INTEGER PRIMARY KEY NOT NULL, n INTEGER NOT NULL) STRICT")
    try store.evolve(to: "model Task { id: Int; n: Int? }")
    #expect(throws: DatabaseError.self) { try store.execute("INSERT INTO Task VALUES (1, 'x')") }
  }
}
