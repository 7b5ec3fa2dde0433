import SynclineNaming
import SynclineSchema

extension SyncTable {
  /// A short string that changes when the model's rows are read from other keys, or in another way.
  func readingFingerprint(_ style: KeyStyle) -> String {
    var hash = StableHash()
    hash.add(name, identityProperty.name)
    if isOneOrMany { hash.add("oneOrMany") }
    for position in identityParts { hash.add(properties[position].name) }
    for property in properties {
      hash.add("property", property.name)
      for key in property.keys(in: style) { hash.add(key) }
      hash.add(property.isOptional ? "optional" : "", property.related?.syncTable.name ?? "")
      if let format = property.format { hash.add("\(format)") }
      if let rule = property.oneOrMany { hash.add("\(rule)") }
      hash.add("\(property.keyPatterns)", property.storedType?.name ?? "")
      if let type = property.madeType {
        hash.add(
          SyncStoredType.shape(of: type) { member in
            var words = [member.name] + (style == .snakeCase ? member.snakeKeys : member.camelKeys)
            words.append(member.format.map { "\($0)" } ?? "")
            if let rule = member.oneOrMany { words.append("\(rule)") }
            return words.joined(separator: " ")
          })
      }
    }
    return hash.text
  }
}
