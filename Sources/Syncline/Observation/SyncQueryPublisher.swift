import GRDB
import Observation

/// An observable object that holds the rows of a query for views, and updates them when the store changes.
///
/// It reads in the background, and observes the store until it is released. If a read fails, the rows stay unchanged, and
/// the publisher reads again after the next change.
///
/// ```swift
/// let tasks = SyncQueryPublisher(
///   Task.self, in: container, where: Task.Columns.state == .open, orderBy: [Task.Columns.title], readsImmediately: true)
/// print(tasks.rows.map(\.title))  // ["Write"]
/// ```
///
/// SwiftUI observes its properties, and so does `withObservationTracking`.
///
/// ## Topics
///
/// ### Creating a publisher
///
/// - ``SyncQueryPublisher/init(_:in:where:orderBy:limit:refreshOn:readsImmediately:)``
/// - ``SyncQueryPublisher/init(_:in:where:orderBy:limit:relationship:relationshipID:refreshOn:readsImmediately:)``
///
/// ### Reading the rows
///
/// - ``SyncQueryPublisher/rows``
/// - ``SyncQueryPublisher/isLoaded``
/// - ``SyncQueryPublisher/error``
@MainActor
public final class SyncQueryPublisher<Model: SyncUpdatableModel> {
  let state: FollowedValue<SyncRows<Model>>

  /// The rows, as they were last read.
  public var rows: SyncRows<Model> { state.value }
  /// The error of the last read; nil if it did not fail.
  public var error: (any Error)? { state.error }
  /// Whether the rows have been read.
  public var isLoaded: Bool { state.isLoaded }

  /// Creates a publisher that observes the rows of a model.
  ///
  /// - Parameters:
  ///   - model: the model of the rows.
  ///   - container: the container of the store.
  ///   - filter: the condition of the rows; nil for all.
  ///   - order: the ordering terms; the identity follows them.
  ///   - limit: the maximum number of rows; nil for all.
  ///   - refreshOn: models whose changes publish the rows again, even if they are equal. Use it for views that read related rows
  ///     together with them.
  ///   - readsImmediately: whether to read the first rows before the initializer returns, on the main thread. With a store in
  ///     memory, this waits for the writer.
  public convenience init(
    _ model: Model.Type, in container: SyncContainer, where filter: (any SQLExpressible)? = nil,
    orderBy order: [any SQLOrderingTerm] = [], limit: Int? = nil,
    refreshOn: [any SyncUpdatableModel.Type] = [],
    readsImmediately: Bool = false
  ) {
    self.init(
      ListQuery(where: filter, orderBy: order, limit: limit, refreshOn: refreshOn), container,
      readsImmediately: readsImmediately)
  }

  /// Creates a publisher that observes the rows of a model that a to-one or to-many relationship links to one
  /// row.
  public convenience init<Link: SyncRelationshipLink>(
    _ model: Model.Type, in container: SyncContainer, where filter: (any SQLExpressible)? = nil,
    orderBy order: [any SQLOrderingTerm] = [], limit: Int? = nil, relationship: KeyPath<Model, Link>,
    relationshipID: Link.RelatedModel.SyncID, refreshOn: [any SyncUpdatableModel.Type] = [],
    readsImmediately: Bool = false
  ) {
    let relationship = Relationship(relationship, relationshipID.syncIdentity)
    self.init(
      ListQuery(
        where: filter, orderBy: order, limit: limit, relationship: relationship, refreshOn: refreshOn),
      container,
      readsImmediately: readsImmediately)
  }

  init(_ query: ListQuery<Model>, _ container: SyncContainer, readsImmediately: Bool) {
    let now = { try container.database.snapshot { try query.resolved().fetch($0) } }
    state = FollowedValue(SyncRows(), container.values(query), now: readsImmediately ? now : nil)
  }
}

extension SyncQueryPublisher: Observable {}
