import Syncline

extension SyncContainer {
  /// A container in memory, already synced with payloads.
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

  /// How many row changes the store has seen since it was opened.
  package func totalChanges() async throws -> Int {
    try await database.writeWithoutTransaction { $0.totalChangesCount }
  }
}
