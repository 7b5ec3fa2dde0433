/// The content of a diagram of models.
package struct ModelDiagram: Hashable, Sendable {
  struct Box: Hashable, Sendable {
    var name: String
    /// The properties, in the order of the schema.
    var rows: [Row] = []
  }

  /// A property.
  struct Row: Hashable, Sendable {
    var name: String
    /// The type, as written in the schema.
    var type: String
    /// Whether it is the identity of its model, or part of it.
    var isKey = false
  }

  /// The cardinality of a relationship, from the end that stores it.
  enum Kind: Hashable, Sendable {
    case toOne, oneToOne, manyToMany
  }

  /// A relationship.
  struct Edge: Hashable, Sendable {
    /// The box of the model that has the property.
    var from: Int
    /// The box of the model to which the property refers.
    var to: Int
    /// The name of the property.
    var label: String
    var kind = Kind.toOne
    /// Whether the related object may be missing.
    var isOptional = false
  }

  var title: String
  var boxes: [Box]
  var edges: [Edge]
}
