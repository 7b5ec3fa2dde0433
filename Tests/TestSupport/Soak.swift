import Foundation

/// How much tests of random input do: little in a run of all tests, as many times more as `SYNCLINE_SOAK` says.
package enum Soak {
  private static func variable(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }

  package static let factor = variable("SYNCLINE_SOAK") ?? 1

  /// How many seeds of each test are passed over, to look at others.
  private static let skipped = variable("SYNCLINE_SKIP") ?? 0

  /// So many seeds from a number on, or the one that `SYNCLINE_SEED` names. No two machines share a seed.
  package static func seeds(_ first: Int, count: Int) -> Range<Int> {
    if let seed = variable("SYNCLINE_SEED") { return seed..<seed + 1 }
    return first + skipped..<first + skipped + count * factor
  }
}
