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

  /// Rows that the payload holds, but for those that a walk in order met (they are counted only).
  var named: Set<RowKey> = []
  var namedInOrder = 0
  private(set) var statuses: [RowKey: RowStatus] = [:]
  /// The hash of a changed row's columns as they were before the sync: a change that is undone is none.
  private var originals: [RowKey: Int] = [:]
  var counts = SyncReport.Counts()
  /// Rows that could not be kept as the payload has them: they do not count as unchanged.
  private var skipped: Set<RowKey> = []
  /// Rows whose to-one columns were written for another row.
  private var linked: Set<SyncIdentity> = []
  private var existing: Set<SyncIdentity> = []
  private var existsStatement: ReadStatement?
  /// The parents that lists of this payload gave to rows, by relationship.
  var claims: [Int: [SyncIdentity: SyncIdentity]] = [:]

  /// The to-one relationships of new rows that this payload decided itself.
  var hasOwnLink: Set<LinkPlace> = []

  enum RowStatus {
    case inserted, reactivated, updated
  }

  init(_ session: SyncSession, _ entry: ModelCatalog.Entry) {
    self.session = session
    self.entry = entry
    table = entry.table
    shape = ObjectShape(table.keyTable(session.style))
    id = ObjectIdentifier(entry.table)
  }

  // MARK: Existence

  /// Whether a row is stored.
  func exists(_ identity: SyncIdentity) throws -> Bool {
    if existing.contains(identity) { return true }
    let statement = try existsStatement ?? prepareExists()
    guard try statement.exists(identity) else { return false }
    existing.insert(identity)
    return true
  }

  private func prepareExists() throws -> ReadStatement {
    let statement = try session.read(
      "SELECT 1 FROM \(table.name.quotedIdentifier) WHERE \(identityColumn) = ?1")
    existsStatement = statement
    return statement
  }

  func markExisting(_ identity: SyncIdentity) {
    existing.insert(identity)
  }

  func markDeleted(_ key: RowKey) {
    existing.remove(key.identity)
    statuses[key] = nil
    originals[key] = nil
  }

  var identityColumn: String { table.identityProperty.name.quotedIdentifier }

  func column(_ position: Int) -> String { table.properties[position].name.quotedIdentifier }

  // MARK: Status

  func markInserted(_ key: RowKey) {
    session.hasWritten = true
    statuses[key] = .inserted
  }

  func markReactivated(_ key: RowKey) {
    if statuses[key] != .inserted { statuses[key] = .reactivated }
  }

  /// Records that a known row was written. Written back to what it was, it is unchanged.
  func markUpdated(_ key: RowKey, from old: [DatabaseValue], to new: [DatabaseValue]) {
    session.hasWritten = true
    guard statuses[key] != .inserted else { return }
    let original = originals[key] ?? old.fingerprint
    originals[key] = original
    if statuses[key] == .reactivated { return }
    statuses[key] = new.fingerprint == original ? nil : .updated
  }

  /// Records that a row could not be kept.
  func markSkipped(_ key: RowKey) {
    skipped.insert(key)
  }

  /// Whether this sync wrote a stored row.
  func isTouched(_ key: RowKey) -> Bool {
    (!originals.isEmpty && originals[key] != nil) || (!linked.isEmpty && linked.contains(key.identity))
  }

  /// Records that a row's membership changed.
  func markMembershipChanged(_ key: RowKey) {
    if statuses[key] == nil { statuses[key] = .updated }
  }

  func isInserted(_ key: RowKey) -> Bool { statuses[key] == .inserted }

  func finishCounts() {
    var changedAndNamed = 0
    for (_, status) in statuses {
      switch status {
      case .inserted: counts.inserted += 1
      case .reactivated: counts.reactivated += 1
      case .updated: counts.updated += 1
      }
      changedAndNamed += 1
    }
    let left = skipped.count { statuses[$0] == nil }
    counts.unchanged = max(0, named.count + namedInOrder - changedAndNamed - left)
  }

  // MARK: Rows

  /// Syncs an object of the payload: updates the row it names, or inserts it.
  ///
  /// - Returns: whether the row is stored afterwards.
  func sync(_ object: PayloadObject, _ identity: SyncIdentity, _ mode: RowMode) throws -> Bool {
    preconditionAbstract()
  }

  /// Writes the identity of a related row into a to-one column.
  func link(_ owner: RowKey, _ position: Int, to target: SyncIdentity?) throws -> Bool {
    let old = try value(of: position, in: owner)
    guard case .some(let old) = old, old != target else { return false }
    if let target, table.properties[position].isUnique { try takePartner(of: target, position, for: owner) }
    try write("UPDATE \(table.name.quotedIdentifier) SET \(column(position)) = ?1 WHERE \(condition(owner, from: 2))")
      .execute(target, owner.identity, owner.parent)
    session.hasWritten = true
    linked.insert(owner.identity)
    session.recordLink(self, position, owner, from: old, to: target)
    return true
  }

  /// The to-one column of a row; nil when there is no such row.
  private func value(of position: Int, in owner: RowKey) throws -> SyncIdentity?? {
    let statement = try session.read(
      "SELECT \(column(position)) FROM \(table.name.quotedIdentifier) WHERE \(condition(owner, from: 1))")
    let parameters = statement.restart()
    defer { statement.reset() }
    owner.identity.bind(to: parameters, at: 1)
    owner.parent?.bind(to: parameters, at: 2)
    guard try statement.step() else { return nil }
    return .some(SyncIdentity(statement.column(0)))
  }

  /// The condition that finds a row, its parameters counted from a number.
  func condition(_ key: RowKey, from parameter: Int) -> String {
    guard key.parent != nil, let scope = table.parentScope else { return "\(identityColumn) = ?\(parameter)" }
    return "\(identityColumn) = ?\(parameter) AND \(column(scope)) = ?\(parameter + 1)"
  }

  /// Takes a one-to-one partner from its former owner.
  func takePartner(of target: SyncIdentity, _ position: Int, for owner: RowKey) throws {
    let former = try session.read(
      "SELECT \(identityColumn) FROM \(table.name.quotedIdentifier) WHERE \(column(position)) = ?1"
    ).identities(of: target)
    for identity in former where identity != owner.identity {
      guard table.properties[position].isOptional else {
        throw SyncError.invalidPayload(
          model: table.name,
          reason: "“\(table.properties[position].name)” of \(identity) is required and cannot give up \(target)"
            + " to \(owner.identity)")
      }
      _ = try link(RowKey(identity: identity), position, to: nil)
    }
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
