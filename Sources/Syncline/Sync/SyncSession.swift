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
  private(set) var order: [ModelSession] = []

  /// Whether any statement wrote. What was written may have been undone since.
  var hasWritten = false
  /// Required links of new rows whose targets are not there yet.
  var requiredLinks: [RequiredLink] = []
  private(set) lazy var links = LinkLedger(self)
  private(set) var waiting: [SyncWaitingLink] = []
  private(set) var waitingCount = 0

  private var keptTapes: [JSONTape] = []
  /// New rows that are not complete yet.
  let setAside = SetAsideRows()
  /// One-to-one links that take a partner from a row that requires it, where invalid rows are skipped.
  var heldPairs: [HeldPair] = []
  /// Nested objects without identity.
  var unidentified: [UnidentifiedRow] = []
  var refused = RefusedRows()
  /// Rows whose required partner another row took.
  var parked: [ParkedRow] = []
  /// What the columns of those rows hold for now, and what they held.
  var placeholders: [SyncIdentity: SyncIdentity] = [:]

  /// What contradictions in the payload take.
  struct Mode {
    /// Whether lists are decided when all of the payload was read: they contradict each other.
    var decidesListsAtEnd = false
    /// The tables whose rows' objects are merged before they are compared with what is stored.
    var mergedTables: Set<ObjectIdentifier> = []
    /// The call's relationship operations.
    var operations = SyncRelationshipOperations.all
  }

  var decidesListsAtEnd: Bool { mode.decidesListsAtEnd }
  private let mode: Mode
  /// The rows whose objects are merged; nil where they need not be.
  let repeated: RepeatedRows?
  /// Links whose rows this sync deletes.
  let deletedTargets = DeletedTargets()
  /// The lists, where they are decided at the end.
  var lists: [ListStatement] = []
  /// Where the last list begins of each table of links.
  var lastLinkLists: [String: Int] = [:]
  /// What rows' own keys say last, where lists are decided at the end.
  var ownKeys: [LinkPlace: OwnKey] = [:]
  /// Where the last complete list begins of each row, where they are decided at the end.
  var lastCompleteLists: [LinkPlace: Int] = [:]
  /// Members that lists of links do not name, by the policy of their relationship.
  var deferredDeletions: [DeferredDeletion] = []
  /// When the sync began, for soft deletions.
  let now = Date()

  struct ParkedRow {
    let model: ModelSession
    let key: RowKey
    let position: Int
    let placeholder: SyncIdentity
    let error: SyncError
  }

  /// An object without identity, nested under a to-one relationship: it is the row that is linked.
  struct UnidentifiedRow {
    let owner: ModelSession
    let key: RowKey
    let position: Int
    let object: PayloadObject
    let operations: SyncRelationshipOperations
    var tries = 0
  }

  struct HeldPair {
    let model: ModelSession
    let slot: Int
    let statement: PairClaims.Statement
    let error: SyncError

    var place: LinkPlace? {
      statement.holder.map { LinkPlace(model: model.id, position: slot, owner: $0) }
    }
  }

  struct RequiredLink {
    let model: ModelSession
    let key: RowKey
    let position: Int
    let target: SyncIdentity
    let error: SyncError
  }

  init(
    _ database: Database, _ catalog: ModelCatalog, _ configuration: SyncConfiguration,
    _ cancellation: CancellationFlag, _ mode: Mode
  ) {
    self.mode = mode
    repeated = mode.mergedTables.isEmpty ? nil : RepeatedRows(of: mode.mergedTables, mode.operations)
    self.database = database
    self.catalog = catalog
    self.configuration = configuration
    self.cancellation = cancellation
    pending = PendingLinks(database)
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
  func sync(_ object: PayloadObject, _ identity: SyncIdentity, in model: ModelSession, _ mode: RowMode) throws
    -> RowOutcome
  {
    let key = RowKey(identity: identity)
    if let error = refused.error(of: key, in: model), !object.isIdentityAlone {
      // What comes later of the row counts after what comes first.
      try refuse(object, key, in: model, mode, error)
      return .waits
    }
    do {
      return try model.sync(object, identity, mode)
    } catch let error as PartnerTaken {
      if try model.exists(identity), !model.isNamed(key) { model.markNamed(key) }
      try refuse(object, key, in: model, mode, error.error)
      return .waits
    } catch SyncError.invalidPayload(let name, let reason) where skipsInvalidRows {
      report(object, identity, in: model, model: name, reason: reason)
      try nameNested(in: object)
      return .left
    }
  }

  private func refuse(
    _ object: PayloadObject, _ key: RowKey, in model: ModelSession, _ mode: RowMode, _ error: SyncError
  ) throws {
    // What keeps the row may itself be nested in it, and is not missing.
    try nameNested(in: object)
    try refused.add(
      .init(model: model, key: key, object: object.setAside(in: self), mode: mode, error: error))
  }

  /// Reports a row that is skipped, and keeps what is stored of it.
  func skip(
    _ object: PayloadObject, _ key: RowKey, in model: ModelSession, model name: String, reason: String
  ) {
    model.markSkipped(key)
    report(object, key.identity, in: model, model: name, reason: reason)
  }

  private func report(
    _ object: PayloadObject, _ identity: SyncIdentity, in model: ModelSession, model name: String,
    reason: String
  ) {
    model.counts.skipped += 1
    log.record(
      SyncProblem(
        model: name, row: object.rowIndex, identity: identity.description, path: object.path,
        reason: reason, action: .skippedRow))
  }

  /// Ends the session, however its sync ended. The statements go back to the database's cache.
  func end() {
    for model in order { model.end() }
    for tape in keptTapes { tape.close() }
  }

  /// Forgets what points into the payload, whose bytes may go.
  func forgetPayload() {
    for model in order { model.forgetPayload() }
  }

  func didInsert(_ model: ModelSession, _ key: RowKey) {
    pending.didInsert(model, key)
  }

  /// Records a link that waits for its row.
  func waits(_ link: @autoclosure () -> SyncWaitingLink) {
    waitingCount += 1
    if waiting.count < ProblemLog.limit { waiting.append(link()) }
  }
}

extension SyncSession: PayloadReading {
  func keep(_ tape: JSONTape) { keptTapes.append(tape) }

  func isStored(_ identity: SyncIdentity, of model: any SyncUpdatableModel.Type) -> Bool {
    guard let models = try? models(model) else { return true }
    return (try? models.exists(identity)) ?? true
  }
}
