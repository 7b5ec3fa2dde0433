import Syncline

extension SyncSchema {
  /// A new store for all models of the schema: in memory, or in a file of a folder, where there is a write-ahead log.
  package static func makeStore(
    in folder: TemporaryFolder? = nil, _ configuration: SyncConfiguration = SyncConfiguration()
  ) throws -> SyncContainer {
    let storage: SyncStorage = if let folder { .file(try folder.file()) } else { .inMemory }
    return try SyncContainer(for: self, storage: storage, configuration: configuration)
  }
}
