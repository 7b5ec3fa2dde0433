import SynclineNaming

/// The JSON keys in the description of a property: only those that the runtime does not find itself.
extension Property {
  /// The keys as arguments: none if they are derived from the name, the keys stated in the schema, or one list for each of the
  /// two styles.
  func keyArguments(isIdentity: Bool) -> [Code] {
    if hasNoKeys { return [] }
    guard hasDerivedKeys(isIdentity: isIdentity) else {
      return ["snake: " + SwiftText.literals(snakeKeys), "camel: " + SwiftText.literals(camelKeys)]
    }
    let stated = explicitPaths(below: prefix)
    return stated.isEmpty ? [] : ["keys: " + SwiftText.literals(stated)]
  }

  /// The keys stated in the schema, if the arguments are lists from which the runtime could not infer the stated keys in the
  /// target's style; otherwise nil.
  func keysToState(in style: KeyStyle, isIdentity: Bool) -> [String]? {
    if hasNoKeys || hasDerivedKeys(isIdentity: isIdentity) { return nil }
    return keys(in: style) == keys(in: style, stating: nil) ? nil : statedKeys
  }

  /// Whether the runtime knows that the property has no keys.
  private var hasNoKeys: Bool { isPosition || isComposite || isLocal }

  /// Whether the runtime can derive the keys from the name and the stated keys. It cannot if other properties have keys of the
  /// identity, or if a union states the keys.
  private func hasDerivedKeys(isIdentity: Bool) -> Bool {
    guard isIdentity || unionPart != nil || !typeKeys.isEmpty else { return true }
    return KeyStyle.allCases.allSatisfy { derivedKeys(in: $0, isIdentity: isIdentity) == keys(in: $0) }
  }
}
