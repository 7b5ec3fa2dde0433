/// Finds the identity of a model, and the properties that its attributes name.
struct ModelAttributeResolver {
  private var model: Model
  private(set) var diagnostics: [Diagnostic] = []

  init(_ model: Model) {
    self.model = model
  }

  mutating func run() -> Model {
    resolveIdentity()
    model.parentScope = position(of: .parentScoped) { property in
      if case .toOne = property.type { nil } else { "is no to-one relationship" }
    }
    model.updatedAt = position(of: .updatedAt) { property in
      property.type == .scalar(.date) ? nil : "is \(property.typeText), not a date"
    }
    model.softDelete = position(of: .softDelete) { property in
      property.type == .scalar(.date) && property.isOptional
        ? nil : "is \(property.typeText), not an optional date"
    }
    resolveIndexes()
    return model
  }

  private mutating func resolveIdentity() {
    let marked = model.properties.indices.filter { model.properties[$0].attribute(.primaryKey) != nil }
    if marked.count > 1 {
      let property = model.properties[marked[1]]
      diagnostics.append(
        Diagnostic(
          code: .twoIdentities, severity: .error, message: "“\(model.name)” has two identities",
          range: property.range,
          notes: [.init(message: "the first is here", range: model.properties[marked[0]].range)]))
    }
    let named = ["id", "remoteID"].compactMap { name in
      model.properties.firstIndex { $0.name == name && !$0.isRelationship }
    }
    guard let position = marked.first ?? named.first else {
      let isTaken = model.properties.contains { $0.name.lowercased() == "id" }
      diagnostics.append(
        Diagnostic(
          code: .noIdentity, severity: .error,
          message: "“\(model.name)” has no identity: name a property “id” or mark one with “@PrimaryKey”",
          range: model.range, fixIts: isTaken ? [] : [identityFixIt]))
      return
    }
    model.identity = position
    let property = model.properties[position]
    if case .invalid = property.type { return }
    guard !property.isTransient else {
      error(
        .invalidIdentity, "the identity “\(property.name)” is transient; it must be stored", property.range)
      return
    }
    guard case .scalar(let scalar) = property.type, scalar.canBeIdentity, !property.isOptional else {
      error(
        .invalidIdentity,
        "the identity “\(property.name)” is \(property.typeText); it must be “String”, an integer or “UUID”, and not optional",
        property.typeRange)
      return
    }
  }

  /// A property before the closing brace, on a line of its own if the brace has one.
  private var identityFixIt: Diagnostic.FixIt {
    let file = model.end.file
    let offset = model.end.offsets.lowerBound
    let column = model.end.start.column
    let before = file.line(model.end.start.line).prefix(column - 1)
    let replacement = before.allSatisfy { $0 == " " || $0 == "\t" } ? "  id: Int\n\(before)" : "; id: Int "
    return .init(
      message: "write “id: Int”", range: SourceRange(file: file, offsets: offset..<offset),
      replacement: replacement)
  }

  /// The position of the property that an attribute of the model names.
  private mutating func position(of kind: AttributeKind, problem: (Property) -> String?) -> Int? {
    guard let attribute = model.attributes.first(where: { $0.kind == kind }),
      let path = attribute.keyPath(nil)
    else {
      return nil
    }
    guard let position = find(path) else { return nil }
    if case .invalid = model.properties[position].type { return nil }
    if let problem = problem(model.properties[position]) {
      error(
        .invalidModelAttribute, "“@\(kind.rawValue)” of “\(model.name)”: “\(path.property.text)” \(problem)",
        path.property.range)
      return nil
    }
    if !model.properties[position].isStored {
      error(
        .invalidModelAttribute,
        "“@\(kind.rawValue)” of “\(model.name)”: “\(path.property.text)” is not stored",
        path.property.range)
      return nil
    }
    return position
  }

  private mutating func find(_ path: (root: NameSyntax?, property: NameSyntax)) -> Int? {
    if let root = path.root, root.text != model.name {
      error(.unknownKeyPath, "the key path starts at “\(root.text)”, not at “\(model.name)”", root.range)
      return nil
    }
    if let position = model.properties.firstIndex(where: { $0.name == path.property.text }) {
      return position
    }
    error(
      .unknownKeyPath,
      "“\(model.name)” has no property “\(path.property.text)”"
        + Suggestion.didYouMean(path.property.text, in: model.properties.map(\.name)),
      path.property.range)
    return nil
  }

  private mutating func resolveIndexes() {
    for attribute in model.attributes where attribute.kind == .index && attribute.isRight {
      if attribute.keyPaths.isEmpty {
        error(
          .invalidArgument, "“@Index” on a model names its properties; write @Index(\\.a, \\.b)",
          attribute.range)
      }
      let positions = attribute.keyPaths.compactMap { find($0) }
      guard positions.count == attribute.keyPaths.count, !positions.isEmpty else { continue }
      guard let bad = positions.first(where: { !model.properties[$0].isStored }) else {
        model.indexes.append(positions)
        continue
      }
      error(
        .invalidModelAttribute, "“@Index”: “\(model.properties[bad].name)” has no column in “\(model.name)”",
        attribute.range)
    }
    for (position, property) in model.properties.enumerated() {
      for attribute in property.attributes where attribute.kind == .index && attribute.isRight {
        if !attribute.arguments.isEmpty {
          error(.invalidArgument, "“@Index” on a property has no arguments", attribute.range)
        } else if !property.isStored {
          error(
            .invalidModelAttribute, "“@Index”: “\(property.name)” has no column in “\(model.name)”",
            attribute.range)
        } else {
          model.indexes.append([position])
        }
      }
    }
  }

  private mutating func error(_ code: DiagnosticCode, _ message: String, _ range: SourceRange) {
    diagnostics.append(Diagnostic(code: code, severity: .error, message: message, range: range))
  }
}
