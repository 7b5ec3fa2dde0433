import GRDB

/// The times at which the server answered the edits of rows, and at which the last synced payloads were requested.
struct StoredMoments {
  static let table = "syncline_moment"
  /// How long answers are kept, in microseconds.
  private static let lifetime: Int64 = 7 * 24 * 3_600 * 1_000_000

  private enum Kind: String {
    case answer, slice
  }

  let database: Database
  let sources: TimeAndRandomness

  /// The latest moment; nil if there is none.
  func newest() throws -> SyncMoment? {
    guard try database.hasTable(Self.table) else { return nil }
    return try Int64.fetchOne(database, sql: "SELECT MAX(\"moment\") FROM \(Self.table)").map(SyncMoment.init)
  }

  // MARK: Answers

  /// The rows of a model whose edits were answered after a moment.
  func answers(after moment: SyncMoment, of model: String) throws -> [RowKey] {
    guard try database.hasTable(Self.table) else { return [] }
    let statement = try ReadStatement(
      database,
      """
      SELECT "key", "parent" FROM \(Self.table) WHERE "model" = ?1 AND "kind" = 'answer' AND "moment" > ?2
      ORDER BY "key", "parent"
      """)
    statement.restart().bind([.text(model), .integer(moment.number)])
    return try statement.all { row in
      RowKey(row).map { $0.parent == Self.noParent ? RowKey(identity: $0.identity) : $0 }
    }
  }

  /// Notes that the edit of a row is answered now.
  func noteAnswer(_ row: RowKey, of model: String) throws {
    try set(.answer, model, key: row.identity, parent: row.parent ?? Self.noParent, to: sources.moment())
  }

  // MARK: Payloads

  /// Whether a payload for the same slice that was requested later is already synced.
  func isLate(_ moment: SyncMoment, slice: String, of model: String) throws -> Bool {
    guard try database.hasTable(Self.table) else { return false }
    return try ReadStatement(
      database,
      "SELECT 1 FROM \(Self.table) WHERE \"model\" = ?1 AND \"kind\" = 'slice' AND \"key\" = ?2 AND \"moment\" > ?3"
    ).exists([.text(model), .text(slice), .integer(moment.number)])
  }

  /// Notes that a payload was synced.
  func note(_ moment: SyncMoment, slice: String, of model: String) throws {
    try set(.slice, model, key: .text(slice), parent: Self.noParent, to: moment)
  }

  private static let noParent = SyncIdentity.text("")

  private func set(
    _ kind: Kind, _ model: String, key: SyncIdentity, parent: SyncIdentity, to moment: SyncMoment
  ) throws {
    // Columns without a type keep each value as it is. The index of the second constraint finds the newest moment, and those that
    // are too old, without reading all. It is a constraint because `CREATE INDEX` would expire the statement that rolls the
    // transaction back.
    try database.makeTable(
      Self.table,
      """
      (
        "model" TEXT NOT NULL, "kind" TEXT NOT NULL, "key" NOT NULL, "parent" NOT NULL, "moment" INTEGER NOT NULL,
        PRIMARY KEY ("model", "kind", "key", "parent"), UNIQUE ("moment", "model", "kind", "key", "parent")
      ) WITHOUT ROWID
      """)
    try WriteStatement(database, "INSERT OR REPLACE INTO \(Self.table) VALUES (?1, ?2, ?3, ?4, ?5)")
      .execute(.text(model), .text(kind.rawValue), key, parent, .integer(moment.number))
    // Deletes moments that are older than any payload still in progress.
    try WriteStatement(database, "DELETE FROM \(Self.table) WHERE \"moment\" < ?1")
      .execute(.integer(sources.moment().number - Self.lifetime))
  }
}
