import Foundation
import Syncline

extension TimeAndRandomness {
  /// The random numbers of a seed, and a clock that advances by a millisecond each time it is read.
  ///
  /// - Parameter start: the first time, in seconds since 1970.
  package static func seeded(_ seed: Int, start: Double = 1_800_000_000) -> TimeAndRandomness {
    let source = SeededSource(seed: seed, time: start)
    return TimeAndRandomness(random: { source.number() }, now: { source.now() })
  }
}

private final class SeededSource: @unchecked Sendable {
  private let lock = NSLock()
  private var generator: SeededGenerator
  private let start: Double
  private var readings = 0

  init(seed: Int, time: Double) {
    generator = SeededGenerator(seed: seed)
    start = time
  }

  func number() -> UInt64 { lock.withLock { generator.next() } }

  func now() -> Date {
    lock.withLock {
      readings += 1
      return Date(timeIntervalSince1970: start + Double(readings) / 1_000)
    }
  }
}
