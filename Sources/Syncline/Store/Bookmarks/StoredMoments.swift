import GRDB

/// When the server answered the edits of rows, and when the payloads were asked for that were synced last.
struct StoredMoments {
  static let table = "syncline_moment"
  /// How long answers are kept, in microseconds.
  private static let lifetime: Int64 = 7 * 24 * 3_600 * 1_000_000

  private enum Kind: String {
    case answer, slice
  }

  private let database: Database
  private let chance: SyncChance

  init(_ database: Database, _ chance: SyncChance) {
    self.database = database
    self.chance = chance
  }

  /// The latest moment; nil if there is none.
  func newest() throws -> SyncMoment? {
    guard try database.hasTable(Self.table) else { return nil }
    return try Int64.fetchOne(database, sql: "SELECT MAX(\"moment\") FROM \(Self.table)").map(SyncMoment.init)
  }

  /// Removes what no payload that is under way needs.
  private func removeOld() throws {
    try database.cachedStatement(sql: "DELETE FROM \(Self.table) WHERE \"moment\" < ?1")
      .execute(arguments: [chance.moment().number - Self.lifetime])
  }

  // MARK: Answers

  /// The rows of a model whose edits were answered after a moment.
  func answers(after moment: SyncMoment, of model: String) throws -> [RowKey] {
    guard try database.hasTable(Self.table) else { return [] }
    let statement = try database.cachedStatement(
      sql: """
        SELECT "key", "parent" FROM \(Self.table) WHERE "model" = ?1 AND "kind" = ?2 AND "moment" > ?3
        ORDER BY "key", "parent"
        """)
    let rows = try Row.fetchAll(statement, arguments: [model, Kind.answer.rawValue, moment.number])
    return rows.compactMap { row in
      let (key, parent): (DatabaseValue, DatabaseValue) = (row[0], row[1])
      return SyncIdentity(key).map {
        RowKey(identity: $0, parent: parent == "".databaseValue ? nil : SyncIdentity(parent))
      }
    }
  }

  /// Notes that the edit of a row is answered now.
  func noteAnswer(_ row: RowKey, of model: String) throws {
    try set(
      .answer, model, key: row.identity.databaseValue, parent: row.parent?.databaseValue,
      to: chance.moment())
  }

  // MARK: Payloads

  /// Whether a payload of a part of a model's rows that was asked for later was synced.
  func isLate(_ moment: SyncMoment, slice: String, of model: String) throws -> Bool {
    guard try database.hasTable(Self.table) else { return false }
    return try ReadStatement(
      database,
      "SELECT 1 FROM \(Self.table) WHERE \"model\" = ?1 AND \"kind\" = 'slice' AND \"key\" = ?2 AND \"moment\" > ?3"
    ).exists([.text(model), .text(slice), .integer(moment.number)])
  }

  /// Notes that a payload was synced.
  func note(_ moment: SyncMoment, slice: String, of model: String) throws {
    try set(.slice, model, key: slice.databaseValue, parent: nil, to: moment)
  }

  private func set(
    _ kind: Kind, _ model: String, key: DatabaseValue, parent: DatabaseValue?, to moment: SyncMoment
  ) throws {
    if try !database.hasTable(Self.table) { try create() }
    try database.cachedStatement(
      sql: "INSERT OR REPLACE INTO \(Self.table) VALUES (?1, ?2, ?3, ?4, ?5)"
    ).execute(arguments: [model, kind.rawValue, key, parent ?? "".databaseValue, moment.number])
    try removeOld()
  }

  /// Creates the table. The index of its second constraint finds the newest moment, and those that are too old, without reading
  /// all. It is a constraint because `CREATE INDEX` would expire the statement that rolls the transaction back.
  private func create() throws {
    // Columns without a type keep each value as it is.
    try database.makeTable(
      Self.table,
      """
      (
        "model" TEXT NOT NULL, "kind" TEXT NOT NULL, "key" NOT NULL, "parent" NOT NULL, "moment" INTEGER NOT NULL,
        PRIMARY KEY ("model", "kind", "key", "parent"), UNIQUE ("moment", "model", "kind", "key", "parent")
      ) WITHOUT ROWID
      """)
  }
}
