/// Explicit JSON keys: one for a property, and one that can be written.
enum RemoteKeyRule: ValidationRule {
  static func check(_ schema: Schema, imported: [Model], _ report: inout ValidationReport) {
    for property in schema.models.flatMap(\.properties) {
      if let remote = property.attribute(.remoteKey), property.attribute(.primaryKey)?.text("remote") != nil {
        report.error(
          .twoRemoteKeys,
          "“\(property.name)” has a key by “@PrimaryKey(remote:)” and another by “@RemoteKey”",
          remote.range,
          fixIts: [.init(message: "remove “@RemoteKey”", range: remote.range, replacement: "")])
      }
      guard let key = property.explicitKey else { continue }
      let components = key.split(separator: ".", omittingEmptySubsequences: false)
      if components.contains(where: \.isEmpty) {
        let isPrimary = property.attribute(.primaryKey)?.text("remote") != nil
        let attribute = property.attribute(isPrimary ? .primaryKey : .remoteKey)
        let problem =
          key.isEmpty ? "an empty text is no key" : "“\(key)” is no key: a name between its dots is empty"
        report.error(.invalidKey, problem, attribute?.range(of: isPrimary ? "remote" : nil) ?? property.range)
      }
    }
  }
}
