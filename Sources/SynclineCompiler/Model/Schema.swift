/// The resolved schema of a target: what Emit writes, and nothing else.
struct Schema: Sendable {
  enum Access: String, Sendable, CaseIterable {
    case `public`, package, `internal`
  }

  let target: String
  let access: Access
  let imports: [String]
  /// The targets that declare the models and enums of imports.
  let importedModules: [String: String]
  let models: [Model]
  let enums: [Enumeration]
  /// Where each model and enum is: a large schema asks for them once for each relationship.
  private let modelPositions: [String: Int]
  private let enumPositions: [String: Int]

  init(
    target: String, access: Access, imports: [String], importedModules: [String: String], models: [Model],
    enums: [Enumeration]
  ) {
    self.target = target
    self.access = access
    self.imports = imports
    self.importedModules = importedModules
    self.models = models
    self.enums = enums
    modelPositions = Schema.positions(of: models.map(\.name))
    enumPositions = Schema.positions(of: enums.map(\.name))
  }

  /// The first of each name.
  private static func positions(of names: [String]) -> [String: Int] {
    Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first })
  }

  func declaresModel(_ name: String) -> Bool { modelPositions[name] != nil }

  func model(_ name: String) -> Model? { modelPositions[name].map { models[$0] } }

  func enumeration(_ name: String) -> Enumeration? { enumPositions[name].map { enums[$0] } }
}

/// An enum of a schema.
struct Enumeration: Sendable {
  struct Case: Sendable {
    let name: String
    let documentation: [String]
    let rawValue: DefaultValue
    let range: SourceRange
  }

  enum RawType: String, Sendable {
    case string = "String"
    case int = "Int"
  }

  let name: String
  /// The target that declares it, if it is imported.
  let module: String?
  let documentation: [String]
  let rawType: RawType
  let cases: [Case]
  let range: SourceRange
}

/// A model of a schema.
struct Model: Sendable {
  let name: String
  /// The target that declares it, if it is imported.
  let module: String?
  let documentation: [String]
  let range: SourceRange
  /// Where its last brace is, and the next property would stand.
  let end: SourceRange
  let attributes: [Attribute]
  var properties: [Property]
  /// The positions of the properties that attributes of the model name.
  var identity: Int?
  var parentScope: Int?
  var updatedAt: Int?
  var softDelete: Int?
  var indexes: [[Int]] = []

  /// The properties in the order of their keys: those with a column first.
  var keyed: [Property] {
    properties.filter(\.isStored) + properties.filter { !$0.isStored && $0.isKeyed }
  }

  func property(_ name: String) -> Property? {
    properties.first { $0.name == name }
  }

  var identityProperty: Property? { identity.map { properties[$0] } }
}

/// A property of a model.
struct Property: Sendable {
  enum PropertyType: Sendable, Hashable {
    case scalar(ScalarType)
    case enumeration(String)
    case list(ScalarType)
    case enumerationList(String)
    case toOne(String)
    case toMany(String)
    /// The type was refused.
    case invalid
  }

  enum Export: Sendable {
    case objects, identities, never
  }

  let name: String
  let documentation: [String]
  let type: PropertyType
  let isOptional: Bool
  let range: SourceRange
  /// Where its `var` or name begins: an attribute may be written here.
  let declaration: Int
  let typeRange: SourceRange
  let typeText: String
  let attributes: [Attribute]
  var defaultValue: DefaultValue?
  let defaultRange: SourceRange?
  var relationship: Relationship?
  var snakeKeys: [String] = []
  var camelKeys: [String] = []

  var isTransient: Bool { attribute(.transient) != nil }
  var isRelationship: Bool {
    switch type {
    case .toOne, .toMany: true
    default: false
    }
  }
  var isToMany: Bool { if case .toMany = type { true } else { false } }

  /// The model that a relationship leads to.
  var target: String? {
    switch type {
    case .toOne(let name), .toMany(let name): name
    default: nil
    }
  }

  /// Whether the property has a column.
  var isStored: Bool {
    if isTransient { return false }
    guard isRelationship else { return true }
    if case .column = relationship?.storage { return true }
    return false
  }

  /// Whether the property has a key: all but what lives in memory only, and what could not be related.
  var isKeyed: Bool { isStored || (!isTransient && relationship != nil) }

  func attribute(_ kind: AttributeKind) -> Attribute? {
    // Most have none, and this is asked often.
    attributes.isEmpty ? nil : attributes.first { $0.kind == kind }
  }

  /// The key that an attribute names: `@PrimaryKey(remote:)` or `@RemoteKey`.
  var explicitKey: String? {
    attribute(.primaryKey)?.text("remote") ?? attribute(.remoteKey)?.text(nil)
  }

  var export: Export {
    if attribute(.notExport) != nil { return .never }
    return attribute(.export)?.member(nil) == "identities" ? .identities : .objects
  }

  var dateFormat: String? { attribute(.dateFormat)?.text(nil) }
}

/// Where a relationship is stored, and what stands at its other end.
struct Relationship: Sendable {
  enum Storage: Sendable, Hashable {
    /// In a column of the model itself.
    case column(isUnique: Bool)
    /// In the to-one of the other model.
    case inverse(String)
    case link(table: String, isSource: Bool)
  }

  enum DeleteRule: String, Sendable, CaseIterable {
    case nullify, cascade, deny
  }

  /// What a complete list does to the rows that it no longer has.
  enum MissingRule: String, Sendable, CaseIterable {
    case delete, softDelete, keep
  }

  var storage: Storage
  /// The property at the other end.
  var inverse: String?
  var hasExplicitInverse = false
  var deleteRule: DeleteRule?
  var missing: MissingRule?
}
