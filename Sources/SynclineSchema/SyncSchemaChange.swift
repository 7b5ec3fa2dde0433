/// A difference between two schemas, as data and as a sentence.
public struct SyncSchemaChange: Hashable, Sendable, Codable {
  /// The kind of a change.
  public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
    case modelAdded, modelDropped, modelRenamed
    case propertyAdded, propertyDropped, propertyRenamed
    /// A relationship was removed from one of its two models. Its links are kept.
    case endDropped
    /// The type of a value, or the related model, changed.
    case typeChanged
    case becameOptional, becameRequired
    /// The property that identifies rows changed.
    case identityChanged
    /// The parent within which the identity is unique changed.
    case parentScopeChanged
    /// The storage of a relationship changed: between a column and a join table, or from one end to the other.
    case relationshipMoved
    case indexAdded, indexDropped
    /// Values must now be unique, or need no longer be unique.
    case uniqueAdded, uniqueDropped
    /// Local edits are now recorded for a push, or no longer recorded.
    case offlineAdded, offlineDropped
  }

  /// The kind of the change.
  public let kind: Kind
  /// The current name of the model; the former name if it was dropped.
  public let model: String
  /// The changed property, if any; for an index, its properties.
  public let property: String?
  /// The former name or type.
  public let from: String?
  /// The new name or type.
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
  /// The change as a sentence.
  public var description: String {
    let name = property.map { "\(model).\($0)" } ?? model
    let (from, to) = (from ?? "", to ?? "")
    return switch kind {
    case .modelAdded: "the model \(model) is new"
    case .modelDropped: "the model \(model) is dropped, with its rows"
    case .modelRenamed: "the model \(from) is renamed to \(model)"
    case .propertyAdded: "\(name) is new, \(to)"
    case .propertyDropped: "\(name) is dropped, with its values"
    case .endDropped: "\(name) is dropped; its links stay"
    case .propertyRenamed: "\(model).\(from) is renamed to \(name)"
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
    case .uniqueAdded: "\(name) is unique"
    case .uniqueDropped: "\(name) is no longer unique"
    case .offlineAdded: "edits of \(model) are kept for a push"
    case .offlineDropped: "edits of \(model) are no longer kept for a push"
    case .indexDropped: "\(model) no longer has an index of \(property ?? "")"
    }
  }
}
