/// Explicit JSON keys: one for a property, and one that can be written.
enum RemoteKeyRule: ValidationRule {
  static func check(_ schema: Schema, imported: [Model], _ report: inout ValidationReport) {
    for property in schema.models.flatMap(\.properties) {
      if let remote = property.attribute(.remoteKey), property.attribute(.primaryKey)?.text("remote") != nil {
        report.error(
          .twoRemoteKeys, "“\(property.name)” has a key by “@PrimaryKey(remote:)” and another by “@RemoteKey”",
          remote.range)
      }
      guard let key = property.explicitKey else { continue }
      let components = key.split(separator: ".", omittingEmptySubsequences: false)
      if components.contains(where: \.isEmpty) {
        let attribute = property.attribute(.remoteKey) ?? property.attribute(.primaryKey)
        report.error(
          .invalidKey, "“\(key)” is no key: the names between the dots are empty", attribute?.range ?? property.range)
      }
    }
  }
}
