import GRDB

/// What one sync does to the rows of one model.
///
/// The part that needs the model's type is in ``TypedModelSession``.
class ModelSession {
  unowned let session: SyncSession
  let entry: ModelCatalog.Entry
  let table: SyncTable
  let shape: ObjectShape
  let id: ObjectIdentifier

  /// The rows that are remembered: of those that a walk met in order only what was written.
  var rows = RowTable()
  /// How many rows of the payload a walk met in order, besides those that are remembered.
  var namedInOrder = 0
  /// The new rows of a payload in order, where the walk showed that they are new.
  private var insertedInOrder: ContiguousArray<Int64> = []
  private var deletedInOrder: Set<Int64> = []
  /// Rows that lists of this payload name, where members that lists do not name are deleted.
  var listed: Set<SyncIdentity> = []
  /// The hash of a changed row's columns as they were before the sync: a change that is undone is none.
  private var originals: [RowKey: Int] = [:]
  var counts = SyncReport.Counts()
  private var existing = RowTable()
  /// The parents that lists of this payload gave to rows, by relationship.
  var claims: [Int: [SyncIdentity: SyncIdentity]] = [:]

  /// How often known rows were written.
  private(set) var rowWrites = 0
  /// The to-one relationships that this payload changed by the rows' own keys.
  var movedByKey: Set<Int> = []
  /// The to-one relationships of new rows that this payload decided itself.
  var hasOwnLink: Set<LinkPlace> = []

  init(_ session: SyncSession, _ entry: ModelCatalog.Entry) {
    self.session = session
    self.entry = entry
    table = entry.table
    shape = ObjectShape(table.keyTable(session.style))
    id = ObjectIdentifier(entry.table)
  }

  // MARK: Statements

  /// What the statements do that run for row after row. Their SQL is written once.
  enum StatementPurpose: Int {
    case anyRow, row, members, holders, columns, setColumn, addLink, removeLink
  }

  private var reads: [Int: ReadStatement] = [:]
  private var writes: [Int: WriteStatement] = [:]

  private func number(_ purpose: StatementPurpose, _ position: Int, _ key: RowKey?) -> Int {
    (purpose.rawValue << 32 | position) << 1 | (key?.parent == nil ? 0 : 1)
  }

  /// - Parameter key: where the SQL has the condition of a row.
  func read(
    _ purpose: StatementPurpose, at position: Int = 0, of key: RowKey? = nil,
    sql: @autoclosure () throws -> String
  ) throws -> ReadStatement {
    let number = number(purpose, position, key)
    if let statement = reads[number] { return statement }
    let statement = try session.read(sql())
    reads[number] = statement
    return statement
  }

  /// - Parameter key: where the SQL has the condition of a row.
  func write(
    _ purpose: StatementPurpose, at position: Int, of key: RowKey? = nil,
    sql: @autoclosure () throws -> String
  ) throws -> WriteStatement {
    let number = number(purpose, position, key)
    if let statement = writes[number] { return statement }
    let statement = try session.write(sql())
    writes[number] = statement
    return statement
  }

  // MARK: Existence

  /// Whether all rows of the table are this sync's own, so that what it does not know is not stored. Asked for when a
  /// row was not found.
  private var isOwnAlone: Bool?

  /// Whether a row is known not to be stored, without looking for it.
  func isKnownMissing(_ key: RowKey) -> Bool {
    isOwnAlone == true && rows.find(key) == nil && numberInOrder(key) == nil
  }

  /// Remembers that a row was not found.
  func noteMissing() throws {
    guard isOwnAlone == nil else { return }
    let statement = try read(.anyRow, sql: "SELECT 1 FROM \(table.quotedName) LIMIT 1")
    _ = statement.restart()
    defer { statement.reset() }
    isOwnAlone = try !statement.step()
  }

  /// Whether a row is stored.
  func exists(_ identity: SyncIdentity) throws -> Bool {
    let key = RowKey(identity: identity)
    if isOwnAlone == true, table.parentScope == nil { return isInserted(key) }
    if let index = existing.find(key), !existing[index].isLeftOut { return true }
    let statement = try read(.row, sql: "SELECT 1 FROM \(table.quotedName) WHERE \(identityColumn) = ?1")
    guard try statement.exists(identity) else { return false }
    existing[existing.insert(key)].isLeftOut = false
    return true
  }

  func markDeleted(_ key: RowKey) {
    if let index = existing.find(RowKey(identity: key.identity)) { existing[index].isLeftOut = true }
    if let number = numberInOrder(key) { deletedInOrder.insert(number) }
    if let index = rows.find(key) {
      rows[index].status = nil
      rows[index].isLeftOut = true
    }
    originals[key] = nil
  }

  var identityColumn: String { table.identityProperty.quotedName }

  func column(_ position: Int) -> String { table.properties[position].quotedName }

  // MARK: Status

  /// Records that a row of the payload was inserted.
  ///
  /// - Parameter isInOrder: the row follows all others that were inserted so, in the payload's order.
  func markInserted(_ key: RowKey, isInOrder: Bool = false) {
    session.hasWritten = true
    if isInOrder, case .integer(let number) = key.identity {
      insertedInOrder.append(number)
      return
    }
    let index = rows.insert(key)
    rows[index].status = .inserted
    rows[index].isNamed = true
    rows[index].isLeftOut = false
  }

  func markReactivated(_ key: RowKey) {
    guard !isInserted(key) else { return }
    rows[rows.insert(key)].status = .reactivated
  }

  /// Records that a known row was written. Written back to what it was, it is unchanged.
  func markUpdated(_ key: RowKey, from old: [DatabaseValue], to new: [DatabaseValue]) {
    session.hasWritten = true
    rowWrites += 1
    guard !isInserted(key) else { return }
    let original = originals[key] ?? old.fingerprint
    originals[key] = original
    let index = rows.insert(key)
    if rows[index].status == .reactivated { return }
    rows[index].status = new.fingerprint == original ? nil : .updated
  }

  /// Records that a row could not be kept.
  func markSkipped(_ key: RowKey) {
    let index = rows.insert(key)
    rows[index].isNamed = true
    rows[index].isLeftOut = true
  }

  /// Records that a row's membership changed.
  func markMembershipChanged(_ key: RowKey) {
    guard !isInserted(key) else { return }
    let index = rows.insert(key)
    if rows[index].status == nil { rows[index].status = .updated }
  }

  func isInserted(_ key: RowKey) -> Bool {
    if let index = rows.find(key), rows[index].status == .inserted { return true }
    return numberInOrder(key).map { !deletedInOrder.contains($0) } ?? false
  }

  /// The identity of a row that was inserted in the payload's order, deleted since or not.
  private func numberInOrder(_ key: RowKey) -> Int64? {
    guard let first = insertedInOrder.first, let last = insertedInOrder.last,
      case .integer(let number) = key.identity
    else { return nil }
    let index = insertedInOrder.partitioningIndex { first <= last ? number <= $0 : $0 <= number }
    return index < insertedInOrder.count && insertedInOrder[index] == number ? number : nil
  }

  func finishCounts() {
    counts.inserted += insertedInOrder.count - deletedInOrder.count
    var unchanged = namedInOrder
    for row in rows.rows {
      switch row.status {
      case .inserted: counts.inserted += 1
      case .reactivated: counts.reactivated += 1
      case .updated: counts.updated += 1
      case nil: if row.isNamed, !row.isLeftOut { unchanged += 1 }
      }
      // A row that the walk met as it was, and another part of the payload changed.
      if row.status == .updated, !row.isNamed, isNamedInOrder(row.key) { unchanged -= 1 }
    }
    counts.unchanged = unchanged
  }

  /// Whether the payload holds a row.
  func isNamed(_ key: RowKey) -> Bool { isNamedBesides(key) || isNamedInOrder(key) }

  /// Whether the payload holds a row, besides those that the walk met in order.
  func isNamedBesides(_ key: RowKey) -> Bool {
    if let index = rows.find(key), rows[index].isNamed { return true }
    return numberInOrder(key) != nil
  }

  // MARK: Rows

  /// Whether a walk in order met the row of the payload.
  func isNamedInOrder(_ key: RowKey) -> Bool { false }

  /// Syncs an object of the payload: updates the row it names, or inserts it.
  ///
  /// - Returns: whether the row is stored afterwards.
  func sync(_ object: PayloadObject, _ identity: SyncIdentity, _ mode: RowMode) throws -> Bool {
    preconditionAbstract()
  }

  /// Forgets what points into the payload.
  func forgetPayload() {}

  /// The condition that finds a row, its parameters counted from a number.
  func condition(_ key: RowKey, from parameter: Int) -> String {
    guard key.parent != nil, let scope = table.parentScope else { return "\(identityColumn) = ?\(parameter)" }
    return "\(identityColumn) = ?\(parameter) AND \(column(scope)) = ?\(parameter + 1)"
  }

  func write(_ sql: String) throws -> WriteStatement { try session.write(sql) }

  private func preconditionAbstract() -> Bool {
    assertionFailure("overridden by TypedModelSession")
    return false
  }
}

/// How a row of a payload is synced.
struct RowMode {
  /// How the row's own values are treated: a top row's always apply.
  var updatesFields = true
  var inserts = true
  let operations: SyncRelationshipOperations
  var policies: [ChildPolicy] = []
}

extension [DatabaseValue] {
  /// A hash of the stored types and bytes, without Unicode equivalence. Null and zero differ.
  fileprivate var fingerprint: Int {
    var hasher = Hasher()
    for value in self {
      switch value.storage {
      case .null: hasher.combine(0 as UInt8)
      case .int64(let value):
        hasher.combine(1 as UInt8)
        hasher.combine(value)
      case .double(let value):
        hasher.combine(2 as UInt8)
        hasher.combine(value)
      case .string(let text):
        hasher.combine(3 as UInt8)
        hasher.combine(text.utf8.count)
        hasher.combine(String.UTF8Key(text))
      case .blob(let data):
        // Data itself hashes its first bytes only.
        hasher.combine(4 as UInt8)
        hasher.combine(data.count)
        data.withUnsafeBytes { hasher.combine(bytes: $0) }
      }
    }
    return hasher.finalize()
  }
}
