/// Counts the links that a sync makes and cuts. What is undone within the sync counts nowhere.
///
/// A link counts for the end that stores it or stated it, and a member of a list that the payload states for the list's
/// model too. Links of new rows are counted as they are made: they can only become fewer.
final class LinkLedger {
  private unowned(unsafe) let run: Run
  /// Whether any statement wrote a link to a table of links.
  private(set) var hasWritten = false
  /// Whether links of tables are other than before, which are counted where they are decided.
  private var hasOtherLinks = false
  /// The changes of known rows' to-one columns, each counted up and down.
  private var columns: [Link: Int] = [:]
  /// The changes of rows in tables of links, whichever end stated them, and the end that did so last.
  private var rows: [Row: RowChange] = [:]
  /// The members that known rows' lists added or left out, and those rows.
  private var listed: [ListedMember: RowKey] = [:]
  /// The partners that were counted for the far ends of one-to-one links.
  private var partners: Set<ListedMember> = []

  private struct Row: Hashable {
    let table: String
    let source: SyncIdentity
    let target: SyncIdentity

    init(_ link: SyncLinkTable, _ owner: SyncIdentity, _ member: SyncIdentity) {
      table = link.name
      (source, target) = link.isSource ? (owner, member) : (member, owner)
    }

    /// The two identities are enough to tell most rows apart.
    func hash(into hasher: inout Hasher) { hasher.combine(source.hash(from: target.hash)) }
  }

  private struct RowChange {
    var count = 0
    let place: LinkPlace
  }

  private struct ListedMember: Hashable {
    let end: LinkEnd
    let owner: SyncIdentity
    let member: RowKey
  }

  init(_ run: Run) {
    self.run = run
  }

  /// Whether no member of a list is counted before all is written, so that none has to be taken back.
  private var logsLinks: Bool { run.mode.logsLinks }

  private func isNew(_ row: RowKey, in model: ModelNumber) -> Bool { run.rows(model).journal.isInserted(row) }

  private func isNew(_ identity: SyncIdentity, in model: ModelNumber) -> Bool {
    isNew(RowKey(identity: identity), in: model)
  }

  // MARK: Columns

  /// Counts a change of a to-one column.
  func recordColumn(_ place: LinkPlace, from old: SyncIdentity?, to new: SyncIdentity?) {
    if let old { record(-1, Link(place: place, member: run.parked.original(of: old))) }
    if let new { record(1, Link(place: place, member: new)) }
  }

  private func record(_ change: Int, _ link: Link) {
    let model = run.rows(link.place.end.owner)
    if model.journal.isInserted(link.place.owner) {
      if logsLinks { return }
      model.counts.linked += change
      return
    }
    columns[link] = (columns[link] ?? 0) + change
    if columns[link] == 0 { columns[link] = nil }
  }

  /// What became of a link in a known row's column in this sync: above zero it was made, below zero it was cut.
  func change(of link: Link) -> Int { columns[link] ?? 0 }

  /// The known rows whose column leads to a row since this sync.
  func arrivals(at target: SyncIdentity, by column: LinkEnd) -> [RowKey] {
    columns.filter { link, change in change > 0 && link.member == target && link.place.end == column }
      .map(\.key.place.owner)
  }

  // MARK: Lists

  /// Remembers that a row's list named a member that is stored in the member's column. Where lists contradict each other it is
  /// counted at the end, when it is known which of them has the member.
  func recordListed(_ member: RowKey, at place: LinkPlace) {
    if isNew(place.owner, in: place.end.owner), !logsLinks {
      run.rows(place.end.owner).counts.linked += 1
    } else {
      let row = ListedMember(end: place.end, owner: place.owner.identity, member: member)
      listed[row] = place.owner
    }
  }

  /// Remembers a partner that a row states for the far end of a one-to-one link. It may state it more than once.
  func recordPartner(_ partner: RowKey, at place: LinkPlace) {
    let row = ListedMember(end: place.end, owner: place.owner.identity, member: partner)
    if partners.insert(row).inserted { recordListed(partner, at: place) }
  }

  // MARK: Tables of links

  /// Counts a link that is added to a table, by the row whose list has it.
  func recordAdded(_ member: SyncIdentity, to place: LinkPlace) {
    hasWritten = true
    if logsLinks {
      hasOtherLinks = true
      return
    }
    if isNew(place.owner, in: place.end.owner) {
      run.rows(place.end.owner).counts.linked += 1
    } else {
      add(1, member, at: place)
    }
  }

  /// Counts a link that is removed from a table.
  func recordRemoved(_ member: SyncIdentity, from place: LinkPlace) {
    guard let link = place.end.linkTable else { return }
    hasWritten = true
    if logsLinks {
      hasOtherLinks = true
      return
    }
    let isNew = isNew(place.owner, in: place.end.owner) || isNew(member, in: place.end.target)
    if isNew, rows[Row(link, place.owner.identity, member)] == nil {
      takeBack(member, counting: place.end.owner, far: place.end.inverse, in: place.end.target)
    } else {
      add(-1, member, at: place)
    }
  }

  /// Takes back the counting of a link of a new row. It was made in this sync, and counted at once by the end that made
  /// it: most likely the other, where that is new and has a relationship for it.
  private func takeBack(
    _ member: SyncIdentity, counting: ModelNumber, far: LinkEnd?, in farModel: ModelNumber
  ) {
    let (model, other) = (run.rows(counting), run.rows(farModel))
    if far != nil, isNew(member, in: farModel), other.counts.linked > 0 {
      other.counts.linked -= 1
    } else if model.counts.linked > 0 {
      model.counts.linked -= 1
    }
  }

  /// Takes back the counting of a link whose row is deleted; false where nothing was counted.
  func cancel(_ member: SyncIdentity, of owner: RowKey, in links: ModelCatalog.Links, isNew: Bool) -> Bool {
    if rows.removeValue(forKey: Row(links.table, owner.identity, member)) != nil { return true }
    guard isNew || self.isNew(member, in: links.other) else { return false }
    takeBack(member, counting: links.end.owner, far: links.far, in: links.other)
    return true
  }

  private func add(_ change: Int, _ member: SyncIdentity, at place: LinkPlace) {
    guard let link = place.end.linkTable else { return }
    let row = Row(link, place.owner.identity, member)
    let count = rows.updateValue(RowChange(count: change, place: place), forKey: row)?.count ?? 0
    guard count != 0 else { return }
    rows[row] = count + change == 0 ? nil : RowChange(count: count + change, place: place)
  }

  // MARK: Deleted rows

  /// Takes back that the list of a new row has a member: another list has it.
  func takeBackListed(by model: ModelRows) {
    if !logsLinks { model.counts.linked -= 1 }
  }

  /// Takes back what was counted for a row that is deleted: its own links where it is new, and those of new rows'
  /// lists with it.
  func forget(_ row: RowKey, in model: ModelRows) throws {
    if logsLinks { return }
    let isNew = model.journal.isInserted(row)
    for case let end? in model.entry.ends where end.isColumn {
      let isListed = model.named.isMarked(row, at: end.position)
      guard isNew || isListed, let target = try model.target(of: row, at: end.position) else { continue }
      if isNew { model.counts.linked -= 1 }
      guard isListed, let list = end.inverse, self.isNew(target, in: list.owner) else { continue }
      takeBackListed(by: run.rows(list.owner))
    }
  }

  /// Takes back what was counted for the list of a new row that is deleted: a member that it named.
  func forgetMember(_ member: RowKey, at column: LinkEnd, of row: RowKey) {
    guard let list = column.inverse, isNew(row, in: list.owner),
      run.rows(column.owner).named.isMarked(member, at: column.position)
    else { return }
    takeBackListed(by: run.rows(list.owner))
  }

  // MARK: The end

  var hasChanges: Bool { hasOtherLinks || !columns.isEmpty || !rows.isEmpty }

  /// Adds what is left to the models' counts.
  func finish() throws {
    for (member, owner) in listed {
      let place = LinkPlace(end: member.end, owner: owner)
      count(try netChange(of: member.member, at: place), at: place)
    }
    for (link, change) in columns { count(change, at: link.place) }
    for change in rows.values { count(change.count, at: change.place) }
  }

  private func count(_ change: Int, at place: LinkPlace) {
    let model = run.rows(place.end.owner)
    if model.journal.deleted.contains(place.owner) { return }
    if change > 0 { model.counts.linked += 1 } else if change < 0 { model.counts.unlinked += 1 }
    if change != 0 { model.journal.recordMembership(place.owner) }
  }

  /// Whether a member came to a list in this sync, or left it.
  private func netChange(of member: RowKey, at place: LinkPlace) throws -> Int {
    guard let column = place.end.memberColumn else { return 0 }
    let target = run.rows(place.end.target)
    if target.journal.isInserted(member) {
      // A row that nothing wrote since holds the owner it was made with.
      if target.journal.writeCount == 0, !logsLinks { return 1 }
      return try target.target(of: member, at: column.position) == place.owner.identity ? 1 : 0
    }
    let change = change(
      of: Link(place: LinkPlace(end: column, owner: member), member: place.owner.identity))
    // A row that is deleted came to no list.
    return target.journal.deleted.contains(member) ? min(change, 0) : change
  }
}
