/// Merges a payload with the stored rows by identity, in ascending or descending order. It can prove that rows are new.
struct MergeScan {
  let isDescending: Bool
  let statement: ReadStatement
  private let column: Int
  /// The current row of the scan; nil once the payload had it.
  private var current: SyncIdentity?
  /// Whether the current row was read for the object that is looked for next, so that nothing was written since.
  private var isFresh = false
  private(set) var isAtEnd = false
  /// The last identity that was requested in order.
  private var last: SyncIdentity?
  /// The rows that the scan passed without a match, in scan order.
  private(set) var missing: [SyncIdentity] = []

  init(_ query: SliceQuery, isDescending: Bool) throws {
    self.isDescending = isDescending
    column = query.table.identity
    statement = try query.rows(
      query.table.columnList,
      orderedBy: query.table.identityProperty.quotedName + (isDescending ? " DESC" : ""))
  }

  var currentIdentity: SyncIdentity? { current ?? SyncIdentity(statement.column(column)) }

  private func isOrdered(_ first: SyncIdentity, _ second: SyncIdentity) -> Bool {
    isDescending ? second < first : first < second
  }

  private mutating func next() throws -> Bool {
    guard !isAtEnd else { return false }
    guard try statement.step() else {
      isAtEnd = true
      return false
    }
    current = SyncIdentity(statement.column(column))
    isFresh = true
    return true
  }

  /// Reads the next row; nil if the payload has not reached the current one.
  mutating func readNext() throws -> ReadStatement? {
    isFresh = false
    return try current == nil && next() ? statement : nil
  }

  /// Called when the payload has the current row.
  mutating func accept() {
    if let current { last = current }
    current = nil
  }

  mutating func find(_ identity: SyncIdentity, _ order: inout OrderWatch) throws -> ScanFinding {
    defer { isFresh = false }
    guard last.map({ isOrdered($0, identity) }) ?? true else {
      order.outOfOrder += 1
      return .unknown
    }
    last = identity
    while true {
      if let current {
        if current == identity {
          self.current = nil
          return isFresh ? .stored(statement) : .outdated
        }
        if isOrdered(identity, current) { return .absent }
        pass()
        order.outOfOrder += 1
        if order.isMostlyOutOfOrder {
          last = current
          return .unknown
        }
      }
      guard try next() else { return .absent }
    }
  }

  private mutating func pass(unless isNamed: (SyncIdentity) -> Bool = { _ in false }) {
    if let identity = currentIdentity, !isNamed(identity) { missing.append(identity) }
    current = nil
  }

  mutating func passAll(unless isNamed: (SyncIdentity) -> Bool) throws {
    while try current != nil || next() { pass(unless: isNamed) }
  }

  mutating func close() {
    isAtEnd = true
    current = nil
    statement.reset()
  }

  func hasMatched(_ identity: SyncIdentity) -> Bool {
    guard let last, !isOrdered(last, identity) else { return false }
    let index = missing.partitioningIndex { !isOrdered($0, identity) }
    return index == missing.count || missing[index] != identity
  }
}
