import Foundation
import GRDB

/// What one sync does to the rows of a model of known type: reads, makes, applies and writes them.
final class TypedModelSession<Model: SyncUpdatableModel>: ModelSession {
  private var selectStatement: ReadStatement?
  var insertStatement: WriteStatement?
  var directStatement: WriteStatement?
  /// The statements that write some columns, by their positions.
  var updateStatements: [[Int]: WriteStatement] = [:]
  var cursor: SliceCursor?

  override func sync(_ object: PayloadObject, _ identity: SyncIdentity, _ mode: RowMode) throws -> RowOutcome
  {
    let key = RowKey(identity: identity, parent: try scopeParent(of: object))
    session.repeated?.prepare(object, key, in: self)
    do {
      return try sync(object, key, mode)
    } catch let error as PartnerTaken {
      throw error
    } catch {
      markSkipped(key)
      throw error
    }
  }

  private func sync(_ object: PayloadObject, _ key: RowKey, _ mode: RowMode) throws -> RowOutcome {
    if object.level == 1, let scope = object.scope {
      markGiven(key, at: scope.position)
    }
    guard let cursor, !cursor.isClosed, object.level == 1 else { return try lookUp(object, key, mode) }
    let writes = rowWrites
    switch try cursor.find(key.identity) {
    case .stored(let statement) where table.isGenerated:
      try update(
        object, key, mode, statement, isWalking: true,
        isRepeated: table.isMerged && isNamedBesides(key))
    case .stored, .outdated:
      guard try lookUp(object, key, mode, isMet: true).isStored else { return .left }
    case .absent where object.scope == nil:
      // What another row of the payload had inserted before, the walk may have missed.
      guard !isInserted(key) else { return try lookUp(object, key, mode) }
      return try insert(object, key, mode, isInOrder: true)
    case .absent, .unknown:
      // Behind the last stored row a row is most likely new, and SQLite says so if it is not.
      if cursor.isAtEnd, cursor.isByRowNumbers, object.scope == nil, try insertDirectly(object, key) {
        return .inserted
      }
      return try lookUp(object, key, mode)
    }
    nameMet(key, object, isWritten: rowWrites != writes)
    return .known
  }

  /// Counts a row that the walk met. Within a parent's slice the walk does not see the rows of others, so all are
  /// marked.
  private func nameMet(_ key: RowKey, _ object: PayloadObject, isWritten: Bool) {
    if isWritten || object.scope != nil {
      markNamed(key)
    } else if !isNamedBesides(key) {
      namedInOrder += 1
    }
  }

  override func isNamedInOrder(_ key: RowKey) -> Bool {
    guard let cursor else { return false }
    guard cursor.isByRowNumbers else {
      return cursor.hasMet(key.identity) && (try? exists(key.identity)) ?? false
    }
    guard let number = try? rowNumber(of: key) else { return false }
    return cursor.hasMet(rowNumber: number)
  }

  private func rowNumber(of key: RowKey) throws -> Int64? {
    let statement = try select(key)
    defer { statement.reset() }
    return try statement.step() ? statement.column(table.columnCount).int64 : nil
  }

  /// The parent within which the row's identity is unique, for a parent-scoped model.
  private func scopeParent(of object: PayloadObject) throws -> SyncIdentity? {
    guard let scope = table.parentScope else { return nil }
    if let parent = object.scopeParent(for: SyncKey(scope)) { return parent }
    throw SyncError.invalidPayload(
      model: table.name,
      reason: "rows are unique within “\(table.properties[scope].name)”: name the parent in the call")
  }

  /// - Parameter isMet: the walk met the row just now.
  private func lookUp(
    _ object: PayloadObject, _ key: RowKey, _ mode: RowMode, isMet: Bool = false
  ) throws -> RowOutcome {
    if isKnownMissing(key) {
      // Every row of the table was inserted by this sync.
    } else if table.isGenerated {
      let statement = try select(key)
      if try statement.step() {
        let isRepeated =
          isMet
          ? table.isMerged && isNamedBesides(key)
          : try !nameFound(key, rowNumber: statement.column(table.columnCount).int64)
        try update(object, key, mode, statement, isWalking: false, isRepeated: isRepeated)
        return .known
      }
      statement.reset()
      try noteMissing()
    } else if let stored = try handwrittenRow(key) {
      if !isMet { _ = try nameFound(key, rowNumber: 0) }
      try updateHandwritten(object, key, mode, stored)
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
    if let cursor {
      let wasMet =
        cursor.isByRowNumbers ? cursor.hasMet(rowNumber: rowNumber) : isNamedInOrder(key)
      if wasMet { return false }
      try cursor.skip(to: rowNumber)
    }
    return markNamed(key)
  }

  func select(_ key: RowKey) throws -> ReadStatement {
    let statement: ReadStatement
    if let prepared = selectStatement {
      statement = prepared
    } else {
      statement = try session.read(
        "SELECT \(table.columnList), \(table.rowNumberColumn) FROM \(table.quotedName)"
          + " WHERE \(condition(key, from: 1))")
      selectStatement = statement
    }
    let parameters = statement.restart()
    key.identity.bind(to: parameters, at: 1)
    key.parent?.bind(to: parameters, at: 2)
    return statement
  }

  override func forgetPayload() {
    directStatement?.clearBindings()
  }

  // MARK: Models written by hand

  private func handwrittenRow(_ key: RowKey) throws -> Model? {
    guard let id = Model.SyncID(key.identity) else { return nil }
    return try Model.fetchOne(
      session.database, sql: "SELECT * FROM \(table.quotedName) WHERE \(identityColumn) = ?",
      arguments: [id])
  }

  private func updateHandwritten(
    _ object: PayloadObject, _ key: RowKey, _ mode: RowMode, _ stored: Model
  ) throws {
    var row = stored
    if mode.updatesFields, try row.apply(SyncPayload(object)) {
      try write(row, from: stored, key)
    }
    guard !mode.operations.isDisjoint(with: [.update, .delete]) else { return }
    try applyRelationships(to: row, object, key, mode, isNew: false)
  }
}
