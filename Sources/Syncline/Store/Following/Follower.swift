import GRDB

/// A read that follows the store. Only the queue of the reader calls it.
protocol Follower: AnyObject {
  /// Reads everything anew.
  func load(_ pass: ReadPass) throws

  /// Reads what the changes concern.
  ///
  /// - Parameter rows: which of the changed rows of its table may concern it; nil for all.
  func update(_ events: StoreEvents, rows: Set<Int64>?, _ pass: ReadPass) throws

  /// Shows an error. What was read before stays.
  func fail(_ error: any Error)

  /// What wakes it, apart from its rows; nil if it looks at all changes itself.
  var route: Route? { get }

  /// The numbers of the rows that came to a routed follower since this was asked last, and of those that went.
  func takeMoves() -> RowMoves
}

extension Follower {
  var route: Route? { nil }
  func takeMoves() -> RowMoves { RowMoves() }
}

/// What is the same in all rows of a list: the value of a column.
struct Route: Hashable {
  struct Column: Hashable {
    let table: String
    /// The name that SQLite has for the number of the table's rows.
    let rowNumberColumn: String
    /// The column that holds the number of each row; nil where none does.
    let numbers: String?
    let name: String
  }

  let column: Column
  let value: DatabaseValue
}

/// The rows that came to a list, and those that left it.
struct RowMoves {
  var arrived: [Int64] = []
  var left: [Int64] = []
  /// Whether all rows that were held before have left.
  var isAnew = false
}
