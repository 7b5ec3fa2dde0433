#if canImport(SwiftUI)
  import SwiftUI

  /// One row in a view, following the store of the view's container, or of one that is given; nil where there is none.
  ///
  /// ```swift
  /// struct TaskView: View {
  ///   @SyncModel<Task> var task: Task?
  ///
  ///   init(id: Int) { _task = SyncModel(Task.self, id: id) }
  ///
  ///   var body: some View { Text(task?.title ?? "") }
  /// }
  /// ```
  ///
  /// The row is read before the view is drawn. `$task` is the ``SyncModelPublisher``, with its `error`.
  @MainActor @propertyWrapper
  public struct SyncModel<Model: SyncUpdatableModel>: DynamicProperty {
    @Environment(\.syncContainer) private var environmentContainer
    @State private var source = RowSource<Model>()
    private let container: SyncContainer?
    private let id: Model.SyncID
    private let refreshOn: [any SyncUpdatableModel.Type]

    /// The row of an identity.
    public init(
      _ model: Model.Type, id: Model.SyncID, in container: SyncContainer? = nil,
      refreshOn: [any SyncUpdatableModel.Type] = []
    ) {
      self.container = container
      self.id = id
      self.refreshOn = refreshOn
    }

    /// The row, as the store had it last.
    public var wrappedValue: Model? { source.row }
    /// What follows the store; nil without a container.
    public var projectedValue: SyncModelPublisher<Model>? { source.publisher }

    /// Called by SwiftUI before the view's body.
    public func update() { source.follow(id, in: container ?? environmentContainer, refreshOn: refreshOn) }
  }
#endif
