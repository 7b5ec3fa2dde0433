import GRDB
import SynclineNaming

/// The context of one transaction of a call: the store, its models, and how the call runs. It decides nothing.
final class Run {
  let database: Database
  let catalog: ModelCatalog
  let configuration: SyncConfiguration
  let mode: Mode
  let log = RunLog()
  private let cancellation: CancellationFlag
  /// The pending links that earlier syncs saved.
  let storedLinks: StoredPendingLinks
  /// A buffer for values in their stored form.
  let scratch = StoredTextScratch()
  /// Whether rows of the payload were read out of order.
  private(set) var isReordered = false
  /// Whether the result for a row depends on the order of its objects in the payload.
  private(set) var dependsOnOrder = false
  /// Whether the lists of the payload delete nothing, because the rows that they lack may be in a part that is left out.
  var keepsMissing = false
  /// The relationships of which lists were read that only add members.
  var partialEnds: Set<LinkEnd> = []
  /// The rows' lists that were read, if the payload is a page.
  private(set) var listsOfPage: Set<LinkPlace> = []
  /// Whether nested objects are remembered. Nothing is deleted before the whole payload was read.
  private(set) var remembersObjects: Bool

  /// The models that the payload concerns, by number, and in the order of their first use.
  private var models: [ModelRows?]
  private(set) var order: [ModelRows] = []
  private(set) lazy var ledger = LinkLedger(self)
  private(set) lazy var placeholders = Placeholders(self)
  /// Nil for payloads of few rows.
  private var pageCache: PageCache?

  private var keptTapes: [JSONTape] = []
  private(set) lazy var payloadSettings = settings(log: log, reader: self)
  /// The rows that the payload marks as deleted; nil if there are none. They are set before any object is read to be applied.
  var deletedRows: DeletedRows?
  /// The rows that pushes were answered for after the payload was requested: it deletes none of them.
  var answeredSince: Set<LinkedRow> = []
  /// Whether the payload would delete such rows.
  var lacksAnsweredRows = false
  /// Whether only those edits were reset that the item names.
  var resetsNamedEdits = false
  /// Whether the payload's values are also newer than stored ones with the same stamp, because it is the answer to a push.
  var readsEqualStamps = false
  /// Whether the payload is the answer to a push of a row that a later payload has deleted.
  var isPayloadOutdated = false
  /// Whether the rows are read model by model, and so not in payload order.
  var readsByModel = false
  /// Finds the rows that keys name by another property than the identity; nil if no key does.
  var lookups: (any RowLookup)? {
    didSet { storedLinks.lookups = lookups }
  }
  /// Unique values that are compared at the end of the payload; nil if SQLite compares them with each write.
  var uniqueValues: UniqueValues?

  /// How a call runs: what its caller asked for, and what conflicts in the payload require.
  struct Mode {
    /// Whether statements about links are logged, and decided at the end of the payload. Then the objects of each row are merged
    /// in payload order.
    var logsLinks = false
    /// Whether rows are read in payload order only.
    var keepsOrder = false
    /// Whether each row is inserted by a statement of its own.
    var insertsOneByOne = false
    /// Whether the objects of rows of tables that need it are merged before they are compared with the store.
    var mergesRows = false
    /// Whether all edits are reset, whatever an item contains.
    var resetsAllEdits = false
    /// The rows of objects without identity.
    var answers: [UnidentifiedPlace: LinkedRow] = [:]
    /// How often the call restarted with such rows.
    var answerRestarts = 0
    /// The rows that are skipped, since they cannot be kept.
    var skipped = RowsToSkip()
    /// The rows that are marked as deleted, and come to the call's parent by the same payload: their marks count.
    var countedMarks: Set<LinkedRow> = []
    var operations = SyncRelationshipOperations.all
    /// The rows that no page has contained yet, if the payload is a page of a whole list.
    var unseen: UnseenRows?
    /// The rows that looked-up keys name at the end of the payload, by earlier runs of the call; nil for no row.
    var foundRows: [LookupKey: SyncIdentity?] = [:]
    /// What ``foundRows`` was in the runs so far, with the number of the run, for finding that it repeats.
    var lookupRounds: [[LookupKey: SyncIdentity?]: Int] = [:]
    /// Whether ``foundRows`` is final, since it would change forever.
    var hasEndedLookups = false
    /// The tables whose unique values are compared at the end of the payload.
    var deferredTables: Set<String> = []
    /// Whether the payload is a JSON:API document. Its keys are identifiers of resources: strings match integer identities,
    /// whatever the configuration, and a key of a resource that is marked as deleted creates no link.
    var isDocument = false
    /// Whether the changed rows are listed, for followers.
    var listsRows = false
    var progress: ProgressReporter?
  }

  init(
    _ database: Database, of container: SyncContainer, _ cancellation: CancellationFlag,
    about table: SyncTable, mode: Mode
  ) {
    self.database = database
    storedLinks = StoredPendingLinks(database)
    self.cancellation = cancellation
    self.mode = mode
    catalog = container.catalog
    configuration = container.configuration.ofCall(about: table)
    models = Array(repeating: nil, count: catalog.entries.count)
    remembersObjects = !mode.mergesAny
  }

  var style: KeyStyle { configuration.style }
  var operations: SyncRelationshipOperations { mode.operations }
  var skipsInvalidRows: Bool { configuration.invalidRows == .skip }
  var skipsRows: Bool { !mode.skipped.isEmpty }

  /// The rows that are known to be skipped, for adding more.
  func rowsToSkip() -> RowsToSkip { mode.skipped.confirmed { rows($0.model).journal.isSkipped($0.key) } }

  /// - Throws: ``SyncError/cancelled`` once the call's task is cancelled.
  func checkCancellation() throws {
    if cancellation.isSet { throw SyncError.cancelled }
  }

  // MARK: Reading

  /// Settings for reading objects; without a log, for reading them without reporting problems.
  func settings(
    log: RunLog? = nil, reader: (any PayloadReading)? = nil, leavesOutMerged: Bool = false
  ) -> PayloadSettings {
    PayloadSettings(
      style: style, outputFormat: configuration.dateFormat,
      readsKeysAsIdentities: mode.isDocument || configuration.foreignKeys == .likeIdentities,
      isDocument: mode.isDocument, hasNullIdentities: catalog.hasNullIdentities,
      leavesOutMerged: leavesOutMerged, log: log,
      deletedRows: deletedRows, lookups: lookups, reader: reader)
  }

  /// Whether the payload marks a row as deleted, and the mark counts.
  func isDeleted(_ row: RowKey, in model: ModelRows) -> Bool {
    deletedRows?.contains(row, in: model.table) ?? false
  }

  /// Called before rows of the payload are read out of order.
  func beginReordered() {
    isReordered = true
    log.isReordered = true
  }

  func endReading() {
    log.isReordered = false
    remembersObjects = false
  }

  /// Notes that the result may depend on the order in which the payload's rows are read.
  ///
  /// - Throws: ``Restart/inOrder`` if they were read out of order.
  func noteOrderDependence() throws {
    dependsOnOrder = true
    if isReordered { throw Restart.inOrder }
  }

  /// Restarts the call with a log of link statements, unless there is one already.
  func logLinks() throws {
    if !mode.logsLinks { throw Restart.loggingLinks }
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

  /// Whether the payload has a list for a row's relationship; for a to-one column, whether a list has the row.
  func isDecided(_ place: LinkPlace) -> Bool {
    rows(place.end.owner).named.isMarked(place.owner, at: place.end.position)
  }

  /// Whether the payload may have a list for a row's relationship. Lists that only add, and lists without an inverse, are not
  /// noted: then it may if it has the row.
  func mayHaveList(_ place: LinkPlace) -> Bool {
    if isDecided(place) { return true }
    let isRemembered = !partialEnds.contains(place.end) && place.end.inverse != nil
    return !isRemembered && rows(place.end.owner).isNamed(place.owner)
  }

  /// The places of a union's other cases; empty if the relationship is not a case.
  func otherCases(of place: LinkPlace) -> [LinkPlace] {
    guard let gate = place.end.table.unionGates[place.end.position] else { return [] }
    let model = rows(place.end.owner)
    return gate.otherColumns.compactMap { model.end($0).map { LinkPlace(end: $0, owner: place.owner) } }
  }

  /// Notes a list of a page. It replaces the row's list of an earlier page.
  func noteListOfPage(_ place: LinkPlace) {
    if mode.unseen != nil { listsOfPage.insert(place) }
  }

  func noteDecided(_ place: LinkPlace) {
    rows(place.end.owner).named.mark(place.owner, at: place.end.position)
  }

  func target(of place: LinkPlace) throws -> SyncIdentity? {
    try rows(place.end.owner).target(of: place.owner, at: place.end.position)
  }

  /// A row as it is named in reports: by its identity, or by the value that it is looked up by.
  func description(of row: SyncIdentity) -> String { (lookups?.value(of: row) ?? row).description }

  // MARK: The end

  /// Called for every 64 rows of a list.
  func enlargePageCache() throws {
    if pageCache == nil { pageCache = PageCache(database) }
    try pageCache?.enlargeIfFull()
  }

  /// Ends the run, even after an error, and frees what it kept of the payload.
  func end() {
    // If memory is exhausted, the connection keeps the larger cache.
    try? pageCache?.restore()
    for tape in keptTapes { tape.close() }
  }
}

extension Run: PayloadReading {
  func keep(_ tape: JSONTape) { keptTapes.append(tape) }

  func provisionalTarget(of key: SyncKey, in table: SyncTable, _ error: SyncError) -> SyncIdentity? {
    guard mode.logsLinks, !table.identityParts.contains(key.position) else { return nil }
    return SQLFault.noting(nil) {
      guard let end = try rows(of: table).end(key.position), let target = try placeholders.identity(for: end)
      else { return nil }
      placeholders.errors[end, default: [:]][target] = error
      return target
    }
  }

  func isStored(_ identity: SyncIdentity, of model: any SyncUpdatableModel.Type) -> Bool {
    SQLFault.noting(true) { try rows(catalog.entry(for: model).number).exists(identity) }
  }
}
