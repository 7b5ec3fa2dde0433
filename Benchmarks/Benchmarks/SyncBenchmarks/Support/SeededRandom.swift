/// SplitMix64: the same seed gives the same numbers everywhere.
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  /// A separate sequence for each row, so that a row does not depend on earlier rows.
  init(seed: UInt64 = 42, row: Int) {
    state = seed &+ UInt64(truncatingIfNeeded: row) &* 0xD134_2543_DE82_EF95
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  mutating func below(_ limit: Int) -> Int {
    Int(truncatingIfNeeded: next() % UInt64(limit))
  }

  mutating func pick(_ texts: [String]) -> String {
    texts[below(texts.count)]
  }
}
