import SynclineNaming

extension Model {
  /// Finds the JSON keys of all properties, in both styles. If `@Below` is invalid, its properties get no keys.
  func resolveKeys() {
    resolveKeysOfProperties()
    isOfLists = !isStruct && properties.contains { $0.snakeKeys.contains { RemotePath.place(of: $0) != nil } }
  }

  private func resolveKeysOfProperties() {
    let isBelowInvalid = isBelowInvalid
    for (position, property) in properties.enumerated() {
      let prefix = prefix(of: position)
      if prefix == nil || !isBelowInvalid { property.resolveKeys(below: prefix) }
    }
    guard let identity, !properties[identity].isComposite else { return }
    let property = properties[identity]
    let others = properties.enumerated().filter { $0.offset != identity }.map(\.element)
    properties[identity].snakeKeys = KeyCandidates.identity(
      property.name, explicit: property.explicitPaths(below: nil), style: .snakeCase,
      takenKeys: Set(others.flatMap(\.snakeKeys).map(RemotePath.unquoted)))
    properties[identity].camelKeys = KeyCandidates.identity(
      property.name, explicit: property.explicitPaths(below: nil), style: .camelCase,
      takenKeys: Set(others.flatMap(\.camelKeys).map(RemotePath.unquoted)))
  }
}

extension Model {
  /// Whether the argument of `@Below` is not the path of an object.
  var isBelowInvalid: Bool { below.map { Model.problem(ofBelow: $0.value) != nil } ?? false }

  /// The reason why a string is not the path of an object; nil if it is one.
  static func problem(ofBelow text: String) -> String? {
    guard !text.isEmpty else { return "it is empty" }
    do {
      return try RemotePath(text).hasSteps ? "it steps into a list or a map" : nil
    } catch {
      return error.description
    }
  }
}

extension Property {
  /// Finds the JSON keys. Excludes the keys that an identity gets only if no other property has them.
  ///
  /// - Parameter prefix: the path to which the keys are relative; nil for the row's object.
  func resolveKeys(below prefix: String?) {
    guard !isTransient else { return }
    self.prefix = prefix
    snakeKeys = candidates(.snakeCase, below: prefix)
    camelKeys = candidates(.camelCase, below: prefix)
  }

  private func candidates(_ style: KeyStyle, below prefix: String?) -> [String] {
    if isPosition || isComposite || isLocal { return [] }
    if !typeKeys.isEmpty {
      let keys = typeKeys.map(\.value)
      let paths = explicitKeys.isEmpty ? keys.map(style.transform(path:)) + keys : keys
      return KeyCandidates.scalar(
        name, explicit: paths.map { RemotePath.rooted($0, below: prefix) }, style: style)
    }
    return derivedKeys(in: style, isIdentity: false)
  }
}
