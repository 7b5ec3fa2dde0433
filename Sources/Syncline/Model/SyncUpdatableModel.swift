/// A model whose rows a container can create, update and link from payloads, and export.
///
/// The compiler generates the conformance for the models of a schema. A handwritten model (<doc:HandwrittenModels>) names its
/// table, which must exist before the container opens:
///
/// ```swift
/// struct Station: Codable, SyncUpdatableModel {
///   var id: String, name: String
///   static let databaseTableName = "station"
///   static var syncIdentity: KeyPath<Station, String> { \.id }
///   static func make(from payload: SyncPayload) throws -> Station {
///     Station(id: try payload.required(String.self, for: "id"), name: try payload.required(String.self, for: "name"))
///   }
///   mutating func apply(_ payload: SyncPayload) throws -> Bool { try payload.update(&name, for: "name") }
///   func export(in context: SyncExportContext) throws -> SyncJSON { ["id": .string(id), "name": .string(name)] }
/// }
/// ```
///
/// ## Topics
///
/// ### Reading payloads
///
/// - ``SyncUpdatableModel/make(from:)``
/// - ``SyncUpdatableModel/apply(_:)``
///
/// ### Writing exports
///
/// - ``SyncUpdatableModel/export(in:)``
///
/// ### Fetching by a relationship
///
/// - ``SyncUpdatableModel/related(_:to:)``
public protocol SyncUpdatableModel: SyncModelable {
  /// Creates a new row from the values of a payload.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` when a required value is missing or unreadable.
  static func make(from payload: SyncPayload) throws -> Self

  /// Updates the row with the values that the payload has.
  ///
  /// - Returns: whether a value changed.
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` when a required value is unreadable.
  mutating func apply(_ payload: SyncPayload) throws -> Bool

  /// Links the row as the payload specifies, and syncs the rows nested in it.
  ///
  /// - Returns: whether a link changed.
  mutating func applyRelationships(
    _ payload: SyncPayload, in context: SyncContext, operations: SyncRelationshipOperations
  ) throws -> Bool

  /// Sets the row's index in the synced list, from 0, if the model has a `@Position`.
  ///
  /// - Returns: whether the index changed.
  mutating func syncTakePlace(_ place: Int) -> Bool

  /// Returns the row as JSON for an API.
  ///
  /// - Throws: any error, to stop the export. Generated models throw the errors of a ``SyncTransform``, and the database's.
  func export(in context: SyncExportContext) throws -> SyncJSON

  /// The table, and the properties that it stores.
  static var syncTable: SyncTable { get }

  /// The name of the relationship at a key path.
  static func syncRelationshipName(_ keyPath: PartialKeyPath<Self>) -> String?

  /// Writes the stored properties in the order of ``syncTable``'s columns.
  func encodeColumns(to encoder: SyncColumnEncoder) throws

  /// Creates a row from the columns of ``syncTable``.
  init(columns: SyncColumnDecoder) throws
}

extension SyncUpdatableModel {
  /// Does nothing, because rows have no index. The compiler generates an implementation for models with a `@Position`.
  public mutating func syncTakePlace(_ place: Int) -> Bool { false }

  /// The name of the relationship at a key path. The compiler generates it.
  public static func syncRelationshipName(_ keyPath: PartialKeyPath<Self>) -> String? { nil }
}

/// A model whose identity is unique only among the rows of one parent.
public protocol ParentScopedModel: SyncUpdatableModel {
  /// `Reference<Parent>`, or an optional one.
  associatedtype SyncParentReference
  /// The to-one relationship to the parent.
  static var parentRelationship: KeyPath<Self, SyncParentReference> { get }
}
