import Foundation
import GRDB

extension SyncContainer {
  /// Opens a store for models without holding up the caller, which may wait for another connection's lock.
  ///
  /// - Throws: ``SyncError/cancelled`` as soon as the task is cancelled; an opening that has begun then ends by itself,
  ///   and what it opened is closed. Else what opening a store for models throws.
  public static func open(
    for models: any SyncUpdatableModel.Type..., storage: SyncStorage = .inMemory,
    configuration: SyncConfiguration = SyncConfiguration(), recoverOnFailure: Bool = false
  ) async throws -> SyncContainer {
    try await open(models, storage, configuration, recoverOnFailure)
  }

  /// Opens a store for the models of a schema without holding up the caller.
  ///
  /// ```swift
  /// let container = try await SyncContainer.open(for: TrackerSchema.self, storage: .file(url))
  /// ```
  ///
  /// - Throws: what opening a store for models throws.
  public static func open(
    for schema: any SyncSchema.Type, storage: SyncStorage = .inMemory,
    configuration: SyncConfiguration = SyncConfiguration(), recoverOnFailure: Bool = false
  ) async throws -> SyncContainer {
    try await open(schema.models, storage, configuration, recoverOnFailure)
  }

  private static func open(
    _ models: [any SyncUpdatableModel.Type], _ storage: SyncStorage, _ configuration: SyncConfiguration,
    _ recoverOnFailure: Bool
  ) async throws -> SyncContainer {
    let work = RevocableWork<SyncContainer>()
    do {
      return try await work.result {
        DispatchQueue.global().async {
          work.end(
            with: Result {
              try SyncContainer(
                models: models, storage: storage, configuration: configuration,
                recoverOnFailure: recoverOnFailure)
            })
        }
      }
    } catch is CancellationError {
      throw SyncError.cancelled
    }
  }
}
