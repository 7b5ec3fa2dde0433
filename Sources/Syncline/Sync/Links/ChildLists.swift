/// Lists of rows that hold their owner in a column.
///
/// A row that is listed where it is already is marked, and takes no more; only what changes is remembered, and written
/// when all of the payload was read.
final class ChildLists {
  unowned(unsafe) let run: Run
  let pending: PendingLinks
  let missing: MissingRows
  private let required: RequiredLinks
  /// What the lists say, by the columns of the rows in them.
  var claims: [LinkEnd: ListClaims] = [:]

  init(_ run: Run, _ pending: PendingLinks, missing: MissingRows, required: RequiredLinks) {
    self.run = run
    self.pending = pending
    self.missing = missing
    self.required = required
  }

  /// Reads a list: takes those rows that are others' now.
  ///
  /// It runs before the rows that are nested in the list are synced: their lists begin later, and count more.
  func claimMembers(of list: inout ListStatement) throws {
    guard let column = list.column else { return }
    // Nothing holds the identity of a row that is new just now, but what requires it.
    if !list.isFirst || !required.isEmpty
      || list.target.table.parentScope != nil
    {
      list.current = Set(try run.members(of: list.place))
    }
    guard list.canAdd || list.isComplete else { return }
    let hasList = run.isDecided(list.place)
    let last = claims[column]?.lastLists[list.place.owner] ?? -1
    let lastOfAll = claims[column]?.lastBegin ?? -1
    list.followsLater = list.begin < (hasList ? lastOfAll : last)
    if hasList || (list.isComplete && last >= 0) { try replaceEarlierList(list, column) }
    if hasList || !list.isComplete {
      claims[column, default: ListClaims()].lastLists[list.place.owner] = max(last, list.begin)
    }
    var isClaimed = claims[column]?.isEmpty == false
    for element in list.elements {
      let member = LinkPlace(end: column, owner: list.member(element.identity))
      if list.current.contains(element.identity) {
        if isClaimed { try unclaim(member, list) }
        confirm(member, list)
      } else if list.canAdd, list.target.table.parentScope == nil, try list.target.exists(element.identity) {
        try claim(member, list)
        isClaimed = true
      }
    }
    claims[column, default: ListClaims()].lastBegin = max(list.begin, lastOfAll)
    if list.isComplete { run.noteDecided(list.place) }
  }

  /// A later list of the same row replaces an earlier one.
  private func replaceEarlierList(_ list: ListStatement, _ column: LinkEnd) throws {
    if claims[column]?.outdoing.contains(list.place) == true { try run.logLinks() }
    guard let claims = claims[column]?.claims, !claims.isEmpty else { return }
    let listed = Set(list.elements.map { list.member($0.identity) })
    let isOther = claims.contains { member, claim in claim.place == list.place && !listed.contains(member) }
    // Whom the earlier list took its rows from was not remembered.
    if isOther { try run.logLinks() }
  }

  /// A list that names a row outdoes what earlier ones say of it.
  private func unclaim(_ member: LinkPlace, _ list: ListStatement) throws {
    let (column, row) = (member.end, member.owner)
    let claim = claims[column]?.claims[row]
    if claim != nil { try run.noteOrderTells() }
    if let claim, claim.begin <= list.begin {
      claims[column]?.claims[row] = nil
      if claim.place != list.place { claims[column]?.outdoing.insert(list.place) }
    }
    if let leftOut = claims[column]?.leftOut[row], leftOut.begin <= list.begin {
      claims[column]?.leftOut[row] = nil
    }
    claims[column]?.unlisted[row] = nil
  }

  /// A list names a row that is its owner's already.
  private func confirm(_ member: LinkPlace, _ list: ListStatement) {
    let row = member.owner
    let isNew = list.target.journal.isInserted(row) || list.target.journal.isChanged(row)
    noteListed(member, list, isCounted: isNew)
    pending.forgetKey(member)
  }

  /// Notes that a list decides a member, and counts the member the first time.
  func noteListed(_ member: LinkPlace, _ list: ListStatement, isCounted: Bool = true) {
    if isCounted, !run.isDecided(member) {
      run.ledger.recordListed(member.owner, at: list.place)
    }
    run.noteDecided(member)
  }

  /// A list takes a row from another owner, or from none.
  func claim(_ member: LinkPlace, _ list: ListStatement) throws {
    let (column, row) = (member.end, member.owner)
    if list.followsLater { try run.logLinks() }
    let isListed = run.isDecided(member)
    let other = claims[column]?.claims[row]
    if other != nil || isListed { try run.noteOrderTells() }
    if let other, other.begin > list.begin { return }
    claims[column]?.unlisted[row] = nil
    if other == nil, isListed, list.begin < claims[column]?.lastBegin ?? -1 { try run.logLinks() }
    claims[column, default: ListClaims()].claims[row] = ListClaims.Claim(
      place: list.place, begin: list.begin,
      wasCounted: other?.wasCounted ?? (isListed && list.target.journal.isInserted(row)))
    run.noteDecided(member)
    pending.forgetKey(member)
  }

  /// Takes a row that a list has waited for.
  func claimArrived(_ member: LinkPlace, for place: LinkPlace, begin: Int) throws {
    let other = claims[member.end]?.claims[member.owner]
    if other != nil { try run.noteOrderTells() }
    if let other, other.begin > begin { return }
    if other == nil, run.isDecided(member) {
      // Another list has the row, and where that one begins was not remembered.
      if try run.target(of: member) != place.owner.identity { try run.logLinks() }
      return
    }
    claims[member.end, default: ListClaims()].claims[member.owner] = ListClaims.Claim(
      place: place, begin: begin, wasCounted: false)
    run.noteDecided(member)
  }

  // MARK: What rows' own keys are told

  /// What the list of the row that a key leads to says, where that row's list has been read and no list has this one.
  func listed(_ place: LinkPlace, _ target: SyncIdentity) -> ListedRow {
    let owner = RowKey(identity: target)
    guard let list = place.end.inverse, run.isDecided(LinkPlace(end: list, owner: owner)) else {
      return .linked
    }
    guard run.rows(list.owner).notes.stale.contains(owner, .named) else { return .unlisted }
    return claims[place.end]?.named[place.owner] == target ? .linked : .kept
  }

  /// Remembers that a row's own key leads to a row whose list does not have it.
  func noteUnlisted(_ place: LinkPlace, _ target: SyncIdentity) {
    claims[place.end, default: ListClaims()].unlisted[place.owner] = target
  }
}

/// What the list of a row that a key leads to says of it.
enum ListedRow {
  /// There is no list, or the row is in it.
  case linked
  /// The list does not have the row.
  case unlisted
  /// The list does not have the row, and is as old as what is stored.
  case kept
}

/// What the lists of a payload say of the rows that a to-one column belongs to.
struct ListClaims {
  struct Claim {
    /// The list that has the row.
    let place: LinkPlace
    let begin: Int
    /// Whether the row was inserted for another list, which has counted it.
    let wasCounted: Bool
  }

  struct LeftOut {
    /// The list that does not have the row any more.
    let place: LinkPlace
    let begin: Int
    let policy: DeletionPolicy?
    /// Where a member that has to stay is reported.
    let problem: ProblemPlace?
    /// Nested rows that wait to be completed: where one is skipped, the list keeps its other members.
    let incomplete: [RowKey]
  }

  /// The rows that go to another owner.
  var claims: [RowKey: Claim] = [:]
  /// Members that their owner's list does not name.
  var leftOut: [RowKey: LeftOut] = [:]
  /// Rows whose own key leads to an owner whose list has been read, and does not name them.
  var unlisted: [RowKey: SyncIdentity] = [:]
  /// Rows that the lists of stale owners name, and do not have.
  var named: [RowKey: SyncIdentity] = [:]
  /// New rows that stand in the lists of stale owners.
  var standing: [RowKey: SyncIdentity] = [:]
  /// The lists that keep rows which others had claimed: replaced by a later list, the others' claims would count.
  var outdoing: Set<LinkPlace> = []
  /// How many lists on end were taken for stored as they are, and were not.
  var wrongGuesses = 0
  static let guessLimit = 8
  /// Where the last list begins that was read.
  var lastBegin = -1
  /// Where the last list begins of the rows that have several.
  var lastLists: [RowKey: Int] = [:]

  /// Whether nothing has to be written.
  var isEmpty: Bool { claims.isEmpty && leftOut.isEmpty && unlisted.isEmpty }

  /// Takes what has to be written, and goes on with what was read.
  mutating func takeUnwritten() -> ListClaims {
    defer { (claims, leftOut, unlisted) = ([:], [:], [:]) }
    return self
  }
}
