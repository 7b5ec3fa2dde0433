import Foundation
import GRDB

/// The stored cursors, validators and unfinished runs of pages: a string for each kind, model and name.
///
/// A bookmark is invalid once its models are read in another way than when it was stored: for a new property, the server has to
/// send all rows again.
struct StoredBookmarks {
  static let table = "syncline_mark"

  enum Kind: String {
    /// Where the server continues after the last page.
    case cursor
    /// The key of an unfinished run of pages; `rowCount` has the number of rows that it has read.
    case run
    case rowCount
    case validator
  }

  /// Identifies a bookmark.
  struct Key {
    let kind: Kind
    let model: String
    let name: String

    fileprivate var values: [SyncIdentity?] { [.text(model), .text(kind.rawValue), .text(name)] }
  }

  /// A value, and how its models were read when it was stored.
  struct Bookmark: Equatable {
    var value: String
    var models: String
  }

  let database: Database

  func bookmark(_ key: Key) throws -> Bookmark? {
    guard try database.hasTable(Self.table) else { return nil }
    let statement = try ReadStatement(
      database,
      "SELECT \"value\", \"models\" FROM \(Self.table) WHERE \"model\" = ?1 AND \"kind\" = ?2 AND \"name\" = ?3"
    )
    statement.restart().bind(key.values)
    defer { statement.reset() }
    guard try statement.step(), let value = String.syncLoad(statement.column(0)),
      let models = String.syncLoad(statement.column(1))
    else { return nil }
    return Bookmark(value: value, models: models)
  }

  /// Sets or removes a bookmark.
  ///
  /// - Returns: whether it changed.
  func set(_ bookmark: Bookmark?, for key: Key) throws -> Bool {
    guard try self.bookmark(key) != bookmark else { return false }
    guard let bookmark else {
      try WriteStatement(
        database, "DELETE FROM \(Self.table) WHERE \"model\" = ?1 AND \"kind\" = ?2 AND \"name\" = ?3"
      ).execute(key.values)
      return true
    }
    try database.makeTable(
      Self.table,
      """
      (
        "model" TEXT NOT NULL, "kind" TEXT NOT NULL, "name" TEXT NOT NULL, "value" TEXT NOT NULL,
        "models" TEXT NOT NULL, PRIMARY KEY ("model", "kind", "name")
      ) WITHOUT ROWID
      """)
    try WriteStatement(
      database,
      "INSERT OR REPLACE INTO \(Self.table) (\"model\", \"kind\", \"name\", \"value\", \"models\") VALUES (?1, ?2, ?3, ?4, ?5)"
    ).execute(key.values + [.text(bookmark.value), .text(bookmark.models)])
    return true
  }

  /// Removes the bookmarks of payloads that some models were read from.
  func remove(reading models: Set<String>) throws {
    guard try !models.isEmpty && database.hasTable(Self.table) else { return }
    for model in models.sorted() {
      // A line for each model has its name at the end.
      try WriteStatement(
        database,
        """
        DELETE FROM \(Self.table) WHERE "model" = ?1
        OR instr("models" || char(10), ' ' || ?1 || char(10)) > 0
        """
      ).execute([.text(model)])
    }
    guard try database.hasTable(StoredRun.table) else { return }
    try database.execute(
      sql: """
        DELETE FROM \(StoredRun.table) WHERE ("model", "name") NOT IN
        (SELECT "model", "name" FROM \(Self.table) WHERE "kind" = '\(Kind.run.rawValue)')
        """)
  }
}

extension ModelCatalog {
  /// Describes how some models are read. The string changes when a schema reads one in another way.
  func reading(of names: some Sequence<String>, in style: KeyStyle) -> String {
    names.sorted().compactMap { name in
      table(named: name).map { "\($0.readingFingerprint(style)) \(name)" }
    }.joined(separator: "\n")
  }

  /// The models that such a string describes; nil if one no longer exists, or is read in another way.
  func models(ofReading text: String, in style: KeyStyle) -> Set<String>? {
    var names: Set<String> = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let parts = line.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, let table = table(named: String(parts[1])),
        table.readingFingerprint(style) == parts[0]
      else { return nil }
      names.insert(table.name)
    }
    return names
  }
}

extension Database {
  /// Whether a table exists now. GRDB caches the answer, even after another connection has created the table, or after a
  /// rollback.
  func hasTable(_ name: String) throws -> Bool {
    try ReadStatement(self, "SELECT 1 FROM sqlite_master WHERE \"type\" = 'table' AND \"name\" = ?1")
      .exists(.text(name))
  }

  /// Creates a table if it is missing. Most stores need none of the tables that are created in this way.
  func makeTable(_ name: String, _ definition: String) throws {
    if try !hasTable(name) { try execute(sql: "CREATE TABLE \(name) \(definition)") }
  }
}
