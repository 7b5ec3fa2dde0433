/// What a call's operations allow for the relationships of one row.
struct LinkMask: Equatable {
  /// Whether links may be set, and members added.
  let canAdd: Bool
  /// Whether links may be cleared, and members removed.
  let canRemove: Bool
  /// Whether nested rows are inserted.
  let creates: Bool

  /// - Parameters:
  ///   - isNew: whether the row is new in this payload. Its relationships are applied only if the operations insert.
  ///   - isStale: whether the stored row is at least as new as the payload's: its own links stay as they are.
  init(_ operations: SyncRelationshipOperations, isNew: Bool, isStale: Bool = false) {
    canAdd = !isStale && (isNew || !operations.isDisjoint(with: [.insert, .update]))
    canRemove = !isStale && operations.contains(.delete)
    creates = operations.contains(.insert)
  }

  /// Whether a row's relationships are applied.
  static func applies(_ operations: SyncRelationshipOperations, isNew: Bool) -> Bool {
    isNew ? operations.contains(.insert) : !operations.isDisjoint(with: [.update, .delete])
  }
}

extension PayloadObject {
  /// Limits the reading of union types to the operations that are allowed for links, since a union is one relationship.
  func limitUnions(to operations: SyncRelationshipOperations, isNew: Bool) {
    let mask = LinkMask(operations, isNew: isNew)
    let applies = LinkMask.applies(operations, isNew: isNew)
    (setsUnions, clearsUnions) = (applies && mask.canAdd, applies && (isNew || mask.canRemove))
  }
}
