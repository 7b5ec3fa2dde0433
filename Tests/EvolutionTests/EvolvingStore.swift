import Foundation
import SynclineCompiler
import SynclineTooling
import Testing

@testable import Syncline

/// A schema of a test that is wrong.
struct WrongSchema: Error {
  let reason: String
}

/// The schema of a text.
func schema(_ text: String) throws -> SyncSchemaSnapshot {
  let input = CompilerInput(target: "Test", files: [SourceFile(path: "Test.syncline", text: text)])
  let analysis = CompilerPipeline.analyse(input)
  guard let resolved = analysis.schema else {
    throw WrongSchema(reason: DiagnosticRenderer.report(analysis.diagnostics))
  }
  let json = resolved.snapshot()
  return try JSONDecoder().decode(SyncSchemaSnapshot.self, from: Data(json.utf8))
}

/// A store whose schema changes, from text to text: mostly one in memory.
final class EvolvingStore {
  let database: DatabaseQueue

  /// A store of a schema, with the rows that SQL puts in.
  init(_ text: String, _ sql: String = "") throws {
    database = try DatabaseQueue()
    _ = try SchemaEvolution(to: schema(text)).run(database)
    try execute(sql)
  }

  /// The store in a file, as it is.
  init(opening file: URL) throws {
    database = try DatabaseQueue(path: file.path)
  }

  func execute(_ sql: String) throws {
    try database.write { try $0.execute(sql: sql) }
  }

  /// Evolves the store, and holds what became of it against a new store of the schema.
  @discardableResult
  func evolve(
    to text: String, defaults: [String: String] = [:],
    _ configuration: SyncConfiguration = SyncConfiguration(),
    leaving users: [String] = []
  ) throws -> SyncEvolution {
    let snapshot = try schema(text)
    let evolution = evolution(to: snapshot, defaults, configuration)
    let preview = try database.read(evolution.preview)
    let result = try evolution.run(database) ?? .none
    if configuration.beforeEvolution == nil {
      #expect(preview.changes == result.changes)
      #expect(preview.statements == result.statements)
      #expect(preview.rebuiltTables == result.rebuiltTables)
    }
    try check(snapshot, leaving: users)
    let writes = try database.read(\.totalChangesCount)
    #expect(try evolution.run(database) == nil)
    #expect(try database.read { try evolution.fits($0) })
    #expect(try database.read(\.totalChangesCount) == writes)
    return result
  }

  /// Makes the store one that never had the schemas it had: else going back to one is refused.
  func forgetHistory() throws {
    try execute("UPDATE \(StoredSchema.table) SET history = ''")
  }

  private func evolution(
    to snapshot: SyncSchemaSnapshot, _ defaults: [String: String], _ configuration: SyncConfiguration
  ) -> SchemaEvolution {
    var values: [SchemaRelation.End: String] = [:]
    for (name, value) in defaults {
      let parts = name.split(separator: ".").map(String.init)
      values[.init(model: parts[0], property: parts[1])] = value
    }
    return SchemaEvolution(to: snapshot, declaring: .init(defaults: values), configuration)
  }

  /// Why the store is not evolved. It is as it was then.
  func refusal(
    of text: String, defaults: [String: String] = [:],
    _ configuration: SyncConfiguration = SyncConfiguration()
  ) throws -> String {
    let before = try everything()
    let evolution = evolution(to: try schema(text), defaults, configuration)
    var reason = ""
    do {
      _ = try evolution.run(database)
      Issue.record("the store was evolved")
    } catch let error as StoreMisfit {
      reason = error.reason
    }
    if configuration.beforeEvolution == nil {
      #expect(try database.read(evolution.preview).obstacles.joined(separator: "; ") == reason)
    }
    #expect(try everything() == before)
    return reason
  }

  // MARK: What is in it

  /// Rows as text, the values between bars.
  func rows(_ sql: String) throws -> [String] {
    try database.read { db in
      try Row.fetchAll(db, sql: sql).map { row in
        row.databaseValues.map { value in
          switch value.storage {
          case .null: "-"
          case .blob(let data): UUID.fromDatabaseValue(value)?.uuidString ?? data.base64EncodedString()
          case .string(let text): text
          default: value.description
          }
        }
        .joined(separator: "|")
      }
    }
  }

  /// The links that wait.
  func waiting() throws -> [String] {
    try rows(
      """
      SELECT "owner" || '.' || "relationship", "ownerID", "target", "targetID" FROM syncline_pending_link ORDER BY 1, 2, 4
      """)
  }

  /// All SQL and all rows.
  func everything() throws -> [String] {
    let tables = try rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    return try rows("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name")
      + tables.flatMap { table in
        try rows("SELECT * FROM \(table.quotedIdentifier)").sorted().map { "\(table): \($0)" }
      }
  }

  // MARK: Whether it is as it should be

  private func check(_ snapshot: SyncSchemaSnapshot, leaving users: [String]) throws {
    let fresh = try DatabaseQueue()
    _ = try SchemaEvolution(to: snapshot).run(fresh)
    let expected = try fresh.read { try EvolvingStore.shape(of: snapshot, $0) }
    let found = try database.read { try EvolvingStore.shape(of: snapshot, $0) }
    #expect(found == expected)
    #expect(try rows("PRAGMA integrity_check") == ["ok"])
    #expect(try rows("PRAGMA foreign_key_check") == [])
    #expect(try rows("PRAGMA foreign_keys") == ["1"])
    let known = Set(expected.keys).union(users).union([
      StoredSchema.table, StoredPendingLinks.table, "sqlite_stat1",
    ])
    let tables = try rows("SELECT name FROM sqlite_master WHERE type = 'table'")
    #expect(tables.filter { !known.contains($0) } == [])
  }

  /// The columns, foreign keys and indexes of the tables of a schema.
  private static func shape(of schema: SyncSchemaSnapshot, _ database: Database) throws -> [String: Set<
    String
  >] {
    let live = try LiveStore(database)
    let tables = schema.models.map(\.name) + schema.relations.compactMap(\.table)
    let columns = Dictionary(
      uniqueKeysWithValues: schema.models.map { ($0.name, Set($0.properties.filter(\.isStored).map(\.name))) }
    )
    var shape: [String: Set<String>] = [:]
    for table in tables {
      var lines: Set<String> = []
      for column in try live.columns(of: table) where columns[table]?.contains(column.name) ?? true {
        lines.insert("\(column.name) \(column.type) \(column.isRequired) \(column.isKey)")
      }
      for row in try Row.fetchAll(database, sql: "PRAGMA foreign_key_list(\(table.quotedIdentifier))") {
        let parts = ["from", "table", "to", "on_delete"].map { (row[$0] as String?) ?? "" }
        lines.insert("\(parts[0]) leads to \(parts[1]).\(parts[2]), \(parts[3])")
      }
      for index in try live.indexes(of: table) where index.mayBeOfSchema {
        lines.insert("index \(index.isUnique) \(index.isOwn) \(index.columns ?? [])")
      }
      shape[table] = lines
    }
    return shape
  }
}

extension LiveStore.Index {
  /// Whether it may be one of the schema's: what has a collation or a condition is a user's.
  fileprivate var mayBeOfSchema: Bool { columns != nil && (!isOwn || name.isNameOfIndex) }
}
