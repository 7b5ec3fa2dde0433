/// A random number generator that gives the same numbers for the same seed.
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: Int) {
    // The states of two seeds are far apart, so that their sequences do not overlap.
    state = UInt64(bitPattern: Int64(seed)) &* 0xD6E8_FEB8_6659_FD93
    state = next()
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  /// A separate generator, for work that may use any number of values without affecting later ones.
  package mutating func fork() -> SeededGenerator {
    SeededGenerator(seed: Int(truncatingIfNeeded: next()))
  }

  package mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

  /// A random element of a collection, which must not be empty.
  package mutating func pick<Values: Collection>(_ values: Values) -> Values.Element {
    values[values.index(values.startIndex, offsetBy: Int.random(in: 0..<values.count, using: &self))]
  }
}
