/// Reports property names that Swift types already use.
enum SwiftPropertyNameRule: ValidationRule {
  static func check(_ schema: Schema, _ bag: inout DiagnosticBag) {
    for property in schema.typesWithProperties.flatMap(\.properties) {
      switch property.schemaName {
      case "hashValue":
        bag.error(
          .hashValueName,
          "“hashValue” is a property of Hashable; use “hashValueRaw” with “@RemoteKey(\"hash_value\")”",
          at: property.range, fixIts: fixIts(property, "hashValueRaw", keys: ["hash_value"]))
      case "description":
        bag.warning(
          .descriptionName,
          "Swift prints a value by its “description”; use “descriptionText” with “@RemoteKey(\"description\")”",
          at: property.range, fixIts: fixIts(property, "descriptionText", keys: ["description"]))
      default: break
      }
    }
  }

  /// A fix-it that renames the property, and adds an attribute that states its previous keys. There is none for a union, because
  /// the keys of its type follow from its name.
  static func fixIts(_ property: Property, _ name: String, keys: [String]) -> [Diagnostic.FixIt] {
    if property.unionPart != nil { return [] }
    let needsKey = property.explicitKeys.isEmpty && !property.isTransient && !property.isLocal
    let texts = keys.map { "\"\($0)\"" }.joined(separator: ", ")
    let replacement = needsKey ? "@RemoteKey(\(texts)) \(name)" : name
    // An attribute must precede `var`, so the fix-it also replaces `var`.
    let start = needsKey ? property.declaration : property.range.offsets.lowerBound
    let range = property.range.file.range(start..<property.range.offsets.upperBound)
    return [.write(replacement, for: range)]
  }
}
