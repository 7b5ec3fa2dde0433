import GRDB

/// A read that follows the store. It is called on the reader's queue only.
protocol Follower: AnyObject {
  /// Reads everything again.
  func load(_ pass: ReadPass) throws

  /// Reads what the changes affect.
  ///
  /// - Parameter rows: the changed rows of its table that may affect it; nil for all.
  func update(_ events: StoreEvents, rows: Set<Int64>?, _ pass: ReadPass) throws

  /// Receives an error. The values that were read before stay.
  func fail(_ error: any Error)

  /// The route by which changes wake it, in addition to its rows; nil if it checks all changes itself.
  var route: Route? { get }

  /// The numbers of the rows that entered and left a routed follower since the last call.
  func takeMoves() -> RowMoves
}

extension Follower {
  var route: Route? { nil }
  func takeMoves() -> RowMoves { RowMoves() }
}

/// The column value that all rows of a list share.
struct Route: Hashable {
  struct Column: Hashable {
    let table: String
    /// SQLite's name for the row number of the table.
    let rowNumberColumn: String
    /// The column that holds the row number; nil if none does.
    let numbers: String?
    let name: String
  }

  let column: Column
  let value: DatabaseValue
}

/// The rows that entered a list, and those that left it.
struct RowMoves {
  var arrived: [Int64] = []
  var left: [Int64] = []
  /// Whether all earlier rows have left.
  var isAnew = false
}
