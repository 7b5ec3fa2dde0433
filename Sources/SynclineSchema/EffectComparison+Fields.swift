extension EffectComparison {
  /// Compares the properties of two versions of a model, or the members of two versions of a struct.
  ///
  /// - Parameter isRead: whether both versions have JSON keys.
  mutating func compare(_ fields: FieldPairs, of owner: String, isRead: Bool) {
    let keys = FieldKeys(fields)
    for (old, new) in fields.pairs {
      if isRead { compareReading(old, new, of: owner, keys) }
      guard let old, isWhole else { continue }
      compareWords(of: owner, new.name, from: old.words, to: new.words)
    }
    if isRead {
      for field in fields.old where keys.read.isDisjoint(with: field.keys) {
        guard let key = field.readKey else { continue }
        addKey(.reading, .removed, of: owner, key: key, "no longer reads “\(key)”")
      }
    }
    guard isWhole else { return }
    for (old, new) in fields.pairs { compareBodies(old, new, of: owner, keys) }
    for field in fields.dropped {
      guard let key = field.writtenKey, !keys.written.contains(key) else { continue }
      addKey(.bodies, .removed, of: owner, key: key, "no longer writes “\(key)”")
    }
  }

  /// Adds an effect on a key.
  private mutating func addKey(
    _ area: SchemaEffect.Area, _ kind: SchemaEffect.Kind, of owner: String, key: String,
    from: String? = nil, to: String? = nil, _ predicate: String
  ) {
    add(area, kind, of: owner, key: key, from: from, to: to, "\(owner) \(predicate)")
  }

  // MARK: Reading

  private mutating func compareReading(
    _ old: SchemaField?, _ new: SchemaField, of owner: String, _ keys: FieldKeys
  ) {
    guard let key = new.readKey else { return }
    let wasRead = new.keys.contains(where: keys.formerlyRead.contains)
    guard let old, wasRead, !old.keys.isEmpty else {
      // A new case of a union is read from the same keys as the other cases.
      if wasRead, keys.kept.contains(where: new.isLike) { return }
      let verb = new.isRequired ? "needs" : "reads"
      addKey(
        .reading, new.isRequired ? .required : .added, of: owner, key: key, to: new.type,
        "\(verb) “\(key)”, \(new.type)")
      return
    }
    if old.keys != new.keys {
      let (from, to) = (EffectComparison.list(old.keys), EffectComparison.list(new.keys))
      add(
        .reading, .keysChanged, of: owner, key: key, from: from, to: to,
        "\(owner).\(new.name) is read from \(to); before: from \(from)")
    }
    if new.isRequired != old.isRequired {
      addKey(
        .reading, new.isRequired ? .required : .optional, of: owner, key: key, to: new.type,
        new.isRequired ? "needs “\(key)”, \(new.type)" : "no longer needs “\(key)”")
    }
    if let (from, to) = types(old, new) {
      addKey(
        .reading, .typeChanged, of: owner, key: key, from: from, to: to,
        "reads “\(key)” as \(to); before: as \(from)")
    }
    if old.missing != new.missing {
      let (verb, before) = (Self.verbs(of: new.missing).now, Self.verbs(of: old.missing).before)
      addKey(
        .reading, .missingChanged, of: owner, key: key, from: old.missing, to: new.missing,
        "\(verb) rows that are missing from a list at “\(key)”; before: \(before) them")
    }
  }

  /// The verbs for the rule about rows that a complete list no longer contains.
  private static func verbs(of missing: String?) -> (now: String, before: String) {
    switch missing {
    case "keep": ("keeps", "kept")
    case "delete": ("deletes", "deleted")
    case "softDelete": ("marks", "marked")
    default: ("unlinks", "unlinked")
    }
  }

  /// The types of two versions, if they differ in more than renamed types and optionality.
  private func types(_ old: SchemaField, _ new: SchemaField) -> (from: String, to: String)? {
    if old.plainType(declarations.names) != new.plainType() { return (old.type, new.type) }
    guard old.isRelationship != new.isRelationship else { return nil }
    // If a struct became a model, the name of the type is unchanged.
    func text(_ field: SchemaField) -> String {
      (field.isRelationship ? "rows of " : "values of ") + field.type
    }
    return (text(old), text(new))
  }

  private static func list(_ keys: [String]) -> String {
    keys.map { "“\($0)”" }.joined(separator: " or ")
  }

  // MARK: Bodies

  private mutating func compareBodies(
    _ old: SchemaField?, _ new: SchemaField, of owner: String, _ keys: FieldKeys
  ) {
    switch (old?.writtenKey, new.writtenKey) {
    case (nil, nil): break
    case (nil, let key?):
      guard !keys.formerlyWritten.contains(key) else { break }
      addKey(.bodies, .added, of: owner, key: key, to: new.type, "writes “\(key)”, \(new.type)")
    case (let key?, nil):
      guard !keys.written.contains(key) else { break }
      addKey(.bodies, .removed, of: owner, key: key, "no longer writes “\(key)”")
    case (let from?, let key?):
      if from != key {
        addKey(
          .bodies, .keysChanged, of: owner, key: key, from: from, to: key,
          "writes “\(key)” instead of “\(from)”")
      }
      if let old, let (from, to) = types(old, new) {
        addKey(
          .bodies, .typeChanged, of: owner, key: key, from: from, to: to,
          "writes “\(key)” as \(to); before: as \(from)")
      }
    }
  }
}

/// The keys in two versions of a model or a struct.
private struct FieldKeys {
  /// The keys that are read and written now.
  let read, written: Set<String>
  /// The keys that were read and written before.
  let formerlyRead, formerlyWritten: Set<String>
  /// The fields that existed in the earlier version.
  let kept: [SchemaField]

  init(_ fields: FieldPairs) {
    let today = fields.pairs.map(\.new)
    read = Set(today.flatMap(\.keys))
    written = Set(today.compactMap(\.writtenKey))
    formerlyRead = Set(fields.old.flatMap(\.keys))
    formerlyWritten = Set(fields.old.compactMap(\.writtenKey))
    kept = fields.pairs.filter { $0.old != nil }.map(\.new)
  }
}
