import Dispatch
import GRDB

/// One transaction of a call. It reads the payload, applies it, and does the work that needs all of it.
final class SyncTransaction {
  let run: Run
  let links: PayloadLinks
  let applier: RowApplier
  let call: SyncCall
  /// Keys that no property reads; nil if the container does not look for them.
  private(set) var unreadKeys: SyncUnreadKeys?
  /// The parts of a body that are left out.
  private let late: Set<Int>
  /// The parts of a body that were read; nil for all parts of the call.
  private var readParts: Set<Int>?
  /// Whether the payload had new values for rows that were kept unchanged. It has to be requested again, so its cursor and
  /// validator are not stored.
  private(set) var hasSkippedValues = false

  private init(_ call: SyncCall, _ run: Run, besides late: Set<Int>) {
    self.call = call
    self.run = run
    self.late = late
    links = PayloadLinks(run)
    applier = RowApplier(run, links)
  }

  /// Runs a call. Restarts it in another mode if statements of the payload conflict in a way that needs it.
  static func run(
    _ call: SyncCall, in database: Database, _ cancellation: CancellationFlag
  ) throws -> SyncReport {
    let signpost = SyncSignpost(call.table.name)
    defer { signpost.end() }
    let start = DispatchTime.now().uptimeNanoseconds
    var mode = Run.Mode(
      operations: call.arguments.context.operations, unseen: call.kind.notes?.unseen,
      isDocument: call.bytes.isDocument)
    mode.progress = call.arguments.context.progress.map {
      ProgressReporter($0, totalBytes: call.bytes.withUnsafeBytes(\.count))
    }
    let moment = try PayloadMoment(of: call, database)
    while true {
      do {
        mode.listsRows = call.container.hub.isListenedTo
        var report = try run(call, in: database, cancellation, mode, requestedAt: moment)
        mode.progress?.begin(.finished)
        report.duration = Double(DispatchTime.now().uptimeNanoseconds - start) / 1_000_000_000
        return report
      } catch let restart as Restart {
        try mode.begin(restart)
      } catch let error as DatabaseError {
        guard mode.deferUniqueValues(after: error, in: call.container.catalog) else { throw error }
      }
    }
  }

  private static func run(
    _ call: SyncCall, in database: Database, _ cancellation: CancellationFlag, _ mode: Run.Mode,
    requestedAt moment: PayloadMoment?
  ) throws -> SyncReport {
    var report = SyncReport()
    try database.transaction(.immediate) {
      let late = try moment?.late() ?? []
      if late.count == call.parts.count { return .rollback }
      let run = Run(database, of: call.container, cancellation, about: call.table, mode: mode)
      if !run.catalog.lookups.isEmpty { run.lookups = RowLookups(run) }
      defer { run.end() }
      let transaction = SyncTransaction(call, run, besides: late)
      let edits = EditsDuringSync(run, in: call.container.store)
      try edits?.begin(
        call.prepare, namedBy: mode.resetsAllEdits ? nil : NamedIdentities(of: call, database))
      if let moment { try edits?.leaveAlone(rowsAnsweredAfter: moment.moment) }
      // Rows with edits are reset first, since this uses the indexes of unique values.
      if !run.mode.deferredTables.isEmpty { run.uniqueValues = try UniqueValues(run) }
      do {
        if let edits {
          try edits.withTriggersOff(for: call.bytes.withUnsafeBytes(\.count), transaction.apply)
        } else {
          try transaction.apply()
        }
      } catch let error
        where run.isReordered && !cancellation.isSet && !(error is Restart)
        && (error as? DatabaseError)?.isOfStore != true
        && (error as? DatabaseError)?.isUniqueConflict != true
      {
        // Report the error that is first in the payload: read it again in order.
        throw Restart.inOrder
      } catch let error as JSONError {
        throw SyncError.invalidPayload(model: call.table.name, reason: error.description)
      }
      mode.progress?.begin(.committing)
      try run.checkCancellation()
      let hasChanges = try transaction.finishCounts()
      try edits?.end()
      // A later payload may have been synced up to another cursor.
      transaction.hasSkippedValues =
        edits?.hasSkippedValues ?? false || run.lacksAnsweredRows || !late.isEmpty
      report = transaction.report()
      let isResponseNew = try transaction.remember(call.bytes.response)
      let isNoted = try call.remember?(transaction) ?? false || isResponseNew
      let isMomentNoted = try moment?.note(transaction.readParts) ?? false
      // With edits, or after an answer to a push, the journal differs from what the transaction changes, so observers compare the
      // rows instead.
      if mode.listsRows, hasChanges, edits?.isEmpty ?? true, call.prepare == nil {
        try call.container.hub.adopt(transaction.changes, database)
      }
      let isDone =
        hasChanges || isNoted || call.prepare != nil || isMomentNoted || edits?.hasChangedStates == true
      return isDone || (!transaction.hasWritten && edits == nil) ? .commit : .rollback
    }
    return report
  }

  /// Applies the payload: reads each of its lists, then finishes all of them.
  private func apply() throws {
    if case .end(let end, let notes) = call.kind { return try delete(end, notes) }
    if run.isPayloadOutdated { return }
    try call.bytes.withUnsafeBytes { bytes in
      let text = PayloadText(bytes, isLines: call.bytes.isLines)
      var slices: [SliceSync] = []
      defer { for slice in slices.reversed() { slice.end() } }
      let parts = try payloadSlices(of: text)
      let lists = modelLists(of: parts)
      run.readsByModel = parts.count > 1 && parts.contains { $0.part != nil }
      for part in parts {
        slices.append(
          try SliceSync(of: part, number: slices.count, lists: lists[part.entry.number], applier))
      }
      run.deletedRows = try DeletionFinder.deletedRows(in: slices, of: run)
      try read(slices, lists)
      try settle(slices)
      // Restarts if a key was resolved to another row than the one that has the value now.
      try run.lookups?.check(isEnd: true)
      try run.uniqueValues?.check()
      let differing = applier.differing
      if !differing.isEmpty {
        for slice in slices { try slice.forEachAppliedObject(differing.settings) { try differing.count($0) } }
      }
      unreadKeys?.merged += differing.merged
      if slices.isEmpty { return }
      try finishPending()
      if let length = slices.lazy.compactMap(\.listLength).first { call.kind.notes?.lastRowCount = length }
    }
  }

  private func payloadSlices(of text: PayloadText) throws -> [PayloadSlice] {
    guard call.isBody else {
      return try call.kind.slices(of: call.arguments.slice(of: text, call.kind), in: run)
    }
    let slices = try bodySlices(of: text)
    readParts = Set(slices.map(\.callPart))
    return slices
  }

  /// The slices of the parts that a body has, in the order of the text. A part that is absent or null has none.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` for a body with none of the parts.
  private func bodySlices(of text: PayloadText) throws -> [PayloadSlice] {
    let places = try PayloadPlaces(of: call.parts.map(\.arguments.path.steps), in: text.bytes).places
    var slices: [PayloadSlice] = []
    var isAny = false
    for (index, part) in call.parts.enumerated() {
      switch places[index] {
      case .absent, .null: continue
      case .value(let offset, _) where text.bytes[offset] == UInt8(ascii: "n"): continue
      case .unreadable:
        throw SyncError(
          .noList(found: RowProblem.noObjectOnPath, path: part.arguments.path.text),
          model: part.table.name)
      case .value(let offset, let depth):
        isAny = true
        if late.contains(index) { continue }
        var whole = part.arguments.slice(of: text, part.kind)
        whole.start = (offset, depth)
        whole.callPart = index
        slices += try part.kind.slices(of: whole, in: run)
      }
    }
    guard isAny else {
      throw SyncError(
        .noParts(
          keys: call.parts.map(\.arguments.path.text),
          found: try JSONDocument.read(text.bytes, PayloadShape.init)),
        model: call.table.name)
    }
    // Rows of a part that is left out may be missing from the others.
    if !late.isEmpty {
      run.keepsMissing = true
      for index in slices.indices { slices[index].policy = .none }
    }
    return slices.sorted { $0.start?.offset ?? 0 < $1.start?.offset ?? 0 }
  }

  /// The lists of the models that have several slices in a body, or rows that are listed as deleted.
  private func modelLists(of slices: [PayloadSlice]) -> [ModelNumber: ModelLists] {
    Dictionary(grouping: slices, by: \.entry.number)
      .filter { (call.isBody && $0.value.count > 1) || $0.value.contains { $0.gone != nil } }
      .mapValues { _ in ModelLists() }
  }

  private func read(_ slices: [SliceSync], _ lists: [ModelNumber: ModelLists]) throws {
    run.mode.progress?.beginReading()
    for slice in slices {
      unreadKeys.add(try slice.unreadKeys())
      try slice.prepare()
    }
    let gone = lists.filter { $0.value.hasRowsListedAsDeleted }
    if slices.count > 1, !gone.isEmpty {
      for slice in slices { try slice.keepNestedRows(of: gone) }
    }
    for (model, lists) in gone {
      run.rows(model).listsOfDeletedRows = lists
      run.deletedRows?.skipIgnored(of: run.rows(model).table, model, where: lists.isDeletedPermanently)
    }
    if let lookups = run.lookups, !run.mode.foundRows.isEmpty {
      for slice in slices { try slice.noteValues(in: lookups) }
    }
    if let repeated = applier.repeated {
      for slice in slices { try slice.forEachAppliedObject { try repeated.count(in: $0, of: run) } }
      for slice in slices { try slice.forEachAppliedObject { try repeated.collect(from: $0, of: run) } }
    }
    for slice in slices { try slice.readRows() }
    for slice in slices { try slice.finishReading() }
  }

  /// Stores the links that are still pending.
  func finishPending() throws {
    try links.resolveArrived()
    try links.pending.finish()
    try links.linkFound(call.inserted)
  }
}
