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
    var isSetAside = false
    /// Whether the payload deletes a new row whose request is not answered: the server has inserted it, and deleted it since.
    var isDeletedUnanswered = false
    /// Whether the row could not be reset, so that it is unknown what the payload does with it.
    var isOmitted = false
    /// Temporary values for the time of the sync. They replace unique values of the server that other rows have now.
    var replaced: [(position: Int, value: DatabaseValue)] = []

    init(_ edited: EditedRow) {
      self.edited = edited
    }

    var edit: Edit { edited.edit }
    var store: StoredEdits { edited.store }
    var model: OfflineModel { edited.store.model }
    var row: RowKey { edited.edit.row }
    var linkedRow: LinkedRow { LinkedRow(model.entry.number, row) }
    var local: Edit.Values? { edited.local }
    /// Whether the server no longer has the row after the payload was synced.
    var isGone: Bool { remote == nil && !isOmitted && (edit.base != nil || isDeletedUnanswered) }

    /// The row after the payload was synced, with the server's values in place of the temporary ones.
    func remote(_ stored: Edit.Values) -> Edit.Values {
      var values = stored
      for (position, value) in replaced where stored.columns[position].isStoredLike(value) {
        if let base = edit.base { values.columns[position] = base.columns[position] }
      }
      return values
    }
  }

  /// A row that is stored after the payload, with the values that it gets.
  typealias Placed = (entry: Entry, values: Edit.Values)

  let run: Run
  var entries: [Entry] = []
  /// Whether there are triggers of users that may write to the rows.
  private lazy var areMixed = Result { try EditTriggers.areMixed(run.database) }

  /// - Returns: nil if the store keeps no edits.
  init?(_ run: Run, in store: OpenStore) {
    guard store.keepsEdits else { return nil }
    self.run = run
  }

  /// Whether there are no edits, and no row got the server's stamp again because its edit has ended.
  var isEmpty: Bool { entries.isEmpty && !hasResetStamps }
  private var hasResetStamps = false

  /// Whether the payload had new values for a row that was kept unchanged.
  private(set) var hasSkippedValues = false
  /// Whether edits have another state, although the payload may have changed nothing else: rows that were set aside are stored
  /// again, or the server has deleted new rows.
  private(set) var hasChangedStates = false

  /// Disables the triggers, which would record the sync's own writes as edits, and resets the edited rows.
  ///
  /// - Parameters:
  ///   - prepare: may change the edits first. See ``SyncCall/prepare``.
  ///   - names: the identities that the payload may contain, to reset only edits that concern them; nil to reset all edits. It is
  ///     only evaluated if there are edits.
  func begin(
    _ prepare: ((Database) throws -> Bool?)? = nil,
    namedBy names: @autoclosure () throws -> NamedIdentities? = nil
  ) throws {
    try setGate(isSyncing: true)
    if let prepare {
      let isNewer = try prepare(run.database)
      run.readsEqualStamps = isNewer ?? false
      run.isPayloadOutdated = isNewer == nil
    }
    let stores = try run.catalog.offlineModels.map { StoredEdits(run.database, of: $0) }.filter {
      try !$0.isEmpty
    }
    if stores.isEmpty { return }
    let names = try names()
    var edits = try stores.map { try $0.edits(namedBy: names) }
    run.resetsNamedEdits = names != nil
    if names != nil, try zip(stores, edits).contains(where: { try $1.contains(where: $0.lacksMember) }) {
      // A list without the rows whose deletions are not reset would count as the server's.
      edits = try stores.map { try $0.all() }
      run.resetsNamedEdits = false
    }
    for (store, edits) in zip(stores, edits) {
      for edit in edits {
        let entry = Entry(try EditedRow(edit, store))
        // A rejected request ends, too, if its row was reset or deleted since.
        if !edit.isUnanswered, edit.aside == nil, store.model.kind(of: edit, entry.local) == nil {
          try end(entry, entry.local)
        } else {
          entries.append(entry)
        }
      }
    }
    try resetToBase()
  }

  /// Syncs a payload without the connection's triggers if it has many rows, unless users have added triggers. Preparing the
  /// statements again takes as long as evaluating ``EditTriggers/gate`` for a few hundred rows.
  func withTriggersOff(for bytes: Int, _ body: () throws -> Void) throws {
    guard bytes >= EditsDuringSync.manyBytes, try !areMixed.get() else { return try body() }
    try run.database.with(.triggers, isOn: false, body)
  }

  /// The approximate size in bytes of a payload of a few hundred rows.
  private static let manyBytes = 1 << 16

  /// Keeps rows unchanged whose edits the server answered after the payload was requested.
  func leaveAlone(rowsAnsweredAfter moment: SyncMoment) throws {
    let known = Dictionary(entries.map { ($0.linkedRow, $0) }, uniquingKeysWith: { first, _ in first })
    for model in run.catalog.offlineModels {
      let store = StoredEdits(run.database, of: model)
      let moments = StoredMoments(database: run.database, sources: run.configuration.sources)
      for row in try moments.answers(after: moment, of: model.table.name) {
        let linkedRow = LinkedRow(model.entry.number, row)
        run.answeredSince.insert(linkedRow)
        if let entry = known[linkedRow] {
          entry.isKeptUnchanged = true
        } else {
          let stored = try store.stored(row)
          let edit = Edit(
            number: -1 - Int64(entries.count), row: row, isNew: false, isGone: false, isPulled: false,
            isWithOwner: false, base: stored, attempts: 0, forced: [])
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
      if entry.isKeptUnchanged { removeFromReport(entry) } else { try noteDeletion(of: entry) }
    }
    for entry in entries {
      guard let remote = entry.remote, !entry.isKeptUnchanged, remote != entry.edit.base else { continue }
      try entry.store.set(.base, remote, of: entry.edit)
    }
    try reapplyAll()
    try setGate(isSyncing: false)
  }

  func setGate(isSyncing: Bool) throws {
    try EditTriggers.setGate(run.database, isSyncing: isSyncing)
  }

  // MARK: Resetting the edits

  private func resetToBase() throws {
    if entries.isEmpty { return }
    let placed = try EditedRow.resetToBase(entries.map(\.edited), run.configuration.sources)
    let stored = Set(placed.map { LinkedRow($0.row.store.model.entry.number, $0.row.edit.row) })
    for entry in entries { entry.isOmitted = entry.edited.base != nil && !stored.contains(entry.linkedRow) }
    noteReplaced(placed)
    for (row, base) in placed { try row.store.setLists(of: row.edit.row, to: base) }
    if try areMixed.get() { for (row, base) in placed { try row.store.correct(row.edit.row, base) } }
  }

  // MARK: Reapplying the edits

  private func reapplyAll() throws {
    if entries.isEmpty { return }
    var placed: [Placed] = try entries.compactMap { entry in
      try (entry.edit.aside ?? entry.local).map { (entry, try merge(entry, $0)) }
    }
    let deleted = entries.filter { $0.local == nil && $0.edit.aside == nil }
    let gone = Set(deleted.map(\.linkedRow))
    placed = try withoutAside(placed, gone)
    // First release unique values, so that no write conflicts with a row that is written later.
    for entry in deleted where entry.remote != nil { try entry.store.clearUnique(of: entry.edit) }
    for (entry, values) in placed where entry.remote != nil {
      try entry.store.clearUnique(entry.store.columnsToWrite(values, from: entry.remote), of: entry.edit)
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
        try entry.store.insert(values)
      } else {
        try entry.store.update(
          entry.row, entry.store.columnsToWrite(values, from: entry.remote), to: values.columns)
      }
    }
    placed = try withoutDependents(placed)
    for (entry, values) in placed { try entry.store.setLists(of: entry.row, to: values) }
    if try areMixed.get() { for (entry, values) in placed { try entry.store.correct(entry.row, values) } }
    // Deleted last, so that rows which were moved to another owner are not deleted with their former owner.
    for entry in entries where entry.isSetAside { try removeSetAside(entry) }
    for entry in deleted { try deleteAgain(entry) }
    for entry in deleted where !entry.isKeptUnchanged { try finishDeletion(entry) }
    for (entry, values) in placed { try finish(entry, values) }
  }

  /// Records that the payload deletes a new row whose request is not answered. Its values are what was sent.
  private func noteDeletion(of entry: Entry) throws {
    guard entry.remote == nil, entry.local != nil || entry.edit.aside != nil, entry.edit.base == nil,
      entry.edit.isUnanswered, let sent = entry.edit.sent
    else { return }
    let rows = run.rows(entry.model.entry.number)
    guard
      rows.listsOfDeletedRows?.isGone(entry.row) ?? false
        || run.deletedRows?.contains(entry.row, in: rows.table) ?? false
    else { return }
    entry.isDeletedUnanswered = true
    hasChangedStates = true
    try entry.store.set(.base, sent.values, of: entry.edit)
  }

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
    note(entry)
    // What users' triggers write belongs to the sync.
    let isRecorded = try !entry.isKeptUnchanged && !areMixed.get()
    if isRecorded { try setGate(isSyncing: false) }
    try entry.store.delete(entry.row)
    if isRecorded { try setGate(isSyncing: true) }
  }

  /// Stores a deletion after it was reapplied.
  private func finishDeletion(_ entry: Entry) throws {
    let old = entry.edit
    let isGone = entry.isGone
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

  /// Stores an edit after it was reapplied.
  private func finish(_ entry: Entry, _ values: Edit.Values) throws {
    if entry.edit.aside != nil { hasChangedStates = true }
    if entry.isKeptUnchanged {
      if entry.edit.aside != nil { try entry.store.set([EditTable.Column.isAside: false], of: entry.edit) }
      return
    }
    let model = entry.model
    if let remote = entry.remote, model.isSame(values, remote) {
      if entry.edit.sent == nil, entry.edit.forced.isEmpty { return try end(entry, values) }
    } else {
      note(entry)
    }
    let old = entry.edit
    let isUnknown = entry.remote == nil
    let isGone = entry.isGone
    let isNew = isUnknown && !isGone && !entry.isOmitted
    let isChanged = isUnknown ? isGone && !old.isGone : !model.isSame(old.base, entry.remote)
    let isPulled = old.isPulled || isChanged
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
      hasResetStamps = true
      try entry.store.update(entry.row, [stamp], to: base.columns)
    }
  }

  func note(_ entry: Entry) {
    let rows = run.rows(entry.model.entry.number)
    // A row that the payload has is stored, unless the server no longer has it.
    guard !entry.isKeptUnchanged,
      entry.remote == nil
        ? entry.edited.base != nil || entry.isDeletedUnanswered : rows.isNamed(entry.row)
    else { return }
    rows.counts.kept += 1
  }
}
