/// Reports one-to-one relationships that are required at the end without a column: no first row could be inserted.
enum OneToOneRule: ValidationRule {
  static func check(_ schema: Schema, _ bag: inout DiagnosticBag) {
    for model in schema.models {
      for (position, property) in model.properties.enumerated()
      where !property.isOptional && !property.isToMany {
        guard let relationship = property.relationship, !relationship.isIncomplete,
          case .inverse(let name) = relationship.storage, let target = property.target
        else { continue }
        // `CompositeRule` reports two models that identify each other.
        let isPart = model.identityParts.contains { $0.position == position }
        if isPart { continue }
        bag.error(
          .requiredBothWays,
          "“\(model.name).\(property.name)” is the inverse of “\(target).\(name)”, which stores the foreign key, and cannot be required: write “\(target)?”",
          at: property.range, fixIts: [.write("\(target)?", for: property.typeRange)])
      }
    }
  }
}
