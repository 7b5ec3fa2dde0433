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
  /// Whether rows were left alone of which the payload said something new. It has to be asked for again, so its cursor and its
  /// validator are not stored.
  private(set) var hasPassedOver = false

  private init(_ call: SyncCall, _ run: Run) {
    self.call = call
    self.run = run
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
      operations: call.arguments.operations, unseen: call.kind.notes?.unseen,
      readsKeysAsIdentities: call.bytes.isDocument)
    mode.progress = call.arguments.progress.map {
      ProgressReporter($0, totalBytes: call.bytes.withUnsafeBytes(\.count))
    }
    while true {
      do {
        mode.listsRows = call.container.hub.isListenedTo
        var report = try run(call, in: database, cancellation, mode)
        mode.progress?.begin(.finished)
        report.duration = Double(DispatchTime.now().uptimeNanoseconds - start) / 1_000_000_000
        return report
      } catch let restart as Restart {
        try mode.begin(restart)
      }
    }
  }

  private static func run(
    _ call: SyncCall, in database: Database, _ cancellation: CancellationFlag, _ mode: Run.Mode
  ) throws -> SyncReport {
    var report = SyncReport()
    let slice = try call.sliceName()
    let moments = StoredMoments(database)
    try database.transaction(.immediate) {
      let moment = call.arguments.requestedAt
      if let moment, let slice, try moments.isLate(moment, slice: slice, of: call.table.name) {
        return .rollback
      }
      let run = Run(database, of: call.container, cancellation, mode: mode)
      defer { run.end() }
      let transaction = SyncTransaction(call, run)
      let edits = EditsDuringSync(run)
      try edits?.begin(call)
      if let moment { try edits?.leaveAlone(rowsAnsweredAfter: moment) }
      do {
        try edits?.prepare(for: call.bytes.withUnsafeBytes(\.count))
        defer { edits?.switchOn() }
        try transaction.apply()
      } catch let error
        where run.isReordered && !cancellation.isSet && !(error is Restart)
        && (error as? DatabaseError)?.isOfStore != true
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
      transaction.hasPassedOver = edits?.hasPassedOver ?? false
      report = transaction.report()
      let isResponseNew = try transaction.remember(call.bytes.response)
      let isNoted = try call.remember?(transaction) ?? false || isResponseNew
      if let moment, let slice { try moments.note(moment, slice: slice, of: call.table.name) }
      // With edits, the rows differ in other ways than the journal says: they are compared.
      if mode.listsRows, hasChanges, edits?.isEmpty ?? true {
        try call.container.hub.adopt(transaction.changes, database)
      }
      let isDone = hasChanges || isNoted || call.prepare != nil || (moment != nil && slice != nil)
      return isDone || (!transaction.hasWritten && edits == nil) ? .commit : .rollback
    }
    return report
  }

  /// Applies the payload: reads each of its lists, then finishes all of them.
  private func apply() throws {
    if case .end(let end, let notes) = call.kind { return try delete(end, notes) }
    try call.bytes.withUnsafeBytes { bytes in
      let text = PayloadText(bytes, isLines: call.bytes.isLines)
      var slices: [SliceSync] = []
      defer { for slice in slices.reversed() { slice.end() } }
      for part in try call.kind.slices(of: call.arguments.slice(of: text, call.kind), in: run) {
        let slice = try SliceSync(of: part, applier)
        slices.append(slice)
        if let keys = try slice.unreadKeys() { add(keys) }
        try slice.readRows()
      }
      for slice in slices { try slice.finishReading() }
      try settle(slices)
      for slice in slices.reversed() {
        try slice.countMerged()
      }
      if slices.isEmpty { return }
      try finishPending()
      if let length = slices.lazy.compactMap(\.listLength).first { call.kind.notes?.lastRowCount = length }
    }
  }

  private func add(_ keys: SyncUnreadKeys) {
    var found = unreadKeys ?? SyncUnreadKeys()
    found.add(keys)
    unreadKeys = found
  }

  /// Stores the links that are still pending.
  func finishPending() throws {
    try links.arrived.resolve()
    try links.pending.finish()
  }
}
