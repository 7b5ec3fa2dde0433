import Observation

/// One row, for views: observable, on the main actor, and following the store.
///
/// ```swift
/// let publisher = SyncModelPublisher(Task.self, id: 42, in: container)
/// publisher.row?.title
/// ```
///
/// It reads in the background, and follows the store until it is released. A read that fails leaves the row as it was, and
/// is tried again at the next change.
@MainActor
public final class SyncModelPublisher<Model: SyncUpdatableModel> {
  private let state: FollowedValue<Model?>

  /// The row, as the store had it last; nil where there is none.
  public var row: Model? { state.value }
  /// Why the last read failed; nil where it did not.
  public var error: (any Error)? { state.error }
  /// Whether the row has been read, or found to be missing.
  public var isLoaded: Bool { state.isLoaded }

  /// Follows the row of an identity.
  ///
  /// - Parameters:
  ///   - model: the row's model.
  ///   - id: its identity. Of a model whose identities are unique within a parent only, the row of the first parent.
  ///   - container: the container of the store.
  ///   - refreshOn: models whose changes bring the row again, equal or not: for views that read related rows with it.
  ///   - readsImmediately: reads the row before the initializer returns, on the main thread. A store in memory waits for
  ///     its writer then.
  public init(
    _ model: Model.Type, id: Model.SyncID, in container: SyncContainer,
    refreshOn: [any SyncUpdatableModel.Type] = [],
    readsImmediately: Bool = false
  ) {
    let query = ListQuery<Model>.row(id, refreshOn)
    let now = { try container.database.snapshot { try query.fetch($0).first } }
    state = FollowedValue(nil, container.values(query).map(\.first), now: readsImmediately ? now : nil)
  }

  /// Shows at once what has been read.
  func receiveNewest() { state.receiveNewest() }
}

extension SyncModelPublisher: Observable {}
