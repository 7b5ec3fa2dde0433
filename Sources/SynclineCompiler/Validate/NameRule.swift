import SynclineNaming

/// Names that the generated Swift or SQLite cannot carry.
package enum NameRule: ValidationRule {
  /// Words that Swift reserves even in backticks, and what the language itself forbids.
  static let forbidden: Set<String> = ["self", "Self", "Type", "Protocol", "init", "_"]
  /// What generated code calls modules and its own nested types, and the types it names without a module.
  private static let modelNames: Set<String> = Set(
    [
      "Swift", "Foundation", "GRDB", "Syncline", "Columns", "SyncKeys", "SyncID", "ID", "Any", "AnyObject",
      "Never", "Optional", "Array",
    ])
  /// What structs and the columns that hold them have already.
  private static let memberNames: Set<String> = [
    "syncMembers", "syncDatabaseValue", "databaseValue", "sqlExpression", "syncColumn", "syncSteps",
  ]
  /// The names that mean a type inside of a model, where the compiler writes the module before a type of the schema:
  /// not where the schema declares something of the module's name.
  private static func isHidden(_ name: String, in schema: Schema) -> Bool {
    TypeNames.ofProtocols.contains(name)
      && schema.declares(schema.target)
  }

  private static let caseNames: Set<String> = ["unrecognized", "rawValue", "hashValue", "databaseValue"]

  /// Whether generated code can use the name of a case.
  package static func isUsable(case name: String) -> Bool {
    !forbidden.contains(name) && !caseNames.contains(name)
  }

  /// What unions have besides.
  private static let unionNames: Set<String> = [
    "id", "type", "Reference", "syncValue", "syncCases", "Swift", "Foundation", "GRDB", "Syncline",
  ]

  static func check(_ schema: Schema, _ bag: inout DiagnosticBag) {
    checkTypes(schema, &bag)
    checkProperties(schema, &bag)
    for member in schema.structs.flatMap(\.properties)
    where memberNames.contains(member.name) || member.name.hasPrefix("sync_") {
      bag.error(.unusableName, "generated code cannot use the name “\(member.name)”", at: member.range)
    }
    checkCases(schema, &bag)
  }

  private static func checkTypes(_ schema: Schema, _ bag: inout DiagnosticBag) {
    for (name, range) in schema.typesWithProperties.map({ ($0.name, $0.range) })
      + schema.enums.map({ ($0.name, $0.range) }) + schema.unions.map({ ($0.name, $0.range) })
    {
      if forbidden.contains(name) || modelNames.contains(name) || schema.imports.contains(name)
        || name == "\(schema.target)Schema" || isHidden(name, in: schema)
      {
        bag.error(.unusableName, "generated code cannot use the name “\(name)”", at: range)
      } else if let scalar = ScalarType(rawValue: name), !scalar.canBeShadowed {
        bag.error(.unusableName, "“\(name)” is a scalar type", at: range)
      } else if let prefix = ["sqlite_", "syncline_"].first(where: { name.lowercased().hasPrefix($0) }) {
        bag.error(.unusableName, "names that begin with “\(prefix)” are reserved", at: range)
      }
    }
    for model in schema.models where TableNames.isFunction(model.name) {
      bag.error(
        .unusableName, "a table “\(model.name)” would hide SQLite's function of that name", at: model.range)
    }
  }

  private static func checkProperties(_ schema: Schema, _ bag: inout DiagnosticBag) {
    let typeNames = Set(
      schema.typesWithProperties.map(\.name) + schema.enums.map(\.name) + schema.unions.map(\.name)
        + schema.imports)
    // Most properties begin as no type does.
    let initials = Set(typeNames.compactMap(\.utf8.first))
    func check(_ property: Property, isColumn: Bool) {
      if let initial = property.name.utf8.first, initials.contains(initial),
        typeNames.contains(property.name)
      {
        guard !PropertyNameRule.isTaken(property) else { return }
        bag.error(
          .unusableName, "a property cannot have the name of the type “\(property.name)”", at: property.range)
      } else if isColumn, property.name.utf8.count == 5, property.name.lowercased() == "rowid",
        property.isStored
      {
        bag.error(
          .unusableName, "SQLite gives every table a column “\(property.name)” of its own", at: property.range
        )
      }
    }
    for model in schema.models {
      for property in model.properties { check(property, isColumn: true) }
    }
    for structure in schema.structs {
      for property in structure.properties { check(property, isColumn: false) }
    }
    // The properties of a union have a name that the user reads, too.
    for property in schema.models.lazy.flatMap(\.properties) {
      guard let part = property.unionPart else { continue }
      let named = property.copy()
      named.name = part.property
      check(named, isColumn: true)
      PropertyNameRule.check(named, &bag)
    }
  }

  private static func checkCases(_ schema: Schema, _ bag: inout DiagnosticBag) {
    for union in schema.unions {
      // A value is stored under the name of its case; one of no case as it came, with the key.
      let key = union.key.value.prefix { $0 != "." }
      for entry in union.cases
      where !isUsable(case: entry.name) || unionNames.contains(entry.name)
        || (union.isOfValues && entry.name == key)
      {
        bag.error(.unusableName, "generated code cannot use the case “\(entry.name)”", at: entry.range)
      }
    }
    for entry in schema.enums.flatMap(\.cases) where !isUsable(case: entry.name) {
      bag.error(.unusableName, "generated code cannot use the case “\(entry.name)”", at: entry.range)
    }
  }
}

/// Names of properties that the generated Swift or SQLite cannot carry.
enum PropertyNameRule: ModelRule {
  private static let names: Set<String> = [
    "Swift", "Foundation", "GRDB", "Syncline", "Columns", "SyncKeys", "SyncID", "ID",
  ]
  /// What generated code declares beside the associations of relationships.
  private static let associationNames = TypeNames.ofProtocols.union([
    "syncTable", "syncIdentity", "syncIdentityRemoteKeys", "parentRelationship", "belongsTo", "hasMany",
    "hasOne", "syncLinks", "request", "membership", "syncPropertyName",
  ])

  static func check(_ model: Model, _ bag: inout DiagnosticBag) {
    for property in model.properties { check(property, &bag) }
  }

  static func isTaken(_ property: Property) -> Bool {
    NameRule.forbidden.contains(property.name) || names.contains(property.name)
      || (property.isRelationship && associationNames.contains(property.name))
  }

  static func check(_ property: Property, _ bag: inout DiagnosticBag) {
    guard isTaken(property) else { return }
    bag.error(.unusableName, "generated code cannot use the name “\(property.name)”", at: property.range)
  }
}
