import GRDB

extension SyncContainer {
  /// Moves the contents of SQLite's write-ahead log into the store's file, and frees the log's disk space.
  ///
  /// SQLite does this from time to time, but it never shrinks the log: after a large sync the log takes as much disk space as
  /// that sync wrote. On a full disk, even a deletion may need this space. A checkpoint frees it:
  ///
  /// ```swift
  /// do {
  ///   try await container.sync(payload: "[]", as: Task.self)
  /// } catch SyncError.storeUnavailable {
  ///   try await container.checkpoint()
  ///   try await container.sync(payload: "[]", as: Task.self)
  /// }
  /// ```
  ///
  /// The store's file grows by the pages that only the log had. <doc:Storage> describes what to do if the disk has no room for
  /// them. Syncs and other writes wait for the checkpoint, and the checkpoint waits for reads that began before it. Do not
  /// call it while another program copies the log, such as Litestream, which makes its own checkpoints.
  ///
  /// - Throws: ``SyncError/storeUnavailable(reason:)`` if the disk has no room for the log's contents, or the store is read-only;
  ///   ``SyncError/storeBusy(reason:)`` if a read or another connection uses the log for longer than a sync would wait for a
  ///   lock; ``SyncError/cancelled`` when the task is cancelled. The store's rows are unchanged in all cases.
  public func checkpoint() async throws {
    try store.checkIsWritable()
    let cancellation = CancellationFlag()
    do {
      try await write(cancellation) { database in _ = try database.checkpoint(.truncate) }
    } catch {
      throw SyncError.ofSync(error, isCancelled: cancellation.isSet)
    }
  }
}
