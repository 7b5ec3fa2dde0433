import GRDB

/// The models of a target. The compiler generates it as `<Target>Schema`.
public protocol SyncSchema {
  /// All models of the target, and the models of other targets that they are related to.
  static var models: [any SyncUpdatableModel.Type] { get }
}

/// A model whose rows have an identity.
public protocol SyncModelable: Sendable, FetchableRecord, PersistableRecord {
  /// The identity's type: an integer, `String`, `UUID`, or a generated struct for a composite primary key.
  associatedtype SyncID: SyncIdentityValue

  /// The property that holds the identity.
  static var syncIdentity: KeyPath<Self, SyncID> { get }

  /// The JSON keys of the identity; empty to derive them from its name.
  static var syncIdentityRemoteKeys: [String] { get }

  /// The name of the identity's column, from which its JSON keys are derived: `id`, unless a handwritten model overrides it.
  static var syncIdentityColumn: String { get }

  /// The models to which this model has relationships. An observed query is not refreshed when they change; to
  /// refresh it, pass them as `refreshOn:`.
  static var syncDefaultRefreshModelTypes: [any SyncModelable.Type] { get }

  /// The descriptions of the model's relationships, in the order of the schema.
  static var syncRelationshipSchemaDescriptors: [SyncRelationshipSchemaDescriptor] { get }
}

extension SyncModelable {
  public static var syncIdentityRemoteKeys: [String] { [] }
  public static var syncIdentityColumn: String { "id" }
  public static var syncDefaultRefreshModelTypes: [any SyncModelable.Type] {
    syncRelationshipSchemaDescriptors.map(\.relatedType)
  }
  public static var syncRelationshipSchemaDescriptors: [SyncRelationshipSchemaDescriptor] { [] }
}

/// The description of a relationship, for tools that inspect a schema.
public struct SyncRelationshipSchemaDescriptor: Sendable {
  /// The property's name.
  public let name: String
  /// The related model.
  public let relatedType: any SyncModelable.Type
  /// Whether the relationship is to-many.
  public let isToMany: Bool
  /// Whether the schema names the other end: `@Relationship(inverse:)`.
  public let hasExplicitInverse: Bool
}
