import Foundation
import Dispatch
import GRDB

/// Where followers read: a connection of their own if the writer allows concurrent reads, else the writer's.
///
/// An own connection keeps its prepared statements, never takes a reader from the user's pool, and holds no
/// transaction between passes.
final class ReadConnection: Sendable {
  let queue: any DatabaseWriter
  /// Whether the connection sees commits that the writer has not reported yet.
  let isPrivate: Bool

  /// Opens another connection to the file of a pool.
  ///
  /// - Throws: GRDB's error where the file cannot be opened again.
  init(of pool: DatabasePool) throws {
    queue = try ReadConnection.queue(of: pool, label: ".follow")
    isPrivate = true
  }

  /// A connection that reads what a pool's writer has committed.
  static func queue(of pool: DatabasePool, label: String) throws -> DatabaseQueue {
    // GRDB reports the region of a fetch only on connections that may write. This one never does.
    var configuration = pool.configuration
    configuration.label = (configuration.label ?? "Syncline") + label
    // Whatever queue the user's own reads are on.
    configuration.targetQueue = nil
    return try DatabaseQueue(path: pool.path, configuration: configuration)
  }

  /// The writer itself.
  init(_ database: any DatabaseWriter) {
    queue = database
    isPrivate = false
  }

  /// Closes a connection of its own, when what it reads has ended.
  func close() {
    guard isPrivate else { return }
    let end = DispatchSemaphore(value: 0)
    // A queue of its own has a thread at once, however many wait on those of the system's queues.
    DispatchQueue(label: "Syncline.close").async {
      // A statement that is left open keeps it open, until it is released.
      try? self.queue.close()
      end.signal()
    }
    // Who closes the writer may be whom a read waits for: then it is not waited for the read.
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

  /// Takes a snapshot, which is read until the end.
  ///
  /// - Returns: the version of its schema, which is another after each change of that.
  func begin() throws -> Int32 {
    end()
    SQLFault.clear()
    if isPrivate {
      // Prepared before it is needed: a transaction that is left open is a trap of GRDB's.
      _ = try database.cachedStatement(sql: ReadPass.endSQL)
      try database.cachedStatement(sql: "BEGIN DEFERRED TRANSACTION").execute()
    }
    // The transaction sees nothing before its first statement.
    return try database.schemaVersion()
  }

  func end() {
    if isPrivate, database.isInsideTransaction {
      try? database.cachedStatement(sql: ReadPass.endSQL).execute()
    }
  }

  private static let endSQL = "ROLLBACK TRANSACTION"

  /// A number that is another after each commit of another connection.
  func dataVersion() throws -> Int64 {
    let statement = try ReadStatement(database, "PRAGMA data_version")
    _ = statement.restart()
    defer { statement.reset() }
    return try statement.step() ? statement.column(0).int64 : 0
  }
}

extension ReadPass {
  /// Fetches, and finds what is read for that.
  ///
  /// - Returns: the result, and the region of the database; all of it where the fetch failed.
  func recordingRegion<Value>(
    of fetch: @escaping @Sendable (Database) throws -> Value
  ) -> (result: Result<Value, any Error>, region: DatabaseRegion) {
    // GRDB gives the region to its own observations only. This one ends as soon as it has begun.
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

  /// Fetches on the queue that the observation is started on.
  private struct AtOnce: ValueObservationScheduler {
    func immediateInitialValue() -> Bool { true }
    func schedule(_ action: @escaping @Sendable () -> Void) { action() }
  }
}
