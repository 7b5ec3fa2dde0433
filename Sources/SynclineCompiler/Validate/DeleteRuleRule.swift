/// Reports delete rules that cannot be enforced.
enum DeleteRuleRule: ValidationRule {
  static func check(_ schema: Schema, _ bag: inout DiagnosticBag) {
    for model in schema.models where model.propertyAttributes.contains(.relationship) {
      for property in model.properties {
        guard let relationship = property.relationship, let rule = relationship.deleteRule,
          !relationship.isIncomplete
        else { continue }
        let range = property.relationshipClause?.deleteRule?.range ?? property.range
        if case .link = relationship.storage, rule != .nullify {
          bag.error(
            .invalidDeleteRule,
            "“\(model.name).\(property.name)” is stored in a join table, whose only delete rule is “.nullify”",
            at: range, fixIts: [.write(".nullify", for: range)])
        }
        guard rule == .nullify, case .inverse(let name) = relationship.storage,
          let target = property.target.flatMap(schema.model), let other = target.property(name)
        else { continue }
        let isScope = target.parentScope.map { target.properties[$0] === other } ?? false
        guard isScope || !other.isOptional else { continue }
        bag.error(
          .invalidDeleteRule,
          isScope
            ? "rows of “\(target.name)” are identified within their parent and cannot lose it; use “.cascade” or “.deny”"
            : "“\(target.name).\(name)” is required and cannot be cleared; use “.cascade” or “.deny”",
          at: range, notes: [.init(message: "“\(name)” is here", range: other.range)],
          fixIts: [".cascade", ".deny"].map { .write($0, for: range) })
      }
    }
  }
}
