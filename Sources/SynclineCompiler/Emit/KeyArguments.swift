import SynclineNaming

/// The JSON keys in the description of a property: only those that the runtime does not find itself.
extension Property {
  /// The keys as arguments: none if they are made from the name, those that the schema states, or lists for two styles.
  func keyArguments(isIdentity: Bool) -> [Code] {
    if hasNoKeys { return [] }
    guard hasDerivedKeys(isIdentity: isIdentity) else {
      return ["snake: " + SwiftText.literals(snakeKeys), "camel: " + SwiftText.literals(camelKeys)]
    }
    let stated = explicitPaths(below: prefix)
    return stated.isEmpty ? [] : ["keys: " + SwiftText.literals(stated)]
  }

  /// The keys that the schema states, if lists are written, and the target's style is one in which the runtime could not
  /// infer them from the lists.
  func keysToState(in style: KeyStyle, isIdentity: Bool) -> [String]? {
    if hasNoKeys || hasDerivedKeys(isIdentity: isIdentity) { return nil }
    return keys(in: style) == inferredKeys(in: style) ? nil : statedKeys
  }

  /// Whether the runtime knows that it has no keys.
  private var hasNoKeys: Bool { isPosition || isComposite || isLocal }

  /// Whether the runtime finds the keys from the name and from those that the schema states. It does not if other properties
  /// have keys of the identity, or if a union states them.
  private func hasDerivedKeys(isIdentity: Bool) -> Bool {
    guard isIdentity || unionPart != nil || !typeKeys.isEmpty else { return true }
    return KeyStyle.allCases.allSatisfy { derivedKeys(in: $0, isIdentity: isIdentity) == keys(in: $0) }
  }
}
