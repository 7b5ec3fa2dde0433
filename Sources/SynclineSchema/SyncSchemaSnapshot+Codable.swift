extension SyncSchemaSnapshot: Codable {
  private enum Keys: String, CodingKey { case format, models, declarations }

  /// The version of the JSON format that is written.
  public static let format = 1

  /// Reads a schema.
  ///
  /// - Throws: `DecodingError` if the data is not a schema, or has a later format version.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Keys.self)
    let format = try container.decode(Int.self, forKey: .format)
    guard format == SyncSchemaSnapshot.format else {
      throw DecodingError.dataCorruptedError(
        forKey: .format, in: container,
        debugDescription:
          "the schema is in format \(format), and this version reads format \(SyncSchemaSnapshot.format)")
    }
    self.init(models: try container.decode([Model].self, forKey: .models))
    declarations = try container.decodeIfPresent([Declaration].self, forKey: .declarations)
  }

  /// Writes the schema.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Keys.self)
    try container.encode(SyncSchemaSnapshot.format, forKey: .format)
    try container.encode(models, forKey: .models)
    try container.encodeIfPresent(declarations, forKey: .declarations)
  }
}

extension SyncSchemaSnapshot.Property: Codable {
  private enum Keys: String, CodingKey {
    case name, type, model, inverseOf, links, end, isUnique, hasDefault, missing, renamedFrom, keys, words
    case declared, written
  }

  /// Reads a property.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Keys.self)
    let text = try container.decode(String.self, forKey: .type)
    let isOptional = text.hasSuffix("?")
    let type = isOptional ? String(text.dropLast()) : text
    let kind: Kind
    // A model can have the name of a value type.
    if let target = try container.decodeIfPresent(String.self, forKey: .model) {
      if let column = try container.decodeIfPresent(String.self, forKey: .inverseOf) {
        kind = .inverse(of: column, in: target, isToMany: type.hasPrefix("["))
      } else if let table = try container.decodeIfPresent(String.self, forKey: .links) {
        let end = try container.decode(String.self, forKey: .end)
        kind = .links(to: target, table: table, isSource: end == "source")
      } else {
        kind = .toOne(target, isUnique: try container.decode(Bool.self, forKey: .isUnique))
      }
    } else if let value = SyncStoredType(name: type) {
      kind = .value(value)
    } else {
      throw DecodingError.dataCorruptedError(
        forKey: .type, in: container, debugDescription: "“\(type)” is not a type of a value")
    }
    let isValue = if case .value = kind { true } else { false }
    let isToMany = !isValue && type.hasPrefix("[")
    self.init(
      name: try container.decode(String.self, forKey: .name), kind: kind, isOptional: isOptional || isToMany,
      hasDefault: try container.decode(Bool.self, forKey: .hasDefault),
      missing: try container.decodeIfPresent(String.self, forKey: .missing),
      renamedFrom: try container.decode([String].self, forKey: .renamedFrom),
      keys: try container.decode([String].self, forKey: .keys),
      words: try container.decode([String].self, forKey: .words),
      isUnique: try container.decode(Bool.self, forKey: .isUnique) && isValue)
    declared = try container.decodeIfPresent(String.self, forKey: .declared)
    written = try container.decodeIfPresent(String.self, forKey: .written)
  }

  /// Writes the property. Empty and false members are omitted.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Keys.self)
    try container.encode(name, forKey: .name)
    try container.encode(type, forKey: .type)
    try container.encodeIfPresent(target, forKey: .model)
    switch kind {
    case .value: try container.encode(isUnique, forKey: .isUnique)
    case .toOne(_, let isUnique): try container.encode(isUnique, forKey: .isUnique)
    case .inverse(let column, _, _): try container.encode(column, forKey: .inverseOf)
    case .links(_, let table, let isSource):
      try container.encode(table, forKey: .links)
      try container.encode(isSource ? "source" : "target", forKey: .end)
    }
    try container.encode(hasDefault, forKey: .hasDefault)
    try container.encodeIfPresent(missing, forKey: .missing)
    try container.encode(renamedFrom, forKey: .renamedFrom)
    try container.encode(keys, forKey: .keys)
    try container.encode(words, forKey: .words)
    try container.encodeIfPresent(declared, forKey: .declared)
    try container.encodeIfPresent(written, forKey: .written)
  }
}

// MARK: What is omitted

/// Elements of lists that are omitted if they are empty.
protocol OmittedIfEmpty: Codable {}
extension String: OmittedIfEmpty {}
extension Array: OmittedIfEmpty where Element == String {}
extension SyncSchemaSnapshot.Declaration.Member: OmittedIfEmpty {}

// Synthesized `Codable` code calls these, too. They omit empty lists and false flags.
extension KeyedDecodingContainer {
  func decode<Element: OmittedIfEmpty>(_ type: [Element].Type, forKey key: Key) throws -> [Element] {
    try decodeIfPresent(type, forKey: key) ?? []
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    try decodeIfPresent(type, forKey: key) ?? false
  }
}
extension KeyedEncodingContainer {
  mutating func encode<Element: OmittedIfEmpty>(_ value: [Element], forKey key: Key) throws {
    if !value.isEmpty { try encodeIfPresent(value, forKey: key) }
  }

  mutating func encode(_ value: Bool, forKey key: Key) throws {
    if value { try encodeIfPresent(value, forKey: key) }
  }
}
