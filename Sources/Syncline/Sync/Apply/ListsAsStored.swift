/// Lists that have the members that are stored: most lists, where a payload comes again. They take little to see, and
/// nothing to be written.
extension RowApplier {
  /// Whether all lists of a row's object are as they are stored; then they are remembered.
  func areListsAsStored(
    _ object: PayloadObject, _ row: RowKey, in model: ModelRows, _ mode: RowMode
  ) throws -> Bool {
    guard LinkMask.applies(mode.operations, isNew: false), !model.journal.isInserted(row) else {
      return false
    }
    return try SyncContext(
      applier: self, run: run, links: links, owner: model, row: row, isNew: false, isStale: false,
      policies: mode.policies,
      writeCount: model.journal.writeCount, decisions: nil
    ).areListsAsStored(object, mode.operations)
  }
}

extension SyncContext {
  fileprivate func areListsAsStored(_ object: PayloadObject, _ operations: SyncRelationshipOperations) throws
    -> Bool
  {
    guard owner.table.updatedAt == nil, !object.isInsideItself, let keys = object.keys else { return false }
    var nested: [NestedList] = []
    for end in owner.lists {
      guard object.states(end.position, in: keys) else { continue }
      let place = LinkPlace(end: end, owner: row)
      if end.linkTable != nil {
        if try isStoredAsKeys(place, object, operations) { continue }
      } else if let list = try listAsStored(place, object, operations) {
        nested.append(list)
        continue
      }
      owner.otherList = place
      return false
    }
    for list in nested { note(list) }
    return true
  }

  private func isStoredAsKeys(
    _ place: LinkPlace, _ object: PayloadObject, _ operations: SyncRelationshipOperations
  ) throws -> Bool {
    guard mayBeStoredAsListed(place, policy(of: place.end), LinkMask(operations, isNew: false)) else {
      return false
    }
    return try isStoredAsNumbered(place, object)
      ?? isStoredAsListed(place, object.toMany(place.end.key, target: place.end.targetTable))
  }

  /// What a complete list of a relationship does to the rows that it does not have.
  func policy(of end: LinkEnd) -> ChildPolicy? {
    policies.first { $0.position == end.position } ?? end.childPolicy
  }

  /// Whether a list of keys has those of the links that are stored: then there is nothing to do.
  func isStoredAsListed(
    _ place: LinkPlace, _ reading: PayloadObject.ToManyReading
  ) throws -> Bool {
    guard reading.areKeys(of: try run.members(of: place)) else { return false }
    try links.linkLists.note(place, begin: reading.begin, changes: [])
    return true
  }

  /// Whether a list that has the links that are stored takes nothing but to be remembered, as all there is of them.
  func mayBeStoredAsListed(_ place: LinkPlace, _ policy: ChildPolicy?, _ mask: LinkMask) -> Bool {
    !isNew && !isStale && policy == nil && mask.canRemove && place.end.linkTable != nil
      && !run.mode.decidesListsAtEnd && links.pending.isIdle(owner.table)
  }

  /// Whether a list of integers, or of objects that were met before, has those of the links that are stored, without making
  /// identities of either; nil where it is no such list.
  func isStoredAsNumbered(_ place: LinkPlace, _ object: PayloadObject) throws -> Bool? {
    guard case .integer(let range) = place.end.targetTable.identityKind, !place.end.hasKeyPatterns,
      let list = object.onlyList(of: place.end.key)?.value
    else { return nil }
    if place.end.inverse == nil, object.isInsideItself { return nil }
    var keys: ContiguousArray<Int64> = []
    keys.reserveCapacity(list.elements.underestimatedCount)
    let target = run.rows(place.end.target)
    let isOfUnion = place.end.property.union != nil
    for value in list.elements {
      if value.isObject {
        guard object.level < PayloadObject.levelLimit, case .integer(let key)? = target.seenRow(value) else {
          return nil
        }
        keys.append(key)
      } else if !(isOfUnion && value.bool == false) {
        guard value.isNumber, let key = NumberText.plainInteger(value.content), range.contains(key) else {
          return nil
        }
        keys.append(key)
      }
    }
    keys.sort()
    // A key that is there twice is left to the usual way.
    guard zip(keys, keys.dropFirst()).allSatisfy(<) else { return nil }
    guard try run.memberStatement(of: place)?.isOf(keys, owner: row.identity) == true else { return false }
    try links.linkLists.note(place, begin: list.node.offset, changes: [])
    return true
  }
}

extension LinkEnd {
  /// What the schema says happens to members that a complete list does not name.
  fileprivate var childPolicy: ChildPolicy? {
    guard let missing else { return nil }
    let policy: DeletionPolicy =
      switch missing {
      case .keep: .none
      case .delete: .hardDeleteMissing
      case .softDelete: .softDeleteMissing
      }
    return ChildPolicy(position: position, policy: policy, requireNonEmpty: false, children: [])
  }
}
