/// A model of a schema; or a struct, which is a model without identity and relationships.
struct Model: Sendable {
  /// An index of one or more columns.
  struct Index: Sendable {
    /// A property, or a value inside of it.
    struct Term: Sendable, Hashable {
      /// The position of the property.
      let property: Int
      /// The names of the members that lead to the value.
      var path: [String] = []
    }

    let terms: [Term]
    /// Where its attribute stands.
    let range: SourceRange
  }

  /// The property that an attribute of the model names.
  struct Anchor: Sendable {
    /// The position of the property.
    let position: Int
    /// Where the attribute names it.
    let range: SourceRange
  }

  let name: String
  /// The target that declares it, if it is imported.
  let module: String?
  let documentation: [String]
  let range: SourceRange
  /// Where its last brace is, and the next property would stand.
  let end: SourceRange
  var properties: [Property]
  /// Whether it is a struct.
  var isStruct = false
  /// Whether some of it could not be read: nothing is said of what it seems to lack.
  var isIncomplete: Bool
  /// The position of the property that identifies a row.
  var identity: Int?
  /// The properties that identify a row together; empty where one does.
  var identityParts: [Anchor] = []
  /// Where each attribute stands, right or not.
  var places: [AttributeKind: SourceRange] = [:]
  var parentScopeAnchor: Anchor?
  var updatedAtAnchor: Anchor?
  var softDeleteAnchor: Anchor?
  var indexes: [Index] = []
  var renamedFrom: [Located<String>] = []
  /// What JSON calls the type of its rows.
  var typeName: Located<String>?

  /// The positions of the properties that attributes of the model name.
  var parentScope: Int? { parentScopeAnchor?.position }
  var updatedAt: Int? { updatedAtAnchor?.position }
  var softDelete: Int? { softDeleteAnchor?.position }

  var isOffline: Bool { places[.offline] != nil }

  /// The properties in the order of their keys: those with a column first.
  var keyed: [Property] {
    properties.filter(\.isStored) + properties.filter { !$0.isStored && $0.isKeyed }
  }

  func property(_ name: String) -> Property? {
    properties.first { $0.name == name }
  }

  var identityProperty: Property? { identity.map { properties[$0] } }

  /// The name of the property, and of the column, that has what identifies a row where several properties do.
  static let compositeName = "syncID"
}
