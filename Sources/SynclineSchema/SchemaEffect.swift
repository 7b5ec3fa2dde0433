/// What a difference between two schemas means, besides the differences of the tables: ``SyncSchemaChange``.
package struct SchemaEffect: Hashable, Sendable, Codable, CustomStringConvertible {
  /// Whom it concerns.
  package enum Area: String, Hashable, Sendable, Codable, CaseIterable {
    /// The rows of a store.
    case store
    /// Servers that send payloads.
    case reading
    /// Servers that receive what exports and pushes write.
    case bodies
    /// Nothing but the generated Swift.
    case code
  }

  /// How something changed.
  package enum Kind: String, Hashable, Sendable, Codable {
    /// New rows now require the key, or no longer.
    case required, optional
    /// A key is read or written from now on, or no longer; a declaration is new, or was removed.
    case added, removed
    /// It has another name.
    case renamed
    /// It is read from other keys, or written under another key.
    case keysChanged
    /// It has another type.
    case typeChanged
    /// A case has another value, or its value has no case any more.
    case valueChanged
    /// Other properties identify the rows.
    case identityChanged
    /// A list does something else to the rows that it leaves out.
    case missingChanged
    /// Rows with the key, or with a value of it, are deleted, or no longer.
    case deletes, keeps
    /// It has other attributes, arguments or settings.
    case wordsChanged
  }

  /// Whom it concerns.
  package let area: Area
  /// How something changed.
  package let kind: Kind
  /// The declaration that changed: today's name of a model, a struct, an enum or a union.
  package let name: String
  /// The JSON key, the property or the case that changed; for deleted rows, what marks them; nil for the declaration as a whole.
  package let key: String?
  /// The old and the new name, key, type or value; nil if there is none.
  package let from, to: String?
  /// The change as a sentence.
  package let sentence: String

  package var description: String { sentence }

  init(
    _ area: Area, _ kind: Kind, of name: String, key: String? = nil, from: String? = nil, to: String? = nil,
    _ sentence: String
  ) {
    self.area = area
    self.kind = kind
    self.name = name
    self.key = key
    self.from = from
    self.to = to
    self.sentence = sentence
  }
}

extension SchemaDifference {
  /// Whether both snapshots have attributes and declarations without tables. Snapshots in a store have neither; then these are
  /// not compared.
  package var isOfWholeSchemas: Bool { old.declarations != nil && new.declarations != nil }

  /// What the differences mean for stores, payloads, bodies and generated Swift, besides the differences of the tables.
  package var effects: [SchemaEffect] {
    var comparison = EffectComparison(self)
    comparison.compareModels()
    comparison.compareDeclarations()
    return comparison.effects
  }
}
