/// The content of a diagram of models.
package struct ModelDiagram: Hashable, Sendable {
  /// A model.
  struct Box: Hashable, Sendable {
    /// The name of the model.
    var name: String
    /// Its properties, in the order of the schema.
    var rows: [Row] = []
  }

  /// A property.
  struct Row: Hashable, Sendable {
    /// The name of the property.
    var name: String
    /// Its type, as written in the schema.
    var type: String
    /// Whether it is the identity of its model, or part of it.
    var isKey = false
  }

  /// The cardinality of a relationship.
  enum Kind: Hashable, Sendable {
    /// Many to one.
    case toOne
    /// One to one.
    case oneToOne
    /// One to many.
    case toMany
    /// Many to many.
    case manyToMany
  }

  /// A relationship.
  struct Edge: Hashable, Sendable {
    /// The box of the model that has the property.
    var from: Int
    /// The box of the model to which the property refers.
    var to: Int
    /// The name of the property.
    var label: String
    /// Its cardinality.
    var kind = Kind.toOne
    /// Whether the related object may be missing.
    var isOptional = false
  }

  /// The title of the drawing.
  var title: String
  /// The models.
  var boxes: [Box]
  /// The relationships.
  var edges: [Edge]
}
