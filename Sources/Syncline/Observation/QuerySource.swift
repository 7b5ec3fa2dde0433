/// The publisher of a view's query. It is replaced when the container or the query changes.
@MainActor
final class QuerySource<Model: SyncUpdatableModel> {
  private(set) var publisher: SyncQueryPublisher<Model>?
  /// The followed query. The container is retained: otherwise a new one could have its address. Strings in the query are compared
  /// by their bytes, as SQLite compares them.
  private var key: (container: SyncContainer, query: String.UTF8Key)?

  /// Follows a query in a container, unless it already does.
  func follow(_ query: ListQuery<Model>, in container: SyncContainer?) {
    let newKey = container.map { ($0, String.UTF8Key(query.key(in: $0))) }
    guard newKey?.0 !== key?.container || newKey?.1 != key?.query else { return }
    key = newKey
    publisher = container.map { SyncQueryPublisher(query, $0, readsImmediately: true) }
  }

  var rows: SyncRows<Model> { publisher?.rows ?? SyncRows() }
}

/// The publisher of a view's row. It is replaced when the container or the identity changes.
@MainActor
final class RowSource<Model: SyncUpdatableModel> {
  private(set) var publisher: SyncModelPublisher<Model>?
  private var key: (container: SyncContainer, id: SyncIdentity)?

  /// Follows the row with an identity in a container, unless it already does.
  func follow(_ id: Model.SyncID, in container: SyncContainer?, refreshOn: [any SyncUpdatableModel.Type]) {
    let newKey = container.map { ($0, id.syncIdentity) }
    guard newKey?.0 !== key?.container || newKey?.1 != key?.id else { return }
    key = newKey
    publisher = container.map {
      SyncModelPublisher(Model.self, id: id, in: $0, refreshOn: refreshOn, readsImmediately: true)
    }
  }

  var row: Model? { publisher?.row }
}
