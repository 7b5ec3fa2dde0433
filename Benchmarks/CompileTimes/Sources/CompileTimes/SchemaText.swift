/// Prints models as schema files.
struct SchemaText {
  let models: [ModelPlan]

  func file(_ model: ModelPlan) -> String {
    var lines: [String] = []
    if let name = model.enumeration {
      lines += [
        "enum \(name): String {", "  case open", "  case inReview = \"in_review\"", "  case done", "}", "",
      ]
    }
    lines.append("/// A \(model.name) as the API sends it.")
    lines.append("model \(model.name) {")
    lines += model.properties.map { "  " + text(of: $0) }
    return lines.joined(separator: "\n") + "\n}\n"
  }

  private func text(of property: ModelPlan.Property) -> String {
    let key = property.key.map { "@RemoteKey(\"\($0)\") " } ?? ""
    let mark = property.isOptional ? "?" : ""
    switch property.kind {
    case .identity(let type): return "id: \(type)"
    case .scalar(let type): return "\(key)\(property.name): \(type)\(mark)"
    case .enumeration(let type): return "\(key)\(property.name): \(type) = .open"
    case .toOne(let target): return "\(property.name): \(models[target].name)\(mark)"
    case .toMany(let target, _): return "@NotExport \(property.name): [\(models[target].name)]"
    case .manyToMany(let target, let inverse, let isAnchor):
      let name = models[target].name
      let attribute = isAnchor ? "@Relationship(inverse: \\\(name).\(inverse)) " : "@NotExport "
      return "\(attribute)\(property.name): [\(name)]"
    }
  }
}
