/// The rows of one model in one sync: those in the payload, those in the store, and what is written.
///
/// A ``RowSyncing`` has the part that needs the model's type.
final class ModelRows {
  /// Unowned, since the run owns the model's rows. It is used for each row, and retaining it is slow.
  unowned(unsafe) let run: Run
  let entry: ModelCatalog.Entry
  let table: SyncTable
  let shape: ObjectShape
  let named: NamedRows
  let journal: RowJournal
  private let cachedStatements: StatementCache<StatementPurpose>
  /// Knows the model's type. It is set once a row was applied.
  var syncer: (any RowSyncing)?
  /// Compares payloads with stored rows. These are made once, not for each row.
  private(set) lazy var comparison = RowComparison(self, trustsKeys: true)
  /// Compares rows with pending links, which may differ from the keys that are stored.
  private(set) lazy var cautiousComparison = RowComparison(self, trustsKeys: false)
  /// Compares payloads with the scan's next row. Objects whose only relationships are keys have a result of their own.
  private(set) lazy var scanComparison = RowComparison(self, trustsKeys: false, distinguishesKeys: true)
  private(set) lazy var directInsert = DirectInsert(table, run.style, run.scratch)

  /// Finds a row of a model without a parent scope. Like the next statement, it runs for row after row, without a cache lookup.
  @exclusivity(unchecked) var selection: ReadStatement?
  /// Inserts a row from the payload's bytes. Its parameters point into these until it has run.
  @exclusivity(unchecked) var directInsertion: WriteStatement?
  /// The new rows that are not inserted yet, to be inserted with one statement.
  @exclusivity(unchecked) private var batch: InsertBatch?
  /// How many rows were inserted one by one that could have been in a batch.
  private var insertionCount = 0

  /// Counts that are updated as things happen: links, and rows of the payload that are left out.
  @exclusivity(unchecked) var counts = SyncReport.Counts()
  @exclusivity(unchecked) var notes = RowNotes()
  /// The relationships that are stored elsewhere. Those in join tables come first, since comparing them with the store is
  /// cheaper.
  private(set) lazy var lists: [LinkEnd] = {
    let ends = entry.ends.compactMap { $0 }.filter { !$0.isColumn }
    return ends.filter { $0.linkTable != nil } + ends.filter { $0.linkTable == nil }
  }()
  /// The relationships whose links are noted until the end of the pages; empty unless the payload is a page.
  private(set) lazy var notedEnds: [LinkEnd] = run.mode.unseen?.contents.notedEnds(of: entry) ?? []
  /// The payload's lists of the model, if some of them list rows as deleted. It is set before any row is read to be applied.
  var listsOfDeletedRows: ModelLists?
  /// The list that the last comparison found to differ from the stored one.
  var otherList: LinkPlace?
  var seenObjects = SeenObjects()
  /// Rows that were found by their identity.
  private var found = RowMarks()
  /// Whether this sync inserted all rows of the table, so that all other rows are not stored. Checked when a row is first not
  /// found.
  private var isOwnAlone: Bool?

  /// The purposes of cached statements. Those for a single row differ if a parent is part of its key.
  enum StatementPurpose: Hashable {
    case anyRow, identity, insertion
    case row(isScoped: Bool), columns(isScoped: Bool)
    case update([Int], isScoped: Bool)
    case holders(Int), referringRows(Int), members(Int), member(Int), insertLink(Int), deleteLink(Int)
  }

  init(_ run: Run, _ entry: ModelCatalog.Entry) {
    self.run = run
    self.entry = entry
    table = entry.table
    shape = ObjectShape(table.keyTable(run.style))
    named = NamedRows(of: entry, unseen: run.mode.unseen)
    journal = RowJournal(named, listsRows: run.mode.listsRows)
    cachedStatements = StatementCache(run.database)
  }

  /// The statements that read and write the rows. The rows that wait are inserted first.
  var statements: StatementCache<StatementPurpose> {
    get throws {
      try insertWaiting()
      return cachedStatements
    }
  }

  /// The relationship at a position; nil for scalars.
  func end(_ position: Int) -> LinkEnd? { entry.ends[position] }

  /// The parent within which the row's identity is unique, for a model with a parent scope.
  func scopeParent(of object: PayloadObject) throws -> SyncIdentity? {
    guard let scope = table.parentScope else { return nil }
    if let parent = object.scopeParent(for: SyncKey(scope)) { return parent }
    throw SyncError(.needsParent(relationship: table.properties[scope].name), model: table.name)
  }

  // MARK: Existence

  /// Whether a row is known not to be stored, without a lookup.
  func isKnownMissing(_ row: RowKey) -> Bool { isOwnAlone == true && !journal.isInserted(row) }

  /// Notes that a row was not found. The first time, checks whether the table is empty.
  func noteMissing() throws {
    guard isOwnAlone == nil else { return }
    isOwnAlone = try !statements.read(.anyRow, "SELECT 1 FROM \(table.quotedName) LIMIT 1").exists([])
  }

  func exists(_ identity: SyncIdentity) throws -> Bool {
    let row = RowKey(identity: identity)
    if isOwnAlone == true, table.parentScope == nil { return journal.isInserted(row) }
    if found.contains(row, .named), !journal.deleted.contains(row) { return true }
    let statement = try statements.read(
      .identity, "SELECT 1 FROM \(table.quotedName) WHERE \(identityColumn) = ?1")
    guard try statement.exists(identity) else { return false }
    found.insert(row, .named)
    return true
  }

  // MARK: Rows of the payload

  /// Whether the payload has a row.
  func isNamed(_ row: RowKey) -> Bool { named.containsOutsideScan(row) || isMatchedInOrder(row) }

  /// Records that the payload has a row, unless the scan met it.
  func name(_ row: RowKey) {
    if !isNamed(row) { named.insert(row) }
  }

  /// Whether the scan met a row of the payload in order. If this cannot be read, the next statement throws the error.
  func isMatchedInOrder(_ row: RowKey) -> Bool {
    // In a parent's slice all rows that the scan met are marked.
    guard let scan = named.scan, !scan.isOfParent else { return false }
    return SQLFault.noting(false) {
      do {
        guard scan.isByRowNumbers else { return try scan.hasMatched(row.identity) && exists(row.identity) }
        return try rowNumber(of: row).map(scan.hasMatched(rowNumber:)) ?? false
      } catch is Restart {
        // It is thrown again before anything else is read.
        return false
      }
    }
  }

  private func rowNumber(of row: RowKey) throws -> Int64? {
    let statement = try select(row)
    defer { statement.reset() }
    return try statement.step() ? statement.column(table.columnCount).int64 : nil
  }

  /// Records that the call gives a row its parent, which lists of the payload do not change. Restarts if lists of a body give
  /// parents by several relationships.
  func markGiven(_ row: RowKey, at position: Int) throws {
    if let other = notes.givenPosition, other != position { try run.logLinks() }
    notes.givenPosition = position
    notes.given.insert(row, .named)
  }

  func isGiven(_ row: RowKey) -> Bool { notes.givenPosition != nil && notes.given.contains(row, .named) }

  func isGiven(_ row: RowKey, at position: Int) -> Bool {
    notes.givenPosition == position && notes.given.contains(row, .named)
  }

  /// Whether rows of the model have pending links, or other rows have pending links to them.
  var mayWait: Bool {
    notes.hasWaiting || run.storedLinks.hasOwners(of: table) || run.storedLinks.hasTargets(in: table)
  }

  /// Whether the payload deletes a row, by a mark in one of its objects or by a list of deleted rows.
  func isToBeDeleted(_ row: RowKey) -> Bool {
    run.isDeleted(row, in: self) || listsOfDeletedRows?.isGone(row) ?? false
  }

  /// Whether the payload deletes a row that way, and does not only mark it.
  func isToBeDeletedPermanently(_ row: RowKey) -> Bool {
    if case .skipped(isKept: false)? = run.deletedRows?.treatment(of: row, in: table) { return true }
    return listsOfDeletedRows?.isDeletedPermanently(row) ?? false
  }

  // MARK: Objects that were seen

  /// The row of an object that was seen before and equals its stored row, without reading more of it. Nil if the object must be
  /// read.
  func seenRow(_ object: SyncValue) -> SyncIdentity? {
    guard run.remembersObjects,
      let identity = seenObjects.identity(of: object.content, writeCount: journal.writeCount),
      table.isFlat || !mayWait
    else { return nil }
    let row = RowKey(identity: identity)
    // Other objects of the row were incomplete or had no stamp, so this one must be read.
    guard !notes.setAside.contains(row, .named), !table.isMerged || !notes.unstamped.contains(row, .named)
    else { return nil }
    return identity
  }

  /// Remembers an object that equals its stored row, by its bytes in the payload. An object with nested rows may state something
  /// about these, so it is not remembered.
  func noteSeen(_ object: PayloadObject, _ row: RowKey) {
    guard object.level > 1, run.remembersObjects, object.scope == nil, object.givenIdentity == nil,
      object.isAlone, !object.tape.isOwner, table.parentScope == nil, !table.isComposite,
      table.isFlat || !object.hasNestedRows, !isToBeDeleted(row)
    else { return }
    seenObjects.insert(object.value.content, row.identity, writeCount: journal.writeCount)
  }

  // MARK: Inserting many rows

  /// The batch for rows that are known to be new; nil if the next row is inserted on its own. The first rows are inserted one by
  /// one, so that the statement for many rows is not prepared for a few.
  func insertBatch() throws -> InsertBatch? {
    if let batch { return batch }
    guard !run.mode.insertsOneByOne, run.uniqueValues == nil, insertionCount <= InsertBatch.size else {
      return nil
    }
    insertionCount += 1
    if insertionCount > InsertBatch.size {
      batch = try InsertBatch(table, run.database)
    }
    return batch
  }

  /// Inserts the rows that wait. It is called before anything else reads or writes the table.
  ///
  /// - Throws: ``Restart/insertingOneByOne`` if SQLite refuses any of them.
  func insertWaiting() throws {
    if let batch, try !batch.insert() { throw Restart.insertingOneByOne }
  }

  /// Removes pointers into the payload, whose bytes may be freed.
  func clearInsertions() {
    directInsertion?.clearBindings()
    batch?.clearBindings()
  }
}

/// Facts about rows that need special handling.
struct RowNotes {
  /// Existing rows of a stamped model with an object that has no stamp.
  var unstamped = RowMarks()
  /// Rows with objects that were set aside until the rest of the payload is known.
  var setAside = RowMarks()
  /// The rows whose parent the call gives, and the relationship to it.
  fileprivate var given = RowMarks()
  fileprivate var givenPosition: Int?
  /// Rows whose union has both a target and an unknown type, until all links are decided.
  var linkedWithType: Set<RowKey> = []
  /// Whether rows have pending links since this payload.
  var hasWaiting = false
}
