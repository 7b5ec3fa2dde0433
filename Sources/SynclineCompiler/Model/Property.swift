import SynclineNaming

/// A property of a model. What its attributes say is in fields: nothing behind the resolver reads attributes.
///
/// It is an object, since rules and emitters go through all properties of a schema again and again, and so many fields are
/// dear to copy. It is written while it is resolved, by who made it; who changes one that others have, changes a copy.
package final class Property: @unchecked Sendable {
  package enum PropertyType: Sendable, Hashable {
    case value(ValueType)
    case toOne(String)
    case toMany(String)
    /// A union of models: other properties stand for it.
    case union(String, isMany: Bool)
    /// The type was refused, or is of something that could not be read.
    case invalid
  }

  package enum Export: String, Sendable {
    case objects, identities, never
  }

  package internal(set) var name: String
  package internal(set) var documentation: [String]
  package internal(set) var type: PropertyType
  package let isOptional: Bool
  /// Where its name stands.
  package let range: SourceRange
  /// Where its `var` or name begins: an attribute may be written here.
  package let declaration: Int
  package let typeRange: SourceRange
  package let typeText: String
  /// Whether some of it could not be read, or was refused: nothing more is said of it.
  package internal(set) var isIncomplete: Bool
  /// Whether its name or one of its attributes could not be read: it may have been meant as the identity.
  package internal(set) var mayBeIdentity = false
  /// Where each attribute stands, right or not.
  package internal(set) var places: [AttributeKind: SourceRange] = [:]
  /// The key of `@PrimaryKey(remote:)`.
  package internal(set) var primaryRemoteKey: Located<String>?
  /// The keys of `@RemoteKey`, the one that is written first.
  package internal(set) var remoteKeys: [Located<String>] = []
  /// The texts around keys of rows, by `@KeyPattern`, the one that is written first.
  package internal(set) var keyPatterns: [Located<String>] = []
  /// The type in Swift that reads and writes the values, by `@Transform`.
  package internal(set) var transform: Located<String>?
  package internal(set) var export: Export = .objects
  package internal(set) var dateFormat: Located<String>?
  package internal(set) var renamedFrom: [Located<String>] = []
  /// What `@Relationship` says.
  package internal(set) var relationshipClause: RelationshipClause?
  package internal(set) var defaultValue: DefaultValue?
  package let defaultRange: SourceRange?
  package internal(set) var relationship: Relationship?
  package internal(set) var snakeKeys: [String] = []
  package internal(set) var camelKeys: [String] = []

  init(
    name: String, documentation: [String], type: PropertyType, isOptional: Bool, range: SourceRange,
    declaration: Int, typeRange: SourceRange, typeText: String, isIncomplete: Bool, defaultRange: SourceRange?
  ) {
    self.name = name
    self.documentation = documentation
    self.type = type
    self.isOptional = isOptional
    self.range = range
    self.declaration = declaration
    self.typeRange = typeRange
    self.typeText = typeText
    self.isIncomplete = isIncomplete
    self.defaultRange = defaultRange
  }

  /// Another property that is the same.
  func copy() -> Property {
    let copy = Property(
      name: name, documentation: documentation, type: type, isOptional: isOptional, range: range,
      declaration: declaration, typeRange: typeRange, typeText: typeText, isIncomplete: isIncomplete,
      defaultRange: defaultRange)
    copy.mayBeIdentity = mayBeIdentity
    copy.places = places
    copy.primaryRemoteKey = primaryRemoteKey
    copy.remoteKeys = remoteKeys
    copy.keyPatterns = keyPatterns
    copy.transform = transform
    copy.export = export
    copy.dateFormat = dateFormat
    copy.renamedFrom = renamedFrom
    copy.relationshipClause = relationshipClause
    copy.defaultValue = defaultValue
    copy.relationship = relationship
    copy.snakeKeys = snakeKeys
    copy.camelKeys = camelKeys
    copy.typeKeys = typeKeys
    copy.unionPart = unionPart
    copy.isComposite = isComposite
    copy.orderedList = orderedList
    copy.relatedOrder = relatedOrder
    return copy
  }

  /// The keys that it is read from in a style, the first one first.
  package func keys(in style: KeyStyle) -> [String] { style == .snakeCase ? snakeKeys : camelKeys }

  /// The keys that an attribute names: `@PrimaryKey(remote:)` or `@RemoteKey`.
  package var explicitKeys: [Located<String>] { primaryRemoteKey.map { [$0] } ?? remoteKeys }

  package var hasExplicitKeys: Bool { primaryRemoteKey != nil || !remoteKeys.isEmpty }

  /// What export writes: of a relationship whose keys have a pattern, the keys.
  package var writtenExport: Export {
    let isPatterned = isRelationship && !keyPatterns.isEmpty && places[.export] == nil
    return isPatterned && export == .objects ? .identities : export
  }

  package var isTransient: Bool { places[.transient] != nil }

  /// The keys of the type of a to-one of a union, which no attribute names.
  package internal(set) var typeKeys: [Located<String>] = []
  /// What it is for, where the compiler adds it for a union.
  package internal(set) var unionPart: UnionPart?

  /// Whether it is what several properties are together: the compiler adds it, where they identify a row.
  package internal(set) var isComposite = false

  /// The list whose order it is: the compiler adds it to the properties of the schema.
  package internal(set) var orderedList: String?
  /// The model of the rows in that list.
  package internal(set) var relatedOrder: String?
  /// Whether the order of a list is kept, in a property of its own.
  package var isOrdered: Bool { places[.ordered] != nil }
  /// The name of the property that holds the order of a list.
  package var orderName: String { name + "Order" }

  /// Whether it is the place of its row in a list, which no key has.
  package var isPosition: Bool { places[.position] != nil }

  package var isDate: Bool { type == .value(.scalar(.date)) }

  /// The type of a value; nil for relationships.
  package var valueType: ValueType? { if case .value(let type) = type { type } else { nil } }

  package var isRelationship: Bool { if case .union = type { true } else { target != nil } }
  package var isToMany: Bool { if case .toMany = type { true } else { false } }

  /// The model that a relationship leads to.
  package var target: String? {
    switch type {
    case .toOne(let name), .toMany(let name): name
    case .value, .union, .invalid: nil
    }
  }

  /// Whether the property has a column.
  package var isStored: Bool {
    if isTransient { return false }
    guard isRelationship else { return true }
    if case .column = relationship?.storage { return true }
    return false
  }

  /// Whether the property has a key: all but what lives in memory only, and what could not be related.
  package var isKeyed: Bool { isStored || (!isTransient && relationship != nil) }
}
