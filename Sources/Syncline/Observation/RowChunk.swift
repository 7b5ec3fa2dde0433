/// Some rows of a list, next to each other. It is shared between what was published and what is maintained, and copied
/// when a shared one is changed.
///
/// Rows are found and compared without their models: those are of a type that the compiler does not know here.
class RowChunk: @unchecked Sendable {
  static let limit = 256

  fileprivate(set) final var numbers: ContiguousArray<Int64>
  /// Hashes of the stored values, by which rows are compared.
  fileprivate(set) final var hashes: ContiguousArray<Int>

  fileprivate init(_ numbers: ContiguousArray<Int64>, _ hashes: ContiguousArray<Int>) {
    (self.numbers, self.hashes) = (numbers, hashes)
  }

  final var count: Int { numbers.count }
  final func offset(of number: Int64) -> Int? { numbers.firstIndex(of: number) }

  /// Some of its rows, as a chunk of their own.
  func part(_ range: Range<Int>) -> RowChunk {
    RowChunk(ContiguousArray(numbers[range]), ContiguousArray(hashes[range]))
  }

  /// Removes a row. Only one who alone has the chunk may change it.
  func remove(at offset: Int) {
    numbers.remove(at: offset)
    hashes.remove(at: offset)
  }
}

/// A chunk with its models.
final class ModelChunk<Model: Sendable>: RowChunk, @unchecked Sendable {
  private(set) var models: ContiguousArray<Model>

  init() {
    models = []
    super.init([], [])
  }

  private init(_ chunk: ModelChunk, _ range: Range<Int>) {
    models = ContiguousArray(chunk.models[range])
    super.init(ContiguousArray(chunk.numbers[range]), ContiguousArray(chunk.hashes[range]))
  }

  override func part(_ range: Range<Int>) -> RowChunk { ModelChunk(self, range) }

  override func remove(at offset: Int) {
    super.remove(at: offset)
    models.remove(at: offset)
  }

  func insert(_ row: FollowedRow<Model>, at offset: Int) {
    numbers.insert(row.number, at: offset)
    hashes.insert(row.hash, at: offset)
    models.insert(row.model, at: offset)
  }

  func replace(_ row: FollowedRow<Model>, at offset: Int) {
    hashes[offset] = row.hash
    models[offset] = row.model
  }
}

/// A row with its number, and a hash of its stored values.
struct FollowedRow<Model: Sendable> {
  let number: Int64
  let hash: Int
  let model: Model
}
