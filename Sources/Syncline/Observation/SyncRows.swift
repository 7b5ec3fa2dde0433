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
  let chunks: [RowChunk<Model>]
  /// The position of each chunk's first row, and the count at the end.
  private let starts: [Int]

  /// No rows.
  public init() {
    (chunks, starts) = ([], [0])
  }

  init(_ chunks: [RowChunk<Model>], starts: [Int]) {
    self.chunks = chunks
    self.starts = starts
  }

  /// The first rows of a list.
  init(_ chunks: [RowChunk<Model>], starts: [Int], limit: Int) {
    guard limit < starts.last ?? 0 else {
      self.init(chunks, starts: starts)
      return
    }
    let last = starts.partitioningIndex { $0 >= limit } - 1
    guard last >= 0 else {
      self.init()
      return
    }
    let part = chunks[last].part(0..<limit - starts[last])
    self.init(Array(chunks[..<last]) + [part], starts: Array(starts[...last]) + [limit])
  }

  /// The chunk of a position, and the offset in it.
  private func place(of position: Int) -> (chunk: Int, offset: Int) {
    let chunk = starts.partitioningIndex { $0 > position } - 1
    return (chunk, position - starts[chunk])
  }

  func number(at position: Int) -> Int64 {
    let (chunk, offset) = place(of: position)
    return chunks[chunk].numbers[offset]
  }

  func hash(at position: Int) -> Int {
    let (chunk, offset) = place(of: position)
    return chunks[chunk].hashes[offset]
  }
}

extension SyncRows: RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { starts.last ?? 0 }

  /// The row at a position; about as fast as in an array.
  public subscript(position: Int) -> Model {
    precondition(indices.contains(position), "Index out of range")
    let (chunk, offset) = place(of: position)
    return chunks[chunk].models[offset]
  }
}

extension SyncRows: Equatable {
  public static func == (left: SyncRows, right: SyncRows) -> Bool {
    guard left.count == right.count else { return false }
    let (leftRange, rightRange) = left.differingRanges(from: right)
    guard leftRange.count == rightRange.count else { return false }
    return zip(leftRange, rightRange).allSatisfy { left.isSame(at: $0, as: right, at: $1) }
  }

  func isSame(at position: Int, as other: SyncRows, at otherPosition: Int) -> Bool {
    number(at: position) == other.number(at: otherPosition)
      && hash(at: position) == other.hash(at: otherPosition)
  }

  /// The positions between the chunks that both have at the start, and those that both have at the end.
  func differingRanges(from other: SyncRows) -> (own: Range<Int>, other: Range<Int>) {
    let head = zip(chunks, other.chunks).prefix { $0 === $1 }.count
    let shorter = Swift.min(chunks.count, other.chunks.count) - head
    let tail = zip(chunks.reversed(), other.chunks.reversed()).prefix(shorter).prefix { $0 === $1 }.count
    return (
      starts[head]..<starts[chunks.count - tail],
      other.starts[head]..<other.starts[other.chunks.count - tail]
    )
  }
}

extension SyncRows: CustomStringConvertible {
  /// The rows as an array shows them.
  public var description: String { Array(self).description }
}
