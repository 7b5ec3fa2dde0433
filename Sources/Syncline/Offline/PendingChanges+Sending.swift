import Foundation
import GRDB

/// Selecting the changes that can be sent now, and recording a request before it is sent.
extension PendingChanges {
  /// The time in seconds after which an unanswered request of another process is sent again.
  private static let patience = 60.0

  /// The changes of one pass over the queue, in order. Each is checked just before it would be sent.
  struct Plan: Sendable {
    fileprivate var rows: [(row: LinkedRow, withheld: Set<LinkedRow>)] = []
    fileprivate var next = 0

    /// Returns to the last change: its row may have been edited since, or the edit reapplied to a newer row of the server.
    mutating func repeatLast() { next = max(0, next - 1) }
  }

  /// - Parameter models: the models whose changes are sent.
  func plan(of models: Set<ModelNumber>) throws -> Plan {
    Plan(rows: try all().filter { models.contains($0.model.entry.number) }.map { ($0.row, $0.withheld) })
  }

  /// The next change of a plan that can be sent now; nil if there is none.
  ///
  /// - Parameters:
  ///   - retried: rejected changes that are sent once more.
  ///   - skipped: changes that are left out.
  func next(
    of plan: inout Plan, at time: Double, retried: Set<LinkedRow> = [], besides skipped: Set<LinkedRow> = []
  ) throws -> Change? {
    while plan.next < plan.rows.count {
      let (row, withheld) = plan.rows[plan.next]
      plan.next += 1
      guard !skipped.contains(row), var change = try change(of: row) else { continue }
      // Once the row is confirmed, its link follows as an edit.
      if change.kind == .insert { change.withheld.formUnion(withheld) }
      if try canBeSent(change, at: time, isRetried: retried.contains(row)) { return change }
    }
    return nil
  }

  /// The changes of a model that can be sent now, with one change per identity: new and edited rows in the order of their first
  /// edit, then deletions in the opposite order.
  ///
  /// The edits are read until the limit is reached. All changes of all models are read only if the limit is not reached and a new
  /// row waits for another one: if new rows reference each other in a cycle, one of them is sent without its link.
  func ready(of model: OfflineModel, limit: Int, at time: Double) throws -> [Change] {
    // Rows of different parents may have one identity: they come one after the other.
    var identities: Set<SyncIdentity> = []
    var ready: [Change] = []
    var isAnyBlocked = false
    func add(_ change: Change) {
      if identities.insert(change.edit.row.identity).inserted { ready.append(change) }
    }
    let store = StoredEdits(database, of: model)
    func search(_ isRowStored: String, _ order: String, for isWanted: (SyncPendingKind) -> Bool) throws {
      // A request without an answer keeps its kind, whatever was done with the row since.
      let clause =
        "WHERE \(isRowStored) OR \"\(Column.sentKind)\" IS NOT NULL ORDER BY \"number\" \(order)"
      _ = try store.contains(clause) { edit in
        guard ready.count < limit else { return true }
        guard let change = try change(edit, in: store), isWanted(change.kind) else { return false }
        if try canBeSent(change, at: time, isRetried: false) {
          add(change)
        } else if change.kind == .insert, !isAnyBlocked {
          isAnyBlocked = try references(change).contains { try self.change(of: $0.row)?.kind == .insert }
        }
        return false
      }
    }
    try search(store.isRowStored, "ASC") { $0 != .delete }
    guard ready.count < limit else { return ready }
    if isAnyBlocked {
      (identities, ready) = ([], [])
      var plan = try plan(of: [model.entry.number])
      while ready.count < limit, let change = try next(of: &plan, at: time) { add(change) }
      return ready
    }
    try search("NOT " + store.isRowStored, "DESC") { $0 == .delete }
    return ready
  }

  /// Whether a change can be sent now. It cannot if it is rejected, set aside or not due yet, or if it references a new row that is
  /// not confirmed.
  private func canBeSent(_ change: Change, at time: Double, isRetried: Bool) throws -> Bool {
    guard change.canBeSent, waitingTime(change, at: time) == nil else { return false }
    if try change.isRejected && !isRetried && !hasNewContent(change) { return false }
    if try isConsequence(change) || hasPendingDependents(change) { return false }
    return try references(change).allSatisfy { target, _ in
      try change.withheld.contains(target) || self.change(of: target)?.kind != .insert
    }
  }

  /// Whether rows that required a deleted row, according to the server, were moved to others and are not confirmed. The server could
  /// delete them, too.
  private func hasPendingDependents(_ change: Change) throws -> Bool {
    guard change.kind == .delete else { return false }
    return try catalog.dependents(on: change.model.entry.number, in: database).contains { store, end in
      try store.edits(ofRowsOf: change.edit.row.identity, at: end).contains { edit in
        guard edit.reason == nil, edit.aside == nil else { return false }
        return try self.change(edit, in: store)?.kind == .update
      }
    }
  }

  /// When a change may be sent, in seconds since 1970; nil if it may be sent now.
  func waitingTime(_ change: Change, at time: Double) -> Double? {
    // If the request was sent in the future, the clock was set back: then do not wait.
    guard let sent = change.edit.sent, change.edit.isUnanswered, sent.time <= time else { return nil }
    let next = max(
      change.edit.nextTry ?? 0, sent.key.hasPrefix(sources.process) ? 0 : sent.time + PendingChanges.patience)
    return next > time ? next : nil
  }

  /// Whether a rejected change has another content now. Values that are not sent do not count: a pull may have changed them.
  private func hasNewContent(_ change: Change) throws -> Bool {
    guard let sent = change.edit.sent, sent.kind == change.kind else { return true }
    guard change.kind != .delete, let values = values(change, without: change.withheld) else { return false }
    do {
      return String(decoding: try body(of: change, values, properties(change)), as: UTF8.self) != sent.body
    } catch let error where error.isOfOneRow {
      // Sending it reports the error.
      return true
    }
  }

  /// Records the request, with a new key, before it is sent. A request that is not answered is kept unchanged.
  func prepare(_ change: Change, at time: Double) throws -> Change {
    var change = change
    let store = StoredEdits(database, of: change.model)
    if change.edit.isUnanswered {
      try store.set(
        [Column.attempts: change.edit.attempts + 1, Column.sentAt: time], of: change.edit)
      change.edit.attempts += 1
      return change
    }
    let properties = properties(change)
    var body = ""
    if let values = values(change, without: change.withheld) {
      if change.kind != .delete {
        body = String(decoding: try self.body(of: change, values, properties), as: UTF8.self)
      }
      try store.set(.sent, values, of: change.edit)
    }
    try store.set(
      [
        Column.sentKind: change.kind.rawValue, Column.pushKey: makeKey(),
        Column.body: body, Column.sentAt: time, Column.reason: nil,
        Column.attempts: change.edit.attempts + 1, Column.nextTry: nil,
        Column.isPulled: false,
        // A new request after a rejection is not the one that the conflicts were about.
        Column.conflicts: change.isRejected ? nil : change.edit.conflicts,
      ], of: change.edit)
    try store.set(forced: Set(properties), of: change.edit)
    return try self.change(of: change.row) ?? change
  }

  /// Records the request of a change, and makes what a closure sends.
  ///
  /// - Returns: nil if the identity does not fit the model; an error if the row cannot be read or written as JSON. Then nothing is
  ///   recorded, and the change stays pending.
  func prepare<Model: SyncUpdatableModel>(
    _ change: Change, of model: Model.Type, at time: Double
  ) throws -> Result<SyncPendingChange<Model>, any Error>? {
    var prepared: SyncPendingChange<Model>?
    do {
      try database.inSavepoint {
        prepared = try SyncPendingChange<Model>(prepare(change, at: time), in: self)
        return .commit
      }
    } catch SyncError.unreadableRow(let model, let reason) {
      return .failure(
        SyncError.unreadableRow(model: model, reason: "\(reason), in the row \(change.edit.row.identity)"))
    } catch let error where error.isOfOneRow {
      return .failure(error)
    }
    return prepared.map { .success($0) }
  }

  /// A key by which a server recognizes a repeated request: a random UUID whose first digits identify the process.
  private func makeKey() -> String { sources.process + sources.uuid().uuidString.dropFirst(8) }
}

extension Error {
  /// Whether it is an error of one row, rather than of the store.
  fileprivate var isOfOneRow: Bool {
    switch self as any Error {
    case SyncError.invalidPayload, SyncError.unreadableRow: true
    case is SyncError, is DatabaseError, is CancellationError: false
    default: true
    }
  }
}
