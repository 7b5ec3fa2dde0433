/// Counts the links that a sync makes and cuts. What is undone within the sync counts nowhere.
///
/// A link counts for the end that stores it or stated it, and a member of a list that the payload states for the list's
/// model too. Links of new rows are counted as they are made: they can only become fewer.
final class LinkLedger {
  private unowned let session: SyncSession
  /// The changes of known rows' to-one columns, each counted up and down.
  private var columns: [LinkKey: Int] = [:]
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
  }

  private struct RowChange {
    var count = 0
    var model: ModelSession
    var owner: RowKey
  }

  private struct ListedMember: Hashable {
    let model: ObjectIdentifier
    let position: Int
    let owner: SyncIdentity
    let member: RowKey
  }

  init(_ session: SyncSession) {
    self.session = session
  }

  // MARK: Columns

  /// Counts a change of a to-one column.
  func record(
    _ model: ModelSession, _ position: Int, _ owner: RowKey, from old: SyncIdentity?, to new: SyncIdentity?
  ) {
    if let old { record(model, position, owner, session.placeholders[old] ?? old, change: -1) }
    if let new { record(model, position, owner, new, change: 1) }
  }

  private func record(
    _ model: ModelSession, _ position: Int, _ owner: RowKey, _ member: SyncIdentity, change: Int
  ) {
    if model.isInserted(owner) {
      model.counts.linked += change
      return
    }
    let key = LinkKey(model: model.id, position: position, owner: owner, member: member)
    columns[key] = (columns[key] ?? 0) + change
    if columns[key] == 0 { columns[key] = nil }
  }

  /// What became of the link in a known row's column in this sync: above zero it was made, below zero it was cut.
  func change(of row: RowKey, in model: ModelSession, _ position: Int, to target: SyncIdentity) -> Int {
    columns[LinkKey(model: model.id, position: position, owner: row, member: target)] ?? 0
  }

  /// The known rows that came to another in this sync, by their column.
  func arrivals(_ model: ModelSession, _ position: Int, at owner: SyncIdentity) -> [RowKey] {
    columns.filter { key, change in
      change > 0 && key.member == owner && key.place.position == position && key.place.model == model.id
    }.map(\.key.place.owner)
  }

  /// Remembers that a row's list named a member that is stored in the member's column.
  func recordListed(_ model: ModelSession, _ position: Int, _ owner: RowKey, _ member: RowKey) {
    if model.isInserted(owner) {
      model.counts.linked += 1
    } else {
      let key = ListedMember(model: model.id, position: position, owner: owner.identity, member: member)
      listed[key] = owner
    }
  }

  /// Remembers a partner that a row states for the far end of a one-to-one link. It may state it more than once.
  func recordPartner(_ model: ModelSession, _ position: Int, _ owner: RowKey, _ partner: RowKey) {
    let key = ListedMember(model: model.id, position: position, owner: owner.identity, member: partner)
    if partners.insert(key).inserted { recordListed(model, position, owner, partner) }
  }

  // MARK: Tables of links

  /// Counts a link that is added to a table, by the row whose list has it.
  func recordAdded(_ link: LinkTable, _ model: ModelSession, _ owner: RowKey, _ member: SyncIdentity) {
    session.hasWritten = true
    if model.isInserted(owner) { model.counts.linked += 1 } else { add(1, link, model, owner, member) }
  }

  /// Counts a link that is removed from a table.
  ///
  /// - Parameter far: the model of the member.
  func recordRemoved(
    _ link: LinkTable, _ model: ModelSession, _ owner: RowKey, _ member: SyncIdentity, in far: ModelSession
  ) {
    session.hasWritten = true
    let isNew = model.isInserted(owner) || far.isInserted(RowKey(identity: member))
    if isNew, rows[row(link, owner, member)] == nil {
      takeBack(link, model, member, in: far)
    } else {
      add(-1, link, model, owner, member)
    }
  }

  /// Takes back the counting of a link of a new row. It was made in this sync, and counted at once by the end that made
  /// it: most likely the other, where that is new and has a relationship for it.
  private func takeBack(
    _ link: LinkTable, _ model: ModelSession, _ member: SyncIdentity, in far: ModelSession
  ) {
    let isFarNew =
      far.isInserted(RowKey(identity: member))
      && far.table.position(of: link, isSource: !link.isSource) != nil
    if isFarNew, far.counts.linked > 0 {
      far.counts.linked -= 1
    } else if model.counts.linked > 0 {
      model.counts.linked -= 1
    }
  }

  /// Takes back the counting of a link whose row is deleted; false where nothing was counted.
  ///
  /// - Parameters:
  ///   - model: the model that counts the row's links.
  ///   - far: the model of the member.
  func cancel(
    _ link: LinkTable, _ model: ModelSession, _ owner: RowKey, _ member: SyncIdentity, isNew: Bool,
    in far: ModelSession
  ) -> Bool {
    if rows.removeValue(forKey: row(link, owner, member)) != nil { return true }
    guard isNew || far.isInserted(RowKey(identity: member)) else { return false }
    takeBack(link, model, member, in: far)
    return true
  }

  private func row(_ link: LinkTable, _ owner: RowKey, _ member: SyncIdentity) -> Row {
    link.isSource
      ? Row(table: link.name, source: owner.identity, target: member)
      : Row(table: link.name, source: member, target: owner.identity)
  }

  private func add(
    _ change: Int, _ link: LinkTable, _ model: ModelSession, _ owner: RowKey, _ member: SyncIdentity
  ) {
    let row = row(link, owner, member)
    let count = (rows[row]?.count ?? 0) + change
    rows[row] = count == 0 ? nil : RowChange(count: count, model: model, owner: owner)
  }

  // MARK: Deleted rows

  /// Takes back what was counted for a row that is deleted: its own links where it is new, and those of new rows'
  /// lists with it.
  func forget(_ key: RowKey, in model: ModelSession) throws {
    let isNew = model.isInserted(key)
    for (position, property) in model.table.columns.enumerated() {
      guard case .toOne = property.kind, isNew || model.isMarked(key, at: position),
        let target = try model.target(of: position, in: key)
      else { continue }
      if isNew { model.counts.linked -= 1 }
      guard model.isMarked(key, at: position), let other = try model.otherEnd(of: position),
        other.model.isInserted(RowKey(identity: target))
      else { continue }
      other.model.counts.linked -= 1
    }
  }

  // MARK: The end

  var hasChanges: Bool { !columns.isEmpty || !rows.isEmpty }

  /// Adds what is left to the models' counts.
  func finish() throws {
    let models = Dictionary(uniqueKeysWithValues: session.order.map { ($0.id, $0) })
    for (member, owner) in listed {
      guard let model = models[member.model] else { continue }
      count(try netChange(member, in: model), of: owner, in: model)
    }
    for (key, change) in columns {
      if let model = models[key.place.model] { count(change, of: key.place.owner, in: model) }
    }
    for change in rows.values { count(change.count, of: change.owner, in: change.model) }
  }

  private func count(_ change: Int, of owner: RowKey, in model: ModelSession) {
    if model.deletedRows.contains(owner) { return }
    if change > 0 { model.counts.linked += 1 } else if change < 0 { model.counts.unlinked += 1 }
    if change != 0 { model.markMembershipChanged(owner) }
  }

  /// Whether a member came to a list in this sync, or left it.
  private func netChange(_ listed: ListedMember, in model: ModelSession) throws -> Int {
    guard let end = try model.otherEnd(of: listed.position), let slot = end.column else { return 0 }
    if end.model.isInserted(listed.member) {
      // A row that nothing wrote since holds the owner it was made with.
      if end.model.rowWrites == 0 { return 1 }
      return try end.model.target(of: slot, in: listed.member) == listed.owner ? 1 : 0
    }
    let change = change(of: listed.member, in: end.model, slot, to: listed.owner)
    // A row that is deleted came to no list.
    return end.model.deletedRows.contains(listed.member) ? min(change, 0) : change
  }
}
