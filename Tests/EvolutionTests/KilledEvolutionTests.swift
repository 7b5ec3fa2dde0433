#if compiler(>=6.3) && !os(iOS)
  import Foundation
  import GRDB
  import GRDBSQLite
  import TestSupport
  import Testing

  @testable import Syncline

  /// A process that is killed while it evolves a store leaves it as it was; the next opening evolves it.
  @Suite(.enabled(if: TestKind.thorough.runs))
  struct KilledEvolutionTests {
    private static let from = """
      model Task { id: Int; title: String; project: Project?; @Relationship(inverse: \\Tag.tasks) tags: [Tag]; note: Int }
      model Project { id: Int; tasks: [Task] }
      model Tag { id: Int; tasks: [Task] }
      """
    private static let to = """
      @RenamedFrom("Task") model Todo { id: String; @RenamedFrom("title") name: String?; \
      @RenamedFrom("project") @Relationship(inverse: \\Project.todos) projects: [Project]; tag: Ztag? }
      model Project { id: Int; @RenamedFrom("tasks") todos: [Todo] }
      @RenamedFrom("Tag") model Ztag { id: Int; todos: [Todo] }
      """
    private static let rows = """
      INSERT INTO Project VALUES (1), (2);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
      INSERT INTO Task SELECT i, 'A title that is long enough to fill pages, ' || i, 1 + i % 2, i FROM n;
      INSERT INTO Tag VALUES (7); INSERT INTO "Tag.tasks" VALUES (7, 10);
      INSERT INTO syncline_pending_link VALUES ('Task', 'project', 11, NULL, 'Project', 99);
      """

    private let folder = TemporaryFolder()

    /// A closed file of the first schema.
    private func makeFile() throws -> URL {
      let file = try folder.file()
      let pool = try DatabasePool(path: file.path)
      _ = try SchemaEvolution(to: schema(Self.from)).run(pool)
      try pool.write { try $0.execute(sql: Self.rows) }
      try pool.close()
      return file
    }

    /// Evolves a file, and calls something whenever SQLite has done so many steps, and before it commits.
    private static func evolve(_ file: URL, atPoints call: @escaping () -> Void) throws {
      let pool = try DatabasePool(path: file.path)
      let points = Points(call)
      try pool.writeWithoutTransaction { db in
        // Pages are written to the log long before the commit.
        try db.execute(sql: "PRAGMA cache_size = 5")
        points.install(in: db)
      }
      _ = try SchemaEvolution(to: schema(to)).run(pool)
      pool.writeWithoutTransaction(points.remove)
      try pool.close()
    }

    private static func contents(of file: URL) throws -> [String] {
      let store = try EvolvingStore(opening: file)
      #expect(try store.rows("PRAGMA integrity_check") == ["ok"])
      defer { try? store.database.close() }
      return try store.everything()
    }

    @Test func aKilledEvolutionLeavesTheStoreAsItWas() async throws {
      let evolved = try makeFile()
      let before = try Self.contents(of: evolved)
      var count = 0
      try Self.evolve(evolved) { count += 1 }
      let after = try Self.contents(of: evolved)
      #expect(count > 200)
      let file = try makeFile()
      // The last is the commit's.
      for number in 1...40 {
        let point = count * number / 40
        await #expect(processExitsWith: .signal(SIGKILL)) { [file = file as URL, point = point as Int] in
          var rest = point
          try Self.evolve(file) {
            rest -= 1
            if rest == 0 { kill(getpid(), SIGKILL) }
          }
        }
        #expect(try Self.contents(of: file) == before, "point \(point) of \(count)")
      }
      try Self.evolve(file) {}
      #expect(try Self.contents(of: file) == after)
    }
  }

  /// Where SQLite asks whether it is to go on.
  private final class Points: @unchecked Sendable {
    private let call: () -> Void

    init(_ call: @escaping () -> Void) {
      self.call = call
    }

    func install(in database: Database) {
      let context = Unmanaged.passUnretained(self).toOpaque()
      sqlite3_progress_handler(
        database.sqliteConnection, 50, { Points.reach($0) }, context)
      sqlite3_commit_hook(database.sqliteConnection, { Points.reach($0) }, context)
    }

    func remove(from database: Database) {
      sqlite3_progress_handler(database.sqliteConnection, 0, nil, nil)
      sqlite3_commit_hook(database.sqliteConnection, nil, nil)
    }

    private static func reach(_ context: UnsafeMutableRawPointer?) -> Int32 {
      context.map { Unmanaged<Points>.fromOpaque($0).takeUnretainedValue().call() }
      return 0
    }
  }
#endif
