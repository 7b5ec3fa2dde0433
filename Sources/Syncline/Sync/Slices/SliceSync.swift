/// Syncs a slice: the rows in its text, and the stored rows that are missing from it.
final class SliceSync {
  let slice: PayloadSlice
  let feed: RowFeed
  let applier: RowApplier
  let run: Run
  let rows: ModelRows
  private(set) var rowCount = 0
  private(set) var identityCount = 0
  /// The object of the previous row, to be reused for the next one.
  private var reused: PayloadObject?
  /// Whether objects may be compared with the scan's next row before anything else is checked.
  private var comparesAhead = false
  private let incomplete: IncompleteRows
  /// The place of the slice among those of the call.
  let number: Int
  /// The lists of the model, if there are several of them or lists of deleted rows; nil if the slice is the model's only one.
  let lists: ModelLists?
  /// The name of the stored rows that the slice is about, if the model has several lists.
  private(set) var storedName = ""
  /// The rows that may be missing, if no scan finds them.
  private(set) var candidates: StoredSlice.Rows?
  /// The place of the first row of the list; nil if the rows have none, or keep their stored places.
  private var firstPlace: Int?
  /// The key that the identity of the next row must have.
  var expectedKey: UInt64?

  var table: SyncTable { slice.entry.table }

  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` when the call's parent is not stored.
  init(of slice: PayloadSlice, number: Int, lists: ModelLists?, _ applier: RowApplier) throws {
    self.slice = slice
    self.number = number
    self.lists = lists
    self.applier = applier
    run = applier.run
    rows = run.rows(slice.entry.number)
    if !slice.isInBody { try SliceSync.checkParent(slice, rows) }
    feed = try RowFeed(of: slice, run.style)
    incomplete = applier.incomplete
  }

  static func checkParent(_ slice: PayloadSlice, _ rows: ModelRows) throws {
    guard let scope = slice.scope, let end = rows.end(scope.position) else { return }
    guard try rows.run.rows(end.target).exists(scope.parent) else {
      throw SyncError(
        .parentIsNotStored(
          relationship: end.name, model: end.targetTable.name, identity: scope.parent.description),
        model: rows.table.name)
    }
  }

  /// Releases all pointers into the payload, whose bytes may be freed.
  func end() {
    rows.named.scan?.close()
    for model in run.order { model.clearInsertions() }
  }

  /// How many rows the call's own list has; nil for included and nested rows.
  var listLength: Int? {
    guard let part = slice.part else { return rowCount }
    return part.isMain ? part.listLength ?? rowCount : nil
  }

  var query: SliceQuery { SliceQuery(database: run.database, table: table, scope: slice.scope) }

  private var rowMode: RowMode { RowMode(policies: slice.children) }

  /// Checks the first rows for keys that no property reads; nil if the configuration does not ask for it.
  func unreadKeys() throws -> SyncUnreadKeys? {
    let limit = run.configuration.unreadKeys.rowLimit
    guard limit > 0, table.isGenerated else { return nil }
    var census = KeyCensus(run.style)
    var count = 0
    do {
      _ = try feed.forEachElement { tape, _ in
        census.add(tape.value(at: 0), of: table, scope: slice.scope?.position, besides: slice.unionKey)
        count += 1
        return count < limit ? .done : .stop
      }
    } catch is JSONError {
      // A syntax error is reported when the rows are read.
    }
    return census.result
  }

  /// Prepares the reading: records the rows that may be missing, and those that are listed as deleted.
  func prepare() throws {
    comparesAhead =
      !slice.isItem && slice.scope == nil && table.parentScope == nil && table.isGenerated
      && !run.mode.mergesAny && run.deletedRows?.concerns(table) != true
    try readListedAsDeleted()
    if lists != nil { storedName = try slice.storedRows.name(run.database) }
    if slice.policy != .none, slice.gone == nil, lists != nil || slice.condition != nil {
      candidates = try slice.storedRows.rows(run.database)
    }
  }

  func readRows() throws {
    if slice.policy != .none, candidates == nil, lists == nil {
      rows.named.scan = SliceScan(query)
      rows.named.scan?.order.isOn = canOrder
    }
    // Lists of the same parent follow each other.
    let before = lists?.length(in: slice.scope) ?? 0
    firstPlace = try listsRowsInPlace() ? nil : slice.firstPlace.map { $0 + before }
    try applyRows()
    try rows.insertWaiting()
    if let lists, isList {
      lists.add(
        rows: rowCount, identities: identityCount, length: listLength ?? rowCount, of: storedName,
        in: slice.scope)
    }
    if slice.isInBody || slice.unionKey != nil { run.mode.progress?.endList(rows: rowCount) }
  }

  private func applyRows() throws {
    if !slice.isItem, let place = feed.firstElement, isShuffled(from: place) {
      return try consumeRest(from: place)
    }
    let end = try feed.forEachElement { tape, index in
      guard (index == nil) == slice.isItem else {
        guard !slice.isItem else { return .done }
        let shape = PayloadShape(tape.value(at: 0))
        throw SyncError(
          RowProblem(model: table.name, path: slice.path.text, reason: .notAList(shape)))
      }
      let use = try consume(tape, index, readUpTo: tape.value(at: 0).end)
      return rows.named.scan?.order.isMostlyOutOfOrder == true ? .stop : use
    }
    if slice.isItem {
      guard case .item = end else { throw SyncError(.itemIsAList, model: table.name) }
    } else if case .stopped(let place) = end {
      try consumeRest(from: place)
    }
  }

  /// Syncs an element of the payload.
  ///
  /// - Parameter offset: up to where the payload was read, for progress.
  func consume(_ tape: JSONTape, _ index: Int?, readUpTo offset: Int) throws -> PayloadReader.Use {
    rowCount += 1
    if rowCount & 63 == 0 {
      try run.checkCancellation()
      try run.enlargePageCache()
      run.mode.progress?.read(bytes: offset, rows: rowCount)
    }
    if try sync(tape, index) { identityCount += 1 }
    // If the object is also referenced elsewhere, it still needs the tape, so neither can be reused.
    if isKnownUniquelyReferenced(&reused) { return .done }
    reused = nil
    return .kept
  }

  /// Calls the body with each object of the list that is applied: all but those of rows that are listed as deleted. Objects nested
  /// in those are not applied either, so they must not be merged into other rows.
  func forEachAppliedObject(
    _ settings: PayloadSettings? = nil, _ body: (PayloadObject) throws -> Void
  ) throws {
    let hasRowsListedAsDeleted = lists?.hasRowsListedAsDeleted ?? false
    try feed.forEachObject { tape, index in
      let object = self.object(tape, at: place(index), settings)
      if hasRowsListedAsDeleted, let identity = object.identity, !keep(identity, object) { return }
      try body(object)
    }
  }

  /// Notes the values by which keys are looked up.
  func noteValues(in lookups: any RowLookup) throws {
    try feed.forEachObject { tape, index in
      try run.forEachObject(in: object(tape, index), skipped: true) { lookups.note($0, of: $1.entry.number) }
    }
  }

  /// Syncs one element of the payload; false if it has no identity.
  private func sync(_ tape: JSONTape, _ index: Int?) throws -> Bool {
    guard tape.value(at: 0).isObject else {
      let path = object(tape, index).path
      throw SyncError(.noObject(found: tape.value(at: 0).summary, path: path), model: table.name)
    }
    let object: PayloadObject
    if let reused, reused.tape === tape {
      object = reused
      object.move(to: 0, place(index))
    } else {
      object = self.object(tape, index)
      reused = object
    }
    if table.place != nil { object.firstPlace = isOfOwnList(index) ? firstPlace : nil }
    if comparesAhead, try isMatchedUnchanged(object) { return true }
    guard let identity = object.identity else {
      rows.counts.skipped += 1
      object.report("", object.noIdentity, .skippedRow)
      return false
    }
    // Do not insert a row that is deleted in the end.
    if lists?.hasRowsListedAsDeleted == true, !keep(identity, object) { return true }
    try checkExpected(identity)
    _ = try applier.apply(object, identity, in: rows, rowMode)
    return true
  }

  /// Keeps a row even if it is listed as deleted, unless the list decides: of several parts of a body, the one that begins later.
  ///
  /// - Returns: whether the row is kept.
  func keep(_ identity: SyncIdentity, _ object: PayloadObject) -> Bool {
    lists?.keep(key(of: identity), from: object.begin, in: number) ?? true
  }

  func key(of identity: SyncIdentity) -> RowKey {
    RowKey(identity: identity, parent: table.parentScope == nil ? nil : slice.scope?.parent)
  }

  /// Whether the slice is a list of rows, rather than an item or changes.
  var isList: Bool { !slice.isItem && slice.gone == nil }

  /// Fast path: true if the scan's next row has this identity and equal columns and lists. It is counted as unchanged; no value
  /// is decoded or written.
  private func isMatchedUnchanged(_ object: PayloadObject) throws -> Bool {
    let named = rows.named
    guard let scan = named.scan, incomplete.isEmpty else { return false }
    let comparison = table.isFlat || !rows.mayWait ? rows.comparison : rows.scanComparison
    guard let match = try scan.match(object, comparison), [.same, .lists, .keys].contains(match) else {
      return false
    }
    // A scan by row numbers is on the expected row.
    if scan.isByRowNumbers {
      guard named.hasScannedRowsOnly || !named.containsOutsideScan(hash: expectedKey ?? scan.currentHash)
      else { return false }
    } else if expectedKey != nil || !named.hasScannedRowsOnly {
      guard let identity = scan.currentIdentity, !named.containsOutsideScan(RowKey(identity: identity)) else {
        return false
      }
      try checkExpected(identity)
    }
    if match != .same {
      guard let row = scan.currentIdentity.map({ RowKey(identity: $0) }), let stored = scan.currentRow,
        try match == .lists
          ? applier.areListsAsStored(object, row, in: rows, rowMode)
          : applier.areKeysAsStored(object, row, stored: stored, in: rows)
      else { return false }
    }
    scan.accept()
    named.countMatch()
    return true
  }

  private func isOfOwnList(_ index: Int?) -> Bool { index.map { slice.part?.isOfList($0) ?? true } ?? false }

  func place(_ index: Int?) -> PayloadObject.Location {
    if let place = slice.part?.place(index) { return place }
    let prefix = slice.path.text
    return index.map { .row(index: $0, prefix: prefix) } ?? .item(prefix: prefix)
  }

  func object(_ tape: JSONTape, _ index: Int?) -> PayloadObject { object(tape, at: place(index)) }

  func object(
    _ tape: JSONTape, at place: PayloadObject.Location, _ settings: PayloadSettings? = nil
  ) -> PayloadObject {
    let object = PayloadObject(
      tape: tape, position: 0, table: table, shape: rows.shape, place: place,
      settings: settings ?? run.payloadSettings)
    object.scope = slice.scope
    object.givenIdentity = slice.givenIdentity
    return object
  }
}
