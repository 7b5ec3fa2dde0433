import SynclineNaming

/// A property of a model. The resolver copies its attributes into fields; later stages do not read attributes.
///
/// A property is a class because rules and emitters iterate over all properties many times, and copying so many fields is slow.
/// Only its creator mutates it, during resolution. Code that shares a property mutates a copy, so exclusive access need not be
/// checked.
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

  /// The side that assigns the identities of rows that are inserted on the device.
  package enum IdentityMaker: String, Sendable, CaseIterable {
    case server
  }

  @exclusivity(unchecked) package internal(set) var name: String
  @exclusivity(unchecked) package internal(set) var documentation: [String]
  @exclusivity(unchecked) package internal(set) var type: PropertyType
  package let isOptional: Bool
  /// The range of its name.
  package let range: SourceRange
  /// The offset of its `var` or name, where an attribute can be inserted.
  package let declaration: Int
  package let typeRange: SourceRange
  package let typeText: String
  /// Whether a part of it could not be read or was rejected. Rules skip it.
  @exclusivity(unchecked) package internal(set) var isIncomplete: Bool
  /// Whether it was marked as the identity, or may have been: its name or one of its attributes could not be read.
  @exclusivity(unchecked) package internal(set) var mayBeIdentity = false
  /// The range of each attribute, valid or not.
  @exclusivity(unchecked) package internal(set) var places: [AttributeKind: SourceRange] = [:]
  /// The key of `@PrimaryKey(remote:)`.
  @exclusivity(unchecked) package internal(set) var primaryRemoteKey: Located<String>?
  /// From `@PrimaryKey(madeBy:)`; nil if the app makes identities.
  @exclusivity(unchecked) package internal(set) var identityMaker: Located<IdentityMaker>?
  /// The keys of `@RemoteKey`, in source order.
  @exclusivity(unchecked) package internal(set) var remoteKeys: [Located<String>] = []
  /// The patterns of the keys of related rows, from `@KeyPattern`, in source order.
  @exclusivity(unchecked) package internal(set) var keyPatterns: [Located<String>] = []
  /// The Swift type that reads and writes the values, from `@Transform`.
  @exclusivity(unchecked) package internal(set) var transform: Located<String>?
  /// The words of `@Null`; nil without the attribute.
  @exclusivity(unchecked) package internal(set) var ownNulls: [Located<NullWord>]?
  /// All values that mean null, including those of the model and of the target.
  @exclusivity(unchecked) package internal(set) var nulls: [NullWord] = []
  @exclusivity(unchecked) package internal(set) var export: Export = .objects
  /// Whether the property or its type has `@OneOrMany`.
  @exclusivity(unchecked) package internal(set) var isOneOrMany = false
  @exclusivity(unchecked) package internal(set) var dateFormat: Located<String>?
  @exclusivity(unchecked) package internal(set) var renamedFrom: [Located<String>] = []
  /// The arguments of `@Relationship`.
  @exclusivity(unchecked) package internal(set) var relationshipClause: RelationshipClause?
  @exclusivity(unchecked) package internal(set) var defaultValue: DefaultValue?
  package let defaultRange: SourceRange?
  @exclusivity(unchecked) package internal(set) var relationship: Relationship?
  @exclusivity(unchecked) package internal(set) var snakeKeys: [String] = []
  @exclusivity(unchecked) package internal(set) var camelKeys: [String] = []
  /// The path of the object that contains its keys, from `@Below`; nil if that is the row's object.
  @exclusivity(unchecked) package internal(set) var prefix: String?

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
  @inline(never)
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
    copy.ownNulls = ownNulls
    copy.nulls = nulls
    copy.export = export
    copy.isOneOrMany = isOneOrMany
    copy.dateFormat = dateFormat
    copy.renamedFrom = renamedFrom
    copy.relationshipClause = relationshipClause
    copy.defaultValue = defaultValue
    copy.relationship = relationship
    copy.snakeKeys = snakeKeys
    copy.camelKeys = camelKeys
    copy.prefix = prefix
    copy.typeKeys = typeKeys
    copy.unionPart = unionPart
    copy.isComposite = isComposite
    copy.orderedList = orderedList
    copy.relatedOrder = relatedOrder
    copy.keepsOthers = keepsOthers
    return copy
  }

  /// The JSON keys from which it is read in a style, in order of priority.
  package func keys(in style: KeyStyle) -> [String] { keys(in: style, stating: statedKeys) }

  /// The keys that the runtime derives if the generated code lists none.
  func derivedKeys(in style: KeyStyle, isIdentity: Bool) -> [String] {
    let stated = explicitPaths(below: prefix)
    if isIdentity { return KeyCandidates.identity(name, explicit: stated, style: style) }
    let (named, form) = keyConvention
    return KeyCandidates.keys(of: named, form, explicit: stated, below: prefix, in: style)
  }

  /// With `stated` nil, the keys that the runtime infers if the generated code does not say which keys the schema states.
  func keys(in style: KeyStyle, stating stated: [String]?) -> [String] {
    let (named, form) = keyConvention
    return KeyCandidates.keys(
      of: named, form, snake: snakeKeys, camel: camelKeys, explicit: stated, below: prefix, in: style)
  }

  /// The keys that attributes specify, as paths from the row's object; nil if the property also has other keys.
  package var statedKeys: [String]? { typeKeys.isEmpty ? explicitPaths(below: prefix) : nil }

  /// The name from which its keys are derived if the schema states none, and the form of their values.
  private var keyConvention: (name: String, form: KeyCandidates.Form) {
    if let orderedList { return (orderedList, .toMany) }
    if !isRelationship { return (name, .scalar) }
    let named = schemaName
    // The list of a union has no keys for identities.
    if isToMany { return (named, unionPart == nil ? .toMany : .scalar) }
    return (named, .toOne)
  }

  /// The keys that an attribute specifies: `@PrimaryKey(remote:)` or `@RemoteKey`.
  package var explicitKeys: [Located<String>] { primaryRemoteKey.map { [$0] } ?? remoteKeys }

  /// The keys that attributes specify, as paths from the row's object.
  package func explicitPaths(below prefix: String?) -> [String] {
    explicitKeys.map { RemotePath.rooted($0.value, below: prefix) }
  }

  package var hasExplicitKeys: Bool { primaryRemoteKey != nil || !remoteKeys.isEmpty }

  /// The name in the schema; for a case of a union, that of the union's property.
  package var schemaName: String { unionPart?.property ?? name }

  /// Whether it has a name, in the schema or in generated code, ignoring case, as SQLite compares column names. Generated code
  /// declares both names for a union.
  func isNamed(_ name: String) -> Bool {
    let name = name.lowercased()
    return self.name.lowercased() == name || unionPart?.property.lowercased() == name
  }

  /// Whether it is read from the row's object itself, so that the row and the related row share one object.
  package var isObjectItself: Bool { explicitKeys.contains { $0.value == RemotePath.itself } }

  /// Whether a key without a stored row creates the row.
  package var createsUnknown: Bool { relationshipClause?.unknown?.value == .create }

  /// The property of the related model by which keys are looked up; nil if keys are identities.
  package var lookup: String? { relationshipClause?.lookup?.value.name.value }

  /// Whether no two rows may have the same value.
  package var isUnique: Bool { places[.unique] != nil }

  /// The form that an export writes. A relationship with key patterns, or one whose keys are looked up by a property, is written
  /// as keys.
  package var writtenExport: Export {
    let hasOwnKeys = isRelationship && (!keyPatterns.isEmpty || lookup != nil) && places[.export] == nil
    return hasOwnKeys && export == .objects ? .identities : export
  }

  package var isTransient: Bool { places[.transient] != nil }

  /// Whether its values exist only on this device. It has a column, but no JSON key.
  package var isLocal: Bool { places[.local] != nil }

  /// The keys of the type of a to-one union relationship, if no attribute specifies them.
  @exclusivity(unchecked) package internal(set) var typeKeys: [Located<String>] = []
  /// Its role, if the compiler added it for a union.
  @exclusivity(unchecked) package internal(set) var unionPart: UnionPart?

  /// Whether it combines the parts of a composite identity. The compiler adds this property.
  @exclusivity(unchecked) package internal(set) var isComposite = false

  /// The list whose order the property stores. The compiler adds such properties.
  @exclusivity(unchecked) package internal(set) var orderedList: String?
  /// The model of the rows in that list.
  @exclusivity(unchecked) package internal(set) var relatedOrder: String?
  /// Whether rows that a payload's list lacks stay in it (`missing: .keep`). The payload's rows then follow them.
  @exclusivity(unchecked) package internal(set) var keepsOthers = false
  /// Whether the order of the list is stored, in a separate property.
  package var isOrdered: Bool { places[.ordered] != nil }
  /// Whether a payload's object replaces only the members that it contains, and keeps the others.
  package var isMerged: Bool { places[.merged] != nil }
  /// The name of the property that stores the order of the list.
  package var orderName: String { name + "Order" }

  /// Whether it is the position of its row in a list. It has no JSON key.
  package var isPosition: Bool { places[.position] != nil }

  /// With `@OneOrMany`, the number of list levels around its values: 0 for a single value, which can also be read from a list of
  /// one. Nil if the attribute has no effect on the property.
  package var oneOrManyDepth: Int? {
    guard isOneOrMany, !isTransient, !isPosition, !isComposite, !isLocal else { return nil }
    return switch type {
    case .toOne: 0
    case .toMany: 1
    case .value(let type): type.listDepth
    case .union(_, let isMany): isMany ? 1 : 0
    case .invalid: nil
    }
  }

  package var isDate: Bool { type == .value(.scalar(.date)) }

  /// The type of a value; nil for relationships.
  package var valueType: ValueType? { if case .value(let type) = type { type } else { nil } }

  package var isRelationship: Bool {
    switch type {
    case .toOne, .toMany, .union: true
    case .value, .invalid: false
    }
  }
  /// Whether its type was rejected, or could not be read.
  var isInvalid: Bool { if case .invalid = type { true } else { false } }
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

  /// Whether the property has a key: all properties except transient ones and relationships that could not be resolved.
  package var isKeyed: Bool { isStored || (!isTransient && relationship != nil) }
}
