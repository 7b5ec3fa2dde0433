import Foundation
import Syncline
import TestSupport

/// A call into which faults are injected, and the store before it.
struct Workload: Sendable {
  let name: String
  /// The schema of the store.
  let schema: String
  /// The schema with which the call opens the store, if it differs.
  var evolved: String?
  /// The state before the call.
  var start = Start.openStore
  /// The storage with which the store is opened.
  var storage: @Sendable (URL) throws -> SyncStorage = { .file($0) }
  /// The errors that the call may throw.
  var errors = Errors.ofSyncline
  /// The locations of GRDB traps in the call if memory allocation fails. Any other trap is a finding.
  var traps: Set<Trap> = []
  /// The other files that the call leaves in the folder.
  var files = Files.none
  /// Whether the call may fail after its last transaction. If it may not, a failed call must not have done all of its work.
  var mayFailWhenDone = false
  /// Whether a cancellation after the last transaction may make the call fail.
  var mayBeCancelledWhenDone = false
  /// Whether the call has transactions between which the states are not known, so that a failed call may have done any part.
  var hasUnknownSteps = false
  /// Fills the store before the call.
  var prepare: @Sendable (TextStore) async throws -> Void = { _ in }
  /// Changes the folder before the call, for example by damaging the closed store.
  var prepareFiles: @Sendable (URL) throws -> Void = { _ in }
  /// The call. It returns a text that describes the result, and is the same in each run without faults. If the call is repeated
  /// after a failure or a success, it leaves the same store.
  let call: @Sendable (Site) async throws -> String

  enum Start: Sendable {
    /// The store is open. No faults occur while it is opened.
    case openStore
    /// The store is closed, and the call opens it.
    case closedStore
    /// There is no store, and the call creates one.
    case nothing
    /// There is no store. The call either creates a complete one or leaves none. It does not return the store, and refuses to
    /// create it twice.
    case nothingOrAll
  }

  enum Errors: Sendable {
    /// `SyncError`
    case ofSyncline
    /// `SyncError`, or an error of the database in transactions and reads of the app.
    case ofDatabase
  }

  /// A file of GRDB, as named in the message of a trap. The article on storage describes these traps.
  enum Trap: String, Sendable {
    /// A connection cannot be set up.
    case connection = "GRDB/Utils.swift"
    /// A transaction of the app cannot be rolled back.
    case transaction = "GRDB/SerializedDatabase.swift"
  }

  enum Files: Sendable {
    case none
    /// A file that a successful call creates. It has the same bytes in each run without faults.
    case output(String)
    /// The files of a damaged store, which were moved.
    case movedAside
  }

  static func named(_ name: String) -> Workload? { all.first { $0.name == name } }
}

extension Workload {
  /// Creates a folder with the state before the call, with the store closed.
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

  /// The site of a point, whose folder is a copy of the template. The store is open unless the call opens it.
  func site(in folder: URL) throws -> Site {
    var site = Site(folder: folder, schema: evolved ?? schema)
    site.storage = storage
    if case .openStore = start { try site.open() }
    return site
  }
}
