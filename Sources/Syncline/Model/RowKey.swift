/// What names a row in its table: the identity, and for a parent-scoped model the parent.
struct RowKey: Hashable {
  let identity: SyncIdentity
  var parent: SyncIdentity?
}

/// One relationship of one row.
struct LinkPlace: Hashable {
  let model: ObjectIdentifier
  let position: Int
  let owner: RowKey
}

/// A link between two rows as one relationship sees it.
struct LinkKey: Hashable {
  let place: LinkPlace
  let member: SyncIdentity

  init(model: ObjectIdentifier, position: Int, owner: RowKey, member: SyncIdentity) {
    place = LinkPlace(model: model, position: position, owner: owner)
    self.member = member
  }
}
