import Foundation
import GRDB

/// Sends local edits to the server.
extension SyncContainer {
  /// The most changes of one call of ``withPendingChanges(for:limit:isolation:_:)``, unless it says otherwise.
  public static let pushLimit = 100

  /// Sends changes of one model, and records what became of each.
  ///
  /// What is sent is written first, each change with a random key. A change that is not answered, since the closure throws, the
  /// task is cancelled or the program ends, is sent again as it was, with the same key. Changes of one batch do not refer to new
  /// rows that are not confirmed.
  ///
  /// - Parameters:
  ///   - model: the model, which has `@Offline`.
  ///   - limit: the most changes of one call.
  ///   - isolation: the actor of the caller.
  ///   - send: sends the changes, in their order, and returns what became of each, by the identity of its row. Changes that are left
  ///     out are not answered.
  /// - Returns: what became of the changes.
  /// - Throws: the closure's error, ``SyncError``, or the database's error.
  @discardableResult
  public func withPendingChanges<Model: SyncUpdatableModel>(
    for model: Model.Type, limit: Int = SyncContainer.pushLimit,
    isolation: isolated (any Actor)? = #isolation,
    _ send: ([SyncPendingChange<Model>]) async throws -> [Model.SyncID: SyncPushOutcome<Model>]
  ) async throws -> SyncPushReport {
    let number = try offlineModel(model).entry.number
    let now = Date().timeIntervalSince1970
    let sent = try await writeChanges { changes in
      // Rows of different parents may have one identity: they come one after the other.
      var identities: Set<SyncIdentity> = []
      let ready = try changes.sendable(at: now)
        .filter { $0.model.entry.number == number && identities.insert($0.edit.row.identity).inserted }
        .prefix(limit)
      return try ready.compactMap { try SyncPendingChange<Model>(changes.prepare($0, at: now), in: changes) }
    }
    guard !sent.isEmpty else { return SyncPushReport() }
    let outcomes = try await send(sent)
    var report = SyncPushReport()
    for change in sent {
      guard let outcome = outcomes[change.id] else { continue }
      report.sent += 1
      try await record(outcome, of: change, at: now, in: &report)
    }
    return report
  }

  /// Records an answer. The row in it is synced like an item.
  ///
  /// - Parameter time: when it was sent, in seconds since 1970.
  func record<Model: SyncUpdatableModel>(
    _ outcome: SyncPushOutcome<Model>, of change: SyncPendingChange<Model>, at time: Double,
    in report: inout SyncPushReport
  ) async throws {
    let model = try offlineModel(Model.self)
    let row = change.rowKey
    let key = change.key
    func confirm(_ identity: SyncIdentity?, with payload: Data?) async throws {
      report.confirmed += 1
      let isPayloadRead = change.kind != .delete && payload != nil
      let confirm: @Sendable (PendingChanges) throws -> Void = { changes in
        let answers = PushAnswers(changes)
        var row = row
        if let identity {
          try answers.rename(row, model, key: key, to: identity)
          row = RowKey(identity: identity, parent: row.parent)
        }
        try answers.confirm(row, model, key: key)
      }
      if isPayloadRead, let payload {
        do {
          report.synced.add(try await sync(answer: payload, of: Model.self, after: confirm))
          return
        } catch SyncError.invalidPayload(let name, let reason) {
          // An answer that cannot be read is an answer without a row: it must not be sent again.
          report.problems.append("\(name): \(reason)")
        }
      }
      try await writeChanges(confirm)
    }
    switch outcome {
    case .confirmed: try await confirm(nil, with: nil)
    case .confirmedWith(let payload):
      let identity = change.kind == .insert ? try identity(in: payload, of: Model.self) : nil
      try await confirm(identity, with: payload)
    case .confirmedAs(let id, let payload): try await confirm(id.syncIdentity, with: payload)
    case .conflict(let payload):
      guard change.attempts < SyncContainer.conflictLimit else {
        report.rejected += 1
        return try await writeChanges { changes in
          try PushAnswers(changes).reject(
            row, model, key: key, "the server has changed the row again and again")
        }
      }
      do {
        report.synced.add(
          try await sync(answer: payload, of: Model.self) { changes in
            _ = try PushAnswers(changes).forgetSent(row, model, key: key)
          })
        report.conflicts += 1
      } catch SyncError.invalidPayload(let name, let reason) {
        report.problems.append("\(name): \(reason)")
        report.rejected += 1
        try await writeChanges { changes in try PushAnswers(changes).reject(row, model, key: key, reason) }
      }
    case .rejected(let reason):
      report.rejected += 1
      try await writeChanges { changes in try PushAnswers(changes).reject(row, model, key: key, reason) }
    case .retry(let delay), .pause(let delay):
      report.unanswered += 1
      let time = time + (delay?.seconds ?? 0)
      try await writeChanges { changes in try PushAnswers(changes).postpone(row, model, key: key, until: time)
      }
    }
  }

  private static let conflictLimit = 3

  /// Syncs the row of an answer, in the transaction that records the answer.
  private func sync<Model: SyncUpdatableModel>(
    answer payload: Data, of model: Model.Type,
    after record: @escaping @Sendable (PendingChanges) throws -> Void
  ) async throws -> SyncReport {
    try await enqueue(isolation: nil) {
      let arguments = try CallArguments(
        self, at: nil, of: model, isLines: false, operations: .all, policy: nil, requiresRows: false,
        children: [],
        parent: nil, progress: nil)
      return SyncCall(
        arguments, SyncPayloadBytes(payload), .item,
        prepare: { [catalog, configuration] database in
          try record(PendingChanges(database: database, catalog: catalog, configuration: configuration))
        })
    }
  }

  /// The identity that an answer has for its row; nil if it has none, or is no object.
  private func identity<Model: SyncUpdatableModel>(in payload: Data, of model: Model.Type) throws
    -> SyncIdentity?
  {
    do {
      let table = try catalog.entry(for: model).table
      let object = try SyncPayload(SyncJSON(parsing: payload), keyStyle: configuration.keyStyle).object
      return object.identity(of: object.value, in: table)
    } catch is JSONError {
      return nil
    } catch SyncError.invalidPayload {
      return nil
    }
  }
}

/// What became of the changes of a push.
public struct SyncPushReport: Sendable {
  /// Changes that were answered.
  public internal(set) var sent = 0
  /// Changes that the server has now.
  public internal(set) var confirmed = 0
  /// Changes that it rejected.
  public internal(set) var rejected = 0
  /// Changes that were put on a newer row of the server, and are sent again.
  public internal(set) var conflicts = 0
  /// Changes that are sent again as they were.
  public internal(set) var unanswered = 0
  /// What was thrown where changes were sent.
  public internal(set) var errors: [any Error] = []
  /// Answers that could not be read.
  public internal(set) var problems: [String] = []
  /// What the rows in the answers changed.
  public internal(set) var synced = SyncReport()
}

extension Duration {
  /// The duration in seconds.
  var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
