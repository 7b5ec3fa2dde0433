import Foundation
import GRDB

/// Updating the rows that the store has.
extension TypedModelSession {
  func update(
    _ object: PayloadObject, _ key: RowKey, _ mode: RowMode, _ stored: ReadStatement, isWalking: Bool,
    isRepeated: Bool
  ) throws {
    let matcher = RowMatcher(table: table, trustsKeys: !session.pending.mayConcern(self))
    // What earlier objects say of the row, and could not be applied alone, counts where this one says nothing.
    if let earlier = session.setAside.object(of: key, in: self) { object.earlier = earlier }
    var isMarked = table.softDelete.map { !stored.column($0).isNull } ?? false
    let match: RowMatch
    if object.isAlone {
      match = mode.updatesFields ? matcher.match(object, stored) : .relationships
    } else if case .synced = object.values {
      (match, isMarked) = (.relationships, false)
    } else {
      match = mode.updatesFields ? .different : .relationships
    }
    // A nested object that is an identity alone is a key, which does not bring a row back.
    if match == .same, !isMarked || (object.level > 1 && object.isIdentityAlone) {
      if isRepeated, unstampedRows.contains(key, .named), let error = session.unmergedRows(of: table) {
        stored.reset()
        throw error
      }
      if !isWalking { stored.reset() }
      return
    }
    if isRepeated, match == .different || isMarked || (table.updatedAt != nil && isChanged(key)),
      let error = session.unmergedRows(of: table)
    {
      stored.reset()
      throw error
    }
    try update(
      object, key, mode, stored, isWalking: isWalking, match, isMarked: isMarked, isRepeated: isRepeated)
  }

  /// Applies an object to a row that is not the same. On its own, so that rows that are take no room for a model's
  /// value.
  @inline(never)
  func update(
    _ object: PayloadObject, _ key: RowKey, _ mode: RowMode, _ stored: ReadStatement, isWalking: Bool,
    _ match: RowMatch, isMarked: Bool, isRepeated: Bool
  ) throws {
    let old: Model
    do {
      defer { if !isWalking { stored.reset() } }
      old = try Model(columns: stored.decoder)
    }
    var row = old
    var changed = false
    let values: PayloadObject
    let isStale: Bool
    switch object.values {
    // A row that is new in this payload is older than all that the payload says of it.
    case .own: (values, isStale) = (object, try !isInserted(key) && self.isStale(object, key, old))
    case .merged(let merged):
      (values, isStale) = (merged, try self.isStale(merged, key, old))
      if isStale { session.repeated?.noteStale(key, in: self) }
    case .synced(let stale): (values, isStale) = (object, stale)
    }
    // An object before this one may have been older than what is stored, or have no stamp at all.
    if isRepeated, !isStale || unstampedRows.contains(key, .named), table.updatedAt != nil, !isInserted(key),
      let error = session.unmergedRows(of: table)
    {
      throw error
    }
    if !isStale {
      do {
        try checkRequiredLinks(object, key, mode)
        if mode.updatesFields, match == .different { changed = try row.apply(SyncPayload(values)) }
      } catch SyncError.invalidPayload(let model, let reason) {
        // A later object of the row may say what this one should.
        return try session.setAside.add(
          values, key, in: self, error: SyncError.invalidPayload(model: model, reason: reason))
      }
    }
    if object.earlier != nil { session.setAside.remove(key, in: self) }
    let reactivates = isMarked && mode.updatesFields && !values.contains(SyncKey(table.softDelete ?? 0))
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
    guard appliesLinks else { return try session.nameNested(in: object) }
    try applyRelationships(
      to: row, from: isWrittenOnce ? old : nil, object, key, mode, isNew: false, isStale: isStale)
  }

  func reread(_ key: RowKey) throws -> Model? {
    let statement = try select(key)
    defer { statement.reset() }
    return try statement.step() ? try Model(columns: statement.decoder) : nil
  }

  /// Whether the stored row is as new as the payload's, or newer.
  private func isStale(_ object: PayloadObject, _ row: RowKey, _ stored: Model) throws -> Bool {
    guard let position = table.updatedAt else { return false }
    let key = SyncKey(position)
    let property = table.properties[position]
    var cursor = object.cursor(key)
    guard let date = SyncPayload(object).read(Date.self, &cursor, property.format) else {
      object.report(
        object.candidates(of: key).first?.text ?? property.name, "no readable stamp", .appliedWithoutStamp)
      unstampedRows.insert(row, .named)
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
      if let owner = try holders(of: target, at: position).first(where: { $0 != key.identity }) {
        throw PartnerTaken(
          error: object.error(property.name, reading.key, "is \(target), which \(owner) requires"))
      }
    }
  }

  /// - Parameter unwritten: the stored row, where the row differs from it already.
  func applyRelationships(
    to changed: Model, from unwritten: Model? = nil, _ object: PayloadObject, _ key: RowKey, _ mode: RowMode,
    isNew: Bool, isStale: Bool = false
  ) throws {
    var row = changed
    let stored = unwritten ?? changed
    let before = rowWrites
    let context = SyncContext(
      session: session, owner: self, key: key, isNew: isNew, isStale: isStale, policies: mode.policies,
      rowWrites: before, decisions: object.hasNestedRows ? LinkDecisions() : nil)
    let isLinked = try row.applyRelationships(SyncPayload(object), in: context, operations: mode.operations)
    context.restorePostponed()
    let isRewritten = before != rowWrites && context.decisions?.targets.isEmpty == false
    guard isLinked || isRewritten || unwritten != nil else { return }
    guard table.isGenerated else { return try write(row, from: stored, key) }
    guard before != rowWrites, let fresh = try reread(key) else {
      let old = try stored.columnValues()
      return try write(yielding(row.columnValues(), old, key, object), from: old, key)
    }
    // Rows nested in this one may have written it otherwise.
    let old = try stored.columnValues()
    let current = try fresh.columnValues()
    var new = zip(try row.columnValues(), zip(old, current)).map { $0.isStoredLike($1.0) ? $1.1 : $0 }
    for (position, target) in context.decisions?.targets ?? [:] {
      new[position] = target?.databaseValue ?? .null
    }
    try write(yielding(new, current, key, object), from: current, key)
  }

  /// A row's columns where its own keys yield to lists, which may have been read since the keys were.
  private func yielding(
    _ values: [DatabaseValue], _ stored: [DatabaseValue], _ key: RowKey, _ object: PayloadObject
  ) throws -> [DatabaseValue] {
    var values = values
    for (position, property) in table.columns.enumerated() {
      guard case .toOne = property.kind, object.scopeParent(for: SyncKey(position)) == nil else { continue }
      if isMarked(key, at: position) {
        values[position] = stored[position]
      } else if !property.isUnique, let target = SyncIdentity(values[position]),
        !values[position].isStoredLike(stored[position])
      {
        switch try listed(key, position, at: target) {
        case .linked: break
        case .unlisted: claims[position, default: ListClaims()].unlisted[key] = target
        case .kept: values[position] = stored[position]
        }
      }
    }
    return values
  }

  /// Writes the columns that differ.
  func write(
    _ row: Model, from old: Model, _ key: RowKey, reactivates: Bool = false
  ) throws {
    guard table.isGenerated else {
      try row.updateChanges(session.database, from: old)
      markUpdated(key, from: [false.databaseValue], to: [true.databaseValue])
      return
    }
    var newValues = try row.columnValues()
    if reactivates, let position = table.softDelete { newValues[position] = .null }
    try write(newValues, from: old.columnValues(), key)
  }

  func write(
    _ newValues: [DatabaseValue], from oldValues: [DatabaseValue], _ key: RowKey
  ) throws {
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
      guard case .toOne = table.properties[change].kind else { continue }
      session.links.record(
        self, change, key, from: SyncIdentity(oldValues[change]), to: SyncIdentity(newValues[change]))
    }
  }

  /// The statement that writes some columns of a row.
  func update(of changes: [Int], _ key: RowKey) throws -> WriteStatement {
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
