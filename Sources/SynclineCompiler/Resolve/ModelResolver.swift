/// Resolves models: the types, attributes and defaults of their properties, their identity, and what their own attributes
/// name.
struct ModelResolver {
  private let types: TypeResolver
  private(set) var log: ResolutionLog
  /// The structs that were resolved, by their names: key paths of models lead into them.
  private var structs: [String: Model] = [:]
  /// The unions that were resolved, by their names.
  private var unions: [String: Union] = [:]

  init(table: DeclarationTable, log: ResolutionLog) {
    types = TypeResolver(table)
    self.log = log
  }

  /// Structs stand before the models whose attributes lead into them.
  mutating func structure(_ syntax: ModelSyntax, module: String? = nil) -> Model {
    var structure = resolve(syntax, module: module, [], on: "a struct").model
    structure.isStruct = true
    structure.resolveKeys()
    if structs[structure.name] == nil { structs[structure.name] = structure }
    return structure
  }

  /// Resolves the structs and unions of other targets. What is wrong in them is reported there.
  mutating func learn(_ foreign: [SyntaxTree]) {
    let log = log
    for syntax in foreign.flatMap(\.structs) { _ = structure(syntax) }
    for syntax in foreign.flatMap(\.unions) { _ = union(syntax) }
    self.log = log
  }

  /// Unions stand before the models whose properties are of them.
  mutating func union(_ syntax: ModelSyntax) -> Union {
    let union = UnionResolver.union(syntax, types, &log)
    if unions[union.name] == nil { unions[union.name] = union }
    return union
  }

  mutating func model(_ syntax: ModelSyntax, module: String? = nil) -> Model {
    var (model, own, indexed) = resolve(syntax, module: module, [.model], on: "a model")
    model.identity = model.identityPosition
    lower(own, to: &model)
    for (property, attribute) in indexed { index(property, attribute, of: &model) }
    model.resolveKeys()
    return model
  }

  /// The models of a file, and what was found on the way to them.
  mutating func models(of tree: SyntaxTree) -> ResolvedModels {
    let outer = log
    log = ResolutionLog()
    let models = tree.models.map { model($0) }
    defer { log = outer }
    return ResolvedModels(file: tree.file, models: models, log: log)
  }

  /// A type with its properties, its own attributes, and the indexes of properties.
  private mutating func resolve(
    _ syntax: ModelSyntax, module: String?, _ targets: Set<AttributeSpec.Target>, on subject: String
  ) -> (model: Model, own: [Attribute], indexed: [(property: Int, attribute: Attribute)]) {
    var attributes = AttributeResolver()
    let own = attributes.resolve(syntax.attributes, targets: targets, on: subject, named: syntax.name.text)
    var model = Model(
      name: syntax.name.text, module: module, documentation: syntax.documentation, range: syntax.name.range,
      end: syntax.end, properties: [], isIncomplete: syntax.isIncomplete)
    var seen: [String: NameSyntax] = [:]
    var indexed: [(property: Int, attribute: Attribute)] = []
    for property in syntax.properties {
      if let first = seen[property.name.text.lowercased()] {
        let same = first.text == property.name.text ? "" : ", but for letter case"
        log.bag.error(
          .duplicateProperty,
          "“\(syntax.name.text)” has the property “\(property.name.text)” twice\(same)",
          at: property.name.range, notes: [.init(message: "the first is here", range: first.range)])
        continue
      }
      seen[property.name.text.lowercased()] = property.name
      let (resolved, index) = self.property(property, of: syntax, &attributes)
      for part in parts(of: resolved) {
        if part.name != resolved.name, let first = seen[part.name.lowercased()] {
          log.bag.error(
            .duplicateProperty,
            "“\(syntax.name.text)” has a property “\(part.name)” by the union “\(resolved.name)”, and another one",
            at: property.name.range, notes: [.init(message: "the other is here", range: first.range)])
        }
        seen[part.name.lowercased()] = NameSyntax(text: part.name, range: property.name.range)
        if let index, part.isRelationship || part.unionPart == nil {
          indexed.append((model.properties.count, index))
        }
        model.properties.append(part)
        model.propertyAttributes.formUnion(part.places.keys)
      }
    }
    log.bag.add(attributes.bag)
    // One that was refused may have been meant as any other.
    if own.count < syntax.attributes.count { model.isIncomplete = true }
    return (model, own, indexed)
  }

  // MARK: Properties

  /// A property, and its `@Index`.
  private mutating func property(
    _ syntax: PropertySyntax, of owner: ModelSyntax, _ resolver: inout AttributeResolver
  ) -> (Property, Attribute?) {
    let type =
      owner.isStruct ? memberType(syntax, of: owner) : types.type(syntax, &log)
    let property = Property(
      name: syntax.name.text, documentation: syntax.documentation, type: type,
      isOptional: syntax.type.isOptional, range: syntax.name.range, declaration: syntax.declaration,
      typeRange: syntax.type.range, typeText: syntax.type.text, isIncomplete: syntax.isIncomplete,
      defaultRange: syntax.defaultValue?.range)
    let isUnknown = syntax.attributes.contains { AttributeKind(rawValue: $0.name.text) == nil }
    property.mayBeIdentity = isUnknown || syntax.isIncomplete
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

  /// The type of a struct's member, which leads to no row.
  private mutating func memberType(_ syntax: PropertySyntax, of owner: ModelSyntax) -> Property.PropertyType {
    let type = types.type(syntax, &log)
    switch type {
    case .toOne(let target), .toMany(let target):
      if !syntax.isIncomplete {
        log.bag.error(
          .invalidType,
          "“\(owner.name.text)” is a value, and “\(target)” a model: a value leads to no rows; make a model of the one, or a struct of the other",
          at: syntax.type.range)
      }
      return .invalid
    case .union(let union, _):
      if !syntax.isIncomplete {
        log.bag.error(
          .invalidType,
          "“\(owner.name.text)” is a value, and “\(union)” a union of models: a value leads to no rows",
          at: syntax.type.range)
      }
      return .invalid
    case .value, .invalid: return type
    }
  }

  /// What stands for a property: for one of a union of models a relationship to each, and what holds the type.
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

  private mutating func lower(_ attributes: [Attribute], to model: inout Model) {
    for attribute in attributes {
      model.places[attribute.kind] = attribute.range
      switch attribute.kind {
      case .parentScoped: model.parentScopeAnchor = anchor(attribute, of: model)
      case .updatedAt: model.updatedAtAnchor = anchor(attribute, of: model)
      case .softDelete: model.softDeleteAnchor = anchor(attribute, of: model)
      case .renamedFrom: model.renamedFrom = attribute.texts
      case .typeName: model.typeName = attribute.text()
      case .primaryKey:
        if attribute.isRight { identify(by: attribute, &model) } else { model.isIncomplete = true }
      case .index where attribute.isRight: index(attribute, of: &model)
      default: break
      }
    }
  }

  /// Adds the property that has what several others are together.
  private mutating func identify(by attribute: Attribute, _ model: inout Model) {
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
    let composite = Property(
      name: Model.compositeName, documentation: [], type: .value(.scalar(.string)), isOptional: false,
      range: attribute.range, declaration: attribute.range.offsets.lowerBound, typeRange: attribute.range,
      typeText: "\(model.name).ID", isIncomplete: false, defaultRange: nil)
    composite.isComposite = true
    composite.export = .never
    if let other = model.properties.first(where: { $0.name.lowercased() == Model.compositeName.lowercased() })
    {
      log.bag.error(
        .duplicateProperty,
        "“\(model.name)” has a property “\(Model.compositeName)” by “@PrimaryKey”, and another one",
        at: other.range, notes: [.init(message: "“@PrimaryKey” is here", range: attribute.range)])
    }
    model.identity = model.properties.count
    model.properties.append(composite)
  }

  /// The property that an attribute of the model names, if it is of the right type.
  private mutating func anchor(_ attribute: Attribute, of model: Model) -> Model.Anchor? {
    guard let path = attribute.paths.first, let position = find(path, in: model) else { return nil }
    let property = model.properties[position]
    if property.type == .invalid { return nil }
    let problem: String? =
      switch attribute.kind {
      case .parentScoped: if case .toOne = property.type { nil } else { "is no to-one relationship" }
      case .updatedAt: property.isDate ? nil : "is \(property.typeText), not a date"
      case .softDelete:
        property.isDate && property.isOptional
          ? nil : "is \(property.typeText), not an optional date"
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
        .unknownKeyPath, "“\(name.text)” leads to rows of several models, and is no column of its own",
        at: name.range)
    }
    let names = model.properties.map(\.name)
    log.bag.error(
      .unknownKeyPath,
      "“\(model.name)” has no property “\(name.text)”" + Suggestion.didYouMean(name.text, in: names),
      at: name.range, fixIts: Suggestion.fixIts(for: name.located, in: names))
  }

  private mutating func index(_ attribute: Attribute, of model: inout Model) {
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

  /// What a key path of an index names: a property, or a value inside of it.
  private mutating func term(_ path: Attribute.Path, in model: Model) -> Model.Index.Term? {
    guard let position = find(path, in: model) else { return nil }
    var (property, owner) = (model.properties[position], model.name)
    for (index, member) in path.members.enumerated() {
      if property.isIncomplete { return nil }
      if property.type == .invalid {
        // The way leads through a struct of a target, whose own imports are not seen here.
        if index > 0, let module = types.table.importedModules[owner] {
          log.bag.error(
            .unknownType,
            "“\(property.typeText)” of “\(module)” is of a target that is not imported here: import it, too",
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
        "“@Index”: “\(property.name)” is \(property.typeText); a text, a number, a date or an enum can be indexed",
        at: path.property.range.through(path.members[path.members.count - 1].range))
      return nil
    }
    return Model.Index.Term(property: position, path: path.members.map(\.text))
  }

  private mutating func index(_ property: Int, _ attribute: Attribute, of model: inout Model) {
    if attribute.arguments.isEmpty {
      model.indexes.append(Model.Index(terms: [.init(property: property)], range: attribute.range))
    } else {
      log.bag.error(.invalidArgument, "“@Index” on a property has no arguments", at: attribute.range)
    }
  }
}

extension Model {
  /// The position of the property that is marked as the identity, or has its name.
  fileprivate var identityPosition: Int? {
    if let marked = properties.firstIndex(where: { $0.places[.primaryKey] != nil }) { return marked }
    for name in ["id", "remoteID"] {
      if let position = properties.firstIndex(where: { $0.name == name && !$0.isRelationship }) {
        return position
      }
    }
    return nil
  }
}
