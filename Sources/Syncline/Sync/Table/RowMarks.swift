/// The marks of one model's rows in a sync: a few bits per row, in about fifteen bytes.
///
/// Rows are identified by 64 bits of their key. For an integer these are a bijection of its value. For strings and UUIDs they are
/// a hash that payloads cannot predict: in a sync of a million rows, two of them collide once in thirty million syncs.
struct RowMarks {
  /// One bit of a row.
  struct Mark: Hashable {
    fileprivate let bit: UInt8
    /// The payload has the row, top-level or nested.
    static let named = Mark(bit: 1)
    /// This sync inserted the row.
    static let inserted = Mark(bit: 2)

    /// A statement about a relationship of the row: for a to-one, that a list has the row; for others, that there is a list.
    ///
    /// - Parameter ordinal: the relationship's number, below ``placeLimit``.
    static func place(_ ordinal: Int) -> Mark { Mark(bit: 4 << UInt8(truncatingIfNeeded: ordinal)) }
    static let placeLimit = 6
  }

  private var keys: ContiguousArray<UInt64> = []
  /// The bits of the row in the same slot; 0 is an empty slot.
  private var bits: ContiguousArray<UInt8> = []
  private var count = 0

  /// Sets a bit of a row.
  ///
  /// - Returns: whether it was not set before.
  @discardableResult
  mutating func insert(_ row: RowKey, _ mark: Mark) -> Bool {
    if count * 4 >= keys.count * 3 { grow() }
    let hash = row.markHash
    let slot = slot(of: hash)
    if bits[slot] == 0 {
      keys[slot] = hash
      count += 1
    }
    let isNew = bits[slot] & mark.bit == 0
    bits[slot] |= mark.bit
    return isNew
  }

  func contains(_ row: RowKey, _ mark: Mark) -> Bool { count > 0 && contains(row.markHash, mark) }

  /// - Parameter hash: the hash of an identity that is not an integer, and identifies its row without a parent.
  func contains(_ hash: UInt64, _ mark: Mark) -> Bool {
    count > 0 && bits[slot(of: hash)] & mark.bit != 0
  }

  /// The slot of a hash, or the empty one where it belongs.
  private func slot(of hash: UInt64) -> Int {
    var slot = Int(truncatingIfNeeded: hash.multipliedFullWidth(by: UInt64(keys.count)).high)
    while bits[slot] != 0, keys[slot] != hash {
      slot += 1
      if slot == keys.count { slot = 0 }
    }
    return slot
  }

  private mutating func grow() {
    let (oldKeys, oldBits) = (keys, bits)
    let size = max(16, keys.count + keys.count / 2)
    keys = ContiguousArray(repeating: 0, count: size)
    bits = ContiguousArray(repeating: 0, count: size)
    for (key, bit) in zip(oldKeys, oldBits) where bit != 0 {
      let slot = slot(of: key)
      keys[slot] = key
      bits[slot] = bit
    }
  }
}

extension RowKey {
  /// 64 bits that payloads cannot predict. Different integers have different bits.
  fileprivate var markHash: UInt64 {
    if let parent { return parent.hash(from: identity.hash) }
    if case .integer(let value) = identity {
      return RowKey.mixed(UInt64(bitPattern: value) ^ SyncIdentity.hashSeed)
    }
    return identity.hash
  }

  /// A bijection: every bit of the value affects every bit of the result.
  private static func mixed(_ value: UInt64) -> UInt64 {
    var value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}

extension RandomAccessCollection where Index == Int {
  /// The first index whose element meets a condition, if all elements after it meet it, too.
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
