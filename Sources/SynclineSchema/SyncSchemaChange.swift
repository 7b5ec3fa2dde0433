/// One difference between two schemas, as data and as a sentence.
public struct SyncSchemaChange: Hashable, Sendable, Codable {
  /// What became of a thing.
  public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
    case modelAdded, modelDropped, modelRenamed
    case propertyAdded, propertyDropped, propertyRenamed
    /// A relationship is gone from one of its two models: its links stay.
    case endDropped
    /// A value of another type, or a relationship to another model.
    case typeChanged
    case becameOptional, becameRequired
    /// Another property tells the rows apart.
    case identityChanged
    /// The identity is unique within another scope.
    case parentScopeChanged
    /// A relationship is stored elsewhere: between a column and a table of links, or at its other end.
    case relationshipMoved
    case indexAdded, indexDropped
  }

  /// What became of it.
  public let kind: Kind
  /// The model, by the name it has today; that of a dropped one.
  public let model: String
  /// The property, where the change is of one; the properties of an index.
  public let property: String?
  /// What it was before: a name or a type.
  public let from: String?
  /// What it is now: a name or a type.
  public let to: String?

  init(_ kind: Kind, _ model: String, _ property: String? = nil, from: String? = nil, to: String? = nil) {
    self.kind = kind
    self.model = model
    self.property = property
    self.from = from
    self.to = to
  }
}

extension SyncSchemaChange: CustomStringConvertible {
  /// The sentence.
  public var description: String {
    let name = property.map { "\(model).\($0)" } ?? model
    let (from, to) = (from ?? "", to ?? "")
    return switch kind {
    case .modelAdded: "the model \(model) is new"
    case .modelDropped: "the model \(model) is dropped, with its rows"
    case .modelRenamed: "the model \(from) is called \(model)"
    case .propertyAdded: "\(name) is new, \(to)"
    case .propertyDropped: "\(name) is dropped, with its values"
    case .endDropped: "\(name) is dropped; its links stay"
    case .propertyRenamed: "\(model).\(from) is called \(name)"
    case .typeChanged: "\(name) was \(from) and is \(to)"
    case .becameOptional: "\(name) is optional"
    case .becameRequired: "\(name) is required"
    case .identityChanged: "\(model) is identified by \(to), and was by \(from)"
    case .parentScopeChanged:
      to.isEmpty
        ? "\(model) is unique by its identity alone"
        : "\(model) is unique by its identity within \(to)"
    case .relationshipMoved: "\(name) is stored \(to), and was \(from)"
    case .indexAdded: "\(model) has an index of \(property ?? "")"
    case .indexDropped: "\(model) has no index of \(property ?? "") any more"
    }
  }
}
