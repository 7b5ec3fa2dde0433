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

  /// Whether a workload can run in this mode. A call that opens the store does so in the usual way.
  func fits(_ workload: Workload) -> Bool { self == .normal || !workload.opensStore }

  /// Makes a folder with the store as it is before the call.
  func makeTemplate(of workload: Workload, in folder: URL) async throws {
    try await workload.makeTemplate(in: folder)
    guard self == .journal else { return }
    let database = try DatabaseQueue(path: folder.appending(path: Site.fileName).path)
    let mode = try database.writeWithoutTransaction {
      try String.fetchOne($0, sql: "PRAGMA journal_mode = DELETE")
    }
    try database.close()
    guard mode == "delete" else { throw Failure(description: "the store stays in the mode \(mode ?? "")") }
  }

  /// The site of a call, with its store open unless the call opens it.
  func site(of workload: Workload, in folder: URL) throws -> Site {
    guard self != .normal else { return try workload.site(in: folder) }
    var site = Site(folder: folder, schema: workload.evolved ?? workload.schema)
    site.store = try open(site)
    return site
  }

  private func open(_ site: Site) throws -> TextStore {
    var configuration = SyncConfiguration()
    switch self {
    case .normal: return try TextStore(site.schema, in: .file(site.file))
    case .full:
      configuration.durability = .full
      return try TextStore(site.schema, in: .file(site.file), configuration)
    case .journal:
      let database = try DatabaseQueue(path: site.file.path)
      return try TextStore(site.schema, in: .database(database), configuration)
    }
  }

  struct Failure: Error, CustomStringConvertible { let description: String }
}
