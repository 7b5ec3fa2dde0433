import GRDB

/// A model whose table the compiler described. Its conformances to GRDB's protocols, `Codable` and `Hashable` follow from
/// the table.
///
/// As GRDB has it, `Codable` is of the columns: their names are the keys, a ``Reference`` is the identity, and what is
/// `@Transient` is left out and has its default again. So models can be parts of joined results, and can be kept or handed
/// on in any format. The JSON of an API is what `SyncContainer.export` gives.
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
/// Two models are equal when all their properties are; a model's hash is its identity's.
public protocol SyncGeneratedModel: SyncUpdatableModel, Codable, Hashable {
  /// The name of the property of a key path; nil for what the schema does not have.
  static func syncPropertyName(_ keyPath: PartialKeyPath<Self>) -> String?
}

extension SyncGeneratedModel {
  /// The name of the table, which is the model's.
  public static var databaseTableName: String { syncTable.name }

  /// What the model's relationships are, from its table.
  public static var syncRelationshipSchemaDescriptors: [SyncRelationshipSchemaDescriptor] {
    syncTable.relationshipDescriptors
  }

  /// A row that GRDB has fetched. Columns are found by their names, once for all rows of a cursor.
  ///
  /// - Throws: ``SyncError/unreadableRow(model:reason:)`` when the column of a required property is missing, or one holds
  ///   what its property cannot.
  @inlinable
  public init(row: Row) throws {
    self = try Self(columns: SyncColumnDecoder(row, Self.syncTable))
  }

  /// Gives GRDB the columns, for its own ways to insert and update.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` for a JSON value of more than 512 levels.
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
