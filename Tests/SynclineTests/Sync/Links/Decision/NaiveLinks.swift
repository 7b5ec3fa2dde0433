@testable import Syncline

/// A naive implementation of link decisions, which reads all statements again for each question.
struct NaiveLinks {
  typealias Links = LinkDecision<String, Int>

  let known: Links.Known
  var own: [Links.OwnKey] = []
  var far: [Links.OwnKey] = []
  var lists: [Links.List] = []
  var dropped: Set<Int> = []

  private var rows: Links.Rows { known.rows }

  // MARK: Lists

  /// Whether a complete list of the same row begins later.
  private func isReplaced(_ list: Links.List) -> Bool {
    lists.contains {
      $0.isComplete && $0.end == list.end && $0.owner == list.owner && $0.begin > list.begin
    }
  }

  private func counts(_ list: Links.List) -> Bool { rows.exists(list.owner) && !isReplaced(list) }

  private func complete(_ owner: Int) -> Links.List? {
    lists.first { $0.owner == owner && $0.isComplete && counts($0) }
  }

  private func names(_ owner: Int?, _ row: Int) -> Bool {
    lists.contains { $0.owner == owner && counts($0) && $0.members.contains(row) }
  }

  private func lacks(_ owner: Int, _ row: Int) -> Bool { complete(owner) != nil && !names(owner, row) }
  private func removes(_ owner: Int, _ row: Int) -> Bool {
    complete(owner)?.isStale == false && !names(owner, row)
  }

  private func latest(_ isMeant: (Links.List) -> Bool) -> Links.List? {
    lists.filter(isMeant).max { $0.begin < $1.begin }
  }

  // MARK: A column

  /// The target of a row in the column of a to-one.
  func target(of row: Int, in column: String) -> Int? {
    let stored = known.targets[row].flatMap { rows.exists($0) ? $0 : nil }
    let nesting = latest { $0.nested.contains(row) && rows.isNew(row) && rows.exists($0.owner) && $0.adds }
    let said = said(of: row, in: column, stored, nesting)
    if said.target == nil, known.isRequired, let nesting, !said.isRefused { return nesting.owner }
    guard let target = said.target, target == stored, known.given[row] == nil, known.fixed[row] == nil,
      removes(target, row)
    else { return said.target }
    if complete(target)?.policy != nil, !rows.held.contains(row) { return target }
    return known.isRequired ? target : nil
  }

  private func said(of row: Int, in column: String, _ stored: Int?, _ nesting: Links.List?)
    -> (target: Int?, isRefused: Bool)
  {
    if let fixed = known.fixed[row] { return (fixed, false) }
    if let given = known.given[row]?.target { return (given, false) }
    let list = latest {
      counts($0) && $0.members.contains(row)
        && (known.targets[row] == $0.owner || ($0.adds && !$0.isStale))
    }
    if let list { return (list.owner, false) }
    let mine = own.filter { $0.row == row && !$0.isStale }
    if let placing = mine.filter({ $0.target == nil || rows.exists($0.target) }).max(by: {
      $0.begin < $1.begin
    }) {
      guard let target = placing.target else { return (nil, known.isRequired) }
      if known.isRequired || !lacks(target, row) { return (target, false) }
      return (complete(target)?.isStale == false || rows.isNew(row) ? nil : stored, false)
    }
    if !mine.isEmpty { return (stored, false) }
    if let nesting, nesting.isStale { return (nesting.owner, false) }
    for link in known.pending {
      if link.end == column, link.owner == row, rows.isNew(link.target), !lacks(link.target, row) {
        return (link.target, false)
      }
      if link.end != column, link.target == row, rows.isNew(row), rows.exists(link.owner),
        complete(link.owner)?.isStale != false
      {
        return (link.owner, false)
      }
    }
    return (stored, false)
  }

  // MARK: A join table

  /// Whether two rows are linked in a join table.
  func areLinked(_ source: Int, _ target: Int, sources: String, targets: String) -> Bool {
    let isStored = known.pairs.contains(.init(source: source, target: target))
    guard rows.exists(source), rows.exists(target) else { return isStored }
    let ofRows = lists.filter {
      counts($0) && ($0.end == sources ? $0.owner == source : $0.owner == target)
    }
    // A list that does not contain a row states nothing about the row's pending links.
    let isNamed = isStored || ofRows.contains { $0.members.contains($0.end == sources ? target : source) }
    let saying = ofRows.filter { list in
      let isThere = list.members.contains(list.end == sources ? target : source)
      if !isNamed { return false }
      if !isThere, !list.isComplete { return false }
      return isThere == isStored || !(list.isStale || isThere && !list.adds)
    }
    if let last = saying.max(by: { $0.begin < $1.begin }) {
      let other = last.end == sources ? target : source
      if last.members.contains(other) { return true }
      return isStored && last.policy != nil && !rows.held.contains(other)
    }
    let isRecalled = known.pending.contains { link in
      let ends = link.end == sources ? (link.owner, link.target) : (link.target, link.owner)
      return ends == (source, target) && rows.isNew(link.target)
        && !lists.contains { list in
          counts(list) && list.isComplete && !list.isStale
            && (list.end == sources ? list.owner == source : list.owner == target)
        }
    }
    return isStored || isRecalled
  }

  // MARK: A one-to-one

  /// The partner of each row with a column, if no partner is required and there are no stale rows and pending links. Statements
  /// are applied from the last to the first.
  func partners(column: String) -> [Int: Int] {
    var links = known.targets.filter { rows.exists($0.key) && rows.exists($0.value) }
    var (holders, partners): (Set<Int>, Set<Int>) = ([], [])
    var statements: [(begin: Int, holder: Int?, partner: Int?, isFar: Bool)] = []
    for row in Set(own.map(\.row)) where rows.exists(row) && known.given[row] == nil {
      let last = own.filter { $0.row == row && ($0.target == nil || rows.exists($0.target)) }
        .max { $0.begin < $1.begin }
      if let last { statements.append((last.begin, row, last.target, false)) }
    }
    for row in Set(far.map(\.row)) where rows.exists(row) {
      let last = far.filter { $0.row == row && ($0.target == nil || rows.exists($0.target)) }
        .max { $0.begin < $1.begin }
      if let last { statements.append((last.begin, last.target, row, true)) }
    }
    for (row, given) in known.given where rows.exists(row) {
      statements.append((1_000_000 + given.begin, row, given.target, false))
    }
    for statement in statements.sorted(by: { $0.begin > $1.begin }) {
      let isFree =
        !(statement.holder.map(holders.contains) ?? false)
        && !(statement.partner.map(partners.contains) ?? false)
      if isFree {
        for (holder, partner) in links where holder == statement.holder || partner == statement.partner {
          links[holder] = nil
        }
        if let holder = statement.holder, let partner = statement.partner { links[holder] = partner }
        if let holder = statement.holder { holders.insert(holder) }
        if let partner = statement.partner { partners.insert(partner) }
      } else if statement.isFar, let partner = statement.partner, partners.insert(partner).inserted {
        for (holder, other) in links where other == partner && !holders.contains(holder) {
          links[holder] = nil
        }
      } else if !statement.isFar, let holder = statement.holder, holders.insert(holder).inserted {
        links[holder] = nil
      }
    }
    return links
  }
}

/// The own key of a row, with the position at which it begins.
func own(_ row: Int, _ target: Int?, at begin: Int, stale: Bool = false) -> NaiveLinks.Links.OwnKey {
  .init(row: row, target: target, begin: begin, isStale: stale, number: begin)
}
