import Syncline

struct DescribedType {
  var type: SchemaDraft.TypeReference
  var isNullable = false
  var comments: [String] = []

  init(_ type: SchemaDraft.TypeReference, comments: [String] = []) {
    self.type = type
    self.comments = comments
  }

  /// Any JSON value, with the reason why its type is unknown.
  static func json(_ reason: String) -> DescribedType { DescribedType(.scalar("JSON"), comments: [reason]) }

  /// The type of a schema that describes neither an object nor a list.
  init(of schema: SyncJSON, _ document: SchemaDocument) {
    self.init(.scalar(DescribedType.scalar(of: schema, document)))
  }

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
    if let parts = schema["allOf"]?.array, parts.count == 1, schema["type"] == nil {
      return scalar(of: parts[0], document, &seen, level: level + 1)
    }
    return plainScalar(of: schema)
  }

  private static func plainScalar(of schema: SyncJSON) -> String {
    let format = schema["format"]?.string ?? ""
    let types = schema.namedTypes
    if types.isEmpty { return scalar(of: schema["const"].map { [$0] } ?? schema["enum"]?.array ?? []) }
    if types.contains("string") {
      return switch format {
      case "date-time", "date": "Date"
      case "uuid": "UUID"
      case "uri", "url": "URL"
      case "byte", "base64": "Data"
      case "decimal": "Decimal"
      default: schema["contentEncoding"]?.string == "base64" ? "Data" : "String"
      }
    }
    let isNumber = types.contains("number") || types.contains("integer")
    // The formats of Stripe and of TypeSpec, for seconds since 1970.
    if isNumber, ["unix-time", "unixtime"].contains(format) { return "Date" }
    // In the OpenAPI registry, the type `number` can also have an integer format.
    let isWhole = format.hasPrefix("int") || format.hasPrefix("uint")
    if types.contains("number"), !isWhole {
      return format == "float" ? "Float" : format == "decimal" ? "Decimal" : "Double"
    }
    if isNumber { return integers[format] ?? "Int" }
    return types.contains("boolean") ? "Bool" : "JSON"
  }

  /// The integer types for the formats of the OpenAPI registry.
  private static let integers = [
    "int8": "Int8", "int16": "Int16", "int32": "Int32", "uint8": "UInt8", "uint16": "UInt16",
    "uint32": "UInt32", "uint64": "UInt64",
  ]

  private static func scalar(of values: [SyncJSON]) -> String {
    let values = values.filter { !$0.isNull }
    if values.isEmpty { return "JSON" }
    if values.allSatisfy({ $0.int != nil }) { return "Int" }
    if values.allSatisfy({ $0.bool != nil }) { return "Bool" }
    return values.allSatisfy { $0.object == nil && $0.array == nil } ? "String" : "JSON"
  }

  /// The scalar that can read the values of all given scalars.
  static func common(_ scalars: Set<String>) -> String {
    let numbers = Set(integers.values).union(["Int", "Double", "Float", "Decimal"])
    if scalars.isSubset(of: numbers) { return scalars.contains("Decimal") ? "Decimal" : "Double" }
    return scalars.contains("JSON") ? "JSON" : "String"
  }

  /// The identity type for a scalar; nil if it cannot be an identity.
  static func identity(for scalar: String) -> String? {
    if scalar == "Int" || integers.values.contains(scalar) { return "Int" }
    return scalar == "String" || scalar == "UUID" ? scalar : nil
  }

  static func documentation(of schema: SyncJSON) -> [String] {
    let text = schema["description"]?.string ?? ""
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { line in
      line.filter { !$0.unicodeScalars.contains { $0.properties.generalCategory == .control } }
    }
    let isBlank = { (line: String) in line.allSatisfy(\.isWhitespace) }
    return Array(lines.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
  }
}
