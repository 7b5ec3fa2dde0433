/// Stores the state of a run of pages: its cursor and the rows seen so far. Both are written in each page's transaction, so that
/// a later call can resume the run.
final class PageRun: @unchecked Sendable {
  let notes: PageNotes
  private let call: PageSync
  private let key: String
  /// Whether the store has this run.
  private var isStored: Bool

  init(
    _ call: PageSync, of slice: String, _ unseen: UnseenRows?, models: Set<String> = [],
    isStored: Bool = false
  ) {
    self.call = call
    notes = PageNotes(call.name, unseen: unseen)
    notes.models = models
    key = "\(unseen?.seed ?? 0) \(slice)"
    self.isStored = isStored
  }

  /// The hash seed in the key of a stored run; nil if the run belongs to another slice.
  static func seed(ofKey key: String, slice: String) -> UInt64? {
    let parts = key.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    return parts.count == 2 && parts[1] == slice ? UInt64(parts[0]) : nil
  }

  /// Whether `remember` added the last page to the stored run.
  private var writes = false

  /// Stores where to resume after a page, in the page's transaction. Returns whether the stored state changed.
  func remember(_ page: SyncPage, _ transaction: SyncTransaction) throws -> Bool {
    let run = transaction.run
    notes.models.formUnion(run.order.map(\.table.name))
    notes.readPage(transaction.links)
    writes = false
    if transaction.hasSkippedValues { notes.hasSkippedValues = true }
    let stored = StoredRun(database: run.database, model: call.table.name, name: call.name)
    // The cursor repeats, so the list would never end: the next run starts from the beginning.
    if page.isStuck, try !isStored || stored.key() == key {
      let isForgotten = try stored.remove()
      return try setCursor(nil, rowCount: nil, run) || isForgotten
    }
    // A run from the start replaces an interrupted one, even if its own cursor cannot be stored.
    if !isStored, notes.unseen != nil, notes.hasSkippedValues || !notes.isAllStored, try stored.remove() {
      _ = try setCursor(nil, rowCount: nil, run)
      return true
    }
    // If the run deletes rows, the last page's cursor is stored with the deletion.
    guard page.cursor != nil, !page.isStuck, !page.isLast || notes.unseen == nil, !notes.hasSkippedValues,
      notes.isAllStored
    else { return false }
    guard let unseen = notes.unseen, notes.areWhole else {
      // A stored run that was interrupted cannot resume from this cursor.
      let isForgotten = try stored.remove()
      isStored = false
      // The last page's cursor starts another list: later changes. It has no row count.
      let count = page.isLast ? nil : notes.rowCount.map { $0 + notes.lastRowCount }
      return try setCursor(page.cursor, rowCount: count, run) || isForgotten
    }
    // Another run may have started since: then the stored cursor is that run's.
    guard try !isStored || stored.key() == key else { return false }
    if isStored {
      try stored.add(unseen.noted ?? [], .seen)
      try stored.add(unseen.contents.unstored ?? [], .contents)
    } else {
      try stored.begin(key, rows: unseen.hashes)
      try stored.add(unseen.allSeen, .seen)
      try stored.add(unseen.contents.all, .contents)
    }
    writes = true
    _ = try setCursor(page.cursor, rowCount: notes.rowCount.map { $0 + notes.lastRowCount }, run)
    return true
  }

  /// Called after the page's transaction.
  func didStore() {
    notes.storePage()
    guard writes else { return }
    notes.unseen?.storeNoted()
    isStored = true
  }

  /// Ends the run, in the transaction that deletes the missing rows. Returns whether the stored state changed.
  func end(after last: SyncPage, absences: [SyncIdentity: Int]?, _ transaction: SyncTransaction)
    throws -> Bool
  {
    let run = transaction.run
    var isNew = try absences.map { try call.storedAbsences(run.database).replace(with: $0) } ?? false
    notes.models.formUnion(run.order.map(\.table.name))
    // Without this cursor, the next run continues before that page, or finds the rows that were kept missing again.
    if notes.hasSkippedValues || transaction.hasSkippedValues { return isNew }
    let stored = StoredRun(database: run.database, model: call.table.name, name: call.name)
    // If another run has started, keep its cursor.
    if isStored, try stored.key() != key { return isNew }
    isNew = try stored.remove() || isNew
    return try setCursor(last.cursor, rowCount: nil, run) || isNew
  }

  private func setCursor(_ cursor: String?, rowCount: Int?, _ run: Run) throws -> Bool {
    let models = call.catalog.reading(of: notes.models, in: call.style)
    let bookmarks = StoredBookmarks(database: run.database)
    // The row count is needed by models that store the place of their rows, and to know whether the whole list is empty.
    let isNeeded = call.table.place != nil || call.arguments.requiresRows
    let count = isNeeded ? rowCount.map { String($0) } : nil
    let isNew = try bookmarks.set(count.map { .init(value: $0, models: models) }, for: call.rowCountKey)
    return try bookmarks.set(cursor.map { .init(value: $0, models: models) }, for: call.cursorKey) || isNew
  }
}
