import Foundation
import Syncline

/// A write of the app that blocks the database, on a thread of its own, until `end` is called.
final class HeldWrite: Sendable {
  private let ending = DispatchSemaphore(value: 0)

  /// Waits until the write holds the database.
  init(in database: any DatabaseWriter) async {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { [ending] in
        database.writeWithoutTransaction { _ in
          continuation.resume()
          ending.wait()
        }
      }
    }
  }

  /// Lets the write end.
  func end() { ending.signal() }
}

/// A connection that holds the write lock of a file, like another process.
final class LockHolder {
  private let connection: DatabaseQueue

  init(_ file: URL) throws {
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    connection = try DatabaseQueue(path: file.path, configuration: configuration)
    try connection.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
  }

  func release() throws {
    try connection.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
  }
}
