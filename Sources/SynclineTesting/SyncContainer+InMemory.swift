import Syncline

extension SyncContainer {
  /// An in-memory container, after syncing payloads into it.
  ///
  /// ```swift
  /// let container = try await SyncContainer.inMemory(AppSchema.self) {
  ///   try await $0.sync(payload: [["id": 1, "name": "A"]] as SyncJSON, as: Project.self)
  /// }
  /// ```
  public static func inMemory(
    _ schema: any SyncSchema.Type, configuration: SyncConfiguration = SyncConfiguration(),
    isolation: isolated (any Actor)? = #isolation, _ prepare: (SyncContainer) async throws -> Void = { _ in }
  ) async throws -> SyncContainer {
    let container = try SyncContainer(for: schema, storage: .inMemory, configuration: configuration)
    try await prepare(container)
    return container
  }

  /// The number of row changes since the store was opened.
  package func totalChanges() async throws -> Int {
    try await database.writeWithoutTransaction { $0.totalChangesCount }
  }
}
