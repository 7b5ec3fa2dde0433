import Foundation
import GRDB

extension SyncContainer {
  /// Opens a store for models without blocking the caller while it waits for another connection's lock.
  ///
  /// - Throws: ``SyncError/cancelled`` as soon as the task is cancelled; if the store is being opened at that time, it is
  ///   closed afterwards. Otherwise the errors of the initializer for models.
  public static func open(
    for models: any SyncUpdatableModel.Type..., storage: SyncStorage = .inMemory,
    configuration: SyncConfiguration = SyncConfiguration(), recoverOnFailure: Bool = false
  ) async throws -> SyncContainer {
    try await open(
      models: models, isWhole: false, storage: storage, configuration: configuration,
      recoverOnFailure: recoverOnFailure)
  }

  /// Opens a store for the models of a schema without blocking the caller.
  ///
  /// ```swift
  /// let container = try await SyncContainer.open(for: TrackerSchema.self, storage: .file(url))
  /// ```
  ///
  /// - Throws: the same errors as the form for models.
  public static func open(
    for schema: any SyncSchema.Type, storage: SyncStorage = .inMemory,
    configuration: SyncConfiguration = SyncConfiguration(), recoverOnFailure: Bool = false
  ) async throws -> SyncContainer {
    try await open(
      models: schema.models, isWhole: true, storage: storage, configuration: configuration,
      recoverOnFailure: recoverOnFailure)
  }

  private static func open(
    models: [any SyncUpdatableModel.Type], isWhole: Bool, storage: SyncStorage,
    configuration: SyncConfiguration,
    recoverOnFailure: Bool
  ) async throws -> SyncContainer {
    let work = RevocableWork<SyncContainer>()
    do {
      return try await work.result {
        DispatchQueue.global().async {
          work.end(
            with: Result {
              try SyncContainer(
                models: models, isWhole: isWhole, storage: storage, configuration: configuration,
                recoverOnFailure: recoverOnFailure)
            })
        }
      }
    } catch is CancellationError {
      throw SyncError.cancelled
    }
  }
}
