import Observation

/// One row, and the load that brings it: what is stored is shown while it runs, and after it failed.
///
/// ```swift
/// let task = SyncedModelPublisher(Task.self, id: 42, in: container) {
///   try await container.sync(item: try await api.task(42), as: Task.self)
/// }
/// await task.load()
/// ```
@MainActor
public final class SyncedModelPublisher<Model: SyncUpdatableModel> {
  private let publisher: SyncModelPublisher<Model>
  private let state: LoadState<Void>

  /// The row, as the store had it last; nil where there is none.
  public var row: Model? { publisher.row }
  /// Whether the row has been read from the store, or found to be missing.
  public var isLoaded: Bool { publisher.isLoaded }
  /// How far the load is.
  public var phase: SyncLoadPhase { state.phase }
  /// Why the last load failed, or else the last read; nil where neither did.
  public var error: (any Error)? { state.error ?? publisher.error }

  /// Follows the row of an identity. Nothing is loaded before ``load(_:)``.
  ///
  /// - Parameters:
  ///   - model: the row's model.
  ///   - id: its identity.
  ///   - container: the container of the store.
  ///   - refreshOn: models whose changes bring the row again, equal or not.
  ///   - readsImmediately: reads the row before the initializer returns, on the main thread.
  ///   - load: brings the row: asks an API, and syncs what it answers.
  public init(
    _ model: Model.Type, id: Model.SyncID, in container: SyncContainer,
    refreshOn: [any SyncUpdatableModel.Type] = [],
    readsImmediately: Bool = false, load: @escaping @Sendable () async throws -> Void
  ) {
    publisher = SyncModelPublisher(
      model, id: id, in: container, refreshOn: refreshOn, readsImmediately: readsImmediately)
    state = LoadState(load, caughtUp: container.hub.caughtUp) { [publisher] in publisher.receiveNewest() }
  }

  /// Loads, and waits for the end. When all who wait are cancelled, the load is.
  ///
  /// - Parameter mode: what becomes of it while a load runs.
  public func load(_ mode: SyncLoadMode = .joining) async { await state.run((), mode) }

  /// Cancels the load that runs. The phase is what it was before.
  public func cancel() { state.cancel() }
}

extension SyncedModelPublisher: Observable {}
