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

  /// Takes the row's index in the synced list, from 0, where the model has a `@Position`.
  ///
  /// - Returns: whether it had another.
  mutating func syncTakePlace(_ place: Int) -> Bool

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
  /// Does nothing: rows have no index. The compiler generates it for models with a `@Position`.
  public mutating func syncTakePlace(_ place: Int) -> Bool { false }

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
