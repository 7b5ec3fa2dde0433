import Dispatch
import GRDB

/// One part of a payload that a call reads: a list, an item or changes, and the arguments for it.
struct CallPart: Sendable {
  let arguments: CallArguments
  let kind: PayloadKind

  var table: SyncTable { arguments.entry.table }
  /// The models that its rows may have, without those of nested rows. A document may include rows of any model.
  var models: [ModelCatalog.Entry] {
    switch kind {
    case .union(let union, _): union.entries
    case .document: arguments.context.container.catalog.entries
    default: [arguments.entry]
    }
  }
  /// The name of the model or the union.
  var name: String { if case .union(let union, _) = kind { union.cases.name } else { table.name } }
}

/// One call of `sync`, or one page of a call, in the store's queue.
struct SyncCall: Sendable {
  /// The parts that the call reads: one, or for a body all parts that the call lists.
  let parts: [CallPart]
  /// Whether the payload is a body with parts that may be absent.
  var isBody = false
  let bytes: SyncPayloadBytes
  /// Writes the state that is stored along with the rows, such as a cursor. Returns whether it changed.
  var remember: (@Sendable (SyncTransaction) throws -> Bool)?
  /// Runs in the transaction before the payload is read; nil if there is nothing to do. Returns nil if the payload must not be
  /// applied, or else whether its values are also newer than stored ones with the same stamp.
  var prepare: (@Sendable (Database) throws -> Bool?)?
  /// The row that the server has inserted, if the call is the answer to its push.
  var inserted: LinkedRow?

  var arguments: CallArguments { parts[0].arguments }
  var kind: PayloadKind { parts[0].kind }
  var container: SyncContainer { arguments.context.container }
  var table: SyncTable { parts[0].table }
  private var name: String { parts[0].name }
}

extension SyncCall {
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` for arguments that do not fit the model.
  init<Model: SyncUpdatableModel>(
    _ container: SyncContainer, _ bytes: SyncPayloadBytes, at path: String?, of model: Model.Type,
    _ kind: PayloadKind = .list, operations: SyncRelationshipOperations, policy: DeletionPolicy? = nil,
    requiresRows: Bool = false, within condition: SQLExpression? = nil,
    children: [SyncChildPolicy<Model>] = [], parent: ParentScope? = nil,
    progress: SyncProgress.Handler? = nil, requestedAt: SyncMoment? = nil
  ) throws {
    let arguments = try CallArguments(
      CallContext(
        container: container, isLines: bytes.isLines, operations: operations, progress: progress,
        requestedAt: requestedAt),
      at: path, of: model, policy: policy, requiresRows: requiresRows, within: condition,
      children: children, parent: parent)
    self.init(parts: [CallPart(arguments: arguments, kind: kind.read(from: bytes))], bytes: bytes)
  }

  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` if there are no parts, or the payload is not one JSON value.
  init(bodyOf parts: [CallPart], _ bytes: SyncPayloadBytes) throws {
    guard let first = parts.first else { throw SyncError(.noListNamed, model: "") }
    if bytes.isLines { throw SyncError(.pathIntoLines, model: first.table.name) }
    if bytes.isDocument { throw SyncError(.documentOfLists, model: first.table.name) }
    self.init(parts: parts, isBody: true, bytes: bytes)
  }

  /// Waits for the call's turn, runs it, and leaves the queue, even if the caller's actor is busy.
  func run(in place: SyncQueue.Ticket) async throws -> SyncReport {
    let configuration = container.configuration
    let cancellation = CancellationFlag()
    let called = DispatchTime.now().uptimeNanoseconds
    var began: UInt64?
    let result: Result<SyncReport, any Error>
    do {
      try await place.turn()
      began = DispatchTime.now().uptimeNanoseconds
      let report = try await container.write(cancellation) {
        try SyncTransaction.run(self, in: $0, cancellation)
      }
      result = .success(report)
    } catch {
      result = .failure(SyncError.ofSync(error, of: name, isCancelled: cancellation.isSet))
    }
    let ended = DispatchTime.now().uptimeNanoseconds
    let turn = began ?? ended
    let outcome = SyncOutcome(
      model: name, result: result, waiting: Double(turn - called) / 1e9, duration: Double(ended - turn) / 1e9)
    configuration.logger?.log(outcome)
    place.leave()
    container.store.checkLog(configuration)
    // Called after the turn, so `onSync` may wait for another sync.
    configuration.onSync?(outcome)
    return try result.get()
  }
}
