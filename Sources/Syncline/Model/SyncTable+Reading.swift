import SynclineNaming
import SynclineSchema

extension SyncTable {
  /// A short string that changes when the model's rows are read from other keys, or in another way.
  func readingFingerprint(_ style: KeyStyle) -> String {
    var hash = StableHash()
    hash.add(name, identityProperty.name)
    if isOneOrMany { hash.add("oneOrMany") }
    for position in identityParts { hash.add(properties[position].name) }
    // A local property is not read at all.
    for property in properties where !property.isLocal {
      hash.add("property", property.name)
      for key in property.keys(in: style) { hash.add(key) }
      // A list that has only added before may lack what it now removes.
      if case .link = property.kind, let missing = property.missing { hash.add("\(missing)") }
      hash.add(property.isOptional ? "optional" : "", property.related?.syncTable.name ?? "")
      if let format = property.format { hash.add("\(format)") }
      if let rule = property.oneOrMany { hash.add("\(rule)") }
      hash.add("\(property.keyPatterns)", property.storedType?.name ?? "")
      if let nulls = property.nulls { hash.add("null \(SyncJSON.array(nulls.words))") }
      if let type = property.madeType {
        hash.add(
          SyncStoredType.shape(of: type) { member in
            var words = [member.name] + member.keys(in: style)
            words.append(member.format.map { "\($0)" } ?? "")
            if let rule = member.oneOrMany { words.append("\(rule)") }
            if let nulls = member.nulls { words.append("null \(SyncJSON.array(nulls.words))") }
            return words.joined(separator: " ")
          })
      }
    }
    for mark in deletionMarks { hash.add("deleted", mark.description(in: style)) }
    return hash.text
  }
}
