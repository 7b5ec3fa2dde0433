/// Properties that Swift types have already.
enum SwiftPropertyNameRule: ValidationRule {
  static func check(_ schema: Schema, imported: [Model], _ report: inout ValidationReport) {
    for property in schema.models.flatMap(\.properties) {
      switch property.name {
      case "hashValue":
        report.error(
          .hashValueName,
          "“hashValue” is what Swift calls the hash of a value; use “hashValueRaw” with “@RemoteKey(\"hash_value\")”",
          property.range, fixIts: [fixIt(property, "hashValueRaw", key: "hash_value")])
      case "description":
        report.warning(
          .descriptionName,
          "“description” is what Swift prints of a value; use “descriptionText” with “@RemoteKey(\"description\")”",
          property.range, fixIts: [fixIt(property, "descriptionText", key: "description")])
      default: break
      }
    }
  }

  private static func fixIt(_ property: Property, _ name: String, key: String) -> Diagnostic.FixIt {
    let replacement = property.explicitKey == nil ? "@RemoteKey(\"\(key)\") \(name)" : name
    return .init(message: "write “\(replacement)”", range: property.range, replacement: replacement)
  }
}
