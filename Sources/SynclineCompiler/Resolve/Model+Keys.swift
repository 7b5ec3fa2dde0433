import SynclineNaming

extension Model {
  /// Finds the JSON keys of all properties, in both styles.
  func resolveKeys() {
    for property in properties { property.resolveKeys() }
    guard let identity, !properties[identity].isComposite else { return }
    let property = properties[identity]
    let others = properties.enumerated().filter { $0.offset != identity }.map(\.element)
    properties[identity].snakeKeys = KeyCandidates.identity(
      property.name, explicit: property.explicitKeys.map(\.value), style: .snakeCase,
      takenKeys: Set(others.flatMap(\.snakeKeys)))
    properties[identity].camelKeys = KeyCandidates.identity(
      property.name, explicit: property.explicitKeys.map(\.value), style: .camelCase,
      takenKeys: Set(others.flatMap(\.camelKeys)))
  }
}

extension Property {
  /// Finds the JSON keys, except those that an identity gets only if no other property has them.
  func resolveKeys() {
    guard !isTransient else { return }
    snakeKeys = candidates(.snakeCase)
    camelKeys = candidates(.camelCase)
  }

  private func candidates(_ style: KeyStyle) -> [String] {
    if isPosition || isComposite || isLocal { return [] }
    if !typeKeys.isEmpty {
      let keys = typeKeys.map(\.value)
      return KeyCandidates.scalar(
        name, explicit: explicitKeys.isEmpty ? keys.map(style.transform(path:)) + keys : keys, style: style)
    }
    let explicit = explicitKeys.map(\.value)
    let name = unionPart?.property ?? name
    // A to-many union has no keys for its type: they would not fit a list.
    if unionPart != nil, isToMany { return KeyCandidates.scalar(name, explicit: explicit, style: style) }
    if let orderedList { return KeyCandidates.toMany(orderedList, explicit: explicit, style: style) }
    return switch type {
    case .toOne: KeyCandidates.toOne(name, explicit: explicit, style: style)
    case .toMany: KeyCandidates.toMany(name, explicit: explicit, style: style)
    default: KeyCandidates.scalar(name, explicit: explicit, style: style)
    }
  }
}
