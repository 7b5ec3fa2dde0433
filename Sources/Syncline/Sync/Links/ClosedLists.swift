/// The lists of a payload that contradict each other, and the rows' own keys that yield to them: decided when all of the
/// payload was read, in the order they begin.
final class ClosedLists {
  private unowned(unsafe) let run: Run
  private let pending: PendingLinks
  private let childLists: ChildLists
  private let linkLists: LinkLists
  private var lists: [ListStatement] = []
  /// Where the last complete list begins of each row.
  private var lastComplete: [LinkPlace: Int] = [:]
  /// What rows' own keys say last; nil clears the link.
  private var ownKeys: [LinkPlace: SyncIdentity?] = [:]
  /// All places that rows' own keys say something of.
  private var stated: Set<LinkPlace> = []
  /// New rows that stand in the lists of stale rows, and the last of these lists.
  private var standing: [LinkPlace: (owner: SyncIdentity, begin: Int)] = [:]

  init(_ run: Run, _ pending: PendingLinks, _ childLists: ChildLists, _ linkLists: LinkLists) {
    self.run = run
    self.pending = pending
    self.childLists = childLists
    self.linkLists = linkLists
  }

  func add(_ list: ListStatement) {
    var list = list
    list.problem = list.problem.kept()
    lists.append(list)
  }

  /// Leaves what a row's own key says to the end.
  func postpone(_ place: LinkPlace, _ target: SyncIdentity?) {
    ownKeys[place] = .some(target)
    stated.insert(place)
  }

  /// Notes that a new row stands in the list of a stale row.
  func noteStanding(_ place: LinkPlace, in owner: SyncIdentity, begin: Int) {
    if let other = standing[place], other.begin > begin { return }
    standing[place] = (owner, begin)
  }

  /// Decides the lists: of each row the last one that is complete, and those after it, which add to it.
  func decide() throws {
    guard run.mode.decidesListsAtEnd else { return }
    var policies: [LinkPlace: ChildPolicy] = [:]
    for list in lists where list.isComplete {
      lastComplete[list.place] = max(lastComplete[list.place] ?? list.begin, list.begin)
      if let policy = list.policy { policies[list.place] = policy }
    }
    var counting = lists.filter { $0.begin >= lastComplete[$0.place] ?? $0.begin }
    lists = []
    counting.sort { $0.begin < $1.begin }
    for index in counting.indices {
      if counting[index].policy == nil { counting[index].policy = policies[counting[index].place] }
      try childLists.claimMembers(of: &counting[index])
      try childLists.settle(counting[index])
      try linkLists.settle(counting[index])
    }
    try decideOwnKeys()
    try decideStanding()
  }

  /// Links what rows' own keys lead to, where no list says otherwise.
  private func decideOwnKeys() throws {
    let keys = ownKeys
    ownKeys = [:]
    for (place, target) in keys {
      let model = run.rows(place.end.owner)
      let (row, position) = (place.owner, place.end.position)
      guard !run.isDecided(place), !model.isGiven(row, at: position) else { continue }
      let isOptional = place.end.isOptional
      guard let target else {
        if isOptional { _ = try model.link(row, at: position, to: nil) }
        continue
      }
      switch childLists.listed(place, target) {
      case .linked: _ = try model.link(row, at: position, to: target)
      case .unlisted: _ = try model.link(row, at: position, to: isOptional ? nil : target)
      case .kept:
        // A new row has it already.
        guard isOptional, model.journal.isInserted(row) else { continue }
        _ = try model.link(row, at: position, to: nil)
      }
    }
  }

  /// Gives new rows the parents in whose stale lists they stand, where nothing else is said of them.
  private func decideStanding() throws {
    for (place, list) in standing where place.end.isOptional && !stated.contains(place) {
      let model = run.rows(place.end.owner)
      let (row, position) = (place.owner, place.end.position)
      guard model.journal.isInserted(row), !run.isDecided(place), !model.isGiven(row, at: position) else {
        continue
      }
      switch pending.waits(place) {
      case nil: _ = try model.link(row, at: position, to: list.owner)
      case true?: _ = try model.link(row, at: position, to: nil)
      // The row that its own key leads to has come.
      case false?: break
      }
    }
  }
}
