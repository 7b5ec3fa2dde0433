/// The key of a row in its table: the identity and, for a parent-scoped model, the parent.
struct RowKey: Hashable {
  let identity: SyncIdentity
  var parent: SyncIdentity?
}

extension RowKey {
  /// The key in two columns, of the identity and of the parent; nil if the identity is null.
  init?(_ row: ReadStatement, from column: Int = 0) {
    guard let identity = SyncIdentity(row.column(column)) else { return nil }
    self.init(identity: identity, parent: SyncIdentity(row.column(column + 1)))
  }
}

extension SyncUpdatableModel {
  var rowKey: RowKey {
    get throws {
      let parent = try Self.syncTable.parentScope.flatMap { SyncIdentity(try columnValues()[$0]) }
      return RowKey(identity: self[keyPath: Self.syncIdentity].syncIdentity, parent: parent)
    }
  }
}

/// A row of any model.
struct LinkedRow: Hashable, Comparable {
  let model: ModelNumber
  let key: RowKey

  init(_ model: ModelNumber, _ key: RowKey) { (self.model, self.key) = (model, key) }
  init(_ model: ModelNumber, _ identity: SyncIdentity) { self.init(model, RowKey(identity: identity)) }

  static func < (left: LinkedRow, right: LinkedRow) -> Bool {
    if left.model != right.model { return left.model < right.model }
    if left.key.identity != right.key.identity { return left.key.identity < right.key.identity }
    guard let parent = right.key.parent else { return false }
    return left.key.parent.map { $0 < parent } ?? true
  }
}
