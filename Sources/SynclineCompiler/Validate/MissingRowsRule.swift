/// `@Relationship(missing:)` where no complete list could keep it.
enum MissingRowsRule: ValidationRule {
  static func check(_ schema: Schema, imported: [Model], _ report: inout ValidationReport) {
    for model in schema.models {
      for property in model.properties {
        guard let relationship = property.relationship, let rule = relationship.missing else { continue }
        let name = "“\(model.name).\(property.name)”"
        let range = property.attribute(.relationship)?.range(of: "missing") ?? property.range
        let target = property.target ?? ""
        guard property.isToMany else {
          report.error(
            .invalidMissingRule,
            "\(name) is to-one; “missing:” says what a list does to the rows that it no longer has", range)
          continue
        }
        if case .link = relationship.storage {
          let reason =
            relationship.inverse == nil
            ? "nothing in “\(target)” points back at \(name): give “\(target)” a to-one to “\(model.name)”"
            : "\(name) is many-to-many: what one list no longer has may be in another"
          report.error(
            .invalidMissingRule, "\(reason); “missing:” is for the rows of one parent", range)
        } else if rule == .softDelete, let other = schema.model(target), other.softDelete == nil,
          !other.attributes.contains(where: { $0.kind == .softDelete })
        {
          report.error(
            .invalidMissingRule, "“.softDelete” marks rows, and “\(target)” has no “@SoftDelete”", range,
            notes: [.init(message: "“\(target)” is here", range: other.range)],
            fixIts: [.init(message: "write “.delete”", range: range, replacement: ".delete")])
        }
      }
    }
  }
}
