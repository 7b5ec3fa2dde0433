import GRDB

/// Rows that cannot be stored after the payload: they require a row that is gone, or a partner that another row has.
extension EditsDuringSync {
  /// Sets aside the rows that require a row which is no longer stored, or a partner which an edit gives another row. Clears
  /// optional links to such rows.
  ///
  /// - Parameter deleted: rows that are deleted again.
  func withoutAside(
    _ placed: [(entry: Entry, values: Edit.Values)], _ deleted: Set<LinkedRow>
  ) throws -> [(entry: Entry, values: Edit.Values)] {
    var placed = placed
    while true {
      let coming = Set(placed.map { LinkedRow($0.entry.model.entry.number, $0.entry.row) })
      let partners = partnerClaims(placed)
      var kept: [(entry: Entry, values: Edit.Values)] = []
      for (entry, var values) in placed {
        var isAside = false
        for case let end? in entry.model.entry.ends where end.isColumn {
          let value = values.columns[end.position]
          guard let target = SyncIdentity(value) else { continue }
          let row = LinkedRow(end.target, RowKey(identity: target))
          let owner = partners[Claim(model: end.owner, position: end.position, value: value)] ?? entry
          guard
            try owner !== entry || deleted.contains(row)
              || !coming.contains(row) && !entry.store.isStored(target, end)
          else { continue }
          if end.isOptional { values.columns[end.position] = .null } else { isAside = true }
        }
        if isAside { try setAside(entry, values) } else { kept.append((entry, values)) }
      }
      if kept.count == placed.count { return kept }
      placed = kept
    }
  }

  func setAside(_ entry: Entry, _ values: Edit.Values) throws {
    entry.isSetAside = true
    // Its row is removed at the end. Until then, others may get its unique values.
    if entry.remote != nil {
      try entry.store.clearUnique(Array(entry.model.table.columns.indices), of: entry.edit)
    }
    note(entry, differs: true)
    try entry.store.set(.own, values, of: entry.edit)
    try entry.store.set(
      [
        EditTable.Column.isAside: true,
        EditTable.Column.isGone: entry.remote == nil && entry.edit.base != nil,
      ],
      of: entry.edit)
  }

  /// Takes the partners of a row's one-to-one links from the rows that are linked to them now. This is an edit of those rows.
  func freePartners(of entry: Entry, _ values: Edit.Values) throws {
    let model = entry.model
    for case let end? in model.entry.ends where end.isColumn && end.isUnique {
      guard let partner = SyncIdentity(values.columns[end.position]) else { continue }
      for holder in try run.rows(end.owner).holderKeys(of: partner, at: end.position)
      where holder != entry.row {
        // If no edit takes the partner, the other row's link is cleared as part of the sync, not as an edit.
        try setGate(isSyncing: entry.isKeptUnchanged && end.isOptional)
        // Setting a column records an edit, even if it stays the same.
        guard let stored = try entry.store.stored(holder) else { continue }
        var cleared = stored.columns
        if end.isOptional { cleared[end.position] = .null }
        try entry.store.update(holder, [end.position], to: cleared)
        try setGate(isSyncing: true)
        if !end.isOptional, let edit = try entry.store.edit(of: holder) {
          let other = Entry(EditedRow(edit: edit, store: entry.store, local: stored))
          other.remote = stored
          try entry.store.removeTemporarily(holder, sources)
          try setAside(other, stored)
        }
      }
    }
  }
}
