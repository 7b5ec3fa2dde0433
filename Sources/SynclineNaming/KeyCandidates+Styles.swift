extension KeyCandidates {
  /// The values of a property's keys.
  package enum Form: Sendable {
    /// A scalar, a struct, or a list or map of them.
    case scalar
    /// A row, or the key of one.
    case toOne
    /// Rows, or their keys.
    case toMany
  }

  /// The keys of a property in any style, from those in the two styles that generated code lists.
  ///
  /// - Parameters:
  ///   - explicit: the keys that the schema states, empty if it states none. If nil, they are inferred from the two lists. This
  ///     takes the keys of `@RemoteKey("title") title` for those of a property without the attribute: they are the same.
  ///   - path: the path of the object that the model's keys are in; nil if it is the object of the row.
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
      // An identity. The aliases that it does not have belong to other properties.
      let taken = aliases.filter { !snake.contains($0) }.flatMap { [$0] + style.spellings(of: $0) }
      return identity(name, style: style, takenKeys: Set(taken))
    }
  }

  /// The keys of a property that is not the identity: those that the schema states, or else those made from its name.
  ///
  /// - Parameters:
  ///   - explicit: the keys that the schema states, as paths from the object of the row.
  ///   - path: the path of the object that keys made from the name are in; nil if it is the object of the row.
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

  /// Keys without the path of the object that they are in; nil if one of them is elsewhere.
  private static func keys(_ keys: [String], inside path: String, _ style: KeyStyle) -> [String]? {
    let prefixes = [path, style.transform(path: path)].map { $0 + "." }
    var inner: [String] = []
    for key in keys {
      guard let prefix = prefixes.first(where: { key.hasPrefix($0) }) else { return nil }
      inner.append(String(key.dropFirst(prefix.count)))
    }
    return unique(inner)
  }

  /// The keys that the schema states, inferred from the lists of two styles, of which both contain them.
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
    // The keys of a union's type are not stated: they are tried in the style first. Inside of the row's object, the key is the
    // one that the union states.
    let styled = stated.flatMap { key in
      let head = key.prefix { $0 != "." }
      return [style.transform(path: key), style.transform(String(head)) + key.dropFirst(head.count)]
    }
    return styled + stated
  }
}
