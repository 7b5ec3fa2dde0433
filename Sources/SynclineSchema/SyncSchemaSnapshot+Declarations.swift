extension SyncSchemaSnapshot {
  /// A declaration without a table: an enum, a struct or a union, or the settings of the schema.
  package struct Declaration: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, Codable {
      case settings
      case enumeration = "enum"
      case structure = "struct"
      case union
    }

    /// A member of a struct, or a case of an enum or a union.
    package struct Member: Hashable, Sendable {
      package let name: String
      /// The type in schema syntax; for a case of an enum, its raw value.
      package let type: String
      /// The JSON keys that it is read from; for a case of a union, the type in JSON.
      package let keys: [String]
      /// The key that an export writes; nil if it is the first key that is read.
      package let written: String?
      /// The attributes that affect how it is read or written.
      package let words: [String]
      /// The former names.
      package let renamedFrom: [String]
    }

    package let kind: Kind
    package let name: String
    /// The attributes of the declaration: `raw: Int`, `on: "type"`. For settings, all settings.
    package let words: [String]
    package let members: [Member]
  }
}

extension SyncSchemaSnapshot.Declaration: Codable {
  private enum Keys: String, CodingKey { case kind, name, words, members }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Keys.self)
    self.init(
      kind: try container.decode(Kind.self, forKey: .kind),
      name: try container.decode(String.self, forKey: .name),
      words: try container.decodeIfPresent([String].self, forKey: .words) ?? [],
      members: try container.decodeIfPresent([Member].self, forKey: .members) ?? [])
  }

  /// Writes the member. Empty members are omitted.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Keys.self)
    try container.encode(kind, forKey: .kind)
    try container.encode(name, forKey: .name)
    if !words.isEmpty { try container.encode(words, forKey: .words) }
    if !members.isEmpty { try container.encode(members, forKey: .members) }
  }
}

extension SyncSchemaSnapshot.Declaration.Member: Codable {
  private enum Keys: String, CodingKey { case name, type, keys, written, words, renamedFrom }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Keys.self)
    func list(_ key: Keys) throws -> [String] {
      try container.decodeIfPresent([String].self, forKey: key) ?? []
    }
    self.init(
      name: try container.decode(String.self, forKey: .name),
      type: try container.decode(String.self, forKey: .type), keys: try list(.keys),
      written: try container.decodeIfPresent(String.self, forKey: .written), words: try list(.words),
      renamedFrom: try list(.renamedFrom))
  }

  /// Writes the declaration. Empty members are omitted.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Keys.self)
    try container.encode(name, forKey: .name)
    try container.encode(type, forKey: .type)
    if !keys.isEmpty { try container.encode(keys, forKey: .keys) }
    try container.encodeIfPresent(written, forKey: .written)
    if !words.isEmpty { try container.encode(words, forKey: .words) }
    if !renamedFrom.isEmpty { try container.encode(renamedFrom, forKey: .renamedFrom) }
  }
}
