import GRDB
import GRDBSQLite

/// Compares unique values at the end of the payload, for tables in which rows exchange them.
///
/// SQLite compares unique values with each write. If two rows have the same value only temporarily, the call restarts: it drops the
/// indexes, compares the values at the end of the payload, and creates the indexes again.
final class UniqueValues {
  private struct Index {
    let model: ModelRows
    let position: Int
    let sql: String
  }

  /// Where the first object of a row is in the payload.
  private struct Place {
    let begin: Int
    let rowIndex: Int?
    let path: String
  }

  /// A row that has the value of another one, which keeps it.
  private struct Repeat {
    let index: Index
    let value: DatabaseValue
    let row: LinkedRow
    let keeper: LinkedRow
  }

  private unowned(unsafe) let run: Run
  private var indexes: [Index] = []
  private var places: [LinkedRow: Place] = [:]
  /// The existing rows that were given a unique value.
  private var changed: Set<LinkedRow> = []

  init(_ run: Run) throws {
    self.run = run
    endReads()
    for entry in run.catalog.entries where run.mode.deferredTables.contains(entry.table.name) {
      try drop(of: run.rows(entry.number))
    }
  }

  /// Resets statements that an earlier, failed run of the call left open. SQLite cannot drop an index while a statement reads.
  private func endReads() {
    guard let connection = run.database.sqliteConnection else { return }
    var next = sqlite3_next_stmt(connection, nil)
    while let statement = next {
      if sqlite3_stmt_busy(statement) != 0 { sqlite3_reset(statement) }
      next = sqlite3_next_stmt(connection, statement)
    }
  }

  private func drop(of model: ModelRows) throws {
    let table = model.table
    let statement = try ReadStatement(
      run.database,
      """
      SELECT list.name, item.sql FROM pragma_index_list(?1) AS list
      JOIN sqlite_master AS item ON item.type = 'index' AND item.name = list.name
      WHERE list."unique" AND item.sql IS NOT NULL
      """)
    statement.restart().bind(table.name.databaseValue, at: 1)
    for (name, sql) in try statement.all({ ($0.column(0).string, $0.column(1).string) }) {
      guard let columns = StoreIndex.terms(ofSQL: sql)?.columns, columns.count == 1,
        let position = table.uniqueValues.first(where: { table.properties[$0].name == columns[0] })
      else { continue }
      try run.database.execute(sql: "DROP INDEX \(name.quotedIdentifier)")
      indexes.append(Index(model: model, position: position, sql: sql))
    }
  }

  func hasNoIndex(of table: SyncTable) -> Bool { indexes.contains { $0.model.table === table } }

  // MARK: Noting

  /// Notes where an object with unique values of a row is.
  func note(_ object: PayloadObject, _ row: RowKey, in model: ModelRows) {
    guard hasNoIndex(of: model.table),
      model.table.uniqueValues.contains(where: { object.contains(SyncKey($0)) })
    else { return }
    let linkedRow = LinkedRow(model.entry.number, row)
    if begin(of: linkedRow) <= object.begin { return }
    places[linkedRow] = Place(begin: object.begin, rowIndex: object.rowIndex, path: object.path)
  }

  func noteWrite(_ positions: [Int], of row: RowKey, in model: ModelRows) {
    guard positions.contains(where: { model.table.uniqueValues.contains($0) || $0 == model.table.softDelete })
    else { return }
    changed.insert(LinkedRow(model.entry.number, row))
  }

  // MARK: The end

  /// Compares the values, and creates the indexes again.
  ///
  /// - Throws: the error of the first row of the payload that has the value of another one; under `.skip`
  ///   ``Restart/skipping(_:)``.
  func check() throws {
    let found = try indexes.flatMap { try repeats(of: $0) }
    let first = found.min { begin(of: $0.row) < begin(of: $1.row) }
    if let first { throw restart(found) ?? error(first) }
    for index in indexes { try run.database.execute(sql: index.sql) }
    // These have expired the prepared statement. There may be no memory to prepare one when it is needed.
    if !indexes.isEmpty { try run.database.rollbackStatement() }
    indexes = []
  }

  /// The restart that skips rows with the value of another one; nil if there is nothing more to skip.
  private func restart(_ repeats: [Repeat]) -> (any Error)? {
    guard run.skipsInvalidRows else { return nil }
    var rows = run.rowsToSkip()
    var isNew = false
    for other in repeats where isGiven(other.row) {
      if rows.add(other.row, error: error(other)) { isNew = true }
    }
    return isNew ? Restart.skipping(rows) : nil
  }

  /// The rows with the same value, except for the one that keeps it: a row that had it before, or else the first of the payload.
  private func repeats(of index: Index) throws -> [Repeat] {
    func rank(_ row: LinkedRow) -> (Int, Int, SyncIdentity) {
      (isGiven(row) ? 1 : 0, begin(of: row), row.key.identity)
    }
    var repeats: [Repeat] = []
    for (value, rows) in try groups(of: index) {
      let inOrder = rows.sorted { rank($0) < rank($1) }
      guard let keeper = inOrder.first else { continue }
      repeats += inOrder.dropFirst().map { Repeat(index: index, value: value, row: $0, keeper: keeper) }
    }
    return repeats
  }

  /// The stored rows with equal values.
  private func groups(of index: Index) throws -> [(value: DatabaseValue, rows: [LinkedRow])] {
    let table = index.model.table
    let column = table.properties[index.position].quotedName
    let parent = table.parentScope.map { table.properties[$0].quotedName } ?? "NULL"
    let statement = try ReadStatement(
      run.database,
      """
      SELECT \(column), \(table.identityProperty.quotedName), \(parent) FROM \(table.quotedName)
      WHERE \(column) IN (
        SELECT \(column) FROM \(table.quotedName) WHERE \(column) IS NOT NULL\(table.andIsNotDeleted)
        GROUP BY 1 HAVING COUNT(*) > 1)\(table.andIsNotDeleted)
      ORDER BY 1
      """)
    defer { statement.reset() }
    var groups: [(value: DatabaseValue, rows: [LinkedRow])] = []
    while try statement.step() {
      let value = statement.column(0).databaseValue
      guard let key = RowKey(statement, from: 1) else { continue }
      let row = LinkedRow(index.model.entry.number, key)
      // Only the value is read: a copy of the group would make each append copy its rows.
      if let last = groups.last?.value, last.isStoredLike(value) {
        groups[groups.count - 1].rows.append(row)
      } else {
        groups.append((value, [row]))
      }
    }
    return groups
  }

  /// Whether the payload gave a row its value.
  private func isGiven(_ row: LinkedRow) -> Bool {
    run.rows(row.model).journal.isInserted(row.key) || changed.contains(row)
  }

  private func begin(of row: LinkedRow) -> Int { places[row]?.begin ?? .max }

  private func error(_ other: Repeat) -> SyncError {
    let model = other.index.model
    let place = places[other.row]
    let key = model.table.keyTable(run.style).candidates[other.index.position].first?.text
    let path = place.map { place in key.map(place.path.path(ofMember:)) ?? place.path }
    return SyncError(
      RowProblem(
        model: model.table.name, property: model.table.properties[other.index.position].name,
        path: path ?? "", row: place?.rowIndex, identity: "\(other.row.key.identity)",
        reason: .notUnique(
          value: other.value.shown, other: "\(model.table.name) \(other.keeper.key.identity)")))
  }
}
