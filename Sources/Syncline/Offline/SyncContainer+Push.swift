import Foundation
import GRDB

/// Sends local edits to the server.
extension SyncContainer {
  /// The default maximum number of changes in one call of ``withPendingChanges(for:limit:isolation:_:)``.
  public static let pushLimit = 100

  /// Sends pending changes of one model with your closure, and records the outcome of each.
  ///
  /// Before a change is sent, its content and a random key are stored. If there is no outcome, because the closure throws, the
  /// task is cancelled or the program ends, the next call sends the same content with the same key. A batch contains no changes
  /// that refer to new rows without a confirmation. Unlike drains, calls do not wait for each other: two concurrent calls, or a
  /// call during ``drainPendingChanges(retry:clock:isolation:_:)``, may send the same change.
  ///
  /// - Parameters:
  ///   - model: the model, which has `@Offline`.
  ///   - limit: the maximum number of changes that the closure receives.
  ///   - isolation: the actor of the caller.
  ///   - send: a closure that sends the changes, in their order, and returns the outcome of each by the identity of its row. Changes
  ///     without an outcome are sent again later. Changes whose rows cannot be read are not among them: they stay pending, and their
  ///     errors are added to ``SyncPushReport/errors``.
  /// - Returns: the outcomes of the changes.
  /// - Throws: the closure's error, ``SyncError``, or the database's error.
  @discardableResult
  public func withPendingChanges<Model: SyncUpdatableModel>(
    for model: Model.Type, limit: Int = SyncContainer.pushLimit,
    isolation: isolated (any Actor)? = #isolation,
    _ send: ([SyncPendingChange<Model>]) async throws -> [Model.SyncID: SyncPushOutcome<Model>]
  ) async throws -> SyncPushReport {
    let offline = try offlineModel(model)
    let now = configuration.sources.now.timeIntervalSince1970
    let prepared = try await writeChanges { changes in
      try changes.ready(of: offline, limit: limit, at: now).compactMap {
        try changes.prepare($0, of: model, at: now)
      }
    }
    var report = SyncPushReport()
    var sent: [SyncPendingChange<Model>] = []
    for change in prepared {
      switch change {
      case .success(let change): sent.append(change)
      case .failure(let error): report.errors.append(error)
      }
    }
    guard !sent.isEmpty else { return report }
    let outcomes = try await send(sent)
    let answered = configuration.sources.now.timeIntervalSince1970
    for change in sent {
      guard let outcome = outcomes[change.id] else { continue }
      report.sent += 1
      try await record(outcome, of: change, at: answered, in: &report)
    }
    return report
  }

  /// Records an answer. The row in it is synced like an item.
  ///
  /// - Parameter time: when it arrived, in seconds since 1970.
  /// - Returns: what a round of pushes does next.
  @discardableResult
  func record<Model: SyncUpdatableModel>(
    _ outcome: SyncPushOutcome<Model>, of change: SyncPendingChange<Model>, at time: Double,
    in report: inout SyncPushReport
  ) async throws -> PushAnswer {
    let model = try offlineModel(Model.self)
    let row = change.rowKey
    let key = change.key
    switch outcome {
    case .confirmedWith, .confirmedAs, .conflict:
      // If another push of the same request was answered, the row in this answer may be old.
      let isOpen = try await readChanges { try $0.edit(row, model, key) != nil }
      guard isOpen else { return .answered }
    case .confirmed, .rejected, .retry, .pause: break
    }
    func reject(_ reason: String) async throws {
      report.rejected += 1
      try await writeChanges { try $0.reject(row, model, key: key, reason) }
    }
    /// Notes why a row cannot be synced; errors of the store are thrown.
    func reason(of error: any Error) throws -> String {
      guard let reason = SyncContainer.unreadable(error) else { throw error }
      report.problems.append("\(model.table.name): \(reason)")
      return reason
    }
    func confirm(_ identity: SyncIdentity?, with payload: Data?) async throws -> PushAnswer {
      // Without the server's identity, payloads of the server could never match the row.
      if identity == nil, change.kind == .insert, model.table.isIdentityMadeByServer {
        try await reject(PendingChanges.noIdentity)
        return .unusable
      }
      report.confirmed += 1
      let isInsert = change.kind == .insert
      let answered = RowKey(identity: identity ?? row.identity, parent: row.parent)
      let confirm: @Sendable (PendingChanges) throws -> Bool? = { changes in
        if let identity { try changes.rename(row, model, key: key, to: identity) }
        return try changes.confirm(answered, model, key: key)
      }
      if change.kind != .delete, let payload {
        do {
          report.synced.add(
            try await sync(answer: payload, of: Model.self, answered, isInsert: isInsert, after: confirm))
          return .answered
        } catch {
          // A response whose row cannot be read counts as one without a row, since the request must not be sent again.
          _ = try reason(of: error)
        }
      }
      do {
        if isInsert, try await readChanges({ try $0.isAwaited(answered.identity, of: model) }) {
          report.synced.add(
            try await sync(answer: nil, of: Model.self, answered, isInsert: true, after: confirm))
        } else {
          _ = try await writeChanges(confirm)
        }
      } catch {
        // Another row may have a required value that must be unique. The queue must not stop there.
        let reason = try reason(of: error)
        report.confirmed -= 1
        try await reject(reason)
        return .unusable
      }
      return .answered
    }
    switch outcome {
    case .confirmed: return try await confirm(nil, with: nil)
    case .confirmedWith(let payload):
      let identity = change.kind == .insert ? try self.identity(ofItem: payload, in: model.table) : nil
      return try await confirm(identity, with: payload)
    case .confirmedAs(let id, let payload): return try await confirm(id.syncIdentity, with: payload)
    case .conflict(let payload):
      // Some servers answer a conflict with a description of the error.
      guard try isRow(payload, of: model.table) else {
        try await reject(SyncPushOutcome<Model>.message(of: payload))
        return .rejected
      }
      guard change.conflicts + 1 < SyncContainer.conflictLimit else {
        try await reject("the server answered with a conflict \(change.conflicts + 1) times")
        return .unusable
      }
      do {
        let isTemporary = change.kind == .insert && model.table.isIdentityMadeByServer
        let identity = isTemporary ? try self.identity(ofItem: payload, in: model.table) : nil
        if isTemporary, identity == nil {
          try await reject(PendingChanges.noIdentity)
          return .unusable
        }
        let answered = RowKey(identity: identity ?? row.identity, parent: row.parent)
        report.synced.add(
          try await sync(answer: payload, of: Model.self, answered) {
            try $0.forgetSent(row, model, key: key, renamedTo: identity)
            return true
          })
        report.conflicts += 1
        return .answered
      } catch {
        try await reject(reason(of: error))
        return .unusable
      }
    case .rejected(let reason):
      try await reject(reason)
      return .rejected
    case .retry(let delay), .pause(let delay):
      report.unanswered += 1
      let time = time + (delay?.seconds ?? 0)
      try await writeChanges { try $0.postpone(row, model, key: key, until: time) }
      if case .pause = outcome { return .pause(delay) }
      return .later(delay)
    }
  }

  private static let conflictLimit = 3

  /// Why the row of an answer cannot be synced; nil for errors of the store.
  private static func unreadable(_ error: any Error) -> String? {
    switch error {
    case SyncError.invalidPayload(_, let reason), SyncError.unreadableRow(_, let reason): reason
    case let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT: error.description
    default: nil
    }
  }

  /// Syncs the row of an answer, in the transaction that records the answer.
  ///
  /// - Parameters:
  ///   - payload: the row; nil if the answer has none.
  ///   - isInsert: whether the push inserted the row on the server. Then pending links to it are made.
  private func sync<Model: SyncUpdatableModel>(
    answer payload: Data?, of model: Model.Type, _ row: RowKey, isInsert: Bool = false,
    after record: @escaping @Sendable (PendingChanges) throws -> Bool?
  ) async throws -> SyncReport {
    try await enqueue(isolation: nil) {
      let entry = try catalog.entry(for: model)
      let table = entry.table
      let parent = row.parent.flatMap { parent in
        table.parentScope.map { ParentScope(relationship: table.properties[$0].name, identity: parent) }
      }
      var arguments = try CallArguments(
        CallContext(container: self, isLines: false, operations: .all), at: nil, of: model,
        policy: DeletionPolicy.none, parent: parent)
      if table.isComposite, payload != nil { arguments.givenIdentity = row.identity }
      // An answer without a row is synced as an empty list, which changes no row.
      let text = try payload.map { try self.payload($0, of: row, in: table) } ?? Data("[]".utf8)
      return SyncCall(
        parts: [CallPart(arguments: arguments, kind: payload == nil ? .list : .item)],
        bytes: SyncPayloadBytes(text),
        prepare: { [self] in try record(changes(in: $0)) },
        inserted: isInsert ? LinkedRow(entry.number, row) : nil)
    }
  }

  /// Whether an answer is a row: an object that has an identity, or only keys of the model. The description of an error may have
  /// some keys of the model, too, such as `title` and `status`. If the answer is not an object, its sync throws an error.
  private func isRow(_ payload: Data, of table: SyncTable) throws -> Bool {
    do {
      guard case .object(let object) = try SyncJSON(parsing: payload) else { return true }
      let names = Set(table.keyTable(configuration.ofCall(about: table).style).names)
      let known = object.count(where: { names.contains(Array($0.key.utf8)) })
      guard known > 0, known < object.count else { return known > 0 }
      return try identity(ofItem: payload, in: table) != nil
    } catch is SyncError {
      return true
    }
  }

  /// An answer with the identity of its row, which servers may leave out. A composite identity is passed to the sync instead.
  private func payload(_ payload: Data, of row: RowKey, in table: SyncTable) throws -> Data {
    guard !table.isComposite, try identity(ofItem: payload, in: table) == nil,
      let key = table.exportKey(of: table.identity, in: configuration.ofCall(about: table).style),
      case .object(var object) = try SyncJSON(parsing: payload)
    else { return payload }
    object.merge(table.identityReader.json(row.identity), at: key)
    return try SyncJSON.object(object).data()
  }
}

/// The outcomes of the changes that a push has sent.
public struct SyncPushReport: Sendable {
  /// The number of outcomes that the closures returned, including `.retry` and `.pause`. A change that is sent twice counts twice.
  public internal(set) var sent = 0
  /// The number of changes that the server has confirmed.
  public internal(set) var confirmed = 0
  /// The number of rejections by the server. A change that a drain sends once more, and that is rejected again,
  /// counts twice.
  public internal(set) var rejected = 0
  /// The number of conflicts: changes that were reapplied to a newer row of the server, and are sent again.
  public internal(set) var conflicts = 0
  /// The number of sends without a response: the closure threw, or returned `.retry` or `.pause`.
  public internal(set) var unanswered = 0
  /// The errors that the sending closures threw, and those of changes whose rows cannot be read: mostly
  /// ``SyncError/unreadableRow(model:reason:)``. ``SyncContainer/drainPendingChanges(retry:clock:isolation:_:)`` does not throw them.
  public internal(set) var errors: [any Error] = []
  /// Descriptions of responses that could not be read.
  public internal(set) var problems: [String] = []
  /// The report of the sync of the rows in the responses.
  public internal(set) var synced = SyncReport()
}

extension Duration {
  /// The duration in seconds.
  var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
