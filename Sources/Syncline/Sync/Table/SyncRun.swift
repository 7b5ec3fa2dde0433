import Foundation
import GRDB
import SynclineNaming

/// One sync, from its first row to its report. It lives inside one transaction.
final class SyncRun {
  let database: Database
  let catalog: ModelCatalog
  let configuration: SyncConfiguration
  let mode: Mode
  let log = RunLog()
  /// What was found of keys that no property reads; nil where nobody looks.
  var unreadKeys: SyncUnreadKeys?
  /// The links that earlier syncs remembered.
  let storedLinks: StoredPendingLinks
  /// Where values are written as they would be stored.
  let scratch = StoredTextScratch()
  /// When the sync began, for soft deletions.
  let now = Date()
  /// Whether rows of the payload were read in another order than they come in.
  var isReordered = false { didSet { log.isReordered = isReordered } }
  /// Whether what the payload says of some row depends on where its objects stand.
  private(set) var orderTells = false
  /// Whether nested objects are remembered: nothing is deleted before all of the payload was read.
  var remembersObjects: Bool
  /// Whether somebody wants to know which rows change.
  let listsRows: Bool
  private let cancellation: CancellationFlag

  /// The models that are concerned, by their numbers, and in the order in which they came to be.
  private var models: [ModelRows?]
  private(set) var order: [ModelRows] = []
  private var keptTapes: [JSONTape] = []
  private(set) lazy var payloadSettings = PayloadSettings(
    style: style, outputFormat: configuration.dateFormat,
    readsKeysAsIdentities: mode.readsKeysAsIdentities || configuration.foreignKeys == .likeIdentities,
    log: log, reader: self)

  /// Whether rows are known that cannot be kept.
  let skipsRows: Bool
  /// The rows whose objects are merged; nil where they need not be.
  let repeated: RepeatedRows?
  private(set) lazy var incomplete = IncompleteRows(self)
  private(set) var refused = RefusedRows()
  private(set) lazy var differing = DifferingObjects(self)

  private(set) lazy var ledger = LinkLedger(self)
  private(set) lazy var parked = ParkedRows(self)
  private(set) lazy var unidentified = UnidentifiedRows(self)
  private(set) lazy var links = PayloadLinks(self)

  /// How a call is run: what contradictions in the payload take, and what its caller asked for.
  struct Mode {
    /// Whether lists are decided when all of the payload was read: they contradict each other.
    var decidesListsAtEnd = false
    /// Whether the payload is read in its own order.
    var keepsOrder = false
    /// The tables whose rows' objects are merged before they are compared with what is stored.
    var mergedTables: Set<ObjectIdentifier> = []
    /// The rows that are skipped, since a link that they require leads nowhere.
    var skipped = RowsToSkip()
    /// The call's relationship operations.
    var operations = SyncRelationshipOperations.all
    /// The rows that no page has named yet, where the payload is a page of a whole list.
    var unseen: UnseenRows?
    /// Whether text and numbers count as each other in keys of related rows, whatever is configured.
    var readsKeysAsIdentities = false
    /// What is told how far the call has come; nil where nobody asks.
    var progress: ProgressReporter?
  }

  init(_ database: Database, of container: SyncContainer, _ cancellation: CancellationFlag, mode: Mode) {
    self.database = database
    storedLinks = StoredPendingLinks(database)
    self.cancellation = cancellation
    self.mode = mode
    catalog = container.catalog
    configuration = container.configuration
    listsRows = container.hub.isListenedTo
    models = Array(repeating: nil, count: catalog.entries.count)
    skipsRows = !mode.skipped.isEmpty
    remembersObjects = mode.mergedTables.isEmpty
    repeated = mode.mergedTables.isEmpty ? nil : RepeatedRows(of: mode.mergedTables, mode.operations)
  }

  var style: KeyStyle { configuration.keyStyle }
  var skipsInvalidRows: Bool { configuration.invalidRows == .skip }

  /// - Throws: ``SyncError/cancelled`` once the call's task is cancelled.
  func checkCancellation() throws {
    if cancellation.isSet { throw SyncError.cancelled }
  }

  /// Notes that what is stored in the end may depend on the order in which the payload's rows are read.
  ///
  /// - Throws: ``PayloadOrderTells`` where it is not the payload's.
  func noteOrderTells() throws {
    orderTells = true
    if isReordered { throw PayloadOrderTells() }
  }

  // MARK: Models

  func rows(_ model: ModelNumber) -> ModelRows {
    if let rows = models[model] { return rows }
    let rows = ModelRows(self, catalog.entries[model])
    models[model] = rows
    order.append(rows)
    return rows
  }

  func rows(of table: SyncTable) throws -> ModelRows { rows(try catalog.entry(for: table).number) }

  // MARK: Relationships

  /// Whether the payload has a list of a row's relationship; of a to-one column, whether a list has the row.
  func isDecided(_ place: LinkPlace) -> Bool {
    rows(place.end.owner).named.isMarked(place.owner, at: place.end.position)
  }

  func noteDecided(_ place: LinkPlace) {
    rows(place.end.owner).named.mark(place.owner, at: place.end.position)
  }

  /// The row that a to-one column leads to; nil where there is none.
  func target(of place: LinkPlace) throws -> SyncIdentity? {
    try rows(place.end.owner).target(of: place.owner, at: place.end.position)
  }

  // MARK: Rows

  /// Syncs one object. Under `.skip` a row that cannot be kept is reported, and the others go on.
  func sync(_ object: PayloadObject, _ identity: SyncIdentity, in model: ModelRows, _ mode: RowMode) throws
    -> RowOutcome
  {
    let row = RowKey(identity: identity)
    if let error = refused.error(of: row, in: model), !object.isIdentityAlone {
      // What comes later of the row counts after what comes first.
      try refuse(object, row, in: model, mode, error: error)
      return .waits
    }
    do {
      return try model.sync(object, identity, mode)
    } catch let error as PartnerTaken {
      if try model.exists(identity) { model.name(row) }
      try refuse(object, row, in: model, mode, error: error.error)
      return .waits
    } catch SyncError.invalidPayload(let name, let reason) where skipsInvalidRows {
      report(object, identity, in: model, error: (name, reason))
      try nameNested(in: object)
      return .left
    } catch SyncError.unreadableRow(let name, let reason) where skipsInvalidRows {
      // The stored row stays as it is.
      model.name(row)
      report(object, identity, in: model, error: (name, reason))
      try nameNested(in: object)
      return .left
    }
  }

  private func refuse(
    _ object: PayloadObject, _ row: RowKey, in model: ModelRows, _ mode: RowMode, error: SyncError
  ) throws {
    try noteOrderTells()
    // What keeps the row may itself be nested in it, and is not missing.
    try nameNested(in: object)
    try refused.add(
      .init(model: model, row: row, object: object.setAside(in: self), mode: mode, error: error))
  }

  /// Tries again to keep rows that were refused for what others had then, as long as that helps.
  func retryRefused(_ decideLinks: () throws -> Void) throws {
    while !refused.isEmpty {
      let rows = refused.removeAll()
      for refused in rows {
        _ = try sync(refused.object, refused.row.identity, in: refused.model, refused.mode)
      }
      links.pending.reopen()
      try decideLinks()
      if refused.count == rows.count { return }
    }
  }

  /// Skips what is still refused of a row, its first object first: what the payload says later of it may be kept.
  func skipRefused(_ decideLinks: () throws -> Void) throws {
    while !refused.isEmpty {
      for first in refused.removeFirstOfEach() {
        guard case .invalidPayload(let name, let reason) = first.error else { throw first.error }
        skip(first.object, first.row, in: first.model, error: (name, reason))
        try nameNested(in: first.object)
      }
      try retryRefused(decideLinks)
    }
  }

  /// Reports a row that is skipped, and keeps what is stored of it.
  func skip(
    _ object: PayloadObject, _ row: RowKey, in model: ModelRows, error: (model: String, reason: String)
  ) {
    model.name(row)
    model.journal.recordSkip(row)
    report(object, row.identity, in: model, error: error)
  }

  private func report(
    _ object: PayloadObject, _ identity: SyncIdentity, in model: ModelRows,
    error: (model: String, reason: String)
  ) {
    model.counts.skipped += 1
    log.record(
      SyncProblem(
        model: error.model, row: object.rowIndex, identity: identity.description, path: object.path,
        reason: error.reason, action: .skippedRow))
  }

  // MARK: The end

  /// Ends the sync, however it went: what it keeps of the payload goes.
  func end() {
    for tape in keptTapes { tape.close() }
  }

  /// Forgets what points into the payload, whose bytes may go.
  func forgetPayload() {
    for model in order { model.rowStatements.directInsertion?.clearBindings() }
  }
}

extension SyncRun: PayloadReading {
  func keep(_ tape: JSONTape) { keptTapes.append(tape) }

  func isStored(_ identity: SyncIdentity, of model: any SyncUpdatableModel.Type) -> Bool {
    SQLFault.noting(true) { try rows(catalog.entry(for: model).number).exists(identity) }
  }
}

/// Thrown where the order in which the rows of a payload are read tells: the sync begins again, and reads them as they
/// come.
struct PayloadOrderTells: Error {}
