extension SimulatedSchema {
  /// The schema as the text of a schema file.
  var text: String {
    let texts = numbers.compactMap { number in models[number].map { text(of: $0, number) } }
    return ([SimulatedSchema.types] + texts).joined(separator: "\n")
  }

  private static let types = """
    enum Mood: String {
      case calm
      case wild = "very_wild"
    }

    struct Place {
      street: String
      zip: Int?
    }

    model \(beat) {
      id: Int
      count: Int
    }

    """

  private func text(of model: Model, _ number: Int) -> String {
    var attributes: [String] = renaming(model.name)
    if model.hasStamp { attributes.append("@UpdatedAt(\\.updatedAt)") }
    if model.hasMark { attributes.append("@SoftDelete(\\.deletedAt)") }
    if model.isDeletable { attributes.append("@Deleted(\"gone\")") }
    let identity =
      model.hasRemoteIdentity
      ? "@PrimaryKey(remote: \"uid\") key: \(model.identity.rawValue)" : "id: \(model.identity.rawValue)"
    var members = [identity] + model.properties.map(text)
    if model.hasStamp { members.append("updatedAt: Date?") }
    if model.hasMark { members.append("deletedAt: Date?") }
    for relation in relations {
      if relation.near.model == number { members.append(nearText(relation)) }
      if relation.far.model == number, let text = farText(relation) { members.append(text) }
    }
    return (attributes + ["model \(model.name.now) {"] + members.map { "  " + $0 } + ["}", ""])
      .joined(separator: "\n")
  }

  private func renaming(_ name: Name) -> [String] {
    name.former.map { $0 == name.now ? [] : ["@RenamedFrom(\"\($0)\")"] } ?? []
  }

  private func text(of property: Property) -> String {
    var words = renaming(property.name)
    if property.isIndexed { words.append("@Index") }
    if property.isNested { words.append("@RemoteKey(\"data.\(property.name.now)\")") }
    words.append("\(property.name.now): \(property.type.rawValue)\(property.isOptional ? "?" : "")")
    if property.hasDefault, let text = property.type.defaultText { words.append("= \(text)") }
    return words.joined(separator: " ")
  }

  private func nearText(_ relation: Relation) -> String {
    guard let far = models[relation.far.model]?.name.now else { return "" }
    var words = renaming(relation.near.name)
    let type: String
    switch relation.kind {
    case .toOne, .oneToOne, .lone: type = far + "?"
    case .requiredToOne: type = far
    case .manyToMany, .loneList:
      type = "[\(far)]"
      if relation.isOrdered { words.append("@Ordered") }
    }
    let isLone = relation.kind == .lone || relation.kind == .loneList
    let inverse = isLone ? "nil" : "\\\(far).\(relation.far.name.now)"
    words.append("@Relationship(inverse: \(inverse)) \(relation.near.name.now): \(type)")
    return words.joined(separator: " ")
  }

  private func farText(_ relation: Relation) -> String? {
    guard relation.kind != .lone, relation.kind != .loneList, let near = models[relation.near.model] else {
      return nil
    }
    var arguments = ["inverse: \\\(near.name.now).\(relation.near.name.now)"]
    let isList = relation.kind == .toOne || relation.kind == .requiredToOne
    if isList || relation.kind == .oneToOne, let rule = relation.deleteRule {
      arguments.append("deleteRule: .\(rule)")
    }
    if isList, let rule = relation.missingRule, rule != "softDelete" || near.hasMark {
      arguments.append("missing: .\(rule)")
    }
    let type = relation.kind == .oneToOne ? near.name.now + "?" : "[\(near.name.now)]"
    return
      (renaming(relation.far.name) + [
        "@Relationship(\(arguments.joined(separator: ", ")))", "\(relation.far.name.now): \(type)",
      ]).joined(separator: " ")
  }
}
