import GRDB

extension SyncContainer {
  /// Runs a call when it is its turn among the syncs of the store.
  ///
  /// It takes its place before it suspends, and before the payload is read: calls that one actor makes run in the
  /// order in which it makes them.
  func enqueue<Model: SyncUpdatableModel>(
    isolation: isolated (any Actor)?, _ makeCall: () throws -> SyncCall<Model>
  ) async throws -> SyncReport {
    let place = store.queue.take()
    let call: SyncCall<Model>
    do {
      call = try makeCall()
    } catch {
      place.leave()
      throw error
    }
    return try await call.run(in: place)
  }

  /// Writes. A cancellation ends the wait for the writer and for the locks of other connections at once; what was
  /// not begun then is never written.
  func write<T: Sendable>(
    _ cancellation: CancellationFlag, _ body: @Sendable @escaping (Database) throws -> T
  ) async throws -> T {
    let work = RevocableWork<T>()
    return try await work.result {
      cancellation.start { [database, store] in
        do {
          let result = try await database.writeWithoutTransaction { database in
            guard work.begin() else { throw CancellationError() }
            try store.checkFile()
            return try store.endingWaits(of: database) { try body(database) }
          }
          work.end(with: .success(result))
        } catch {
          work.end(with: .failure(error))
        }
      }
    } onCancel: {
      cancellation.set()
    }
  }
}
