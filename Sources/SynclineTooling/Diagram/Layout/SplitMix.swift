/// Random numbers that are the same in every run and on every platform.
struct SplitMix: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// - Parameter seed: what the numbers follow from.
  init(seed: UInt64) {
    state = seed
  }

  /// The next number.
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// A number of 0 up to the bound, which is positive.
  mutating func below(_ bound: Int) -> Int {
    // Not `Int.random`, whose method the standard library may change.
    bound < 2 ? 0 : Int(next() % UInt64(bound))
  }
}
