/// The rows of a maintained list: found by row number and by position, changed one by one.
struct MaintainedRows<Model: Sendable> {
  private(set) var list = ChunkedRows()
  private var slots: [ChunkSlot] = []
  private var slotOfRow: [Int64: ChunkSlot] = [:]

  var count: Int { list.count }

  /// A row's position; nil if the list does not contain it.
  func position(of number: Int64) -> Int? {
    guard let index = slotOfRow[number]?.index, let offset = list.chunks[index].offset(of: number) else {
      return nil
    }
    return list.start(of: index) + offset
  }

  subscript(position: Int) -> FollowedRow<Model> {
    let (index, offset) = list.place(of: position)
    let chunk = list.chunks[index]
    return FollowedRow(
      number: chunk.numbers[offset], hash: chunk.hashes[offset],
      model: chunk.models(of: Model.self).models[offset])
  }

  mutating func append(_ row: FollowedRow<Model>) { insert(row, at: count) }

  mutating func insert(_ row: FollowedRow<Model>, at position: Int) {
    if slots.isEmpty {
      list.insert(ModelChunk<Model>(), at: 0)
      slots = [ChunkSlot(0)]
    }
    let (chunk, offset) = makeRoom(for: row.number, at: position)
    chunk.models(of: Model.self).insert(row, at: offset)
  }

  mutating func replace(_ row: FollowedRow<Model>, at position: Int) {
    let (index, offset) = list.place(of: position)
    list.ownedChunk(index).models(of: Model.self).replace(row, at: offset)
  }

  mutating func remove(at position: Int) {
    let (index, offset) = list.place(of: position)
    let chunk = list.ownedChunk(index)
    slotOfRow[chunk.numbers[offset]] = nil
    chunk.remove(at: offset)
    list.grow(index, by: -1)
    guard chunk.count == 0 else { return }
    list.removeChunk(index)
    slots.remove(at: index)
    renumber(from: index)
  }

  /// Makes room for a row, which the caller must then insert into the chunk.
  private mutating func makeRoom(for number: Int64, at position: Int) -> (RowChunk, offset: Int) {
    let end = list.chunks.count - 1
    var (index, offset) =
      position == list.count ? (end, list.chunks[end].count) : list.place(of: position)
    let count = list.chunks[index].count
    if offset == count, count >= RowChunk.limit * 3 / 4 {
      // Appending leaves some room in each chunk, so that not every later insertion splits one.
      list.insert(list.chunks[index].part(count..<count), at: index + 1)
      slots.append(ChunkSlot(index + 1))
      (index, offset) = (index + 1, 0)
    } else if count == RowChunk.limit {
      let middle = offset / 2 + RowChunk.limit / 4
      split(index, at: middle)
      if offset >= middle { (index, offset) = (index + 1, offset - middle) }
    }
    slotOfRow[number] = slots[index]
    list.grow(index, by: 1)
    return (list.ownedChunk(index), offset)
  }

  private mutating func split(_ index: Int, at middle: Int) {
    list.split(index, at: middle)
    slots.insert(ChunkSlot(index + 1), at: index + 1)
    renumber(from: index + 2)
    for number in list.chunks[index + 1].numbers { slotOfRow[number] = slots[index + 1] }
  }

  private func renumber(from index: Int) {
    for later in index..<slots.count { slots[later].index = later }
  }
}

/// The index of a chunk. It changes when earlier chunks are added or removed.
private final class ChunkSlot {
  var index: Int
  init(_ index: Int) { self.index = index }
}
