/// Reports relationships whose inverse is ambiguous, with fix-its that state it.
extension RelationshipPairing {
  mutating func reportManyToMany(_ owner: End, _ other: End) {
    markBroken([owner, other])
    log.bag.error(
      .manyToManyWithoutAnchor,
      "“\(name(owner))” and “\(name(other))” are many-to-many: name the inverse on one of them",
      at: self[owner].range,
      notes: [.init(message: "“\(name(other))” is here", range: self[other].range)],
      fixIts: [anchor(owner, other)])
  }

  /// Reports a list and a to-one of a model to itself: they may be children and parent, or unrelated, such as
  /// friends and a spouse.
  mutating func reportListAndSingle(_ list: End, _ single: End) {
    markBroken([list, single])
    // A list without an inverse is stored in a join table, which supports only these rules.
    let clause = self[list].relationshipClause
    let needsNoInverse =
      clause?.missing?.value ?? .keep == .keep && clause?.deleteRule?.value ?? .nullify == .nullify
    log.bag.error(
      .ambiguousInverse,
      "“\(name(list))” and “\(name(single))” may be two ends of one relationship: name the inverse, or write “inverse: nil” where they are not",
      at: self[list].range,
      notes: [.init(message: "“\(name(single))” is here", range: self[single].range)],
      fixIts: [anchor(list, single)] + (needsNoInverse ? [anchor(list, nil)] : []))
  }

  mutating func reportAmbiguous(_ first: [End], _ second: [End]) {
    guard let owner = first.first else { return }
    markBroken(first + second)
    let firstNames = first.map { "“\(name($0))”" }.joined(separator: ", ")
    let secondNames = second.map { "“\(name($0))”" }.joined(separator: ", ")
    log.bag.error(
      .ambiguousInverse,
      "it is ambiguous which of \(firstNames) is the inverse of which of \(secondNames): name the inverse, or write “inverse: nil” if there is none",
      at: self[owner].range,
      notes: (first.dropFirst() + second).map {
        .init(message: "“\(name($0))” is here", range: self[$0].range)
      },
      fixIts: second.map { anchor(owner, $0) })
  }

  /// A fix-it that states the inverse or `inverse: nil`, in the existing attribute or in a new one.
  private func anchor(_ owner: End, _ other: End?) -> Diagnostic.FixIt {
    let property = self[owner]
    // A union's property has one attribute for all of its cases, so the fix-it changes the other end.
    if let other, property.unionPart != nil, self[other].unionPart == nil { return anchor(other, owner) }
    let argument =
      other.map { "inverse: \\\(models[$0.model].name).\(self[$0].schemaName)" } ?? "inverse: nil"
    let offset: Int
    let replacement: String
    if let clause = property.relationshipClause {
      guard let first = clause.firstArgument else {
        // `@Relationship` or `@Relationship()`
        return .write("@Relationship(\(argument))", for: clause.range)
      }
      offset = first.range.offsets.lowerBound
      replacement = argument + ", "
    } else {
      offset = property.declaration
      replacement = "@Relationship(\(argument)) "
    }
    return .init(
      message:
        "write “\(replacement.dropLast(replacement.hasSuffix(", ") ? 2 : 1))” before “\(attributeText(property))”",
      range: property.range.file.range(offset..<offset), replacement: replacement)
  }

  /// The source before which the attribute is inserted.
  private func attributeText(_ property: Property) -> String {
    property.relationshipClause?.firstArgument?.value ?? property.name
  }
}
