/// Counts the links that a sync adds and removes. A change that is undone within the sync is not counted.
///
/// A link counts for the end that stores or states it; a member of a list in the payload also counts for the list's model. Links
/// of new rows are counted when they are made, and taken back when they are removed.
final class LinkLedger {
  private unowned(unsafe) let run: Run
  /// How often a statement wrote to a join table.
  private(set) var writeCount = 0
  /// Whether links of join tables changed that are counted where they are decided.
  private var hasOtherLinks = false
  /// The to-one columns of existing rows that were written.
  private var columns: [LinkEnd: RowTable<ColumnChange>] = [:]
  /// The changes of join tables, by their rows, with the place that stated each one last.
  private var rows: [Row: (count: Int, place: LinkPlace)] = [:]
  /// The members that lists of existing rows added or left out, and the lists' rows.
  private var listed: [ListedMember: RowKey] = [:]

  fileprivate struct ColumnChange {
    var before: Int64 = 0
    var after: Int64 = 0
    var kinds: (before: Kind, after: Kind) = (.none, .none)

    enum Kind { case none, number, kept }
  }

  private struct Row: Hashable {
    let table: String
    let source: SyncIdentity
    let target: SyncIdentity

    init(_ link: SyncLinkTable, _ owner: SyncIdentity, _ member: SyncIdentity) {
      table = link.name
      (source, target) = link.isSource ? (owner, member) : (member, owner)
    }

    /// The two identities distinguish most rows.
    func hash(into hasher: inout Hasher) { hasher.combine(source.hash(from: target.hash)) }
  }

  private struct ListedMember: Hashable {
    let end: LinkEnd
    let owner: SyncIdentity
    let member: RowKey
  }

  init(_ run: Run) {
    self.run = run
  }

  /// Whether links are decided at the end of the payload, so that no count of a list's member has to be taken back.
  private var logsLinks: Bool { run.mode.logsLinks }

  private func isNew(_ row: RowKey, in model: ModelNumber) -> Bool { run.rows(model).journal.isInserted(row) }

  private func isNew(_ identity: SyncIdentity, in model: ModelNumber) -> Bool {
    isNew(RowKey(identity: identity), in: model)
  }

  // MARK: Columns

  func recordColumn(_ place: LinkPlace, from old: SyncIdentity?, to new: SyncIdentity?) {
    let model = run.rows(place.end.owner)
    if model.journal.isInserted(place.owner) {
      if !logsLinks { model.counts.linked += (new == nil ? 0 : 1) - (old == nil ? 0 : 1) }
      return
    }
    columns[place.end, default: RowTable()].record(
      place.owner, from: old.map { run.placeholders.original(of: $0, at: place.end) }, to: new)
  }

  /// The change of a link in an existing row's column in this sync: 1 if it was made, -1 if it was removed, else 0.
  func change(of link: Link) -> Int {
    guard let rows = columns[link.place.end], let number = rows.number(of: link.place.owner) else { return 0 }
    return (rows.after(number) == link.member ? 1 : 0) - (rows.before(number) == link.member ? 1 : 0)
  }

  /// The existing rows whose column references a row since this sync.
  func arrivals(at target: SyncIdentity, by column: LinkEnd) -> [RowKey] {
    guard let rows = columns[column] else { return [] }
    return rows.changed.compactMap { rows.after($0) == target ? rows.row($0) : nil }
  }

  // MARK: Lists

  /// Notes a new member of a row's list, or the partner at its far end. The member's column stores the link. Existing members are
  /// counted by the changes of their columns.
  func recordListed(_ member: RowKey, at place: LinkPlace) {
    if isNew(place.owner, in: place.end.owner), !logsLinks {
      run.rows(place.end.owner).counts.linked += 1
    } else {
      let row = ListedMember(end: place.end, owner: place.owner.identity, member: member)
      listed[row] = place.owner
    }
  }

  // MARK: Join tables

  /// Counts a link that is added to a join table, for the row whose list has it.
  func recordAdded(_ member: SyncIdentity, to place: LinkPlace) {
    writeCount += 1
    if logsLinks { return hasOtherLinks = true }
    if isNew(place.owner, in: place.end.owner) {
      run.rows(place.end.owner).counts.linked += 1
    } else {
      add(1, member, at: place)
    }
  }

  /// Counts a link that is removed from a join table. Restarts if a list of a new row has just made it.
  func recordRemoved(_ member: SyncIdentity, from place: LinkPlace) throws {
    guard let link = place.end.linkTable else { return }
    writeCount += 1
    if logsLinks { return hasOtherLinks = true }
    let isNew = isNew(place.owner, in: place.end.owner) || isNew(member, in: place.end.target)
    if isNew, rows[Row(link, place.owner.identity, member)] == nil { try run.logLinks() }
    add(-1, member, at: place)
  }

  /// Forgets a link whose row is deleted; false if this sync did not make it. Restarts if the link belongs to a new row: such a
  /// link was counted at once, and it is unknown for which end.
  func cancel(_ member: SyncIdentity, of owner: RowKey, in links: ModelCatalog.Links, isNew: Bool) throws
    -> Bool
  {
    if rows.removeValue(forKey: Row(links.table, owner.identity, member)) != nil { return true }
    if isNew || self.isNew(member, in: links.other) { try run.logLinks() }
    return false
  }

  private func add(_ change: Int, _ member: SyncIdentity, at place: LinkPlace) {
    guard let link = place.end.linkTable else { return }
    let row = Row(link, place.owner.identity, member)
    let count = rows.updateValue((change, place), forKey: row)?.count ?? 0
    guard count != 0 else { return }
    rows[row] = count + change == 0 ? nil : (count + change, place)
  }

  // MARK: Deleted rows

  /// Takes back the counts for a deleted row: its own links if it is new, and its memberships in lists of new rows.
  func forget(_ row: RowKey, in model: ModelRows) throws {
    if logsLinks { return }
    let isNew = model.journal.isInserted(row)
    for case let end? in model.entry.ends where end.isColumn {
      let isListed = model.named.isMarked(row, at: end.position)
      guard isNew || isListed, let target = try model.target(of: row, at: end.position) else { continue }
      if isNew { model.counts.linked -= 1 }
      forgetMember(row, at: end, of: RowKey(identity: target))
    }
  }

  /// Takes back the count of a member of a list, if the list's row is new and deleted.
  func forgetMember(_ member: RowKey, at column: LinkEnd, of row: RowKey) {
    guard !logsLinks, let list = column.inverse, isNew(row, in: list.owner),
      run.rows(column.owner).named.isMarked(member, at: column.position)
    else { return }
    run.rows(list.owner).counts.linked -= 1
  }

  // MARK: The end

  var hasChanges: Bool {
    hasOtherLinks || !rows.isEmpty || columns.values.contains { $0.changed.contains { _ in true } }
  }

  /// Adds the remaining changes to the models' counts.
  func finish() throws {
    for (member, owner) in listed {
      let place = LinkPlace(end: member.end, owner: owner)
      count(try netChange(of: member.member, at: place), at: place)
    }
    for (end, rows) in columns {
      for number in rows.changed {
        let place = LinkPlace(end: end, owner: rows.row(number))
        if let old = rows.before(number) { count(-1, Link(place: place, member: old)) }
        if let new = rows.after(number) { count(1, Link(place: place, member: new)) }
      }
    }
    for change in rows.values { count(change.count, at: change.place) }
  }

  /// Counts a link that an existing row's column gained or lost. Also counts it for the list of the other row, if the payload has
  /// that list.
  private func count(_ change: Int, _ link: Link) {
    count(change, at: link.place)
    guard !logsLinks, let end = link.place.end.inverse, end.isToMany else { return }
    let list = LinkPlace(end: end, owner: RowKey(identity: link.member))
    if change < 0 {
      if run.isDecided(list) { count(change, at: list) }
    } else if run.isDecided(link.place), !run.rows(end.target).journal.deleted.contains(link.place.owner) {
      count(change, at: list)
    }
  }

  private func count(_ change: Int, at place: LinkPlace) {
    let model = run.rows(place.end.owner)
    if model.journal.deleted.contains(place.owner) { return }
    if change > 0 { model.counts.linked += 1 } else if change < 0 { model.counts.unlinked += 1 }
    if change != 0 { model.journal.recordMembership(place.owner) }
  }

  /// 1 if a member joined a list in this sync, -1 if it left, else 0.
  private func netChange(of member: RowKey, at place: LinkPlace) throws -> Int {
    guard let column = place.end.memberColumn else { return 0 }
    let target = run.rows(place.end.target)
    if target.journal.isInserted(member) {
      // A row that was not written since its insertion still has its first owner.
      if target.journal.writeCount == 0, !logsLinks { return 1 }
      return try target.target(of: member, at: column.position) == place.owner.identity ? 1 : 0
    }
    let change = change(
      of: Link(place: LinkPlace(end: column, owner: member), member: place.owner.identity))
    // A deleted row has joined no list.
    return target.journal.deleted.contains(member) ? min(change, 0) : change
  }
}

extension RowTable<LinkLedger.ColumnChange> {
  fileprivate mutating func record(_ row: RowKey, from old: SyncIdentity?, to new: SyncIdentity?) {
    let number: Number
    if let known = self.number(of: row) {
      number = known
    } else {
      var change = Value()
      (change.before, change.kinds.before) = pack(old)
      number = append(row, change)
    }
    (self[number].after, self[number].kinds.after) = pack(new)
  }

  private mutating func pack(_ identity: SyncIdentity?) -> (Int64, LinkLedger.ColumnChange.Kind) {
    guard let identity else { return (0, .none) }
    let (value, isKept) = keep(identity)
    return (value, isKept ? .kept : .number)
  }

  fileprivate func before(_ number: Number) -> SyncIdentity? {
    unpack(self[number].before, self[number].kinds.before)
  }

  fileprivate func after(_ number: Number) -> SyncIdentity? {
    unpack(self[number].after, self[number].kinds.after)
  }

  private func unpack(_ value: Int64, _ kind: LinkLedger.ColumnChange.Kind) -> SyncIdentity? {
    kind == .none ? nil : identity(value, isKept: kind == .kept)
  }

  /// The rows whose column has another target than before.
  fileprivate var changed: some Sequence<Number> {
    (0..<count).lazy.filter { self.before($0) != self.after($0) }
  }
}
