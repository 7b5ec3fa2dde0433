/// The key of a row in its table: the identity and, for a parent-scoped model, the parent.
struct RowKey: Hashable {
  let identity: SyncIdentity
  var parent: SyncIdentity?
}
