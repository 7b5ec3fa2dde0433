import SynclineNaming

extension Model {
  /// The model with the JSON keys of all its properties, in both styles.
  var withKeys: Model {
    var model = self
    model.resolveKeys()
    return model
  }

  private mutating func resolveKeys() {
    for index in properties.indices where !properties[index].isTransient {
      properties[index].snakeKeys = properties[index].candidates(.snakeCase)
      properties[index].camelKeys = properties[index].candidates(.camelCase)
    }
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
  fileprivate func candidates(_ style: KeyStyle) -> [String] {
    if isPosition || isComposite { return [] }
    if !typeKeys.isEmpty {
      let keys = typeKeys.map(\.value)
      return KeyCandidates.scalar(
        name, explicit: explicitKeys.isEmpty ? keys.map(style.transform(path:)) + keys : keys, style: style)
    }
    let explicit = explicitKeys.map(\.value)
    let name = unionPart?.property ?? name
    // The type of a key in a list could not be told.
    if unionPart != nil, isToMany { return KeyCandidates.scalar(name, explicit: explicit, style: style) }
    if let orderedList { return KeyCandidates.toMany(orderedList, explicit: explicit, style: style) }
    return switch type {
    case .toOne: KeyCandidates.toOne(name, explicit: explicit, style: style)
    case .toMany: KeyCandidates.toMany(name, explicit: explicit, style: style)
    default: KeyCandidates.scalar(name, explicit: explicit, style: style)
    }
  }
}
