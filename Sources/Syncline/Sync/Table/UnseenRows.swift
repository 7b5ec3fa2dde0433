/// The rows of a slice that were stored when a run of pages began, and that no page has contained since. After the last page
/// these are missing. Rows that were inserted meanwhile are not included.
///
/// A row takes eight bytes and one bit. It is identified by 64 bits that payloads cannot predict. If two rows share them, a missing
/// one stays until the next run.
///
/// It is changed within the pages' transactions, and read between them.
final class UnseenRows: @unchecked Sendable {
  let model: ModelNumber
  /// The parent within which identities are unique.
  private let parent: SyncIdentity?
  /// Which other rows are stored, and belong to the slice: rows that came since the run began.
  let others: Others
  /// What else the pages contain.
  let contents: PageContents
  let seed: UInt64
  /// The hashes of the rows, in order.
  let hashes: [UInt64]
  /// One bit for each hash.
  private var seen: [UInt64]
  /// The hashes seen since the last time they were stored; nil until the first time.
  private(set) var noted: [UInt64]?

  /// The stored rows of the model that were not in the slice when the run began.
  enum Others {
    /// Rows that came since.
    case new
    /// Rows of other parents, and rows that came since. The to-one to the parent distinguishes them.
    case newOrOfOtherParents(PayloadObject.Scope)
    /// They cannot be distinguished, because marked rows are not in the slice.
    case any
  }

  init(
    _ model: ModelNumber, parent: SyncIdentity?, others: Others, contents: PageContents, seed: UInt64,
    hashes: [UInt64]
  ) {
    self.model = model
    self.parent = parent
    self.others = others
    self.contents = contents
    self.seed = seed
    self.hashes = hashes.sorted()
    seen = Array(repeating: 0, count: hashes.count / 64 + 1)
  }

  func note(_ row: RowKey) {
    guard !hashes.isEmpty, row.parent == nil || row.parent == parent else { return }
    note(row.identity.hash(from: seed))
  }

  func note(_ hash: UInt64) {
    guard let index = index(of: hash) else { return }
    let (word, bit) = index.quotientAndRemainder(dividingBy: 64)
    guard seen[word] & (1 << UInt64(bit)) == 0 else { return }
    seen[word] |= 1 << UInt64(bit)
    noted?.append(hash)
  }

  func storeNoted() {
    noted = []
    contents.didStore()
  }

  var allSeen: [UInt64] {
    hashes.indices.filter(isSeen).map { hashes[$0] }
  }

  /// Whether a page had a row; nil for a row that was not in the slice when the run began.
  func isSeen(_ row: RowKey) -> Bool? {
    row.parent == nil || row.parent == parent ? isSeen(row.identity) : false
  }

  /// Whether a row may be deleted at the end of the run, because no page had it so far.
  func mayMiss(_ row: LinkedRow) -> Bool {
    if row.model == model, let isSeen = isSeen(row.key) { return !isSeen }
    return (row.model != model || contents.notesRows(of: model)) && !contents.contains(row)
  }

  /// Whether a row was stored when the run began, and no page had it.
  func contains(_ identity: SyncIdentity) -> Bool { isSeen(identity) == false }

  private func isSeen(_ identity: SyncIdentity) -> Bool? {
    index(of: identity.hash(from: seed)).map(isSeen)
  }

  private func index(of hash: UInt64) -> Int? {
    let index = hashes.partitioningIndex { $0 >= hash }
    return index < hashes.count && hashes[index] == hash ? index : nil
  }

  private func isSeen(_ index: Int) -> Bool { seen[index / 64] & (1 << UInt64(index % 64)) != 0 }
}
