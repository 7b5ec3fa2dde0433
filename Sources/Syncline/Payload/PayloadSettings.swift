import SynclineNaming

/// The settings by which all objects of a sync are read.
final class PayloadSettings {
  let style: KeyStyle
  /// The format of exported dates. Dates that export as the same text count as equal.
  let outputFormat: SyncDateFormat
  /// Whether string keys of relationships match integer identities, and vice versa.
  let readsKeysAsIdentities: Bool
  /// Whether the objects are those of a JSON:API document.
  let isDocument: Bool
  /// Whether the identities of any model have values that mean null.
  let hasNullIdentities: Bool
  /// Whether values that objects merge are not read: `@Merged`.
  let leavesOutMerged: Bool
  let log: RunLog?
  /// The rows that the payload marks as deleted; nil if there are none.
  let deletedRows: DeletedRows?
  /// Finds rows by values of other properties than the identity; nil if no key needs it. It lives as long as the objects.
  unowned(unsafe) let lookups: (any RowLookup)?
  /// The sync that reads the objects. It lives as long as they do.
  unowned(unsafe) let reader: (any PayloadReading)?

  init(
    style: KeyStyle, outputFormat: SyncDateFormat = .iso8601, readsKeysAsIdentities: Bool = false,
    isDocument: Bool = false, hasNullIdentities: Bool = false, leavesOutMerged: Bool = false,
    log: RunLog? = nil, deletedRows: DeletedRows? = nil, lookups: (any RowLookup)? = nil,
    reader: (any PayloadReading)? = nil
  ) {
    self.style = style
    self.outputFormat = outputFormat
    self.readsKeysAsIdentities = readsKeysAsIdentities
    self.isDocument = isDocument
    self.hasNullIdentities = hasNullIdentities
    self.leavesOutMerged = leavesOutMerged
    self.log = log
    self.deletedRows = deletedRows
    self.lookups = lookups
    self.reader = reader
  }
}

/// Finds rows by values of other properties than the identity: `@Relationship(by:)`.
///
/// A value that no row has gets a placeholder, which is the identity of no row. So a key is an identity wherever it is used.
protocol RowLookup: AnyObject {
  /// The row with a value of a property; if there is none, the placeholder of the value.
  func row(with value: SyncIdentity, at position: Int, of table: SyncTable) -> SyncIdentity
  /// The value of a placeholder; nil for the identity of a row.
  func value(of row: SyncIdentity) -> SyncIdentity?
  /// The property whose value a placeholder represents; nil for the identity of a row.
  func position(of row: SyncIdentity) -> Int?
  /// The properties of a table by which rows are found.
  func positions(of table: SyncTable) -> [Int]
  /// Notes that an object of the payload gives its row a value by which rows are found. It is called before rows are applied.
  func note(_ object: PayloadObject, of model: ModelNumber)
  /// Restarts the call if keys name other rows than when they were read.
  ///
  /// - Parameter isEnd: whether nothing of the payload is written any more. Before that, stored rows that this run has not
  ///   written are not looked at: they may be deleted.
  func check(isEnd: Bool) throws
}

/// The services that objects need from the sync that reads them.
protocol PayloadReading: AnyObject {
  /// Keeps the tape of an object that is read again, until the sync ends.
  func keep(_ tape: JSONTape)
  /// A placeholder for a new row's required reference until the payload's links are decided; nil if the sync cannot wait.
  ///
  /// - Parameter error: is thrown later if nothing gives the row a reference.
  func provisionalTarget(of key: SyncKey, in table: SyncTable, _ error: SyncError) -> SyncIdentity?
  /// Whether a row is stored; true if the query fails, because the next statement then throws its error.
  func isStored(_ identity: SyncIdentity, of model: any SyncUpdatableModel.Type) -> Bool
}
