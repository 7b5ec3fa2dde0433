import Syncline

/// The type that a JSON Schema describes.
struct DescribedType {
  var type: SchemaDraft.TypeReference
  var isNullable = false
  var comments: [String] = []
  var attributes: [String] = []

  init(_ type: SchemaDraft.TypeReference, comments: [String] = []) {
    self.type = type
    self.comments = comments
  }

  /// Any JSON value, with the reason why its type is unknown.
  static func json(_ reason: String) -> DescribedType { DescribedType(.scalar("JSON"), comments: [reason]) }

  /// The type of values that are neither objects nor lists.
  init(of schema: SyncJSON, _ document: SchemaDocument) {
    self.init(.scalar(DescribedType.scalar(of: schema, document)))
  }

  /// The name of a scalar type.
  static func scalar(of schema: SyncJSON, _ document: SchemaDocument) -> String {
    var seen: Set<String> = []
    return scalar(of: schema, document, &seen, level: 0) ?? "JSON"
  }

  /// The name of a scalar type; nil for a reference that is already being resolved.
  private static func scalar(
    of schema: SyncJSON, _ document: SchemaDocument, _ seen: inout Set<String>, level: Int
  ) -> String? {
    guard level < SchemaDocument.levelLimit else { return "JSON" }
    if let reference = schema["$ref"]?.string {
      guard seen.insert(reference).inserted else { return nil }
      return document.schema(at: reference).map { scalar(of: $0, document, &seen, level: level + 1) }
        ?? "JSON"
    }
    if let variants = schema.variants, !variants.isEmpty {
      var scalars: Set<String> = []
      for variant in variants {
        if let name = scalar(of: variant, document, &seen, level: level + 1) { scalars.insert(name) }
      }
      return scalars.count > 1 ? common(scalars) : scalars.first
    }
    let format = schema["format"]?.string ?? ""
    let constant = schema["const"]
    let types = schema.namedTypes
    if types.isEmpty, constant?.string != nil { return "String" }
    if types.contains("string") {
      return switch format {
      case "date-time", "date": "Date"
      case "uuid": "UUID"
      case "uri", "url": "URL"
      case "byte", "base64": "Data"
      case "decimal": "Decimal"
      default: "String"
      }
    }
    if types.contains("number") {
      return format == "float" ? "Float" : format == "decimal" ? "Decimal" : "Double"
    }
    if types.contains("integer") { return format == "int32" ? "Int32" : "Int" }
    return types.contains("boolean") ? "Bool" : "JSON"
  }

  /// The scalar that can read the values of all given scalars.
  static func common(_ scalars: Set<String>) -> String {
    let numbers: Set<String> = ["Int", "Int32", "Double", "Float", "Decimal"]
    if scalars.isSubset(of: numbers) { return scalars.contains("Decimal") ? "Decimal" : "Double" }
    return scalars.contains("JSON") ? "JSON" : "String"
  }

  /// Whether the values can be identities.
  static func isIdentity(_ schema: SyncJSON, _ document: SchemaDocument) -> Bool {
    ["String", "Int", "Int32", "UUID"].contains(scalar(of: schema, document))
  }

  /// The strings of an enum; nil if the schema is not an enum.
  static func cases(of schema: SyncJSON) -> [String]? {
    guard let values = schema["enum"]?.array, !values.isEmpty else { return nil }
    var texts: [String] = []
    for value in values where !value.isNull {
      guard let text = value.string, !text.isEmpty else { return nil }
      if !texts.contains(text) { texts.append(text) }
    }
    return texts.isEmpty ? nil : texts
  }

  /// The description of a schema, line by line.
  static func documentation(of schema: SyncJSON) -> [String] {
    let text = schema["description"]?.string ?? ""
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { line in
      line.filter { !$0.unicodeScalars.contains { $0.properties.generalCategory == .control } }
    }
    let isBlank = { (line: String) in line.allSatisfy(\.isWhitespace) }
    return Array(lines.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
  }
}
