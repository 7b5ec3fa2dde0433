/// An ordered list of rows, in chunks.
struct ChunkedRows: Sendable {
  private(set) var chunks: [RowChunk] = []
  /// The position of each chunk's first row, and the count at the end.
  private var starts = [0]

  var count: Int { starts.last ?? 0 }
  /// The rows' numbers in their order.
  var numbers: [Int64] { chunks.flatMap(\.numbers) }

  func start(of chunk: Int) -> Int { starts[chunk] }

  /// The chunk that contains a position, and the offset in it.
  func place(of position: Int) -> (chunk: Int, offset: Int) {
    let chunk = max(starts.partitioningIndex { $0 > position } - 1, 0)
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

  func first(_ limit: Int) -> ChunkedRows {
    guard limit < count else { return self }
    let (last, offset) = place(of: limit)
    var first = ChunkedRows()
    (first.chunks, first.starts) = (Array(chunks[..<last]), Array(starts[...last]))
    if offset > 0 {
      first.chunks.append(chunks[last].part(0..<offset))
      first.starts.append(limit)
    }
    return first
  }

  // MARK: Comparing

  func isSame(at position: Int, as other: ChunkedRows, at otherPosition: Int) -> Bool {
    number(at: position) == other.number(at: otherPosition)
      && hash(at: position) == other.hash(at: otherPosition)
  }

  /// The positions that may differ: all except those of the chunks that both lists share at the start and at the end.
  func differingRanges(from other: ChunkedRows) -> (own: Range<Int>, other: Range<Int>) {
    let shorter = min(chunks.count, other.chunks.count)
    var head = 0
    while head < shorter, chunks[head] === other.chunks[head] { head += 1 }
    var (end, otherEnd) = (chunks.count, other.chunks.count)
    while end > head, otherEnd > head, chunks[end - 1] === other.chunks[otherEnd - 1] {
      end -= 1
      otherEnd -= 1
    }
    return (starts[head]..<starts[end], other.starts[head]..<other.starts[otherEnd])
  }

  // MARK: Changing

  /// The chunk. It is copied first if a published list shares it.
  mutating func ownedChunk(_ index: Int) -> RowChunk {
    if !isKnownUniquelyReferenced(&chunks[index]) {
      chunks[index] = chunks[index].part(0..<chunks[index].count)
    }
    return chunks[index]
  }

  /// Records how many rows a chunk has gained.
  mutating func grow(_ index: Int, by amount: Int) {
    for later in index + 1..<starts.count { starts[later] += amount }
  }

  /// Adds a chunk without rows.
  mutating func insert(_ chunk: RowChunk, at index: Int) {
    chunks.insert(chunk, at: index)
    starts.insert(starts[index], at: index)
  }

  /// Removes a chunk without rows.
  mutating func removeChunk(_ index: Int) {
    chunks.remove(at: index)
    starts.remove(at: index)
  }

  /// Splits a chunk in two.
  mutating func split(_ index: Int, at middle: Int) {
    let chunk = chunks[index]
    chunks[index] = chunk.part(0..<middle)
    chunks.insert(chunk.part(middle..<chunk.count), at: index + 1)
    starts.insert(starts[index] + middle, at: index + 1)
  }
}
