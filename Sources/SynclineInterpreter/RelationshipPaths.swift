import GRDB
import Syncline

/// Key paths to the relationships of interpreted models. `sync` takes relationships as key paths, but a composed type has no
/// properties, so these key paths use subscripts with the name of the relationship.
extension SyncUpdatableModel {
  /// The key path of a to-one relationship, for the argument `relationship:`.
  package static func path<Related: SyncUpdatableModel>(
    toOne name: String, _ related: Related.Type
  ) -> KeyPath<Self, Reference<Related>?> { \Self[RelationshipName<Related>(name: name)] }

  /// The key path of a to-many relationship, for child policies.
  package static func path<Related: SyncUpdatableModel>(
    toMany name: String, _ related: Related.Type
  ) -> KeyPath<Self, QueryInterfaceRequest<Related>> { \Self[ListName<Related>(name: name)] }

  /// The name of the relationship that such a key path refers to.
  static func relationshipName(_ keyPath: PartialKeyPath<Self>) -> String? {
    func leads(to related: (some SyncUpdatableModel).Type, by name: String) -> Bool {
      keyPath == path(toOne: name, related) || keyPath == path(toMany: name, related)
    }
    return syncRelationshipSchemaDescriptors.first { relationship in
      guard let related = relationship.relatedType as? any SyncUpdatableModel.Type else { return false }
      return leads(to: related, by: relationship.name)
    }?.name
  }

  // No value is ever read through a key path. It only identifies a relationship.
  private subscript<Related>(name: RelationshipName<Related>) -> Reference<Related>? { nil }
  private subscript<Related>(name: ListName<Related>) -> QueryInterfaceRequest<Related> { Related.all() }
}

private struct RelationshipName<Related: SyncUpdatableModel>: Hashable { let name: String }
private struct ListName<Related: SyncUpdatableModel>: Hashable { let name: String }
