internal import SynclineBytes

/// Joins stored rows with the payload's elements by the hashes of their identities.
struct RowJoin {
  let places: [RowPlace]
  /// The number of the first place with a hash, plus one; 0 is an empty slot.
  private var slots: [UInt32]
  /// For each place, the number of the next place with the same hash, plus one; 0 after the last.
  private var following: [UInt32]
  private var isTaken: [Bool]
  /// The places that matched a stored row. The key sorts as the row's number does; the index is the number of the place.
  private var taken: [RowPlace] = []

  /// The rows whose slots, and then places, are being prefetched.
  private var coming: [(hash: UInt64, rowNumber: Int64)] = []
  private static let delayedLimit = 32

  /// - Parameter places: in payload order. Their keys are the hashes of the identities; 0 means no identity.
  init(_ places: [RowPlace]) {
    self.places = places
    var size = 16
    while size < places.count * 2 { size *= 2 }
    slots = Array(repeating: 0, count: size)
    following = Array(repeating: 0, count: places.count)
    isTaken = Array(repeating: false, count: places.count)
    taken.reserveCapacity(places.count)
    // From the last to the first, so that places with one hash are chained in payload order.
    for number in places.indices.reversed() where places[number].key != 0 {
      let slot = slot(of: places[number].key)
      following[number] = slots[slot]
      slots[slot] = UInt32(truncatingIfNeeded: number + 1)
    }
  }

  /// The slot of a hash, or the empty one where it belongs.
  private func slot(of hash: UInt64) -> Int {
    var slot = home(of: hash)
    while slots[slot] != 0, places[Int(slots[slot]) - 1].key != hash { slot = (slot + 1) & (slots.count - 1) }
    return slot
  }

  private func home(of hash: UInt64) -> Int {
    Int(truncatingIfNeeded: hash) & (slots.count - 1)
  }

  /// Marks the elements of a stored row as taken. The lookup is delayed until its memory is prefetched.
  mutating func take(_ hash: UInt64, rowNumber: Int64) {
    prefetch(slots, at: home(of: hash))
    coming.append((hash, rowNumber))
    if coming.count == Self.delayedLimit { takeDelayed() }
  }

  private mutating func takeDelayed() {
    for row in coming {
      let number = Int(slots[home(of: row.hash)]) - 1
      if number >= 0 { prefetch(places, at: number) }
    }
    for row in coming { takeNow(row.hash, row.rowNumber) }
    coming.removeAll(keepingCapacity: true)
  }

  private mutating func takeNow(_ hash: UInt64, _ rowNumber: Int64) {
    var next = slots[slot(of: hash)]
    while next != 0 {
      let number = Int(next) - 1
      if !isTaken[number] {
        isTaken[number] = true
        taken.append(RowPlace(key: UInt64(bitPattern: rowNumber) ^ 1 << 63, index: number, offset: 0))
      }
      next = following[number]
    }
  }

  /// Sorts the taken places by row number.
  mutating func sort(_ check: () throws -> Void) rethrows {
    takeDelayed()
    (slots, following) = ([], [])
    try taken.sortByKeys(check)
  }

  /// The places that matched stored rows, in row order. It holds buffers, since arrays would be retained on each access.
  struct Taken {
    fileprivate let places, rows: UnsafeBufferPointer<RowPlace>

    var count: Int { rows.count }
    func place(_ index: Int) -> RowPlace { places[rows[index].index] }
    func rowNumber(_ index: Int) -> Int64 { Int64(bitPattern: rows[index].key ^ 1 << 63) }

    func prefetch(_ index: Int) {
      guard index < rows.count, let base = places.baseAddress else { return }
      syncline_prefetch(base + rows[index].index, 1)
    }
  }

  func withTaken(_ body: (Taken) throws -> Void) rethrows {
    try places.withUnsafeBufferPointer { places in
      try taken.withUnsafeBufferPointer { try body(Taken(places: places, rows: $0)) }
    }
  }

  /// The places that matched no stored row, in payload order.
  var untaken: [RowPlace] { places.indices.filter { !isTaken[$0] }.map { places[$0] } }

  private func prefetch<Element>(_ array: [Element], at index: Int) {
    array.withUnsafeBufferPointer { buffer in
      if let base = buffer.baseAddress { syncline_prefetch(base + index, 1) }
    }
  }
}
