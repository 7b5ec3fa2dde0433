import SynclineNaming

/// How all objects of a sync are read.
final class PayloadSettings {
  let style: KeyStyle
  /// How dates are exported: what it cannot express makes no difference.
  let outputFormat: SyncDateFormat
  /// Whether keys of relationships are read as the identities that they name.
  let readsKeysAsIdentities: Bool
  let log: RunLog?
  /// The sync that reads the objects. It lives as long as they do.
  unowned(unsafe) let reader: (any PayloadReading)?

  init(
    style: KeyStyle, outputFormat: SyncDateFormat = .iso8601, readsKeysAsIdentities: Bool = false,
    log: RunLog? = nil, reader: (any PayloadReading)? = nil
  ) {
    self.style = style
    self.outputFormat = outputFormat
    self.readsKeysAsIdentities = readsKeysAsIdentities
    self.log = log
    self.reader = reader
  }
}

/// What objects ask of the sync that reads them.
protocol PayloadReading: AnyObject {
  /// Keeps the positions of an object that is looked at again, until the sync ends.
  func keep(_ tape: JSONTape)
  /// What a new row's required reference is until the payload's links are decided; nil where it must be said at once.
  ///
  /// - Parameter error: what is wrong where nothing gives the row one.
  func provisionalTarget(of key: SyncKey, in table: SyncTable, _ error: SyncError) -> SyncIdentity?
  /// Whether a row is stored; true where that is unknown: the next statement throws why.
  func isStored(_ identity: SyncIdentity, of model: any SyncUpdatableModel.Type) -> Bool
}
