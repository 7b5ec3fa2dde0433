import SynclineNaming

/// Makes the schema of a target from the trees of its files: names, types, attributes, relationships and keys.
struct Resolver {
  let target: String
  let trees: [SyntaxTree]
  /// The trees of the targets that may be imported.
  let modules: [String: [SyntaxTree]]

  private(set) var diagnostics: [Diagnostic] = []
  private var access: Schema.Access = .internal
  private var imports: [String] = []
  private var models: [Model] = []
  private var enums: [Enumeration] = []
  /// The target of each imported model and enum.
  private var importedModules: [String: String] = [:]
  private var imported: [Model] = []
  private var importedEnums: [Enumeration] = []
  /// The cases of all enums, those included that are declared further down.
  private var casesOfEnums: [String: [String]] = [:]
  /// What each name declares: the first that has it.
  private var declarations: [String: Declaration] = [:]
  private lazy var typeNames = Vocabulary(Array(declarations.keys) + ScalarType.allCases.map(\.rawValue))
  /// What was suggested for each unknown type.
  private var suggestions: [String: String] = [:]
  /// Names that two imported targets declare.
  private var ambiguous: [String: [String]] = [:]

  private enum Declaration {
    case model(module: String?)
    case enumeration(module: String?, Enumeration.RawType)
  }

  init(target: String, trees: [SyntaxTree], modules: [String: [SyntaxTree]]) {
    self.target = target
    self.trees = trees
    self.modules = modules
  }

  /// The schema with the models of imported targets, which rules look at and Emit names.
  mutating func run() -> (schema: Schema, imported: [Model]) {
    resolveSettings()
    resolveImports()
    declare()
    casesOfEnums = Dictionary(
      trees.flatMap(\.enums).map { ($0.name.text, $0.cases.map(\.name.text)) }
        + importedEnums.map { ($0.name, $0.cases.map(\.name)) }, uniquingKeysWith: { own, _ in own })
    for tree in trees {
      enums += tree.enums.map { enumeration($0, module: nil) }
      models += tree.models.map { model($0, module: nil) }
    }
    for module in imports.sorted() {
      for tree in modules[module] ?? [] { imported += tree.models.map { model($0, module: module) } }
    }
    var pairing = RelationshipPairing(models, imported)
    models = pairing.run()
    diagnostics += pairing.diagnostics
    resolveModelAttributes()
    resolveKeys()
    let schema = Schema(
      target: target, access: access, imports: imports, importedModules: importedModules, models: models,
      enums: enums)
    return (schema, imported)
  }

  // MARK: Targets

  private mutating func resolveSettings() {
    let all = trees.flatMap(\.settings)
    for extra in all.dropFirst() {
      error(.invalidSettings, "a target has one “schema” block", extra.range)
    }
    var seen: Set<String> = []
    for entry in all.first?.entries ?? [] {
      guard seen.insert(entry.name.text).inserted else {
        error(.invalidSettings, "“\(entry.name.text)” is set twice", entry.name.range)
        continue
      }
      guard entry.name.text == "access" else {
        error(
          .invalidSettings,
          "unknown setting “\(entry.name.text)”" + Suggestion.didYouMean(entry.name.text, in: ["access"]),
          entry.name.range)
        continue
      }
      let names = Schema.Access.allCases.map(\.rawValue)
      if case .word(let word) = entry.value.value, let access = Schema.Access(rawValue: word) {
        self.access = access
      } else {
        error(.invalidSettings, "“access” is one of \(names.joined(separator: ", "))", entry.value.range)
      }
    }
  }

  private mutating func resolveImports() {
    for name in trees.flatMap(\.imports).map(\.module) {
      guard !(modules[name.text]?.isEmpty ?? true) else {
        error(
          .unknownImport,
          "no target “\(name.text)” with schema files is among the dependencies of “\(target)”"
            + Suggestion.didYouMean(name.text, in: modules.keys),
          name.range)
        continue
      }
      if !imports.contains(name.text) { imports.append(name.text) }
    }
    imports.sort()
  }

  private mutating func declare() {
    var seen: [String: NameSyntax] = [:]
    for tree in trees {
      let names =
        tree.models.map { ($0.name, Declaration.model(module: nil)) }
        + tree.enums.map { ($0.name, Declaration.enumeration(module: nil, EnumResolver.rawType($0))) }
      let inOrder = names.sorted { $0.0.range.offsets.lowerBound < $1.0.range.offsets.lowerBound }
      for (name, declaration) in inOrder {
        if let first = seen[name.text.lowercased()] {
          let same = first.text == name.text ? "" : ", but for letter case"
          diagnostics.append(
            Diagnostic(
              code: .duplicateDeclaration, severity: .error,
              message: "“\(name.text)” is declared twice\(same)",
              range: name.range,
              notes: [.init(message: "“\(first.text)” is declared here", range: first.range)]))
          continue
        }
        seen[name.text.lowercased()] = name
        declarations[name.text] = declaration
      }
    }
    for module in imports { declareImported(module, own: seen) }
  }

  private mutating func declareImported(_ module: String, own: [String: NameSyntax]) {
    let trees = modules[module] ?? []
    for model in trees.flatMap(\.models) {
      // Rows of both would be in one table.
      if let name = own[model.name.text.lowercased()], isOwnModel(name.text) {
        diagnostics.append(
          Diagnostic(
            code: .duplicateDeclaration, severity: .error,
            message: "the model “\(name.text)” is declared by “\(module)” too, which is imported",
            range: name.range,
            notes: [.init(message: "“\(model.name.text)” is declared here", range: model.name.range)]))
      }
      declareImported(model.name, .model(module: module), from: module)
    }
    for syntax in trees.flatMap(\.enums) {
      guard
        declareImported(syntax.name, .enumeration(module: module, EnumResolver.rawType(syntax)), from: module)
      else {
        continue
      }
      importedEnums.append(enumeration(syntax, module: module))
    }
  }

  private func isOwnModel(_ name: String) -> Bool {
    if case .model(module: nil)? = declarations[name] { true } else { false }
  }

  /// False where the name has a meaning already. What the target declares goes before what it imports.
  @discardableResult
  private mutating func declareImported(_ name: NameSyntax, _ declaration: Declaration, from module: String)
    -> Bool
  {
    guard declarations[name.text] == nil else {
      if let other = importedModules[name.text], other != module {
        ambiguous[name.text] = [other, module]
      }
      return false
    }
    declarations[name.text] = declaration
    importedModules[name.text] = module
    return true
  }

  // MARK: Enums

  private mutating func enumeration(_ syntax: EnumSyntax, module: String?) -> Enumeration {
    var resolver = EnumResolver()
    let enumeration = resolver.enumeration(syntax, module: module)
    diagnostics += resolver.diagnostics
    return enumeration
  }

  // MARK: Models

  private mutating func model(_ syntax: ModelSyntax, module: String?) -> Model {
    var resolver = AttributeResolver()
    let attributes = resolver.resolve(
      syntax.attributes, places: [.model], on: "a model", syntax.name.text)
    var properties: [Property] = []
    var seen: [String: NameSyntax] = [:]
    for property in syntax.properties {
      if let first = seen[property.name.text.lowercased()] {
        if module == nil {
          let same = first.text == property.name.text ? "" : ", but for letter case"
          diagnostics.append(
            Diagnostic(
              code: .duplicateProperty, severity: .error,
              message: "“\(syntax.name.text)” has the property “\(property.name.text)” twice\(same)",
              range: property.name.range, notes: [.init(message: "the first is here", range: first.range)]))
        }
        continue
      }
      seen[property.name.text.lowercased()] = property.name
      properties.append(self.property(property, of: syntax.name.text, &resolver, reports: module == nil))
    }
    if module == nil { diagnostics += resolver.diagnostics }
    return Model(
      name: syntax.name.text, module: module, documentation: syntax.documentation, range: syntax.name.range,
      end: syntax.end, attributes: attributes, properties: properties)
  }

  private mutating func property(
    _ syntax: PropertySyntax, of model: String, _ resolver: inout AttributeResolver, reports: Bool
  ) -> Property {
    let type = propertyType(syntax.type, reports: reports)
    var places: Set<AttributeSpec.Place> = [.property]
    var subject = "a scalar"
    switch type {
    case .toOne, .toMany:
      places.insert(.relationship)
      subject = "a relationship"
    case .scalar(.date):
      places.formUnion([.scalar, .date])
      subject = "a date"
    case .invalid: places.formUnion([.scalar, .date, .relationship])
    default: places.insert(.scalar)
    }
    let attributes = resolver.resolve(
      syntax.attributes, places: places, on: "\(subject), as “\(syntax.name.text)” is",
      syntax.name.text)
    var property = Property(
      name: syntax.name.text, documentation: syntax.documentation, type: type,
      isOptional: syntax.type.isOptional,
      range: syntax.name.range, declaration: syntax.declaration, typeRange: syntax.type.range,
      typeText: syntax.type.text, attributes: attributes,
      defaultRange: syntax.defaultValue?.range)
    if let literal = syntax.defaultValue, reports {
      property.defaultValue = defaultValue(literal, for: property, of: model)
    }
    return property
  }

  private mutating func propertyType(_ syntax: TypeSyntax, reports: Bool) -> Property.PropertyType {
    let name = syntax.name.text
    if name.isEmpty { return .invalid }
    if reports, let modules = ambiguous[name] {
      let names = modules.map { "“\($0)”" }.joined(separator: " and ")
      error(.unknownType, "“\(name)” is declared by \(names), which are both imported", syntax.name.range)
      return .invalid
    }
    switch declarations[name] {
    case .model?:
      if syntax.isList, syntax.isOptional, reports {
        let message = "write “[\(name)]”"
        diagnostics.append(
          Diagnostic(
            code: .invalidType, severity: .error,
            message: "a to-many relationship is never optional: \(message)",
            range: syntax.range,
            fixIts: [.init(message: message, range: syntax.range, replacement: "[\(name)]")]))
      }
      return syntax.isList ? .toMany(name) : .toOne(name)
    case .enumeration?: return syntax.isList ? .enumerationList(name) : .enumeration(name)
    case nil: break
    }
    if let scalar = ScalarType(rawValue: name) { return syntax.isList ? .list(scalar) : .scalar(scalar) }
    if reports {
      let suggestion = suggestions[name] ?? typeNames.didYouMean(name)
      suggestions[name] = suggestion
      error(.unknownType, "unknown type “\(name)”\(suggestion)", syntax.name.range)
    }
    return .invalid
  }

  private mutating func defaultValue(_ literal: LiteralSyntax, for property: Property, of model: String)
    -> DefaultValue?
  {
    if property.isRelationship {
      error(
        .defaultOnRelationship, "the relationship “\(property.name)” cannot have a default", literal.range)
      return nil
    }
    if case .null = literal.value, property.isOptional { return nil }
    if let value = DefaultResolver(cases: casesOfEnums).value(literal, property.type) { return value }
    if case .invalid = property.type { return nil }
    var subject = literal.kindName
    if case .number(let digits) = literal.value { subject = "“\(digits)”" }
    var suggestion = ""
    if case .enumeration(let name) = property.type, let word = literal.word,
      let meant = Suggestion.nearest(to: word, in: casesOfEnums[name] ?? [])
    {
      suggestion = "; did you mean “.\(meant)”?"
    }
    error(
      .invalidDefault,
      "\(subject) is no default for “\(property.name)”, which is \(property.typeText)\(suggestion)",
      literal.range)
    return nil
  }

  // MARK: Attributes of models

  private mutating func resolveModelAttributes() {
    for index in models.indices {
      var resolver = ModelAttributeResolver(models[index])
      models[index] = resolver.run()
      diagnostics += resolver.diagnostics
    }
  }

  // MARK: Keys

  private mutating func resolveKeys() {
    for index in models.indices { models[index].resolveKeys() }
  }

  private mutating func error(_ code: DiagnosticCode, _ message: String, _ range: SourceRange) {
    diagnostics.append(Diagnostic(code: code, severity: .error, message: message, range: range))
  }
}

extension Model {
  /// Fills in the JSON keys of all properties, in both styles.
  fileprivate mutating func resolveKeys() {
    func keys(_ property: Property, _ style: KeyStyle) -> [String] {
      switch property.type {
      case .toOne: KeyCandidates.toOne(property.name, explicit: property.explicitKey, style: style)
      case .toMany: KeyCandidates.toMany(property.name, explicit: property.explicitKey, style: style)
      default: KeyCandidates.scalar(property.name, explicit: property.explicitKey, style: style)
      }
    }
    for index in properties.indices where !properties[index].isTransient {
      properties[index].snakeKeys = keys(properties[index], .snakeCase)
      properties[index].camelKeys = keys(properties[index], .camelCase)
    }
    guard let identity else { return }
    let property = properties[identity]
    let others = properties.enumerated().filter { $0.offset != identity }.map(\.element)
    properties[identity].snakeKeys = KeyCandidates.identity(
      property.name, explicit: property.explicitKey, style: .snakeCase,
      takenKeys: Set(others.flatMap(\.snakeKeys)))
    properties[identity].camelKeys = KeyCandidates.identity(
      property.name, explicit: property.explicitKey, style: .camelCase,
      takenKeys: Set(others.flatMap(\.camelKeys)))
  }
}

extension DefaultValue {
  var summary: String {
    switch self {
    case .text(let text): "“\(text)”"
    case .number(let digits): digits
    case .bool(let value): "\(value)"
    case .member(let name): ".\(name)"
    case .list: "a list"
    case .null: "nil"
    }
  }
}
