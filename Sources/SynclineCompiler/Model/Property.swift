import SynclineNaming

/// A property of a model. The resolver copies its attributes into fields; later stages do not read attributes.
///
/// A property is a class because rules and emitters iterate over all properties many times, and copying so many
/// fields is slow. Only its creator mutates it, while resolving. Code that shares a property mutates a copy.
package final class Property: @unchecked Sendable {
  package enum PropertyType: Sendable, Hashable {
    case value(ValueType)
    case toOne(String)
    case toMany(String)
    /// A union of models: the compiler adds other properties that represent it.
    case union(String, isMany: Bool)
    /// The type was rejected, or refers to a declaration that could not be read.
    case invalid
  }

  package enum Export: String, Sendable {
    case objects, identities, never
  }

  /// Who makes the identities of rows that are inserted on the device.
  package enum IdentityMaker: String, Sendable, CaseIterable {
    case server
  }

  package internal(set) var name: String
  package internal(set) var documentation: [String]
  package internal(set) var type: PropertyType
  package let isOptional: Bool
  /// The range of its name.
  package let range: SourceRange
  /// The offset of its `var` or name, where an attribute can be inserted.
  package let declaration: Int
  package let typeRange: SourceRange
  package let typeText: String
  /// Whether part of it could not be read or was rejected. Rules skip it.
  package internal(set) var isIncomplete: Bool
  /// Whether its name or one of its attributes could not be read, so that it may be the identity.
  package internal(set) var mayBeIdentity = false
  /// The range of each attribute, valid or not.
  package internal(set) var places: [AttributeKind: SourceRange] = [:]
  /// The key of `@PrimaryKey(remote:)`.
  package internal(set) var primaryRemoteKey: Located<String>?
  /// From `@PrimaryKey(madeBy:)`; nil if the app makes identities.
  package internal(set) var identityMaker: Located<IdentityMaker>?
  /// The keys of `@RemoteKey`, in source order.
  package internal(set) var remoteKeys: [Located<String>] = []
  /// The patterns around keys of rows, from `@KeyPattern`, in source order.
  package internal(set) var keyPatterns: [Located<String>] = []
  /// The Swift type that reads and writes the values, from `@Transform`.
  package internal(set) var transform: Located<String>?
  package internal(set) var export: Export = .objects
  package internal(set) var dateFormat: Located<String>?
  package internal(set) var renamedFrom: [Located<String>] = []
  /// The arguments of `@Relationship`.
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

  /// Returns an independent copy.
  func copy() -> Property {
    let copy = Property(
      name: name, documentation: documentation, type: type, isOptional: isOptional, range: range,
      declaration: declaration, typeRange: typeRange, typeText: typeText, isIncomplete: isIncomplete,
      defaultRange: defaultRange)
    copy.mayBeIdentity = mayBeIdentity
    copy.places = places
    copy.primaryRemoteKey = primaryRemoteKey
    copy.identityMaker = identityMaker
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

  /// The JSON keys that it is read from in a style, in order of priority.
  package func keys(in style: KeyStyle) -> [String] { style == .snakeCase ? snakeKeys : camelKeys }

  /// The keys that an attribute specifies: `@PrimaryKey(remote:)` or `@RemoteKey`.
  package var explicitKeys: [Located<String>] { primaryRemoteKey.map { [$0] } ?? remoteKeys }

  /// These keys as paths from the object of a row.
  package func explicitPaths(below prefix: String?) -> [String] {
    explicitKeys.map { RemotePath.rooted($0.value, below: prefix) }
  }

  package var hasExplicitKeys: Bool { primaryRemoteKey != nil || !remoteKeys.isEmpty }

  /// The form that export writes. A relationship with key patterns exports its keys.
  package var writtenExport: Export {
    let isPatterned = isRelationship && !keyPatterns.isEmpty && places[.export] == nil
    return isPatterned && export == .objects ? .identities : export
  }

  package var isTransient: Bool { places[.transient] != nil }

  /// The keys of the type of a to-one union relationship, if no attribute specifies them.
  package internal(set) var typeKeys: [Located<String>] = []
  /// Its role, if the compiler added it for a union.
  package internal(set) var unionPart: UnionPart?

  /// Whether it combines several properties. The compiler adds it for a composite identity.
  package internal(set) var isComposite = false

  /// The list whose order it stores. The compiler adds such properties to those of the schema.
  package internal(set) var orderedList: String?
  /// The model of the rows in that list.
  package internal(set) var relatedOrder: String?
  /// Whether the order of the list is stored, in a separate property.
  package var isOrdered: Bool { places[.ordered] != nil }
  /// The name of the property that stores the order of the list.
  package var orderName: String { name + "Order" }

  /// Whether it is the position of its row in a list. It has no JSON key.
  package var isPosition: Bool { places[.position] != nil }

  package var isDate: Bool { type == .value(.scalar(.date)) }

  /// The type of a value; nil for relationships.
  package var valueType: ValueType? { if case .value(let type) = type { type } else { nil } }

  package var isRelationship: Bool { if case .union = type { true } else { target != nil } }
  package var isToMany: Bool { if case .toMany = type { true } else { false } }

  /// The model that a relationship references.
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

  /// Whether the property has a key: all properties except transient ones and relationships that could not be
  /// resolved.
  package var isKeyed: Bool { isStored || (!isTransient && relationship != nil) }
}
