/// Makes pending links whose rows have arrived.
extension PayloadLinks {
  func resolveArrived() throws {
    try pending.resolve { try link($0, to: $1, begin: $2) }
  }

  /// Makes a link of this payload, unless another of its statements decides it.
  private func link(_ place: LinkPlace, to identity: SyncIdentity, begin: Int) throws {
    let end = place.end
    let arrived = RowKey(identity: identity)
    switch end.storage {
    case .column where end.isUnique:
      try pairs.state(.init(begin: begin, holder: place.owner, partner: identity), at: end)
    case .column:
      if run.isDecided(place) { return }
      // The arrived row has a list at the other end, which lacks this row.
      let isLeftOut = end.inverse.map { run.isDecided(LinkPlace(end: $0, owner: arrived)) } ?? false
      if isLeftOut { try run.logLinks() }
      _ = try run.rows(end.owner).link(place.owner, at: end.position, to: identity)
    case .inverse:
      guard let column = end.memberColumn else { return }
      if end.isToMany {
        try lists.claimArrived(LinkPlace(end: column, owner: arrived), for: place)
      } else {
        try pairs.state(
          .init(begin: begin, holder: arrived, partner: place.owner.identity, far: (end, nil)), at: column)
      }
    case .table:
      // The arrived row has a list at the other end: the one that begins later decides.
      if let far = end.inverse, run.isDecided(LinkPlace(end: far, owner: arrived)),
        try !run.members(of: place).contains(identity)
      {
        try run.logLinks()
      }
      try run.addMember(identity, to: place)
    }
  }

  /// Makes the links that earlier syncs left pending for rows that are new now, unless this payload states otherwise.
  func linkArrivals() throws {
    for arrived in pending.arrivals {
      let (target, row) = (run.rows(arrived.model), arrived.key)
      guard target.journal.isInserted(row) else { continue }
      for entry in try pending.stored.entries(for: target.table, row.identity) {
        if let end = run.catalog.end(entry.relationship, of: entry.owner) {
          let place = LinkPlace(end: end, owner: entry.key)
          // A complete statement of this payload replaces the pending link.
          if pending.isDecided(place) { continue }
          try linkRemembered(place, row)
        }
        try pending.stored.remove(entry)
      }
    }
  }

  /// Makes pending links to stored rows that have gained the value by which the links look them up, and to a new local row that the
  /// server has confirmed. The payload's own links to them were decided with its others.
  func linkFound(_ inserted: LinkedRow?) throws {
    if let inserted, case let target = run.rows(inserted.model), try target.exists(inserted.key.identity) {
      try makeLinks(
        pending.stored.entries(for: target.table, inserted.key.identity).map {
          (entry: $0, row: inserted.key)
        })
    }
    for lookup in run.catalog.lookups where run.rows(lookup.model).journal.hasWritten {
      let target = run.rows(lookup.model)
      try makeLinks(
        pending.stored.entries(
          for: target.journal.updatedRows, by: target.table.properties[lookup.position], of: target.table))
    }
  }

  private func makeLinks(_ entries: [(entry: StoredPendingLinks.Entry, row: RowKey)]) throws {
    for (entry, row) in entries {
      guard let end = run.catalog.end(entry.relationship, of: entry.owner),
        try run.rows(end.owner).exists(entry.key.identity)
      else { continue }
      try linkFound(LinkPlace(end: end, owner: entry.key), row)
      try pending.stored.remove(entry)
    }
  }

  /// Links a row that was stored before, unless it has an owner or a partner now.
  private func linkFound(_ place: LinkPlace, _ found: RowKey) throws {
    let end = place.end
    if let far = end.inverse, try isStated(far, found) { return }
    switch end.storage {
    case .column:
      let owner = run.rows(end.owner)
      if end.isUnique, try !owner.holders(of: found.identity, at: end.position).isEmpty { return }
      _ = try owner.link(place.owner, at: end.position, to: found.identity)
    case .inverse:
      guard let column = end.memberColumn else { return }
      let member = run.rows(column.owner)
      guard try member.target(of: found, at: column.position) == nil,
        try end.isToMany || member.holders(of: place.owner.identity, at: column.position).isEmpty,
        try member.link(found, at: column.position, to: place.owner.identity)
      else { return }
      run.ledger.recordListed(found, at: place)
    case .table: try run.addMember(found.identity, to: place)
    }
  }

  /// Whether the payload states a relationship of a row as a whole.
  private func isStated(_ end: LinkEnd, _ row: RowKey) throws -> Bool {
    try run.logLinks()
    if statements?.listed.contains(LinkPlace(end: end, owner: row)) == true { return true }
    guard let group = statements?.groups[settlement.statements.group(of: end)] else { return false }
    let row = LinkedRow(end.owner, row)
    return end.isColumn ? group.own[row] != nil : group.far[row] != nil
  }

  private func linkRemembered(_ place: LinkPlace, _ arrived: RowKey) throws {
    let end = place.end
    guard try run.rows(end.owner).exists(place.owner.identity) else { return }
    // The arrived row states its links itself.
    if let far = end.inverse, !far.isColumn, run.isDecided(LinkPlace(end: far, owner: arrived)) { return }
    switch end.storage {
    case .column:
      if run.isDecided(place) { return }
      if end.isUnique { try run.logLinks() }
      _ = try run.rows(end.owner).link(place.owner, at: end.position, to: arrived.identity)
    case .inverse:
      guard let column = end.memberColumn else { return }
      let member = LinkPlace(end: column, owner: arrived)
      guard !pending.isOwnLink(member) else { return }
      if !end.isToMany { try run.logLinks() }
      if !run.isDecided(member),
        try run.rows(column.owner).link(arrived, at: column.position, to: place.owner.identity)
      {
        run.ledger.recordListed(arrived, at: place)
      }
    case .table: try run.addMember(arrived.identity, to: place)
    }
  }
}
