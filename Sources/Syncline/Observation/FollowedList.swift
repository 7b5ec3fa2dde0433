import GRDB

/// Maintains the rows of one model by filter, order and limit: after a commit, only the changed rows are read, and moved to their
/// positions.
///
/// SQLite filters, orders and compares. All rows are read again only if the result cannot be updated row by row: for filters and
/// orders with subqueries, window functions, or functions whose results may change by themselves; after very many changes; and
/// after a change of the schema or of an identity.
final class FollowedList<Model: SyncUpdatableModel>: Follower {
  private let query: ListQuery<Model>
  /// How many rows after the limit are kept, to refill the list.
  private let slack: Int
  private let publish: (Result<SyncRows<Model>, any Error>) -> Void

  private var statements: ListStatements<Model>?
  private var rows = MaintainedRows<Model>()
  /// Whether no rows follow the kept ones.
  private var isComplete = true
  private var published: SyncRows<Model>?
  private var hasFailed = false
  private var moves = RowMoves()

  /// - Parameter slack: how many rows after the limit are kept; nil for a default.
  init(
    _ query: ListQuery<Model>, slack: Int? = nil,
    publish: @escaping (Result<SyncRows<Model>, any Error>) -> Void
  ) {
    self.query = query
    self.slack = slack ?? min(max((query.limit ?? 0) / 4, 8), 256)
    self.publish = publish
  }

  private var table: SyncTable { Model.syncTable }
  var route: Route? { statements?.route }

  func takeMoves() -> RowMoves {
    defer { moves = RowMoves() }
    return moves
  }

  func fail(_ error: any Error) {
    hasFailed = true
    publish(.failure(error))
  }

  // MARK: Reading all

  func load(_ pass: ReadPass) throws {
    let database = pass.database
    let statements = try ListStatements(query, reading: readCount, database)
    self.statements = statements
    keep(try statements.fetchRows(database))
    // A missed change may have been in a refresh table, which publishes equal rows, too.
    publishChanges(always: published != nil && !query.refreshTables.isEmpty)
  }

  private var readCount: Int? { query.limit.map { $0 + slack } }

  private func keep(_ read: MaintainedRows<Model>) {
    rows = read
    isComplete = readCount.map { read.count < $0 } ?? true
    if route != nil { moves = RowMoves(arrived: rows.list.numbers, isAnew: true) }
  }

  /// Reads the numbers of all rows, and the rows that are new or have changed.
  private func reorder(changed: Set<Int64>, _ database: Database) throws {
    guard let statements else { return }
    let numbers = try statements.numbers.statement(in: database).all { $0.column(0).int64 }
    var read = MaintainedRows<Model>()
    for number in numbers {
      if !changed.contains(number), let position = rows.position(of: number) {
        read.append(rows[position])
      } else if let row = try ask(number, database) {
        read.append(row)
      }
    }
    keep(read)
  }

  // MARK: Reading changes

  func update(_ events: StoreEvents, rows changed: Set<Int64>?, _ pass: ReadPass) throws {
    guard let statements else { return try load(pass) }
    let database = pass.database
    let isRefreshed = query.refreshTables.contains { events[$0] != nil }
    if !statements.isMaintainable {
      let region = try statements.numbers.region(database)
      let isRead = events.contains { $0 == table.name || $1.modifies(region, table: $0) }
      guard isRead || isRefreshed else { return }
      keep(try statements.fetchRows(database))
    } else {
      let own = events[table.name]
      let linked = query.related?.table.flatMap { events[$0] }
      guard isRefreshed || own != nil || linked != nil else { return }
      if try !merge(own, of: changed, hasOtherLinks: linked != nil, by: statements, in: database) {
        keep(try statements.fetchRows(database))
      }
    }
    publishChanges(always: isRefreshed)
  }

  /// Applies changes of the table's rows.
  ///
  /// - Returns: false if all rows must be read.
  private func merge(
    _ events: TableEvents?, of changed: Set<Int64>?, hasOtherLinks: Bool,
    by statements: ListStatements<Model>, in database: Database
  ) throws -> Bool {
    guard let events else {
      if hasOtherLinks { try reorder(changed: [], database) }
      return true
    }
    if events.isMany { return false }
    let changed = changed ?? events.rows
    // Reading a row binds all values of the filter, and SQLite makes a set of them each time.
    if statements.valueCount > 1, changed.count > 100_000 / statements.valueCount { return false }
    if hasOtherLinks || events.changesNumbers(in: table.numberColumn)
      || changed.count > max(200, rows.count / 150)
    {
      try reorder(changed: changed, database)
    } else {
      try place(changed, of: events, by: statements, in: database)
    }
    return true
  }

  /// Reads each changed row, and moves it to its position.
  private func place(
    _ changed: Set<Int64>, of events: TableEvents, by statements: ListStatements<Model>, in database: Database
  ) throws {
    let isUpdate = events.kinds == .updated
    let keepsPosition =
      try isUpdate && !ListStatements<Model>.reads(statements.comparison, events.columns, database)
    let remainsExcluded =
      try isUpdate && !ListStatements<Model>.reads(statements.condition, events.columns, database)
      && (query.limit == nil || keepsPosition)
    var arriving: [(row: FollowedRow<Model>, former: Int?)] = []
    for number in changed {
      let former = rows.position(of: number)
      if former == nil, remainsExcluded { continue }
      let row = try ask(number, database)
      switch (former, row) {
      case (nil, nil): break
      case (nil, let row?): arriving.append((row, nil))
      case (let position?, nil): remove(at: position)
      case (let position?, let row?):
        if keepsPosition {
          if rows.list.hash(at: position) != row.hash { rows.replace(row, at: position) }
        } else {
          remove(at: position)
          arriving.append((row, position))
        }
      }
    }
    guard !arriving.isEmpty || query.limit != nil else { return }
    let comparison = try statements.comparison.statement(0, 0, in: database)
    defer { comparison.reset() }
    for (row, former) in arriving {
      guard let position = try position(of: row.number, former: former, comparison) else {
        // A kept row was deleted without an event.
        return keep(try statements.fetchRows(database))
      }
      // A row after the kept ones may not be the next one.
      if position < rows.count || isComplete { insert(row, at: position) }
    }
    if let limit = query.limit, rows.count < limit, !isComplete { return try reorder(changed: [], database) }
    while let count = readCount, rows.count > count + slack {
      remove(at: rows.count - 1)
      isComplete = false
    }
  }

  private func remove(at position: Int) {
    if route != nil { moves.left.append(rows.list.number(at: position)) }
    rows.remove(at: position)
  }

  private func insert(_ row: FollowedRow<Model>, at position: Int) {
    if route != nil { moves.arrived.append(row.number) }
    rows.insert(row, at: position)
  }

  /// Reads a row; nil if the list does not contain it.
  private func ask(_ number: Int64, _ database: Database) throws -> FollowedRow<Model>? {
    guard let statement = try statements?.row.statement(number, in: database) else { return nil }
    defer { statement.reset() }
    return try statement.step() ? ListStatements.row(statement) : nil
  }

  /// The position of a row; nil if a row that it was compared with is not stored.
  private func position(of number: Int64, former: Int?, _ comparison: ReadStatement) throws -> Int? {
    var (low, high) = (0, rows.count)
    // Most rows stay at or near their positions.
    var guesses = former.map { [$0, $0 - 1] } ?? []
    while low < high {
      let middle = guesses.popLast() ?? low + (high - low) / 2
      guard (low..<high).contains(middle) else { continue }
      guard let isBefore = try isOrdered(number, rows.list.number(at: middle), comparison) else { return nil }
      if isBefore { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Whether one row comes before another; nil if one of them is not stored.
  private func isOrdered(
    _ first: Int64, _ second: Int64, _ comparison: ReadStatement
  ) throws -> Bool? {
    let parameters = comparison.restart()
    parameters.bind(first, at: 1)
    parameters.bind(second, at: 2)
    guard try comparison.step() else { return nil }
    let isFirst = comparison.column(0).int64 == first
    return try comparison.step() ? isFirst : nil
  }

  // MARK: Publishing

  private func publishChanges(always: Bool) {
    let current = SyncRows<Model>(rows.list.first(query.limit ?? .max))
    guard always || current != published || hasFailed else { return }
    published = current
    hasFailed = false
    publish(.success(current))
  }
}
