import Foundation

@testable import Syncline

/// A follower that records its reads, the number of times it is asked about changes, and its last error.
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
  /// The last error that it received.
  var error: (any Error)? { lock.withLock { failure } }

  func load(_ pass: ReadPass) throws { onLoad() }
  func update(_ events: StoreEvents, rows: Set<Int64>?, _ pass: ReadPass) throws {
    lock.withLock { count += 1 }
  }
  func fail(_ error: any Error) { lock.withLock { failure = error } }
}

extension SyncContainer {
  /// Waits until all followers have read all commits.
  func settle() async throws {
    // The first round is read in a pass that may serve other followers afterwards, the second in a later pass. The first round
    // may also start the observation of the writer, which causes a separate pass.
    for round in 0..<3 {
      if round == 1 { try await database.writeWithoutTransaction { _ in } }
      let (loads, load) = AsyncStream.makeStream(of: Void.self)
      let following = hub.follow(Probe { load.yield() })
      for await _ in loads { break }
      withExtendedLifetime(following) {}
    }
  }
}
