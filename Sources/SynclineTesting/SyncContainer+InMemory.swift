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

  /// The number of rows that the closure writes. The flag that each sync of `@Offline` models sets and resets does not count.
  func changes(
    isolation: isolated (any Actor)? = #isolation, during action: () async throws -> Void
  ) async throws -> Int {
    let flags = FlagWrites()
    database.add(transactionObserver: flags)
    defer { database.remove(transactionObserver: flags) }
    let before = try await database.writeWithoutTransaction { $0.totalChangesCount }
    try await action()
    return try await database.writeWithoutTransaction { $0.totalChangesCount - flags.count } - before
  }
}

/// Counts the writes of the flag by which syncs disable the triggers for local edits.
private final class FlagWrites: TransactionObserver, @unchecked Sendable {
  /// Accessed only by the connection that writes.
  private(set) var count = 0

  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
    eventKind.tableName == SyncContainer.flagTable
  }

  func databaseDidChange(with event: DatabaseEvent) { count += 1 }
  func databaseDidCommit(_ db: Database) {}
  func databaseDidRollback(_ db: Database) {}
}
