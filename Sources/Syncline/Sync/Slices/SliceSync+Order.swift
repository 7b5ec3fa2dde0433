/// Reading a payload's rows in the order of the stored rows.
///
/// Most lists are sorted by date or rank. In that order, each row would be looked up far from the one before. So once the order
/// is known, the rest of the list is scanned for identities first. If these are row numbers, they are sorted, and the payload is
/// read in that order. Otherwise, each stored row is joined with its objects in the payload.
///
/// For a model without relationships, only a row's own objects matter, so their order does not. Other rows are read in stored
/// order too, as long as no two objects conflict: ``Run/noteOrderDependence()``.
extension SliceSync {
  /// Whether the rows may be read in any order.
  var canOrder: Bool {
    run.configuration.orderedRows > 0 && !run.mode.keepsOrder && !run.dependsOnOrder && table.isGenerated
      && identityNames != nil && (table.isFlat || canOrderRelated)
  }

  private var canOrderRelated: Bool {
    slice.scope == nil && table.parentScope == nil && run.operations == .all && !run.mode.mergesAny
  }

  /// The keys that the identity is read from; nil if some are paths, or the primary key is composite.
  private var identityNames: [[UInt8]]? {
    guard !table.isComposite else { return nil }
    let keys = rows.shape.keys
    let entries = keys.entries(of: table.identity)
    guard !entries.contains(where: { keys.entries[$0].isPath }) else { return nil }
    return entries.map { keys.names[Int(keys.entries[$0].name)] }
  }

  /// Whether identities are row numbers by which the first rows are not sorted. Sorting them avoids inserts at random positions.
  func isShuffled(from place: PayloadReader.Position) -> Bool {
    // Rows with relationships are first read in payload order: they may show that the order matters.
    guard table.isFlat, table.isOrderedByIdentity, rows.named.scan?.order.isOn == true,
      let names = identityNames
    else { return false }
    var locator = feed.reader.locator(from: place, names: names, table.identityReader)
    var last: UInt64?
    var (ascents, descents) = (0, 0)
    for _ in 0..<32 {
      guard case .element = locator.next() else { return false }
      let key = locator.identity.map(orderKey) ?? 0
      if let last, last < key { ascents += 1 }
      if let last, last > key { descents += 1 }
      last = key
    }
    return ascents > 0 && descents > 0
  }

  /// Syncs the rows from a position on, in the order of the stored rows if possible.
  func consumeRest(from place: PayloadReader.Position) throws {
    guard let scan = rows.named.scan else { return }
    scan.order.isOn = false
    var rest: PayloadReader.Position? = place
    while let place = rest {
      guard canOrder, var list = try list(from: place) else {
        _ = try feed.forEachElement(from: place) { try consume($0, $1, readUpTo: $0.value(at: 0).end) }
        return
      }
      run.beginReordered()
      rest = list.rest
      if scan.isByRowNumbers {
        try consumeJoined(list, scan)
      } else {
        try list.places.sortByKeys(run.checkCancellation)
        try consumeSorted(list, scan)
      }
    }
  }

  /// Rows of the payload that are read in another order.
  private struct RowList {
    var places: [RowPlace] = []
    /// Where they begin in the payload.
    let start: PayloadReader.Position
    /// Where the rows after them begin.
    var rest: PayloadReader.Position?
    /// Where they end in the payload.
    var end: Int

    var rowLength: Int { (end - start.offset) / max(places.count, 1) }

    /// The offset that counts as reached, for progress, after this many rows.
    func offset(after count: Int) -> Int { start.offset + count * rowLength }

    func place(_ place: RowPlace) -> PayloadReader.Position {
      PayloadReader.Position(offset: start.offset + place.offset, index: start.index + place.index)
    }
  }

  /// The next rows of a payload; nil if they are not all objects.
  private func list(
    from start: PayloadReader.Position
  ) throws -> RowList? {
    guard let names = identityNames else { return nil }
    var locator = feed.reader.locator(from: start, names: names, table.identityReader)
    var list = RowList(start: start, end: start.offset)
    while true {
      switch locator.next() {
      case .odd: return nil
      case .end:
        list.end = locator.offset
        return list
      case .element(let offset):
        let index = list.places.count
        if index & 1_023 == 0 { try run.checkCancellation() }
        let key = locator.identity.map(orderKey) ?? 0
        list.places.append(RowPlace(key: key, index: index, offset: offset - start.offset))
        if list.places.count == run.configuration.orderedRows, !locator.isAtEnd {
          list.end = locator.offset
          list.rest = PayloadReader.Position(offset: locator.offset, index: start.index + list.places.count)
          return list
        }
      }
    }
  }

  /// Syncs rows that are sorted by their identities.
  private func consumeSorted(_ list: RowList, _ scan: SliceScan) throws {
    if list.rest != nil { scan.suspend() }
    if rows.named.matchedCount == 0 {
      // The scan met none of the rows so far, so it can start again: they are known without it.
      rows.named.forgetOrder()
      try scan.restart()
    }
    try consume(list.places, of: list)
  }

  /// Syncs the objects of stored rows, in the order of these rows, and then the remaining objects.
  private func consumeJoined(_ list: RowList, _ scan: SliceScan) throws {
    var join = RowJoin(list.places)
    let stored = try ReadStatement(
      run.database,
      "SELECT \(table.identityProperty.quotedName), \(table.rowNumberColumn) FROM \(table.quotedName)")
    _ = stored.restart()
    defer { stored.reset() }
    var count = 0
    while try stored.step() {
      if count & 1_023 == 0 { try run.checkCancellation() }
      count += 1
      join.take(SyncIdentity.hash(of: stored.column(0)), rowNumber: stored.column(1).int64)
    }
    try join.sort(run.checkCancellation)
    let rowsAhead = 16
    try join.withTaken { taken in
      try consume(taken.count, of: list) { index in
        taken.prefetch(index + rowsAhead)
        return taken.place(index)
      } expect: { index in
        scan.expect(rowNumber: taken.rowNumber(index))
      }
    }
    try scan.passAll()
    try consume(join.untaken, of: list)
  }

  private func consume(_ places: [RowPlace], of list: RowList) throws {
    // A buffer, since the array would be retained for each row.
    try places.withUnsafeBufferPointer { places in
      try consume(places.count, of: list) { places[$0] }
    }
  }

  /// - Parameters:
  ///   - place: returns the place of a row by its index. It is called again when the row is read.
  ///   - expect: is called before a row is read.
  private func consume(
    _ count: Int, of list: RowList, place: (Int) -> RowPlace,
    expect: (Int) -> Void = { _ in }
  ) throws {
    let rowsAhead = 4
    var next = 0
    try feed.forEachElement {
      guard next < count else { return nil }
      defer { next += 1 }
      if next + rowsAhead < count {
        feed.reader.prefetch(list.place(place(next + rowsAhead)).offset, list.rowLength)
      }
      expect(next)
      let place = place(next)
      expectedKey = place.key
      return list.place(place)
    } _: { tape, index in
      try consume(tape, index, readUpTo: list.offset(after: next))
    }
    expectedKey = nil
  }

  /// - Throws: ``Restart/inOrder`` if the row has another identity than the locator found for it.
  func checkExpected(_ identity: SyncIdentity) throws {
    guard let expectedKey, orderKey(identity) != expectedKey else { return }
    throw Restart.inOrder
  }

  private func orderKey(_ identity: SyncIdentity) -> UInt64 {
    guard case .integer(let number) = identity else { return identity.hash }
    let key = UInt64(bitPattern: number) ^ 1 << 63
    return rows.named.scan?.isDescending == true ? ~key : key
  }

  private func orderKey(_ value: SyncValue) -> UInt64 {
    // Fast path: most identities are strings that are stored as they are in the payload.
    if case .text = table.identityKind, table.identityReader.patterns.isEmpty, value.isString,
      !value.hasEscapes
    {
      return SyncIdentity.hash(of: UnsafeRawBufferPointer(value.content))
    }
    return table.identityReader.identity(in: value).map(orderKey) ?? 0
  }
}
