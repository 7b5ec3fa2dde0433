import Foundation
import GRDB
import SynclineNaming

/// What one transaction of a call works with: the store, its models, and how the call is run. It decides nothing.
final class Run {
  let database: Database
  let catalog: ModelCatalog
  let configuration: SyncConfiguration
  let mode: Mode
  let log = RunLog()
  private let cancellation: CancellationFlag
  /// The links that earlier syncs remembered.
  let storedLinks: StoredPendingLinks
  /// Where values are written as they would be stored.
  let scratch = StoredTextScratch()
  private var reading: Reading

  /// The models that are concerned, by their numbers, and in the order in which they came to be.
  private var models: [ModelRows?]
  private(set) var order: [ModelRows] = []
  private(set) lazy var ledger = LinkLedger(self)
  private(set) lazy var parked = ParkedRows(self)

  private var keptTapes: [JSONTape] = []
  private(set) lazy var payloadSettings = PayloadSettings(
    style: style, outputFormat: configuration.dateFormat,
    readsKeysAsIdentities: mode.readsKeysAsIdentities || configuration.foreignKeys == .likeIdentities,
    log: log, reader: self)

  /// How a call is run: what contradictions in the payload take, and what its caller asked for.
  struct Mode {
    /// Whether what the payload says of links is logged, and decided when all of it was read.
    var logsLinks = false
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
    /// Whether somebody wants to know which rows change.
    var listsRows = false
    /// What is told how far the call has come; nil where nobody asks.
    var progress: ProgressReporter?

    /// Logs what the payload says of links. The objects of each row are merged in the order in which they begin.
    mutating func logLinks(of catalog: ModelCatalog) {
      logsLinks = true
      mergedTables = Set(catalog.tables.map { ObjectIdentifier($0) })
    }
  }

  /// In which order the payload is read, and how far.
  private struct Reading {
    /// Whether rows of the payload were read in another order than they come in.
    var isReordered = false
    /// Whether what the payload says of some row depends on where its objects stand.
    var orderTells = false
    /// Whether nested objects are remembered: nothing is deleted before all of the payload was read.
    var remembersObjects: Bool
  }

  init(_ database: Database, of container: SyncContainer, _ cancellation: CancellationFlag, mode: Mode) {
    self.database = database
    storedLinks = StoredPendingLinks(database)
    self.cancellation = cancellation
    self.mode = mode
    catalog = container.catalog
    configuration = container.configuration
    models = Array(repeating: nil, count: catalog.entries.count)
    reading = Reading(remembersObjects: mode.mergedTables.isEmpty && !mode.logsLinks)
  }

  var style: KeyStyle { configuration.keyStyle }
  var skipsInvalidRows: Bool { configuration.invalidRows == .skip }
  /// Whether rows are known that cannot be kept.
  var skipsRows: Bool { !mode.skipped.isEmpty }

  /// The rows that are known to be skipped, to add others to.
  func rowsToSkip() -> RowsToSkip { mode.skipped.confirmed { rows($0).journal.isSkipped($1) } }

  /// - Throws: ``SyncError/cancelled`` once the call's task is cancelled.
  func checkCancellation() throws {
    if cancellation.isSet { throw SyncError.cancelled }
  }

  // MARK: Reading

  /// Whether rows of the payload were read in another order than they come in.
  var isReordered: Bool { reading.isReordered }
  /// Whether what the payload says of some row depends on where its objects stand.
  var orderTells: Bool { reading.orderTells }
  /// Whether nested objects are remembered: nothing is deleted before all of the payload was read.
  var remembersObjects: Bool { reading.remembersObjects }

  /// The rows that are read next come in another order than they do in the payload.
  func beginReordered() {
    reading.isReordered = true
    log.isReordered = true
  }

  /// All of the payload was read.
  func endReading() {
    log.isReordered = false
    reading.remembersObjects = false
  }

  /// Notes that what is stored in the end may depend on the order in which the payload's rows are read.
  ///
  /// - Throws: ``PayloadOrderTells`` where it is not the payload's.
  func noteOrderTells() throws {
    reading.orderTells = true
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

extension Run: PayloadReading {
  func keep(_ tape: JSONTape) { keptTapes.append(tape) }

  func provisionalTarget(of key: SyncKey, in table: SyncTable, _ error: SyncError) -> SyncIdentity? {
    guard mode.logsLinks, !table.isComposite else { return nil }
    return SQLFault.noting(nil) {
      guard let end = try rows(of: table).end(key.position) else { return nil }
      return try parked.provisional(at: end, error)
    }
  }

  func isStored(_ identity: SyncIdentity, of model: any SyncUpdatableModel.Type) -> Bool {
    SQLFault.noting(true) { try rows(catalog.entry(for: model).number).exists(identity) }
  }
}

/// Thrown where the order in which the rows of a payload are read tells: the sync begins again, and reads them as they
/// come.
struct PayloadOrderTells: Error {}
