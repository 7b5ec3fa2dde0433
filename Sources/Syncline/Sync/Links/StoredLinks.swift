/// The stored links that a payload's statements concern, before any of them are written.
final class StoredLinks {
  private unowned(unsafe) let run: Run
  private let statements: LinkStatements
  private let pendingLinks: PendingLinks
  /// The pending links of earlier payloads that may concern this one, by group.
  private(set) var pending: [LinkEnd: [Links.Pending]] = [:]
  private var existing: [LinkedRow: Bool] = [:]

  init(_ run: Run, _ statements: LinkStatements, _ pendingLinks: PendingLinks) {
    self.run = run
    self.statements = statements
    self.pendingLinks = pendingLinks
  }

  /// Whether the columns of a row hold no links yet: logged links of new rows are written only once they are decided.
  private func isUnlinked(_ row: LinkedRow) -> Bool { run.mode.logsLinks && isNew(row) }

  /// Whether the store did not have a row before the call.
  func isNew(_ row: LinkedRow) -> Bool { run.rows(row.model).journal.isInserted(row.key) }

  func isHeld(_ row: LinkedRow) -> Bool { run.rows(row.model).isNamed(row.key) }

  func exists(_ row: LinkedRow) throws -> Bool {
    if let known = existing[row] { return known }
    let exists = try run.rows(row.model).isStored(row.key)
    existing[row] = exists
    return exists
  }

  /// The row that a to-one references; nil for new rows without written links.
  func target(of row: LinkedRow, at column: LinkEnd) throws -> LinkedRow? {
    guard !isUnlinked(row), let values = try run.rows(row.model).storedValues(of: row.key) else { return nil }
    for end in statements.cases(of: column) {
      if let target = SyncIdentity(values[end.position]) { return LinkedRow(end.target, target) }
    }
    return nil
  }

  /// The rows whose to-one references a row, except new rows without written links.
  func holders(of row: LinkedRow, at column: LinkEnd) throws -> [LinkedRow] {
    var holders: [LinkedRow] = []
    for end in statements.cases(of: column) where end.target == row.model {
      for key in try run.rows(end.owner).holderKeys(of: row.key.identity, at: end.position) {
        let holder = LinkedRow(end.owner, key)
        if !isUnlinked(holder) { holders.append(holder) }
      }
    }
    return holders
  }

  /// Reads the pending links of earlier payloads whose row has arrived, or that this payload's statements concern.
  ///
  /// - Parameter gone: rows that the payload deletes.
  func readPending(without gone: Set<LinkedRow>) throws {
    existing = [:]
    pending = [:]
    guard run.storedLinks.hasEntries else { return }
    var seen: Set<Links.Pending> = []
    for row in pendingLinks.arrivals { try readPending(for: row, &seen) }
    for (end, group) in statements.groups.sorted(by: { $0.key < $1.key }) {
      let ends = ends(of: end).filter { run.storedLinks.hasOwners(of: $0.table) }
      for row in group.rows.sorted() {
        for end in ends where end.owner == row.model {
          let place = LinkPlace(end: end, owner: row.key)
          for target in try run.storedLinks.targets(of: place).sorted() { add(place, target, &seen) }
        }
        if try gone.contains(row) || !exists(row) { try readPending(for: row, &seen) }
      }
    }
  }

  /// The relationships that are decided together: a to-one's columns and the lists that fill them, or both ends of a join table.
  private func ends(of group: LinkEnd) -> [LinkEnd] {
    let ends = group.isColumn ? statements.cases(of: group) : [group]
    return ends + ends.compactMap(\.inverse).filter { $0 != group }
  }

  private func readPending(for row: LinkedRow, _ seen: inout Set<Links.Pending>) throws {
    let table = run.rows(row.model).table
    guard run.storedLinks.hasTargets(in: table) else { return }
    for entry in try run.storedLinks.entries(for: table, row.key.identity) {
      guard let end = run.catalog.end(entry.relationship, of: entry.owner) else { continue }
      add(LinkPlace(end: end, owner: entry.key), row.key.identity, &seen)
    }
  }

  private func add(_ place: LinkPlace, _ target: SyncIdentity, _ seen: inout Set<Links.Pending>) {
    let link = Links.Pending(
      end: statements.decidedEnd(of: place.end), owner: place.row,
      target: LinkedRow(place.end.target, target))
    if seen.insert(link).inserted { pending[statements.group(of: place.end), default: []].append(link) }
  }

  /// - Parameter gone: rows that the payload deletes.
  func known(of end: LinkEnd, _ group: LinkStatements.Group, without gone: Set<LinkedRow>) throws
    -> Links.Known
  {
    var known = Links.Known(pending: pending[end] ?? [], fixed: group.fixed, given: group.given)
    var rows = group.rows
    for link in known.pending { rows.formUnion([link.owner, link.target]) }
    if end.isColumn {
      known.isRequired = !end.isOptional
      if end.isUnique { known.policy = end.inverse?.missingPolicy }
      known.targets = try targets(at: end, group, rows)
      rows.formUnion(known.targets.keys)
      rows.formUnion(known.targets.values)
      if !statements.isOneToOne(end) {
        let models = Set(statements.cases(of: end).lazy.filter(\.isUnique).map(\.target))
        if !models.isEmpty { known.exclusive = rows.filter { models.contains($0.model) } }
      }
    } else {
      known.pairs = try pairs(of: end, group)
      for pair in known.pairs { rows.formUnion([pair.source, pair.target]) }
    }
    for row in rows {
      if try gone.contains(row) || !exists(row) { known.rows.absent.insert(row) }
      if isNew(row) { known.rows.new.insert(row) }
      if isHeld(row) { known.rows.held.insert(row) }
    }
    return known
  }

  private func targets(at end: LinkEnd, _ group: LinkStatements.Group, _ rows: Set<LinkedRow>) throws
    -> [LinkedRow: LinkedRow]
  {
    var targets: [LinkedRow: LinkedRow] = [:]
    let columns = statements.cases(of: end)
    let owners =
      columns.contains(where: \.isUnique) ? rows : Set(group.lists.lazy.filter(\.isComplete).map(\.owner))
    for row in rows where row.model == end.owner { targets[row] = try target(of: row, at: end) }
    for owner in owners where columns.contains(where: { $0.target == owner.model }) {
      for holder in try holders(of: owner, at: end) { targets[holder] = owner }
    }
    return targets
  }

  private func pairs(of source: LinkEnd, _ group: LinkStatements.Group) throws -> Set<Links.Pair> {
    var pairs: Set<Links.Pair> = []
    var places: Set<LinkPlace> = []
    for list in group.lists {
      let place = LinkPlace(end: list.end, owner: list.owner.key)
      guard places.insert(place).inserted else { continue }
      for member in try run.members(of: place) {
        let other = LinkedRow(list.end.target, member)
        pairs.insert(Links.Pair(list.owner, other, isSource: list.end == source))
      }
    }
    return pairs
  }
}

extension LinkStatements.Group {
  var rows: Set<LinkedRow> {
    var rows = Set(own.keys).union(far.keys).union(given.keys)
    for statements in [own.values.joined(), far.values.joined()] {
      rows.formUnion(statements.lazy.compactMap(\.target))
    }
    rows.formUnion(given.values.lazy.compactMap(\.target))
    for list in lists {
      rows.insert(list.owner)
      rows.formUnion(list.members)
    }
    for (row, target) in fixed { rows.formUnion([row, target]) }
    return rows
  }
}
