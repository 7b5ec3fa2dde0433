import SynclineNaming

/// Resolves the types of properties.
final class TypeResolver {
  let table: DeclarationTable
  private lazy var names = Vocabulary(Array(table.declarations.keys) + ScalarType.allCases.map(\.rawValue))
  /// The suggestion for each unknown type.
  private var suggestions: [String: String?] = [:]

  init(_ table: DeclarationTable) {
    self.table = table
  }

  func type(_ property: PropertySyntax, _ log: inout ResolutionLog) -> Property.PropertyType {
    let syntax = property.type
    let written = syntax.name.text
    if written.isEmpty { return .invalid }
    // Swift compares the bytes of names, and `String` does not: use the spelling of the declaration.
    let name = table.declarations.index(forKey: written).map { table.declarations[$0].key } ?? written
    if let module = syntax.module { return scalar(syntax, of: module, property, &log.bag) }
    if let modules = table.ambiguous[name] {
      let names = modules.map { "“\($0)”" }.joined(separator: " and ")
      log.bag.error(
        .unknownType, "“\(name)” is declared by \(names), which are both imported", at: syntax.name.range)
      return .invalid
    }
    let isKnown = !property.isIncomplete
    switch table.declarations[name] {
    case .type(.model)?:
      log.symbols.refer(to: .model(name), at: syntax.name.range)
      return relationship(syntax, to: name, isJudged: isKnown, &log.bag)
    case .enumeration?:
      log.symbols.refer(to: .enumeration(name), at: syntax.name.range)
      return .value(syntax.shape.type(of: .enumeration(name)))
    case .type(.structure)?:
      log.symbols.refer(to: .structure(name), at: syntax.name.range)
      return .value(syntax.shape.type(of: .structure(name)))
    case .type(.union)?:
      log.symbols.refer(to: .union(name), at: syntax.name.range)
      guard let union = table.unions[name] else { return .invalid }
      if let hidden = table.hiddenCase(of: union) {
        let module = table.importedModules[name] ?? ""
        log.bag.error(
          .unknownType,
          "“\(name)” of “\(module)” has a case of the type “\(hidden)” there, which another declaration shadows here: rename one of them",
          at: syntax.name.range)
        return .invalid
      }
      if table.isOfValues(union) { return .value(syntax.shape.type(of: .union(name))) }
      return rows(syntax, of: name, property, isJudged: isKnown, &log.bag)
    case .unreadable?: return .invalid
    case nil: break
    }
    if let scalar = ScalarType(rawValue: name) { return .value(syntax.shape.type(of: .scalar(scalar))) }
    if isKnown { reportUnknown(syntax, &log.bag) }
    return .invalid
  }

  /// A relationship to the rows of a union.
  private func rows(
    _ syntax: TypeSyntax, of name: String, _ property: PropertySyntax, isJudged: Bool,
    _ bag: inout DiagnosticBag
  ) -> Property.PropertyType {
    switch relationship(syntax, to: name, isJudged: isJudged, &bag) {
    case .toMany: return .union(name, isMany: true)
    case .toOne where syntax.isOptional: return .union(name, isMany: false)
    case .toOne:
      if isJudged {
        bag.error(
          .invalidType,
          "“\(property.name.text)” must be optional, since the payload may have a type unknown to the schema: write “\(name)?”",
          at: syntax.range, fixIts: [.write("\(name)?", for: syntax.range)])
      }
      return .invalid
    case .value, .union, .invalid: return .invalid
    }
  }

  private func relationship(
    _ syntax: TypeSyntax, to name: String, isJudged: Bool, _ bag: inout DiagnosticBag
  ) -> Property.PropertyType {
    switch syntax.shape {
    case .name: return .toOne(name)
    case .list(.name):
      if syntax.isOptional, isJudged {
        bag.error(
          .invalidType, "a to-many relationship is never optional: write “[\(name)]”", at: syntax.range,
          fixIts: [.write("[\(name)]", for: syntax.range)])
      }
      return .toMany(name)
    case .list, .map:
      if isJudged {
        bag.error(
          .invalidType,
          "“\(name)” is \(table.unions[name] != nil ? "a union of models" : "a model"), whose rows must be in a plain list: write “[\(name)]”",
          at: syntax.range,
          fixIts: [.write("[\(name)]", for: syntax.range)])
      }
      return .invalid
    }
  }

  /// `Foundation.Data` is always the scalar, even if the schema declares `Data`.
  private func scalar(
    _ syntax: TypeSyntax, of module: NameSyntax, _ property: PropertySyntax, _ bag: inout DiagnosticBag
  ) -> Property.PropertyType {
    let written = module.range.through(syntax.name.range)
    guard let scalar = ScalarType(rawValue: syntax.name.text) else {
      if !property.isIncomplete {
        bag.error(
          .unknownType, "write a type without its module: “\(syntax.name.text)”", at: written,
          fixIts: [.write(syntax.name.text, for: written)])
      }
      return .invalid
    }
    if module.text != scalar.module, !property.isIncomplete {
      let right = "\(scalar.module).\(scalar.rawValue)"
      bag.error(
        .unknownType, "“\(syntax.name.text)” is in “\(scalar.module)”: write “\(right)”", at: written,
        fixIts: [.write(right, for: written)])
    }
    return .value(syntax.shape.type(of: .scalar(scalar)))
  }

  private func reportUnknown(_ syntax: TypeSyntax, _ bag: inout DiagnosticBag) {
    let name = syntax.name.text
    if let scalar = ForeignWords.types[name.lowercased()], table.declarations[scalar.rawValue] == nil {
      bag.error(
        .unknownType, "unknown type “\(name)”: write “\(scalar.rawValue)”", at: syntax.name.range,
        fixIts: [.write(scalar.rawValue, for: syntax.name.range)])
      return
    }
    // An unreadable part of the schema may declare it.
    if table.mayDeclareMore { return }
    // A search compares the name with all others, so only the diagnostics that are printed have suggestions.
    let meant =
      suggestions[name] ?? (suggestions.count < DiagnosticRenderer.limit ? names.nearest(to: name) : nil)
    suggestions[name] = meant
    if meant == nil, table.hasDuplicates { return }
    bag.error(
      .unknownType, "unknown type “\(name)”\(meant.map { "; did you mean “\($0)”?" } ?? "")",
      at: syntax.name.range, fixIts: meant.map { [.write($0, for: syntax.name.range)] } ?? [])
  }
}

extension TypeSyntax.Shape {
  /// The type of an element inside the list or map.
  fileprivate func type(of element: ValueType) -> ValueType {
    switch self {
    case .name: element
    case .list(let shape): .list(shape.type(of: element))
    case .map(let shape): .map(shape.type(of: element))
    }
  }
}
