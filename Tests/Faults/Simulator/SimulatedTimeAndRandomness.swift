import Foundation
import Syncline
import TestSupport

/// The random numbers and the clock of a store. They are the same in each attempt of a step, and in the other store.
final class SimulatedTimeAndRandomness: @unchecked Sendable {
  private let seed: Int
  private let lock = NSLock()
  private var random = SeededGenerator(seed: 0)
  private var time = Date(timeIntervalSince1970: 1_800_000_000)

  init(seed: Int) { self.seed = seed }

  /// Starts an attempt of a step.
  func begin(_ step: Int) {
    lock.withLock {
      random = SeededGenerator(seed: seed &* 7_919 &+ step)
      time = Date(timeIntervalSince1970: 1_800_000_000 + Double(step))
    }
  }

  /// The source of random numbers and times for a container.
  var source: TimeAndRandomness {
    TimeAndRandomness(
      random: { self.lock.withLock { self.random.next() } }, now: { self.lock.withLock { self.time } })
  }
}
