import GRDB

/// Handles local edits during a sync. The edited rows are first reset to the values that the server last sent. Then the payload is
/// synced as if there were no edits, and finally the edits are reapplied.
final class EditsDuringSync {
  /// An edited row, and its state during the sync.
  final class Entry {
    let edited: EditedRow
    /// The row after the payload was synced; nil if it is not stored.
    var remote: Edit.Values?
    /// Whether the payload may be older than the server's last response about the row. If so, the row and its edit are kept
    /// unchanged.
    var isKeptUnchanged = false
    /// Whether the row is set aside after the payload.
    var isSetAside = false
    /// Temporary values for the time of the sync. They replace unique values of the server that other rows have now.
    var replaced: [(position: Int, value: DatabaseValue)] = []

    init(_ edited: EditedRow) {
      self.edited = edited
    }

    var edit: Edit { edited.edit }
    var store: StoredEdits { edited.store }
    var model: OfflineModel { edited.store.model }
    var row: RowKey { edited.edit.row }
    /// The row as it was edited; nil if it was deleted.
    var local: Edit.Values? { edited.local }

    /// The row after the payload was synced, with the server's values in place of the temporary ones.
    func remote(_ stored: Edit.Values) -> Edit.Values {
      var values = stored
      for (position, value) in replaced where stored.columns[position].isStoredLike(value) {
        if let base = edit.base { values.columns[position] = base.columns[position] }
      }
      return values
    }
  }

  let run: Run
  private(set) var entries: [Entry] = []
  /// Whether all triggers of the connection are disabled, so that the triggers for edits do not evaluate the gate for each row.
  private var isConnectionOff = false
  /// Whether there are triggers of users that may write to the rows.
  private lazy var areMixed = Result { try EditTriggers.areMixed(run.database) }

  /// - Returns: nil if the container keeps no edits.
  init?(_ run: Run) {
    guard !run.catalog.offlineModels.isEmpty else { return nil }
    self.run = run
  }

  private var sources: TimeAndRandomness { run.configuration.sources }

  /// Whether there are edits.
  var isEmpty: Bool { entries.isEmpty }

  /// Whether the payload had new values for a row that was kept unchanged.
  private(set) var hasSkippedValues = false
  /// Whether rows that were set aside are stored again.
  private(set) var hasRestoredRows = false

  /// Disables the triggers, which would record the sync's own writes as edits, and resets the edited rows.
  ///
  /// - Parameters:
  ///   - prepare: may change the edits first.
  ///   - names: what the payload names, for putting back fewer rows; nil for all rows. It is only evaluated if there are edits.
  func begin(
    _ prepare: ((Database) throws -> Void)? = nil,
    namedBy names: @autoclosure () throws -> NamedIdentities? = nil
  ) throws {
    try setGate(isSyncing: true)
    try prepare?(run.database)
    let stores = try run.catalog.offlineModels.map { StoredEdits(run.database, of: $0) }.filter {
      try !$0.isEmpty
    }
    if stores.isEmpty { return }
    let names = try names()
    for store in stores {
      for edit in try store.edits(namedBy: names) {
        let entry = Entry(try EditedRow(edit, store))
        if edit.sent == nil, edit.aside == nil, store.model.kind(of: edit, entry.local) == nil {
          try end(entry, entry.local)
        } else {
          entries.append(entry)
        }
      }
    }
    try resetToBase()
  }

  /// Disables the connection's triggers for a payload of many rows, unless users have added triggers. To prepare the statements anew
  /// takes as long as evaluating ``EditTriggers/gate`` for a few hundred rows.
  func prepare(for bytes: Int) throws {
    guard bytes >= EditsDuringSync.manyBytes, try !areMixed.get() else { return }
    ConnectionSetting.triggers.set(false, of: run.database)
    isConnectionOff = true
  }

  /// The approximate size in bytes of a payload of a few hundred rows.
  private static let manyBytes = 1 << 16

  /// Enables the connection's triggers again, even if the sync has failed.
  func switchOn() {
    guard isConnectionOff else { return }
    ConnectionSetting.triggers.set(true, of: run.database)
    isConnectionOff = false
  }

  /// Keeps rows unchanged whose edits the server answered after the payload was requested.
  func leaveAlone(rowsAnsweredAfter moment: SyncMoment) throws {
    for model in run.catalog.offlineModels {
      let store = StoredEdits(run.database, of: model)
      let answered = try StoredMoments(database: run.database, sources: sources).answers(
        after: moment, of: model.table.name)
      if answered.isEmpty { continue }
      let own = entries.filter { $0.model.entry.number == model.entry.number }
      let known = Dictionary(own.map { ($0.row, $0) }, uniquingKeysWith: { first, _ in first })
      for row in answered {
        if let entry = known[row] {
          entry.isKeptUnchanged = true
        } else {
          let stored = try store.stored(row)
          let edit = Edit(
            number: 0, row: row, isNew: false, isGone: false, isPulled: false, isWithOwner: false,
            base: stored, attempts: 0, forced: [])
          let entry = Entry(EditedRow(edit: edit, store: store, local: stored))
          entry.isKeptUnchanged = true
          entries.append(entry)
        }
      }
    }
  }

  /// Reapplies the edits to the synced rows.
  func end() throws {
    for entry in entries {
      entry.remote = try entry.store.stored(entry.row).map(entry.remote)
      if entry.isKeptUnchanged { removeFromReport(entry) }
    }
    for entry in entries {
      guard let remote = entry.remote, !entry.isKeptUnchanged, remote != entry.edit.base else { continue }
      try entry.store.set(.base, remote, of: entry.edit)
    }
    try reapplyAll()
    try setGate(isSyncing: false)
  }

  private func setGate(isSyncing: Bool) throws {
    try EditTriggers.setGate(run.database, isSyncing: isSyncing)
  }

  // MARK: Resetting the edits

  private func resetToBase() throws {
    if entries.isEmpty { return }
    let placed = try EditedRow.resetToBase(entries.map(\.edited), sources)
    noteReplaced(placed)
    for (row, base) in placed {
      for (list, members) in zip(row.store.model.lists, base.lists) {
        try row.store.set(list, of: row.edit.row, to: members.filter { try row.store.isStored($0, list) })
      }
    }
    if try areMixed.get() { for (row, base) in placed { try row.store.correct(row.edit.row, base) } }
  }

  // MARK: Reapplying the edits

  private func reapplyAll() throws {
    if entries.isEmpty { return }
    var placed: [(entry: Entry, values: Edit.Values)] = []
    let deleted = entries.filter { $0.local == nil && $0.edit.aside == nil }
    for entry in entries {
      guard let local = entry.edit.aside ?? entry.local else { continue }
      placed.append((entry, try merge(entry, local)))
    }
    let gone = Set(deleted.map { LinkedRow($0.model.entry.number, $0.row) })
    placed = try withoutAside(placed, gone)
    // First release unique values, so that no write conflicts with a row that is written later.
    for entry in deleted where entry.remote != nil {
      try entry.store.clearUnique(Array(entry.model.table.columns.indices), of: entry.edit)
    }
    for (entry, values) in placed where entry.remote != nil {
      try entry.store.clearUnique(values.differingColumns(from: entry.remote), of: entry.edit)
    }
    // Rows may refer to a row that is set aside because its unique value is taken.
    while true {
      let count = placed.count
      placed = try withoutTakenValues(placed)
      if placed.count == count { break }
      placed = try withoutAside(placed, gone)
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
    if try areMixed.get() { for (entry, values) in placed { try entry.store.correct(entry.row, values) } }
    // Deleted last, so that rows which were moved to another owner are not deleted with their former owner.
    for entry in entries.filter(\.isSetAside) + deleted { try deleteAgain(entry) }
    for entry in deleted where !entry.isKeptUnchanged { try finishDeletion(entry) }
    for (entry, values) in placed { try finish(entry, values) }
  }

  /// Takes the partners of a row's one-to-one links from the rows that are linked to them now. This is an edit of those rows.
  private func freePartners(of entry: Entry, _ values: Edit.Values) throws {
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

  /// Removes a row that is kept unchanged from the report.
  private func removeFromReport(_ entry: Entry) {
    let rows = run.rows(entry.model.entry.number)
    // The server does not have the values of local properties, so they are not compared.
    let base = entry.edited.base.map { entry.model.keepingLocal($0, of: entry.local) }
    if entry.remote != base { hasSkippedValues = true }
    rows.journal.undo(entry.row, in: &rows.counts, isNamed: rows.isNamed(entry.row))
  }

  /// Deletes a row again. Rows that are deleted with it, and links to it that are cleared, are edits too: the payload may have
  /// brought them.
  private func deleteAgain(_ entry: Entry) throws {
    guard entry.remote != nil else { return }
    if !entry.isSetAside { note(entry, differs: true) }
    // What users' triggers write belongs to the sync.
    let isRecorded = try !entry.isKeptUnchanged && !areMixed.get()
    if isRecorded { try setGate(isSyncing: false) }
    try entry.store.delete(entry.row)
    if isRecorded { try setGate(isSyncing: true) }
    // It does not end with its owner's deletion.
    if entry.isSetAside { try entry.store.set([EditTable.Column.isWithOwner: false], of: entry.edit) }
  }

  /// Stores a deletion after it was reapplied.
  private func finishDeletion(_ entry: Entry) throws {
    let old = entry.edit
    let isGone = entry.remote == nil && old.base != nil
    if isGone == old.isGone, entry.remote == nil { return }
    try entry.store.set(
      [
        EditTable.Column.isNew: entry.remote == nil && old.isNew, EditTable.Column.isGone: isGone,
        EditTable.Column.isPulled: old.isPulled
          || entry.remote != nil && !entry.model.isSame(old.base, entry.remote),
        // Deleting its owner has set it.
        EditTable.Column.isWithOwner: old.isWithOwner,
      ], of: old)
  }

  /// The row with the edit reapplied to the server's values.
  private func merge(_ entry: Entry, _ local: Edit.Values) throws -> Edit.Values {
    guard let remote = entry.remote, !entry.isKeptUnchanged else { return local }
    let model = entry.model
    let base = entry.edit.base ?? remote
    let isNew = entry.edit.base == nil
    let edited = model.editedColumns(of: entry.edit, local)
    var values = remote
    for position in model.table.columns.indices where position != model.table.identity {
      if edited.contains(position) {
        // The cases of a union are decided at once.
        let cases = model.table.withOtherCases(position)
        guard cases.first == position else { continue }
        try choose(cases, entry, base: isNew ? nil : base, local: local, for: &values)
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

  /// The values of an edited column, or of the columns of a union: if the server changed them, too, the configuration chooses.
  ///
  /// - Parameter values: the remote values.
  private func choose(
    _ positions: [Int], _ entry: Entry, base: Edit.Values?, local: Edit.Values, for values: inout Edit.Values
  ) throws {
    let model = entry.model
    let remote = values
    func differs(_ one: Edit.Values, _ other: Edit.Values) -> Bool {
      positions.contains { !model.isSame(one.columns[$0], other.columns[$0], at: $0) }
    }
    func take(_ chosen: Edit.Values) {
      for position in positions { values.columns[position] = chosen.columns[position] }
    }
    guard let base, differs(base, remote), differs(local, remote) else { return take(local) }
    run.rows(model.entry.number).counts.conflicts += 1
    guard let choose = run.configuration.conflict else { return take(local) }
    // For a union, report the case that was edited.
    let position = positions.first { !local.columns[$0].isNull } ?? positions[0]
    let conflict = SyncConflict(
      model: model.table.name, identity: entry.row.identity.description,
      property: model.table.editedName(of: position), base: base.columns[position],
      local: local.columns[position], remote: remote.columns[position])
    switch choose(conflict) {
    case .local: take(local)
    case .remote: break
    case .value(let value):
      for other in positions { values.columns[other] = .null }
      values.columns[position] = (value as? any SyncStored)?.syncDatabaseValue ?? value.databaseValue
    }
  }

  /// Sets aside the rows that require a row which is no longer stored, or a partner which an edit gives another row. Clears
  /// optional links to such rows.
  ///
  /// - Parameter deleted: rows that are deleted again.
  private func withoutAside(
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

  /// Stores an edit after it was reapplied.
  private func finish(_ entry: Entry, _ values: Edit.Values) throws {
    if entry.isKeptUnchanged { return }
    if entry.edit.aside != nil { hasRestoredRows = true }
    let model = entry.model
    if let remote = entry.remote, model.isSame(values, remote) {
      if entry.edit.sent == nil, entry.edit.forced.isEmpty { return try end(entry, values) }
    } else {
      note(entry, differs: true)
    }
    let old = entry.edit
    let isUnknown = entry.remote == nil
    let (isNew, isGone) = (isUnknown && old.base == nil, isUnknown && old.base != nil)
    let isPulled = old.isPulled || (!isUnknown && !model.isSame(old.base, entry.remote))
    if isNew == old.isNew, isGone == old.isGone, isPulled == old.isPulled, old.aside == nil { return }
    try entry.store.set(
      [
        EditTable.Column.isNew: isNew, EditTable.Column.isGone: isGone, EditTable.Column.isAside: false,
        EditTable.Column.isPulled: isPulled,
      ], of: old)
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
    // A row that the payload has is stored, unless the server no longer has it.
    guard differs, !entry.isKeptUnchanged,
      entry.remote == nil ? entry.edited.base != nil : rows.isNamed(entry.row)
    else { return }
    rows.counts.kept += 1
  }
}
