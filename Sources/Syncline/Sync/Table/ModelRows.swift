import GRDB

/// The rows of one model in one sync: what the payload names of them, what is stored, and what is written.
///
/// The part that needs the model's type is in a ``RowSyncing``.
final class ModelRows {
  /// It owns the rows. Asked for each of them: counting references would be dear.
  unowned(unsafe) let run: Run
  let entry: ModelCatalog.Entry
  let table: SyncTable
  let shape: ObjectShape
  let named: NamedRows
  let journal: RowJournal
  let statements: StatementCache<StatementPurpose>
  /// What knows the model's type, when a row was applied.
  var syncer: (any RowSyncing)?

  /// The statements that rows are asked for with, one after the other.
  var rowStatements = RowStatements()

  /// What is counted as it happens: links, and rows of the payload that are left out.
  var counts = SyncReport.Counts()
  /// What is noted of rows that take more than most.
  var notes = RowNotes()
  /// The relationships that are stored elsewhere, those in tables of links first: whether these are as they are stored takes
  /// less to see.
  private(set) lazy var lists: [LinkEnd] = {
    let ends = entry.ends.compactMap { $0 }.filter { !$0.isColumn }
    return ends.filter { $0.linkTable != nil } + ends.filter { $0.linkTable == nil }
  }()
  /// A list that was found not to be as it is stored, just now.
  var otherList: LinkPlace?
  /// What was nested in the payload, and is stored as it is.
  var seenObjects = SeenObjects()
  private var existence = Existence()

  /// What the statements do that run for row after row; those of a row differ where a parent is part of its key.
  enum StatementPurpose: Hashable {
    case anyRow, identity, insertion
    case row(isScoped: Bool), columns(isScoped: Bool)
    case update([Int], isScoped: Bool)
    case holders(Int), heldRows(Int), members(Int), insertLink(Int), deleteLink(Int)
  }

  init(_ run: Run, _ entry: ModelCatalog.Entry) {
    self.run = run
    self.entry = entry
    table = entry.table
    shape = ObjectShape(table.keyTable(run.style))
    named = NamedRows(
      of: table, unseen: run.mode.unseen.flatMap { $0.model == entry.number ? $0 : nil })
    journal = RowJournal(named, listsRows: run.mode.listsRows)
    statements = StatementCache(run.database)
  }

  /// The relationship at a position; nil for scalars.
  func end(_ position: Int) -> LinkEnd? { entry.ends[position] }

  /// The parent within which the row's identity is unique, for a parent-scoped model.
  func scopeParent(of object: PayloadObject) throws -> SyncIdentity? {
    guard let scope = table.parentScope else { return nil }
    if let parent = object.scopeParent(for: SyncKey(scope)) { return parent }
    throw SyncError(.needsParent(relationship: table.properties[scope].name), model: table.name)
  }

  // MARK: Existence

  /// Whether a row is known not to be stored, without looking for it.
  func isKnownMissing(_ row: RowKey) -> Bool { existence.isOwnAlone == true && !journal.isInserted(row) }

  /// Remembers that a row was not found.
  func noteMissing() throws {
    guard existence.isOwnAlone == nil else { return }
    let statement = try statements.read(.anyRow, "SELECT 1 FROM \(table.quotedName) LIMIT 1")
    _ = statement.restart()
    defer { statement.reset() }
    existence.isOwnAlone = try !statement.step()
  }

  /// Whether a row is stored.
  func exists(_ identity: SyncIdentity) throws -> Bool {
    let row = RowKey(identity: identity)
    if existence.isOwnAlone == true, table.parentScope == nil { return journal.isInserted(row) }
    if existence.found.contains(row, .named), !journal.deleted.contains(row) { return true }
    let statement = try statements.read(
      .identity, "SELECT 1 FROM \(table.quotedName) WHERE \(identityColumn) = ?1")
    guard try statement.exists(identity) else { return false }
    existence.found.insert(row, .named)
    return true
  }

  // MARK: What the payload says of rows

  /// Whether the payload holds a row.
  func isNamed(_ row: RowKey) -> Bool { named.containsOutsideScan(row) || isMetInOrder(row) }

  /// Records that the payload holds a row, unless the scan met it.
  func name(_ row: RowKey) {
    if !isNamed(row) { named.insert(row) }
  }

  /// Whether the scan met the row of the payload in its order. Where that cannot be read, the next statement throws why.
  func isMetInOrder(_ row: RowKey) -> Bool {
    // Within a parent's slice all rows that the scan met are marked.
    guard let scan = named.scan, !scan.isOfParent else { return false }
    return SQLFault.noting(false) {
      guard scan.isByRowNumbers else { return try scan.hasMet(row.identity) && exists(row.identity) }
      return try rowNumber(of: row).map(scan.hasMet(rowNumber:)) ?? false
    }
  }

  private func rowNumber(of row: RowKey) throws -> Int64? {
    let statement = try select(row)
    defer { statement.reset() }
    return try statement.step() ? statement.column(table.columnCount).int64 : nil
  }

  /// Records that the call names a row's parent, which lists of the payload do not change.
  func markGiven(_ row: RowKey, at position: Int) {
    notes.givenPosition = position
    notes.given.insert(row, .named)
  }

  func isGiven(_ row: RowKey) -> Bool { notes.givenPosition != nil && notes.given.contains(row, .named) }

  func isGiven(_ row: RowKey, at position: Int) -> Bool {
    notes.givenPosition == position && notes.given.contains(row, .named)
  }

  /// Whether rows of the model wait for others, or others for them.
  var mayWait: Bool {
    notes.hasWaiting || run.storedLinks.hasOwners(of: table) || run.storedLinks.hasTargets(in: table)
  }

  // MARK: Objects that were seen

  /// The row of an object that says what is stored of it, and was met before, without more being read of it; nil where it
  /// has to be looked at.
  func seenRow(_ object: SyncValue) -> SyncIdentity? {
    guard run.remembersObjects,
      let identity = seenObjects.identity(of: object.content, writeCount: journal.writeCount),
      table.isFlat || !mayWait
    else { return nil }
    let row = RowKey(identity: identity)
    // What else the payload said of the row may take another object to make up for.
    guard !notes.setAside.contains(row, .named), !table.isMerged || !notes.unstamped.contains(row, .named)
    else { return nil }
    return identity
  }

  /// Remembers an object that says what is stored of its row, by its bytes in the payload. One with rows nested in it may say something of them.
  func noteSeen(_ object: PayloadObject, _ row: RowKey) {
    guard object.level > 1, run.remembersObjects, object.scope == nil, object.givenIdentity == nil,
      object.isAlone, !object.tape.isOwner, table.parentScope == nil, !table.isComposite,
      table.isFlat || !object.hasNestedRows
    else { return }
    seenObjects.insert(object.value.content, row.identity, writeCount: journal.writeCount)
  }

  // MARK: The end

  /// Counts each row once.
  func finishCounts() {
    journal.count(in: &counts, isNamed: isNamed)
  }
}

/// The statements of a model that rows are asked for with one after the other, without looking for them.
struct RowStatements {
  /// The one that finds a row whose model has no parent scope.
  var selection: ReadStatement?
  /// The insertion of rows straight from the payload's bytes, which it points into until it is run.
  var directInsertion: WriteStatement?
}

/// What is noted of rows that take more than most.
struct RowNotes {
  /// Known rows of a stamped model with an object that has no stamp.
  var unstamped = RowMarks()
  /// Rows with objects that were set aside, until the rest of the payload is known.
  var setAside = RowMarks()
  /// Rows with lists that are as old as what is stored.
  var stale = RowMarks()
  /// The rows whose parent the call names, and the relationship to it.
  fileprivate var given = RowMarks()
  fileprivate var givenPosition: Int?
  /// Rows whose union has a link and a type that no case has, until all links are decided.
  var linkedWithType: Set<RowKey> = []
  /// Whether rows wait for others since this payload.
  var hasWaiting = false
}

/// What is known of which rows are stored.
private struct Existence {
  /// Rows that were found by their identity.
  var found = RowMarks()
  /// Whether all rows of the table are this sync's own, so that what it does not know is not stored. Asked for when a
  /// row was not found.
  var isOwnAlone: Bool?
}
