import SynclineNaming
import SynclineSchema

extension SyncTable {
  /// A short string that changes when the model's rows are read from other keys, or in another way.
  func readingFingerprint(_ style: KeyStyle) -> String {
    var hash = StableHash()
    hash.add(name, identityProperty.name)
    for position in identityParts { hash.add(properties[position].name) }
    for property in properties {
      hash.add("property", property.name)
      for key in property.keys(in: style) { hash.add(key) }
      hash.add(property.isOptional ? "optional" : "", property.related?.syncTable.name ?? "")
      if property.isOfLists { hash.add("lists") }
      if let format = property.format { hash.add("\(format)") }
      hash.add("\(property.keyPatterns)", property.storedType?.name ?? "")
      if let type = property.madeType {
        hash.add(
          SyncStoredType.shape(of: type) {
            ([$0.name] + (style == .snakeCase ? $0.snakeKeys : $0.camelKeys) + [
              $0.format.map { "\($0)" } ?? ""
            ]).joined(separator: " ")
          })
      }
    }
    return hash.text
  }
}
