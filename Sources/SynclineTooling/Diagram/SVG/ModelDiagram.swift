/// What a diagram of models shows.
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
    /// Its type as the schema has it.
    var type: String
    /// Whether it identifies its model.
    var isKey = false
  }

  /// How many objects a relationship joins.
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
    /// The box of the model that the property leads to.
    var to: Int
    /// The name of the property.
    var label: String
    /// How many objects it joins.
    var kind = Kind.toOne
    /// Whether there may be none at its end.
    var isOptional = false
  }

  /// What the drawing is called.
  var title: String
  /// The models.
  var boxes: [Box]
  /// The relationships.
  var edges: [Edge]
}
