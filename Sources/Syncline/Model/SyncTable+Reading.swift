import SynclineNaming
import SynclineSchema

extension SyncTable {
  /// A short string that changes when the model's rows are read from other keys, or in another way.
  package func readingFingerprint(_ style: KeyStyle) -> String {
    var hash = StableHash()
    hash.add(name, identityProperty.name)
    for position in identityParts { hash.add(properties[position].name) }
    for property in properties {
      hash.add("property", property.name)
      for key in property.keys(in: style) { hash.add(key) }
      hash.add(property.isOptional ? "optional" : "", property.related?.syncTable.name ?? "")
      if let format = property.format { hash.add("\(format)") }
      hash.add("\(property.keyPatterns)", property.storedType?.name ?? "")
      if property.isMerged { hash.add("merged") }
      if let type = property.madeType {
        hash.add(SyncStoredType.shape(of: type) { $0.readingText(style) })
      }
    }
    return hash.text
  }
}

extension SyncMember {
  /// The name, the keys and the other ways in which it is read, as text.
  fileprivate func readingText(_ style: KeyStyle) -> String {
    var words = [name] + (style == .snakeCase ? snakeKeys : camelKeys)
    words.append(format.map { "\($0)" } ?? "")
    if isMerged { words.append("merged") }
    return words.joined(separator: " ")
  }
}
