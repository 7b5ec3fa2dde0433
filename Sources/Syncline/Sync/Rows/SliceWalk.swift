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

  /// How many rows the walk passes at a time to meet one that was looked up.
  private static let skipLimit: Int64 = 64

  init(_ database: Database, _ table: SyncTable, parent: (column: String, identity: SyncIdentity)?) {
    self.database = database
    self.table = table
    self.parent = parent
  }

  /// Whether rows are matched by their numbers, and identities tell nothing of the order.
  var isByRowNumbers: Bool {
    if case .rowNumbers = order { true } else { false }
  }

  // MARK: Walking

  /// Looks for the row of the payload's next identity.
  func find(_ identity: SyncIdentity) throws -> Finding {
    switch order {
    case .identities(let isDescending):
      guard watermark.map({ isDescending ? identity < $0 : $0 < identity }) ?? true else { return .unknown }
      return try advance(to: identity, isDescending)
    case .rowNumbers:
      let wasRead = isOnRow
      guard try isOnRow || next(), let statement, identity.isStored(in: statement.column(table.identity))
      else {
        return .unknown
      }
      isOnRow = false
      return wasRead ? .outdated : .stored(statement)
    case nil:
      return try begin(with: identity)
    }
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
    var wasRead = true
    while true {
      if let current {
        if current == identity {
          self.current = nil
          guard let statement, !wasRead else { return .outdated }
          return .stored(statement)
        }
        if isDescending ? current < identity : identity < current { return .absent }
        pass()
      }
      wasRead = false
      guard try next() else { return .absent }
    }
  }

  /// Moves on to a row that was looked up, if it is a little ahead.
  func skip(to rowNumber: Int64) throws {
    guard isByRowNumbers, !isAtEnd, rowNumber > lastRowNumber else { return }
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

  /// Passes over the rest.
  func finish() throws {
    // The identities of one row alone tell no direction.
    if order == nil { try open(table.isOrderedByIdentity ? .identities(isDescending: false) : .rowNumbers) }
    while try isOnRow || current != nil || next() { pass() }
    close()
  }

  func close() {
    isClosed = true
    isAtEnd = true
    isOnRow = false
    current = nil
    statement?.reset()
  }

  private func pass() {
    isOnRow = false
    if let current {
      missing.append((current, 0))
      self.current = nil
    } else if let statement, let identity = SyncIdentity(statement.column(table.identity)) {
      missing.append((identity, lastRowNumber))
    }
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
    if watermark == identity { return true }
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
