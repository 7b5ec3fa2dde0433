import GRDB
import Observation

/// The rows of a query, for views: observable, on the main actor, and following the store.
///
/// ```swift
/// let tasks = SyncQueryPublisher(
///   Task.self, in: container, where: Task.Columns.state == .open, orderBy: [Task.Columns.title], limit: 50)
/// tasks.rows      // observed by SwiftUI, or by `withObservationTracking`
/// ```
///
/// It reads in the background, and follows the store until it is released. A read that fails leaves the rows as they were,
/// and is tried again at the next change.
@MainActor
public final class SyncQueryPublisher<Model: SyncUpdatableModel> {
  private let state: FollowedValue<SyncRows<Model>>

  /// The rows, as the store had them last.
  public var rows: SyncRows<Model> { state.value }
  /// Why the last read failed; nil where it did not.
  public var error: (any Error)? { state.error }
  /// Whether the rows have been read.
  public var isLoaded: Bool { state.isLoaded }

  /// Follows the rows of a model.
  ///
  /// - Parameters:
  ///   - model: the model of the rows.
  ///   - container: the container of the store.
  ///   - filter: which rows; nil for all.
  ///   - order: what they are ordered by, before their identities.
  ///   - limit: how many rows at most; nil for all.
  ///   - refreshOn: models whose changes bring the rows again, equal or not: for views that read related rows with them.
  ///   - readsImmediately: reads the first rows before the initializer returns, on the main thread. A store in memory
  ///     waits for its writer then.
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

  /// Follows the rows of a model that a relationship, to-one or to-many, links to one row.
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

  /// Shows at once what has been read.
  func receiveNewest() { state.receiveNewest() }
}

extension SyncQueryPublisher: Observable {}
