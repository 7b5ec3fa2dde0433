/// Finds what the types and defaults of properties mean.
final class TypeResolver {
  private let table: DeclarationTable
  private lazy var names = Vocabulary(Array(table.declarations.keys) + ScalarType.allCases.map(\.rawValue))
  /// What was suggested for each unknown type.
  private var suggestions: [String: String] = [:]

  init(_ table: DeclarationTable) {
    self.table = table
  }

  func type(_ property: PropertySyntax, _ log: inout ResolutionLog) -> Property.PropertyType {
    let syntax = property.type
    let name = syntax.name.text
    if name.isEmpty { return .invalid }
    if let modules = table.ambiguous[name] {
      let names = modules.map { "“\($0)”" }.joined(separator: " and ")
      log.bag.error(
        .unknownType, "“\(name)” is declared by \(names), which are both imported", at: syntax.name.range)
      return .invalid
    }
    switch table.declarations[name] {
    case .model?:
      log.symbols.refer(to: .model(name), at: syntax.name.range)
      if syntax.isList, syntax.isOptional {
        log.bag.error(
          .invalidType, "a to-many relationship is never optional: write “[\(name)]”", at: syntax.range,
          fixIts: [.write("[\(name)]", for: syntax.range)])
      }
      return syntax.isList ? .toMany(name) : .toOne(name)
    case .enumeration?:
      log.symbols.refer(to: .enumeration(name), at: syntax.name.range)
      return syntax.isList ? .enumerationList(name) : .enumeration(name)
    case .unreadable?: return .invalid
    case nil: break
    }
    if let scalar = ScalarType(rawValue: name) { return syntax.isList ? .list(scalar) : .scalar(scalar) }
    if !property.isIncomplete, !table.mayDeclareMore { reportUnknown(syntax, &log.bag) }
    return .invalid
  }

  private func reportUnknown(_ syntax: TypeSyntax, _ bag: inout DiagnosticBag) {
    let name = syntax.name.text
    let suggestion = suggestions[name] ?? names.didYouMean(name)
    suggestions[name] = suggestion
    bag.error(.unknownType, "unknown type “\(name)”\(suggestion)", at: syntax.name.range)
  }

  // MARK: Defaults

  func defaultValue(_ literal: LiteralSyntax, for property: Property, _ log: inout ResolutionLog)
    -> DefaultValue?
  {
    if property.isRelationship {
      log.bag.error(
        .defaultOnRelationship, "the relationship “\(property.name)” cannot have a default",
        at: literal.range)
      return nil
    }
    if case .null = literal.value, property.isOptional { return nil }
    if let enumeration = property.type.enumeration { refer(literal, to: enumeration, &log.symbols) }
    let resolver = DefaultResolver(cases: table.cases)
    if let value = resolver.value(literal, property.type) { return value }
    guard property.type != .invalid, !isUnknown(literal, property.type) else { return nil }
    var suggestion = ""
    if case .enumeration(let name) = property.type, let word = literal.word,
      let meant = Suggestion.nearest(to: word, in: table.cases[name]?.names ?? [])
    {
      suggestion = "; did you mean “.\(meant)”?"
    }
    log.bag.error(
      .invalidDefault,
      "\(literal.quotedName) is no default for “\(property.name)”, which is \(property.typeText)\(suggestion)",
      at: literal.range)
    return nil
  }

  private func refer(_ literal: LiteralSyntax, to enumeration: String, _ symbols: inout SymbolTable) {
    switch literal.value {
    case .member(let name):
      symbols.refer(to: .enumCase(enumeration: enumeration, name.text), at: name.range)
    case .list(let elements): for element in elements { refer(element, to: enumeration, &symbols) }
    default: break
    }
  }

  /// Whether a literal may be a case that could not be read.
  private func isUnknown(_ literal: LiteralSyntax, _ type: Property.PropertyType) -> Bool {
    guard let enumeration = type.enumeration else { return false }
    return table.cases[enumeration]?.isIncomplete ?? false
  }
}

extension Property.PropertyType {
  /// The enum of the values.
  fileprivate var enumeration: String? {
    switch self {
    case .enumeration(let name), .enumerationList(let name): name
    default: nil
    }
  }
}
