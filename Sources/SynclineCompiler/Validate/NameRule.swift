import SynclineNaming

/// Reports names that the generated Swift or SQLite cannot use.
package enum NameRule: ValidationRule {
  /// Words that Swift reserves even in backticks, and names that the schema language forbids.
  static let forbidden: Set<String> = ["self", "Self", "Type", "Protocol", "init", "_"]
  /// Names in generated code: modules, nested types, and types without a module qualifier.
  static let modelNames: Set<String> = [
    "Swift", "Foundation", "GRDB", "Syncline", "Columns", "SyncID", "ID", "Any", "AnyObject", "Never",
    "Optional", "Array",
  ]
  /// The names that generated structs and their columns already use.
  private static let memberNames: Set<String> = [
    "syncMembers", "syncDatabaseValue", "databaseValue", "sqlExpression", "syncColumn", "syncSteps",
    "CodingKeys",
  ]
  /// Whether a name refers to another type inside a model. Generated code qualifies schema types with the module there, which is
  /// impossible if the schema declares a type with the module's name.
  private static func isHidden(_ name: String, in schema: Schema) -> Bool {
    TypeNames.ofProtocols.contains(name) && schema.declares(schema.target)
  }

  private static let caseNames: Set<String> = ["unrecognized", "rawValue", "hashValue", "databaseValue"]

  /// Whether generated code can use the name of a case.
  package static func isUsable(case name: String) -> Bool {
    !forbidden.contains(name) && !caseNames.contains(name)
  }

  /// Whether generated code can use the name for a case of a union.
  package static func isUsable(unionCase name: String) -> Bool {
    isUsable(case: name) && !unionNames.contains(name)
  }

  /// Names that generated unions already use, in addition to those of enums.
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
        .unusableName, "a table “\(model.name)” would shadow SQLite's function of that name", at: model.range)
    }
  }

  private static func checkProperties(_ schema: Schema, _ bag: inout DiagnosticBag) {
    let typeNames = Set(
      schema.typesWithProperties.map(\.name) + schema.enums.map(\.name) + schema.unions.map(\.name)
        + schema.imports)
    // Fast path: most property names begin with a character that no type name begins with.
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
          .unusableName, "every SQLite table already has a column “\(property.name)”", at: property.range)
      }
    }
    for type in schema.typesWithProperties {
      for property in type.properties { check(property, isColumn: !type.isStruct) }
    }
    // A property of a union has an additional public name.
    for model in schema.models where model.hasUnions {
      for property in model.properties {
        guard let part = property.unionPart else { continue }
        let named = property.copy()
        named.name = part.property
        check(named, isColumn: true)
        PropertyNameRule.check(named, &bag)
      }
    }
  }

  private static func checkCases(_ schema: Schema, _ bag: inout DiagnosticBag) {
    for union in schema.unions {
      // A struct's value is stored under the name of its case. An unrecognized value is stored as received, including its key.
      let key = union.key.value.prefix { $0 != "." }
      for entry in union.cases
      where !isUsable(unionCase: entry.name) || (union.isOfValues && entry.name == key) {
        bag.error(.unusableName, "generated code cannot use the case “\(entry.name)”", at: entry.range)
      }
    }
    for entry in schema.enums.flatMap(\.cases) where !isUsable(case: entry.name) {
      bag.error(.unusableName, "generated code cannot use the case “\(entry.name)”", at: entry.range)
    }
  }
}

/// Reports property names that the generated Swift or SQLite cannot use.
enum PropertyNameRule: ModelRule {
  private static let names: Set<String> = [
    "Swift", "Foundation", "GRDB", "Syncline", "Columns", "SyncID", "ID",
  ]
  /// Names that generated code declares in addition to the associations of relationships.
  private static let associationNames = TypeNames.ofProtocols.union([
    "syncTable", "syncIdentity", "syncIdentityRemoteKeys", "parentRelationship", "belongsTo", "hasMany",
    "hasOne", "syncBelongsTo", "syncHasOne", "syncHasMany", "request", "membership", "syncPropertyName",
    "syncPaths",
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
    bag.error(
      .unusableName, "generated code cannot use the name “\(property.name)”", at: property.range,
      fixIts: fixIts(property))
  }

  /// A fix-it that renames a relationship and states its previous keys.
  private static func fixIts(_ property: Property) -> [Diagnostic.FixIt] {
    guard property.isRelationship, associationNames.contains(property.name) else { return [] }
    let key = Names.snake(property.name)
    return SwiftPropertyNameRule.fixIts(
      property, property.name + (property.isToMany ? "Rows" : "Row"),
      keys: [key, key + (property.isToMany ? "_ids" : "_id")])
  }
}
