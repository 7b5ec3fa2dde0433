/// Resolves models: the types, attributes and defaults of their properties, their identity, and the attributes of the model.
struct ModelResolver {
  private let types: TypeResolver
  private(set) var log: ResolutionLog
  /// The values that mean null in the whole target.
  private let nulls: [NullWord]
  /// The resolved structs by name. Key paths of models may refer to their members.
  private var structs: [String: Model] = [:]
  /// The resolved unions by name.
  private var unions: [String: Union] = [:]

  init(table: DeclarationTable, log: ResolutionLog, nulls: [NullWord] = []) {
    types = TypeResolver(table)
    self.log = log
    self.nulls = nulls
  }

  /// Resolves a struct. Structs are resolved before the models whose key paths refer to their members.
  mutating func structure(_ syntax: ModelSyntax) -> Model {
    let (structure, own, _) = resolve(syntax, module: nil, [.structure], on: "a struct")
    structure.isStruct = true
    for attribute in own {
      structure.places[attribute.kind] = attribute.range
      if attribute.kind == .null { structure.ownNulls = attribute.nullWords }
    }
    structure.spreadOneOrMany()
    structure.resolveKeys()
    structure.resolveNulls(target: nulls, types.table)
    if structs[structure.name] == nil { structs[structure.name] = structure }
    return structure
  }

  /// Resolves the structs and unions of other targets. Their errors are reported in those targets.
  mutating func learn(_ foreign: [SyntaxTree]) {
    let log = log
    for syntax in foreign.flatMap(\.structs) { _ = structure(syntax) }
    for syntax in foreign.flatMap(\.unions) { _ = union(syntax) }
    self.log = log
  }

  /// Resolves a union. Unions are resolved before the models whose properties have their types.
  mutating func union(_ syntax: ModelSyntax) -> Union {
    let union = UnionResolver.union(syntax, types, &log)
    if unions[union.name] == nil { unions[union.name] = union }
    return union
  }

  mutating func model(_ syntax: ModelSyntax, module: String? = nil) -> Model {
    let (model, own, indexed) = resolve(syntax, module: module, [.model], on: "a model")
    model.identity = model.identityPosition
    lower(own, to: model)
    model.spreadOneOrMany()
    for (property, attribute) in indexed { index(property, attribute, of: model) }
    model.resolveKeys()
    model.resolveNulls(target: nulls, types.table)
    return model
  }

  /// The models of a file, with the diagnostics and symbols found while resolving them.
  mutating func models(of tree: SyntaxTree) -> ResolvedModels {
    let outer = log
    log = ResolutionLog()
    let models = tree.models.map { model($0) }
    defer { log = outer }
    return ResolvedModels(models: models, log: log)
  }

  /// Resolves a type: its properties, its attributes, and the indexes of its properties.
  private mutating func resolve(
    _ syntax: ModelSyntax, module: String?, _ targets: Set<AttributeSpec.Target>, on subject: String
  ) -> (model: Model, own: [Attribute], indexed: [(property: Int, attribute: Attribute)]) {
    var attributes = AttributeResolver()
    let own = attributes.resolve(syntax.attributes, targets: targets, on: subject, named: syntax.name.text)
    let model = Model(
      name: syntax.name.text, module: module, documentation: syntax.documentation, range: syntax.name.range,
      end: syntax.end,
      // If a property could not be read completely, its name may be wrong.
      isIncomplete: syntax.isIncomplete || syntax.properties.contains(where: \.isIncomplete))
    var seen: [String: NameSyntax] = [:]
    var indexed: [(property: Int, attribute: Attribute)] = []
    for property in syntax.properties {
      if let first = seen[property.name.text.lowercased()] {
        let same = first.text == property.name.text ? "" : ", ignoring case"
        log.bag.error(
          .duplicateProperty,
          "“\(syntax.name.text)” has the property “\(property.name.text)” twice\(same)",
          at: property.name.range, notes: [.init(message: "the first is here", range: first.range)])
        // The second property was probably meant to have another name, which is now missing.
        model.isIncomplete = true
        continue
      }
      seen[property.name.text.lowercased()] = property.name
      let (resolved, index) = self.property(property, of: syntax, &attributes)
      for part in parts(of: resolved) {
        if part.name != resolved.name, let first = seen[part.name.lowercased()] {
          log.bag.error(
            .duplicateProperty,
            "“\(syntax.name.text)” has two properties “\(part.name)”: one is generated for the union “\(resolved.name)”",
            at: property.name.range, notes: [.init(message: "the other is here", range: first.range)])
        }
        seen[part.name.lowercased()] = NameSyntax(text: part.name, range: property.name.range)
        if let index, part.isRelationship || part.unionPart == nil {
          indexed.append((model.properties.count, index))
        }
        model.properties.append(part)
        model.propertyAttributes.formUnion(part.places.keys)
        if part.unionPart != nil { model.hasUnions = true }
      }
    }
    log.bag.add(attributes.bag)
    // A rejected attribute may have been intended as any other attribute.
    if own.count < syntax.attributes.count { model.isIncomplete = true }
    return (model, own, indexed)
  }

  // MARK: Properties

  /// Resolves a property and its `@Index`.
  private mutating func property(
    _ syntax: PropertySyntax, of owner: ModelSyntax, _ resolver: inout AttributeResolver
  ) -> (Property, Attribute?) {
    let type = owner.isStruct ? memberType(syntax, of: owner) : types.type(syntax, &log)
    let property = Property(
      name: syntax.name.text, documentation: syntax.documentation, type: type,
      isOptional: syntax.type.isOptional, range: syntax.name.range, declaration: syntax.declaration,
      typeRange: syntax.type.range, typeText: syntax.type.text, isIncomplete: syntax.isIncomplete,
      defaultRange: syntax.defaultValue?.range)
    let kinds = syntax.attributes.map { AttributeKind(rawValue: $0.name.text) }
    let isUnknown = kinds.contains(nil)
    property.mayBeIdentity = isUnknown || kinds.contains(.primaryKey) || syntax.isIncomplete
    if isUnknown { property.isIncomplete = true }
    let (targets, subject) =
      owner.isStruct ? AttributeSpec.targets(onMember: type) : AttributeSpec.targets(on: type)
    let attributes = resolver.resolve(
      syntax.attributes, targets: targets, on: "\(subject), as “\(syntax.name.text)” is",
      named: syntax.name.text)
    for attribute in attributes { property.lower(attribute) }
    if let literal = syntax.defaultValue, !syntax.isIncomplete {
      property.defaultValue = types.defaultValue(literal, for: property, &log)
    }
    return (property, attributes.first { $0.kind == .index && $0.isRight })
  }

  /// The type of a struct's member, which cannot be a relationship.
  private mutating func memberType(_ syntax: PropertySyntax, of owner: ModelSyntax) -> Property.PropertyType {
    let type = types.type(syntax, &log)
    let target: String
    switch type {
    case .toOne(let model), .toMany(let model):
      target = "the model “\(model)”: make the first a model, or the second a struct"
    case .union(let union, _): target = "“\(union)”, a union of models"
    case .value, .invalid: return type
    }
    if !syntax.isIncomplete {
      log.bag.error(
        .invalidType, "the struct “\(owner.name.text)” cannot refer to \(target)", at: syntax.type.range)
    }
    return .invalid
  }

  /// The properties that represent a property. For a union of models: a relationship to each model, and for a
  /// to-one another property for an unknown type.
  private mutating func parts(of property: Property) -> [Property] {
    guard case .union(let name, let isMany) = property.type else { return [property] }
    let module = types.table.importedModules[name]
    if let module, let union = unions[name], !union.isWhole, !property.isIncomplete {
      log.bag.error(
        .unknownType,
        "“\(name)” of “\(module)” has cases of targets that are not imported here: import them, too",
        at: property.typeRange)
    }
    guard let union = unions[name], !union.cases.isEmpty, module == nil || union.isWhole else {
      let unknown = property.copy()
      unknown.type = .invalid
      return [unknown]
    }
    var parts = union.cases.map { property.part(for: $0, of: union, isMany: isMany) }
    if !isMany { parts.append(property.unrecognizedPart(of: union)) }
    return parts
  }

  // MARK: Attributes of models

  private mutating func lower(_ attributes: [Attribute], to model: Model) {
    for attribute in attributes {
      model.places[attribute.kind] = attribute.range
      switch attribute.kind {
      case .parentScoped: model.parentScopeAnchor = anchor(attribute, of: model)
      case .updatedAt: model.updatedAtAnchor = anchor(attribute, of: model)
      case .softDelete: model.softDeleteAnchor = anchor(attribute, of: model)
      case .deleted: if let mark = Model.DeletionMark(attribute) { model.deletionMarks.append(mark) }
      case .renamedFrom: model.renamedFrom = attribute.texts
      case .typeName: model.typeName = attribute.text()
      case .null: model.ownNulls = attribute.nullWords
      case .below: model.below = attribute.text()
      case .primaryKey:
        if attribute.isRight { identify(by: attribute, model) } else { model.isIncomplete = true }
      case .singleton: addComposite(attribute, to: model)
      case .index where attribute.isRight: index(attribute, of: model)
      default: break
      }
    }
  }

  /// Finds the parts of a composite identity.
  private mutating func identify(by attribute: Attribute, _ model: Model) {
    for path in attribute.paths {
      guard let position = find(path, in: model) else {
        model.isIncomplete = true
        return
      }
      guard !model.identityParts.contains(where: { $0.position == position }) else {
        log.bag.error(
          .invalidModelAttribute, "“@PrimaryKey” of “\(model.name)” names “\(path.property.text)” twice",
          at: path.property.range)
        model.isIncomplete = true
        return
      }
      model.identityParts.append(Model.Anchor(position: position, range: path.property.range))
    }
    addComposite(attribute, to: model)
  }

  /// Adds the property that combines the parts of an identity. For `@Singleton` there are none.
  private mutating func addComposite(_ attribute: Attribute, to model: Model) {
    // With both attributes there is still one property. A rule reports the contradiction.
    if model.identityProperty?.isComposite ?? false { return }
    let composite = Property(
      name: Model.compositeName, documentation: [], type: .value(.scalar(.string)), isOptional: false,
      range: attribute.range, declaration: attribute.range.offsets.lowerBound, typeRange: attribute.range,
      typeText: "\(model.name).ID", isIncomplete: false, defaultRange: nil)
    composite.isComposite = true
    composite.export = .never
    if let other = model.properties.first(where: { $0.isNamed(Model.compositeName) }) {
      log.bag.error(
        .duplicateProperty,
        "“\(model.name)” has two properties “\(Model.compositeName)”: one is generated for “@\(attribute.kind.rawValue)”",
        at: other.range,
        notes: [.init(message: "“@\(attribute.kind.rawValue)” is here", range: attribute.range)])
    }
    model.identity = model.properties.count
    model.properties.append(composite)
  }

  /// The property that an attribute of the model names, if it has the right type.
  private mutating func anchor(_ attribute: Attribute, of model: Model) -> Model.Anchor? {
    guard let path = attribute.paths.first, let position = find(path, in: model) else { return nil }
    let property = model.properties[position]
    if property.isInvalid { return nil }
    let problem: String? =
      switch attribute.kind {
      case .parentScoped: if case .toOne = property.type { nil } else { "is not a to-one relationship" }
      case .updatedAt: property.isDate ? nil : "is \(property.typeText), not a date"
      case .softDelete:
        property.isDate && property.isOptional ? nil : "is \(property.typeText), not an optional date"
      default: nil
      }
    guard let problem else { return Model.Anchor(position: position, range: path.property.range) }
    if !property.isIncomplete {
      log.bag.error(
        .invalidModelAttribute,
        "“@\(attribute.kind.rawValue)” of “\(model.name)”: “\(property.name)” \(problem)",
        at: path.property.range)
    }
    return nil
  }

  private mutating func find(_ path: Attribute.Path, in model: Model) -> Int? {
    if let root = path.root {
      guard root.text == model.name else {
        log.bag.error(
          .unknownKeyPath, "the key path starts at “\(root.text)”, not at “\(model.name)”", at: root.range)
        return nil
      }
      log.symbols.refer(to: .model(model.name), at: root.range)
    }
    if let position = model.properties.firstIndex(where: { $0.name == path.property.text }) {
      log.symbols.refer(to: .property(model: model.name, path.property.text), at: path.property.range)
      return position
    }
    if !model.isIncomplete { reportUnknown(path.property, of: model) }
    return nil
  }

  private mutating func reportUnknown(_ name: NameSyntax, of model: Model) {
    if model.properties.contains(where: { $0.unionPart?.property == name.text }) {
      return log.bag.error(
        .unknownKeyPath, "“\(name.text)” refers to rows of several models and has no column of its own",
        at: name.range)
    }
    log.bag.reportUnknownProperty(name.located, of: model)
  }

  private mutating func index(_ attribute: Attribute, of model: Model) {
    let paths = attribute.paths
    if paths.isEmpty {
      log.bag.error(
        .invalidArgument, "“@Index” on a model names its properties; write @Index(\\.a, \\.b)",
        at: attribute.range)
    }
    let terms = paths.compactMap { term($0, in: model) }
    guard terms.count == paths.count, !terms.isEmpty else { return }
    model.indexes.append(Model.Index(terms: terms, range: attribute.range))
  }

  /// The property, or the value inside it, that a key path of an index refers to.
  private mutating func term(_ path: Attribute.Path, in model: Model) -> Model.Index.Term? {
    guard let position = find(path, in: model) else { return nil }
    var (property, owner) = (model.properties[position], model.name)
    for (index, member) in path.members.enumerated() {
      if property.isIncomplete { return nil }
      if property.isInvalid {
        // The path goes through a struct of another target, whose imports are not available here.
        if index > 0, let module = types.table.importedModules[owner] {
          log.bag.error(
            .unknownType,
            "“\(property.typeText)” of “\(module)” is declared in a target that is not imported: import it, too",
            at: member.range)
        }
        return nil
      }
      guard case .value(.structure(let name)) = property.type, let structure = structs[name] else {
        log.bag.error(
          .unknownKeyPath,
          "“\(property.name)” is \(property.typeText), and has no members that could be indexed",
          at: member.range)
        return nil
      }
      guard let found = structure.property(member.text) else {
        if !structure.isIncomplete { reportUnknown(member, of: structure) }
        return nil
      }
      log.symbols.refer(to: .property(model: name, member.text), at: member.range)
      (property, owner) = (found, name)
    }
    if !path.members.isEmpty, let type = property.valueType, type.hasParts || !type.isPlain {
      log.bag.error(
        .invalidModelAttribute,
        "“@Index”: “\(property.name)” is \(property.typeText); only a string, a number, a date or an enum can be indexed",
        at: path.property.range.through(path.members[path.members.count - 1].range))
      return nil
    }
    return Model.Index.Term(property: position, path: path.members.map(\.text))
  }

  private mutating func index(_ property: Int, _ attribute: Attribute, of model: Model) {
    if attribute.arguments.isEmpty {
      model.indexes.append(Model.Index(terms: [.init(property: property)], range: attribute.range))
    } else {
      log.bag.error(.invalidArgument, "“@Index” on a property has no arguments", at: attribute.range)
    }
  }
}

extension Model {
  /// Applies `@OneOrMany` of the type to its properties.
  fileprivate func spreadOneOrMany() {
    for property in properties where isOneOrMany { property.isOneOrMany = true }
  }

  /// The position of the property that is marked as the identity, or has its name.
  fileprivate var identityPosition: Int? {
    func position(of name: String) -> Int? {
      properties.firstIndex { $0.name == name && !$0.isRelationship }
    }
    return properties.firstIndex { $0.places[.primaryKey] != nil } ?? position(of: "id")
      ?? position(of: "remoteID")
  }
}
