import Foundation
import GRDB

/// One call of `sync`: its arguments, and its run inside a transaction.
struct SyncCall<Model: SyncUpdatableModel>: Sendable {
  let container: SyncContainer
  let bytes: SyncPayloadBytes
  let path: String?
  let operations: SyncRelationshipOperations
  let policy: DeletionPolicy
  let requiresRows: Bool
  let isItem: Bool
  private let table: SyncTable
  private let children: [ChildPolicy]
  private let scope: PayloadObject.Scope?

  init(
    container: SyncContainer, bytes: SyncPayloadBytes, path: String?, operations: SyncRelationshipOperations,
    policy: DeletionPolicy? = nil, requiresRows: Bool = false, children: [SyncChildPolicy<Model>],
    parent: ParentScope? = nil, isItem: Bool = false
  ) throws {
    self.container = container
    self.bytes = bytes
    self.path = path
    self.operations = operations
    self.requiresRows = requiresRows
    self.isItem = isItem
    table = try container.catalog.entry(for: Model.self).table
    let isMarking = table.softDelete != nil
    self.policy = isItem ? .none : policy ?? (isMarking ? .softDeleteMissing : .hardDeleteMissing)
    if self.policy == .softDeleteMissing, !isMarking {
      throw SyncError.invalidPayload(
        model: table.name, reason: "rows cannot be marked as deleted: the model has no @SoftDelete")
    }
    let table = self.table
    self.children = try children.map { try $0.resolved(in: table) }
    scope = try parent.map { parent in
      guard let name = parent.relationship, let position = table.position(of: name),
        table.properties[position].isStored
      else {
        throw SyncError.invalidPayload(
          model: table.name, reason: "the relationship to the parent is none of the model's")
      }
      return PayloadObject.Scope(position: position, parent: parent.identity)
    }
    if let required = table.parentScope, scope?.position != required {
      throw SyncError.invalidPayload(
        model: table.name,
        reason: "rows are unique within “\(table.properties[required].name)”: name that parent in the call")
    }
  }

  /// Awaits the call's turn, runs it, and leaves its place, also where the caller's actor is busy.
  func run(in place: SyncQueue.Place) async throws -> SyncReport {
    defer { place.leave() }
    let cancellation = CancellationFlag()
    do {
      try await place.turn()
      return try await container.write(cancellation) { try run(in: $0, cancellation) }
    } catch {
      throw SyncError.ofSync(error, isCancelled: cancellation.isSet)
    }
  }

  private func run(in database: Database, _ cancellation: CancellationFlag) throws -> SyncReport {
    let start = DispatchTime.now().uptimeNanoseconds
    var mode = SyncSession.Mode(operations: operations)
    while true {
      do {
        var report = try run(in: database, cancellation, mode)
        report.duration = Double(DispatchTime.now().uptimeNanoseconds - start) / 1_000_000_000
        return report
      } catch is ContradictoryLists where !mode.decidesListsAtEnd {
        mode.decidesListsAtEnd = true
      } catch let rows as RowsToMerge where !rows.tables.isSubset(of: mode.mergedTables) {
        mode.mergedTables.formUnion(rows.tables)
      }
    }
  }

  private func run(
    in database: Database, _ cancellation: CancellationFlag, _ mode: SyncSession.Mode
  ) throws -> SyncReport {
    var report = SyncReport()
    try database.inTransaction(.immediate) {
      let session = SyncSession(database, container.catalog, container.configuration, cancellation, mode)
      defer { session.end() }
      do {
        try sync(in: session)
      } catch let error as JSONError {
        throw SyncError.invalidPayload(model: table.name, reason: error.description)
      }
      try session.checkCancellation()
      let hasChanges = try session.finishCounts()
      report = session.report()
      return hasChanges || !session.hasWritten ? .commit : .rollback
    }
    return report
  }

  // MARK: Rows

  private func sync(in session: SyncSession) throws {
    let models = try session.typedModels(Model.self)
    try checkParent(in: session)
    var rows = 0
    var identities = 0
    try bytes.withUnsafeBytes { bytes in
      let reader = PayloadReader(bytes, path: path)
      guard case .value(let offset, let depth) = try reader.locate() else {
        throw missingPath(try reader.locate())
      }
      if policy != .none {
        models.cursor = SliceCursor(
          session.database, table, parent: scope.map { (table.properties[$0.position].name, $0.parent) })
      }
      defer {
        models.cursor?.close()
        session.forgetPayload()
      }
      if let repeated = session.repeated {
        try forEachRow(of: reader, at: offset, depth, models, session) { try repeated.count(in: $0, session) }
        try forEachRow(of: reader, at: offset, depth, models, session) {
          try repeated.collect(from: $0, session)
        }
      }
      var reused: PayloadObject?
      let isArray = try reader.forEachElement(at: offset, depth: depth) { tape, index in
        guard (index == nil) == isItem else {
          guard !isItem else { return true }
          throw SyncError.invalidPayload(
            model: table.name, reason: PayloadShape.noList(tape.value(at: 0), at: path))
        }
        rows += 1
        if rows & 63 == 0 { try session.checkCancellation() }
        if try sync(tape, index, &reused, models, session) { identities += 1 }
        // A payload that was kept holds on to its object.
        if isKnownUniquelyReferenced(&reused) { return true }
        reused = nil
        return false
      }
      guard isArray != isItem else {
        throw SyncError.invalidPayload(model: table.name, reason: "an item is an object, not a list")
      }
      try models.cursor?.finish()
      if identities == 0, rows > 0 { throw missingIdentities(session) }
      try settle(models, hasRows: rows > 0, session)
      if !session.deletedTargets.isEmpty {
        try forEachRow(of: reader, at: offset, depth, models, session) {
          try session.deletedTargets.remember($0, in: session)
        }
      }
      try session.pending.resolve(in: session)
      try session.pending.finish(in: session)
    }
  }

  /// Calls the body with each object of the payload, to look at it only.
  private func forEachRow(
    of reader: borrowing PayloadReader, at offset: Int, _ depth: Int, _ models: TypedModelSession<Model>,
    _ session: SyncSession, _ body: (PayloadObject) throws -> Void
  ) throws {
    _ = try reader.forEachElement(at: offset, depth: depth) { tape, index in
      guard tape.value(at: 0).isObject else { return true }
      try body(object(tape, index, models, session))
      return false
    }
  }

  /// Decides what takes the whole payload to know.
  private func settle(_ models: TypedModelSession<Model>, hasRows: Bool, _ session: SyncSession) throws {
    try session.setAside.finish(in: session)
    try session.resolveLinks()
    try session.retryRows()
    try session.checkRequiredLinks(isLast: false)
    try deleteMissing(models, hasRows: hasRows, session)
    try session.runDeferredDeletions()
    try session.rewritePairs()
    try session.retryRows()
    try session.setAside.finish(in: session)
    try session.retryHeldPairs()
    session.reportHeldPairs()
    try session.skipRefusedRows()
    try session.checkRequiredLinks(isLast: true)
    try session.checkParkedRows()
  }

  private func missingIdentities(_ session: SyncSession) -> SyncError {
    let keys = table.identityProperty.keys(in: session.style).joined(separator: "”, “")
    return .invalidPayload(
      model: table.name, reason: "no row has an identity; it is read from “\(keys)”")
  }

  /// Syncs one element of the payload; false when it has no identity.
  ///
  /// - Parameter reused: the object of the row before, to read this one with.
  private func sync(
    _ tape: JSONTape, _ index: Int?, _ reused: inout PayloadObject?, _ models: TypedModelSession<Model>,
    _ session: SyncSession
  ) throws -> Bool {
    let prefix = path ?? ""
    guard tape.value(at: 0).isObject else {
      throw SyncError.invalidPayload(
        model: table.name,
        reason:
          "\(tape.value(at: 0).summary) is no object (at \(prefix)\(index.map { "[\($0)]" } ?? ""))")
    }
    let object: PayloadObject
    if let reused {
      object = reused
      object.move(to: 0, place(index))
    } else {
      object = self.object(tape, index, models, session)
      reused = object
    }
    guard let identity = object.identity else {
      models.counts.skipped += 1
      object.report("", "no readable identity", .skippedRow)
      return false
    }
    _ = try session.sync(object, identity, in: models, RowMode(operations: operations, policies: children))
    return true
  }

  private func place(_ index: Int?) -> PayloadObject.Place {
    index.map { .row(index: $0, prefix: path ?? "") } ?? .item(prefix: path ?? "")
  }

  private func object(
    _ tape: JSONTape, _ index: Int?, _ models: TypedModelSession<Model>, _ session: SyncSession
  ) -> PayloadObject {
    let object = PayloadObject(
      tape: tape, position: 0, style: session.style, table: table, shape: models.shape, place: place(index),
      log: session.log)
    object.outputFormat = session.configuration.dateFormat
    object.scope = scope
    object.reader = session
    object.readsKeysAsIdentities = session.configuration.foreignKeys == .likeIdentities
    return object
  }

  private func checkParent(in session: SyncSession) throws {
    guard let scope, let related = table.properties[scope.position].related else { return }
    let parents = try session.models(related)
    guard try parents.exists(scope.parent) else {
      throw SyncError.invalidPayload(
        model: table.name,
        reason: "the parent named by “\(table.properties[scope.position].name)”, \(parents.table.name)"
          + " \(scope.parent), is not stored")
    }
  }

  private func missingPath(_ target: PayloadReader.Target) -> SyncError {
    guard case .missing(let key) = target else {
      return .invalidPayload(model: table.name, reason: "there is nothing at “\(path ?? "")”")
    }
    return .invalidPayload(model: table.name, reason: "there is no “\(key)” at “\(path ?? "")”")
  }

  private func deleteMissing(_ models: TypedModelSession<Model>, hasRows: Bool, _ session: SyncSession) throws
  {
    guard policy != .none, let cursor = models.cursor else { return }
    if requiresRows, !hasRows {
      session.log.record(
        SyncProblem(
          model: table.name, row: nil, identity: nil, path: path ?? "", reason: "an empty payload",
          action: .deletedNothing))
      return
    }
    let parent = table.parentScope == nil ? nil : scope?.parent
    var missing = cursor.missing.map { RowKey(identity: $0.identity, parent: parent) }
    if let scope, parent == nil {
      // Rows that a key brought into the slice would be missing if the payload came again.
      missing += session.links.arrivals(models, scope.position, at: scope.parent)
        .filter { !models.isGiven($0, at: scope.position) }.sorted { $0.identity < $1.identity }
    }
    try session.delete(missing.filter { !models.isNamedBesides($0) }, in: models, policy, isOfSlice: true)
  }
}

extension SyncContainer {
  /// Runs a call when it is its turn among the syncs of the store.
  ///
  /// It takes its place before it suspends, and before the payload is read: calls that one actor makes run in the
  /// order in which it makes them.
  func enqueue<Model: SyncUpdatableModel>(
    isolation: isolated (any Actor)?, _ makeCall: () throws -> SyncCall<Model>
  ) async throws -> SyncReport {
    let place = store.queue.take()
    let call: SyncCall<Model>
    do {
      call = try makeCall()
    } catch {
      place.leave()
      throw error
    }
    return try await call.run(in: place)
  }
}
