import Foundation
import Testing

@testable import Syncline

/// What users have made beside the models, and of their tables.
@Suite struct UsersOwnTests {
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

  @Test func tablesOfUsersStayWithTheirLinksToRows() throws {
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

  @Test func columnsChecksAndCollationsOfUsersStayWhenTheirTableIsCopied() throws {
    let store = try store(
      """
      DROP TABLE Task;
      CREATE TABLE Task (
        "id" TEXT PRIMARY KEY NOT NULL, -- a comment, (with) marks
        "title" TEXT NOT NULL COLLATE NOCASE CHECK (length("title") < 5),
        mine INTEGER NOT NULL DEFAULT (1 + 2),
        "note" TEXT, "project" INTEGER REFERENCES "Project"("id") ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED,
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
  }

  @Test func indexesTriggersAndViewsOfUsersAreMadeAgainWordByWord() throws {
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

  @Test func rowsKeepTheirNumbers() throws {
    let store = try store("")
    let numbers = try store.rows("SELECT rowid, id FROM Task")
    #expect(numbers == ["1|a", "3|c"])
    try store.evolve(to: copied)
    #expect(try store.rows("SELECT rowid, id FROM Task") == numbers)
  }

  @Test func aFullTextIndexOfACopiedTableStays() throws {
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
  func whatAFullTextIndexReadsIsNotRenamedUnderIt(text: String, reason: String) throws {
    let store = try store(
      "CREATE VIRTUAL TABLE found USING fts5(title, content='Task', content_rowid='rowid')")
    #expect(try store.refusal(of: text).hasPrefix(reason))
  }

  @Test(arguments: [
    ("CREATE INDEX mine ON Task(note, title)", "Task.note is dropped, and the index “mine” hangs on it"),
    (
      "CREATE VIEW notes AS SELECT note FROM Task",
      "error in view notes after drop column: no such column: note"
    ),
    (
      "CREATE TRIGGER watch AFTER UPDATE OF title, note ON Task BEGIN SELECT 1; END",
      "Task.note is dropped, and the trigger “watch” hangs on it"
    ),
    (
      "CREATE TABLE log (x); CREATE TRIGGER far AFTER INSERT ON log BEGIN UPDATE Task SET note = 1; END",
      "the trigger “far” would not compile: no such column: note"
    ),
  ])
  func whatHangsOnADroppedColumnKeepsIt(sql: String, reason: String) throws {
    let store = try store(sql)
    let refusal = try store.refusal(
      of:
        "model Task { id: String; title: String; project: Project? } model Project { id: Int; tasks: [Task] }"
    )
    #expect(refusal.contains(reason), "\(refusal)")
  }

  @Test(arguments: [
    ("CREATE INDEX mine ON Task(note, title)", "Task is dropped, and the index “mine” hangs on it"),
    ("CREATE VIEW notes AS SELECT note FROM Task", "the view “notes” would not compile"),
    (
      "CREATE TRIGGER watch AFTER UPDATE OF note ON Task BEGIN SELECT 1; END",
      "Task is dropped, and the trigger “watch” hangs on it"
    ),
    (
      "CREATE TABLE own (task TEXT REFERENCES Task)",
      "Task is dropped, and a foreign key of the table “own” leads to it"
    ),
  ])
  func whatHangsOnADroppedModelKeepsIt(sql: String, reason: String) throws {
    let refusal = try store(sql).refusal(of: "model Project { id: Int }")
    #expect(refusal.contains(reason), "\(refusal)")
  }

  @Test func aViewThatIsBrokenAlreadyStaysAsItIs() throws {
    let sql = "CREATE VIEW broken AS SELECT absent FROM nowhere"
    let store = try store(
      sql + "; CREATE TRIGGER bad AFTER INSERT ON Task BEGIN INSERT INTO nowhere VALUES (1); END;")
    try store.evolve(
      to: #"@RenamedFrom("Task") model Todo { id: String; title: String } model Project { id: Int }"#)
    #expect(try store.rows("SELECT sql FROM sqlite_master WHERE type = 'view'") == [sql])
  }

  @Test func aViolationThatWasThereBeforeStays() throws {
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

  @Test func aColumnThatWasDroppedByHandIsNamed() throws {
    let store = try store("ALTER TABLE Task DROP COLUMN note")
    #expect(try store.refusal(of: copied) == "the table “Task” has no column “note”")
    #expect(try store.refusal(of: text) == "the table “Task” has no column “note”")
  }

  @Test func statisticsStay() throws {
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
