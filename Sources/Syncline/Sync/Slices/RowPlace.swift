/// Where an element of the payload stands, and what it is looked for by, in sixteen bytes.
struct RowPlace {
  /// A number that sorts as the identity does, or its hash.
  let key: UInt64
  /// The index in the low bits, the offset above.
  private let word: UInt64

  private static let indexBits: UInt64 = 22

  /// - Parameters:
  ///   - index: the index among the rows that are ordered together.
  ///   - offset: where the element begins, counted from where the first of them does.
  init(key: UInt64, index: Int, offset: Int) {
    self.key = key
    word = UInt64(truncatingIfNeeded: offset) << Self.indexBits | UInt64(truncatingIfNeeded: index)
  }

  var index: Int { Int(truncatingIfNeeded: word & (1 << Self.indexBits - 1)) }
  var offset: Int { Int(truncatingIfNeeded: word >> Self.indexBits) }
}

extension [RowPlace] {
  /// Sorts by the keys. Rows of one key keep their order.
  ///
  /// It sorts by eleven bits at a time, from the lowest that differ to the highest, in a time that follows the number of
  /// rows alone.
  ///
  /// - Parameter check: is called between the passes.
  mutating func sortByKeys(_ check: () throws -> Void) rethrows {
    guard let first else { return }
    var differing: UInt64 = 0
    for place in self { differing |= place.key ^ first.key }
    guard differing != 0 else { return }
    let digitBits: UInt64 = 11
    var other = self
    var shift: UInt64 = 0
    while shift < 64 {
      defer { shift += digitBits }
      guard (differing >> shift) & (1 << digitBits - 1) != 0 else { continue }
      try check()
      withUnsafeBufferPointer { source in
        other.withUnsafeMutableBufferPointer { target in
          Self.distribute(source, into: target, by: shift, mask: 1 << digitBits - 1)
        }
      }
      swap(&self, &other)
    }
  }

  private static func distribute(
    _ source: UnsafeBufferPointer<RowPlace>, into target: UnsafeMutableBufferPointer<RowPlace>,
    by shift: UInt64, mask: UInt64
  ) {
    withUnsafeTemporaryAllocation(of: Int.self, capacity: Int(truncatingIfNeeded: mask) + 1) { starts in
      starts.initialize(repeating: 0)
      for place in source { starts[Int(truncatingIfNeeded: (place.key >> shift) & mask)] += 1 }
      var sum = 0
      for digit in starts.indices {
        let count = starts[digit]
        starts[digit] = sum
        sum += count
      }
      for place in source {
        let digit = Int(truncatingIfNeeded: (place.key >> shift) & mask)
        target[starts[digit]] = place
        starts[digit] += 1
      }
    }
  }
}
