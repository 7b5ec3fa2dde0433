/// Reads the stored rows of a slice once, along with a payload that has them in about the same order.
///
/// Rows whose identities are row numbers are merged in that order (``MergeScan``). Other rows are read by row number
/// (``RowNumberScan``), which a join may know in advance. Rows that the scan passes are missing, unless the payload has them
/// elsewhere.
final class SliceScan {
  private let query: SliceQuery
  // Exclusive access to the state of each row, here and in the classes that see each row, is not checked at run time: the checks
  // took 8 % of the sync of an unchanged list.
  // At most one scan is open. These are optional values, since a class or a protocol would be retained for each row.
  @exclusivity(unchecked) private var merge: MergeScan?
  @exclusivity(unchecked) private var byNumber: RowNumberScan?
  /// The first identity of the payload, until the second one shows the direction.
  private var first: SyncIdentity?
  /// How far the payload's order differs from the scan's. If it differs much, the payload should be read in the scan's order.
  @exclusivity(unchecked) var order = OrderWatch()
  private var isSuspended = false
  private(set) var isClosed = false

  var isOfParent: Bool { query.scope != nil }

  init(_ query: SliceQuery) {
    self.query = query
  }

  // MARK: State

  var isDescending: Bool { merge?.isDescending ?? false }
  /// Whether rows are matched by number, so that identities do not show the order.
  var isByRowNumbers: Bool { byNumber != nil }
  var isAtEnd: Bool { isClosed || merge?.isAtEnd ?? byNumber?.isAtEnd ?? false }

  var currentIdentity: SyncIdentity? { merge?.currentIdentity ?? byNumber?.currentIdentity }

  var currentRow: ReadStatement? { merge?.statement ?? byNumber?.statement }

  /// The hash of the current identity, which must not be an integer.
  var currentHash: UInt64 { byNumber?.currentHash ?? 0 }

  var missing: [SyncIdentity] { merge?.missing ?? byNumber?.missingIdentities ?? [] }

  // MARK: Scanning

  /// Compares an object with the next stored row, which becomes the current row; nil if the object is another row's.
  func match(_ object: PayloadObject, _ comparison: RowComparison) throws -> RowMatch? {
    guard !isSuspended, !isClosed, let statement = try readNext(),
      comparison.isIdentity(of: object, statement),
      query.table.softDelete.map({ statement.column($0).isNull }) ?? true
    else { return nil }
    return comparison.match(object, statement)
  }

  @inline(__always)
  private func readNext() throws -> ReadStatement? {
    merge != nil ? try merge?.readNext() : try byNumber?.readNext()
  }

  /// Moves on: the payload has the current row.
  func accept() {
    order.asked += 1
    merge?.accept()
    byNumber?.accept()
  }

  /// Looks for the row with the payload's next identity.
  func find(_ identity: SyncIdentity) throws -> ScanFinding {
    guard !isSuspended else { return .unknown }
    order.asked += 1
    if let finding = try merge?.find(identity, &order) { return finding }
    if let finding = try byNumber?.find(identity, &order) { return finding }
    if first == nil, query.table.isOrderedByIdentity {
      first = identity
      return .unknown
    }
    try open(isDescending: first.map { identity < $0 } ?? false)
    return try merge?.find(identity, &order) ?? byNumber?.find(identity, &order) ?? .unknown
  }

  private func open(isDescending: Bool = false) throws {
    if query.table.isOrderedByIdentity {
      merge = try MergeScan(query, isDescending: isDescending)
    } else {
      byNumber = try RowNumberScan(query)
    }
  }

  func skip(to rowNumber: Int64) throws { try byNumber?.skip(to: rowNumber) }

  // MARK: The payload's order

  /// Restarts the scan, as if no row had been requested.
  func restart() throws { merge = try MergeScan(query, isDescending: isDescending) }

  /// Stops the scan: further rows are looked up instead.
  func suspend() { isSuspended = true }

  func expect(rowNumber: Int64) { byNumber?.expected = rowNumber }

  /// Passes the remaining rows, which the payload does not have.
  func passAll() throws {
    byNumber?.expected = nil
    try byNumber?.passAll()
  }

  // MARK: The end

  /// Passes the remaining rows, and closes the scan.
  ///
  /// - Parameter isNamed: whether the payload has a row.
  func finish(isNamed: (SyncIdentity) -> Bool) throws {
    // A single identity shows no direction.
    if merge == nil, !isByRowNumbers { try open() }
    try merge?.passAll(unless: isNamed)
    try byNumber?.passAll(unless: isNamed)
    close()
  }

  func close() {
    isClosed = true
    merge?.close()
    byNumber?.close()
  }

  // MARK: Rows that were met

  /// Whether the scan is past an identity in order, and did not pass its row without a match.
  func hasMatched(_ identity: SyncIdentity) -> Bool { merge?.hasMatched(identity) ?? false }

  func hasMatched(rowNumber: Int64) -> Bool { byNumber?.hasMatched(rowNumber) ?? false }
}
