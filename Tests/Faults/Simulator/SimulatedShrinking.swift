import Syncline
import TestSupport

/// Reduces a case as long as it still breaks the same rule: first the number of steps, then the payloads.
@MainActor
struct SimulatedShrinking {
  private var smallest: SimulatedCase
  private(set) var failure: SimulatedFailure
  private let end: ContinuousClock.Instant

  /// - Parameter patience: the time after which the smallest case so far is used.
  init(_ failing: SimulatedCase, _ failure: SimulatedFailure, patience: Duration) {
    self.failure = failure
    smallest = failing
    smallest.steps = Array(failing.steps.prefix(failure.steps.count))
    end = .now + patience
  }

  mutating func shrunk() async throws -> SimulatedCase {
    try await leaveOutSteps()
    for position in smallest.steps.indices.reversed() { try await shrinkPayloads(at: position) }
    return smallest
  }

  /// Removes steps before the failing one: first halves, at last single steps.
  private mutating func leaveOutSteps() async throws {
    var length = smallest.steps.count / 2
    while length > 0 {
      var start = 0
      while start + length < smallest.steps.count {
        var smaller = smallest
        smaller.steps.removeSubrange(start..<start + length)
        if try await !fails(smaller) { start += length }
      }
      length /= 2
    }
  }

  /// Removes members and elements from the payloads of a step.
  private mutating func shrinkPayloads(at position: Int) async throws {
    guard failure.steps.indices.contains(position) else { return }
    let count = failure.steps[position].payloads.count
    for number in 0..<count {
      var path = 1
      while ContinuousClock.now < end, failure.steps.indices.contains(position) {
        var payloads = failure.steps[position].payloads
        let paths = payloads[number].paths
        guard path < paths.count else { break }
        payloads[number] = payloads[number].replacing(paths[path], by: nil)
        var smaller = smallest
        smaller.steps[position].payloads = payloads
        if try await !fails(smaller) { path += 1 }
      }
    }
  }

  /// Accepts a case if its last step breaks the same rule.
  private mutating func fails(_ smaller: SimulatedCase) async throws -> Bool {
    guard ContinuousClock.now < end, let new = try await smaller.play(),
      new.finding.rule == failure.finding.rule, new.steps.count == smaller.steps.count
    else { return false }
    (smallest, failure) = (smaller, new)
    return true
  }
}
