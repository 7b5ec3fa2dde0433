/// An attribute with a valid name.
struct Attribute: Sendable {
  let kind: AttributeKind
  /// The arguments; empty if they were rejected.
  let arguments: [ArgumentSyntax]
  let range: SourceRange
  /// Whether its arguments are valid.
  let isRight: Bool

  /// A key path as written.
  struct Path: Sendable {
    let root: NameSyntax?
    let property: NameSyntax
    /// The struct members after the property.
    let members: [NameSyntax]
  }

  private func argument(_ label: String?) -> LiteralSyntax? {
    arguments.first { $0.label?.text == label }?.value
  }

  func text(_ label: String? = nil) -> Located<String>? {
    guard let argument = argument(label), case .text(let text) = argument.value else { return nil }
    return Located(value: text, range: argument.range)
  }

  /// A string, a number or a boolean; nil if it is another value, or a number that is out of range.
  func value(_ label: String) -> Located<DefaultValue>? {
    guard let argument = argument(label), let value = argument.comparedValue else { return nil }
    return Located(value: value, range: argument.range)
  }

  /// The name of a Swift type.
  var typeName: Located<String>? {
    guard let argument = argument(nil) else { return nil }
    switch argument.value {
    case .word(let name): return Located(value: name, range: argument.range)
    case .path(let root, let member):
      return Located(value: "\(root.text).\(member.text)", range: argument.range)
    default: return nil
    }
  }

  /// All strings without a label.
  var texts: [Located<String>] {
    arguments.compactMap { argument in
      guard argument.label == nil, case .text(let text) = argument.value.value else { return nil }
      return Located(value: text, range: argument.value.range)
    }
  }

  /// The member of an argument, converted to a raw-representable type.
  func member<Value: RawRepresentable & Sendable>(_ label: String?, as type: Value.Type) -> Located<Value>?
  where Value.RawValue == String {
    guard let argument = argument(label), case .member(let name) = argument.value,
      let value = Value(rawValue: name.text)
    else { return nil }
    return Located(value: value, range: argument.range)
  }

  /// The values that mean null.
  var nullWords: [Located<NullWord>] {
    arguments.compactMap { argument in
      NullWord(argument.value).map { Located(value: $0, range: argument.value.range) }
    }
  }

  /// All key paths without a label.
  var paths: [Path] {
    arguments.compactMap { argument in
      guard argument.label == nil, case .keyPath(let root, let property, let members) = argument.value.value
      else { return nil }
      return Path(root: root, property: property, members: members)
    }
  }

  /// The content of `@Relationship`.
  var relationshipClause: RelationshipClause {
    var inverse: Located<RelationshipClause.Inverse>?
    if let argument = argument("inverse") {
      switch argument.value {
      case .null: inverse = Located(value: .nothing, range: argument.range)
      case .keyPath(let root, let property, _):
        inverse = Located(
          value: .property(root: root?.located, name: property.located), range: argument.range)
      default: break
      }
    }
    var lookup: Located<RelationshipClause.Path>?
    if let argument = argument("by"), case .keyPath(let root, let property, _) = argument.value {
      lookup = Located(value: .init(root: root?.located, name: property.located), range: argument.range)
    }
    return RelationshipClause(
      range: range,
      firstArgument: arguments.first.map {
        $0.label?.located ?? Located(value: "", range: $0.value.range)
      },
      inverse: inverse, deleteRule: member("deleteRule", as: Relationship.DeleteRule.self),
      missing: member("missing", as: Relationship.MissingRule.self),
      unknown: member("unknown", as: Relationship.UnknownRule.self), lookup: lookup)
  }
}

extension Model.DeletionMark {
  /// The content of `@Deleted`; nil if it was rejected.
  init?(_ attribute: Attribute) {
    guard attribute.isRight, let key = attribute.text() else { return nil }
    self.init(key: key, value: attribute.value("is"), range: attribute.range)
  }
}

extension Property {
  /// Copies the content of an attribute into the fields of the property.
  func lower(_ attribute: Attribute) {
    places[attribute.kind] = attribute.range
    if !attribute.isRight { isIncomplete = true }
    switch attribute.kind {
    case .primaryKey:
      primaryRemoteKey = attribute.text("remote")
      identityMaker = attribute.member("madeBy", as: Property.IdentityMaker.self)
    case .remoteKey: remoteKeys = attribute.texts
    case .keyPattern: keyPatterns = attribute.texts
    case .transform: transform = attribute.typeName
    case .dateFormat: dateFormat = attribute.text()
    case .null: ownNulls = attribute.nullWords
    case .notExport, .position, .local: export = .never
    case .export:
      guard export != .never else { return }
      export = attribute.member(nil, as: Property.Export.self)?.value ?? export
    case .relationship: relationshipClause = attribute.relationshipClause
    case .renamedFrom: renamedFrom = attribute.texts
    case .oneOrMany: isOneOrMany = true
    case .below, .singleton, .transient, .index, .unique, .parentScoped, .updatedAt, .softDelete, .deleted,
      .offline, .typeName, .ordered, .merged:
      break
    }
  }
}
