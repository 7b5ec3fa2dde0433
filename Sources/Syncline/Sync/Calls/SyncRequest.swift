import Foundation
import GRDB

/// The checked arguments of one call of `sync`.
struct SyncRequest: Sendable {
  let container: SyncContainer
  private(set) var bytes: SyncPayloadBytes
  private(set) var path: String?
  /// The steps of the path.
  private(set) var steps: [PathStep]
  let operations: SyncRelationshipOperations
  private(set) var policy: DeletionPolicy
  private(set) var requiresRows: Bool
  /// The policy that the call names; nil for those of the models.
  private let ownPolicy: DeletionPolicy?
  /// The union whose rows the payload has; nil for rows of one model.
  private(set) var union: RowUnion?
  /// The key that told the rows of a case from those of others.
  private(set) var unionKey: String?
  private(set) var isItem: Bool
  private(set) var entry: ModelCatalog.Entry
  private(set) var children: [ChildPolicy]
  private(set) var scope: PayloadObject.Scope?
  /// What is told how far the sync has come.
  let progress: SyncProgress.Handler?
  /// The part of a payload that the rows are from; nil where it is one list.
  private(set) var part: PayloadPart?
  /// The keys under which the payload says what has changed; nil for a payload that is a list.
  private(set) var changeKeys: SyncChangeKeys?
  /// The rows that are gone, where the payload says so.
  private(set) var delta: SyncDelta?
  /// The pages that the payload is one of, or that have come to their end.
  private(set) var pages: PageNotes?
  /// What is deleted at the end of pages; nil for a payload.
  private(set) var end: PagesEnd?
  /// Writes what the store remembers of the payload besides its rows; says whether that is anything new.
  private(set) var remember: (@Sendable (SyncTransaction) throws -> Bool)?

  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` for arguments that do not fit the model.
  init<Model: SyncUpdatableModel>(
    container: SyncContainer, bytes: SyncPayloadBytes, path: String?, of model: Model.Type,
    operations: SyncRelationshipOperations, policy: DeletionPolicy? = nil, requiresRows: Bool = false,
    children: [SyncChildPolicy<Model>], parent: ParentScope? = nil, isItem: Bool = false,
    progress: SyncProgress.Handler?
  ) throws {
    self.progress = progress
    self.container = container
    self.bytes = bytes
    self.path = path
    steps = try PathStep.steps(ofCall: path, model: Model.databaseTableName)
    if bytes.isLines, !steps.isEmpty { throw SyncError(.pathIntoLines, model: Model.databaseTableName) }
    self.operations = operations
    self.requiresRows = requiresRows
    self.isItem = isItem
    entry = try container.catalog.entry(for: model)
    let table = entry.table
    let isMarking = table.softDelete != nil
    ownPolicy = policy
    self.policy = isItem ? .none : policy ?? (isMarking ? .softDeleteMissing : .hardDeleteMissing)
    if self.policy == .softDeleteMissing, !isMarking {
      throw SyncError(.cannotMark, model: table.name)
    }
    self.children = try children.map { try $0.resolved(in: table) }
    scope = try parent.map { try $0.resolved(in: table) }
    if let required = table.parentScope, scope?.position != required {
      throw SyncError(
        .needsParent(relationship: table.properties[required].name), model: table.name)
    }
  }

  /// The same call for rows of a union.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` for arguments that do not fit one of its models.
  func ofUnion(_ union: RowUnion) throws -> SyncRequest {
    for entry in union.entries {
      if let scope = entry.table.parentScope {
        throw SyncError(
          .needsParent(relationship: entry.table.properties[scope].name), model: entry.table.name)
      }
      if ownPolicy == .softDeleteMissing, entry.table.softDelete == nil {
        throw SyncError(.cannotMark, model: entry.table.name)
      }
    }
    var request = self
    request.union = union
    return request
  }

  /// The same call for rows of its first model, of which it is told what is wrong with them.
  func asRows() -> SyncRequest {
    var request = self
    request.union = nil
    return request
  }

  /// The same call for the rows of one case of its union.
  func forCase(_ part: PayloadPart, of entry: ModelCatalog.Entry, deletes: Bool, isEmpty: Bool) -> SyncRequest
  {
    let policy =
      ownPolicy ?? (entry.table.softDelete == nil ? .hardDeleteMissing : .softDeleteMissing)
    var request = forPart(part, of: entry, policy: deletes ? policy : .none)
    request.unionKey = union?.cases.key
    request.union = nil
    request.requiresRows = requiresRows && isEmpty
    return request
  }

  /// The same call for a payload of changes.
  func ofChanges(_ keys: SyncChangeKeys) -> SyncRequest {
    var request = self
    request.changeKeys = keys
    return request
  }

  /// The same call for what a server says has changed.
  func forDelta(_ delta: SyncDelta, rows: PayloadPart) -> SyncRequest {
    var request = forPart(rows, of: entry, policy: .none)
    request.delta = delta
    return request
  }

  /// The same call for a part of its payload, whose rows are of a model.
  func forPart(_ part: PayloadPart, of entry: ModelCatalog.Entry, policy: DeletionPolicy) -> SyncRequest {
    var request = self
    let response = bytes.response
    request.part = part
    request.bytes = part.bytes
    request.bytes.response = response
    request.isItem = part.isItem
    (request.path, request.steps) = (nil, [])
    request.policy = policy
    request.entry = entry
    if !part.isMain { (request.children, request.scope) = ([], nil) }
    return request
  }

  /// The same call for one page: what it does not name stays.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` for a page that the call's path leads nowhere in.
  func forPage(
    _ page: SyncPayloadBytes, of pages: PageNotes,
    _ remember: @escaping @Sendable (SyncTransaction) throws -> Bool
  ) throws -> SyncRequest {
    if page.isLines, !steps.isEmpty { throw SyncError(.pathIntoLines, model: entry.table.name) }
    var request = self
    request.bytes = page
    request.policy = .none
    request.pages = pages
    request.remember = remember
    return request
  }

  /// The same call when all pages were read.
  func forEnd(
    _ end: PagesEnd, of pages: PageNotes, _ remember: @escaping @Sendable (SyncTransaction) throws -> Bool
  ) -> SyncRequest {
    var request = self
    request.end = end
    request.pages = pages
    request.remember = remember
    return request
  }

  /// Awaits the call's turn, runs it, and leaves its place, also where the caller's actor is busy.
  func run(in place: SyncQueue.Place) async throws -> SyncReport {
    let cancellation = CancellationFlag()
    var operation = SyncOperation(of: entry.table.name, container.configuration)
    let result: Result<SyncReport, any Error>
    do {
      try await place.turn()
      operation?.begin()
      result = .success(try await container.write(cancellation) { try run(in: $0, cancellation) })
    } catch {
      result = .failure(
        SyncError.ofSync(error, of: entry.table.name, isCancelled: cancellation.isSet))
    }
    let outcome = operation?.end(result)
    place.leave()
    // Told behind its turn, `onSync` may wait for another call.
    if let outcome { container.configuration.onSync?(outcome) }
    return try result.get()
  }

  /// Runs the call, again where the payload contradicts itself in a way that takes more work.
  private func run(in database: Database, _ cancellation: CancellationFlag) throws -> SyncReport {
    let signpost = SyncSignpost(entry.table.name)
    defer { signpost.end() }
    let start = DispatchTime.now().uptimeNanoseconds
    var mode = Run.Mode(
      operations: operations, unseen: pages?.unseen, readsKeysAsIdentities: bytes.isDocument,
      listsRows: container.hub.isListenedTo)
    let reporter = progress.map { ProgressReporter($0, totalBytes: bytes.withUnsafeBytes(\.count)) }
    while true {
      do {
        mode.progress = reporter
        var report = try run(in: database, cancellation, mode)
        reporter?.begin(.finished)
        report.duration = Double(DispatchTime.now().uptimeNanoseconds - start) / 1_000_000_000
        return report
      } catch is ContradictoryLists where !mode.decidesListsAtEnd {
        mode.decidesListsAtEnd = true
      } catch let rows as RowsToMerge where !rows.tables.isSubset(of: mode.mergedTables) {
        mode.mergedTables.formUnion(rows.tables)
      } catch let rows as RowsToSkip {
        mode.skipped = rows
      } catch is PayloadOrderTells where !mode.keepsOrder {
        mode.keepsOrder = true
      }
    }
  }

  private func run(
    in database: Database, _ cancellation: CancellationFlag, _ mode: Run.Mode
  ) throws -> SyncReport {
    var report = SyncReport()
    try database.transaction(.immediate) {
      let run = Run(database, of: container, cancellation, mode: mode)
      defer { run.end() }
      let transaction = SyncTransaction(run)
      do {
        try sync(in: transaction)
      } catch let error
        where run.isReordered && !cancellation.isSet && !(error is RowsToMerge)
        && (error as? DatabaseError)?.isOfStore != true
      {
        // What is wrong first, in the payload's order, is what is told.
        throw PayloadOrderTells()
      } catch let error as JSONError {
        throw SyncError.invalidPayload(model: entry.table.name, reason: error.description)
      }
      mode.progress?.begin(.committing)
      try run.checkCancellation()
      let hasChanges = try transaction.finishCounts()
      report = transaction.report()
      let isResponseNew = try rememberResponse(run)
      let isNoted = try remember?(transaction) ?? false || isResponseNew
      if run.mode.listsRows, hasChanges { try container.hub.adopt(transaction.changes, database) }
      return hasChanges || isNoted || !transaction.hasWritten ? .commit : .rollback
    }
    return report
  }

  /// Writes what the store remembers of the response; says whether that is anything new.
  private func rememberResponse(_ run: Run) throws -> Bool {
    guard let response = bytes.response else { return false }
    let model = entry.table.name
    let marks = StoredMarks(run.database)
    let models = run.order.map(\.table.name)
    let isNew = try marks.set(
      response.validator.map {
        .init(value: $0.stored, models: run.catalog.reading(of: models, in: run.style))
      }, for: .init(kind: .validator, model: model, name: response.name))
    guard let cursor = response.cursor else { return isNew }
    // What was stored before by the same cursor is gone on with.
    let key = StoredMarks.Key(kind: .cursor, model: model, name: response.name)
    let former = try marks.mark(key).flatMap { run.catalog.models(ofReading: $0.models, in: run.style) }
    let reading = run.catalog.reading(of: Set(models).union(former ?? []), in: run.style)
    let isForgotten = try StoredRun(run.database, of: model, response.name).remove()
    return try marks.set(.init(value: cursor, models: reading), for: key) || isForgotten || isNew
  }

  /// Looks at the first rows for keys that no property reads.
  private func lookAtKeys(of feed: borrowing RowFeed, in transaction: SyncTransaction) throws {
    let limit = container.configuration.unreadKeys.rowLimit
    guard limit > 0, entry.table.isGenerated else { return }
    var census = KeyCensus(transaction.run.style)
    var count = 0
    do {
      _ = try feed.forEachElement { tape, _ in
        census.add(tape.value(at: 0), of: entry.table, scope: scope?.position, besides: unionKey)
        count += 1
        return count < limit ? .done : .stop
      }
    } catch is JSONError {
      // What is wrong with the text is said where it is read.
    }
    var found = transaction.unreadKeys ?? SyncUnreadKeys()
    found.add(census.result)
    transaction.unreadKeys = found
  }

  private func sync(in transaction: SyncTransaction) throws {
    if let end { return try end.delete(in: transaction, of: self) }
    try sync(parts(in: transaction.run)[...], [], in: transaction)
  }

  /// The lists of rows that the payload has.
  private func parts(in run: Run) throws -> [SyncRequest] {
    if let changeKeys { return [try reading(changeKeys)] }
    if let union { return try parts(of: union, in: run) }
    return bytes.isDocument ? try partsOfDocument(in: run) : [self]
  }

  /// Syncs the rows of some requests in one go: each slice is read, and then all of them are ended.
  private func sync(
    _ requests: ArraySlice<SyncRequest>, _ slices: [SliceSync], in transaction: SyncTransaction
  ) throws {
    guard let request = requests.first else {
      for slice in slices { try slice.finishReading() }
      return try transaction.settle { for slice in slices { try slice.deleteMissing() } }
    }
    let slice = try SliceSync(of: request, transaction.applier)
    defer { slice.end() }
    try request.bytes.withUnsafeBytes { bytes in
      let feed = try RowFeed(bytes, of: request)
      try request.lookAtKeys(of: feed, in: transaction)
      try slice.consume(feed)
      try sync(requests.dropFirst(), slices + [slice], in: transaction)
      try slice.rememberDeleted(in: feed)
      try slice.countMerged(in: feed)
      guard slices.isEmpty else { return }
      try transaction.links.arrived.resolve()
      try transaction.links.pending.finish()
    }
  }
}
