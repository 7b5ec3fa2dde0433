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

  var counts = SyncReport.Counts()
  /// How many rows of the payload a walk met in order, besides those that are marked.
  var namedInOrder = 0
  /// The new rows of a payload in order, where the walk showed that they are new.
  private var insertedInOrder: ContiguousArray<Int64> = []
  /// What the payload says of all other rows; further tables for the relationships that do not fit in the first.
  private var marks = [RowMarks()]
  /// How many rows are marked as named, and how many of these are new.
  private var markedRows = (named: 0, inserted: 0)
  /// The known rows that were written or whose membership changed.
  private var changes: [RowKey: RowChange] = [:]
  /// Rows of the payload that could not be kept.
  private var skippedRows: Set<RowKey> = []
  private(set) var deletedRows: Set<RowKey> = []
  /// Rows that were marked as deleted: they count as that alone.
  var markedRowKeys: Set<RowKey> = []
  /// Known rows of a stamped model with an object that has no stamp.
  var unstampedRows = RowMarks()
  /// The rows whose parent the call names, and the relationship to it.
  private var givenRows = RowMarks()
  private var givenPosition: Int?
  /// Rows with lists that are as old as what is stored.
  var staleRows = RowMarks()
  /// Rows that were found by their identity.
  private var existing = RowMarks()

  /// How often known rows were written.
  private(set) var rowWrites = 0
  /// What lists say of the rows that a to-one column of this model belongs to, by its position.
  var claims: [Int: ListClaims] = [:]
  /// What either end says of a one-to-one column of this model, by its position.
  var pairs: [Int: PairClaims] = [:]
  /// What it said, where it is written.
  var writtenPairs: [Int: PairClaims] = [:]
  /// The to-one relationships that the rows of this payload decide by keys of their own, where rows wait for others.
  var ownLinks: Set<LinkPlace> = []

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

  // MARK: Relationships

  /// The other end of a relationship.
  struct OtherEnd {
    let model: ModelSession
    let position: Int
    /// The column of the other end's model that holds the link; nil where it is stored elsewhere.
    let column: Int?
  }

  private var otherEnds: [Int: OtherEnd?] = [:]

  /// The relationship at the other end of one; nil where nothing points back.
  func otherEnd(of position: Int) throws -> OtherEnd? {
    if let known = otherEnds[position] { return known }
    var end: OtherEnd?
    if let related = table.properties[position].related {
      let model = try session.models(related)
      let other = model.table.properties.indices.first { table.isOtherEnd($0, in: model.table, of: position) }
      end = other.map {
        OtherEnd(model: model, position: $0, column: $0 < model.table.columnCount ? $0 : nil)
      }
    }
    otherEnds[position] = .some(end)
    return end
  }

  // MARK: Existence

  /// Whether all rows of the table are this sync's own, so that what it does not know is not stored. Asked for when a
  /// row was not found.
  private var isOwnAlone: Bool?

  /// Whether a row is known not to be stored, without looking for it.
  func isKnownMissing(_ key: RowKey) -> Bool { isOwnAlone == true && !isInserted(key) }

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
    if existing.contains(key, .named), !deletedRows.contains(key) { return true }
    let statement = try read(.row, sql: "SELECT 1 FROM \(table.quotedName) WHERE \(identityColumn) = ?1")
    guard try statement.exists(identity) else { return false }
    existing.insert(key, .named)
    return true
  }

  var identityColumn: String { table.identityProperty.quotedName }

  func column(_ position: Int) -> String { table.properties[position].quotedName }

  // MARK: What the payload says of rows

  /// Records that the payload holds a row.
  ///
  /// - Returns: whether that was not known.
  @discardableResult
  func markNamed(_ key: RowKey) -> Bool {
    let isNew = marks[0].insert(key, .named)
    if isNew { markedRows.named += 1 }
    return isNew
  }

  /// Records what the payload says of a relationship of a row.
  func mark(_ key: RowKey, at position: Int) {
    let (group, mark) = place(position)
    while marks.count <= group { marks.append(RowMarks()) }
    marks[group].insert(key, mark)
  }

  func isMarked(_ key: RowKey, at position: Int) -> Bool {
    let (group, mark) = place(position)
    return group < marks.count && marks[group].contains(key, mark)
  }

  private func place(_ position: Int) -> (group: Int, mark: RowMarks.Mark) {
    let (group, ordinal) = table.ordinals[position].quotientAndRemainder(dividingBy: RowMarks.Mark.placeLimit)
    return (group, .place(ordinal))
  }

  /// Whether the payload holds a row.
  func isNamed(_ key: RowKey) -> Bool { isNamedBesides(key) || isNamedInOrder(key) }

  /// Whether the payload holds a row, besides those that the walk met in order.
  func isNamedBesides(_ key: RowKey) -> Bool {
    marks[0].contains(key, .named) || numberInOrder(key) != nil
  }

  // MARK: What became of rows

  /// Records that a row of the payload was inserted.
  ///
  /// - Parameter isInOrder: the row follows all others that were inserted so, in the payload's order.
  func markInserted(_ key: RowKey, isInOrder: Bool = false) {
    session.hasWritten = true
    if isInOrder, case .integer(let number) = key.identity {
      insertedInOrder.append(number)
      return
    }
    deletedRows.remove(key)
    if numberInOrder(key) != nil { return }
    markNamed(key)
    if marks[0].insert(key, .inserted) { markedRows.inserted += 1 }
  }

  /// Whether a known row was written, or has other members.
  func isChanged(_ key: RowKey) -> Bool { !changes.isEmpty && changes[key] != nil }

  func markReactivated(_ key: RowKey) {
    guard !isInserted(key) else { return }
    changes[key, default: RowChange()].isReactivated = true
  }

  /// Records that a known row was written. Written back to what it was, it is unchanged.
  func markUpdated(_ key: RowKey, from old: [DatabaseValue], to new: [DatabaseValue]) {
    session.hasWritten = true
    rowWrites += 1
    guard !isInserted(key) else { return }
    var change = changes[key] ?? RowChange()
    let original = change.original ?? old.fingerprint
    change.original = original
    change.isWritten = new.fingerprint != original
    changes[key] = change
  }

  /// Records that a known row's list gained or lost a member, or that its column was cleared with the row it led to.
  func markMembershipChanged(_ key: RowKey) {
    guard !isInserted(key) else { return }
    changes[key, default: RowChange()].hasOtherMembers = true
  }

  /// Records that the call names a row's parent, which lists of the payload do not change.
  func markGiven(_ key: RowKey, at position: Int) {
    givenPosition = position
    givenRows.insert(key, .named)
  }

  func isGiven(_ key: RowKey, at position: Int) -> Bool {
    givenPosition == position && givenRows.contains(key, .named)
  }

  /// Records that a row could not be kept.
  func markSkipped(_ key: RowKey) {
    markNamed(key)
    skippedRows.insert(key)
  }

  func isSkipped(_ key: RowKey) -> Bool { skippedRows.contains(key) }

  func markDeleted(_ key: RowKey) {
    session.hasWritten = true
    deletedRows.insert(key)
  }

  func isInserted(_ key: RowKey) -> Bool { wasInserted(key) && !deletedRows.contains(key) }

  /// Whether this sync inserted a row, deleted since or not.
  private func wasInserted(_ key: RowKey) -> Bool {
    marks[0].contains(key, .inserted) || numberInOrder(key) != nil
  }

  /// The identity of a row that was inserted in the payload's order, deleted since or not.
  private func numberInOrder(_ key: RowKey) -> Int64? {
    guard let first = insertedInOrder.first, let last = insertedInOrder.last,
      case .integer(let number) = key.identity
    else { return nil }
    let index = insertedInOrder.partitioningIndex { first <= last ? number <= $0 : $0 <= number }
    return index < insertedInOrder.count && insertedInOrder[index] == number ? number : nil
  }

  /// Whether anything is different from before the sync.
  var hasNetChanges: Bool {
    counts.inserted > 0 || counts.softDeleted > 0 || deletedRows.contains { !wasInserted($0) }
      || changes.contains { $0.value.isChange && !deletedRows.contains($0.key) }
  }

  /// Counts each row once.
  func finishCounts() {
    counts.inserted = insertedInOrder.count + markedRows.inserted
    counts.unchanged = namedInOrder + markedRows.named - markedRows.inserted
    for key in deletedRows {
      if wasInserted(key) { counts.inserted -= 1 } else if isNamed(key) { counts.unchanged -= 1 }
    }
    for (key, change) in changes where !deletedRows.contains(key) && !markedRowKeys.contains(key) {
      guard change.isChange else { continue }
      if change.isReactivated { counts.reactivated += 1 } else { counts.updated += 1 }
      if isNamed(key) { counts.unchanged -= 1 }
    }
    for key in skippedRows where !wasInserted(key) && !deletedRows.contains(key) {
      if changes[key]?.isChange != true { counts.unchanged -= 1 }
    }
  }

  // MARK: Rows

  /// Whether a walk in order met the row of the payload.
  func isNamedInOrder(_ key: RowKey) -> Bool { false }

  /// Syncs an object of the payload: updates the row it names, or inserts it.
  ///
  func sync(_ object: PayloadObject, _ identity: SyncIdentity, _ mode: RowMode) throws -> RowOutcome {
    preconditionAbstract()
  }

  /// Lets go of the other models, which hold on to this one, and so of all statements.
  func end() {
    otherEnds = [:]
    claims = [:]
    pairs = [:]
    writtenPairs = [:]
  }

  /// Forgets what points into the payload.
  func forgetPayload() {}

  /// The condition that finds a row, its parameters counted from a number.
  func condition(_ key: RowKey, from parameter: Int) -> String {
    guard key.parent != nil, let scope = table.parentScope else { return "\(identityColumn) = ?\(parameter)" }
    return "\(identityColumn) = ?\(parameter) AND \(column(scope)) = ?\(parameter + 1)"
  }

  func write(_ sql: String) throws -> WriteStatement { try session.write(sql) }

  private func preconditionAbstract() -> RowOutcome {
    assertionFailure("overridden by TypedModelSession")
    return .left
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
