/// A model of a schema; or a struct, which is a model without identity and relationships.
package struct Model: Sendable {
  /// An index of one or more columns.
  package struct Index: Sendable {
    /// A property, or a value inside of it.
    package struct Term: Sendable, Hashable {
      /// The position of the property.
      package let property: Int
      /// The names of the members that lead to the value.
      package var path: [String] = []
    }

    package let terms: [Term]
    /// Where its attribute stands.
    package let range: SourceRange
  }

  /// The property that an attribute of the model names.
  package struct Anchor: Sendable {
    /// The position of the property.
    package let position: Int
    /// Where the attribute names it.
    package let range: SourceRange
  }

  package let name: String
  /// The target that declares it, if it is imported.
  package let module: String?
  package let documentation: [String]
  package let range: SourceRange
  /// Where its last brace is, and the next property would stand.
  package let end: SourceRange
  package var properties: [Property]
  /// Whether it is a struct.
  package var isStruct = false
  /// Whether some of it could not be read: nothing is said of what it seems to lack.
  package var isIncomplete: Bool
  /// The position of the property that identifies a row.
  package var identity: Int?
  /// The properties that identify a row together; empty where one does.
  package var identityParts: [Anchor] = []
  /// Where each attribute stands, right or not.
  package var places: [AttributeKind: SourceRange] = [:]
  /// The attributes that properties have, right or not: most models have few of them.
  package var propertyAttributes: Set<AttributeKind> = []
  package var parentScopeAnchor: Anchor?
  package var updatedAtAnchor: Anchor?
  package var softDeleteAnchor: Anchor?
  package var indexes: [Index] = []
  package var renamedFrom: [Located<String>] = []
  /// What JSON calls the type of its rows.
  package var typeName: Located<String>?

  /// The positions of the properties that attributes of the model name.
  package var parentScope: Int? { parentScopeAnchor?.position }
  package var updatedAt: Int? { updatedAtAnchor?.position }
  package var softDelete: Int? { softDeleteAnchor?.position }

  /// The properties in the order of their keys: those with a column first.
  package var keyed: [Property] {
    properties.filter(\.isStored) + properties.filter { !$0.isStored && $0.isKeyed }
  }

  /// The properties that payloads have values for: not what lives in memory, or is found out of other properties.
  package var carried: [Property] {
    properties.filter {
      ($0.isKeyed || isStruct) && $0.orderedList == nil && !$0.isComposite && !$0.isPosition
    }
  }

  package func property(_ name: String) -> Property? {
    properties.first { $0.name == name }
  }

  package var identityProperty: Property? { identity.map { properties[$0] } }

  /// The name of the property, and of the column, that has what identifies a row where several properties do.
  package static let compositeName = "syncID"
}
