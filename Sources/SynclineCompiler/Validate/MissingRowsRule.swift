/// Reports `@Relationship(missing:)` where no complete list could apply the rule.
enum MissingRowsRule: ValidationRule {
  static func check(_ schema: Schema, _ bag: inout DiagnosticBag) {
    for model in schema.models where model.propertyAttributes.contains(.relationship) {
      for property in model.properties {
        guard let relationship = property.relationship, let stated = property.relationshipClause?.missing,
          !relationship.isIncomplete
        else { continue }
        let name = "“\(model.name).\(property.name)”"
        let (rule, range) = (stated.value, stated.range)
        let target = property.target ?? ""
        guard property.isToMany else {
          bag.error(
            .invalidMissingRule,
            "\(name) is to-one; “missing:” applies to rows that a list no longer contains",
            at: range)
          continue
        }
        if case .link = relationship.storage {
          // A payload only adds links to the list.
          if rule == .keep { continue }
          let reason =
            relationship.inverse == nil
            ? "“\(target)” has no to-one relationship to “\(model.name)”, so \(name) has a join table"
            : "\(name) is many-to-many: a row that leaves one list may be in another"
          bag.error(
            .invalidMissingRule, "\(reason); lists in a join table can only have “missing: .keep”", at: range,
            fixIts: [.write(".keep", for: range)])
        } else if rule == .softDelete, let other = schema.model(target), other.softDelete == nil,
          other.places[.softDelete] == nil, !other.isIncomplete
        {
          bag.error(
            .invalidMissingRule, "“.softDelete” needs “@SoftDelete” on “\(target)”", at: range,
            notes: [.init(message: "“\(target)” is here", range: other.range)],
            fixIts: [.write(".delete", for: range)])
        }
      }
    }
  }
}
