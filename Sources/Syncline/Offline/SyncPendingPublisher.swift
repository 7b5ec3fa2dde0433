import Observation

/// An observable object that holds the local edits of a model's rows for views, and updates them when the store changes.
///
/// ```swift
/// let pending = SyncPendingPublisher(Task.self, in: container)
/// print(pending.edits.count, pending.edits.rejected.map(\.reason))
/// ```
///
/// ## Topics
///
/// ### Creating a publisher
///
/// - ``SyncPendingPublisher/init(_:in:)``
///
/// ### Reading the edits
///
/// - ``SyncPendingPublisher/edits``
/// - ``SyncPendingPublisher/isLoaded``
/// - ``SyncPendingPublisher/error``
@MainActor
public final class SyncPendingPublisher<Model: SyncUpdatableModel> {
  private let state: FollowedValue<SyncPendingEdits<Model>>

  /// The edits, as they were last read.
  public var edits: SyncPendingEdits<Model> { state.value }
  /// The error of the last read; nil if it did not fail.
  public var error: (any Error)? { state.error }
  /// Whether the edits have been read.
  public var isLoaded: Bool { state.isLoaded }

  /// Creates a publisher that observes the edits of a model's rows. It reads in the background.
  ///
  /// - Parameters:
  ///   - model: the model, which has `@Offline`.
  ///   - container: the container of the store.
  public init(_ model: Model.Type, in container: SyncContainer) {
    state = FollowedValue(SyncPendingEdits(), container.pendingEdits(for: model), now: nil)
  }
}

extension SyncPendingPublisher: Observable {}
