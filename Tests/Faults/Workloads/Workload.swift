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
  /// Whether the call itself opens the store, so that opening is struck, too.
  var opensStore = false
  /// Whether the call changes files beside the store: an export, a recovery.
  var files: Files = .store
  /// Fills the store before the call.
  var prepare: @Sendable (TextStore) async throws -> Void = { _ in }
  /// Changes the files of the closed store before the call, such as damaging them.
  var prepareFiles: @Sendable (URL) throws -> Void = { _ in }
  /// The call. Returns text that describes the result, which is the same in each run without faults.
  let call: @Sendable (Site) async throws -> String

  /// The files that a call may leave in its folder.
  enum Files: Sendable {
    /// Only the store's.
    case store
    /// The store's, and one other file if the call succeeds, which has the same bytes in each run without faults.
    case output(String)
    /// The store's, and the files of a damaged store under other names.
    case recovery
    /// None before the call. The store's if the call succeeds.
    case newStore
  }

  static let all: [Workload] = []

  static func named(_ name: String) -> Workload? { all.first { $0.name == name } }
}

extension Workload {
  /// Makes a folder with the store as it is before the call, closed.
  func makeTemplate(in folder: URL) async throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    if case .newStore = files {
      try prepareFiles(folder)
      return
    }
    let store = try Site(folder: folder, schema: schema).open()
    try await prepare(store)
    try store.close()
    try prepareFiles(folder)
  }

  /// The site of a point in a folder that is a copy of the template. Its store is open unless the call opens it.
  func site(in folder: URL) throws -> Site {
    var site = Site(folder: folder, schema: evolved ?? schema)
    if !opensStore { site.store = try site.open() }
    return site
  }
}
