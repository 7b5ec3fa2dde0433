import GRDB
import Observation

/// The rows of a query, and the load that brings them: what is stored is shown while it runs, and after it failed.
///
/// ```swift
/// let tasks = SyncedQueryPublisher(Task.self, in: container, orderBy: [Task.Columns.title]) {
///   try await container.sync(payload: try await api.tasks(), as: Task.self)
/// }
/// await tasks.load()
/// tasks.phase   // .loaded, or .failed with the reason
/// ```
@MainActor
public final class SyncedQueryPublisher<Model: SyncUpdatableModel> {
  private let query: SyncQueryPublisher<Model>
  private let state: LoadState<Void>

  /// The rows, as the store had them last.
  public var rows: SyncRows<Model> { query.rows }
  /// Whether the rows have been read from the store.
  public var isLoaded: Bool { query.isLoaded }
  /// How far the load is.
  public var phase: SyncLoadPhase { state.phase }
  /// Why the last load failed, or else the last read; nil where neither did.
  public var error: (any Error)? { state.error ?? query.error }

  /// Follows the rows of a model. Nothing is loaded before ``load(_:)``.
  ///
  /// - Parameters:
  ///   - model: the model of the rows.
  ///   - container: the container of the store.
  ///   - filter: which rows; nil for all.
  ///   - order: what they are ordered by, before their identities.
  ///   - limit: how many rows at most; nil for all.
  ///   - refreshOn: models whose changes bring the rows again, equal or not.
  ///   - readsImmediately: reads the first rows before the initializer returns, on the main thread.
  ///   - load: brings the rows: asks an API, and syncs what it answers.
  public init(
    _ model: Model.Type, in container: SyncContainer, where filter: (any SQLExpressible)? = nil,
    orderBy order: [any SQLOrderingTerm] = [], limit: Int? = nil,
    refreshOn: [any SyncUpdatableModel.Type] = [],
    readsImmediately: Bool = false, load: @escaping @Sendable () async throws -> Void
  ) {
    query = SyncQueryPublisher(
      model, in: container, where: filter, orderBy: order, limit: limit, refreshOn: refreshOn,
      readsImmediately: readsImmediately)
    state = LoadState(load, caughtUp: container.hub.caughtUp) { [query] in query.receiveNewest() }
  }

  /// Follows the rows of a model that a relationship, to-one or to-many, links to one row.
  public init<Link: SyncRelationshipLink>(
    _ model: Model.Type, in container: SyncContainer, where filter: (any SQLExpressible)? = nil,
    orderBy order: [any SQLOrderingTerm] = [], limit: Int? = nil, relationship: KeyPath<Model, Link>,
    relationshipID: Link.RelatedModel.SyncID, refreshOn: [any SyncUpdatableModel.Type] = [],
    readsImmediately: Bool = false, load: @escaping @Sendable () async throws -> Void
  ) {
    query = SyncQueryPublisher(
      model, in: container, where: filter, orderBy: order, limit: limit, relationship: relationship,
      relationshipID: relationshipID, refreshOn: refreshOn, readsImmediately: readsImmediately)
    state = LoadState(load, caughtUp: container.hub.caughtUp) { [query] in query.receiveNewest() }
  }

  /// Loads, and waits for the end. When all who wait are cancelled, the load is.
  ///
  /// - Parameter mode: what becomes of it while a load runs.
  public func load(_ mode: SyncLoadMode = .joining) async { await state.run((), mode) }

  /// How many have waited for the load that runs.
  var waiting: Int { state.waiting }

  /// Cancels the load that runs. The phase is what it was before.
  public func cancel() { state.cancel() }
}

extension SyncedQueryPublisher: Observable {}
