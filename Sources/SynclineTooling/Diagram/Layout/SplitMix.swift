/// A random number generator with the same numbers in every run and on every platform.
struct SplitMix: RandomNumberGenerator, Sendable {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// A random number from 0 up to, but not including, the positive bound.
  mutating func below(_ bound: Int) -> Int {
    // `Int.random` is not used, since the standard library may change its algorithm.
    bound < 2 ? 0 : Int(next() % UInt64(bound))
  }
}
