import GRDB

/// How many runs of pages in a row did not find a row, for the rows of one slice.
struct StoredAbsences {
  static let table = "syncline_absence"

  private let database: Database
  private let model: String
  private let slice: String

  init(_ database: Database, of model: String, _ slice: String) {
    self.database = database
    self.model = model
    self.slice = slice
  }

  func counts() throws -> [SyncIdentity: Int] {
    guard try database.hasTable(Self.table) else { return [:] }
    let rows = try Row.fetchCursor(
      database,
      sql: "SELECT \"identity\", \"count\" FROM \(Self.table) WHERE \"model\" = ? AND \"slice\" = ?",
      arguments: [model, slice])
    var counts: [SyncIdentity: Int] = [:]
    while let row = try rows.next() {
      guard let identity = SyncIdentity(row[0] as DatabaseValue) else { continue }
      counts[identity] = Int.fromDatabaseValue(row[1])
    }
    return counts
  }

  /// Makes the counts what they are to be.
  ///
  /// - Returns: whether they were others.
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
    try database.execute(
      sql: "DELETE FROM \(Self.table) WHERE \"model\" = ? AND \"slice\" = ?", arguments: [model, slice])
    for (identity, count) in counts {
      try database.cachedStatement(
        sql:
          "INSERT INTO \(Self.table) (\"model\", \"slice\", \"identity\", \"count\") VALUES (?, ?, ?, ?)"
      ).execute(arguments: [model, slice, identity.databaseValue, count])
    }
    return true
  }
}
