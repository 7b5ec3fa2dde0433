/// The rows of one call: those at the top of its payload, and those of the slice that it does not name.
final class SliceSync {
  let request: SyncRequest
  let applier: RowApplier
  let run: Run
  let rows: ModelRows
  private var rowCount = 0
  private var identityCount = 0
  /// The object of the row before, to read the next one with.
  private var reused: PayloadObject?
  /// Whether rows may be compared with those that the walk meets, before anything else is asked of them.
  private let comparesAhead: Bool
  private let incomplete: IncompleteRows
  /// The rows that the payload says are gone.
  private var gone: Set<SyncIdentity> = []
  /// Whether the rows keep the places that they have.
  private var keepsPlaces = false
  /// What the identity of the next row has to be known by.
  var expectedKey: UInt64?

  var table: SyncTable { request.entry.table }

  /// Begins a sync.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` when the call's parent is not stored.
  init(of request: SyncRequest, _ applier: RowApplier) throws {
    self.request = request
    self.applier = applier
    run = applier.run
    rows = run.rows(request.entry.number)
    incomplete = applier.incomplete
    let table = request.entry.table
    comparesAhead =
      !request.isItem && request.scope == nil && table.parentScope == nil && table.isGenerated
      && run.mode.mergedTables.isEmpty
    try checkParent()
    if request.policy != .none {
      rows.named.walk = SliceWalk(
        run.database, table, parent: request.scope.map { (table.properties[$0.position].name, $0.parent) })
      rows.named.walk?.watchesOrder = canOrder
    }
  }

  private func checkParent() throws {
    guard let scope = request.scope, let end = rows.end(scope.position) else { return }
    guard try run.rows(end.target).exists(scope.parent) else {
      throw SyncError(
        .parentIsNotStored(
          relationship: end.name, model: end.targetTable.name, identity: scope.parent.description),
        model: table.name)
    }
  }

  /// Forgets what points into the payload, whose bytes may go.
  func end() {
    if request.part?.isMain ?? true { request.pages?.lastRowCount = request.part?.listLength ?? rowCount }
    rows.named.walk?.close()
    run.forgetPayload()
  }

  private var rowMode: RowMode { RowMode(operations: request.operations, policies: request.children) }

  // MARK: Rows

  /// Syncs the rows of a feed.
  func consume(_ feed: borrowing RowFeed) throws {
    try readGone()
    try prepareRepeatedRows(of: feed)
    keepsPlaces = try listsRowsInPlace(feed)
    if !request.isItem, let place = feed.firstElement, isShuffled(feed, from: place) {
      return try consumeRest(of: feed, from: place)
    }
    let end = try feed.forEachElement { tape, index in
      guard (index == nil) == request.isItem else {
        guard !request.isItem else { return .done }
        let shape = PayloadShape(tape.value(at: 0))
        throw SyncError(
          RowProblem(model: table.name, path: request.path ?? "", reason: .notAList(shape)))
      }
      let use = try consume(tape, index, readUpTo: tape.value(at: 0).end)
      return rows.named.walk?.isAstray == true ? .stop : use
    }
    if case .item = end {
      guard request.isItem else { return }
    } else if request.isItem {
      throw SyncError(.itemIsAList, model: table.name)
    }
    if case .stopped(let place) = end { try consumeRest(of: feed, from: place) }
  }

  /// Syncs an element of the payload.
  ///
  /// - Parameter offset: up to where the payload was read.
  func consume(_ tape: JSONTape, _ index: Int?, readUpTo offset: Int) throws -> PayloadReader.Use {
    rowCount += 1
    if rowCount & 63 == 0 {
      try run.checkCancellation()
      run.mode.progress?.read(bytes: offset, rows: rowCount)
    }
    if try sync(tape, index) { identityCount += 1 }
    // A payload that was kept holds on to its object.
    if isKnownUniquelyReferenced(&reused) { return .done }
    reused = nil
    return .kept
  }

  private func prepareRepeatedRows(of feed: borrowing RowFeed) throws {
    guard let repeated = applier.repeated else { return }
    try feed.forEachObject { try repeated.count(in: object($0, $1), of: run) }
    try feed.forEachObject { try repeated.collect(from: object($0, $1), of: run) }
  }

  /// Syncs one element of the payload; false when it has no identity.
  private func sync(_ tape: JSONTape, _ index: Int?) throws -> Bool {
    guard tape.value(at: 0).isObject else {
      let place = index.map((request.path ?? "").path(ofElement:)) ?? request.path ?? ""
      throw SyncError(.noObject(found: tape.value(at: 0).summary, path: place), model: table.name)
    }
    let object: PayloadObject
    if let reused, reused.tape === tape {
      object = reused
      object.move(to: 0, place(index))
    } else {
      object = self.object(tape, index)
      reused = object
    }
    if table.place != nil { object.firstPlace = firstPlace(of: index) }
    if comparesAhead, try isMetUnchanged(object) { return true }
    guard let identity = object.identity else {
      rows.counts.skipped += 1
      object.report("", object.noIdentity, .skippedRow)
      return false
    }
    // What is gone in the end is not made before.
    if gone.contains(identity) { return true }
    try checkExpected(identity)
    _ = try applier.apply(object, identity, in: rows, rowMode)
    return true
  }

  /// Whether the walk meets the row next, and it is the same: what most rows of a payload are that comes again. Nothing is
  /// made of them but a count.
  private func isMetUnchanged(_ object: PayloadObject) throws -> Bool {
    let named = rows.named
    guard let walk = named.walk, incomplete.isEmpty, applier.refused.isEmpty else { return false }
    let comparison = RowComparison(rows, trustsKeys: table.isFlat || !rows.mayWait)
    guard let match = try walk.match(object, comparison), match == .same || match == .lists else {
      return false
    }
    // By row numbers the row is the expected one.
    if walk.isByRowNumbers {
      guard named.knowsWalkAlone || !named.containsBesidesWalk(hash: expectedKey ?? walk.hashMet) else {
        return false
      }
    } else if expectedKey != nil || !named.knowsWalkAlone {
      guard let identity = walk.identityMet, !named.containsBesidesWalk(RowKey(identity: identity)) else {
        return false
      }
      try checkExpected(identity)
    }
    if match == .lists {
      guard let identity = walk.identityMet,
        try applier.areListsAsStored(object, RowKey(identity: identity), in: rows, rowMode)
      else { return false }
    }
    walk.goOn()
    named.countMet()
    return true
  }

  /// The place of the first row of the list that a row is from; nil where that is no list of the model's.
  private func firstPlace(of index: Int?) -> Int? {
    guard !keepsPlaces, let index, request.part?.isOfList(index) ?? true else { return nil }
    guard let pages = request.pages else { return 0 }
    return pages.rowCount
  }

  private func place(_ index: Int?) -> PayloadObject.Place {
    if let place = request.part?.place(index) { return place }
    let prefix = request.path ?? ""
    return index.map { .row(index: $0, prefix: prefix) } ?? .item(prefix: prefix)
  }

  private func object(_ tape: JSONTape, _ index: Int?) -> PayloadObject { object(tape, at: place(index)) }

  private func object(
    _ tape: JSONTape, at place: PayloadObject.Place, _ settings: PayloadSettings? = nil
  ) -> PayloadObject {
    let object = PayloadObject(
      tape: tape, position: 0, table: table, shape: rows.shape, place: place,
      settings: settings ?? run.payloadSettings)
    object.scope = request.scope
    return object
  }

  /// Whether a list has the stored rows in the order of their places, all of them and no others, and rows that were deleted
  /// since have left gaps: then nothing has moved.
  private func listsRowsInPlace(_ feed: borrowing RowFeed) throws -> Bool {
    guard let place = table.place.map({ table.properties[$0].quotedName }), !request.isItem,
      request.pages == nil, request.part?.isWholeList ?? true
    else { return false }
    let scope = request.scope.map { " WHERE \(table.properties[$0.position].quotedName) = ?1" } ?? ""
    let slice = "FROM \(table.quotedName)\(scope)"
    func select(_ sql: String) throws -> ReadStatement {
      let statement = try ReadStatement(run.database, sql)
      let parameters = statement.restart()
      if let parent = request.scope?.parent { parent.bind(to: parameters, at: 1) }
      return statement
    }
    let count = try select("SELECT COUNT(*), MIN(\(place)), MAX(\(place)) \(slice)")
    defer { count.reset() }
    guard try count.step(), count.column(0).int64 > 0,
      count.column(1).int64 != 0 || count.column(2).int64 != count.column(0).int64 - 1
    else { return false }
    let stored = try select(
      "SELECT \(table.identityProperty.quotedName), \(place) \(slice) ORDER BY \(place), 1")
    defer { stored.reset() }
    var last: Int64?
    var isSame = true
    _ = try feed.forEachElement { tape, index in
      guard index != nil, tape.value(at: 0).isObject, try stored.step(), stored.column(1).isInteger,
        case let next = stored.column(1).int64, last.map({ $0 < next }) ?? true,
        object(tape, index).identity?.isStored(in: stored.column(0)) ?? false
      else {
        isSame = false
        return .stop
      }
      last = next
      return .done
    }
    return try isSame && !stored.step()
  }

  // MARK: The end

  /// Ends the reading, when the rows of all slices were read.
  func finishReading() throws {
    run.endReading()
    try rows.named.walk?.finish { [table, named = rows.named] in
      // Where identities are unique within a parent, they alone do not name a row.
      table.parentScope == nil && named.containsBesidesWalk(RowKey(identity: $0))
    }
    run.mode.progress?.read(bytes: .max, rows: rowCount)
    run.mode.progress?.begin(.linking)
    // What comes with the rows is reported.
    // Of several models, the rows of the others are kept.
    if isWithoutIdentities, request.part?.isMain ?? true, request.unionKey == nil {
      throw missingIdentities()
    }
  }

  /// Remembers the links that the rows of a feed state to rows that were deleted.
  func rememberDeleted(in feed: borrowing RowFeed) throws {
    guard !applier.links.deletedTargets.isEmpty else { return }
    try feed.forEachObject { try applier.links.deletedTargets.remember(object($0, $1)) }
  }

  /// Counts the objects of a feed that say other values than another object of their row.
  func countMerged(in feed: borrowing RowFeed) throws {
    let differing = applier.differing
    guard !differing.isEmpty else { return }
    try feed.forEachObject { try differing.merge(object($0, at: place($1), differing.settings)) }
    try feed.forEachObject { try differing.count(object($0, at: place($1), differing.settings)) }
  }

  private var isWithoutIdentities: Bool { identityCount == 0 && rowCount > 0 }

  private func missingIdentities() -> SyncError {
    let named = table.isComposite ? table.identityParts : [table.identity]
    return SyncError(
      .noIdentities(keys: named.flatMap { table.properties[$0].keys(in: run.style) }), model: table.name)
  }

  /// Deletes the rows of the slice that the payload does not name, or says are gone.
  func deleteMissing() throws {
    run.mode.progress?.begin(.deleting)
    if let delta = request.delta { return try deleteGone(delta.policy) }
    guard request.policy != .none, !isWithoutIdentities, let walk = rows.named.walk else { return }
    if request.requiresRows, rowCount == 0 {
      run.log.record(
        SyncProblem(
          model: table.name, row: nil, identity: nil, path: request.path ?? "", .emptyPayload,
          action: .deletedNothing))
      return
    }
    let parent = table.parentScope == nil ? nil : request.scope?.parent
    // In one order, whichever the payload's is: what is denied first may be all that is denied.
    var missing = walk.missing.map { RowKey(identity: $0.identity, parent: parent) }
    if walk.isDescending { missing.reverse() }
    if let scope = request.scope, parent == nil, let column = rows.end(scope.position) {
      // Rows that a key brought into the slice would be missing if the payload came again.
      missing += run.ledger.arrivals(at: scope.parent, by: column)
        .filter { !rows.isGiven($0, at: scope.position) }.sorted { $0.identity < $1.identity }
    }
    try applier.links.missing.delete(
      missing.filter { !rows.named.containsBesidesWalk($0) }, in: rows, request.policy, isOfSlice: true)
  }

  // MARK: Rows that are gone

  /// Reads which rows are gone: by their identities, or by objects that have them.
  private func readGone() throws {
    guard let delta = request.delta else { return }
    try delta.gone.withUnsafeBytes { bytes in
      let reader = PayloadReader(bytes, path: [])
      guard let first = reader.firstElement(at: 0) else { return }
      _ = try reader.forEachElement(from: first, depth: 0) { tape, index in
        let value = tape.value(at: 0)
        let place = delta.place(index ?? 0)
        let identity =
          value.isObject ? object(tape, at: place).identity : table.identityReader.identity(in: value)
        if let identity {
          gone.insert(identity)
        } else {
          rows.counts.skipped += 1
          let object = object(tape, at: place)
          object.report("", value.isObject ? object.noIdentity : .noIdentity, .skippedRow)
        }
        return .kept
      }
    }
  }

  private func deleteGone(_ policy: DeletionPolicy) throws {
    let parent = table.parentScope == nil ? nil : request.scope?.parent
    var keys = gone.sorted().map { RowKey(identity: $0, parent: parent) }
    if let scope = request.scope, parent == nil {
      // A row that another parent has since is not gone.
      keys = try keys.filter { try rows.target(of: $0, at: scope.position) == scope.parent }
    }
    try applier.links.missing.delete(keys, in: rows, policy, isOfSlice: true)
  }
}
