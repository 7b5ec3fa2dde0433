/// Values for rows of one model, in the order in which the rows were added.
///
/// A payload may change all of its rows, and a dictionary with rows as keys would be large. Here, a row with an integer identity
/// takes the integer, and six to eight bytes for its slot.
struct RowTable<Value> {
  /// The index of an entry, in the order in which they were added.
  typealias Number = Int

  private struct Entry {
    /// The identity, or its index in `identities`.
    let identity: Int64
    var value: Value
  }

  /// Entries in chunks of a thousand: a single array would be copied as it grows.
  private var chunks: [ContiguousArray<Entry>] = []
  private static var chunkSize: Int { 1_024 }
  /// Whether each entry's identity is in `identities`. As a field of the entry this would take eight bytes.
  private var isKept: ContiguousArray<Bool> = []
  /// The entries by the hashes of their rows, numbered from one; 0 is an empty slot.
  private var slots: ContiguousArray<UInt32> = []
  /// How many entries have a slot.
  private var indexed = 0
  /// Identities that are not integers.
  private var identities: ContiguousArray<SyncIdentity> = []
  /// The parents of rows that are unique within their parents only.
  private var parents: [Number: SyncIdentity] = [:]
  /// Distinguishes the entries of a row, if it may have several.
  private let salt: ((Value) -> UInt64)?

  private(set) var count = 0

  init(salt: ((Value) -> UInt64)? = nil) { self.salt = salt }

  private subscript(entry number: Number) -> Entry {
    get { chunks[number / Self.chunkSize][number % Self.chunkSize] }
    _modify { yield &chunks[number / Self.chunkSize][number % Self.chunkSize] }
  }

  subscript(number: Number) -> Value {
    get { self[entry: number].value }
    _modify { yield &self[entry: number].value }
  }

  // MARK: Rows

  /// The number of the first entry of a row whose value meets a condition; nil if there is none.
  func number(of row: RowKey, salt: UInt64 = 0, where isMeant: (Value) -> Bool = { _ in true }) -> Number? {
    guard indexed > 0 else { return nil }
    var slot = slot(of: row.identity, salt)
    while slots[slot] != 0 {
      let number = Number(slots[slot] - 1)
      if self.row(number) == row, isMeant(self[number]) { return number }
      slot = slot + 1 == slots.count ? 0 : slot + 1
    }
    return nil
  }

  func identity(_ number: Number) -> SyncIdentity {
    identity(self[entry: number].identity, isKept: isKept[number])
  }

  func row(_ number: Number) -> RowKey {
    RowKey(identity: identity(number), parent: parents.isEmpty ? nil : parents[number])
  }

  /// The number of a row's entry. If there is none, it is added.
  mutating func number(adding row: RowKey, _ value: @autoclosure () -> Value) -> Number {
    number(of: row) ?? append(row, value())
  }

  /// Adds an entry.
  ///
  /// - Parameter isIndexed: whether the entry can be looked up; else only once ``index()`` was called.
  mutating func append(_ row: RowKey, _ value: Value, isIndexed: Bool = true) -> Number {
    let number = count
    if number % Self.chunkSize == 0 {
      chunks.append([])
      // A table of few rows, such as one of a few lists, should take little memory.
      if number > 0 { chunks[chunks.count - 1].reserveCapacity(Self.chunkSize) }
    }
    let (identity, isKept) = keep(row.identity)
    chunks[chunks.count - 1].append(Entry(identity: identity, value: value))
    self.isKept.append(isKept)
    if let parent = row.parent { parents[number] = parent }
    count += 1
    if isIndexed { index() }
    return number
  }

  // MARK: Slots

  private func slot(of identity: SyncIdentity, _ salt: UInt64) -> Int {
    let hash = identity.hash(from: SyncIdentity.hashSeed ^ salt)
    return Int(truncatingIfNeeded: hash.multipliedFullWidth(by: UInt64(slots.count)).high)
  }

  /// Makes all entries ready to be looked up.
  mutating func index() {
    guard indexed < count else { return }
    if count * 4 > slots.count * 3 {
      slots = ContiguousArray(repeating: 0, count: max(16, slots.count + slots.count / 2, count * 3 / 2))
      indexed = 0
    }
    for number in indexed..<count {
      var slot = slot(of: identity(number), salt?(self[number]) ?? 0)
      while slots[slot] != 0 { slot = slot + 1 == slots.count ? 0 : slot + 1 }
      slots[slot] = UInt32(truncatingIfNeeded: number + 1)
    }
    indexed = count
  }

  // MARK: Identities

  /// An identity in eight bytes: an integer, or its index in `identities`.
  mutating func keep(_ identity: SyncIdentity) -> (value: Int64, isKept: Bool) {
    if case .integer(let value) = identity { return (value, false) }
    identities.append(identity)
    return (Int64(identities.count - 1), true)
  }

  func identity(_ value: Int64, isKept: Bool) -> SyncIdentity {
    isKept ? identities[Int(truncatingIfNeeded: value)] : .integer(value)
  }
}
