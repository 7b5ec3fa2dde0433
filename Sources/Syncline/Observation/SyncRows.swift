/// The rows that a query found, in its order.
///
/// A collection like an array, of which a later result shares all but what has changed: publishing one change among half a
/// million rows copies a few hundred. `Array(rows)` makes an array.
///
/// ```swift
/// for task in publisher.rows { print(task.title) }
/// let first = publisher.rows.first
/// ```
///
/// Two results are equal when they have the same rows, of the same stored values, in the same order. That takes as long
/// as what differs, not as there are rows.
public struct SyncRows<Model: SyncModelable>: Sendable {
  let list: ChunkedRows

  /// No rows.
  public init() { list = ChunkedRows() }

  init(_ list: ChunkedRows) { self.list = list }
}

extension SyncRows: RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { list.count }

  /// The row at a position; about as fast as in an array.
  public subscript(position: Int) -> Model {
    precondition(indices.contains(position), "Index out of range")
    let (chunk, offset) = list.place(of: position)
    // All chunks of a list are of its model.
    return unsafeDowncast(list.chunks[chunk], to: ModelChunk<Model>.self).models[offset]
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
  /// The rows as an array shows them.
  public var description: String { Array(self).description }
}
