import GRDB

extension SyncContainer {
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
            return try store.endingWaits(of: database) {
              try store.checkSchema(database)
              return try body(database)
            }
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
