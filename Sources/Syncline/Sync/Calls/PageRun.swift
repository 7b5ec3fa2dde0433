/// What becomes of a run of pages in the store: its cursor and what it has seen are written with each page, so that another
/// call can go on.
final class PageRun: @unchecked Sendable {
  let notes: PageNotes
  private let call: PageSync
  private let key: String
  /// Whether the store has the run.
  private var isStored: Bool

  init(
    _ call: PageSync, _ unseen: (rows: UnseenRows, seed: UInt64)?, models: Set<String> = [],
    isStored: Bool = false
  ) {
    self.call = call
    notes = PageNotes(unseen: unseen?.rows)
    notes.models = models
    key = "\(unseen?.seed ?? 0) \(call.slice)"
    self.isStored = isStored
  }

  /// What the rows of a run are hashed from; nil for a run of another slice.
  static func seed(ofKey key: String, slice: String) -> UInt64? {
    let parts = key.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    return parts.count == 2 && parts[1] == slice ? UInt64(parts[0]) : nil
  }

  /// Whether the store goes on behind a page. Where rows are to be deleted, it does so behind the last when that was done.
  private func goesOn(behind page: SyncPage) -> Bool {
    page.cursor != nil && !page.isStuck && (!page.isLast || notes.unseen == nil)
  }

  /// Whether the last page that was read goes into what the store knows of the run.
  private var writes = false

  /// Writes, in the transaction of a page, where to go on behind it.
  func remember(_ page: SyncPage, _ transaction: SyncTransaction) throws -> Bool {
    let run = transaction.run
    notes.models.formUnion(run.order.map(\.table.name))
    notes.readPage(run, transaction.links)
    writes = false
    let stored = StoredRun(run.database, of: call.model, call.name)
    // A list that leads to itself is never at its end: it begins anew.
    if page.isStuck, try !isStored || stored.key() == key {
      let isForgotten = try stored.remove()
      return try setCursor(nil, rowCount: nil, run) || isForgotten
    }
    guard goesOn(behind: page) else { return false }
    guard let unseen = notes.unseen else {
      // A run that was left off is not gone on with from this cursor.
      let isForgotten = try stored.remove()
      // What comes behind the last page is another list: that of what changes later.
      let count = page.isLast ? nil : notes.rowCount.map { $0 + notes.lastRowCount }
      return try setCursor(page.cursor, rowCount: count, run) || isForgotten
    }
    // Another run may have begun, whose cursor it is.
    guard notes.isAllStored, try !isStored || stored.key() == key else { return false }
    if isStored {
      try stored.addSeen(unseen.noted ?? [])
    } else {
      try stored.begin(key, rows: unseen.hashes)
      try stored.addSeen(unseen.allSeen)
    }
    writes = true
    _ = try setCursor(page.cursor, rowCount: notes.rowCount.map { $0 + notes.lastRowCount }, run)
    return true
  }

  /// A page was stored.
  func didStore() {
    notes.storePage()
    guard writes else { return }
    notes.unseen?.storeNoted()
    isStored = true
  }

  /// Ends the run, in the transaction that deletes what is missing.
  func end(after last: SyncPage, absences: [SyncIdentity: Int]?, _ transaction: SyncTransaction)
    throws -> Bool
  {
    let run = transaction.run
    var isNew = false
    if let absences {
      isNew = try StoredAbsences(run.database, of: call.model, call.slice).replace(with: absences)
    }
    notes.models.formUnion(run.order.map(\.table.name))
    let stored = StoredRun(run.database, of: call.model, call.name)
    // Where another run has begun, its cursor stays.
    if isStored, try stored.key() != key { return isNew }
    isNew = try stored.remove() || isNew
    return try setCursor(last.cursor, rowCount: nil, run) || isNew
  }

  private func setCursor(_ cursor: String?, rowCount: Int?, _ run: Run) throws -> Bool {
    let models = call.catalog.reading(of: notes.models, in: call.style)
    let bookmarks = StoredBookmarks(run.database)
    // Where rows have no places, nobody asks how many there were.
    let count = rowCount.flatMap { call.arguments.entry.table.place == nil ? nil : String($0) }
    let isNew = try bookmarks.set(count.map { .init(value: $0, models: models) }, for: call.rowCountKey)
    return try bookmarks.set(cursor.map { .init(value: $0, models: models) }, for: call.cursorKey) || isNew
  }
}
