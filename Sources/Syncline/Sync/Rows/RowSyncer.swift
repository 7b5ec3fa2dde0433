import Foundation
import GRDB

/// What one sync does to the rows of a model of known type: reads, makes, applies and writes them.
final class RowSyncer<Model: SyncUpdatableModel>: RowSyncing {
  unowned let rows: ModelRows
  unowned let run: SyncRun
  let table: SyncTable

  init(_ rows: ModelRows) {
    self.rows = rows
    run = rows.run
    table = rows.table
  }

  func sync(_ object: PayloadObject, _ key: RowKey, _ mode: RowMode) throws -> RowOutcome {
    if object.level == 1, let scope = object.scope {
      rows.markGiven(key, at: scope.position)
    }
    guard let walk = rows.named.walk, !walk.isClosed, object.level == 1 else {
      return try lookUp(object, key, mode)
    }
    let writes = rows.journal.writeCount
    switch try walk.find(key.identity) {
    case .stored(let statement) where table.isGenerated:
      let stored = StoredRow(
        statement: statement, isWalked: true,
        isRepeated: table.isMerged && rows.named.containsBesidesWalk(key))
      try update(object, key, mode, stored: stored)
    case .stored, .outdated:
      guard try lookUp(object, key, mode, isMet: true).isStored else { return .left }
    case .absent where object.scope == nil:
      // What another row of the payload had inserted before, the walk may have missed.
      guard !rows.journal.isInserted(key) else { return try lookUp(object, key, mode) }
      return try insert(object, key, mode, isInOrder: true)
    case .absent, .unknown:
      // Behind the last stored row a row is most likely new, and SQLite says so if it is not.
      if walk.isAtEnd, walk.isByRowNumbers, object.scope == nil, try insertDirectly(object, key) {
        return .inserted
      }
      return try lookUp(object, key, mode)
    }
    nameMet(key, object, isWritten: rows.journal.writeCount != writes)
    return .known
  }

  /// Counts a row that the walk met. Within a parent's slice the walk does not see the rows of others, so all are
  /// marked.
  private func nameMet(_ key: RowKey, _ object: PayloadObject, isWritten: Bool) {
    if isWritten || object.scope != nil {
      rows.named.insert(key)
    } else if !rows.named.containsBesidesWalk(key) {
      rows.named.countMet()
    }
  }

  /// - Parameter isMet: the walk met the row just now.
  private func lookUp(
    _ object: PayloadObject, _ key: RowKey, _ mode: RowMode, isMet: Bool = false
  ) throws -> RowOutcome {
    if rows.isKnownMissing(key) {
      // Every row of the table was inserted by this sync.
    } else if table.isGenerated {
      let statement = try rows.select(key)
      if try statement.step() {
        let isRepeated =
          isMet
          ? table.isMerged && rows.named.containsBesidesWalk(key)
          : try !nameFound(key, rowNumber: statement.column(table.columnCount).int64)
        try update(
          object, key, mode, stored: StoredRow(statement: statement, isWalked: false, isRepeated: isRepeated))
        return .known
      }
      statement.reset()
      try rows.noteMissing()
    } else if let stored = try handwrittenRow(key) {
      if !isMet { _ = try nameFound(key, rowNumber: 0) }
      try updateHandwritten(object, key, mode, stored: stored)
      return .known
    }
    guard mode.inserts else { return .left }
    if object.level > 1, object.isKeyAlone { return .waits }
    // All objects of the row together are not enough to make it.
    if case .synced = object.values { return .waits }
    return try insert(object, key, mode)
  }

  /// Remembers that the payload holds a stored row that the walk did not meet just now; false where that was known.
  private func nameFound(_ key: RowKey, rowNumber: Int64) throws -> Bool {
    if let walk = rows.named.walk {
      let wasMet = walk.isByRowNumbers ? walk.hasMet(rowNumber: rowNumber) : rows.isMetInOrder(key)
      if wasMet { return false }
      try walk.skip(to: rowNumber)
    }
    return rows.named.insert(key)
  }

  // MARK: Models written by hand

  private func handwrittenRow(_ key: RowKey) throws -> Model? {
    guard let id = Model.SyncID(key.identity) else { return nil }
    return try Model.fetchOne(
      run.database, sql: "SELECT * FROM \(table.quotedName) WHERE \(rows.identityColumn) = ?",
      arguments: [id])
  }

  private func updateHandwritten(
    _ object: PayloadObject, _ key: RowKey, _ mode: RowMode, stored: Model
  ) throws {
    var row = stored
    if mode.updatesFields, try row.apply(SyncPayload(object)) {
      try write(row, of: key, from: stored)
    }
    guard LinkMask.applies(mode.operations, isNew: false) else { return }
    try applyRelationships(to: row, object, key, mode, isNew: false)
  }
}

/// A stored row in the statement that found it.
struct StoredRow {
  let statement: ReadStatement
  /// Whether the walk stands on the row: its statement goes on with the next one.
  let isWalked: Bool
  /// Whether the payload had other objects of the row.
  let isRepeated: Bool

  /// Ends the reading of a row that was looked up.
  func release() {
    if !isWalked { statement.reset() }
  }
}
