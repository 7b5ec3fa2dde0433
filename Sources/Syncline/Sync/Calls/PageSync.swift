import GRDB

/// One call of `sync(pages:)`.
struct PageSync: Sendable {
  let arguments: CallArguments
  /// The name of the cursor to store; a model may have several.
  let name: String
  /// The cursor that the pages begin at; nil for the start of the list.
  let start: String?
  /// How many runs in a row have to miss a row before it is deleted.
  let absences: Int
  /// Returns those of the missing rows that are to be deleted.
  let confirm: (@Sendable ([SyncIdentity]) async throws -> [SyncIdentity])?

  init<Model: SyncUpdatableModel>(
    _ arguments: CallArguments, of model: Model.Type, name: String, start: String?, absences: Int,
    _ confirm: SyncConfirmation<Model>?
  ) {
    self.arguments = arguments
    self.name = name
    self.start = start
    self.absences = absences
    self.confirm = confirm.map { confirm in
      { @Sendable missing in
        try await confirm(missing.sorted().compactMap { Model.SyncID($0) }).map(\.syncIdentity)
      }
    }
  }

  private var container: SyncContainer { arguments.context.container }
  var table: SyncTable { arguments.entry.table }

  func run<Pages: AsyncSequence>(
    _ pages: sending Pages
  ) async throws -> SyncReport where Pages.Element == SyncPage {
    let start = if let pages = pages as? SyncPages { pages.start } else { start }
    var run = try await begin(at: start)
    var report = SyncReport()
    var last: SyncPage?
    do {
      for try await page in pages {
        try _Concurrency.Task.checkCancellation()
        // The cursor of the first request decides whether the pages are the whole list, not the call's
        // argument.
        if last == nil, let asked = page.askedBy, asked != start { run = try await begin(at: asked) }
        report.add(
          try await container.enqueue(isolation: nil) { [run] in
            try call(of: page, run)
          })
        run.didStore()
        last = page
      }
      // If the task is cancelled, a stream ends as if there were no more pages.
      try _Concurrency.Task.checkCancellation()
      if let last, last.isLast { report.add(try await end(run, after: last, report)) }
    } catch is CancellationError {
      throw SyncError.cancelled
    }
    // All pages are stored, so a failed read is not an error: the report then lists too many pending links.
    let waiting = try? await container.readStore { [report] in
      try report.withoutArrived(StoredPendingLinks($0), in: container.catalog)
    }
    return waiting ?? report
  }

  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` for a page of lines if the call has a path.
  private func call(of page: SyncPage, _ run: PageRun) throws -> SyncCall {
    let bytes = page.payload
    if bytes.isLines, !arguments.path.steps.isEmpty { throw SyncError(.pathIntoLines, model: table.name) }
    let part = CallPart(arguments: arguments, kind: PayloadKind.page(run.notes).read(from: bytes))
    return SyncCall(parts: [part], bytes: bytes) { try run.remember(page, $0) }
  }

  // MARK: The beginning

  private func begin(at start: String?) async throws -> PageRun {
    try container.store.checkIsWritable()
    return try await readServerRows { database in
      let cursor = try StoredBookmarks(database: database).bookmark(cursorKey)
      let models = cursor.flatMap { catalog.models(ofReading: $0.models, in: style) }
      let stored = StoredRun(database: database, model: table.name, name: name)
      let slice = try arguments.storedRows.name(database)
      guard let start else {
        let run = PageRun(self, of: slice, try deletes ? unseenRows(database) : nil)
        run.notes.rowCount = 0
        return run
      }
      // Pages that do not start where a run stopped are not a whole list.
      guard cursor?.value == start, let models else { return PageRun(self, of: slice, nil) }
      var unseen: UnseenRows?
      if deletes, let key = try stored.key(), let seed = PageRun.seed(ofKey: key, slice: slice) {
        let rows = unseenRows(try stored.hashes(.stored), seed)
        for hash in try stored.hashes(.seen) { rows.note(hash) }
        rows.contents.addStored(try stored.hashes(.contents))
        rows.storeNoted()
        unseen = rows
      }
      let run = PageRun(self, of: slice, unseen, models: models, isStored: unseen != nil)
      run.notes.rowCount = try StoredBookmarks(database: database).bookmark(rowCountKey)
        .flatMap { Int($0.value) }
      return run
    }
  }

  private var deletes: Bool { arguments.policy != .none }
  var cursorKey: StoredBookmarks.Key { .init(kind: .cursor, model: table.name, name: name) }
  var rowCountKey: StoredBookmarks.Key { .init(kind: .rowCount, model: table.name, name: name) }
  var catalog: ModelCatalog { container.catalog }
  var style: KeyStyle { container.configuration.ofCall(about: table).style }

  private var otherRows: UnseenRows.Others {
    if arguments.policy == .softDeleteMissing { return .any }
    guard table.parentScope == nil, let scope = arguments.scope else { return .new }
    return .newOrOfOtherParents(scope)
  }

  private func unseenRows(_ database: Database) throws -> UnseenRows {
    let seed = container.configuration.sources.next()
    var hashes: [UInt64] = []
    // Whether rows meet a condition is only asked when missing rows are looked for.
    try forEachRow(database, isConditional: false) { hashes.append($0.hash(from: seed)) }
    return unseenRows(hashes, seed)
  }

  private func unseenRows(_ hashes: [UInt64], _ seed: UInt64) -> UnseenRows {
    let others = otherRows
    let knowsNewRows = if case .new = others { table.parentScope == nil } else { false }
    let contents = PageContents(
      catalog, of: arguments.entry.number, children: arguments.children, knowsNewRows: knowsNewRows,
      seed: seed)
    return UnseenRows(
      arguments.entry.number, parent: arguments.scopedParent, others: others, contents: contents, seed: seed,
      hashes: hashes)
  }

  /// Calls the body with the identity of each stored row of the slice.
  ///
  /// - Parameter isConditional: whether the rows have to meet the condition of the call.
  private func forEachRow(
    _ database: Database, isConditional: Bool, _ body: (SyncIdentity) -> Void
  ) throws {
    var rows = arguments.storedRows
    if !isConditional { rows.condition = nil }
    // Marked rows count as deleted.
    rows.omitsMarked = arguments.policy == .softDeleteMissing
    try rows.forEachRow(database, body)
  }

  // MARK: The end

  private func end(_ run: PageRun, after last: SyncPage, _ report: SyncReport) async throws -> SyncReport {
    let hasRows =
      report.hasRows(of: table.name) || run.notes.rowCount ?? 0 > 0
      || run.notes.unseen?.allSeen.isEmpty == false
    let isHeldBack = arguments.requiresRows && deletes && !hasRows
    var missing: [SyncIdentity] = []
    var kept: Set<SyncIdentity> = []
    var counts: [SyncIdentity: Int]?
    if let unseen = run.notes.unseen, run.notes.areWhole, !isHeldBack {
      let found = try await missingRows(unseen)
      missing = found.missing
      counts = found.kept
      if absences > 1 {
        for row in found.missing { counts?[row] = min(absences, (found.counts[row] ?? 0) + 1) }
        missing = found.missing.filter { counts?[$0] == absences }
      }
      // Rows that `confirm` keeps were not missing: their counts are reset, too.
      for row in missing { counts?[row] = nil }
      if let confirm, !missing.isEmpty {
        missing = missing.filter(Set(try await confirm(missing)).contains)
        try _Concurrency.Task.checkCancellation()
      }
      if missing.count < found.missing.count { kept = Set(found.missing).subtracting(missing) }
    }
    let end = PagesEnd(missing: missing, kept: kept, isHeldBack: isHeldBack)
    return try await container.enqueue(isolation: nil) { [counts] in
      let part = CallPart(arguments: arguments, kind: .end(end, run.notes))
      return SyncCall(parts: [part], bytes: SyncPayloadBytes([])) {
        try run.end(after: last, absences: counts, $0)
      }
    }
  }

  /// The rows that no page had, the number of earlier runs that lacked them, and these numbers of the rows that do not meet the
  /// condition.
  private typealias Missing = (
    missing: [SyncIdentity], counts: [SyncIdentity: Int], kept: [SyncIdentity: Int]
  )

  /// The stored numbers of runs that lacked rows. Runs whose conditions differ in values share them, such as today's date.
  func storedAbsences(_ database: Database) throws -> StoredAbsences {
    let slice = try arguments.storedRows.name(database, hasValues: false)
    return StoredAbsences(database: database, model: table.name, slice: slice)
  }

  private func missingRows(_ unseen: UnseenRows) async throws -> Missing {
    try await readServerRows { database in
      let counts = absences > 1 ? try storedAbsences(database).counts() : [:]
      var missing: [SyncIdentity] = []
      var others = counts
      try forEachRow(database, isConditional: true) { row in
        if unseen.contains(row) { missing.append(row) }
        others[row] = nil
      }
      var kept: [SyncIdentity: Int] = [:]
      if !others.isEmpty, arguments.storedRows.condition != nil {
        try forEachRow(database, isConditional: false) { kept[$0] = others[$0] }
      }
      return (missing, counts, kept)
    }
  }

  /// Reads the rows as the server last sent them. As for a list, local edits do not decide which rows are missing.
  private func readServerRows<T: Sendable>(
    _ body: @Sendable @escaping (Database) throws -> T
  ) async throws -> T {
    let hasEdits = try await container.readStore { [catalog, deletes] database in
      try deletes && catalog.offlineModels.contains { try !StoredEdits(database, of: $0).isEmpty }
    }
    guard hasEdits else { return try await container.readStore(body) }
    let cancellation = CancellationFlag()
    do {
      return try await container.write(cancellation) { database in
        var result: T?
        try database.transaction(.immediate) {
          let run = Run(database, of: container, cancellation, about: table, mode: Run.Mode())
          let edits = EditsDuringSync(run, in: container.store)
          try edits?.begin()
          result = try body(database)
          return .rollback
        }
        guard let result else { throw SyncError.cancelled }
        return result
      }
    } catch {
      throw SyncError.ofSync(error, of: table.name, isCancelled: cancellation.isSet)
    }
  }
}
