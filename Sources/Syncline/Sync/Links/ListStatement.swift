/// What a payload's list says of the members of one relationship of one row.
struct ListStatement {
  struct Element {
    let identity: SyncIdentity
    let nested: SyncValue?
    let key: String
    let index: Int
    /// What became of a nested row.
    var outcome: RowOutcome?
  }

  let place: LinkPlace
  let owner: ModelRows
  let target: ModelRows
  /// Where the list begins in the text of the payload: of two that contradict each other the later one counts.
  let begin: Int
  /// Whether nothing can be linked yet: the row is new, and no row was nested in it.
  let isFirst: Bool
  /// Whether a list of the row was read that begins later.
  var followsLater = false
  var canAdd: Bool
  /// Whether the operations create the rows that are nested in the list.
  let creates: Bool
  /// Whether the list is all there is of the row's members.
  var isComplete: Bool
  var policy: ChildPolicy?
  var elements: [Element] = []
  /// Whether elements are left out that no row could be told from.
  var hasUnreadableElements = false
  /// Whether the list has no element at all.
  var isEmpty = false
  /// What was linked before the list, by a column of the members.
  var current: Set<SyncIdentity> = []
  /// Where waiting members and required ones are reported.
  var problem: ProblemPlace

  /// The column of the members that holds their owner; nil for members in a table of links.
  var column: LinkEnd? { place.end.memberColumn }

  /// Whether the list is empty, and the call asks for lists that are not.
  var isHeldBack: Bool { isEmpty && policy?.requireNonEmpty == true }

  /// A member's name in its table.
  func member(_ identity: SyncIdentity) -> RowKey {
    RowKey(identity: identity, parent: target.table.parentScope == nil ? nil : place.owner.identity)
  }
}

/// Where a problem stands in a payload. Its path is put together when it is reported.
struct ProblemPlace {
  private let object: PayloadObject?
  private let key: String
  private let known: (path: String, row: Int?)?

  init(_ object: PayloadObject, _ key: String) {
    self.object = object
    self.key = key
    known = nil
  }

  private init(path: String, row: Int?) {
    object = nil
    key = ""
    known = (path, row)
  }

  var parts: PathParts {
    if let object { return object.pathParts(of: key) }
    return PathParts(path: path, row: row)
  }
  var path: String { known?.path ?? object?.path(of: key) ?? "" }
  var row: Int? { known == nil ? object?.rowIndex : known?.row }

  /// The place, for when the object is gone.
  func kept() -> ProblemPlace { ProblemPlace(path: path, row: row) }
}

/// Thrown where statements of a payload about links concern each other: the sync begins again, logs all of them, and decides
/// them together.
struct LinksToLog: Error {}

extension Run {
  /// Begins again with a log of what is said of links, unless there is one already.
  func logLinks() throws {
    if !mode.logsLinks { throw LinksToLog() }
  }

  /// Reports an empty list that deletes nothing.
  func reportHeldBack(_ list: ListStatement) {
    log.record(
      SyncProblem(
        model: list.owner.table.name, row: list.problem.row, identity: list.place.owner.identity.description,
        path: list.problem.path, .emptyList, action: .deletedNothing))
  }
}
