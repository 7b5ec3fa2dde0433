/// Decides a to-one relationship from the key that a payload states. The caller carries the decision out.
enum ToOneDecision: Equatable {
  /// The link stays as it is.
  case keep
  /// The column holds this target, or null.
  case hold(SyncIdentity?)
  /// The target is not stored yet: the link is made when it arrives. A required column of a new row already holds it.
  case wait(SyncIdentity)
  /// The link is decided together with the statements of the other ends of one-to-one links.
  case pair(SyncIdentity?)

  enum Statement: Equatable {
    case null
    /// - Parameter isStored: whether the target is stored.
    case named(SyncIdentity, isStored: Bool)
  }

  /// The row's state, and the kind of its link.
  struct Link {
    var isNew = false
    var isOptional = true
    /// Whether the relationship is one-to-one.
    var isUnique = false
  }

  /// Decides a row's own key, or its statement at the far end of a one-to-one, where the other row has the column.
  init(_ statement: Statement, _ link: Link, mask: LinkMask) {
    switch statement {
    case .null where !link.isNew && !mask.canRemove, .named where !mask.canAdd: self = .keep
    case .null: self = link.isUnique && link.isOptional ? .pair(nil) : .hold(nil)
    case .named(let target, isStored: false): self = .wait(target)
    case .named(let target, isStored: true): self = link.isUnique ? .pair(target) : .hold(target)
    }
  }
}
