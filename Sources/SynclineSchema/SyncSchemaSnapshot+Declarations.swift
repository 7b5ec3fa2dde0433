extension SyncSchemaSnapshot {
  /// A declaration without a table: an enum, a struct or a union, or the settings of the schema.
  package struct Declaration: Hashable, Sendable, Codable {
    package enum Kind: String, Hashable, Sendable, Codable {
      case settings
      case enumeration = "enum"
      case structure = "struct"
      case union
    }

    /// A member of a struct, or a case of an enum or a union.
    package struct Member: Hashable, Sendable, Codable {
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
