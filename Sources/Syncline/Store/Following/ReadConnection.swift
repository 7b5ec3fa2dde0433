import Foundation
import GRDB

/// The connection that followers read: their own if the writer allows concurrent reads, otherwise the
/// writer's.
///
/// A connection of their own keeps its prepared statements, never takes a reader from the user's pool, and
/// holds no transaction between passes.
final class ReadConnection: Sendable {
  let queue: any DatabaseWriter
  /// Whether the connection sees commits that the writer has not reported yet.
  let isPrivate: Bool

  /// Opens another connection to the file of a pool.
  ///
  /// - Throws: GRDB's error if the file cannot be opened again.
  init(of pool: DatabasePool) throws {
    queue = try ReadConnection.queue(of: pool, label: ".follow")
    isPrivate = true
  }

  /// Opens a connection that reads what a pool's writer has committed.
  static func queue(of pool: DatabasePool, label: String) throws -> DatabaseQueue {
    // GRDB reports the region of a fetch only on connections that may write. This one never does.
    var configuration = pool.configuration
    configuration.label = (configuration.label ?? "Syncline") + label
    // Do not run on the queue of the user's own reads.
    configuration.targetQueue = nil
    return try DatabaseQueue(path: pool.path, configuration: configuration)
  }

  /// Uses the writer itself.
  init(_ database: any DatabaseWriter) {
    queue = database
    isPrivate = false
  }

  /// Closes a connection of the followers' own, when its current read has ended.
  func close() {
    guard isPrivate else { return }
    let end = DispatchSemaphore(value: 0)
    // A new queue has a thread at once, even if the system's queues have none free.
    DispatchQueue(label: "Syncline.close").async {
      // An open statement keeps the connection open until the statement is released.
      try? self.queue.close()
      end.signal()
    }
    // A read may be waiting for the caller that closes the writer: then do not wait for the read.
    _ = end.wait(timeout: .now() + 1)
  }
}

/// One use of the connection, on its queue.
struct ReadPass {
  let database: Database
  private let connection: ReadConnection

  init(_ database: Database, _ connection: ReadConnection) {
    self.database = database
    self.connection = connection
  }

  var isPrivate: Bool { connection.isPrivate }

  /// Takes a snapshot, which is read until `end()`.
  ///
  /// - Returns: the version of its schema. It differs after each schema change.
  func begin() throws -> Int32 {
    end()
    SQLFault.clear()
    if isPrivate {
      // Prepared now, so that ending cannot fail: GRDB traps if a transaction is left open.
      try database.rollbackStatement()
      try database.cachedStatement(sql: "BEGIN DEFERRED TRANSACTION").execute()
    }
    // The snapshot is taken by the first statement of the transaction.
    return try database.schemaVersion()
  }

  func end() {
    if isPrivate, database.isInsideTransaction { try? database.rollbackStatement().execute() }
  }

  /// A number that differs after each commit of another connection.
  func dataVersion() throws -> Int64 {
    try Int64.fetchOne(database.cachedStatement(sql: "PRAGMA data_version")) ?? 0
  }

  /// Fetches, and records the region that the fetch reads.
  ///
  /// - Returns: the result, and the region of the database; the full database if the fetch failed.
  func recordingRegion<Value>(
    of fetch: @escaping @Sendable (Database) throws -> Value
  ) -> (result: Result<Value, any Error>, region: DatabaseRegion) {
    // GRDB reports the region to its own observations only. This one ends as soon as it has begun.
    nonisolated(unsafe) var result: Result<Value, any Error>?
    nonisolated(unsafe) var region = DatabaseRegion.fullDatabase
    let observation = ValueObservation.tracking { database in
      let fetched = Result { try fetch(database) }
      result = fetched
      _ = try fetched.get()
    }
    .handleEvents(willTrackRegion: { region = $0 })
    let start = observation.start(
      in: connection.queue, scheduling: AtOnce(), onError: { _ in }, onChange: { _ in })
    start.cancel()
    return (result ?? Result { try fetch(database) }, region)
  }

  /// Fetches on the queue on which the observation starts.
  private struct AtOnce: ValueObservationScheduler {
    func immediateInitialValue() -> Bool { true }
    func schedule(_ action: @escaping @Sendable () -> Void) { action() }
  }
}
