import GRDB
import Syncline

/// Calls of `sync` refer to relationships by key path. A model composed at run time has no properties, so its key paths
/// use subscripts that take the relationship's name.
extension SyncUpdatableModel {
  /// The path of a to-one relationship, for the argument `relationship:`.
  package static func path<Related: SyncUpdatableModel>(
    toOne name: String, _ related: Related.Type
  ) -> KeyPath<Self, Reference<Related>?> { \Self[RelationshipName<Related>(name: name)] }

  /// The path of a to-many relationship, for child policies.
  package static func path<Related: SyncUpdatableModel>(
    toMany name: String, _ related: Related.Type
  ) -> KeyPath<Self, QueryInterfaceRequest<Related>> { \Self[ListName<Related>(name: name)] }

  /// The name of the relationship of such a path.
  static func relationshipName(_ keyPath: PartialKeyPath<Self>) -> String? {
    func leads(to related: (some SyncUpdatableModel).Type, by name: String) -> Bool {
      keyPath == path(toOne: name, related) || keyPath == path(toMany: name, related)
    }
    return syncRelationshipSchemaDescriptors.first { relationship in
      guard let related = relationship.relatedType as? any SyncUpdatableModel.Type else { return false }
      return leads(to: related, by: relationship.name)
    }?.name
  }

  // Nothing reads through the paths: they only identify a relationship.
  private subscript<Related>(name: RelationshipName<Related>) -> Reference<Related>? { nil }
  private subscript<Related>(name: ListName<Related>) -> QueryInterfaceRequest<Related> { Related.all() }
}

private struct RelationshipName<Related: SyncUpdatableModel>: Hashable { let name: String }
private struct ListName<Related: SyncUpdatableModel>: Hashable { let name: String }
