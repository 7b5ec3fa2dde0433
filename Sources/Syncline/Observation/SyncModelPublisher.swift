import Observation

/// An observable object that holds one row for views, and updates it when the store changes.
///
/// It reads in the background, and observes the store until it is released. If a read fails, the row stays unchanged, and
/// the publisher reads again after the next change.
///
/// ```swift
/// let task = SyncModelPublisher(Task.self, id: 1, in: container, readsImmediately: true)
/// print(task.row?.title ?? "not stored")  // Write
/// ```
///
/// ## Topics
///
/// ### Creating a publisher
///
/// - ``SyncModelPublisher/init(_:id:in:refreshOn:readsImmediately:)``
///
/// ### Reading the row
///
/// - ``SyncModelPublisher/row``
/// - ``SyncModelPublisher/isLoaded``
/// - ``SyncModelPublisher/error``
@MainActor
public final class SyncModelPublisher<Model: SyncUpdatableModel> {
  let state: FollowedValue<Model?>

  /// The row, as it was last read; nil if there is none.
  public var row: Model? { state.value }
  /// The error of the last read; nil if it did not fail.
  public var error: (any Error)? { state.error }
  /// Whether the row has been read, or found to be missing.
  public var isLoaded: Bool { state.isLoaded }

  /// Creates a publisher that observes the row with an identity.
  ///
  /// - Parameters:
  ///   - model: the row's model.
  ///   - id: its identity. If identities are unique only within a parent, the row of the first parent is observed.
  ///   - container: the container of the store.
  ///   - refreshOn: models whose changes publish the row again, even if it is equal. Use it for views that read related rows
  ///     together with it.
  ///   - readsImmediately: whether to read the row before the initializer returns, on the main thread. With a store in memory,
  ///     this waits for the writer.
  public init(
    _ model: Model.Type, id: Model.SyncID, in container: SyncContainer,
    refreshOn: [any SyncUpdatableModel.Type] = [],
    readsImmediately: Bool = false
  ) {
    let query = ListQuery<Model>.row(id, refreshOn)
    let now = { try container.database.snapshot { try query.resolved().fetch($0).first } }
    state = FollowedValue(nil, container.values(query).map(\.first), now: readsImmediately ? now : nil)
  }
}

extension SyncModelPublisher: Observable {}
