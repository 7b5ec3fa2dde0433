import Foundation
import GRDB
import Syncline

/// A store in a file of its own, removed with it. All contestants use the same tables, indexes and pragmas.
final class Store: Sendable {
  let container: SyncContainer
  private let folder: URL

  var database: any DatabaseWriter { container.database }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "syncline-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    container = try SyncContainer(
      for: SyncBenchmarksSchema.self, storage: .file(folder.appending(path: "store.sqlite")))
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func file(_ name: String) -> URL { folder.appending(path: name) }

  /// Moves the log into the database, so that its size is what was written since.
  func emptyLog() throws {
    _ = try database.writeWithoutTransaction { try $0.checkpoint(.truncate) }
  }

  /// The size of the log in bytes.
  var logSize: Int {
    let log = folder.appending(path: "store.sqlite-wal")
    return (try? FileManager.default.attributesOfItem(atPath: log.path)[.size] as? Int) ?? 0
  }

  /// How many rows the writer changed since it was opened.
  func changedRows() -> Int {
    database.writeWithoutTransaction { $0.totalChangesCount }
  }
}
