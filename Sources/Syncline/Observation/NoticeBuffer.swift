import Foundation

/// The notices that were not taken yet. When there are many, later ones become one.
final class NoticeBuffer: @unchecked Sendable {
  static let limit = 1_000

  private let lock = NSLock()
  private var notices: [Result<SyncChanges, any Error>] = []
  private let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

  func add(_ notice: Result<SyncChanges, any Error>) {
    lock.withLock {
      if notices.count >= NoticeBuffer.limit, case .success(var last)? = notices.last,
        case .success(let changes) = notice
      {
        last.merge(changes)
        notices[notices.count - 1] = .success(last)
      } else {
        notices.append(notice)
      }
    }
    wake.yield()
  }

  /// Takes the first notice, if there is one.
  func takeFirst() -> Result<SyncChanges, any Error>? {
    lock.withLock { notices.isEmpty ? nil : notices.removeFirst() }
  }

  /// Takes the first notice, or waits for one; nil when the task is cancelled.
  func next() async throws -> SyncChanges? {
    while true {
      if let first = takeFirst() { return try first.get() }
      var wakes = wakes.makeAsyncIterator()
      guard await wakes.next() != nil else { return nil }
    }
  }
}
