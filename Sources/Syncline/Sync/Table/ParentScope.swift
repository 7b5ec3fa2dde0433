/// The parent that a call gives to each of its rows.
struct ParentScope {
  let relationship: String?
  let identity: SyncIdentity

  init<Model: SyncUpdatableModel, Link>(_ relationship: KeyPath<Model, Link>, _ identity: SyncIdentity) {
    self.relationship = Model.syncRelationshipName(relationship)
    self.identity = identity
  }

  init(relationship: String, _ identity: SyncIdentity) {
    self.relationship = relationship
    self.identity = identity
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
