/// A payload's list of the members of one relationship of one row.
struct ListStatement {
  struct Element {
    let identity: SyncIdentity
    let nested: SyncValue?
    let key: String
    let index: Int
    /// Whether it is an object next to a list of keys.
    let isNextToKeys: Bool
    /// The outcome of a nested row.
    var outcome: RowOutcome?

    /// Nil for an element without identity.
    init?(_ element: PayloadObject.ToManyReading.Element, isNextToKeys: Bool = false) {
      guard let identity = element.identity else { return nil }
      (self.identity, nested, key, index) = (identity, element.nested, element.key, element.index)
      self.isNextToKeys = isNextToKeys
    }
  }

  let place: LinkPlace
  let target: ModelRows
  /// Where the list begins in the payload. If two lists conflict, the later one wins.
  let begin: Int
  /// Whether there can be no links yet: the row is new, and no row was nested in it.
  let isFirst: Bool
  /// Whether the row has another list with the same members.
  var isRepeated = false
  var canAdd: Bool
  /// Whether the operations insert the rows that are nested in the list.
  let creates: Bool
  /// Whether the list has all members of the row.
  var isComplete: Bool
  var policy: ChildPolicy?
  var elements: [Element] = []
  /// The objects of deleted rows in the list.
  var deleted: [Element] = []
  /// Whether elements were left out because they identify no row.
  var hasUnreadableElements = false
  /// Whether the list has no element at all.
  var isEmpty = false
  /// The members before the list, if a column of theirs stores the links.
  var current: Set<SyncIdentity> = []
  /// Where to report pending and required members.
  var problem: ProblemPlace

  /// The members' column for their owner; nil for a join table.
  var column: LinkEnd? { place.end.memberColumn }

  /// Whether the list is empty, but the call requires elements.
  var isHeldBack: Bool { isEmpty && policy?.requireNonEmpty == true }

  /// Rows that the operations do not insert. They do not become pending, even if a key in the list references them, too.
  var uninserted: Set<SyncIdentity> {
    creates ? [] : Set(elements.lazy.filter { $0.outcome == .left }.map(\.identity))
  }

  /// Whether rows that are missing from the list are removed from it.
  var isWhole: Bool { isComplete && !isHeldBack }

  func member(_ identity: SyncIdentity) -> RowKey {
    RowKey(identity: identity, parent: target.table.parentScope == nil ? nil : place.owner.identity)
  }
}

/// The location of a problem in a payload. Its path is built when it is needed.
struct ProblemPlace {
  private let object: PayloadObject
  private let key: String

  init(_ object: PayloadObject, _ key: String) { (self.object, self.key) = (object, key) }

  /// The path in parts, which many places share.
  var parts: PathParts { object.pathParts(of: key) }
  /// The whole path and the row, which do not need the object.
  var kept: PathParts { PathParts(path: object.path(of: key), row: object.rowIndex) }
}

extension Run {
  func report(
    _ finding: Finding, at place: LinkPlace, _ problem: PathParts, _ action: SyncProblem.Action
  ) {
    log.record(
      SyncProblem(
        model: place.end.table.name, row: problem.row, identity: "\(place.owner.identity)",
        path: problem.path, finding, action: action))
  }

  func reportHeldBack(_ list: ListStatement) {
    report(.emptyList, at: list.place, list.problem.kept, .deletedNothing)
  }

  /// Reports a row that its owner's list omits, but that stays linked because it requires the owner.
  func reportKept(_ row: RowKey, of place: LinkPlace, _ problem: PathParts) {
    guard let column = place.end.memberColumn else { return }
    report(
      .missingRequired(model: column.table.name, identity: "\(row.identity)", column: column.name), at: place,
      problem, .keptRow)
  }

  /// A link that waits for its target, for reports.
  func waitingLink(_ place: LinkPlace, _ target: SyncIdentity, _ problem: PathParts) -> SyncWaitingLink {
    SyncWaitingLink(
      model: place.end.table.name, row: problem.row, identity: place.owner.identity.description,
      relationship: place.end.name, target: place.end.targetTable.name,
      targetIdentity: description(of: target), path: problem.path)
  }
}
