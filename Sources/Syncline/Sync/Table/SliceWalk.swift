import GRDB

/// Walks the stored rows of a slice once, along with a payload that names them in about the same order.
///
/// Rows are walked in the order they are stored in. Where the identity is the row's number, a payload in ascending or
/// descending order is merged against the walk, which so proves that rows are new. Otherwise the next stored row is
/// compared with the next one of the payload, and what is not the same is looked up. What the walk passed over is
/// missing, unless it is named elsewhere.
final class SliceWalk {
  enum Finding {
    /// The row stands in the statement.
    case stored(ReadStatement)
    /// The row was met, but was read before: it may have been written since.
    case outdated
    /// The walk shows that the slice does not hold the row.
    case absent
    /// The row has to be looked up.
    case unknown
  }

  private enum Order {
    /// By identity, ascending or descending as the payload's first rows are.
    case identities(isDescending: Bool)
    /// By the number of the row in its table.
    case rowNumbers
  }

  private let database: Database
  private let table: SyncTable
  private let parent: (column: String, identity: SyncIdentity)?
  private var order: Order?
  private var statement: ReadStatement?
  /// The first identity, as long as the order is not known.
  private var first: SyncIdentity?

  /// The rows passed over, in the order of the walk.
  private(set) var missing: [(identity: SyncIdentity, rowNumber: Int64)] = []
  /// The row the walk stands on; nil before the first and behind the last. By row numbers the identity stays in the
  /// statement until it is needed.
  private var current: SyncIdentity?
  private var isOnRow = false
  private(set) var isAtEnd = false
  private(set) var isClosed = false
  /// The last identity that the payload asked for in order.
  private var watermark: SyncIdentity?
  /// The highest number of the rows that the walk has met.
  private var lastRowNumber = Int64.min
  /// The highest number in the table when the walk began: what is above is new.
  private var highestRowNumber = Int64.max

  /// Whether it is to be told when the payload's order is another one than the walk's.
  var watchesOrder = false
  /// How many rows were asked for, and how many steps the walk took beside them: rows of the payload that it did not meet
  /// next, and stored ones that it passed over.
  private var (asked, strays) = (0, 0)
  private var isSuspended = false
  /// Whether the row that the walk stands on was read for the object that is looked for next: nothing was written since.
  private var isFresh = false
  /// By row numbers: that of the row which is asked for next, where it is known.
  private var expectedRowNumber: Int64?

  /// How many rows the walk passes at a time to meet one that was looked up.
  private static let skipLimit: Int64 = 64

  init(_ database: Database, _ table: SyncTable, parent: (column: String, identity: SyncIdentity)?) {
    self.database = database
    self.table = table
    self.parent = parent
  }

  /// Whether the payload comes in so different an order that it is better read in the walk's.
  var isAstray: Bool { watchesOrder && strays > 32 + asked >> 6 }

  var isDescending: Bool {
    if case .identities(isDescending: true) = order { true } else { false }
  }

  /// Whether rows are matched by their numbers, and identities tell nothing of the order.
  var isByRowNumbers: Bool {
    if case .rowNumbers = order { true } else { false }
  }

  // MARK: Walking

  /// Compares the next stored row with an object, where it is that of the object; then the walk stands on it.
  func match(_ object: PayloadObject, _ comparison: RowComparison) throws -> RowMatch? {
    isFresh = false
    guard !isSuspended, !isClosed, order != nil, current == nil, !isOnRow, try next(), let statement else {
      return nil
    }
    isFresh = true
    if let expectedRowNumber, lastRowNumber != expectedRowNumber { return nil }
    guard comparison.isIdentity(of: object, statement),
      table.softDelete.map({ statement.column($0).isNull }) ?? true
    else { return nil }
    return comparison.match(object, statement)
  }

  /// The identity of the row that the walk stands on.
  var identityMet: SyncIdentity? {
    current ?? statement.flatMap { SyncIdentity($0.column(table.identity)) }
  }

  /// The hash of that identity, which is no integer.
  var hashMet: UInt64 { statement.map { SyncIdentity.hash(of: $0.column(table.identity)) } ?? 0 }

  /// Goes on: the row that the walk stands on is the one that the payload has.
  func goOn() {
    asked += 1
    if let current { watermark = current }
    (current, isOnRow) = (nil, false)
  }

  /// Looks for the row of the payload's next identity.
  func find(_ identity: SyncIdentity) throws -> Finding {
    defer { isFresh = false }
    guard !isSuspended else { return .unknown }
    asked += 1
    switch order {
    case .identities(let isDescending):
      guard watermark.map({ isDescending ? identity < $0 : $0 < identity }) ?? true else {
        strays += 1
        return .unknown
      }
      return try advance(to: identity, isDescending)
    case .rowNumbers:
      return try match(identity)
    case nil:
      return try begin(with: identity)
    }
  }

  /// Compares the next stored row, or the one that is expected.
  private func match(_ identity: SyncIdentity) throws -> Finding {
    var wasRead = isOnRow && !isFresh
    if let expected = expectedRowNumber {
      // The row was met already, or the walk was ahead of it when its number became known.
      guard isOnRow || lastRowNumber < expected else { return .unknown }
      while try isOnRow || next(), lastRowNumber < expected {
        pass()
        wasRead = false
      }
    }
    guard try isOnRow || next(), let statement else { return .unknown }
    guard identity.isStored(in: statement.column(table.identity)) else {
      strays += 1
      return .unknown
    }
    isOnRow = false
    return wasRead ? .outdated : .stored(statement)
  }

  /// The first identity is looked up, and the second tells the direction.
  private func begin(with identity: SyncIdentity) throws -> Finding {
    guard table.isOrderedByIdentity else {
      try open(.rowNumbers)
      return try find(identity)
    }
    guard let first else {
      self.first = identity
      return .unknown
    }
    let isDescending = identity < first
    try open(.identities(isDescending: isDescending))
    return try find(identity)
  }

  private func open(_ order: Order) throws {
    self.order = order
    let name = table.quotedName
    var direction = ""
    var columns = table.columnList
    var key = table.identityProperty.quotedName
    switch order {
    case .identities(let isDescending): direction = isDescending ? " DESC" : ""
    case .rowNumbers:
      key = table.rowNumberColumn
      columns += ", \(key)"
      let highest = try ReadStatement(database, "SELECT max(\(key)) FROM \(name)")
      _ = highest.restart()
      defer { highest.reset() }
      highestRowNumber = try highest.step() && !highest.column(0).isNull ? highest.column(0).int64 : .min
    }
    let filter = parent.map { " WHERE \($0.column.quotedIdentifier) = ?1" } ?? ""
    let statement = try ReadStatement(
      database, "SELECT \(columns) FROM \(name)\(filter) ORDER BY \(key)\(direction)")
    let parameters = statement.restart()
    parent?.identity.bind(to: parameters, at: 1)
    self.statement = statement
  }

  private func advance(to identity: SyncIdentity, _ isDescending: Bool) throws -> Finding {
    watermark = identity
    var wasRead = !isFresh
    while true {
      if let current {
        if current == identity {
          self.current = nil
          guard let statement, !wasRead else { return .outdated }
          return .stored(statement)
        }
        if isDescending ? current < identity : identity < current { return .absent }
        pass()
        strays += 1
        if isAstray {
          watermark = current
          return .unknown
        }
      }
      wasRead = false
      guard try next() else { return .absent }
    }
  }

  /// Moves on to a row that was looked up, if it is a little ahead.
  func skip(to rowNumber: Int64) throws {
    guard isByRowNumbers, !isAtEnd, expectedRowNumber == nil, rowNumber > lastRowNumber else { return }
    let (distance, isFar) = rowNumber.subtractingReportingOverflow(lastRowNumber)
    guard !isFar, distance <= Self.skipLimit else { return }
    while try isOnRow || next() {
      if lastRowNumber >= rowNumber {
        if lastRowNumber == rowNumber { isOnRow = false }
        return
      }
      pass()
    }
  }

  /// Begins again, as though no row had been asked for.
  func restart() throws {
    let order = order ?? .identities(isDescending: false)
    (missing, watermark, current, isOnRow, isAtEnd) = ([], nil, nil, false, false)
    try open(order)
  }

  /// Stays where it is: rows are looked up.
  func suspend() { isSuspended = true }

  /// The row that is asked for next has a number.
  func expect(rowNumber: Int64) { expectedRowNumber = rowNumber }

  /// Passes over the rest: what comes of the payload has no row ahead.
  func passAll() throws {
    expectedRowNumber = nil
    while try isOnRow || next() { pass() }
  }

  /// Passes over the rest.
  ///
  /// - Parameter isNamed: whether the payload holds a row.
  func finish(isNamed: (SyncIdentity) -> Bool) throws {
    // The identities of one row alone tell no direction.
    if order == nil { try open(table.isOrderedByIdentity ? .identities(isDescending: false) : .rowNumbers) }
    while try isOnRow || current != nil || next() { pass(unless: isNamed) }
    close()
  }

  func close() {
    isClosed = true
    isAtEnd = true
    isOnRow = false
    current = nil
    statement?.reset()
  }

  private func pass(unless isNamed: (SyncIdentity) -> Bool = { _ in false }) {
    let rowNumber = current == nil ? lastRowNumber : 0
    let identity = identityMet
    (isOnRow, current) = (false, nil)
    if let identity, !isNamed(identity) { missing.append((identity, rowNumber)) }
  }

  private func next() throws -> Bool {
    guard !isAtEnd, let statement else { return false }
    guard try statement.step() else {
      isAtEnd = true
      return false
    }
    guard isByRowNumbers else {
      current = SyncIdentity(statement.column(table.identity))
      return true
    }
    let rowNumber = statement.column(table.columnCount).int64
    guard rowNumber <= highestRowNumber else {
      isAtEnd = true
      return false
    }
    lastRowNumber = rowNumber
    isOnRow = true
    return true
  }

  // MARK: What was met

  /// Whether the walk went by an identity in order, and the row was not passed over.
  func hasMet(_ identity: SyncIdentity) -> Bool {
    guard case .identities(let isDescending) = order, let watermark,
      !(isDescending ? identity < watermark : watermark < identity)
    else { return false }
    let position = missing.partitioningIndex {
      isDescending ? $0.identity <= identity : identity <= $0.identity
    }
    return position == missing.count || missing[position].identity != identity
  }

  /// Whether the walk matched the row of a number.
  func hasMet(rowNumber: Int64) -> Bool {
    guard isByRowNumbers, rowNumber <= lastRowNumber, !(isOnRow && rowNumber == lastRowNumber) else {
      return false
    }
    let position = missing.partitioningIndex { rowNumber <= $0.rowNumber }
    return position == missing.count || missing[position].rowNumber != rowNumber
  }
}
