import Foundation
import GRDBSQLite
import TestSupport
import Testing

@testable import Syncline

/// Files whose schema changes: what is looked at, by whom, and what a failure leaves.
@Suite struct FileEvolutionTests {
  private let folder = TemporaryFolder()
  private let first = "model Task { id: Int; title: String?; note: String? }"
  private let second = #"model Task { id: Int; @RenamedFrom("title") name: String; level: Int = 1 }"#

  private func open(
    _ file: URL, _ text: String, recovering: Bool = false
  ) throws -> StoreOpening.Opened {
    let defaults = [SchemaRelation.End(model: "Task", property: "level"): "1"]
    return try StoreOpening(
      storage: .file(file), schema: SchemaEvolution(to: schema(text), declaring: .init(defaults: defaults))
    )
    .run(recovering: recovering)
  }

  /// A store of the first schema or another one, closed.
  private func makeFile(
    _ sql: String = "INSERT INTO Task VALUES (1, 'a', 'b'), (2, 'c', NULL)", of text: String? = nil
  ) throws -> URL {
    let file = try folder.file()
    let database = try open(file, text ?? first).database
    try database.write { try $0.execute(sql: sql) }
    try database.close()
    return file
  }

  /// All files beside one, with their bytes.
  private func bytes(beside file: URL) throws -> [String: Data] {
    let folder = file.deletingLastPathComponent()
    var bytes: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where name.hasPrefix(file.lastPathComponent) {
      bytes[name] = try Data(contentsOf: folder.appending(path: name))
    }
    return bytes
  }

  @Test func aFileIsEvolvedWhenItIsOpened() throws {
    let file = try makeFile()
    let opened = try open(file, second)
    #expect(
      opened.evolution?.changes.map(\.kind) == [
        .propertyRenamed, .becameRequired, .propertyAdded, .propertyDropped,
      ])
    #expect(
      try opened.database.read { try Row.fetchAll($0, sql: "SELECT * FROM Task").map(\.description) } == [
        "[id:1 name:\"a\" level:1]", "[id:2 name:\"c\" level:1]",
      ])
    #expect(try open(file, second).evolution == nil)
  }

  @Test func refusedFileIsUnchangedByteForByte() throws {
    let file = try makeFile("INSERT INTO Task VALUES (1, NULL, 'b')")
    let before = try bytes(beside: file)
    #expect(before.count == 1)
    #expect(throws: StoreMisfit.self) { try open(file, second) }
    #expect(try bytes(beside: file) == before)
  }

  @Test func refusedFileWithWALIsUnchangedByteForByte() throws {
    let file = try makeFile()
    let other = try DatabasePool(path: file.path)
    try other.write { try $0.execute(sql: "UPDATE Task SET title = NULL") }
    let before = try bytes(beside: file)
    #expect(throws: StoreMisfit.self) { try open(file, second) }
    #expect(
      try bytes(beside: file).filter { !$0.key.hasSuffix("-shm") }
        == before.filter { !$0.key.hasSuffix("-shm") })
  }

  @Test func previewingAFileDoesNotChangeIt() throws {
    let file = try makeFile()
    let before = try bytes(beside: file)
    let evolution = SchemaEvolution(
      to: try schema(second), declaring: .init(defaults: [.init(model: "Task", property: "level"): "1"]))
    let preview = try SyncStorage.file(file).look(evolution.preview)
    #expect(preview?.rebuiltTables == ["Task"])
    #expect(try bytes(beside: file) == before)
  }

  @Test func fileWithAMatchingSchemaIsNotWritten() throws {
    let file = try makeFile()
    let pool = try DatabasePool(path: file.path)
    let before = try bytes(beside: file).filter { !$0.key.hasSuffix("-shm") }
    let opened = try open(file, first)
    #expect(opened.evolution == nil)
    #expect(try bytes(beside: file).filter { !$0.key.hasSuffix("-shm") } == before)
    try pool.close()
  }

  /// What made the tables says what they are: they are looked at when somebody has changed that.
  @Test func tablesAreInspectedOnlyIfTheirDefinitionChanged() throws {
    let file = try makeFile()
    let queue = try DatabaseQueue(path: file.path)
    let evolution = SchemaEvolution(to: try schema(first))
    func looks() throws -> Int {
      try queue.read { db in
        var count = 0
        db.trace { if "\($0)".contains("table_xinfo") { count += 1 } }
        let fits = try evolution.fits(db)
        #expect(fits)
        db.trace(options: [])
        return count
      }
    }
    #expect(try looks() == 0)
    try queue.write { try $0.execute(sql: "CREATE TABLE other (x); CREATE INDEX own ON Task (note)") }
    #expect(try looks() == 0)
    try queue.write { try $0.execute(sql: "ALTER TABLE Task ADD COLUMN extra") }
    #expect(try looks() == 1)
  }

  @Test func schemaQueryCountIsIndependentOfModelCount() throws {
    func text(_ count: Int, _ property: String) -> String {
      (0..<count).map { number in
        """
        model M\(number) { id: Int; \(property); \(number + 1 < count ? "next: M\(number + 1)?;" : "") \
        \(number > 0 ? "previous: [M\(number - 1)]" : "") }
        """
      }
      .joined(separator: "\n")
    }
    func looks(_ count: Int) throws -> [Int] {
      let database = try DatabaseQueue()
      return try [text(count, "a: Int"), text(count, "@RenamedFrom(\"a\") b: Int; @Index c: String?")].map {
        let evolution = SchemaEvolution(to: try schema($0))
        var looks = 0
        database.writeWithoutTransaction { db in
          db.trace { if "\($0)".contains("FROM sqlite_master") { looks += 1 } }
        }
        _ = try evolution.run(database)
        database.writeWithoutTransaction { $0.trace(options: []) }
        return looks
      }
    }
    #expect(try looks(40) == looks(4))
  }

  @Test func fileNameMayContainSpecialCharacters() throws {
    let file = try folder.file("a b%20?#;ü.sqlite")
    try open(file, first).database.close()
    #expect(try SyncStorage.file(file).look { try $0.tableExists("Task") } == true)
    #expect(try open(file, first).evolution == nil)
  }

  // MARK: Older and newer programs

  @Test func storeOfANewerAppVersionIsRefused() throws {
    let file = try makeFile()
    try open(file, second).database.close()
    let before = try bytes(beside: file)
    #expect {
      try open(file, first)
    } throws: { error in
      (error as? StoreMisfit)?.reason
        == "a later version of this program has evolved the store to a newer schema: use that version"
    }
    #expect(try bytes(beside: file) == before)
    let recovered = try open(file, first, recovering: true)
    #expect(recovered.recovery?.movedFiles.count == 1)
  }

  @Test func schemaOfAnotherBranchEvolvesTheStore() throws {
    let file = try makeFile()
    try open(file, second).database.close()
    let evolution = try open(file, "model Task { id: Int; title: String? } model Other { id: Int }").evolution
    #expect(
      evolution?.changes.map(\.description).sorted() == [
        "Task.level is dropped, with its values", "Task.name is dropped, with its values",
        "Task.title is new, String?",
        "the model Other is new",
      ])
  }

  @Test func aStoreOfALaterVersionOfSynclineIsRefused() throws {
    let file = try makeFile(
      "UPDATE syncline_schema SET schema = replace(schema, '\"format\" : 1', '\"format\" : 2')")
    #expect {
      try open(file, second)
    } throws: { error in
      (error as? StoreMisfit)?.reason
        == "the store's schema in “syncline_schema” cannot be read: the schema is in format 2, and this version reads format 1 at .format"
    }
  }

  /// The rows would be lost to a later version of the program that opens the file in the right way.
  @Test func mistakesOfTheProgramDoNotMoveTheFile() throws {
    let pair = "model Task { id: Int; user: User } model User { id: Int; tasks: [Task] }"
    let file = try makeFile("INSERT INTO User VALUES (1); INSERT INTO Task VALUES (2, 1)", of: pair)
    let named = try schema(pair.replacing("tasks:", with: "name: String?; tasks:"))
    func evolution(after sql: String) -> SchemaEvolution {
      let step: SyncConfiguration.EvolutionStep = { database, _ in try database.execute(sql: sql) }
      return SchemaEvolution(to: named, SyncConfiguration(beforeEvolution: step))
    }
    let some = SchemaEvolution(to: try schema("model User { id: Int; name: String? }"), isWhole: false)
    for (mistake, reason) in [
      (evolution(after: "COMMIT"), "`beforeEvolution` has ended the transaction"),
      (evolution(after: "DELETE FROM User"), "rows of “Task” would have dangling foreign keys"),
      (some, "the store also has rows of Task, which the container was not given"),
    ] {
      #expect {
        try StoreOpening(storage: .file(file), schema: mistake).run(recovering: true)
      } throws: { error in
        guard case SyncError.containerInitialization(let found) = error else { return false }
        return found.hasPrefix(reason)
      }
    }
    let database = try open(file, pair).database
    #expect(try database.read { try Int.fetchOne($0, sql: "SELECT id FROM Task") } == 2)
  }

  // MARK: At once, and cut short

  @Test(.enabled(if: TestKind.thorough.runs)) func concurrentOpeningsEvolveTheStoreOnce() async throws {
    for _ in 0..<20 {
      let file = try makeFile()
      let opened = try await withThrowingTaskGroup(of: Bool.self) { group in
        for _ in 0..<3 {
          group.addTask { try self.open(file, self.second).evolution != nil }
        }
        return try await group.reduce(into: [Bool]()) { $0.append($1) }
      }
      #expect(opened.count(where: \.self) == 1)
    }
  }

  /// Where there is no log beside it, a store is looked at without a lock: of what another opening writes meanwhile, the look
  /// may have seen a half.
  @Test func inspectionIsRepeatedIfTheStoreIsWrittenMeanwhile() throws {
    let file = try makeFile()
    var looks = 0
    let columns = try SyncStorage.file(file).look { database in
      looks += 1
      guard looks > 1 else {
        try open(file, second).database.close()
        throw StoreMisfit(reason: "the table “Task” has no column “note”")
      }
      return try database.columns(in: "Task").map(\.name)
    }
    #expect(looks == 2 && columns == ["id", "name", "level"])
    // What is wrong with a store that nobody writes is wrong.
    #expect(throws: StoreMisfit.self) {
      try SyncStorage.file(file).look { _ in throw StoreMisfit(reason: "") }
    }
  }

  /// What a journal is to undo was never committed.
  @Test func rollbackJournalIsDetectedAndStoreStillEvolves() throws {
    let file = try makeFile()
    let path = file.path
    #expect(!FileState.hasLog(path))
    try Data().write(to: URL(fileURLWithPath: path + "-journal"))
    #expect(FileState.hasLog(path))
    #expect(try open(file, second).evolution != nil)
  }

  /// The evolution is interrupted at every point where SQLite asks.
  @Test func interruptedEvolutionLeavesTheStoreUnchanged() throws {
    let from = """
      model Task { id: Int; title: String; project: Project?; @Relationship(inverse: \\Tag.tasks) tags: [Tag]; note: Int }
      model Project { id: Int; tasks: [Task] }
      model Tag { id: Int; tasks: [Task] }
      """
    let to = """
      @RenamedFrom("Task") model Todo { id: String; @RenamedFrom("title") name: String?; \
      @RenamedFrom("project") @Relationship(inverse: \\Project.todos) projects: [Project]; tag: Ztag? }
      model Project { id: Int; @RenamedFrom("tasks") todos: [Todo] }
      @RenamedFrom("Tag") model Ztag { id: Int; todos: [Todo] }
      """
    let store = try EvolvingStore(
      from,
      """
      INSERT INTO Project VALUES (1), (2); INSERT INTO Task VALUES (10, 'a', 1, 5), (11, 'b', 2, 6);
      INSERT INTO Tag VALUES (7); INSERT INTO "Tag.tasks" VALUES (7, 10);
      INSERT INTO syncline_pending_link VALUES ('Task', 'project', 11, NULL, 'Project', 99);
      CREATE VIEW broken AS SELECT absent FROM nowhere;
      CREATE TRIGGER watch AFTER UPDATE OF title ON Task BEGIN SELECT 1; END;
      """)
    let before = try store.everything()
    let evolution = SchemaEvolution(to: try schema(to))
    var point = 1
    while true {
      let end = InterruptionPoint(point)
      store.database.writeWithoutTransaction { end.install(in: $0) }
      var isDone = false
      do {
        _ = try evolution.run(store.database)
        isDone = true
      } catch {
        #expect(error is DatabaseError || error is StoreMisfit)
      }
      store.database.writeWithoutTransaction { end.remove(from: $0) }
      if isDone { break }
      #expect(try store.everything() == before)
      #expect(try store.rows("PRAGMA foreign_keys") == ["1"])
      #expect(try store.rows("PRAGMA legacy_alter_table") == ["0"])
      // Soon at first: most of what can go wrong is at the beginning.
      point += max(1, point / 40)
    }
    #expect(point > 50)
    #expect(try store.rows("SELECT id, name FROM Todo ORDER BY id") == ["10|a", "11|b"])
    #expect(try store.waiting() == ["Todo.projects|11|Project|99"])
  }

  @Test func aFullDiskLeavesTheStoreAsItWas() throws {
    let database = try DatabaseQueue()
    let evolution = SchemaEvolution(to: try schema("model Task { id: String; title: String }"))
    _ = try SchemaEvolution(to: schema("model Task { id: Int; title: String }")).run(database)
    try database.write { db in
      try db.execute(
        sql: """
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
          INSERT INTO Task SELECT i, 'title ' || i FROM n
          """)
    }
    let pages = try database.read { try Int.fetchOne($0, sql: "PRAGMA page_count") ?? 0 }
    for room in [0, 1, 3, 10, 30] {
      try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = \(pages + room)") }
      #expect {
        try evolution.run(database)
      } throws: { error in
        (error as? DatabaseError)?.resultCode == .SQLITE_FULL
      }
      #expect(
        try database.read {
          try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM Task WHERE typeof(id) = 'integer'")
        } == 5000)
    }
    try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 1000000") }
    #expect(try evolution.run(database)?.rebuiltTables == ["Task"])
  }

  @Test func errorThrownByAStepRollsBackTheEvolution() throws {
    struct Stop: Error {}
    let store = try EvolvingStore(first, "INSERT INTO Task VALUES (1, 'a', 'b')")
    let before = try store.everything()
    for isBefore in [true, false] {
      var configuration = SyncConfiguration()
      let step: SyncConfiguration.EvolutionStep = { db, _ in
        try db.execute(sql: "DELETE FROM Task")
        throw Stop()
      }
      if isBefore { configuration.beforeEvolution = step } else { configuration.afterEvolution = step }
      let evolution = SchemaEvolution(
        to: try schema(second), declaring: .init(defaults: [.init(model: "Task", property: "level"): "1"]),
        configuration)
      #expect(throws: Stop.self) { try evolution.run(store.database) }
      #expect(try store.everything() == before)
    }
  }
}

/// Interrupts what a connection does, at a point that is counted.
private final class InterruptionPoint {
  private var rest: Int

  init(_ point: Int) {
    rest = point
  }

  func install(in database: Database) {
    sqlite3_progress_handler(
      database.sqliteConnection, 7,
      { context in
        guard let context else { return 0 }
        let point = Unmanaged<InterruptionPoint>.fromOpaque(context).takeUnretainedValue()
        point.rest -= 1
        return point.rest == 0 ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  func remove(from database: Database) {
    sqlite3_progress_handler(database.sqliteConnection, 0, nil, nil)
  }
}
