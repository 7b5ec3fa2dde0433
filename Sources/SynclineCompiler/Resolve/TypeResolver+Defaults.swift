import SynclineNaming

extension TypeResolver {
  /// The default of a property, or nil if it has none or an invalid one.
  func defaultValue(_ literal: LiteralSyntax, for property: Property, _ log: inout ResolutionLog)
    -> DefaultValue?
  {
    if property.isRelationship {
      let place = property.typeRange.behind.through(literal.range)
      log.bag.error(
        .defaultOnRelationship, "the relationship “\(property.name)” cannot have a default",
        at: literal.range, fixIts: [.remove(place, "the default")])
      return nil
    }
    if case .null = literal.value, property.isOptional { return nil }
    if let enumeration = property.type.enumeration { refer(literal, to: enumeration, &log.symbols) }
    let resolver = DefaultResolver(cases: table.cases)
    if let value = resolver.value(literal, property.type) { return value }
    if property.type != .invalid, !isUnknown(property.type) { refuse(literal, property, &log.bag) }
    return nil
  }

  private func refuse(_ literal: LiteralSyntax, _ property: Property, _ bag: inout DiagnosticBag) {
    if literal.isComputed(for: property.type) {
      let place = property.typeRange.behind.through(literal.range)
      let isIdentity = property.places[.primaryKey] != nil || property.name == "id"
      let advice =
        isIdentity
        ? "the identity comes from the payload"
        : "make “\(property.name)” optional, or give it its value in Swift"
      bag.error(
        .invalidDefault, "a default must be a literal, and “\(literal.range.text)” is computed: \(advice)",
        at: literal.range, fixIts: [.remove(place, "the default")])
      return
    }
    var meant: String?
    if case .value(.enumeration(let name)) = property.type, let word = literal.word {
      meant = Vocabulary(table.cases[name]?.names ?? []).nearest(to: word).map { ".\($0)" }
    }
    if property.type == .value(.scalar(.string)), case .word(let word) = literal.value {
      meant = "\"\(word)\""
    }
    if case .value(.map) = property.type, case .list(let elements) = literal.value, elements.isEmpty {
      meant = "[:]"
    }
    bag.error(
      .invalidDefault,
      "\(literal.quotedName) is not a valid default for “\(property.name)”, which is \(property.typeText)\(meant.map { "; did you mean “\($0)”?" } ?? "")",
      at: literal.range, fixIts: meant.map { [.write($0, for: literal.range)] } ?? [])
  }

  private func refer(_ literal: LiteralSyntax, to enumeration: String, _ symbols: inout SymbolLog) {
    switch literal.value {
    case .member(let name):
      symbols.refer(to: .enumCase(enumeration: enumeration, name.text), at: name.range)
    case .list(let elements): for element in elements { refer(element, to: enumeration, &symbols) }
    default: break
    }
  }

  /// Whether a literal may be an enum case that could not be read.
  private func isUnknown(_ type: Property.PropertyType) -> Bool {
    type.enumeration.map { table.cases[$0]?.isIncomplete ?? false } ?? false
  }
}

extension Property.PropertyType {
  /// The name of the enum, if the values are of one.
  fileprivate var enumeration: String? {
    if case .value(let type) = self, case .enumeration(let name) = type.innermost { name } else { nil }
  }
}

extension LiteralSyntax {
  /// Whether the default is an expression that only Swift can evaluate.
  fileprivate func isComputed(for type: Property.PropertyType) -> Bool {
    switch value {
    case .call: true
    case .member, .path: type.enumeration == nil
    default: false
    }
  }
}
