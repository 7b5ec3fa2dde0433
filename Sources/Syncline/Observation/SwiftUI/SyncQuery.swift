#if canImport(SwiftUI)
  import GRDB
  import SwiftUI

  /// A property wrapper for the rows of a query in a view. It observes the container of the view's environment, or
  /// a container that you pass.
  ///
  /// ```swift
  /// struct OpenTasks: View {
  ///   @SyncQuery(Task.self, where: Task.Columns.state == .open, orderBy: [Task.Columns.title]) var tasks
  ///
  ///   var body: some View {
  ///     List(tasks) { Text($0.title) }
  ///   }
  /// }
  ///
  /// OpenTasks().syncContainer(container)
  /// ```
  ///
  /// The first rows are read before the view is drawn. `$tasks` is the ``SyncQueryPublisher``, with its `error`.
  @MainActor @propertyWrapper
  public struct SyncQuery<Model: SyncUpdatableModel>: DynamicProperty {
    @Environment(\.syncContainer) private var environmentContainer
    @State private var source = QuerySource<Model>()
    private let container: SyncContainer?
    private let query: ListQuery<Model>

    /// Creates a property for the rows of a model.
    ///
    /// - Parameters:
    ///   - model: the model of the rows.
    ///   - container: the container to read; nil for the one that `syncContainer(_:)` sets. Without any, the projected value is nil.
    ///   - filter: the condition of the rows; nil for all.
    ///   - order: the ordering terms; the identity follows them.
    ///   - limit: the maximum number of rows; nil for all.
    ///   - refreshOn: models whose changes publish the rows again, even if no row has changed.
    public init(
      _ model: Model.Type, in container: SyncContainer? = nil, where filter: (any SQLExpressible)? = nil,
      orderBy order: [any SQLOrderingTerm] = [], limit: Int? = nil,
      refreshOn: [any SyncUpdatableModel.Type] = []
    ) {
      self.container = container
      query = ListQuery(where: filter, orderBy: order, limit: limit, refreshOn: refreshOn)
    }

    /// Creates a property for the rows of a model that a to-one or to-many relationship links to one row.
    public init<Link: SyncRelationshipLink>(
      _ model: Model.Type, in container: SyncContainer? = nil, where filter: (any SQLExpressible)? = nil,
      orderBy order: [any SQLOrderingTerm] = [], limit: Int? = nil, relationship: KeyPath<Model, Link>,
      relationshipID: Link.RelatedModel.SyncID, refreshOn: [any SyncUpdatableModel.Type] = []
    ) {
      self.container = container
      query = ListQuery(
        where: filter, orderBy: order, limit: limit,
        relationship: Relationship(relationship, relationshipID.syncIdentity), refreshOn: refreshOn)
    }

    /// The rows, as they were last read.
    public var wrappedValue: SyncRows<Model> { source.rows }
    /// The publisher that observes the store; nil without a container.
    public var projectedValue: SyncQueryPublisher<Model>? { source.publisher }

    /// Called by SwiftUI before the view's body.
    public func update() { source.follow(query, in: container ?? environmentContainer) }
  }
#endif
