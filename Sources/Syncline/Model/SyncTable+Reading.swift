import SynclineNaming
import SynclineSchema

extension SyncTable {
  /// A short string that changes when the model's rows are read from other keys, or in another way.
  package func readingFingerprint(_ style: KeyStyle) -> String {
    var hash = StableHash()
    hash.add(name, identityProperty.name)
    if isOneOrMany { hash.add("oneOrMany") }
    if let typeName { hash.add("type", typeName) }
    if let parentScope { hash.add("scope", properties[parentScope].name) }
    for position in identityParts { hash.add(properties[position].name) }
    // A local property is not read at all.
    for property in properties where !property.isLocal {
      hash.add("property", property.name)
      for key in property.keys(in: style) { hash.add(key) }
      // If a list did not remove rows before, the stored list may contain rows that it now removes.
      let isLink = if case .link = property.kind { true } else { false }
      if let missing = property.missing, isLink || missing == .keep { hash.add("\(missing)") }
      hash.add(property.isOptional ? "optional" : "", property.related?.syncTable.name ?? "")
      if property.isOfLists { hash.add("lists") }
      if let format = property.format { hash.add("\(format)") }
      if let rule = property.oneOrMany { hash.add("\(rule)") }
      hash.add("\(property.keyPatterns.map(\.source))", property.storedType?.name ?? "")
      if let nulls = property.nulls { hash.add("null \(SyncJSON.array(nulls.words))") }
      if property.isMerged { hash.add("merged") }
      if let transform = (property.transformedType as? any AnyTransformed.Type)?.schemaName {
        hash.add("transform", transform)
      }
      if property.createsUnknown { hash.add("creates") }
      if let lookup = property.lookup { hash.add("by", lookup) }
      // Defaults are left out, so that most fingerprints of earlier versions, and their cursors, stay valid.
      if let union = property.union {
        let entry = union.cases.cases[union.index]
        if union.cases.key != "type" || entry.type != entry.name { hash.add(union.cases.key, entry.type) }
      }
      if let type = property.valueType {
        let shape = SyncStoredType.shape(of: type) { $0.readingText(style) }
        // For all other types, the name of the stored type is enough.
        if property.composedType != nil || shape.contains("<") { hash.add(shape) }
      }
    }
    for mark in deletionMarks { hash.add("deleted", mark.description(in: style)) }
    // The server must send rows again that were too old by the former date, or that the former mark kept.
    if let updatedAt { hash.add("updatedAt", properties[updatedAt].name) }
    if let softDelete { hash.add("softDelete", properties[softDelete].name) }
    return hash.text
  }
}

extension SyncTable {
  /// Whether an object has a key of the identity, another key that only this model reads, or such a key of a model that this one reads
  /// from the same object.
  ///
  /// - Parameter others: the keys of the row that is read from the same object.
  func isStated(in object: SyncValue, besides others: KeyTable, _ style: KeyStyle) -> Bool {
    let keys = keyTable(style)
    var isStated = false
    object.forEachMember { key, _ in
      let name = keys.position(of: key)
      isStated = isStated || name >= 0 && (others.position(of: key) < 0 || identifies(Int(name), keys))
    }
    guard !isStated, let itself = keys.itself else { return isStated }
    return properties[itself.property].related?.syncTable.isStated(in: object, besides: others, style)
      ?? false
  }

  /// Whether a name of the table of keys is a key of the identity.
  func identifies(_ name: Int, _ keys: KeyTable) -> Bool {
    identifyingProperties.contains { keys.candidates[$0].contains { $0.name == name } }
  }
}

extension SyncMember {
  /// How it is read: its name, keys, date format, `@Null` values and transform.
  func readingText(_ style: KeyStyle) -> String {
    var words = [name] + keys(in: style)
    words.append(format.map { "\($0)" } ?? "")
    if let oneOrMany { words.append("\(oneOrMany)") }
    if let nulls { words.append("null \(SyncJSON.array(nulls.words))") }
    if isMerged { words.append("merged") }
    let transform = (type as? any AnyTransformed.Type)?.schemaName
    if let transform { words.append("transform \(transform)") }
    return words.joined(separator: " ")
  }
}
