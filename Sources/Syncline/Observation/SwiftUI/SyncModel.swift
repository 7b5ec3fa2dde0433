#if canImport(SwiftUI)
  import SwiftUI

  /// A property wrapper for one row in a view; nil if there is no row. It observes the container of the view's environment, or
  /// a container that you pass.
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

    /// Creates a property for the row with an identity.
    public init(
      _ model: Model.Type, id: Model.SyncID, in container: SyncContainer? = nil,
      refreshOn: [any SyncUpdatableModel.Type] = []
    ) {
      self.container = container
      self.id = id
      self.refreshOn = refreshOn
    }

    /// The row, as it was last read.
    public var wrappedValue: Model? { source.row }
    /// The publisher that observes the store; nil without a container.
    public var projectedValue: SyncModelPublisher<Model>? { source.publisher }

    /// Called by SwiftUI before the view's body.
    public func update() { source.follow(id, in: container ?? environmentContainer, refreshOn: refreshOn) }
  }
#endif
