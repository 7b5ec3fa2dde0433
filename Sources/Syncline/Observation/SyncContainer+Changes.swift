extension SyncContainer {
  /// The changes of each commit, from the call on: commits of syncs, of records and of SQL through ``database``.
  ///
  /// A commit that changes no row of a model is left out. Finding what a transaction of your own changed takes a
  /// few microseconds a row, in its commit, while somebody listens; a sync knows it already.
  ///
  /// ```swift
  /// for try await changes in container.changes() {
  ///   for id in changes[Task.self].deleted { cache[id] = nil }
  /// }
  /// ```
  ///
  /// - Returns: the commits in their order. Up to a thousand are buffered; later ones are merged.
  public func changes() -> SyncChangeNotices {
    let buffer = SyncChangeNotices.makeBuffer()
    return SyncChangeNotices(buffer: buffer, following: hub.listen { buffer.add($0) })
  }
}

/// The changes of a store, commit by commit, for one iteration. The container sends them as long as this, or its
/// iterator, is kept.
public struct SyncChangeNotices: AsyncSequence, Sendable {
  typealias Buffer = ElementBuffer<Result<SyncChanges, any Error>>

  let buffer: Buffer
  fileprivate let following: Following

  static let limit = 1_000

  /// A buffer of notices. When there are many, later ones become one.
  static func makeBuffer() -> Buffer {
    Buffer(limit: limit) { last, next in
      guard case .success(var changes) = last, case .success(let later) = next else { return false }
      // What is changed must have no other owner: else it would be copied.
      last = .success(SyncChanges())
      changes.merge(later)
      last = .success(changes)
      return true
    }
  }

  /// The iteration.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let notices: SyncChangeNotices

    /// What the next commit changed; nil when the task is cancelled, which ends this call alone.
    ///
    /// - Throws: the database's error where what a commit changed could not be found out. The next call goes on.
    public mutating func next() async throws -> SyncChanges? {
      try await notices.buffer.next()?.get()
    }

    /// What the next commit changed, given on the caller's actor; nil when the task is cancelled, which ends this call
    /// alone.
    ///
    /// - Throws: the database's error where what a commit changed could not be found out. The next call goes on.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> SyncChanges? {
      try await notices.buffer.next()?.get()
    }
  }

  /// Begins to take the changes.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(notices: self) }
}
