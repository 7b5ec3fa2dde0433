import GRDB

/// Local edits while a payload is synced. The edited rows are first put back to what the server last said, the payload is synced
/// as if nobody had edited, and then the edits come on top again.
final class EditsDuringSync {
  /// An edit, and the versions of its row.
  private final class Entry {
    var edit: Edit
    let store: StoredEdits
    /// The row as it was edited; nil if it was deleted.
    let local: Edit.Values?
    /// What the payload made of the row; nil if it is not stored.
    var remote: Edit.Values?

    init(_ edit: Edit, _ store: StoredEdits, local: Edit.Values?) {
      (self.edit, self.store, self.local) = (edit, store, local)
    }

    var model: OfflineModel { store.model }
    var row: RowKey { edit.row }
    /// What the server last said; nil if it does not have the row.
    var base: Edit.Values? { edit.isGone ? nil : edit.base }
  }

  private let run: Run
  private var entries: [Entry] = []

  /// - Returns: nil if the container keeps no edits.
  init?(_ run: Run) {
    guard !run.catalog.offlineModels.isEmpty else { return nil }
    self.run = run
  }

  /// Whether there are edits.
  var isEmpty: Bool { entries.isEmpty }

  /// Switches the triggers off, which would record the sync's own writes, and puts the edited rows back.
  ///
  /// - Parameter prepare: changes the edits first.
  func begin(after prepare: ((Database) throws -> Void)?) throws {
    try setGate(isSyncing: true)
    try prepare?(run.database)
    for model in run.catalog.offlineModels {
      let store = StoredEdits(run.database, of: model)
      guard try !store.isEmpty else { continue }
      for edit in try store.all() {
        let local = try store.stored(edit.row)
        if edit.sent == nil, edit.aside == nil, model.kind(of: edit, local) == nil {
          try end(Entry(edit, store, local: local), local)
        } else {
          entries.append(Entry(edit, store, local: local))
        }
      }
    }
    try putBack()
  }

  /// Puts the edits on top of what the payload said.
  func end() throws {
    for entry in entries { entry.remote = try entry.store.stored(entry.row) }
    for entry in entries where entry.remote != nil { try entry.store.copy(to: .base, of: entry.edit) }
    try putOn()
    try setGate(isSyncing: false)
  }

  private func setGate(isSyncing: Bool) throws {
    try EditTriggers.setGate(run.database, isSyncing: isSyncing)
  }

  // MARK: Back

  private func putBack() throws {
    let stored = entries.filter { $0.local != nil && $0.edit.aside == nil }
    for entry in stored where entry.base == nil { try entry.store.takeOut(entry.row) }
    let changed = stored.compactMap { entry in
      entry.base.map { (entry: entry, base: $0, columns: $0.differingColumns(from: entry.local)) }
    }
    // Two rows may have swapped values that are unique.
    for (entry, _, columns) in changed { try entry.store.clearUnique(columns, of: entry.edit) }
    for (entry, base, columns) in changed { try entry.store.update(entry.row, columns, to: base.columns) }
    let missing = entries.filter { $0.local == nil && $0.edit.aside == nil }
    for entry in missing { if let base = entry.base { try entry.store.insert(base, of: entry.row) } }
    for entry in entries where entry.edit.aside == nil {
      guard let base = entry.base else { continue }
      for (list, members) in zip(entry.model.lists, base.lists) {
        try entry.store.set(list, of: entry.row, to: members.filter { try entry.store.isStored($0, list) })
      }
    }
    for entry in entries where entry.edit.aside == nil {
      if let base = entry.base { try entry.store.putRight(entry.row, base) }
    }
  }

  // MARK: On again

  private func putOn() throws {
    var placed: [(entry: Entry, values: Edit.Values)] = []
    for entry in entries where entry.local == nil && entry.edit.aside == nil { try deleteAgain(entry) }
    for entry in entries {
      guard let local = entry.edit.aside ?? entry.local else { continue }
      placed.append((entry, try merge(entry, local)))
    }
    placed = try withoutAside(placed)
    // Values that are unique are free before any of them is taken.
    for (entry, values) in placed where entry.remote != nil {
      try entry.store.clearUnique(values.differingColumns(from: entry.remote), of: entry.edit)
    }
    for (entry, values) in placed {
      try freePartners(of: entry, values)
      if entry.remote == nil {
        try entry.store.insert(values, of: entry.row)
      } else {
        try entry.store.update(
          entry.row, values.differingColumns(from: entry.remote), to: values.columns)
      }
    }
    for (entry, values) in placed {
      for (list, members) in zip(entry.model.lists, values.lists) {
        try entry.store.set(list, of: entry.row, to: members.filter { try entry.store.isStored($0, list) })
      }
    }
    for (entry, values) in placed { try entry.store.putRight(entry.row, values) }
    for (entry, values) in placed { try finish(entry, values) }
  }

  /// Takes the partners of a row's one-to-one links from the rows that have them now, which is an edit of those rows.
  private func freePartners(of entry: Entry, _ values: Edit.Values) throws {
    let model = entry.model
    for case let end? in model.entry.ends where end.isColumn && end.isUnique {
      guard let partner = SyncIdentity(values.columns[end.position]) else { continue }
      for holder in try run.rows(end.owner).holderKeys(of: partner, at: end.position)
      where holder != entry.row {
        try setGate(isSyncing: false)
        // Setting a column records an edit, even if it stays the same.
        let stored = try entry.store.stored(holder)
        guard let stored else { continue }
        var cleared = stored.columns
        if end.isOptional { cleared[end.position] = .null }
        try entry.store.update(holder, [end.position], to: cleared)
        try setGate(isSyncing: true)
        if !end.isOptional, let edit = try entry.store.edit(of: holder) {
          let other = Entry(edit, entry.store, local: stored)
          try entry.store.takeOut(holder)
          try setAside(other, stored)
        }
      }
    }
  }

  private func deleteAgain(_ entry: Entry) throws {
    note(entry, differs: entry.remote != nil)
    guard entry.remote != nil else { return }
    try entry.store.set(
      [
        EditTable.Column.isNew: false,
        EditTable.Column.isPulled: entry.edit.isPulled || !entry.model.isSame(entry.edit.base, entry.remote),
      ], of: entry.edit)
    try entry.store.delete(entry.row)
  }

  /// The row with the edit on top of what the server says.
  private func merge(_ entry: Entry, _ local: Edit.Values) throws -> Edit.Values {
    guard let remote = entry.remote else { return local }
    let model = entry.model
    let base = entry.edit.base ?? remote
    let isNew = entry.edit.base == nil
    let edited = model.editedColumns(of: entry.edit, local)
    var values = remote
    for position in model.table.columns.indices where position != model.table.identity {
      if edited.contains(position) {
        values.columns[position] = try chosen(
          entry, position, base: isNew ? nil : base.columns[position], local: local.columns[position],
          remote: remote.columns[position])
      } else if !model.tracked.contains(position), position != model.table.updatedAt,
        isNew || model.isSame(remote.columns[position], base.columns[position], at: position)
      {
        // The server does not know these columns, or did not change them.
        values.columns[position] = local.columns[position]
      }
    }
    for list in model.lists.indices {
      let before = isNew ? [] : base.lists[list]
      values.lists[list].subtract(before.subtracting(local.lists[list]))
      values.lists[list].formUnion(local.lists[list].subtracting(before))
    }
    if let stamp = model.table.updatedAt, !model.isSame(values, remote) {
      values.columns[stamp] = local.columns[stamp]
    }
    return values
  }

  /// The value of an edited column: if the server changed it, too, the configuration chooses.
  private func chosen(
    _ entry: Entry, _ position: Int, base: DatabaseValue?, local: DatabaseValue, remote: DatabaseValue
  ) throws -> DatabaseValue {
    let model = entry.model
    guard let base, !model.isSame(base, remote, at: position), !model.isSame(local, remote, at: position)
    else {
      return local
    }
    run.rows(model.entry.number).counts.conflicts += 1
    guard let choose = run.configuration.conflict else { return local }
    let conflict = SyncConflict(
      model: model.table.name, identity: entry.row.identity.description,
      property: model.table.properties[position].name, base: base, local: local, remote: remote)
    switch choose(conflict) {
    case .local: return local
    case .remote: return remote
    case .value(let value): return value.databaseValue
    }
  }

  /// Sets the rows aside that require a row which is gone. Optional links to such rows are cleared.
  private func withoutAside(
    _ placed: [(entry: Entry, values: Edit.Values)]
  ) throws -> [(entry: Entry, values: Edit.Values)] {
    var placed = placed
    while true {
      let coming = Set(placed.map { LinkedRow($0.entry.model.entry.number, $0.entry.row) })
      var kept: [(entry: Entry, values: Edit.Values)] = []
      for (entry, var values) in placed {
        var isAside = false
        for case let end? in entry.model.entry.ends where end.isColumn {
          guard let target = SyncIdentity(values.columns[end.position]),
            !coming.contains(LinkedRow(end.target, RowKey(identity: target))),
            try !entry.store.isStored(target, end)
          else { continue }
          if end.isOptional { values.columns[end.position] = .null } else { isAside = true }
        }
        if isAside { try setAside(entry, values) } else { kept.append((entry, values)) }
      }
      if kept.count == placed.count { return kept }
      placed = kept
    }
  }

  private func setAside(_ entry: Entry, _ values: Edit.Values) throws {
    note(entry, differs: true)
    try entry.store.setOwn(values, of: entry.edit)
    try entry.store.set(
      [
        EditTable.Column.isAside: true,
        EditTable.Column.isGone: entry.remote == nil && entry.edit.base != nil,
      ],
      of: entry.edit)
  }

  /// Stores what became of an edit.
  private func finish(_ entry: Entry, _ values: Edit.Values) throws {
    let model = entry.model
    if let remote = entry.remote, model.isSame(values, remote) {
      if entry.edit.sent == nil, entry.edit.forced.isEmpty { return try end(entry, values) }
    } else {
      note(entry, differs: true)
    }
    try entry.store.set(
      [
        EditTable.Column.isNew: entry.remote == nil && entry.edit.base == nil,
        EditTable.Column.isGone: entry.remote == nil && entry.edit.base != nil,
        EditTable.Column.isAside: false,
        EditTable.Column.isPulled: entry.edit.isPulled
          || (entry.remote != nil && !model.isSame(entry.edit.base, entry.remote)),
      ], of: entry.edit)
  }

  /// Ends an edit that changes nothing: the stamp is the server's again.
  private func end(_ entry: Entry, _ values: Edit.Values?) throws {
    try entry.store.remove(entry.edit)
    if let stamp = entry.model.table.updatedAt, let base = entry.remote ?? entry.edit.base, let values,
      values.columns[stamp] != base.columns[stamp]
    {
      try entry.store.update(entry.row, [stamp], to: base.columns)
    }
  }

  private func note(_ entry: Entry, differs: Bool) {
    let rows = run.rows(entry.model.entry.number)
    guard differs, rows.isNamed(entry.row) || (entry.base != nil && entry.remote == nil) else { return }
    rows.counts.kept += 1
  }
}
