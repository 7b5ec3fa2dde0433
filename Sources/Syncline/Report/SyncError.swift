/// Why a container could not be opened or a payload not synced.
///
/// More cases may come: a `switch` over them should have a `default`.
public enum SyncError: Error, Equatable, Sendable {
  /// The payload is not JSON, not of the expected shape, or a row of it cannot be kept. Nothing was written.
  ///
  /// The reason names the property, the JSON path and the row. The model is empty where the text is not JSON.
  case invalidPayload(model: String, reason: String)
  /// The call's task was cancelled, or `interrupt()` was called on the database. Nothing was written.
  case cancelled
  /// The models do not fit together.
  case schemaValidation(reason: String)
  /// The store could not be opened or does not fit the models.
  case containerInitialization(reason: String)
  /// Another connection held the store for longer than the call waits: ten seconds, where the container opened the file.
  /// Nothing was written. The call can be made again.
  case storeBusy(reason: String)
  /// The store could not be read or written: the disk is full or failed, the file must not be written, or SQLite got no
  /// memory. Nothing was written. The call can be made again when the cause is gone.
  ///
  /// The reason begins with SQLite's code: `SQLite error 7: out of memory, in a sync of Task`.
  case storeUnavailable(reason: String)
  /// The store is damaged. Nothing was written, and later calls that meet the damage say the same. See
  /// ``SyncContainer`` and its `check()` for what is damaged, and `recoverOnFailure` for a way to begin anew.
  case storeCorrupted(reason: String)
  /// The store's file was removed, moved or replaced while it was open. Nothing was written, and later calls say the
  /// same for as long as that is so: open another container.
  case storeReplaced(reason: String)
  /// The store was evolved to another schema while it was open, by another container or program. Nothing was written, and later
  /// calls say the same.
  case storeEvolved(reason: String)
  /// A column of a stored row holds another type than its property takes, which something else than a sync has written.
  /// Nothing was written, and later calls that read the row say the same.
  ///
  /// The reason names the column. The model is empty where the row was read by a statement that does not say it.
  case unreadableRow(model: String, reason: String)
  /// A blocking call was made where it would wait for itself: in a closure of the database's `read` or `write`, or in a
  /// `progress:` handler. Nothing was read. Make the call when the closure has returned, or from another task.
  case reentrantCall(reason: String)
}
