import SynclineNaming

/// The table of a model: its properties in the order of their keys, the stored ones first.
public final class SyncTable: Sendable {
  /// The name of the table and of its model.
  public let name: String
  let quotedName: String
  let properties: [SyncProperty]
  /// The number of properties that are columns.
  let columnCount: Int
  let identity: Int
  let identityKind: SyncIdentityKind
  /// Whether the identity is composed of other properties: of several, of the owner alone, or of none for `@Singleton`.
  let isComposite: Bool
  /// The properties of which the identity is composed; empty if a single property is the identity, or if there is only one row.
  let identityParts: [Int]
  let identityReader: IdentityReader
  /// The to-one relationship within which the identity is unique.
  let parentScope: Int?
  let updatedAt: Int?
  let softDelete: Int?
  /// The property that holds the index of a row in the synced list.
  let place: Int?
  let indexes: [[SyncIndexTerm]]
  let renamedFrom: [String]
  /// The type of the rows in JSON; nil if it is the model's name in some form.
  let typeName: String?
  /// The path of the object with all properties that do not identify a row; nil if it is the row's own object. The keys of
  /// these properties include it.
  let below: String?
  /// The number of places that are read from rows that are lists in JSON; 0 if rows are objects.
  let rowPlaces: Int
  /// Whether local edits of the rows are kept for a push.
  let isOffline: Bool
  /// Whether the server creates the identities of new rows. Until then, new rows have temporary identities, which are not sent.
  let isIdentityMadeByServer: Bool
  /// The marks for deleted rows of payloads. Their keys follow those of the properties in the key tables.
  let deletionMarks: [SyncDeletionMark]
  /// Whether a lone object is read as a list of one row.
  let isOneOrMany: Bool
  let exportOrder: [Int]
  /// The columns of a statement that selects them in order.
  let ownColumns: ColumnMap
  /// The lowercased names of the columns, as GRDB looks them up.
  let columnKeys: [String]
  /// The columns in order, as a list for SQL.
  let columnList: String
  /// Selects a row by its identity.
  let fetchSQL: String
  /// Whether an object is null if certain values are written for its identity.
  let hasNullIdentities: Bool
  /// Whether any to-one relationship is required.
  let hasRequiredLinks: Bool
  /// Whether any to-one relationship is required or unique.
  let needsLinkChecks: Bool
  /// The properties to compare with payloads: all but the identity.
  let comparedProperties: [ComparedProperty]
  /// Whether any property has its own date format.
  let hasFormats: Bool
  /// Whether objects of the payload are merged into values of a property: `@Merged`.
  let hasMergedValues: Bool
  /// Whether any list has an order that replaces the stored one: `@Ordered`, unless the list only adds.
  let hasOrders: Bool
  /// Whether the model has no relationships.
  let isFlat: Bool
  /// The columns, except the identity, that a new row must get from its payload.
  let required: [Int]
  /// Whether a schema describes the table, so the container creates it and reads it by column.
  let isGenerated: Bool
  /// A name of SQLite's row number that no property has taken.
  let rowNumberColumn: String
  /// The positions of the values that no two rows have.
  let uniqueValues: [Int]
  /// The number of each relationship among those of the model, by position.
  let ordinals: [Int]
  /// Selects the objects of each relationship that is a case of a union.
  let unionGates: [Int: UnionGate]
  /// The gates of the first cases, by the properties that hold types of rows that the schema does not know.
  let unionTypes: [Int: UnionGate]
  /// How the JSON keys of the target are spelled if the schema states none.
  let keyStyle: KeyStyle
  private let keyTables: StyledValues<KeyTable>
  private let keysSharedWithLinks: StyledValues<KeysSharedWithLinks>

  /// The table of a generated model. The properties of the same names describe most parameters.
  ///
  /// - Parameters:
  ///   - identityType: the type of the identity.
  ///   - indexes: the columns of each index.
  ///   - valueIndexes: the terms of each index that includes a value inside a property.
  ///   - exportOrder: nil for the order of `properties`.
  ///   - properties: all properties by their ``SyncKey``s, the stored ones first.
  @_spi(Generated)
  public init<ID: SyncIdentityValue>(
    _ name: String, identity: SyncKey, _ identityType: ID.Type, identityParts: [SyncKey] = [],
    parentScope: SyncKey? = nil, updatedAt: SyncKey? = nil, softDelete: SyncKey? = nil,
    indexes: [[SyncKey]] = [], valueIndexes: [[SyncIndexTerm]] = [], exportOrder: [SyncKey]? = nil,
    renamedFrom: [String] = [], typeName: String? = nil, below: String? = nil, isOffline: Bool = false,
    isIdentityMadeByServer: Bool = false, deletionMarks: [SyncDeletionMark] = [],
    isOneOrMany: Bool = false, keyStyle: KeyStyle = .snakeCase, isGenerated: Bool = true,
    properties: [SyncProperty]
  ) {
    let identifying = [identity.position] + identityParts.map(\.position)
    let isComposite = if isGenerated, case .composite = ID.syncIdentityKind { true } else { false }
    let properties = properties.enumerated().map { position, property in
      let isIdentity = position == identity.position
      if isIdentity, isComposite { return property.withoutKeys() }
      let isIdentifying = identifying.contains(position)
      return property.inTable(
        isIdentity: isIdentity, isPart: isComposite && isIdentifying, below: isIdentifying ? nil : below)
    }
    self.name = name
    quotedName = name.quotedIdentifier
    self.properties = properties
    columnCount = properties.prefix { $0.isStored }.count
    self.identity = identity.position
    identityKind = ID.syncIdentityKind
    self.isComposite = isComposite
    self.identityParts = identityParts.map(\.position)
    identityReader = IdentityReader(
      kind: identityKind, patterns: properties[identity.position].keyPatterns,
      nulls: properties[identity.position].nulls)
    hasNullIdentities =
      identityReader.nulls != nil || identityParts.contains { properties[$0.position].nulls != nil }
    self.parentScope = parentScope?.position
    self.updatedAt = updatedAt?.position
    self.softDelete = softDelete?.position
    place = properties.firstIndex(where: \.isPlace)
    self.indexes = indexes.map { $0.map { $0.member([]) } } + valueIndexes
    self.renamedFrom = renamedFrom
    self.typeName = typeName
    self.below = below
    rowPlaces = (properties.flatMap { $0.keys(in: .snakeCase) }.compactMap(RemotePath.place).max() ?? -1) + 1
    self.isOffline = isOffline
    self.isIdentityMadeByServer = isIdentityMadeByServer
    self.deletionMarks = deletionMarks
    self.isOneOrMany = isOneOrMany
    self.exportOrder = exportOrder?.map(\.position) ?? Array(properties.indices)
    self.isGenerated = isGenerated
    let columns = properties.filter(\.isStored)
    ownColumns = ColumnMap(
      columns.indices.map(Int32.init(truncatingIfNeeded:)), of: name, columns.map(\.name))
    columnKeys = columns.map { $0.name.lowercased() }
    columnList = columns.map(\.quotedName).joined(separator: ", ")
    fetchSQL =
      "SELECT \(columnList) FROM \(quotedName) WHERE \(properties[identity.position].quotedName) = ?"
    hasRequiredLinks = columns.contains { $0.isRelationship && !$0.isOptional }
    needsLinkChecks = columns.contains { $0.isRelationship && (!$0.isOptional || $0.isUnique) }
    comparedProperties = properties.enumerated().filter { $0.offset != identity.position }
      .map { ComparedProperty($0.element, at: $0.offset) }
    hasFormats = properties.contains { $0.format != nil }
    hasMergedValues = properties.contains(where: \.isMerged)
    let orderedLists = Set(properties.compactMap(\.orderedList))
    hasOrders = properties.contains { orderedLists.contains($0.name) && $0.missing != .keep }
    isFlat = !properties.contains(where: \.isRelationship)
    var relationships = 0
    ordinals = properties.map { property in
      defer { if property.isRelationship { relationships += 1 } }
      return relationships
    }
    uniqueValues = properties.indices.filter { properties[$0].hasUniqueValues }
    required = columns.indices.filter {
      $0 != identity.position && !properties[$0].isOptional && !properties[$0].hasDefault
        && !properties[$0].isPlace
    }
    rowNumberColumn = SyncTable.rowNumberColumn(besides: columns.map(\.name)) ?? "rowid"
    unionGates = UnionGate.all(of: properties)
    let types = unionGates.values.filter(\.union.isFirst).compactMap { gate in
      gate.typePosition.map { ($0, gate) }
    }
    unionTypes = Dictionary(types, uniquingKeysWith: { first, _ in first })
    let gated = Set(unionGates.keys).union(unionTypes.keys)
      .union(properties.indices.filter { properties[$0].createsUnknown })
    // The identity reader has the null words of the identity, so that looking up an identity stays fast.
    let nulls = properties.enumerated().map { $0.offset == identity.position ? nil : $0.element.nulls }
    let lists = Set(properties.indices.filter { properties[$0].isOfLists })
    let neverNil = Set(properties.indices.filter { !properties[$0].isOptional })
    self.keyStyle = keyStyle
    keyTables = StyledValues { style in
      KeyTable(
        properties.map { $0.keys(in: style) } + deletionMarks.map { $0.keys(in: style) }, gated: gated,
        nulls: nulls, oneOrMany: properties.map(\.oneOrMany), lists: lists, required: neverNil)
    }
    keysSharedWithLinks = StyledValues { KeysSharedWithLinks(properties, identity: identity.position, $0) }
  }

  /// The table of a handwritten model, of which only the identity is known.
  convenience init<Model: SyncUpdatableModel>(handwritten model: Model.Type) {
    let remoteKeys = Model.syncIdentityRemoteKeys
    func keys(_ style: KeyStyle) -> [String] {
      remoteKeys.isEmpty ? KeyCandidates.identity(Model.syncIdentityColumn, style: style) : remoteKeys
    }
    let identity = SyncProperty.scalar(
      Model.syncIdentityColumn, Model.SyncID.self, snake: keys(.snakeCase), camel: keys(.camelCase))
    self.init(
      Model.databaseTableName, identity: 0, Model.SyncID.self, isGenerated: false, properties: [identity])
  }

  /// A name of SQLite's row number that is not among the given columns; nil if all are taken.
  static func rowNumberColumn(besides columns: [String]) -> String? {
    let taken = Set(columns.map { $0.lowercased() })
    return ["rowid", "_rowid_", "oid"].first { !taken.contains($0) }
  }

  func keyTable(_ style: KeyStyle) -> KeyTable { keyTables[style] }

  func keysSharedWithLinks(_ style: KeyStyle) -> KeysSharedWithLinks { keysSharedWithLinks[style] }

  var columns: ArraySlice<SyncProperty> { properties[..<columnCount] }
  var identityProperty: SyncProperty { properties[identity] }
  /// The property that is the identity, or the parts of which it is composed.
  var identifyingProperties: [Int] { isComposite ? identityParts : [identity] }

  /// Whether rows are scanned in the order of their identities. Integer identities are row numbers; for a handwritten table
  /// this is the only known order.
  var isOrderedByIdentity: Bool {
    guard isGenerated else { return true }
    if case .integer = identityKind { return parentScope == nil } else { return false }
  }

  /// The column that holds the row numbers; nil if none does.
  var numberColumn: String? { isOrderedByIdentity ? identityProperty.name : nil }

  func position(of name: String) -> Int? {
    properties.firstIndex { $0.name == name }
  }

  /// The JSON values that are read as keys which are values of a property; nil for a property that cannot be a key.
  func keyKind(of name: String) -> SyncIdentityKind? {
    guard let position = position(of: name), case .scalar(let kind, _) = properties[position].kind else {
      return nil
    }
    return switch kind {
    case .integer(let range): .integer(range)
    case .text: .text
    case .uuid: .uuid
    default: nil
    }
  }

  /// The condition in SQL that a row is not marked as deleted, as the end of others; empty without `@SoftDelete`.
  var andIsNotDeleted: String {
    softDelete.map { " AND \(properties[$0].quotedName) IS NULL" } ?? ""
  }

  /// Whether a new row requires more than its identity, so that an object with only the identity is a foreign key.
  ///
  /// - Parameter given: the relationship to the row around the object, which the object need not have.
  func requiresMore(besides given: Int? = nil) -> Bool {
    required.contains { $0 != given && !identityParts.contains($0) }
  }

  /// Whether a new row requires more than its identity and its type in a union. Handwritten models may always require more.
  func requiresMore<Model>(than cases: SyncUnionCases<Model>, _ style: KeyStyle) -> Bool {
    guard isGenerated else { return true }
    let keys = keyTable(style)
    return required.contains { position in
      !identityParts.contains(position)
        && !keys.candidates[position].contains { $0.name >= 0 && keys.names[$0.name] == cases.firstKey }
    }
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
