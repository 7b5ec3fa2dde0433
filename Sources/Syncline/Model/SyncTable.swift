import SynclineNaming

/// The table of a model: its properties in the order of their ``SyncKey``s, the stored ones first.
public final class SyncTable: Sendable {
  /// The name of the table and of its model.
  public let name: String
  /// The name as SQL writes it.
  let quotedName: String
  let properties: [SyncProperty]
  /// How many of the properties are columns.
  let columnCount: Int
  let identity: Int
  let identityKind: SyncIdentityKind
  /// The properties that identify a row together; empty where one does.
  let identityParts: [Int]
  /// How identities are read from payloads.
  let identityReader: IdentityReader
  /// The to-one relationship within which the identity is unique.
  let parentScope: Int?
  let updatedAt: Int?
  let softDelete: Int?
  /// The property with the index of a row in the synced list.
  let place: Int?
  let indexes: [[SyncIndexTerm]]
  /// The names that the model had before.
  let renamedFrom: [String]
  /// What JSON calls the type of the rows; nil for the model's name, in one way or another.
  let typeName: String?
  /// The positions of the properties in the order they are exported in.
  let exportOrder: [Int]
  /// The columns of a statement that reads them in order.
  let ownColumns: ColumnMap
  /// The names of the columns as GRDB looks them up: in small letters.
  let columnKeys: [String]
  /// The columns in order, as SQL lists them.
  let columnList: String
  /// Reads the row of an identity.
  let fetchSQL: String
  /// Whether a to-one relationship is required.
  let hasRequiredLinks: Bool
  /// Whether a to-one relationship is required, or no two rows may share its row.
  let needsLinkChecks: Bool
  /// How rows are compared with payloads: all properties but the identity.
  let comparedProperties: [ComparedProperty]
  /// Whether any property has a date format of its own.
  let hasFormats: Bool
  /// Whether no property is a relationship.
  let isFlat: Bool
  /// The columns, except the identity, that a new row takes from its payload.
  let required: [Int]
  /// Whether the table is described by a schema, and so created and read by column.
  let isGenerated: Bool
  /// The name that SQLite has for a row's number; a property may have taken the others.
  let rowNumberColumn: String
  /// The number of each relationship among those of the model, by position.
  let ordinals: [Int]
  /// Selects, for each relationship of a union, its own objects.
  let unionGates: [Int: UnionGate]
  /// The properties that hold the types of rows which the schema does not know.
  let unionTypes: [Int: UnionType]
  private let keyTables: (snake: KeyTable, camel: KeyTable)
  private let keysBesideLinks: (snake: KeysBesideLinks, camel: KeysBesideLinks)

  /// The table of a generated model.
  ///
  /// - Parameters:
  ///   - name: the name of the model and of its table.
  ///   - identity: the property that distinguishes rows.
  ///   - identityType: its type.
  ///   - identityParts: the properties that identify a row together, of which the identity is made.
  ///   - parentScope: the to-one relationship within which the identity is unique.
  ///   - updatedAt: the date that decides which of two rows is newer.
  ///   - softDelete: the date that marks a row as deleted.
  ///   - indexes: the columns of each index.
  ///   - valueIndexes: what each index is of that leads into a value.
  ///   - exportOrder: the properties in the order they are exported in; that of the list where it is nil.
  ///   - renamedFrom: the names that the model had before: a store that has one of them is evolved.
  ///   - typeName: what JSON calls the type of the rows.
  ///   - properties: all properties by their ``SyncKey``s, the stored ones first.
  public init<ID: SyncIdentityValue>(
    _ name: String, identity: SyncKey, _ identityType: ID.Type, identityParts: [SyncKey] = [],
    parentScope: SyncKey? = nil, updatedAt: SyncKey? = nil, softDelete: SyncKey? = nil,
    indexes: [[SyncKey]] = [], valueIndexes: [[SyncIndexTerm]] = [], exportOrder: [SyncKey]? = nil,
    renamedFrom: [String] = [], typeName: String? = nil, properties: [SyncProperty]
  ) {
    self.name = name
    quotedName = name.quotedIdentifier
    self.properties = properties
    columnCount = properties.prefix { $0.isStored }.count
    self.identity = identity.position
    identityKind = ID.syncIdentityKind
    self.identityParts = identityParts.map(\.position)
    identityReader = IdentityReader(kind: identityKind, patterns: properties[identity.position].keyPatterns)
    self.parentScope = parentScope?.position
    self.updatedAt = updatedAt?.position
    self.softDelete = softDelete?.position
    place = properties.firstIndex(where: \.isPlace)
    self.indexes = indexes.map { $0.map { $0.member([]) } } + valueIndexes
    self.renamedFrom = renamedFrom
    self.typeName = typeName
    self.exportOrder = exportOrder?.map(\.position) ?? Array(properties.indices)
    isGenerated = true
    let columns = properties.filter(\.isStored)
    ownColumns = ColumnMap(
      columns.indices.map(Int32.init(truncatingIfNeeded:)), of: name, columns.map(\.name))
    columnKeys = columns.map { $0.name.lowercased() }
    columnList = SyncTable.list(columns)
    fetchSQL =
      "SELECT \(columnList) FROM \(quotedName) WHERE \(properties[identity.position].quotedName) = ?"
    hasRequiredLinks = columns.contains { $0.isRelationship && !$0.isOptional }
    needsLinkChecks = columns.contains { $0.isRelationship && (!$0.isOptional || $0.isUnique) }
    comparedProperties = properties.enumerated().filter { $0.offset != identity.position }
      .map { ComparedProperty($0.element, at: $0.offset) }
    hasFormats = properties.contains { $0.format != nil }
    isFlat = !properties.contains(where: \.isRelationship)
    ordinals = SyncTable.ordinals(of: properties)
    required = columns.indices.filter {
      $0 != identity.position && !properties[$0].isOptional && !properties[$0].hasDefault
    }
    rowNumberColumn = SyncTable.rowNumberColumn(besides: columns.map(\.name)) ?? "rowid"
    unionGates = UnionGate.all(of: properties)
    unionTypes = UnionType.all(of: properties, unionGates)
    let gated = Set(unionGates.keys).union(unionTypes.keys)
    keyTables = SyncTable.inStyles { style in
      KeyTable(properties.map { $0.keys(in: style) }, gated: gated)
    }
    keysBesideLinks = SyncTable.inStyles { KeysBesideLinks(properties, identity: identity.position, $0) }
  }

  /// The table of a model written by hand: only its identity is known.
  init<Model: SyncUpdatableModel>(handwritten model: Model.Type) {
    name = Model.databaseTableName
    quotedName = name.quotedIdentifier
    let remoteKeys = Model.syncIdentityRemoteKeys
    func keys(_ style: KeyStyle) -> [String] {
      remoteKeys.isEmpty ? KeyCandidates.identity(Model.syncIdentityColumn, style: style) : remoteKeys
    }
    properties = [
      .scalar(Model.syncIdentityColumn, Model.SyncID.self, snake: keys(.snakeCase), camel: keys(.camelCase))
    ]
    columnCount = 1
    identity = 0
    identityKind = Model.SyncID.syncIdentityKind
    identityParts = []
    identityReader = IdentityReader(kind: identityKind, patterns: [])
    (parentScope, updatedAt, softDelete, indexes, renamedFrom, exportOrder) = (nil, nil, nil, [], [], [0])
    (typeName, place) = (nil, nil)
    isGenerated = false
    ownColumns = ColumnMap([0], of: name, properties.map(\.name))
    columnKeys = properties.map { $0.name.lowercased() }
    columnList = SyncTable.list(properties)
    fetchSQL = ""
    (hasRequiredLinks, needsLinkChecks) = (false, false)
    comparedProperties = []
    hasFormats = false
    isFlat = true
    ordinals = [0]
    required = []
    rowNumberColumn = "rowid"
    (unionGates, unionTypes) = ([:], [:])
    keyTables = (KeyTable(properties.map(\.snakeKeys)), KeyTable(properties.map(\.camelKeys)))
    let noKeys = KeysBesideLinks(properties, identity: 0, .snakeCase)
    keysBesideLinks = (noKeys, noKeys)
  }

  /// The name that SQLite has for a row's number where there are columns of these names; nil where they take them all.
  static func rowNumberColumn(besides columns: [String]) -> String? {
    let taken = Set(columns.map { $0.lowercased() })
    return ["rowid", "_rowid_", "oid"].first { !taken.contains($0) }
  }

  private static func inStyles<Value>(_ make: (KeyStyle) -> Value) -> (snake: Value, camel: Value) {
    (make(.snakeCase), make(.camelCase))
  }

  private static func ordinals(of properties: [SyncProperty]) -> [Int] {
    var relationships = 0
    return properties.map { property in
      defer { if property.isRelationship { relationships += 1 } }
      return relationships
    }
  }

  private static func list(_ columns: [SyncProperty]) -> String {
    columns.map(\.quotedName).joined(separator: ", ")
  }

  func keyTable(_ style: KeyStyle) -> KeyTable {
    style == .snakeCase ? keyTables.snake : keyTables.camel
  }

  func keysBesideLinks(_ style: KeyStyle) -> KeysBesideLinks {
    style == .snakeCase ? keysBesideLinks.snake : keysBesideLinks.camel
  }

  var columns: ArraySlice<SyncProperty> { properties[..<columnCount] }
  var identityProperty: SyncProperty { properties[identity] }
  /// Whether several properties identify a row together.
  var isComposite: Bool { !identityParts.isEmpty }

  /// Whether rows are scanned in the order of their identities: integers are the numbers of their rows, and of a
  /// table that was made by hand nothing else is known.
  var isOrderedByIdentity: Bool {
    guard isGenerated else { return true }
    if case .integer = identityKind { return parentScope == nil } else { return false }
  }

  func position(of name: String) -> Int? {
    properties.firstIndex { $0.name == name }
  }

  /// The schema descriptors of the relationships.
  public var relationshipDescriptors: [SyncRelationshipSchemaDescriptor] {
    properties.compactMap { property in
      property.related.map {
        SyncRelationshipSchemaDescriptor(
          name: property.name, relatedType: $0, isToMany: property.isToMany,
          hasExplicitInverse: property.hasExplicitInverse)
      }
    }
  }
}
