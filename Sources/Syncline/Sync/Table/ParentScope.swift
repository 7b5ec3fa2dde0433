/// The parent that a call gives to each of its rows.
struct ParentScope {
  let relationship: String?
  let identity: SyncIdentity
}

extension ParentScope {
  init<Model: SyncUpdatableModel, Link>(_ relationship: KeyPath<Model, Link>, _ identity: SyncIdentity) {
    self.init(relationship: Model.syncRelationshipName(relationship), identity: identity)
  }

  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` if the model has no such relationship.
  func resolved(in table: SyncTable) throws -> PayloadObject.Scope {
    guard let relationship, let position = table.position(of: relationship),
      table.properties[position].isStored, !table.properties[position].isLocal
    else {
      throw SyncError(.noParentRelationship, model: table.name)
    }
    return PayloadObject.Scope(position: position, parent: identity)
  }
}
