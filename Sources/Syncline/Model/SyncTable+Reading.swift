import SynclineNaming
import SynclineSchema

extension SyncTable {
  /// A short string that changes when the model's rows are read from other keys, or in another way.
  func readingFingerprint(_ style: KeyStyle) -> String {
    var hash = StableHash()
    hash.add(name, identityProperty.name)
    for position in identityParts { hash.add(properties[position].name) }
    // A local property is not read at all.
    for property in properties where !property.isLocal {
      hash.add("property", property.name)
      for key in property.keys(in: style) { hash.add(key) }
      // A list that has only added before may lack what it now removes.
      if case .link = property.kind, let missing = property.missing { hash.add("\(missing)") }
      hash.add(property.isOptional ? "optional" : "", property.related?.syncTable.name ?? "")
      if let format = property.format { hash.add("\(format)") }
      hash.add("\(property.keyPatterns)", property.storedType?.name ?? "")
      if let nulls = property.nulls { hash.add("null \(SyncJSON.array(nulls.words))") }
      if let type = property.madeType {
        hash.add(
          SyncStoredType.shape(of: type) {
            ([$0.name] + $0.keys(in: style) + [$0.format.map { "\($0)" } ?? ""]
              + ($0.nulls.map { ["null \(SyncJSON.array($0.words))"] } ?? [])).joined(separator: " ")
          })
      }
    }
    for mark in deletionMarks { hash.add("deleted", mark.description(in: style)) }
    return hash.text
  }
}
