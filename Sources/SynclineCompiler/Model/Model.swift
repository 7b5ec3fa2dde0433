/// A model of a schema, or a struct: a model without identity and relationships.
///
/// A model is a class because rules iterate over all models many times, and copying so many fields is slow. Only its creator
/// mutates it, during resolution. Code that shares a model mutates a copy, so exclusive access need not be checked.
package final class Model: @unchecked Sendable {
  /// An index of one or more columns.
  package struct Index: Sendable {
    /// A property, or a value inside it.
    package struct Term: Sendable, Hashable {
      /// The index of the property.
      package let property: Int
      /// The names of the members on the path to the value.
      package var path: [String] = []
    }

    package let terms: [Term]
    /// The range of its attribute.
    package let range: SourceRange
  }

  /// A property that an attribute of the model names.
  package struct Anchor: Sendable {
    /// The index of the property.
    package let position: Int
    /// The range of its name in the attribute.
    package let range: SourceRange
  }

  package let name: String
  /// The target that declares it, if it is imported.
  package let module: String?
  package let documentation: [String]
  package let range: SourceRange
  /// The closing brace, before which the next property would be inserted.
  package let end: SourceRange
  @exclusivity(unchecked) package internal(set) var properties: [Property] = []
  @exclusivity(unchecked) package internal(set) var isStruct = false
  /// Whether a part of it could not be read. Rules then do not report missing parts.
  @exclusivity(unchecked) package internal(set) var isIncomplete: Bool
  /// The index of the property that identifies a row.
  @exclusivity(unchecked) package internal(set) var identity: Int?
  /// The properties of a composite identity; empty if one property is the identity, and for `@Singleton`.
  @exclusivity(unchecked) package internal(set) var identityParts: [Anchor] = []
  /// The range of each attribute, valid or not.
  @exclusivity(unchecked) package internal(set) var places: [AttributeKind: SourceRange] = [:]
  /// The attributes of its properties, valid or not. Rules use it to skip models quickly.
  @exclusivity(unchecked) package internal(set) var propertyAttributes: Set<AttributeKind> = []
  /// Whether some of its properties represent a union.
  @exclusivity(unchecked) package internal(set) var hasUnions = false
  @exclusivity(unchecked) package internal(set) var parentScopeAnchor: Anchor?
  @exclusivity(unchecked) package internal(set) var updatedAtAnchor: Anchor?
  @exclusivity(unchecked) package internal(set) var softDeleteAnchor: Anchor?
  /// The marks of its deleted rows, in source order.
  @exclusivity(unchecked) package internal(set) var deletionMarks: [DeletionMark] = []
  @exclusivity(unchecked) package internal(set) var indexes: [Index] = []
  @exclusivity(unchecked) package internal(set) var renamedFrom: [Located<String>] = []
  /// The words of `@Null`; nil without the attribute.
  @exclusivity(unchecked) package internal(set) var ownNulls: [Located<NullWord>]?
  /// The type name of its rows in JSON.
  @exclusivity(unchecked) package internal(set) var typeName: Located<String>?
  /// The path of the JSON object that contains all properties except those of the identity, from `@Below`.
  @exclusivity(unchecked) package internal(set) var below: Located<String>?
  /// Whether its rows are arrays in JSON: the path of a property begins with an index.
  @exclusivity(unchecked) package internal(set) var isOfLists = false

  init(
    name: String, module: String?, documentation: [String], range: SourceRange, end: SourceRange,
    isIncomplete: Bool
  ) {
    self.name = name
    self.module = module
    self.documentation = documentation
    self.range = range
    self.end = end
    self.isIncomplete = isIncomplete
  }

  /// Returns an independent copy, which shares the properties.
  @inline(never)
  func copy() -> Model {
    let copy = Model(
      name: name, module: module, documentation: documentation, range: range, end: end,
      isIncomplete: isIncomplete)
    copy.properties = properties
    copy.isStruct = isStruct
    copy.identity = identity
    copy.identityParts = identityParts
    copy.places = places
    copy.propertyAttributes = propertyAttributes
    copy.hasUnions = hasUnions
    copy.parentScopeAnchor = parentScopeAnchor
    copy.updatedAtAnchor = updatedAtAnchor
    copy.softDeleteAnchor = softDeleteAnchor
    copy.deletionMarks = deletionMarks
    copy.indexes = indexes
    copy.renamedFrom = renamedFrom
    copy.ownNulls = ownNulls
    copy.typeName = typeName
    copy.below = below
    copy.isOfLists = isOfLists
    return copy
  }

  /// The path to which the paths of a property are relative.
  package func prefix(of position: Int) -> String? {
    position == identity || identityParts.contains { $0.position == position } ? nil : below?.value
  }

  /// The indices of the properties that attributes of the model name.
  package var parentScope: Int? { parentScopeAnchor?.position }
  package var updatedAt: Int? { updatedAtAnchor?.position }
  package var softDelete: Int? { softDeleteAnchor?.position }

  /// Whether it has a single row, which has no identity in JSON.
  package var isSingleton: Bool { places[.singleton] != nil }

  /// The to-one relationship that alone identifies its rows: each owner has one row.
  package var identifyingOwner: Anchor? {
    identityParts.count == 1 && identityProperty?.isComposite == true ? identityParts[0] : nil
  }

  /// Whether local edits of its rows are recorded until they are pushed.
  package var isOffline: Bool { places[.offline] != nil }

  /// Whether `@OneOrMany` is on the type itself. It then applies to all properties, and to the rows of a sync call.
  package var isOneOrMany: Bool { places[.oneOrMany] != nil }

  /// Whether the server assigns the identities of its rows.
  package var isIdentityMadeByServer: Bool { identityProperty?.identityMaker?.value == .server }

  /// The properties in the order of their keys: those with a column first.
  package var keyed: [Property] {
    properties.filter(\.isStored) + properties.filter { !$0.isStored && $0.isKeyed }
  }

  /// Whether the property stores the type of a union's related rows, and exports contain these rows.
  package func exportsType(_ property: Property) -> Bool {
    guard let part = property.unionPart, part.caseName == nil else { return false }
    return properties.contains {
      $0.unionPart?.property == part.property && $0.unionPart?.caseName != nil && $0.export != .never
    }
  }

  package func property(_ name: String) -> Property? {
    properties.first { $0.name == name }
  }

  package var identityProperty: Property? { identity.map { properties[$0] } }

  /// The name of the property, and of the column, that stores a composite identity.
  package static let compositeName = "syncID"
}
