/// A property of a model or a member of a struct, as it appears in payloads.
struct SchemaField {
  let name: String
  /// The type in schema syntax.
  let type: String
  let isRelationship: Bool
  /// Whether a new row requires it.
  let isRequired: Bool
  /// The JSON keys that it is read from.
  let keys: [String]
  /// The key that it is read from, in messages: the one that is written, if it is read too. Nil if it has no key.
  let readKey: String?
  /// The key that it is written to; nil if it is not written.
  let writtenKey: String?
  let words: [SchemaWord]
  /// The rule for rows that a complete list no longer contains.
  let missing: String?
  let renamedFrom: [String]

  /// - Parameter isWhole: whether both schemas contain the names of types without tables.
  init(_ property: SchemaProperty, isWhole: Bool) {
    name = property.name
    type = isWhole ? property.declared ?? property.type : property.type
    isRelationship = property.target != nil
    isRequired = property.isStored && !property.isOptional && !property.hasDefault
    keys = property.keys
    readKey = property.written.flatMap { property.keys.contains($0) ? $0 : nil } ?? property.keys.first
    words = property.words.map(SchemaWord.init)
    writtenKey = words.isWritten ? property.written ?? property.keys.first : nil
    missing = property.missing
    renamedFrom = property.renamedFrom
  }

  init(_ member: SyncSchemaSnapshot.Declaration.Member) {
    name = member.name
    type = member.type
    isRelationship = false
    keys = member.keys
    readKey = member.keys.first
    words = member.words.map(SchemaWord.init)
    isRequired = !member.type.hasSuffix("?") && !words.contains { $0.head == SchemaWord.defaultHead }
    writtenKey = words.isWritten ? member.written ?? member.keys.first : nil
    missing = nil
    renamedFrom = member.renamedFrom
  }

  /// The type without the `?` of an optional.
  ///
  /// - Parameter names: the current names of renamed types.
  func plainType(_ names: [String: String] = [:]) -> String {
    var text = type.hasSuffix("?") ? String(type.dropLast()) : type
    if let range = text.rangeOfTypeName, let name = names[String(text[range])] {
      text.replaceSubrange(range, with: name)
    }
    return text
  }

  /// Whether it has the same keys and type as another field. The properties for a union's cases share those of the union.
  func isLike(_ other: SchemaField) -> Bool { keys == other.keys && type == other.type }
}

extension [SchemaWord] {
  fileprivate var isWritten: Bool { !contains { $0.head == "@NotExport" } }
}

extension String {
  /// The range of the name inside all lists and maps of a type: `Address` in `[String: [Address]]?`. Nil for the stored form of a
  /// struct.
  var rangeOfTypeName: Range<Index>? {
    if contains("{") { return nil }
    let end = lastIndex { !"]?".contains($0) }.map { index(after: $0) } ?? startIndex
    let start = self[..<end].lastIndex { "[ ".contains($0) }.map { index(after: $0) } ?? startIndex
    return start < end ? start..<end : nil
  }

  /// The name inside all lists and maps of a type.
  var typeName: String? { rangeOfTypeName.map { String(self[$0]) } }
}

/// The properties of two versions of a model, or the members of two versions of a struct.
struct FieldPairs {
  /// The earlier fields.
  let old: [SchemaField]
  /// The current fields, each with the earlier field that it continues.
  let pairs: [(old: SchemaField?, new: SchemaField)]
  /// The earlier fields without a current field.
  let dropped: [SchemaField]

  /// Pairs fields by name, and the others by a common JSON key, because servers see fields with the same key as one field.
  ///
  /// - Parameter names: the former names of the current fields.
  init(from old: [SchemaField], to new: [SchemaField], names: [String: String]) {
    let positions = Dictionary(
      old.enumerated().map { ($0.element.name, $0.offset) }, uniquingKeysWith: { first, _ in first })
    var found: [Int?] = new.map { field in names[field.name].flatMap { positions[$0] } }
    var used = Set(found.compactMap { $0 })
    var readers: [String: Int] = [:]
    for (position, field) in old.enumerated() where !used.contains(position) {
      for key in field.keys where readers[key] == nil { readers[key] = position }
    }
    for (position, field) in new.enumerated() where found[position] == nil {
      let candidates = field.keys.compactMap { readers[$0] }
      guard let former = candidates.first(where: { !used.contains($0) }) else { continue }
      found[position] = former
      used.insert(former)
    }
    self.old = old
    pairs = zip(found, new).map { position, field in (position.map { old[$0] }, field) }
    dropped = old.enumerated().filter { !used.contains($0.offset) }.map(\.element)
  }

  /// The members of two versions of a struct.
  init(
    from old: SyncSchemaSnapshot.Declaration, to new: SyncSchemaSnapshot.Declaration
  ) {
    let (before, today) = (old.members.map(SchemaField.init), new.members.map(SchemaField.init))
    let known = Set(before.map(\.name))
    let current = Set(today.map(\.name))
    var names: [String: String] = [:]
    for field in today {
      let earlier = field.renamedFrom.first { known.contains($0) && !current.contains($0) }
      names[field.name] = known.contains(field.name) ? field.name : earlier
    }
    self.init(from: before, to: today, names: names)
  }
}
