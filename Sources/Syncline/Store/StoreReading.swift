import GRDB

/// Reads of one state of a store.
extension DatabaseReader {
  /// Blocks until the store is read.
  ///
  /// - Throws: ``SyncError/reentrantCall(reason:)`` within an access to the database, which would wait for itself.
  func snapshot<T>(_ body: (Database) throws -> T) throws -> T {
    try unsafeReentrantRead { database in
      // A connection that is free has no transaction, but where users may leave one open.
      guard !database.isInsideTransaction || configuration.allowsUnsafeTransactions else {
        throw SyncError.reentrantCall(
          reason: "it was made while its thread reads or writes the database; make it when that has ended")
      }
      return try database.snapshot { try body(database) }
    }
  }

  /// Reads the store without holding up the caller.
  func snapshot<T: Sendable>(_ body: @Sendable @escaping (Database) throws -> T) async throws -> T {
    try await unsafeRead { database in try database.snapshot { try body(database) } }
  }
}

extension Database {
  /// Reads one state, in a transaction that ends in any case: see ``transaction(_:_:)``.
  fileprivate func snapshot<T>(_ body: () throws -> T) throws -> T {
    guard !isInsideTransaction else { return try body() }
    var result = Result<T, any Error>.failure(CancellationError())
    try transaction(.deferred) {
      result = .success(try body())
      return .rollback
    }
    return try result.get()
  }
}
