import Benchmark
import Foundation
import GRDB
import Syncline

/// Opening a store of a million articles: one with the current schema, and ones with an earlier version of it.
enum Evolving {
  /// The SQL that gives a store an earlier version of the schema, and the SQL with which SQLite alone migrates it.
  private struct Change: Sendable {
    let name: String
    let before: String
    let floor: String
  }

  private static let rows = 1_000_000

  private static let changes = [
    Change(name: "opening a store that fits", before: "", floor: ""),
    Change(
      name: "a property is added", before: "ALTER TABLE Article DROP COLUMN details",
      floor: "ALTER TABLE Article ADD COLUMN details TEXT"),
    Change(
      name: "a property is renamed", before: "ALTER TABLE Article RENAME COLUMN details TO bodyText",
      floor: "ALTER TABLE Article RENAME COLUMN bodyText TO details"),
    Change(
      name: "a model is added", before: "DROP TABLE Document",
      floor: """
        CREATE TABLE Document (id TEXT PRIMARY KEY NOT NULL, title TEXT NOT NULL, details TEXT, state TEXT NOT NULL,
          createdAt TEXT NOT NULL, updatedAt TEXT NOT NULL, isPublished BOOLEAN NOT NULL, score DOUBLE NOT NULL,
          author TEXT NOT NULL)
        """),
    Change(
      name: "a required property becomes optional, which copies the table",
      before: """
        PRAGMA writable_schema = ON;
        UPDATE sqlite_master SET sql = replace(sql, '"details" TEXT', '"details" TEXT NOT NULL') WHERE name = 'Article';
        PRAGMA writable_schema = OFF;
        """,
      floor: """
        CREATE TABLE copy (id INTEGER PRIMARY KEY NOT NULL, title TEXT NOT NULL, details TEXT, state TEXT NOT NULL,
          createdAt TEXT NOT NULL, updatedAt TEXT NOT NULL, isPublished BOOLEAN NOT NULL, score DOUBLE NOT NULL,
          author TEXT NOT NULL);
        INSERT INTO copy SELECT * FROM Article;
        DROP TABLE Article;
        ALTER TABLE copy RENAME TO Article;
        """),
  ]

  static func register() {
    for change in changes {
      register(change, .syncline) { file in
        _ = try SyncContainer(for: SyncBenchmarksSchema.self, storage: .file(file))
      }
      register(change, .floor) { file in
        let pool = try DatabasePool(path: file.path)
        try pool.writeWithoutTransaction { db in
          try db.execute(sql: "PRAGMA foreign_keys = OFF")
          try db.inTransaction(.immediate) {
            try db.execute(sql: change.floor)
            return .commit
          }
        }
      }
    }
  }

  private static func register(
    _ change: Change, _ contestant: Contestant, open: @escaping @Sendable (URL) throws -> Void
  ) {
    let file = Lazy { try EarlierStore(change.before, rows: rows) }
    Benchmark("23 \(change.name) · \(contestant.rawValue)", configuration: configuration(5)) { benchmark in
      let copy = try file.value().copy()
      benchmark.startMeasurement()
      try open(EarlierStore.file(in: copy))
      benchmark.stopMeasurement()
      withExtendedLifetime(copy) {}
    }
  }
}

/// A closed store of articles, copies of which are opened.
private final class EarlierStore: Sendable {
  private let folder: BenchmarkFolder
  private var file: URL { EarlierStore.file(in: folder) }

  init(_ sql: String, rows: Int) throws {
    folder = try BenchmarkFolder()
    let container = try SyncContainer(for: SyncBenchmarksSchema.self, storage: .file(file))
    try container.database.write { db in
      try db.execute(sql: ArticleData.insertion(of: rows))
    }
    try container.database.close()
    // Foreign keys are off, because other code checks them.
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(path: file.path, configuration: configuration)
    try queue.writeWithoutTransaction { db in
      // Without the saved schema, the current one is read from the tables.
      if !sql.isEmpty { try db.execute(sql: sql + "; DROP TABLE syncline_schema") }
    }
    try queue.close()
  }

  static func file(in folder: BenchmarkFolder) -> URL { folder.file("store.sqlite") }

  /// - Returns: the folder of a copy.
  func copy() throws -> BenchmarkFolder {
    let copy = try BenchmarkFolder()
    try FileManager.default.copyItem(at: file, to: EarlierStore.file(in: copy))
    // Otherwise the first commit would wait until the whole copy is on the disk.
    sync()
    return copy
  }
}
