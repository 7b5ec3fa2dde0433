/// Delete rules that cannot be kept.
enum DeleteRuleRule: ValidationRule {
  static func check(_ schema: Schema, imported: [Model], _ report: inout ValidationReport) {
    for model in schema.models {
      for property in model.properties {
        guard let relationship = property.relationship, let rule = relationship.deleteRule else { continue }
        let range = property.attribute(.relationship)?.range(of: "deleteRule") ?? property.range
        if case .link = relationship.storage, rule != .nullify {
          report.error(
            .invalidDeleteRule,
            "“\(model.name).\(property.name)” is stored as links, whose only delete rule is “.nullify”",
            range,
            fixIts: [.init(message: "write “.nullify”", range: range, replacement: ".nullify")])
        }
        guard rule == .nullify, case .inverse(let name) = relationship.storage,
          let other = property.target.flatMap(schema.model)?.property(name), !other.isOptional
        else { continue }
        report.error(
          .invalidDeleteRule,
          "“\(property.target ?? "").\(name)” is required and cannot be cleared; use “.cascade” or “.deny”",
          range,
          notes: [.init(message: "“\(name)” is here", range: other.range)],
          fixIts: [".cascade", ".deny"].map { .init(message: "write “\($0)”", range: range, replacement: $0) }
        )
      }
    }
  }
}

/// Links to rows whose identity alone names no row.
enum ParentScopeRule: ValidationRule {
  static func check(_ schema: Schema, imported: [Model], _ report: inout ValidationReport) {
    let scoped = Set(
      schema.models.filter { $0.parentScope != nil }.map(\.name)
        + imported.filter { $0.attributes.contains { $0.kind == .parentScoped } }.map(\.name))
    for model in schema.models {
      for property in model.properties {
        guard let target = property.target, let storage = property.relationship?.storage else { continue }
        let isOwnList: Bool
        if case .inverse(let column) = storage, let scope = schema.model(target)?.parentScope {
          isOwnList = schema.model(target)?.properties[scope].name == column
        } else {
          isOwnList = false
        }
        let isLink = if case .link = storage { true } else { false }
        if scoped.contains(target), !isOwnList {
          report.error(
            .linkToParentScoped,
            "“\(model.name).\(property.name)” leads to “\(target)”, whose identity is unique only within its parent",
            property.range)
        } else if scoped.contains(model.name), isLink {
          report.error(
            .linkToParentScoped,
            "“\(model.name).\(property.name)” would link rows of “\(model.name)” by an identity that is unique only within its parent",
            property.range)
        }
      }
    }
  }
}

/// One-to-one relationships that no row could be the first of.
enum OneToOneRule: ValidationRule {
  static func check(_ schema: Schema, imported: [Model], _ report: inout ValidationReport) {
    for model in schema.models {
      for property in model.properties where !property.isOptional && !property.isToMany {
        guard case .inverse(let name)? = property.relationship?.storage, let target = property.target else {
          continue
        }
        report.error(
          .requiredBothWays,
          "“\(model.name).\(property.name)” is the far end of “\(target).\(name)”, where the link is stored, and cannot be required: write “\(target)?”",
          property.range,
          fixIts: [.init(message: "write “\(target)?”", range: property.typeRange, replacement: "\(target)?")]
        )
      }
    }
  }
}
