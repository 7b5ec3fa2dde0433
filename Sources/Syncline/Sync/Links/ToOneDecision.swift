/// What becomes of a to-one relationship whose key a payload states. It is decided from what is known, and carried out
/// elsewhere.
enum ToOneDecision: Equatable {
  /// The link stays as it is.
  case keep
  /// The column holds the row, or none.
  case hold(SyncIdentity?)
  /// The row is not there yet: the link is made when it comes. A required column of a new row holds it already.
  case wait(SyncIdentity)
  /// It is decided with what the other ends of one-to-one links say.
  case pair(SyncIdentity?)
  /// The list of the row that the key leads to does not have the row, and so it is linked to none.
  case clearedByList
  /// The list of the row that the key leads to is as old as what is stored, which stays.
  case keptByList
  /// The list of the row that the key leads to does not have the row. It may come to have it.
  case heldAgainstList(SyncIdentity)

  /// What the payload says of the link.
  enum Statement: Equatable {
    case null
    /// - Parameter isStored: whether the row that is named is there.
    case named(SyncIdentity, isStored: Bool)
  }

  /// The link as it is, and who else has a say in it.
  struct Link {
    var current: SyncIdentity?
    var isNew = false
    var isOptional = true
    /// Whether the relationship is one-to-one.
    var isUnique = false
  }

  /// Decides what a row's own key says.
  ///
  /// - Parameter listed: what the list of the row says that the key leads to.
  init(
    _ statement: Statement, _ link: Link, mask: LinkMask, listed: @autoclosure () -> ListedRow = .linked
  ) {
    switch statement {
    case .null:
      if !link.isNew, !mask.canRemove {
        self = .keep
      } else if link.isUnique, link.isOptional {
        self = .pair(nil)
      } else {
        self = .hold(nil)
      }
    case .named(let target, let isStored):
      if !mask.canAdd {
        self = .keep
      } else if !isStored {
        self = .wait(target)
      } else if link.isUnique {
        self = .pair(target)
      } else {
        self = ToOneDecision(target, link, listed: link.isNew || target != link.current ? listed() : .linked)
      }
    }
  }

  /// A list of the row's new owner may have been read, and does not name it; a new row it may have waited for.
  private init(_ target: SyncIdentity, _ link: Link, listed: ListedRow) {
    switch listed {
    case .linked: self = .hold(target)
    case .kept where !link.isNew: self = .keptByList
    case .unlisted where !link.isNew && link.isOptional: self = .clearedByList
    case .kept, .unlisted: self = .heldAgainstList(target)
    }
  }

  /// Decides what a row says of the one whose column holds it, at the far end of a one-to-one relationship.
  init(far statement: Statement, mask: LinkMask) {
    switch statement {
    case .null: self = mask.canRemove ? .pair(nil) : .keep
    case .named(let target, let isStored):
      self = !mask.canAdd ? .keep : isStored ? .pair(target) : .wait(target)
    }
  }
}
