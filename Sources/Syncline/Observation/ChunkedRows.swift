/// The rows of a list that is maintained: found by number and by position, changed one by one.
struct ChunkedRows<Model: SyncModelable> {
  /// Where a chunk is. It moves when chunks before it come or go.
  private final class Slot {
    var index: Int
    init(_ index: Int) { self.index = index }
  }

  private(set) var chunks: [RowChunk<Model>] = []
  private(set) var starts = [0]
  private var slots: [Slot] = []
  private var slotOfRow: [Int64: Slot] = [:]

  var count: Int { starts.last ?? 0 }
  var numbers: some Sequence<Int64> { chunks.lazy.flatMap(\.numbers) }

  /// A row's position; nil where the list does not have it.
  func position(of number: Int64) -> Int? {
    guard let index = slotOfRow[number]?.index, let offset = chunks[index].offset(of: number) else {
      return nil
    }
    return starts[index] + offset
  }

  private func place(of position: Int) -> (chunk: Int, offset: Int) {
    let chunk = Swift.max(starts.partitioningIndex { $0 > position } - 1, 0)
    return (chunk, position - starts[chunk])
  }

  subscript(position: Int) -> FollowedRow<Model> {
    let (index, offset) = place(of: position)
    let chunk = chunks[index]
    return FollowedRow(number: chunk.numbers[offset], hash: chunk.hashes[offset], model: chunk.models[offset])
  }

  func number(at position: Int) -> Int64 {
    let (index, offset) = place(of: position)
    return chunks[index].numbers[offset]
  }

  func hash(at position: Int) -> Int {
    let (index, offset) = place(of: position)
    return chunks[index].hashes[offset]
  }

  // MARK: Changing

  mutating func append(_ row: FollowedRow<Model>) { insert(row, at: count) }

  mutating func insert(_ row: FollowedRow<Model>, at position: Int) {
    if chunks.isEmpty { addChunk(RowChunk(), at: 0) }
    var (index, offset) =
      position == count ? (chunks.count - 1, chunks[chunks.count - 1].count) : place(of: position)
    if chunks[index].count == RowChunk<Model>.limit {
      // At the end a full chunk stays full: most lists are read from start to end.
      let middle = offset == chunks[index].count ? offset : offset / 2 + RowChunk<Model>.limit / 4
      split(index, at: middle)
      if offset >= middle { (index, offset) = (index + 1, offset - middle) }
    }
    ownedChunk(index).insert(row, at: offset)
    slotOfRow[row.number] = slots[index]
    shift(after: index, by: 1)
  }

  mutating func remove(at position: Int) {
    let (index, offset) = place(of: position)
    slotOfRow[chunks[index].numbers[offset]] = nil
    ownedChunk(index).remove(at: offset)
    shift(after: index, by: -1)
    if chunks[index].count == 0 { removeChunk(index) }
  }

  mutating func replace(_ row: FollowedRow<Model>, at position: Int) {
    let (index, offset) = place(of: position)
    ownedChunk(index).replace(row, at: offset)
  }

  /// The chunk, copied where something that was published has it, too.
  private mutating func ownedChunk(_ index: Int) -> RowChunk<Model> {
    if !isKnownUniquelyReferenced(&chunks[index]) {
      chunks[index] = chunks[index].part(0..<chunks[index].count)
    }
    return chunks[index]
  }

  private mutating func shift(after index: Int, by amount: Int) {
    for later in index + 1..<starts.count { starts[later] += amount }
  }

  private mutating func split(_ index: Int, at middle: Int) {
    let chunk = chunks[index]
    let start = starts[index]
    chunks[index] = chunk.part(0..<middle)
    addChunk(chunk.part(middle..<chunk.count), at: index + 1)
    starts[index + 1] = start + middle
    for number in chunks[index + 1].numbers { slotOfRow[number] = slots[index + 1] }
  }

  /// Adds a chunk whose rows are counted already.
  private mutating func addChunk(_ chunk: RowChunk<Model>, at index: Int) {
    chunks.insert(chunk, at: index)
    slots.insert(Slot(index), at: index)
    starts.insert(starts[index], at: index)
    renumber(from: index)
  }

  private mutating func removeChunk(_ index: Int) {
    chunks.remove(at: index)
    slots.remove(at: index)
    starts.remove(at: index)
    renumber(from: index)
  }

  private func renumber(from index: Int) {
    for later in index..<slots.count { slots[later].index = later }
  }
}
