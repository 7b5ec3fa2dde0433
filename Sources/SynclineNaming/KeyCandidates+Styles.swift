extension KeyCandidates {
  /// The form of the values under a property's keys.
  package enum Form: Sendable {
    /// A scalar, a struct, or a list or map of them.
    case scalar
    /// A row, or its key.
    case toOne
    /// A list of rows, or of their keys.
    case toMany
  }

  /// The keys of a property in any style, derived from its keys in the two styles that generated code lists.
  ///
  /// - Parameters:
  ///   - explicit: the keys that the schema states, empty if it states none. If nil, they are inferred from the two lists.
  ///     `@RemoteKey("title") title` is then treated like a property without the attribute, because its keys are the same.
  ///   - path: the path of the object that contains the model's keys; nil if it is the row's object.
  package static func keys(
    of name: String, _ form: Form, snake: [String], camel: [String], explicit: [String]? = nil,
    below path: String? = nil, in style: KeyStyle
  ) -> [String] {
    switch style {
    case .snakeCase: return snake
    case .camelCase: return camel
    case .pascalCase, .kebabCase: break
    }
    if snake.isEmpty { return [] }
    if let path, explicit?.isEmpty ?? true, let snake = keys(snake, inside: path, .snakeCase),
      let camel = keys(camel, inside: path, .camelCase)
    {
      let inner = keys(of: name, form, snake: snake, camel: camel, explicit: explicit, in: style)
      return below(path, inner, style: style)
    }
    let explicit = explicit ?? stated(name, form, snake: snake, camel: camel, style)
    guard explicit.isEmpty else { return scalar(name, explicit: explicit, style: style) }
    switch form {
    case .toOne: return toOne(name, style: style)
    case .toMany: return toMany(name, style: style)
    case .scalar:
      if snake == scalar(name, style: .snakeCase) { return scalar(name, style: style) }
      // The property is an identity. Aliases that it lacks are keys of other properties.
      let taken = aliases.filter { !snake.contains($0) }.flatMap { [$0] + style.spellings(of: $0) }
      return identity(name, style: style, takenKeys: Set(taken))
    }
  }

  /// The keys of a property that is not the identity: those that the schema states, or else those derived from its name.
  ///
  /// - Parameters:
  ///   - explicit: the keys that the schema states, as paths from the row's object.
  ///   - path: the path of the object that contains the derived keys; nil if it is the row's object.
  package static func keys(
    of name: String, _ form: Form, explicit: [String], below path: String?, in style: KeyStyle
  ) -> [String] {
    let keys =
      switch form {
      case .scalar: scalar(name, explicit: explicit, style: style)
      case .toOne: toOne(name, explicit: explicit, style: style)
      case .toMany: toMany(name, explicit: explicit, style: style)
      }
    guard let path, explicit.isEmpty else { return keys }
    return below(path, keys, style: style)
  }

  /// The keys without the path of their object; nil if a key is not in that object.
  private static func keys(_ keys: [String], inside path: String, _ style: KeyStyle) -> [String]? {
    let prefixes = [path, style.transform(path: path)].map { $0 + "." }
    var inner: [String] = []
    for key in keys {
      guard let prefix = prefixes.first(where: { key.hasPrefix($0) }) else { return nil }
      inner.append(String(key.dropFirst(prefix.count)))
    }
    return unique(inner)
  }

  /// The keys that the schema states, inferred as the keys that the lists of both styles contain.
  private static func stated(
    _ name: String, _ form: Form, snake: [String], camel: [String], _ style: KeyStyle
  ) -> [String] {
    let convention =
      switch form {
      case .scalar: identity(name, style: .snakeCase)
      case .toOne: toOne(name, style: .snakeCase)
      case .toMany: toMany(name, style: .snakeCase)
      }
    let isConventional =
      form == .scalar
      ? snake.first == convention.first && snake.allSatisfy(convention.contains) : snake == convention
    if isConventional { return [] }
    let stated = snake.filter(camel.contains)
    guard snake.first != camel.first else { return stated }
    // The keys of a union's type are not stated in the schema. They are tried in the style first. Inside the row's object, the
    // key is the one that the union states.
    let styled = stated.flatMap { key in
      let head = key.prefix { $0 != "." }
      return [style.transform(path: key), style.transform(String(head)) + key.dropFirst(head.count)]
    }
    return styled + stated
  }
}
