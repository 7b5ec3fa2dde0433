extension SyncContainer {
  /// Returns a sequence of the changes of all later commits: by syncs, and by records and SQL through
  /// ``database``.
  ///
  /// Commits that change no row of a model are left out. While you iterate, commits of your own transactions take a few
  /// microseconds longer for each changed row. Syncs do not, because they record their changes anyway.
  ///
  /// ```swift
  /// for try await changes in container.changes() {
  ///   for id in changes[Task.self].deleted { cache[id] = nil }
  /// }
  /// ```
  ///
  /// - Returns: the changes in the order of the commits. Up to a thousand are buffered; later ones are merged.
  public func changes() -> SyncChangeNotices {
    let buffer = SyncChangeNotices.makeBuffer()
    return SyncChangeNotices(buffer: buffer, following: hub.listen { buffer.add($0) })
  }
}

/// An asynchronous sequence of the changes of a store, commit by commit. You can iterate it once. The container records
/// changes as long as you keep the sequence or its iterator.
public struct SyncChangeNotices: AsyncSequence, Sendable {
  typealias Buffer = ElementBuffer<Result<SyncChanges, any Error>>

  let buffer: Buffer
  fileprivate let following: Following

  static let limit = 1_000

  /// A buffer of notices. When it is full, later notices are merged.
  static func makeBuffer() -> Buffer {
    Buffer(limit: limit) { last, next in
      guard case .success(var changes) = last, case .success(let later) = next else { return false }
      // The changes must have no other owner, or merging would copy them.
      last = .success(SyncChanges())
      changes.merge(later)
      last = .success(changes)
      return true
    }
  }

  /// An iterator of the changes.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let notices: SyncChangeNotices

    /// Returns the changes of the next commit; nil when the task is cancelled, which ends only this call.
    ///
    /// - Throws: the database's error if the changes of a commit could not be found. The next call continues.
    public mutating func next() async throws -> SyncChanges? {
      try await notices.buffer.next()?.get()
    }

    /// Returns the changes of the next commit on the caller's actor; nil when the task is cancelled, which ends only this call.
    ///
    /// - Throws: the database's error if the changes of a commit could not be found. The next call continues.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> SyncChanges? {
      try await notices.buffer.next()?.get()
    }
  }

  /// Creates the iterator of the changes.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(notices: self) }
}
