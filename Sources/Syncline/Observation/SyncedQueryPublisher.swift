import GRDB
import Observation

/// An observable object that holds the rows of a query, and runs a load: a closure that requests the rows
/// from a server and syncs them.
///
/// Views show the stored rows while the load runs, and after it has failed.
///
/// ```swift
/// let tasks = SyncedQueryPublisher(Task.self, in: container, orderBy: [Task.Columns.title]) {
///   // Ask your server for the payload.
///   try await container.sync(payload: #"[{"id": 1, "title": "Write"}]"#, as: Task.self)
/// }
/// await tasks.load()
/// print(tasks.phase, tasks.rows.map(\.title))  // loaded ["Write"]
/// ```
///
/// ## Topics
///
/// ### Creating a publisher
///
/// - ``SyncedQueryPublisher/init(_:in:where:orderBy:limit:refreshOn:readsImmediately:load:)``
/// - ``SyncedQueryPublisher/init(_:in:where:orderBy:limit:relationship:relationshipID:refreshOn:readsImmediately:load:)``
///
/// ### Reading the rows
///
/// - ``SyncedQueryPublisher/rows``
/// - ``SyncedQueryPublisher/isLoaded``
///
/// ### Loading
///
/// - ``SyncedQueryPublisher/load(_:)``
/// - ``SyncedQueryPublisher/cancel()``
/// - ``SyncedQueryPublisher/phase``
/// - ``SyncedQueryPublisher/error``
@MainActor
public final class SyncedQueryPublisher<Model: SyncUpdatableModel> {
  private let query: SyncQueryPublisher<Model>
  private let state: LoadState<Void>

  /// The rows, as they were last read.
  public var rows: SyncRows<Model> { query.rows }
  /// Whether the rows have been read from the store.
  public var isLoaded: Bool { query.isLoaded }
  /// The phase of the load.
  public var phase: SyncLoadPhase { state.phase }
  /// The error of the last load, or else of the last read; nil if neither failed.
  public var error: (any Error)? { state.error ?? query.error }

  /// Creates a publisher that observes the rows of a model. Nothing is loaded before you call ``load(_:)``.
  ///
  /// - Parameters:
  ///   - model: the model of the rows.
  ///   - container: the container of the store.
  ///   - filter: the condition of the rows; nil for all.
  ///   - order: the ordering terms; the identity follows them.
  ///   - limit: the maximum number of rows; nil for all.
  ///   - refreshOn: models whose changes publish the rows again, even if they are equal.
  ///   - readsImmediately: whether to read the first rows before the initializer returns, on the main thread.
  ///   - load: a closure that requests the rows from an API, and syncs the response.
  public init(
    _ model: Model.Type, in container: SyncContainer, where filter: (any SQLExpressible)? = nil,
    orderBy order: [any SQLOrderingTerm] = [], limit: Int? = nil,
    refreshOn: [any SyncUpdatableModel.Type] = [],
    readsImmediately: Bool = false, load: @escaping @Sendable () async throws -> Void
  ) {
    query = SyncQueryPublisher(
      model, in: container, where: filter, orderBy: order, limit: limit, refreshOn: refreshOn,
      readsImmediately: readsImmediately)
    state = LoadState(load, caughtUp: container.hub.caughtUp, receive: query.state.receiveNewest)
  }

  /// Creates a publisher that observes the rows of a model that a to-one or to-many relationship links to one
  /// row.
  public init<Link: SyncRelationshipLink>(
    _ model: Model.Type, in container: SyncContainer, where filter: (any SQLExpressible)? = nil,
    orderBy order: [any SQLOrderingTerm] = [], limit: Int? = nil, relationship: KeyPath<Model, Link>,
    relationshipID: Link.RelatedModel.SyncID, refreshOn: [any SyncUpdatableModel.Type] = [],
    readsImmediately: Bool = false, load: @escaping @Sendable () async throws -> Void
  ) {
    query = SyncQueryPublisher(
      model, in: container, where: filter, orderBy: order, limit: limit, relationship: relationship,
      relationshipID: relationshipID, refreshOn: refreshOn, readsImmediately: readsImmediately)
    state = LoadState(load, caughtUp: container.hub.caughtUp, receive: query.state.receiveNewest)
  }

  /// Runs the load, and waits until it ends. If all waiting tasks are cancelled, the load is cancelled.
  ///
  /// - Parameter mode: what happens if a load is already running.
  public func load(_ mode: SyncLoadMode = .joining) async { await state.run((), mode) }

  /// How many callers have waited for the running load.
  var waiting: Int { state.waiting }

  /// Cancels the running load. The phase returns to its previous value.
  public func cancel() { state.cancel() }
}

extension SyncedQueryPublisher: Observable {}
