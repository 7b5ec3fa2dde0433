/// Some rows of a list, next to each other. It is shared between what was published and what is maintained, and copied
/// when a shared one is changed.
final class RowChunk<Model: Sendable>: @unchecked Sendable {
  static var limit: Int { 256 }

  private(set) var numbers: ContiguousArray<Int64>
  /// Hashes of what is stored, by which rows are compared.
  private(set) var hashes: ContiguousArray<Int>
  private(set) var models: ContiguousArray<Model>

  init() { (numbers, hashes, models) = ([], [], []) }

  private init(_ chunk: RowChunk, _ range: Range<Int>) {
    numbers = ContiguousArray(chunk.numbers[range])
    hashes = ContiguousArray(chunk.hashes[range])
    models = ContiguousArray(chunk.models[range])
  }

  var count: Int { numbers.count }

  func part(_ range: Range<Int>) -> RowChunk { RowChunk(self, range) }

  func offset(of number: Int64) -> Int? { numbers.firstIndex(of: number) }

  // Only one who alone has the chunk may change it.

  func insert(_ row: FollowedRow<Model>, at offset: Int) {
    numbers.insert(row.number, at: offset)
    hashes.insert(row.hash, at: offset)
    models.insert(row.model, at: offset)
  }

  func remove(at offset: Int) {
    numbers.remove(at: offset)
    hashes.remove(at: offset)
    models.remove(at: offset)
  }

  func replace(_ row: FollowedRow<Model>, at offset: Int) {
    hashes[offset] = row.hash
    models[offset] = row.model
  }
}

/// A row with its number, and a hash of what is stored of it.
struct FollowedRow<Model: Sendable> {
  let number: Int64
  let hash: Int
  let model: Model
}
