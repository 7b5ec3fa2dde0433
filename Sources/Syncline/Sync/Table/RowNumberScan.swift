/// Reads the stored rows by row number, and compares the next one with the payload's next row.
struct RowNumberScan {
  /// The maximum distance that the scan moves ahead to a row that was looked up.
  private static let skipLimit: Int64 = 64

  let statement: ReadStatement
  private let columns: (identity: Int, rowNumber: Int)
  /// The highest row number when the scan began. Rows above it are new.
  private let highestNumber: Int64
  /// The number of the last row that was read. The row's identity stays in the statement until it is needed.
  private(set) var number = Int64.min
  /// Whether the scan is still on that row, because the payload did not have it yet.
  private var isOnRow = false
  /// Whether the current row was read for the object that is looked for next, so that nothing was written since.
  private var isFresh = false
  private(set) var isAtEnd = false
  private var missing: [(identity: SyncIdentity, rowNumber: Int64)] = []
  /// Along a join with the payload: the number of the row that is requested next, so that no other row is compared.
  var expected: Int64?

  init(_ query: SliceQuery) throws {
    let table = query.table
    columns = (table.identity, table.columnCount)
    highestNumber = try query.highestRowNumber()
    statement = try query.rows(
      "\(table.columnList), \(table.rowNumberColumn)", orderedBy: table.rowNumberColumn)
  }

  var missingIdentities: [SyncIdentity] { missing.map(\.identity) }
  var currentIdentity: SyncIdentity? { SyncIdentity(statement.column(columns.identity)) }
  /// The hash of that identity, which must not be an integer.
  var currentHash: UInt64 { SyncIdentity.hash(of: statement.column(columns.identity)) }

  private mutating func next() throws -> Bool {
    guard !isAtEnd else { return false }
    guard try statement.step(), case let read = statement.column(columns.rowNumber).int64,
      read <= highestNumber
    else {
      isAtEnd = true
      return false
    }
    number = read
    (isOnRow, isFresh) = (true, true)
    return true
  }

  mutating func readNext() throws -> ReadStatement? {
    isFresh = false
    guard try !isOnRow && next(), expected ?? number == number else { return nil }
    return statement
  }

  mutating func accept() { isOnRow = false }

  mutating func find(_ identity: SyncIdentity, _ order: inout OrderWatch) throws -> ScanFinding {
    // The scan may be past the row: it has matched the row before, or was ahead when the row's number became known.
    if let expected, try !pass(before: expected) { return .unknown }
    defer { isFresh = false }
    guard try isOnRow || next() else { return .unknown }
    guard identity.isStored(in: statement.column(columns.identity)) else {
      order.outOfOrder += 1
      return .unknown
    }
    isOnRow = false
    return isFresh ? .stored(statement) : .outdated
  }

  /// Moves to a row that was looked up, if it is a little ahead.
  mutating func skip(to rowNumber: Int64) throws {
    guard expected == nil, !isAtEnd, rowNumber > number else { return }
    let (distance, isFar) = rowNumber.subtractingReportingOverflow(number)
    guard !isFar, distance <= Self.skipLimit, try pass(before: rowNumber) else { return }
    if number == rowNumber { isOnRow = false }
    isFresh = false
  }

  /// Passes the rows before a number; false if the scan is already past it.
  mutating func pass(before rowNumber: Int64) throws -> Bool {
    guard isOnRow || number < rowNumber else { return false }
    while try isOnRow || next(), number < rowNumber { pass() }
    return true
  }

  private mutating func pass(unless isNamed: (SyncIdentity) -> Bool = { _ in false }) {
    if let identity = currentIdentity, !isNamed(identity) { missing.append((identity, number)) }
    isOnRow = false
  }

  mutating func passAll(unless isNamed: (SyncIdentity) -> Bool = { _ in false }) throws {
    while try isOnRow || next() { pass(unless: isNamed) }
  }

  mutating func close() {
    (isAtEnd, isOnRow) = (true, false)
    statement.reset()
  }

  func hasMatched(_ rowNumber: Int64) -> Bool {
    guard rowNumber <= number, !(isOnRow && rowNumber == number) else { return false }
    let index = missing.partitioningIndex { rowNumber <= $0.rowNumber }
    return index == missing.count || missing[index].rowNumber != rowNumber
  }
}
