import Foundation

/// How much tests of random input do: all of their seeds in optimised builds, a tenth in others, which take ten times as
/// long, and as many times more as `SYNCLINE_SOAK` says.
package enum Soak {
  private static func variable(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }

  package static let factor = variable("SYNCLINE_SOAK") ?? 1

  /// How many seeds of each test are passed over, to look at others.
  private static let skipped = variable("SYNCLINE_SKIP") ?? 0

  #if DEBUG
    private static let share = 10
  #else
    private static let share = 1
  #endif

  /// So many seeds from a number on, or the one that `SYNCLINE_SEED` names. No two machines share a seed.
  package static func seeds(_ first: Int, count: Int) -> Range<Int> {
    if let seed = variable("SYNCLINE_SEED") { return seed..<seed + 1 }
    return first + skipped..<first + skipped + max(1, count * factor / share)
  }

  /// Whether a run looks at a case, of many that a test numbers: at all of them where it takes all seeds.
  package static func takes(_ number: Int) -> Bool { number % max(1, share / factor) == 0 }

  /// The ways in which a test goes through a seed: all of them, or one that the seed chooses where the run takes a tenth
  /// of the seeds.
  package static func ways<Way>(_ all: [Way], seed: Int) -> [Way] {
    share > factor && !all.isEmpty ? [all[abs(seed) % all.count]] : all
  }
}
