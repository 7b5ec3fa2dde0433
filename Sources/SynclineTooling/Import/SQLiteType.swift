import SynclineCompiler

/// Maps SQLite column types and defaults to those of a schema.
enum SQLiteType {
  /// The schema type for a declared column type, which may be any string.
  static func name(_ declared: String) -> String {
    let type = declared.uppercased()
    func has(_ words: String...) -> Bool { words.contains { type.contains($0) } }
    if has("BOOL") { return "Bool" }
    if has("UUID", "GUID") { return "UUID" }
    if has("JSON") { return "JSON" }
    if has("DATE", "TIME") { return "Date" }
    if has("INT") { return "Int" }
    if has("DECIMAL", "NUMERIC", "MONEY") { return "Decimal" }
    if has("REAL", "FLOA", "DOUB") { return "Double" }
    if has("BLOB", "BINARY") { return "Data" }
    return type.isEmpty ? "JSON" : "String"
  }

  /// Whether a column can have values of any type.
  static func isUndeclared(_ declared: String) -> Bool { declared.isEmpty || declared.uppercased() == "ANY" }

  /// A default in schema syntax; nil if it is not a literal of the type.
  static func literal(_ sql: String?, _ type: String) -> String? {
    guard var text = sql, text.uppercased() != "NULL" else { return nil }
    while text.hasPrefix("("), text.hasSuffix(")") { text = String(text.dropFirst().dropLast()) }
    switch type {
    case "String":
      // “'a' || 'b'” is an expression.
      guard text.wholeMatch(of: /'([^']|'')*'/) != nil else { return nil }
      return SwiftText.literal(String(text.dropFirst().dropLast()).replacing("''", with: "'"))
    case "Bool":
      return ["1": "true", "TRUE": "true", "0": "false", "FALSE": "false"][text.uppercased()]
    case "Int": return Int(text).map(String.init)
    case "Double", "Decimal":
      return text.wholeMatch(of: /-?[0-9]+(\.[0-9]+)?/) == nil ? nil : text
    default: return nil
    }
  }
}
