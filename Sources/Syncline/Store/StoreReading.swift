import GRDB

/// Reads that see one state of a store.
extension DatabaseReader {
  /// Reads the store, and blocks until the read has ended.
  ///
  /// - Throws: ``SyncError/reentrantCall(reason:)`` inside a database access, where the read would wait for itself.
  package func snapshot<T>(_ body: (Database) throws -> T) throws -> T {
    try unsafeReentrantRead { database in
      // A free connection is not in a transaction, unless the user allows transactions to stay open.
      guard !database.isInsideTransaction || configuration.allowsUnsafeTransactions else {
        throw SyncError.reentrantCall(
          reason: "it was made inside a database access on the same thread; make it after that access")
      }
      return try database.snapshot { try body(database) }
    }
  }

  /// Reads the store without blocking the caller.
  func snapshot<T: Sendable>(_ body: @Sendable @escaping (Database) throws -> T) async throws -> T {
    try await unsafeRead { database in try database.snapshot { try body(database) } }
  }
}

extension Database {
  /// Reads one state, in a transaction that always ends: see ``transaction(_:_:)``.
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
