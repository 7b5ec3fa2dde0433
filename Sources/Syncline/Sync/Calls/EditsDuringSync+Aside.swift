import GRDB

/// Rows that cannot be stored after the payload: they require a row that is gone, or a partner that another row has.
extension EditsDuringSync {
  /// Sets aside the rows that require a row which is no longer stored, or a partner which an edit gives another row. Clears
  /// optional links to such rows.
  ///
  /// - Parameter deleted: rows that are deleted again.
  func withoutAside(_ placed: [Placed], _ deleted: Set<LinkedRow>) throws -> [Placed] {
    var placed = placed
    while true {
      let coming = Set(placed.map(\.entry.linkedRow))
      let partners = partnerClaims(placed)
      var kept: [Placed] = []
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

  /// Sets aside the edited rows that are deleted with a row that is set aside.
  func withoutDependents(_ placed: [Placed]) throws -> [Placed] {
    var owners = entries.filter(\.isSetAside).map(\.linkedRow)
    if owners.isEmpty { return placed }
    let known = Dictionary(placed.map { ($0.entry.linkedRow, $0) }, uniquingKeysWith: { $1 })
    var found = Set(owners)
    while let owner = owners.popLast() {
      for (store, end) in run.catalog.dependents(on: owner.model, in: run.database) {
        for row in try store.rows(heldBy: owner.key.identity, at: end) {
          let dependent = LinkedRow(end.owner, row)
          guard found.insert(dependent).inserted else { continue }
          owners.append(dependent)
          if let (entry, values) = known[dependent] {
            try setAside(entry, values)
          } else if let edit = try store.edit(of: row), let stored = try store.stored(row) {
            // The payload does not name the row, so its edit was not reset.
            try setAsideUnnamed(edit, stored, in: store)
          }
        }
      }
    }
    return placed.filter { !$0.entry.isSetAside }
  }

  /// Deletes a row that is set aside. The rows that are deleted with it, and the links to it that are cleared, are not edits.
  func removeSetAside(_ entry: Entry) throws {
    if try entry.store.stored(entry.row) == nil {
      guard entry.edit.aside == nil, let local = entry.local else { return }
      // Resetting the edits, or deleting its owner, has removed the row. It is stored once more, so that foreign keys clear the
      // links to it.
      var columns = local.columns
      for (position, value) in try entry.store.uniquePlaceholders(of: entry.edit) {
        columns[position] = value
      }
      try entry.store.insert(Edit.Values(columns: columns, lists: local.lists))
    }
    try entry.store.delete(entry.row)
    // It does not end with its owner's deletion.
    try entry.store.set([EditTable.Column.isWithOwner: false], of: entry.edit)
  }

  func setAside(_ entry: Entry, _ values: Edit.Values) throws {
    entry.isSetAside = true
    // Its row is removed at the end. Until then, others may get its unique values.
    if entry.remote != nil { try entry.store.clearUnique(of: entry.edit) }
    note(entry)
    try entry.store.set(.own, values, of: entry.edit)
    try entry.store.set(
      [
        EditTable.Column.isAside: true, EditTable.Column.isGone: entry.isGone,
        EditTable.Column.isNew: entry.edit.isNew && !entry.isDeletedUnanswered,
        EditTable.Column.isPulled: entry.edit.isPulled || entry.isDeletedUnanswered,
      ],
      of: entry.edit)
  }

  /// Sets aside a row whose edit was not reset.
  private func setAsideUnnamed(_ edit: Edit, _ stored: Edit.Values, in store: StoredEdits) throws {
    let entry = Entry(EditedRow(edit: edit, store: store, local: stored))
    entry.remote = stored
    entries.append(entry)
    try setAside(entry, stored)
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
          try setAsideUnnamed(edit, stored, in: entry.store)
        }
      }
    }
  }
}
