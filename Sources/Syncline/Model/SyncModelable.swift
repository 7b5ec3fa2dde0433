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

/// A model that payloads create, update and link, and that can be exported again.
///
/// The compiler generates conformances; a model written by hand needs ``make(from:)`` and ``apply(_:)``, and
/// the table it names must exist before the container opens.
public protocol SyncUpdatableModel: SyncModelable {
  /// A new row with the values of a payload.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` when a required value is missing or unreadable.
  static func make(from payload: SyncPayload) throws -> Self

  /// Takes over the values that the payload has.
  ///
  /// - Returns: whether a value changed.
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` when a required value is unreadable.
  mutating func apply(_ payload: SyncPayload) throws -> Bool

  /// Links the row as the payload says, and syncs the rows nested in it.
  ///
  /// - Returns: whether a link changed.
  mutating func applyRelationships(
    _ payload: SyncPayload, in context: SyncContext, operations: SyncRelationshipOperations
  ) throws -> Bool

  /// The row as JSON that an API takes.
  func export(in context: SyncExportContext) throws -> SyncJSON

  /// The table and the properties it stores.
  static var syncTable: SyncTable { get }

  /// The name of the relationship at a key path.
  static func syncRelationshipName(_ keyPath: PartialKeyPath<Self>) -> String?

  /// Writes the stored properties in the order of ``syncTable``'s columns.
  func encodeColumns(to encoder: SyncColumnEncoder) throws

  /// A row from the columns of ``syncTable``.
  init(columns: SyncColumnDecoder) throws
}

extension SyncUpdatableModel {
  /// The name of the relationship at a key path. The compiler generates it.
  public static func syncRelationshipName(_ keyPath: PartialKeyPath<Self>) -> String? { nil }
}

/// A model whose identity is unique only among the rows of one parent.
public protocol ParentScopedModel: SyncUpdatableModel {
  /// `Reference<Parent>`, or an optional of it.
  associatedtype SyncParentReference
  /// The to-one relationship to the parent.
  static var parentRelationship: KeyPath<Self, SyncParentReference> { get }
}

/// Which relationship work a sync does.
public struct SyncRelationshipOperations: OptionSet, Sendable, Hashable {
  public let rawValue: Int

  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Create nested rows, and link the rows that are created.
  public static let insert = SyncRelationshipOperations(rawValue: 1)
  /// Change nested rows, and set links.
  public static let update = SyncRelationshipOperations(rawValue: 2)
  /// Clear links, and remove members.
  public static let delete = SyncRelationshipOperations(rawValue: 4)
  public static let all: SyncRelationshipOperations = [.insert, .update, .delete]
}

/// What happens to rows of the slice that a payload does not name.
public enum DeletionPolicy: String, Sendable, Codable, CaseIterable {
  /// They stay.
  case none
  /// They are deleted.
  case hardDeleteMissing
  /// They are marked with the time they went missing. For models with `@SoftDelete`.
  case softDeleteMissing
}
