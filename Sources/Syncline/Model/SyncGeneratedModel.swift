import GRDB

/// A model whose table was generated from a schema. Its conformances to GRDB's protocols, `Codable` and `Hashable` are derived
/// from the table.
///
/// As in GRDB, `Codable` encodes the columns: the keys are their names, and a ``Reference`` is encoded as its identity. A
/// `@Transient` property is omitted, and gets its default when decoded. So models can be parts of joined results, and can be
/// stored or passed on in any format. For the JSON of an API, use `SyncContainer.export`.
///
/// ```swift
/// struct IssueRow: Decodable, FetchableRecord {
///   var issue: Issue
///   var user: User?
///   var labels: [Label]
/// }
///
/// let request = Issue.including(optional: Issue.user).including(all: Issue.labels)
/// let rows = try request.asRequest(of: IssueRow.self).fetchAll(db)
/// ```
///
/// Models are equal when all their properties are. The hash uses only the identity.
public protocol SyncGeneratedModel: SyncUpdatableModel, Codable, Hashable {
  /// The name of the property at a key path; nil if it is not in the schema.
  @_spi(Generated)
  static func syncPropertyName(_ keyPath: PartialKeyPath<Self>) -> String?

  /// The key paths of the properties of ``SyncUpdatableModel/syncTable``, in its order.
  @_spi(Generated)
  static var syncPaths: [PartialKeyPath<Self>] { get }
}

extension SyncGeneratedModel {
  /// None, for a model that finds the names itself.
  @_spi(Generated)
  public static var syncPaths: [PartialKeyPath<Self>] { [] }

  /// The name of the property at a key path, from the table.
  @_spi(Generated)
  public static func syncPropertyName(_ keyPath: PartialKeyPath<Self>) -> String? {
    syncPaths.firstIndex(of: keyPath).map { syncTable.properties[$0].name }
  }

  /// The name of the table, which is the model's.
  public static var databaseTableName: String { syncTable.name }

  /// The descriptions of the model's relationships, from its table.
  public static var syncRelationshipSchemaDescriptors: [SyncRelationshipSchemaDescriptor] {
    syncTable.relationshipDescriptors
  }

  /// Reads a row that GRDB fetched. Columns are found by their names, once for all rows of a cursor.
  ///
  /// - Throws: ``SyncError/unreadableRow(model:reason:)`` when the column of a required property is missing, or a value does
  ///   not fit its property.
  @inlinable
  public init(row: Row) throws {
    self = try Self(columns: SyncColumnDecoder(row, Self.syncTable))
  }

  /// Passes the columns to GRDB, for its own insert and update methods.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` for a JSON value of more than 512 levels, and for an unsigned integer above
  ///   `Int64.max`, which SQLite cannot store.
  public func encode(to container: inout PersistenceContainer) throws {
    for (property, value) in zip(Self.syncTable.columns, try columnValues()) {
      container[property.name] = value
    }
  }

  /// The name of a relationship.
  public static func syncRelationshipName(_ keyPath: PartialKeyPath<Self>) -> String? {
    syncPropertyName(keyPath).flatMap { name in
      syncTable.properties.contains { $0.name == name && $0.isRelationship } ? name : nil
    }
  }
}
