import Foundation
import GRDB

/// What a store remembers of where its rows came from: one text for each kind, model and name.
///
/// A bookmark is valid while its models are read as they were when it was made: a new property has to be filled from
/// the start.
struct StoredBookmarks {
  static let table = "syncline_mark"

  enum Kind: String {
    /// Where a server goes on behind the last page.
    case cursor
    /// What a run of pages that has not ended is of, and how many rows it has read.
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

  /// A value, and the models that were read when it was stored.
  struct Bookmark: Equatable {
    var value: String
    var models: String
  }

  private let database: Database

  init(_ database: Database) {
    self.database = database
  }

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

  /// Sets a bookmark, or removes it.
  ///
  /// - Returns: whether it has changed.
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
}

extension ModelCatalog {
  /// What is read of some models, as text: another one when a schema reads them in another way.
  func reading(of names: some Sequence<String>, in style: KeyStyle) -> String {
    names.sorted().compactMap { name in
      table(named: name).map { "\($0.readingFingerprint(style)) \(name)" }
    }.joined(separator: "\n")
  }

  /// The models that a text is of; nil where one of them is gone, or read in another way.
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
  /// Whether a table exists now. GRDB caches the answer, even after another connection has made the table, or its own
  /// transaction was rolled back.
  func hasTable(_ name: String) throws -> Bool {
    try ReadStatement(self, "SELECT 1 FROM sqlite_master WHERE \"type\" = 'table' AND \"name\" = ?1")
      .exists(.text(name))
  }

  /// Makes a table where there is none: most stores need none of those that are made so.
  func makeTable(_ name: String, _ definition: String) throws {
    if try !hasTable(name) { try execute(sql: "CREATE TABLE \(name) \(definition)") }
  }
}
