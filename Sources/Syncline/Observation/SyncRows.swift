/// A collection of the rows that a query found, in the order of the query.
///
/// Use it like an array; `Array(rows)` creates one. A later result of the query shares all unchanged rows with this one:
/// publishing one change among half a million rows copies a few hundred.
///
/// ```swift
/// for try await rows in container.values(of: Task.self, orderBy: [Task.Columns.title]) {
///   print(rows.count, rows.first?.title ?? "none")
///   for task in rows { print(task.title) }
/// }
/// ```
///
/// Two results are equal if they have the same rows, with the same stored values, in the same order. The time of a comparison
/// depends on how much differs, not on the number of rows.
///
/// ## Topics
///
/// ### Creating an empty collection
///
/// - ``SyncRows/init()``
///
/// ### Comparing results
///
/// - ``SyncRows/difference(from:)``
public struct SyncRows<Model: SyncModelable>: Sendable {
  let list: ChunkedRows

  /// Creates an empty collection.
  public init() { list = ChunkedRows() }

  init(_ list: ChunkedRows) { self.list = list }
}

extension SyncRows: RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { list.count }

  /// The row at a position. Access is about as fast as in an array.
  public subscript(position: Int) -> Model {
    precondition(indices.contains(position), "Index out of range")
    let (chunk, offset) = list.place(of: position)
    return list.chunks[chunk].models(of: Model.self).models[offset]
  }
}

extension SyncRows: Equatable {
  public static func == (left: SyncRows, right: SyncRows) -> Bool {
    guard left.count == right.count else { return false }
    let (leftRange, rightRange) = left.list.differingRanges(from: right.list)
    guard leftRange.count == rightRange.count else { return false }
    return zip(leftRange, rightRange).allSatisfy { left.list.isSame(at: $0, as: right.list, at: $1) }
  }
}

extension SyncRows: CustomStringConvertible {
  /// The rows, described as an array.
  public var description: String { Array(self).description }
}
