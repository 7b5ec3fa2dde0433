import GRDB

extension SyncContainer {
  /// Runs a closure that writes. A cancellation ends the waits for the writer and for other connections' locks at once. A closure
  /// that has not begun by then never runs.
  func write<T: Sendable>(
    _ cancellation: CancellationFlag, _ body: @Sendable @escaping (Database) throws -> T
  ) async throws -> T {
    let work = RevocableWork<T>()
    return try await work.result {
      cancellation.start { [database, store, catalog] in
        do {
          let result = try await database.writeWithoutTransaction { database in
            guard work.begin() else { throw CancellationError() }
            try store.checkFile()
            try store.checkIsOpen(database)
            return try store.endingWaits(of: database) {
              if let reason = try catalog.hiddenTable(in: database) {
                throw SyncError.storeUnavailable(reason: reason)
              }
              try store.checkSchema(database)
              // A user's configuration may have disabled them. Rows are deleted with their owners by foreign keys.
              return try database.with(.foreignKeys, isOn: true) { try body(database) }
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
