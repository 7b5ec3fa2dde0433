import Foundation
import GRDB
import SynclineNaming

/// One sync, from its first row to its report. It lives inside one transaction.
final class SyncSession {
  let database: Database
  let catalog: ModelCatalog
  let configuration: SyncConfiguration
  let log = ProblemLog()
  let pending: PendingLinks
  private let cancellation: CancellationFlag
  private var sessions: [ObjectIdentifier: ModelSession] = [:]
  private var order: [ModelSession] = []

  /// Whether any statement wrote. What was written may have been undone since.
  var hasWritten = false
  /// Whether what is remembered of links changed.
  var hasChangedPendingLinks = false
  /// Required links of new rows whose targets are not there yet.
  var requiredLinks: [RequiredLink] = []
  /// The changes of known rows' links, each counted up and down: what comes to zero did not change.
  private var linkChanges: [LinkKey: Int] = [:]

  /// Members that nested lists do not name, by the policy of their relationship.
  var deferredDeletions: [(model: ModelSession, keys: [RowKey], policy: DeletionPolicy)] = []
  /// When the sync began, for soft deletions.
  let now = Date()

  struct RequiredLink {
    let model: ModelSession
    let key: RowKey
    let position: Int
    let target: SyncIdentity
    let error: SyncError
  }

  init(
    _ database: Database, _ catalog: ModelCatalog, _ configuration: SyncConfiguration,
    _ cancellation: CancellationFlag
  ) throws {
    self.database = database
    self.catalog = catalog
    self.configuration = configuration
    self.cancellation = cancellation
    pending = try PendingLinks(database)
  }

  var style: KeyStyle { configuration.keyStyle }
  var skipsInvalidRows: Bool { configuration.invalidRows == .skip }

  func read(_ sql: String) throws -> ReadStatement { try ReadStatement(database, sql) }
  func write(_ sql: String) throws -> WriteStatement { try WriteStatement(database, sql) }

  /// - Throws: ``SyncError/cancelled`` once the call's task is cancelled.
  func checkCancellation() throws {
    if cancellation.isSet { throw SyncError.cancelled }
  }

  // MARK: Models

  func models(_ model: any SyncUpdatableModel.Type) throws -> ModelSession {
    if let session = sessions[ObjectIdentifier(model)] { return session }
    return try open(model)
  }

  func typedModels<Model: SyncUpdatableModel>(_ model: Model.Type) throws -> TypedModelSession<Model> {
    let session = try models(model)
    guard let typed = session as? TypedModelSession<Model> else {
      throw SyncError.schemaValidation(reason: "the container is not for the model \(model)")
    }
    return typed
  }

  func models(_ table: SyncTable) throws -> ModelSession {
    try models(try catalog.entry(for: table).model)
  }

  private func open<Model: SyncUpdatableModel>(_ model: Model.Type) throws -> ModelSession {
    let session = TypedModelSession<Model>(self, try catalog.entry(for: model))
    sessions[ObjectIdentifier(model)] = session
    order.append(session)
    return session
  }

  // MARK: Rows

  /// Syncs one object. Under `.skip` a row that cannot be kept is reported, and the others go on.
  ///
  /// - Returns: whether the row is stored afterwards.
  func sync(_ object: PayloadObject, _ identity: SyncIdentity, in model: ModelSession, _ mode: RowMode) throws -> Bool {
    do {
      return try model.sync(object, identity, mode)
    } catch SyncError.invalidPayload(let name, let reason) where skipsInvalidRows {
      model.counts.skipped += 1
      log.record(
        SyncProblem(
          model: name, row: object.rowIndex, identity: identity.description, path: object.path, reason: reason,
          action: .skippedRow))
      return false
    }
  }

  func didInsert(_ model: ModelSession, _ key: RowKey) {
    pending.didInsert(model.table, key)
  }

  // MARK: Links

  /// Counts a change of a to-one column.
  func recordLink(_ model: ModelSession, _ position: Int, _ owner: RowKey, from old: SyncIdentity?, to new: SyncIdentity?) {
    if let old { recordMember(model, position, owner, old, change: -1) }
    if let new { recordMember(model, position, owner, new, change: 1) }
  }

  /// Counts a change of a membership, or of a to-one column's value.
  func recordMember(_ model: ModelSession, _ position: Int, _ owner: RowKey, _ member: SyncIdentity, change: Int) {
    hasWritten = true
    if model.isInserted(owner) {
      model.counts.linked += change
      return
    }
    let key = LinkKey(model: model.id, position: position, owner: owner, member: member)
    linkChanges[key] = (linkChanges[key] ?? 0) + change
    if linkChanges[key] == 0 { linkChanges[key] = nil }
  }

  private func countLinks() {
    let models = Dictionary(uniqueKeysWithValues: order.map { ($0.id, $0) })
    for (key, change) in linkChanges {
      guard let model = models[key.model] else { continue }
      if change > 0 { model.counts.linked += 1 } else { model.counts.unlinked += 1 }
      model.markMembershipChanged(key.owner)
    }
  }

  // MARK: The end

  /// Links what waited for rows of this payload, and checks what is required.
  func resolveLinks() throws {
    try pending.resolve(in: self)
    for link in requiredLinks {
      guard let related = link.model.table.properties[link.position].related,
        try !models(related).exists(link.target)
      else { continue }
      guard skipsInvalidRows else { throw link.error }
      try link.model.deleteRow(link.key)
      link.model.counts.skipped += 1
      log.record(
        SyncProblem(
          model: link.model.table.name, row: nil, identity: link.key.identity.description,
          path: link.model.table.properties[link.position].name, reason: link.error.description,
          action: .skippedRow))
    }
  }

  /// The report. Changes that undid each other do not count.
  func report() -> SyncReport {
    var report = SyncReport()
    countLinks()
    for model in order {
      model.finishCounts()
      if model.counts != SyncReport.Counts() { report.models[model.table.name] = model.counts }
    }
    report.problems = log.problems
    report.problemCount = log.count
    return report
  }
}
