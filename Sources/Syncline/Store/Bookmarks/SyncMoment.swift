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
