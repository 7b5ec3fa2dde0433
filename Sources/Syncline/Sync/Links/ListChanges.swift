/// The changes that a payload's lists make to the rows with a to-one column.
struct ListChanges {
  /// The change of a row. Lists are numbered from one; 0 means none.
  private struct Change {
    /// The list that takes the row from another owner.
    var claimant: UInt32 = 0
    /// The list of the row's owner that lacks the row.
    var omitter: UInt32 = 0
  }

  private struct List {
    unowned(unsafe) let end: LinkEnd
    /// How many rows the list takes.
    var claimCount: UInt32 = 0
    var leavesOut = false
    /// What happens to the rows that it lacks.
    var policy: DeletionPolicy?
  }

  struct LeftOut {
    let row: RowKey
    let list: LinkPlace
    let policy: DeletionPolicy?
    /// Where to report a row that has to stay.
    let problem: PathParts?
  }

  private var rows = RowTable<Change>()
  /// The lists with changes, by owner.
  private var lists = RowTable<List>()
  /// Where to report rows that have to stay.
  private var problems: [UInt32: PathParts] = [:]
  /// The rows of the lists' pending links.
  var awaited = RowMarks()
  /// The owners of lists that only add.
  var partial: Set<RowKey> = []
  /// How many lists in succession differed from the stored ones.
  var wrongGuesses = 0
  static let guessLimit = 8

  // MARK: Asking

  private func change(of row: RowKey) -> Change { rows.number(of: row).map { rows[$0] } ?? Change() }

  /// The list that takes a row from another owner.
  func claimant(of row: RowKey) -> LinkPlace? {
    let list = change(of: row).claimant
    return list == 0 ? nil : place(list)
  }

  func leavesOut(_ row: RowKey) -> Bool { change(of: row).omitter != 0 }

  /// Whether the owner of a row changes.
  func concern(_ row: RowKey) -> Bool {
    let change = change(of: row)
    return change.claimant != 0 || change.omitter != 0
  }

  /// How many rows the list of an owner takes.
  func claimCount(of owner: RowKey) -> Int { lists.number(of: owner).map { Int(lists[$0].claimCount) } ?? 0 }

  /// Whether the list of an owner adds or removes rows.
  func changes(listsOf owner: RowKey) -> Bool {
    lists.number(of: owner).map { lists[$0].claimCount > 0 || lists[$0].leavesOut } ?? false
  }

  private func place(_ list: UInt32) -> LinkPlace {
    LinkPlace(end: lists[Int(list) - 1].end, owner: lists.row(Int(list) - 1))
  }

  // MARK: Changing

  private mutating func number(of place: LinkPlace) -> UInt32 {
    UInt32(truncatingIfNeeded: lists.number(adding: place.owner, List(end: place.end)) + 1)
  }

  mutating func add(_ row: RowKey, to place: LinkPlace) {
    let list = number(of: place)
    let number = rows.number(adding: row, Change())
    if rows[number].claimant == 0 { lists[Int(list) - 1].claimCount += 1 }
    rows[number].claimant = list
  }

  /// Withdraws a list's claim to a nested row that could not be kept.
  mutating func withdraw(_ row: RowKey, from place: LinkPlace) {
    guard let number = rows.number(of: row), case let list = rows[number].claimant, list != 0,
      self.place(list) == place
    else { return }
    lists[Int(list) - 1].claimCount -= 1
    rows[number].claimant = 0
  }

  mutating func leaveOut(
    _ members: [RowKey], of place: LinkPlace, _ policy: DeletionPolicy?, reportedAt problem: PathParts?
  ) {
    let list = number(of: place)
    lists[Int(list) - 1].leavesOut = true
    lists[Int(list) - 1].policy = policy
    problems[list] = problem
    for member in members {
      let number = rows.number(adding: member, Change())
      rows[number].omitter = list
    }
  }

  // MARK: Writing

  /// Returns what must be written, and clears the changes of rows.
  mutating func takeUnwritten() -> ListChanges {
    defer { rows = RowTable() }
    return self
  }

  /// The rows that lists take, with their lists, in identity order.
  var claims: some Sequence<(row: RowKey, list: LinkPlace)> {
    sorted { $0.claimant != 0 }.lazy.map { (rows.row(Int($0)), place(rows[Int($0)].claimant)) }
  }

  /// The rows that are missing from a list and that no list takes, in identity order.
  var leftOut: some Sequence<LeftOut> {
    sorted { $0.claimant == 0 && $0.omitter != 0 }.lazy.map { number in
      let list = rows[Int(number)].omitter
      return LeftOut(
        row: rows.row(Int(number)), list: place(list), policy: lists[Int(list) - 1].policy,
        problem: problems[list])
    }
  }

  private func sorted(where isMeant: (Change) -> Bool) -> ContiguousArray<UInt32> {
    var numbers = ContiguousArray<UInt32>()
    for number in 0..<rows.count where isMeant(rows[number]) {
      numbers.append(UInt32(truncatingIfNeeded: number))
    }
    numbers.sort { rows.identity(Int($0)) < rows.identity(Int($1)) }
    return numbers
  }
}
