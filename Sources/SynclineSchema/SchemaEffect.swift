/// An effect of a difference between two schemas, in addition to the table changes in ``SyncSchemaChange``.
package struct SchemaEffect: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The part of a system that is affected.
  package enum Area: String, Hashable, Sendable, Codable, CaseIterable {
    /// The rows of a store.
    case store
    /// Payloads that servers send.
    case reading
    /// Request bodies, written by exports and pushes, that servers receive.
    case bodies
    /// Only the generated Swift.
    case code
  }

  /// The kind of a change.
  package enum Kind: String, Hashable, Sendable, Codable {
    /// New rows require the key, or no longer require it.
    case required, optional
    /// A key is now read or written, or no longer; a declaration was added or removed.
    case added, removed
    /// The name changed.
    case renamed
    /// The keys that it is read from, or the key that it is written to, changed.
    case keysChanged
    /// The type changed.
    case typeChanged
    /// The value of a case changed, or a value has no case any more.
    case valueChanged
    /// The properties that identify rows changed.
    case identityChanged
    /// The rule for rows that a complete list no longer contains changed.
    case missingChanged
    /// Rows with the key, or with a value of it, are now deleted, or no longer deleted.
    case deletes, keeps
    /// Attributes, arguments or settings changed.
    case wordsChanged
  }

  package let area: Area
  package let kind: Kind
  /// The declaration that changed: the current name of a model, a struct, an enum or a union.
  package let name: String
  /// The JSON key, the property or the case that changed. For a deletion mark, the mark. Nil for the whole declaration.
  package let key: String?
  /// The old and the new name, key, type or value; nil if there is none.
  package let from, to: String?
  package let sentence: String

  package var description: String { sentence }
}

extension SchemaDifference {
  /// Whether both snapshots contain attributes and declarations without tables. The snapshot in a store contains neither, so they
  /// are then not compared.
  package var isOfWholeSchemas: Bool { old.declarations != nil && new.declarations != nil }

  /// The effects of the differences on stores, payloads, request bodies and generated Swift, in addition to the table changes.
  package var effects: [SchemaEffect] {
    var comparison = EffectComparison(self)
    comparison.compareModels()
    comparison.compareDeclarations()
    return comparison.effects
  }
}
