import Foundation
import GRDB

/// What one sync does to the rows of a model of known type: reads, makes, applies and writes them.
final class TypedModelSession<Model: SyncUpdatableModel>: ModelSession {
  private var selectStatement: ReadStatement?
  private var insertStatement: WriteStatement?
  private var directStatement: WriteStatement?
  /// The statements that write some columns, by their positions.
  private var updateStatements: [[Int]: WriteStatement] = [:]
  var cursor: SliceCursor?

  override func sync(_ object: PayloadObject, _ identity: SyncIdentity, _ mode: RowMode) throws -> Bool {
    let key = RowKey(identity: identity, parent: try scopeParent(of: object))
    do {
      return try sync(object, key, mode)
    } catch {
      markSkipped(key)
      throw error
    }
  }

  private func sync(_ object: PayloadObject, _ key: RowKey, _ mode: RowMode) throws -> Bool {
    guard let cursor, object.level == 1 else { return try lookUp(object, key, mode) }
    switch try cursor.find(key.identity) {
    case .stored(let statement) where table.isGenerated:
      try update(object, key, mode, statement, isWalking: true)
    case .stored, .outdated:
      guard try lookUp(object, key, mode, isMet: true) else { return false }
    case .absent where object.scope == nil || table.parentScope != nil:
      // What another row of the payload had inserted before, the walk may have missed.
      guard rows.find(key) == nil else { return try lookUp(object, key, mode) }
      try insert(object, key, mode, isInOrder: object.scope == nil)
      return true
    case .absent, .unknown:
      // Behind the last stored row a row is most likely new, and SQLite says so if it is not.
      if cursor.isAtEnd, cursor.isByRowNumbers, object.scope == nil, try insertDirectly(object, key) {
        return true
      }
      return try lookUp(object, key, mode)
    }
    nameMet(key, object)
    return true
  }

  /// Counts a row that the walk met. Within a parent's slice the walk does not see the rows of others, so all are
  /// remembered.
  private func nameMet(_ key: RowKey, _ object: PayloadObject) {
    if object.scope != nil {
      rows[rows.insert(key)].isNamed = true
    } else if let index = rows.find(key) {
      rows[index].isNamed = true
    } else {
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
  ) throws -> Bool {
    if isKnownMissing(key) {
      // Every row of the table was inserted by this sync.
    } else if table.isGenerated {
      let statement = try select(key)
      if try statement.step() {
        if !isMet { try nameFound(key, rowNumber: statement.column(table.columnCount).int64) }
        try update(object, key, mode, statement, isWalking: false)
        return true
      }
      statement.reset()
      try noteMissing()
    } else if let stored = try handwrittenRow(key) {
      if !isMet { try nameFound(key, rowNumber: 0) }
      try updateHandwritten(object, key, mode, stored)
      return true
    }
    guard mode.inserts else { return false }
    rows[rows.insert(key)].isNamed = true
    try insert(object, key, mode)
    return true
  }

  /// Remembers that the payload holds a stored row that the walk did not meet just now.
  private func nameFound(_ key: RowKey, rowNumber: Int64) throws {
    if let cursor {
      let wasMet =
        cursor.isByRowNumbers ? cursor.hasMet(rowNumber: rowNumber) : isNamedInOrder(key)
      if wasMet { return }
      try cursor.skip(to: rowNumber)
    }
    rows[rows.insert(key)].isNamed = true
  }

  private func select(_ key: RowKey) throws -> ReadStatement {
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

  // MARK: New rows

  /// Inserts a row of a model without relationships from the payload's bytes.
  ///
  /// - Returns: false when nothing was inserted: the row is stored already, or has to be made as a value.
  private func insertDirectly(_ object: PayloadObject, _ key: RowKey, isInOrder: Bool = false) throws -> Bool
  {
    guard table.isFlat, table.isGenerated else { return false }
    let statement = try directStatement ?? prepareDirectInsert()
    guard RowBinder(table: table).bind(object, key.identity, to: statement.restart()),
      try statement.execute() > 0
    else { return false }
    let isRemembered = !isInOrder || !table.isOrderedByIdentity
    markInserted(key, isInOrder: !isRemembered)
    if isRemembered { rows[rows.insert(key)].isNamed = true }
    session.didInsert(self, key)
    return true
  }

  private func prepareDirectInsert() throws -> WriteStatement {
    let statement = try write(insertSQL + " ON CONFLICT DO NOTHING")
    directStatement = statement
    return statement
  }

  override func forgetPayload() {
    directStatement?.clearBindings()
  }

  private func insert(_ object: PayloadObject, _ key: RowKey, _ mode: RowMode, isInOrder: Bool = false) throws
  {
    if try insertDirectly(object, key, isInOrder: isInOrder) { return }
    let linksNewRows = mode.operations.contains(.insert)
    object.readsReferences = linksNewRows
    var row = try Model.make(from: SyncPayload(object))
    guard row[keyPath: Model.syncIdentity].syncIdentity == key.identity else {
      throw object.error(
        table.identityProperty.name, "", "is made with another identity than \(key.identity)")
    }
    if table.isGenerated {
      let values = try checkRequired(row, object, key)
      try insert(row, values)
      // Held back is what another row has to give up first.
      if values != nil { row = try reread(key) ?? row }
    } else {
      try row.insert(session.database)
    }
    markInserted(key, isInOrder: isInOrder && table.isOrderedByIdentity)
    session.didInsert(self, key)
    guard linksNewRows || object.scope != nil else { return }
    try applyRelationships(to: row, object, key, mode, isNew: true)
  }

  private func insert(_ row: Model, _ values: [DatabaseValue]?) throws {
    let statement = try insertStatement ?? prepareInsert()
    let parameters = statement.restart()
    if let values {
      for (index, value) in values.enumerated() { parameters.bind(value, at: Int32(index + 1)) }
    } else {
      try row.encodeColumns(to: SyncColumnEncoder(binding: parameters))
    }
    try statement.execute()
  }

  private func prepareInsert() throws -> WriteStatement {
    let statement = try write(insertSQL)
    insertStatement = statement
    return statement
  }

  private var insertSQL: String {
    let parameters = (1...max(table.columnCount, 1)).map { "?\($0)" }.joined(separator: ", ")
    return "INSERT INTO \(table.quotedName) (\(table.columnList)) VALUES (\(parameters))"
  }

  /// Remembers required links whose rows are not there yet, to be checked when the payload ends, and takes
  /// one-to-one partners.
  ///
  /// - Returns: the values to insert in place of the row's own; nil for those.
  private func checkRequired(_ row: Model, _ object: PayloadObject, _ key: RowKey) throws -> [DatabaseValue]?
  {
    guard table.needsLinkChecks else { return nil }
    var values = try row.columnValues()
    var isHeldBack = false
    for (position, property) in table.columns.enumerated() {
      guard case .toOne(let isOptional) = property.kind, let target = SyncIdentity(values[position]) else {
        continue
      }
      if isOptional {
        // An optional unique reference is linked once the row is there.
        if property.isUnique {
          values[position] = .null
          isHeldBack = true
        }
        continue
      }
      if property.isUnique { try takePartner(of: target, position, for: key) }
      guard let related = property.related, try !session.models(related).exists(target) else { continue }
      session.requiredLinks.append(
        .init(
          model: self, key: key, position: position, target: target,
          error: object.error(
            property.name, "", "is required, and there is no \(related) \(target)")))
    }
    return isHeldBack ? values : nil
  }

  // MARK: Known rows

  private func update(
    _ object: PayloadObject, _ key: RowKey, _ mode: RowMode, _ stored: ReadStatement, isWalking: Bool
  ) throws {
    let matcher = RowMatcher(table: table, trustsKeys: !session.pending.hasOwners(of: table))
    let match = mode.updatesFields ? matcher.match(object, stored) : .relationships
    let isMarked = table.softDelete.map { !stored.column($0).isNull } ?? false
    if match == .same, !isMarked {
      if !isWalking { stored.reset() }
      return
    }
    try update(object, key, mode, stored, isWalking: isWalking, match, isMarked: isMarked)
  }

  /// Applies an object to a row that is not the same. On its own, so that rows that are take no room for a model's
  /// value.
  @inline(never)
  private func update(
    _ object: PayloadObject, _ key: RowKey, _ mode: RowMode, _ stored: ReadStatement, isWalking: Bool,
    _ match: RowMatch, isMarked: Bool
  ) throws {
    let old: Model
    do {
      defer { if !isWalking { stored.reset() } }
      old = try Model(columns: stored.decoder)
    }
    var row = old
    var changed = false
    let isStale = try isStale(object, old)
    if mode.updatesFields, !isStale, match == .different {
      try checkRequiredLinks(object, key, mode)
      changed = try row.apply(SyncPayload(object))
    }
    let reactivates = isMarked && !object.contains(SyncKey(table.softDelete ?? 0))
    let appliesLinks = !mode.operations.isDisjoint(with: [.update, .delete]) || object.scope != nil
    // With no rows nested in it, nothing but its own keys changes the row meanwhile: it is written once.
    let isWrittenOnce = appliesLinks && changed && !reactivates && table.isGenerated && !object.hasNestedRows
    if changed || reactivates, !isWrittenOnce {
      try write(row, from: old, key, reactivates: reactivates)
      if reactivates {
        markReactivated(key)
        row = try reread(key) ?? row
      }
    }
    guard appliesLinks else { return }
    try applyRelationships(
      to: row, from: isWrittenOnce ? old : nil, object, key, mode, isNew: false, isStale: isStale)
  }

  private func reread(_ key: RowKey) throws -> Model? {
    let statement = try select(key)
    defer { statement.reset() }
    return try statement.step() ? try Model(columns: statement.decoder) : nil
  }

  /// Whether the stored row is as new as the payload's, or newer.
  private func isStale(_ object: PayloadObject, _ stored: Model) throws -> Bool {
    guard let position = table.updatedAt else { return false }
    let key = SyncKey(position)
    let property = table.properties[position]
    var cursor = object.cursor(key)
    guard let date = SyncPayload(object).read(Date.self, &cursor, property.format) else {
      object.report(
        object.candidates(of: key).first?.text ?? property.name, "no readable stamp", .appliedWithoutStamp)
      return false
    }
    guard let current = Date.syncLoad(try stored.columnValues()[position]) else { return false }
    return Instant(date) <= Instant(current)
  }

  /// A required link that cannot be cleared, or taken from its owner, is refused before anything of the row is
  /// written.
  private func checkRequiredLinks(_ object: PayloadObject, _ key: RowKey, _ mode: RowMode) throws {
    guard table.hasRequiredLinks else { return }
    for (position, property) in table.columns.enumerated() {
      guard case .toOne(isOptional: false) = property.kind, let related = property.related,
        object.scopeParent(for: SyncKey(position)) == nil
      else { continue }
      let reading = object.toOne(SyncKey(position), target: try session.models(related).table)
      if case .null = reading.decision, mode.operations.contains(.delete) {
        throw object.error(property.name, reading.key, "is required, and null")
      }
      guard session.skipsInvalidRows, property.isUnique, let target = reading.identity else { continue }
      let owners = try session.read(
        "SELECT \(identityColumn) FROM \(table.quotedName) WHERE \(column(position)) = ?1"
      ).identities(of: target)
      if let owner = owners.first(where: { $0 != key.identity }) {
        throw object.error(property.name, reading.key, "is \(target), which \(owner) requires")
      }
    }
  }

  /// - Parameter unwritten: the stored row, where the row differs from it already.
  private func applyRelationships(
    to changed: Model, from unwritten: Model? = nil, _ object: PayloadObject, _ key: RowKey, _ mode: RowMode,
    isNew: Bool, isStale: Bool = false
  ) throws {
    var row = changed
    let stored = unwritten ?? changed
    let before = rowWrites
    let context = SyncContext(
      session: session, owner: self, key: key, isNew: isNew, isStale: isStale, policies: mode.policies,
      rowWrites: before)
    let isLinked = try row.applyRelationships(SyncPayload(object), in: context, operations: mode.operations)
    guard isLinked || unwritten != nil else { return }
    guard before != rowWrites, table.isGenerated, let fresh = try reread(key) else {
      try write(row, from: stored, key, isNew: isNew)
      return
    }
    // Rows nested in this one may have linked it otherwise, and a list among them may have taken it.
    let old = try stored.columnValues()
    let current = try fresh.columnValues()
    var new = zip(try row.columnValues(), zip(old, current)).map { $0.isStoredLike($1.0) ? $1.1 : $0 }
    for (position, claimed) in claims {
      if let parent = claimed[key.identity] { new[position] = parent.databaseValue }
    }
    try write(new, from: current, key, isNew: isNew)
  }

  /// Writes the columns that differ.
  private func write(
    _ row: Model, from old: Model, _ key: RowKey, reactivates: Bool = false, isNew: Bool = false
  ) throws {
    guard table.isGenerated else {
      try row.updateChanges(session.database, from: old)
      markUpdated(key, from: [false.databaseValue], to: [true.databaseValue])
      return
    }
    var newValues = try row.columnValues()
    if reactivates, let position = table.softDelete { newValues[position] = .null }
    try write(newValues, from: old.columnValues(), key, isNew: isNew)
  }

  private func write(
    _ values: [DatabaseValue], from oldValues: [DatabaseValue], _ key: RowKey, isNew: Bool
  ) throws {
    let newValues = values
    let changes = newValues.indices.filter { !newValues[$0].isStoredLike(oldValues[$0]) }
    guard !changes.isEmpty else { return }
    try takePartners(changes, newValues, key)
    let statement = try update(of: changes, key)
    let parameters = statement.restart()
    for (index, change) in changes.enumerated() {
      parameters.bind(newValues[change], at: Int32(index + 1))
    }
    key.identity.bind(to: parameters, at: Int32(changes.count + 1))
    key.parent?.bind(to: parameters, at: Int32(changes.count + 2))
    try statement.execute()
    markUpdated(key, from: oldValues, to: newValues)
    for change in changes {
      // The links of a new row are counted when they are made.
      guard !isNew, case .toOne = table.properties[change].kind else { continue }
      session.recordLink(
        self, change, key, from: SyncIdentity(oldValues[change]), to: SyncIdentity(newValues[change]))
    }
  }

  /// The statement that writes some columns of a row.
  private func update(of changes: [Int], _ key: RowKey) throws -> WriteStatement {
    if let statement = updateStatements[changes], key.parent == nil { return statement }
    let assignments = changes.enumerated()
      .map { "\(column($1)) = ?\($0 + 1)" }.joined(separator: ", ")
    let statement = try write(
      "UPDATE \(table.quotedName) SET \(assignments) WHERE \(condition(key, from: changes.count + 1))")
    if key.parent == nil { updateStatements[changes] = statement }
    return statement
  }

  private func takePartners(_ changes: [Int], _ values: [DatabaseValue], _ key: RowKey) throws {
    for change in changes where table.properties[change].isUnique {
      if let target = SyncIdentity(values[change]) { try takePartner(of: target, change, for: key) }
    }
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

extension DatabaseValue {
  /// Whether two values are stored alike. Text is compared byte by byte.
  func isStoredLike(_ other: DatabaseValue) -> Bool {
    if case .string(let left) = storage, case .string(let right) = other.storage {
      return left.isIdentical(to: right)
    }
    return self == other
  }
}
