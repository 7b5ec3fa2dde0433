import Foundation

@testable import Syncline

/// Says when it is read, how often it is asked to look at changes, and what error it was told.
final class Probe: Follower, @unchecked Sendable {
  let route: Route?
  private let lock = NSLock()
  private let onLoad: @Sendable () -> Void
  private var count = 0
  private var failure: (any Error)?

  init(route: Route? = nil, onLoad: @escaping @Sendable () -> Void = {}) {
    self.route = route
    self.onLoad = onLoad
  }

  var updates: Int { lock.withLock { count } }
  /// The last error that it was told.
  var error: (any Error)? { lock.withLock { failure } }

  func load(_ pass: ReadPass) throws { onLoad() }
  func update(_ events: StoreEvents, rows: Set<Int64>?, _ pass: ReadPass) throws {
    lock.withLock { count += 1 }
  }
  func fail(_ error: any Error) { lock.withLock { failure = error } }
}

extension SyncContainer {
  /// Waits until all that was committed has been read by those who follow.
  func settle() async throws {
    // The first is read in a pass that may have others to serve after it; the second in a later pass. With the first the
    // writer may have begun to be observed, which is looked at in a pass of its own.
    for round in 0..<3 {
      if round == 1 { try await database.writeWithoutTransaction { _ in } }
      let (loads, load) = AsyncStream.makeStream(of: Void.self)
      let following = hub.follow(Probe { load.yield() })
      for await _ in loads { break }
      withExtendedLifetime(following) {}
    }
  }
}
