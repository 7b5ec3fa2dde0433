import Foundation
import GRDB
import SynclineSchema

/// The schema of a store, as the store keeps it in a table with one row.
struct StoredSchema {
  static let table = "syncline_schema"

  let fingerprint: String
  /// The fingerprints of the store's earlier schemas, the oldest first.
  let history: [String]
  /// The fingerprint of the store's tables at that time: while it is the same, the tables need no check.
  let tables: String
  private let json: String

  /// - Returns: nil for a store without a schema.
  init?(_ database: Database, _ live: LiveStore) throws {
    guard live.table(Self.table) != nil else { return nil }
    let row = try Row.fetchOne(
      database,
      sql: "SELECT \"fingerprint\", \"history\", \"tables\", \"schema\" FROM \(Self.table) WHERE \"id\" = 1")
    guard let row else { return nil }
    guard let fingerprint = String.fromDatabaseValue(row[0]), let history = String.fromDatabaseValue(row[1]),
      let tables = String.fromDatabaseValue(row[2]), let json = String.fromDatabaseValue(row[3])
    else { throw StoreMisfit(reason: "the store's schema in “\(Self.table)” is damaged") }
    self.fingerprint = fingerprint
    self.history = history.split(separator: " ").map(String.init)
    self.tables = tables
    self.json = json
  }

  /// The schema itself.
  ///
  /// - Throws: ``StoreMisfit`` if it cannot be read.
  func schema() throws -> SyncSchemaSnapshot {
    do {
      return try SyncSchemaSnapshot(json: Data(json.utf8))
    } catch let error as SyncSchemaSnapshot.ReadingError {
      throw StoreMisfit(reason: "the store's schema in “\(Self.table)” cannot be read: \(error)")
    }
  }

  /// Stores a schema, and adds the earlier one to the history.
  static func write(_ schema: SyncSchemaSnapshot, after former: StoredSchema?, to database: Database) throws {
    try database.execute(
      sql: """
        CREATE TABLE IF NOT EXISTS \(table) (
          "id" INTEGER PRIMARY KEY CHECK ("id" = 1), "fingerprint" TEXT NOT NULL, "history" TEXT NOT NULL,
          "tables" TEXT NOT NULL, "schema" TEXT NOT NULL
        )
        """)
    let json = String(decoding: try schema.json(), as: UTF8.self)
    let fingerprint = schema.fingerprint
    var history = former?.history ?? []
    if let last = former?.fingerprint, last != fingerprint { history.append(last) }
    history.removeAll { $0 == fingerprint }
    try database.execute(
      sql:
        "INSERT OR REPLACE INTO \(table) (\"id\", \"fingerprint\", \"history\", \"tables\", \"schema\") VALUES (1, ?, ?, ?, ?)",
      arguments: [
        fingerprint, history.joined(separator: " "), try LiveStore(database).fingerprint(of: schema), json,
      ])
  }

  /// The fingerprint of the store's schema; nil if there is none.
  static func fingerprint(_ database: Database) throws -> String? {
    do {
      return try String.fetchOne(
        database.cachedStatement(sql: "SELECT \"fingerprint\" FROM \(table) WHERE \"id\" = 1"))
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      // The table was dropped, for example by GRDB's `erase()`.
      return nil
    }
  }
}
