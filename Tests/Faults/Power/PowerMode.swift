import FaultStore
import Foundation
import GRDB
import Syncline
import TestSupport

/// How a store is opened: this decides what a power loss may undo.
enum PowerMode: String, CaseIterable, Sendable {
  /// A log, and commits that do not wait for the disk.
  case normal
  /// A log, and commits that wait.
  case full
  /// A rollback journal, as in a `DatabaseQueue` with SQLite's defaults.
  case journal
  /// A log, and nothing is ever synced: a power loss may damage the store. This shows that damage is found.
  case off

  /// The modes in which no power loss damages a store.
  static let safe: [PowerMode] = [.normal, .full, .journal]

  /// Makes a folder as it is before the call, with the store closed.
  func makeTemplate(of workload: Workload, in folder: URL) async throws {
    try await workload.makeTemplate(in: folder)
    let file = folder.appending(path: Site.fileName)
    guard self == .journal, FileManager.default.fileExists(atPath: file.path) else { return }
    let database = try DatabaseQueue(path: file.path)
    let mode = try await database.writeWithoutTransaction {
      try String.fetchOne($0, sql: "PRAGMA journal_mode = DELETE")
    }
    try database.close()
    guard mode == "delete" else { throw Failure(description: "the store stays in the mode \(mode ?? "")") }
  }

  /// The workload with its store in this mode.
  ///
  /// - Parameter observer: is told of each commit to a store that this opens, also of those that opening makes. A store in the mode
  ///   `normal` is opened as the workload says, and not observed.
  func workload(_ workload: Workload, observer: (any TransactionObserver & Sendable)? = nil) -> Workload {
    guard self != .normal else { return workload }
    let storage = workload.storage
    var result = workload
    result.storage = { file in
      let database = try open(file, as: storage)
      if let observer { database.add(transactionObserver: observer) }
      return .database(database)
    }
    return result
  }

  private func open(
    _ file: URL, as storage: (URL) throws -> SyncStorage
  ) throws -> any DatabaseWriter {
    guard self != .journal else { return try DatabaseQueue(path: file.path) }
    let database: any DatabaseWriter =
      if case .database(let database) = try storage(file) { database } else {
        try DatabasePool(path: file.path)
      }
    let isFull = self == .full
    try database.writeWithoutTransaction {
      // As `SyncConfiguration.durability` does.
      try $0.execute(sql: "PRAGMA synchronous = \(isFull ? "FULL" : "OFF")")
    }
    return database
  }

  struct Failure: Error, CustomStringConvertible { let description: String }
}
