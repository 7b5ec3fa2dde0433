import Foundation

/// A point in time before a request, so that a sync of its response does not undo what was pushed since.
///
/// ```swift
/// let moment = container.moment
/// let payload = try await api.tasks()
/// try await container.sync(payload: payload, as: Task.self, requestedAt: moment)
/// ```
///
/// A moment stays valid after a restart. The store keeps the moments of pushes for a week.
public struct SyncMoment: Sendable, Hashable, Comparable, Codable {
  /// Microseconds since 1970, or one more than the last moment.
  let number: Int64

  public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// Makes each moment later than the last one, even if the clock is set back.
final class MomentCounter: @unchecked Sendable {
  private let lock = NSLock()
  private var last: Int64 = 0

  func next(at time: Date) -> SyncMoment {
    lock.withLock {
      last = max(last + 1, Int64(time.timeIntervalSince1970 * 1_000_000))
      return SyncMoment(number: last)
    }
  }

  /// - Parameter moment: may be decoded from anything. There are moments after the latest one that counts.
  func advance(to moment: SyncMoment) {
    lock.withLock { last = max(last, min(moment.number, MomentCounter.latest)) }
  }

  private static let latest = Int64.max / 2
}
