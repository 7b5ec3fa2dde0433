import GRDB

/// Counts for each row of a slice how many consecutive runs of pages did not contain it.
struct StoredAbsences {
  static let table = "syncline_absence"

  let database: Database
  let model: String
  let slice: String

  func counts() throws -> [SyncIdentity: Int] {
    guard try database.hasTable(Self.table) else { return [:] }
    let statement = try ReadStatement(
      database, "SELECT \"identity\", \"count\" FROM \(Self.table) WHERE \"model\" = ?1 AND \"slice\" = ?2")
    statement.restart().bind([.text(model), .text(slice)])
    let counts = try statement.all { row in
      SyncIdentity(row.column(0)).flatMap { identity in
        Int.syncLoad(row.column(1)).map { (identity, $0) }
      }
    }
    return Dictionary(counts, uniquingKeysWith: { $1 })
  }

  /// Replaces the counts.
  ///
  /// - Returns: whether they changed.
  func replace(with counts: [SyncIdentity: Int]) throws -> Bool {
    guard try self.counts() != counts else { return false }
    try database.makeTable(
      Self.table,
      """
      (
        "model" TEXT NOT NULL, "slice" TEXT NOT NULL, "identity" NOT NULL, "count" INTEGER NOT NULL,
        PRIMARY KEY ("model", "slice", "identity")
      ) WITHOUT ROWID
      """)
    try WriteStatement(database, "DELETE FROM \(Self.table) WHERE \"model\" = ?1 AND \"slice\" = ?2")
      .execute(.text(model), .text(slice))
    let insertion = try WriteStatement(
      database,
      "INSERT INTO \(Self.table) (\"model\", \"slice\", \"identity\", \"count\") VALUES (?1, ?2, ?3, ?4)")
    for (identity, count) in counts {
      try insertion.execute(.text(model), .text(slice), identity, .integer(Int64(count)))
    }
    return true
  }
}
