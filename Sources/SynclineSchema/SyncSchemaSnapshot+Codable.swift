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

extension SyncSchemaSnapshot.Model: Codable {
  private enum Keys: String, CodingKey {
    case name, identity, identityParts, parentScope, properties, indexes, renamedFrom, isOffline
    case deletionMarks, words, isSingleton, softDelete
  }

  /// Reads a model.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Keys.self)
    self.init(
      name: try container.decode(String.self, forKey: .name),
      identity: try container.decode(String.self, forKey: .identity),
      identityParts: try container.decodeIfPresent([String].self, forKey: .identityParts) ?? [],
      parentScope: try container.decodeIfPresent(String.self, forKey: .parentScope),
      properties: try container.decode([SyncSchemaSnapshot.Property].self, forKey: .properties),
      indexes: try container.decodeIfPresent([[String]].self, forKey: .indexes) ?? [],
      renamedFrom: try container.decodeIfPresent([String].self, forKey: .renamedFrom) ?? [],
      isOffline: try container.decodeIfPresent(Bool.self, forKey: .isOffline) ?? false,
      deletionMarks: try container.decodeIfPresent([String].self, forKey: .deletionMarks) ?? [],
      words: try container.decodeIfPresent([String].self, forKey: .words) ?? [],
      isSingleton: try container.decodeIfPresent(Bool.self, forKey: .isSingleton) ?? false,
      softDelete: try container.decodeIfPresent(String.self, forKey: .softDelete))
  }

  /// Writes the model. Empty members are omitted.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Keys.self)
    try container.encode(name, forKey: .name)
    try container.encode(identity, forKey: .identity)
    if !identityParts.isEmpty { try container.encode(identityParts, forKey: .identityParts) }
    try container.encodeIfPresent(parentScope, forKey: .parentScope)
    try container.encode(properties, forKey: .properties)
    if !indexes.isEmpty { try container.encode(indexes, forKey: .indexes) }
    if !renamedFrom.isEmpty { try container.encode(renamedFrom, forKey: .renamedFrom) }
    if isOffline { try container.encode(true, forKey: .isOffline) }
    if !deletionMarks.isEmpty { try container.encode(deletionMarks, forKey: .deletionMarks) }
    if !words.isEmpty { try container.encode(words, forKey: .words) }
    if isSingleton { try container.encode(true, forKey: .isSingleton) }
    try container.encodeIfPresent(softDelete, forKey: .softDelete)
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
    func flag(_ key: Keys) throws -> Bool { try container.decodeIfPresent(Bool.self, forKey: key) ?? false }
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
        kind = .toOne(target, isUnique: try flag(.isUnique))
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
      hasDefault: try flag(.hasDefault),
      missing: try container.decodeIfPresent(String.self, forKey: .missing),
      renamedFrom: try container.decodeIfPresent([String].self, forKey: .renamedFrom) ?? [],
      keys: try container.decodeIfPresent([String].self, forKey: .keys) ?? [],
      words: try container.decodeIfPresent([String].self, forKey: .words) ?? [],
      isUnique: try flag(.isUnique) && isValue)
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
    case .value: if isUnique { try container.encode(true, forKey: .isUnique) }
    case .toOne(_, let isUnique): if isUnique { try container.encode(true, forKey: .isUnique) }
    case .inverse(let column, _, _): try container.encode(column, forKey: .inverseOf)
    case .links(_, let table, let isSource):
      try container.encode(table, forKey: .links)
      try container.encode(isSource ? "source" : "target", forKey: .end)
    }
    if hasDefault { try container.encode(true, forKey: .hasDefault) }
    try container.encodeIfPresent(missing, forKey: .missing)
    if !renamedFrom.isEmpty { try container.encode(renamedFrom, forKey: .renamedFrom) }
    if !keys.isEmpty { try container.encode(keys, forKey: .keys) }
    if !words.isEmpty { try container.encode(words, forKey: .words) }
    try container.encodeIfPresent(declared, forKey: .declared)
    try container.encodeIfPresent(written, forKey: .written)
  }
}
