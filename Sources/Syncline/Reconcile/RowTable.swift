/// The rows of one model that a sync has to remember: whether the payload names them, and what became of them.
///
/// A hash table of its own: rows stay where they were added, so that one is looked up once and then known by its
/// index, growth copies no keys, and hashing an identity takes a few multiplications.
struct RowTable {
  struct Row {
    let key: RowKey
    fileprivate let hash: UInt64
    /// Whether the payload holds the row.
    var isNamed = false
    /// Whether it does not count as unchanged: it could not be kept, or is deleted.
    var isLeftOut = false
    var status: RowStatus?
  }

  enum RowStatus: UInt8 {
    case inserted, reactivated, updated
  }

  private(set) var rows: ContiguousArray<Row> = []
  /// Open addressing: one more than the index of a row, or 0. At most half of the slots are in use.
  private var slots: ContiguousArray<UInt32> = []

  var isEmpty: Bool { rows.isEmpty }
  var count: Int { rows.count }

  subscript(index: Int) -> Row {
    _read { yield rows[index] }
    _modify { yield &rows[index] }
  }

  /// The index of a row, if it is known.
  func find(_ key: RowKey) -> Int? {
    if rows.isEmpty { return nil }
    return find(key, key.seededHash)
  }

  /// The index of a row, which is added if it is not known.
  mutating func insert(_ key: RowKey) -> Int {
    let hash = key.seededHash
    if let index = find(key, hash) { return index }
    if (rows.count + 1) * 2 > slots.count { grow() }
    rows.append(Row(key: key, hash: hash))
    put(rows.count, hash)
    return rows.count - 1
  }

  private func find(_ key: RowKey, _ hash: UInt64) -> Int? {
    let mask = slots.count - 1
    guard mask > 0 else { return nil }
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot] != 0 {
      let index = Int(slots[slot]) - 1
      if rows[index].hash == hash, rows[index].key == key { return index }
      slot = (slot + 1) & mask
    }
    return nil
  }

  private mutating func put(_ number: Int, _ hash: UInt64) {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot] != 0 { slot = (slot + 1) & mask }
    slots[slot] = UInt32(truncatingIfNeeded: number)
  }

  private mutating func grow() {
    slots = ContiguousArray(repeating: 0, count: max(16, slots.count * 2))
    for (index, row) in rows.enumerated() { put(index + 1, row.hash) }
  }
}

extension RowKey {
  /// A hash that payloads cannot predict.
  fileprivate var seededHash: UInt64 {
    guard let parent else { return identity.hash(from: SyncIdentity.hashSeed) }
    return parent.hash(from: identity.hash(from: SyncIdentity.hashSeed))
  }
}

extension SyncIdentity {
  fileprivate static let hashSeed = UInt64.random(in: .min ... .max)

  fileprivate func hash(from seed: UInt64) -> UInt64 {
    switch self {
    case .integer(let value): return SyncIdentity.mix(UInt64(bitPattern: value), seed)
    case .uuid(let uuid):
      return withUnsafeBytes(of: uuid.uuid) { SyncIdentity.hash($0, from: seed) }
    case .text(let text):
      var string = text.string
      return string.withUTF8 { SyncIdentity.hash(UnsafeRawBufferPointer($0), from: seed) }
    }
  }

  private static func hash(_ bytes: UnsafeRawBufferPointer, from seed: UInt64) -> UInt64 {
    var hash = mix(UInt64(truncatingIfNeeded: bytes.count), seed)
    var offset = 0
    while offset + 8 <= bytes.count {
      hash = mix(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self), hash)
      offset += 8
    }
    var rest: UInt64 = 0
    while offset < bytes.count {
      rest = rest << 8 | UInt64(bytes[offset])
      offset += 1
    }
    return mix(rest, hash)
  }

  /// Multiplies to 128 bits and folds them: every bit of the value reaches every bit of the hash.
  private static func mix(_ value: UInt64, _ seed: UInt64) -> UInt64 {
    let product = (value ^ seed).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15 ^ (seed << 1 | 1))
    return product.high ^ product.low
  }
}

extension RandomAccessCollection where Index == Int {
  /// The first index whose element meets a condition that all after it meet too.
  func partitioningIndex(_ isBehind: (Element) -> Bool) -> Int {
    var low = startIndex
    var high = endIndex
    while low < high {
      let middle = low + (high - low) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
