/// One-to-one relationships that no row could be the first of.
enum OneToOneRule: ValidationRule {
  static func check(_ schema: Schema, _ bag: inout DiagnosticBag) {
    for model in schema.models {
      for property in model.properties where !property.isOptional && !property.isToMany {
        guard let relationship = property.relationship, !relationship.isIncomplete,
          case .inverse(let name) = relationship.storage, let target = property.target
        else { continue }
        bag.error(
          .requiredBothWays,
          "“\(model.name).\(property.name)” is the far end of “\(target).\(name)”, where the link is stored, and cannot be required: write “\(target)?”",
          at: property.range, fixIts: [.write("\(target)?", for: property.typeRange)])
      }
    }
  }
}
