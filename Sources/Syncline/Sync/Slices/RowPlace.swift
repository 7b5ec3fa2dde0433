/// The position of an element in the payload, and the key that it is sorted or found by, in sixteen bytes.
struct RowPlace {
  /// A number that sorts as the identity does, or its hash.
  let key: UInt64
  /// The index in the low bits, the offset above.
  private let word: UInt64

  private static let indexBits: UInt64 = 22

  /// - Parameters:
  ///   - index: the index among the rows that are ordered together.
  ///   - offset: where the element begins, relative to the first of these rows.
  init(key: UInt64, index: Int, offset: Int) {
    self.key = key
    word = UInt64(truncatingIfNeeded: offset) << Self.indexBits | UInt64(truncatingIfNeeded: index)
  }

  var index: Int { Int(truncatingIfNeeded: word & (1 << Self.indexBits - 1)) }
  var offset: Int { Int(truncatingIfNeeded: word >> Self.indexBits) }
}

extension [RowPlace] {
  /// Sorts by key. Rows with the same key keep their order.
  ///
  /// This is a radix sort of eleven bits at a time, from the lowest bits that differ to the highest, in linear time.
  ///
  /// - Parameter check: is called before each pass.
  mutating func sortByKeys(_ check: () throws -> Void) rethrows {
    guard let first else { return }
    var differing: UInt64 = 0
    for place in self { differing |= place.key ^ first.key }
    guard differing != 0 else { return }
    let digitBits: UInt64 = 11
    let mask: UInt64 = (1 << digitBits) - 1
    var other = self
    var shift: UInt64 = 0
    while shift < 64 {
      defer { shift += digitBits }
      guard (differing >> shift) & mask != 0 else { continue }
      try check()
      withUnsafeBufferPointer { source in
        other.withUnsafeMutableBufferPointer { target in
          Self.distribute(source, into: target, by: shift, mask: mask)
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
