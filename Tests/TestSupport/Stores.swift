import Foundation
import GRDB
import Syncline

extension SyncSchema {
  /// A new store for all models of the schema: in memory, or in a file of a folder with a write-ahead log.
  package static func makeStore(
    in folder: TemporaryFolder? = nil, _ configuration: SyncConfiguration = SyncConfiguration()
  ) throws -> SyncContainer {
    let storage: SyncStorage = if let folder { .file(try folder.file()) } else { try EmptyStores.copy(self) }
    return try SyncContainer(for: self, storage: storage, configuration: configuration)
  }
}

/// An empty store for each schema. Creating the tables of a hundred models takes longer than most tests, so they are created once
/// and copied.
private enum EmptyStores {
  private static let lock = NSLock()
  nonisolated(unsafe) private static var stores: [ObjectIdentifier: SyncContainer] = [:]

  static func copy(_ schema: any SyncSchema.Type) throws -> SyncStorage {
    let store = try lock.withLock {
      if let store = stores[ObjectIdentifier(schema)] { return store }
      let store = try SyncContainer(for: schema)
      stores[ObjectIdentifier(schema)] = store
      return store
    }
    let copy = try DatabaseQueue()
    try store.database.backup(to: copy)
    return .database(copy)
  }
}
