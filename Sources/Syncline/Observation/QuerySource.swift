/// The publisher of a view's query: another when the container or the query is another.
@MainActor
final class QuerySource<Model: SyncUpdatableModel> {
  private(set) var publisher: SyncQueryPublisher<Model>?
  private var key: String?

  /// Follows a query in a container, unless it does already.
  func follow(_ query: ListQuery<Model>, in container: SyncContainer?) {
    let newKey = container.map { "\(ObjectIdentifier($0)) \(query.key)" }
    guard newKey != key else { return }
    key = newKey
    publisher = container.map { SyncQueryPublisher(query, $0, readsImmediately: true) }
  }

  var rows: SyncRows<Model> { publisher?.rows ?? SyncRows() }
}

/// The publisher of a view's row: another when the container or the identity is another.
@MainActor
final class RowSource<Model: SyncUpdatableModel> {
  private(set) var publisher: SyncModelPublisher<Model>?
  private var key: (container: ObjectIdentifier, id: SyncIdentity)?

  /// Follows the row of an identity in a container, unless it does already.
  func follow(_ id: Model.SyncID, in container: SyncContainer?, refreshOn: [any SyncUpdatableModel.Type]) {
    let newKey = container.map { (ObjectIdentifier($0), id.syncIdentity) }
    guard newKey?.0 != key?.container || newKey?.1 != key?.id else { return }
    key = newKey
    publisher = container.map {
      SyncModelPublisher(Model.self, id: id, in: $0, refreshOn: refreshOn, readsImmediately: true)
    }
  }

  var row: Model? { publisher?.row }
}
