/// What names a row in its table: the identity, and for a parent-scoped model the parent.
struct RowKey: Hashable {
  let identity: SyncIdentity
  var parent: SyncIdentity?
}

/// A link between two rows as one relationship sees it.
struct LinkKey: Hashable {
  let model: ObjectIdentifier
  let position: Int
  let owner: RowKey
  let member: SyncIdentity
}
