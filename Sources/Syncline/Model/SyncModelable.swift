import GRDB

/// The models of a target. The compiler generates it as `<Target>Schema`.
public protocol SyncSchema {
  /// All models of the target, and those of other targets that they relate to.
  static var models: [any SyncUpdatableModel.Type] { get }
}

/// A model whose rows have an identity.
public protocol SyncModelable: Sendable, FetchableRecord, PersistableRecord {
  /// The identity's type: an integer, `String` or `UUID`.
  associatedtype SyncID: SyncIdentityValue

  /// The property that holds the identity.
  static var syncIdentity: KeyPath<Self, SyncID> { get }

  /// The JSON keys of the identity; empty to derive them from its name.
  static var syncIdentityRemoteKeys: [String] { get }

  /// The name of the identity's column, and of the property that its keys follow from: `id` unless a model written
  /// by hand says otherwise.
  static var syncIdentityColumn: String { get }

  /// The models whose changes refresh a query of this one by default: those it has relationships to.
  static var syncDefaultRefreshModelTypes: [any SyncModelable.Type] { get }

  /// What the model's relationships are, in the order of the schema.
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

/// What a relationship is, for tools that look at a schema.
public struct SyncRelationshipSchemaDescriptor: Sendable {
  /// The property's name.
  public let name: String
  /// The model that the relationship leads to.
  public let relatedType: any SyncModelable.Type
  /// Whether it leads to a list of rows, and not to one at most.
  public let isToMany: Bool
  /// Whether the schema names the other end: `@Relationship(inverse:)`.
  public let hasExplicitInverse: Bool
}
