import Foundation
import GRDB
import Syncline

/// A store in a temporary file, which is removed with this value. All contestants use the same tables, indexes and pragmas.
final class Store: Sendable {
  let container: SyncContainer
  private let folder: BenchmarkFolder

  var database: any DatabaseWriter { container.database }

  convenience init(_ configuration: SyncConfiguration = SyncConfiguration()) throws {
    try self.init(of: SyncBenchmarksSchema.self, configuration)
  }

  /// A store of other models.
  init(of schema: any SyncSchema.Type, _ configuration: SyncConfiguration = SyncConfiguration()) throws {
    folder = try BenchmarkFolder()
    container = try SyncContainer(
      for: schema, storage: .file(folder.file("store.sqlite")),
      configuration: configuration)
  }

  func file(_ name: String) -> URL { folder.file(name) }

  /// Runs a checkpoint that truncates the log, so that its size shows later writes.
  func emptyLog() throws {
    _ = try database.writeWithoutTransaction { try $0.checkpoint(.truncate) }
  }

  /// The size of the log in bytes.
  var logSize: Int {
    let log = file("store.sqlite-wal")
    return (try? FileManager.default.attributesOfItem(atPath: log.path)[.size] as? Int) ?? 0
  }

  /// The number of rows that the writer has changed since it was opened.
  func changedRows() -> Int {
    database.writeWithoutTransaction { $0.totalChangesCount }
  }
}
