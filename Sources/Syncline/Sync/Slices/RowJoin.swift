internal import SynclineBytes

/// Finds what a payload says of stored rows, by the hashes of the identities.
struct RowJoin {
  let places: [RowPlace]
  /// One more than the number of the first place of a hash; 0 is an empty slot.
  private var slots: [UInt32]
  /// One more than the number of the next place of the same hash, by the number of a place; 0 behind the last.
  private var following: [UInt32]
  private var isTaken: [Bool]
  /// The numbers of the places that were taken, as the indexes of others, which sort as the numbers of the rows do.
  private var taken: [RowPlace] = []

  /// The rows whose slots, and then places, are on their way to the processor.
  private var coming: [(hash: UInt64, rowNumber: Int64)] = []
  private static let comingLimit = 32

  /// - Parameter places: in the order of the payload, by the hashes of the identities.
  init(_ places: [RowPlace]) {
    self.places = places
    var size = 16
    while size < places.count * 2 { size *= 2 }
    slots = Array(repeating: 0, count: size)
    following = Array(repeating: 0, count: places.count)
    isTaken = Array(repeating: false, count: places.count)
    taken.reserveCapacity(places.count)
    // From the last to the first, so that places of one hash follow each other in the payload's order. What has no
    // identity is no stored row's.
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

  /// Takes what the payload says of a stored row, a little later.
  mutating func take(_ hash: UInt64, rowNumber: Int64) {
    prefetch(slots, at: home(of: hash))
    coming.append((hash, rowNumber))
    if coming.count == Self.comingLimit { takeComing() }
  }

  private mutating func takeComing() {
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

  /// Sorts the places that were taken by the numbers of the rows.
  mutating func sort(_ check: () throws -> Void) rethrows {
    takeComing()
    (slots, following) = ([], [])
    try taken.sortByKeys(check)
  }

  /// The places that were taken, in the order of the rows. They are asked for row by row, without counting references.
  struct Taken {
    fileprivate let places, rows: UnsafeBufferPointer<RowPlace>

    var count: Int { rows.count }
    func place(_ index: Int) -> RowPlace { places[rows[index].index] }
    func rowNumber(_ index: Int) -> Int64 { Int64(bitPattern: rows[index].key ^ 1 << 63) }

    /// Asks for a place that is read soon.
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

  /// The places that no stored row took, in the order of the payload.
  var untaken: [RowPlace] { places.indices.filter { !isTaken[$0] }.map { places[$0] } }

  private func prefetch<Element>(_ array: [Element], at index: Int) {
    array.withUnsafeBufferPointer { buffer in
      if let base = buffer.baseAddress { syncline_prefetch(base + index, 1) }
    }
  }
}
