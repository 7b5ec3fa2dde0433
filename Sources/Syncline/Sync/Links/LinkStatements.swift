/// A row of any model.
struct LinkedRow: Hashable, Comparable {
  let model: ModelNumber
  let key: RowKey

  init(_ model: ModelNumber, _ key: RowKey) { (self.model, self.key) = (model, key) }
  init(_ model: ModelNumber, _ identity: SyncIdentity) { self.init(model, RowKey(identity: identity)) }

  static func < (left: LinkedRow, right: LinkedRow) -> Bool {
    if left.model != right.model { return left.model < right.model }
    if left.key.identity != right.key.identity { return left.key.identity < right.key.identity }
    guard let parent = right.key.parent else { return false }
    return left.key.parent.map { $0 < parent } ?? true
  }
}

/// What a payload says of links, logged while it is read and decided when all of it is known.
final class LinkStatements {
  typealias Links = LinkDecision<LinkEnd, LinkedRow>

  /// What is said of one to-one column (of a union: of all of its columns), or of one join table.
  struct Group {
    var own: [LinkedRow: [Links.OwnKey]] = [:]
    var far: [LinkedRow: [Links.FarEnd]] = [:]
    var lists: [Links.List] = []
    /// The parents that the call gives.
    var given: [LinkedRow: Links.OwnKey] = [:]
    /// Links that an object without identity was applied to.
    var fixed: [LinkedRow: LinkedRow] = [:]
  }

  /// Where a statement stands in the payload, for reports.
  struct Source {
    let place: LinkPlace
    let begin: Int
    let problem: ProblemPlace
    /// The members of a list, as it has them.
    var members: [LinkedRow] = []
  }

  /// By the end that has the column (of a union: that of its first case), or the source of the join table.
  private(set) var groups: [LinkEnd: Group] = [:]
  /// The sources of the statements, by their numbers.
  private(set) var sources: [Source] = []
  /// The rows that the payload inserts.
  private(set) var newRows: [LinkedRow] = []
  private let catalog: ModelCatalog

  init(_ catalog: ModelCatalog) {
    self.catalog = catalog
  }

  // MARK: Ends

  /// The end that an end's links are decided by.
  func group(of end: LinkEnd) -> LinkEnd {
    switch end.storage {
    case .column: firstCase(of: end)
    case .inverse: end.memberColumn.map(firstCase) ?? end
    case .table(let link): link.isSource ? end : end.inverse ?? end
    }
  }

  private func firstCase(of column: LinkEnd) -> LinkEnd { cases(of: column).first ?? column }

  /// The columns that a to-one is stored in: one, or one for each case of a union.
  func cases(of column: LinkEnd) -> [LinkEnd] {
    guard let gate = column.table.unionGates[column.position] else { return [column] }
    return gate.positions.compactMap { catalog.entries[column.owner].ends[$0] }
  }

  // MARK: Logging

  /// Logs a row that is inserted. Its columns hold what it was made with, until its links are decided.
  func addNew(_ row: LinkedRow) { newRows.append(row) }

  /// Logs what a row says of its own to-one.
  func add(_ place: LinkPlace, target: SyncIdentity?, begin: Int, isStale: Bool, _ problem: ProblemPlace) {
    let row = LinkedRow(place.end.owner, place.owner)
    let key = Links.OwnKey(
      row: row, target: target.map { LinkedRow(place.end.target, $0) }, begin: begin, isStale: isStale,
      number: note(place, begin, problem))
    groups[group(of: place.end), default: Group()].own[row, default: []].append(key)
  }

  /// Logs what a row says at the far end of a one-to-one.
  func add(
    farEnd place: LinkPlace, target: SyncIdentity?, begin: Int, isStale: Bool, isNested: Bool,
    _ problem: ProblemPlace
  ) {
    let row = LinkedRow(place.end.owner, place.owner)
    let statement = Links.FarEnd(
      row: row, target: target.map { LinkedRow(place.end.target, $0) }, begin: begin, isStale: isStale,
      isNested: isNested, number: note(place, begin, problem))
    groups[group(of: place.end), default: Group()].far[row, default: []].append(statement)
  }

  /// Logs a list.
  func add(_ list: ListStatement, isStale: Bool) {
    let isScoped = list.target.table.parentScope != nil
    let isPartial = !list.isComplete || list.isHeldBack || list.policy?.policy == DeletionPolicy.none
    let policy = list.policy?.policy
    let target = list.place.end.target
    var (members, nested): ([LinkedRow], Set<LinkedRow>) = ([], [])
    // What the operations keep from being made is not waited for.
    let left = list.creates ? [] : Set(list.elements.lazy.filter { $0.outcome == .left }.map(\.identity))
    for element in list.elements where !left.contains(element.identity) {
      let row = LinkedRow(target, list.member(element.identity))
      members.append(row)
      if element.nested != nil { nested.insert(row) }
    }
    let statement = Links.List(
      end: list.place.end, owner: LinkedRow(list.place.end.owner, list.place.owner), members: Set(members),
      nested: nested, begin: list.begin, isComplete: !isPartial, adds: list.canAdd && !isScoped,
      policy: policy == DeletionPolicy.none ? nil : policy, isStale: isStale,
      number: note(list.place, list.begin, list.problem))
    sources[statement.number].members = members
    groups[group(of: list.place.end), default: Group()].lists.append(statement)
  }

  /// Logs the parent that the call, or the list of a row that is unique within it, gives a row.
  func give(_ place: LinkPlace, _ parent: SyncIdentity, begin: Int, _ problem: ProblemPlace) {
    let row = LinkedRow(place.end.owner, place.owner)
    let end = group(of: place.end)
    if let other = groups[end]?.given[row], other.begin >= begin { return }
    groups[end, default: Group()].given[row] = Links.OwnKey(
      row: row, target: LinkedRow(place.end.target, parent), begin: begin,
      number: note(place, begin, problem))
  }

  /// Keeps a link as it is: an object without identity was applied to the row that it leads to.
  func fix(_ place: LinkPlace, _ target: LinkedRow) {
    let row = LinkedRow(place.end.owner, place.owner)
    let end = group(of: place.end)
    if place.end.isColumn {
      groups[end, default: Group()].fixed[row] = target
    } else {
      groups[end, default: Group()].fixed[target] = row
    }
  }

  /// The row that a statement about a to-one names.
  func target(of number: Int, at place: LinkPlace) -> LinkedRow? {
    let row = LinkedRow(place.end.owner, place.owner)
    let group = groups[group(of: place.end)]
    if let own = group?.own[row]?.first(where: { $0.number == number }) { return own.target }
    return group?.far[row]?.first { $0.number == number }?.target
  }

  private func note(_ place: LinkPlace, _ begin: Int, _ problem: ProblemPlace) -> Int {
    sources.append(Source(place: place, begin: begin, problem: problem.kept()))
    return sources.count - 1
  }
}
