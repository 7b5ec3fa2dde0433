import FaultStore
import Foundation
import GRDB
import Syncline
import TestSupport

/// The journal and sync mode of a store, which decides what a power loss may undo.
enum PowerMode: String, CaseIterable, Sendable {
  /// A write-ahead log; commits do not wait for the disk.
  case normal
  /// A write-ahead log; commits wait for the disk.
  case full
  /// A rollback journal, as in a `DatabaseQueue` with SQLite's defaults.
  case journal
  /// A write-ahead log, without any syncs. A power loss may damage the store, which shows that damage is found.
  case off

  /// The modes in which no power loss damages a store.
  static let safe: [PowerMode] = [.normal, .full, .journal]

  /// Creates a folder with the state before the call, with the store closed.
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
  /// - Parameter observer: observes each commit to a store that is opened in this mode, including commits during opening. A store
  ///   in the mode `normal` is opened as the workload says, and not observed.
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
      // The same as `SyncConfiguration.durability`.
      try $0.execute(sql: "PRAGMA synchronous = \(isFull ? "FULL" : "OFF")")
    }
    return database
  }

  struct Failure: Error, CustomStringConvertible { let description: String }
}
