import Foundation

/// Finds the rows that keys name by another property than the identity, in one run of a call.
///
/// A key is translated when it is read, so that everything else sees identities. But which row has a value is only known at the
/// end of the payload. If that is another row, the call restarts with the rows that were found then, until they stay the same. It
/// then notes all values of the payload first, so that objects which give each other's rows their values need no restart each.
final class RowLookups: RowLookup {
  private unowned(unsafe) let run: Run
  private let statements: StatementCache<ModelCatalog.Lookup>
  /// The rows, or placeholders, of the values that were looked up.
  private var rows: [LookupKey: SyncIdentity] = [:]
  /// The values of the placeholders.
  private var values: [SyncIdentity: LookupKey] = [:]
  /// The rows that objects of the payload give values, for values that no stored row has.
  private var given: [LookupKey: SyncIdentity] = [:]
  /// Objects that give a row a value, by a value of a row around them that is not found yet.
  private var unapplied: [LookupKey: [UnappliedValue]] = [:]
  /// The rows of columns without an index.
  private var scanned: [ModelCatalog.Lookup: [SyncIdentity: SyncIdentity]] = [:]

  /// An object that gives a row a value, and the values of the rows around it that are not found yet.
  private struct UnappliedValue {
    let key: LookupKey
    let row: SyncIdentity
    var unresolved: [LookupKey]
  }

  init(_ run: Run) {
    self.run = run
    statements = StatementCache(run.database)
  }

  // MARK: Finding

  func row(with value: SyncIdentity, at position: Int, of table: SyncTable) -> SyncIdentity {
    guard let column = column(at: position, of: table) else { return value }
    let key = LookupKey(column: column, value: value)
    if let known = rows[key] { return known }
    // A failing query is noted, and the next statement throws its error.
    let found: SyncIdentity? =
      run.mode.foundRows[key] ?? SQLFault.noting(nil) { try stored(key) ?? given[key] }
    let row = found ?? placeholder(of: key)
    rows[key] = row
    return row
  }

  func value(of row: SyncIdentity) -> SyncIdentity? { values.isEmpty ? nil : values[row]?.value }

  func position(of row: SyncIdentity) -> Int? { values[row]?.column.position }

  func positions(of table: SyncTable) -> [Int] {
    run.catalog.lookups.compactMap { self.table(of: $0) === table ? $0.position : nil }
  }

  private func table(of column: ModelCatalog.Lookup) -> SyncTable { run.catalog.entries[column.model].table }

  private func column(at position: Int, of table: SyncTable) -> ModelCatalog.Lookup? {
    run.catalog.lookups.first { $0.position == position && self.table(of: $0) === table }
  }

  /// An identity of another type than those of the model, so that no row has it.
  private func placeholder(of key: LookupKey) -> SyncIdentity {
    let number = UInt64(values.count)
    let row: SyncIdentity
    switch table(of: key.column).identityKind {
    case .integer, .uuid: row = .text("no row \(number)")
    case .text, .composite:
      let bytes = (UInt64(0), number.bigEndian)
      row = .uuid(withUnsafeBytes(of: bytes) { UUID(uuid: $0.load(as: uuid_t.self)) })
    }
    values[row] = key
    return row
  }

  // MARK: The payload

  func note(_ object: PayloadObject, of model: ModelNumber) {
    guard object.level <= PayloadObject.levelLimit, let row = object.identity, values[row] == nil,
      let table = object.table
    else { return }
    var unresolved: [LookupKey] = []
    var inner = object
    while case .nested(let outer, _, _) = inner.place {
      if let key = outer.identity.flatMap({ values[$0] }) { unresolved.append(key) }
      inner = outer
    }
    for column in run.catalog.lookups where column.model == model {
      let property = table.properties[column.position]
      let stored = object.storedValue(of: property, at: column.position)
      guard let value = stored.flatMap({ SyncIdentity($0) }) else { continue }
      give(UnappliedValue(key: LookupKey(column: column, value: value), row: row, unresolved: unresolved))
    }
  }

  /// Gives a row its value, unless the object is in a row that is not found. Then it waits for that row.
  private func give(_ value: UnappliedValue) {
    var open = [value]
    while var next = open.popLast() {
      while let last = next.unresolved.last, given[last] != nil { next.unresolved.removeLast() }
      if let last = next.unresolved.last {
        unapplied[last, default: []].append(next)
        continue
      }
      guard given[next.key] == nil, run.mode.foundRows[next.key] == nil else { continue }
      given[next.key] = next.row
      if let known = rows[next.key], values[known] != nil { rows[next.key] = nil }
      open += unapplied.removeValue(forKey: next.key) ?? []
    }
  }

  // MARK: The store

  /// The stored row with a value; nil if there is none. Rows that are marked as deleted do not count.
  private func stored(_ key: LookupKey) throws -> SyncIdentity? {
    let table = table(of: key.column)
    // Without the index, each query would read the whole table.
    if run.uniqueValues?.hasNoIndex(of: table) == true { return try scan(key.column)[key.value] }
    let statement = try statements.read(
      key.column,
      """
      SELECT \(table.identityProperty.quotedName) FROM \(table.quotedName)
      WHERE \(table.properties[key.column.position].quotedName) = ?1\(table.andIsNotDeleted) LIMIT 1
      """)
    key.value.bind(to: statement.restart(), at: 1)
    defer { statement.reset() }
    return try statement.step() ? SyncIdentity(statement.column(0)) : nil
  }

  private func scan(_ column: ModelCatalog.Lookup) throws -> [SyncIdentity: SyncIdentity] {
    if let known = scanned[column] { return known }
    let table = table(of: column)
    let name = table.properties[column.position].quotedName
    let statement = try ReadStatement(
      run.database,
      """
      SELECT \(name), \(table.identityProperty.quotedName) FROM \(table.quotedName)
      WHERE \(name) IS NOT NULL\(table.andIsNotDeleted)
      """)
    defer { statement.reset() }
    var rows: [SyncIdentity: SyncIdentity] = [:]
    while try statement.step() {
      guard let value = SyncIdentity(statement.column(0)) else { continue }
      // An object without identity that named a row by a value may have given it the value.
      if let known = rows[value], known != self.rows[LookupKey(column: column, value: value)] { continue }
      rows[value] = SyncIdentity(statement.column(1))
    }
    scanned[column] = rows
    return rows
  }

  // MARK: The end

  func check(isEnd: Bool) throws {
    guard !rows.isEmpty, !run.mode.hasEndedLookups else { return }
    scanned = [:]
    var found: [LookupKey: SyncIdentity?] = [:]
    var isOther = false
    for (key, row) in rows {
      let model = run.rows(key.column.model)
      guard model.journal.hasWritten || !run.mode.foundRows.isEmpty else { continue }
      let now = try stored(key)
      let before = values[row] == nil ? row : nil
      if !isEnd {
        // No row has the value, although an object that was not applied gives it to one.
        let wasNotApplied = now == nil && given[key] == before
        guard now != before, now.map({ model.isWritten(RowKey(identity: $0)) }) ?? wasNotApplied else {
          continue
        }
      }
      if now != nil || before != nil { found.updateValue(now, forKey: key) }
      if now != before { isOther = true }
    }
    if isOther { throw Restart.lookingUp(found) }
  }
}

extension ModelRows {
  fileprivate func isWritten(_ row: RowKey) -> Bool { journal.isInserted(row) || journal.isChanged(row) }
}
