import GRDB

extension SyncContainer {
  /// Moves all that SQLite's write-ahead log holds into the store's file, and gives the log's disk space back.
  ///
  /// SQLite moves it now and then by itself, but leaves the log as long as it ever was: after a large sync it takes as much
  /// of the disk as that wrote. On a full disk that may be the space which a deletion needs. This is the way out:
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
  /// The store's file grows by the rows that only the log had. <doc:Storage> says what to do without room for that
  /// either. Syncs and other writes wait meanwhile, and it waits for reads that have begun before. Do not call it while
  /// another program copies the log, as Litestream does: that program makes its checkpoints itself.
  ///
  /// - Throws: ``SyncError/storeUnavailable(reason:)`` where the disk has no room for what the log holds, or the store is read
  ///   only; ``SyncError/storeBusy(reason:)`` where a read or another connection holds the log for as long as a sync would wait
  ///   for a lock; ``SyncError/cancelled`` when the task is cancelled. The store's rows are the same as before.
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
