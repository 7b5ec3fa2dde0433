import GRDB

/// The models of a target. The compiler generates it as `<Target>Schema`.
public protocol SyncSchema {
  static var models: [any SyncUpdatableModel.Type] { get }
}

/// A model whose rows have an identity.
public protocol SyncModelable: Sendable, FetchableRecord, PersistableRecord {
  /// The identity's type: an integer, `String` or `UUID`.
  associatedtype SyncID: SyncIdentityValue

  /// The property that holds the identity.
  static var syncIdentity: KeyPath<Self, SyncID> { get }

  /// The JSON keys of the identity in place of the ones its name gives; empty where the name decides.
  static var syncIdentityRemoteKeys: [String] { get }

  /// The name of the identity's column, and of the property that its keys follow from: `id` unless a model written
  /// by hand says otherwise.
  static var syncIdentityColumn: String { get }

  /// The models whose changes refresh a query of this one by default: those it has relationships to.
  static var syncDefaultRefreshModelTypes: [any SyncModelable.Type] { get }

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
  public let name: String
  public let relatedType: any SyncModelable.Type
  public let isToMany: Bool
  public let hasExplicitInverse: Bool
}
