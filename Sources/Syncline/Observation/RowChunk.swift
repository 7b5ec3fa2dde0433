/// Some adjacent rows of a list. Published and maintained lists share chunks; a shared chunk is copied before it changes.
///
/// Rows are found and compared without their models, whose type is unknown here.
class RowChunk: @unchecked Sendable {
  static let limit = 256

  fileprivate(set) final var numbers: ContiguousArray<Int64>
  /// Hashes of the stored values, to compare rows.
  fileprivate(set) final var hashes: ContiguousArray<Int>

  fileprivate init(_ numbers: ContiguousArray<Int64>, _ hashes: ContiguousArray<Int>) {
    (self.numbers, self.hashes) = (numbers, hashes)
  }

  final var count: Int { numbers.count }
  final func offset(of number: Int64) -> Int? { numbers.firstIndex(of: number) }

  /// The chunk with its models. All chunks of a list contain its model.
  final func models<Model: Sendable>(of model: Model.Type) -> ModelChunk<Model> {
    unsafeDowncast(self, to: ModelChunk<Model>.self)
  }

  /// Copies some of its rows into a new chunk.
  func part(_ range: Range<Int>) -> RowChunk {
    RowChunk(ContiguousArray(numbers[range]), ContiguousArray(hashes[range]))
  }

  /// Removes a row. Only the sole owner of a chunk may change it.
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
