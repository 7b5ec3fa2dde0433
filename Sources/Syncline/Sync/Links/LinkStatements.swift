/// The decisions about the links of a store's rows.
typealias Links = LinkDecision<LinkEnd, LinkedRow>

/// A payload's statements about links. They are logged while it is read, and decided at its end.
final class LinkStatements {
  /// The statements about one to-one column (for a union: all of its columns) or one join table.
  struct Group {
    var own: [LinkedRow: [Links.OwnKey]] = [:]
    var far: [LinkedRow: [Links.OwnKey]] = [:]
    var lists: [Links.List] = []
    /// The parents that the call gives.
    var given: [LinkedRow: Links.OwnKey] = [:]
    /// Links to which an object without identity was applied.
    var fixed: [LinkedRow: LinkedRow] = [:]
    /// Whether statements nest rows that the operations do not insert there.
    var hasUninserted = false

    /// The statements without references to such rows, if they are not inserted elsewhere either.
    func said(_ rows: Links.Rows) -> Group {
      guard hasUninserted else { return self }
      var group = self
      group.own = own.mapValues { $0.filter { !$0.isUninserted || rows.exists($0.target) } }
      group.far = far.mapValues { $0.filter { !$0.isUninserted || rows.exists($0.target) } }
      for index in lists.indices {
        group.lists[index].members.subtract(lists[index].uninserted.filter { !rows.exists($0) })
      }
      return group
    }
  }

  /// Where a statement is in the payload, for reports.
  struct Source {
    let place: LinkPlace
    let begin: Int
    let problem: PathParts
    /// The members of a list, in its order.
    var members: [LinkedRow] = []
  }

  /// By the end with the column (for a union: its first case), or by the source of the join table.
  private(set) var groups: [LinkEnd: Group] = [:]
  /// The sources of the statements, by statement number.
  private(set) var sources: [Source] = []
  /// The relationships of which the payload has a row's complete list.
  private(set) var listed: Set<LinkPlace> = []
  /// The rows that the payload inserts.
  private(set) var newRows: [LinkedRow] = []
  private let catalog: ModelCatalog

  init(_ catalog: ModelCatalog) {
    self.catalog = catalog
  }

  // MARK: Ends

  /// The end whose group decides an end's links.
  func group(of end: LinkEnd) -> LinkEnd {
    switch end.storage {
    case .column: firstCase(of: end)
    case .inverse: end.memberColumn.map(firstCase) ?? end
    case .table(let link): link.isSource ? end : end.inverse ?? end
    }
  }

  private func firstCase(of column: LinkEnd) -> LinkEnd { cases(of: column).first ?? column }

  /// The columns that store a to-one: one, or one for each case of a union.
  func cases(of column: LinkEnd) -> [LinkEnd] {
    guard let gate = column.table.unionGates[column.position] else { return [column] }
    return gate.positions.compactMap { catalog.entries[column.owner].ends[$0] }
  }

  /// The end under which pending links of an end are decided: columns and partners of a union under its first case.
  func decidedEnd(of end: LinkEnd) -> LinkEnd {
    let group = group(of: end)
    if end.isColumn { return group }
    return isOneToOne(group) ? group.inverse ?? end : end
  }

  /// Whether all columns of a group are one-to-one. In other unions, a partner's statement is a list of one row.
  func isOneToOne(_ group: LinkEnd) -> Bool { group.isUnique && cases(of: group).allSatisfy(\.isUnique) }

  // MARK: Logging

  /// Logs an inserted row. Its columns keep their first values until its links are decided.
  func addNew(_ row: LinkedRow) { newRows.append(row) }

  /// Logs a row's statement about its to-one, or about the far end of a one-to-one.
  func add(
    _ place: LinkPlace, target: SyncIdentity?, begin: Int, isStale: Bool, isNested: Bool = false,
    isUninserted: Bool = false, _ problem: ProblemPlace
  ) {
    let key = Links.OwnKey(
      row: place.row, target: target.map { LinkedRow(place.end.target, $0) }, begin: begin, isStale: isStale,
      isNested: isNested, isUninserted: isUninserted, number: note(place, begin, problem))
    let end = group(of: place.end)
    if place.end.isColumn {
      groups[end, default: Group()].own[place.row, default: []].append(key)
    } else {
      groups[end, default: Group()].far[place.row, default: []].append(key)
    }
    if isUninserted { groups[end]?.hasUninserted = true }
  }

  func add(_ list: ListStatement, isStale: Bool) {
    let isScoped = list.target.table.parentScope != nil
    let policy = list.policy?.policy
    let isPartial = !list.isWhole || policy == DeletionPolicy.none
    let target = list.place.end.target
    var (members, nested, uninserted): ([LinkedRow], Set<LinkedRow>, Set<LinkedRow>) = ([], [], [])
    for element in list.elements {
      let row = LinkedRow(target, list.member(element.identity))
      members.append(row)
      guard element.nested != nil else { continue }
      if !element.isNextToKeys { nested.insert(row) }
      if !list.creates { uninserted.insert(row) }
    }
    let statement = Links.List(
      end: list.place.end, owner: list.place.row, members: Set(members), nested: nested,
      uninserted: uninserted, begin: list.begin, isComplete: !isPartial, adds: list.canAdd && !isScoped,
      policy: policy == DeletionPolicy.none ? nil : policy, isStale: isStale,
      number: note(list.place, list.begin, list.problem))
    sources[statement.number].members = members
    let end = group(of: list.place.end)
    groups[end, default: Group()].lists.append(statement)
    if !isPartial { listed.insert(list.place) }
    if !statement.uninserted.isEmpty { groups[end]?.hasUninserted = true }
  }

  /// Logs the parent that a row gets from the call, or from the list of the parent within which it is unique.
  func give(_ place: LinkPlace, _ parent: SyncIdentity, begin: Int, _ problem: ProblemPlace) {
    let end = group(of: place.end)
    if let other = groups[end]?.given[place.row], other.begin >= begin { return }
    groups[end, default: Group()].given[place.row] = Links.OwnKey(
      row: place.row, target: LinkedRow(place.end.target, parent), begin: begin,
      number: note(place, begin, problem))
  }

  /// Fixes a link to whose target an object without identity was applied.
  func fix(_ place: LinkPlace, _ target: LinkedRow) {
    let (holder, partner) = place.end.isColumn ? (place.row, target) : (target, place.row)
    groups[group(of: place.end), default: Group()].fixed[holder] = partner
  }

  /// The row that a statement about a to-one references.
  func target(of number: Int, at place: LinkPlace) -> LinkedRow? {
    let group = groups[group(of: place.end)]
    let keys = place.end.isColumn ? group?.own : group?.far
    return keys?[place.row]?.first { $0.number == number }?.target
  }

  private func note(_ place: LinkPlace, _ begin: Int, _ problem: ProblemPlace) -> Int {
    sources.append(Source(place: place, begin: begin, problem: problem.kept))
    return sources.count - 1
  }
}
