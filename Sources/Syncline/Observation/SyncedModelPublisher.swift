import Observation

/// An observable object that holds one row, and runs a load: a closure that requests the row from a server
/// and syncs it. Views show the stored row while the load runs, and if it fails.
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

  /// The row, as it was last read; nil if there is none.
  public var row: Model? { publisher.row }
  /// Whether the row has been read from the store, or found to be missing.
  public var isLoaded: Bool { publisher.isLoaded }
  /// The phase of the load.
  public var phase: SyncLoadPhase { state.phase }
  /// The error of the last load, or else of the last read; nil if neither failed.
  public var error: (any Error)? { state.error ?? publisher.error }

  /// Creates a publisher that observes the row with an identity. Nothing is loaded before you call
  /// ``load(_:)``.
  ///
  /// - Parameters:
  ///   - model: the row's model.
  ///   - id: its identity.
  ///   - container: the container of the store.
  ///   - refreshOn: models whose changes publish the row again, even if it is equal.
  ///   - readsImmediately: whether to read the row before the initializer returns, on the main thread.
  ///   - load: a closure that requests the row from an API, and syncs the response.
  public init(
    _ model: Model.Type, id: Model.SyncID, in container: SyncContainer,
    refreshOn: [any SyncUpdatableModel.Type] = [],
    readsImmediately: Bool = false, load: @escaping @Sendable () async throws -> Void
  ) {
    publisher = SyncModelPublisher(
      model, id: id, in: container, refreshOn: refreshOn, readsImmediately: readsImmediately)
    state = LoadState(load, caughtUp: container.hub.caughtUp, receive: publisher.state.receiveNewest)
  }

  /// Runs the load, and waits until it ends. If all waiting tasks are cancelled, the load is cancelled.
  ///
  /// - Parameter mode: what happens if a load is already running.
  public func load(_ mode: SyncLoadMode = .joining) async { await state.run((), mode) }

  /// Cancels the running load. The phase returns to its previous value.
  public func cancel() { state.cancel() }
}

extension SyncedModelPublisher: Observable {}
