import Foundation
import Syncline
import TestSupport

/// A call that is struck at all of its points, and what is stored before it.
struct Workload: Sendable {
  let name: String
  /// The schema of the store.
  let schema: String
  /// The schema that the call opens the store with, if that is another one.
  var evolved: String?
  /// What is there before the call.
  var start = Start.openStore
  /// How the store's file is opened.
  var storage: @Sendable (URL) throws -> SyncStorage = { .file($0) }
  /// The errors that the call may throw.
  var errors = Errors.ofSyncline
  /// Where GRDB traps in the call if SQLite gets no memory. Any other trap is a finding.
  var traps: Set<Trap> = []
  /// The files that the call leaves beside the store's.
  var files = Files.none
  /// Whether the call may fail after its last transaction. If it may not, a call that fails has not done all its work.
  var mayFailWhenDone = false
  /// Fills the store before the call.
  var prepare: @Sendable (TextStore) async throws -> Void = { _ in }
  /// Changes the folder before the call, such as damaging the closed store.
  var prepareFiles: @Sendable (URL) throws -> Void = { _ in }
  /// The call. Returns text that describes the result, which is the same in each run without faults. Made again after it has
  /// failed or succeeded, it leaves the same store as the first time.
  let call: @Sendable (Site) async throws -> String

  enum Start: Sendable {
    /// The store is open: opening it is not struck.
    case openStore
    /// The store is closed, and the call opens it.
    case closedStore
    /// There is no store, and the call makes one.
    case nothing
    /// There is no store, and the call makes one or leaves none; it does not return it, and refuses to make it twice.
    case nothingOrAll
  }

  enum Errors: Sendable {
    /// `SyncError`
    case ofSyncline
    /// `SyncError`, or the database's: in the user's own transactions and reads.
    case ofDatabase
  }

  /// A file of GRDB, as its message names it. The article on storage says what happens there.
  enum Trap: String, Sendable {
    /// A connection cannot be set up.
    case connection = "GRDB/Utils.swift"
    /// A transaction of the user's cannot be rolled back.
    case transaction = "GRDB/SerializedDatabase.swift"
  }

  enum Files: Sendable {
    case none
    /// A file, if the call succeeds, which has the same bytes in each run without faults.
    case output(String)
    /// The files of a damaged store that were moved aside.
    case movedAside
  }

  static func named(_ name: String) -> Workload? { all.first { $0.name == name } }
}

extension Workload {
  /// Makes a folder as it is before the call, with the store closed.
  func makeTemplate(in folder: URL) async throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    switch start {
    case .openStore, .closedStore:
      let site = Site(folder: folder, schema: schema)
      try await prepare(site.open())
      try site.close()
    case .nothing, .nothingOrAll: break
    }
    try prepareFiles(folder)
  }

  /// The site of a point, whose folder is a copy of the template. Its store is open unless the call opens it.
  func site(in folder: URL) throws -> Site {
    var site = Site(folder: folder, schema: evolved ?? schema)
    site.storage = storage
    if case .openStore = start { try site.open() }
    return site
  }
}
