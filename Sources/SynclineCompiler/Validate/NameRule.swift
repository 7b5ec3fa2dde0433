/// Names that the generated Swift or SQLite cannot carry.
enum NameRule: ValidationRule {
  /// Words that Swift reserves even in backticks, and what the language itself forbids.
  private static let forbidden: Set<String> = ["self", "Self", "Type", "Protocol", "init", "_"]
  /// What generated code calls modules and its own nested types, and the types it names without a module.
  private static let modelNames: Set<String> = Set(
    [
      "Swift", "Foundation", "GRDB", "Syncline", "Columns", "SyncKeys", "SyncID", "ID", "Any", "AnyObject",
      "Never", "Optional", "Array",
    ])
  private static let propertyNames: Set<String> = [
    "Swift", "Foundation", "GRDB", "Syncline", "Columns", "SyncKeys", "SyncID", "ID",
  ]
  /// What generated code declares beside the associations of relationships.
  private static let associationNames: Set<String> = [
    "syncTable", "syncIdentity", "syncIdentityRemoteKeys", "parentRelationship", "belongsTo", "hasMany",
    "hasOne", "syncLinks", "request",
  ]
  private static let caseNames: Set<String> = ["unrecognized", "rawValue", "hashValue", "databaseValue"]

  static func check(_ schema: Schema, imported: [Model], _ report: inout ValidationReport) {
    for (name, range) in schema.models.map({ ($0.name, $0.range) })
      + schema.enums.map({ ($0.name, $0.range) })
    {
      if forbidden.contains(name) || modelNames.contains(name) || schema.imports.contains(name)
        || name == "\(schema.target)Schema"
      {
        report.error(.unusableName, "generated code cannot use the name “\(name)”", range)
      } else if let scalar = ScalarType(rawValue: name), !scalar.canBeShadowed {
        report.error(.unusableName, "“\(name)” is a scalar type", range)
      } else if let prefix = ["sqlite_", "syncline_"].first(where: { name.lowercased().hasPrefix($0) }) {
        report.error(.unusableName, "names that begin with “\(prefix)” are reserved", range)
      }
    }
    let typeNames = Set(schema.models.map(\.name) + schema.enums.map(\.name) + schema.imports)
    for property in schema.models.flatMap(\.properties) {
      let isTaken =
        forbidden.contains(property.name) || propertyNames.contains(property.name)
        || (property.isRelationship && associationNames.contains(property.name))
      if isTaken {
        report.error(.unusableName, "generated code cannot use the name “\(property.name)”", property.range)
      } else if typeNames.contains(property.name) {
        report.error(
          .unusableName, "a property cannot have the name of the type “\(property.name)”", property.range)
      } else if property.isStored, property.name.lowercased() == "rowid" {
        report.error(
          .unusableName, "SQLite gives every table a column “\(property.name)” of its own", property.range)
      }
    }
    for entry in schema.enums.flatMap(\.cases)
    where forbidden.contains(entry.name) || caseNames.contains(entry.name) {
      report.error(.unusableName, "generated code cannot use the case “\(entry.name)”", entry.range)
    }
  }
}
