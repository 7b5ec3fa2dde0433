/// An error that a container throws when it cannot be opened, or cannot sync, read or export.
///
/// Each case states what happened to the store. Later versions may add cases: a `switch` over them needs a `default`.
///
/// ```swift
/// do {
///   try await container.sync(payload: #"[{"id": 50}]"#, as: Task.self)
/// } catch SyncError.invalidPayload(_, let reason) {
///   print(reason)  // “title” is missing (at [0].title, row 0, identity 50)
/// } catch SyncError.storeBusy {
///   // Another connection holds the file: call again.
/// }
/// ```
///
/// ## Topics
///
/// ### The payload
///
/// - ``SyncError/invalidPayload(model:reason:)``
///
/// ### The models
///
/// - ``SyncError/schemaValidation(reason:)``
/// - ``SyncError/containerInitialization(reason:)``
///
/// ### The store
///
/// - ``SyncError/storeBusy(reason:)``
/// - ``SyncError/storeUnavailable(reason:)``
/// - ``SyncError/storeCorrupted(reason:)``
/// - ``SyncError/storeReplaced(reason:)``
/// - ``SyncError/storeEvolved(reason:)``
/// - ``SyncError/unreadableRow(model:reason:)``
///
/// ### The call
///
/// - ``SyncError/cancelled``
/// - ``SyncError/reentrantCall(reason:)``
///
/// ### Descriptions
///
/// - ``SyncError/description``
/// - ``SyncError/errorDescription``
public enum SyncError: Error, Equatable, Sendable {
  /// The payload is not JSON or not of the expected shape, or a row of it cannot be stored. Nothing was written.
  ///
  /// The reason names the property, the JSON path and the row. The model is empty if the payload is not JSON.
  case invalidPayload(model: String, reason: String)
  /// The call's task was cancelled, or `interrupt()` was called on the database. Nothing was written; `sync(pages:as:)` keeps the pages
  /// that it had committed.
  case cancelled
  /// The models of the container are inconsistent, or a call names a model or relationship that the container
  /// does not have.
  case schemaValidation(reason: String)
  /// The store could not be opened or does not fit the models.
  case containerInitialization(reason: String)
  /// Another connection locked the store for longer than the call waits: ten seconds if the container opened the file. Nothing
  /// was written. You can make the call again.
  case storeBusy(reason: String)
  /// The store could not be read or written: the disk is full or failed, the file must not be written, SQLite could not
  /// allocate memory, the database was closed, or a temporary table has the name of a model. Nothing was written. Remove the cause,
  /// and make the call again.
  ///
  /// The reason usually begins with SQLite's code: `SQLite error 7: out of memory, in a sync of Task`.
  case storeUnavailable(reason: String)
  /// The store is damaged. Nothing was written, and later calls that read the damaged pages throw the same error. `check()`
  /// of ``SyncContainer`` lists the damage. Opening the store with `recoverOnFailure` replaces it by a new one.
  case storeCorrupted(reason: String)
  /// The store's file was removed, moved or replaced while it was open. Nothing was written, and later calls throw the same error
  /// while the file is missing or another one: open another container.
  case storeReplaced(reason: String)
  /// Another container or program migrated the store to another schema while it was open. Nothing was written, and later calls
  /// throw the same error: open a container with that schema.
  case storeEvolved(reason: String)
  /// A column of a stored row has a value of a type that its property does not accept. A sync did not write this value. The call
  /// wrote nothing, and later calls that read the row throw the same error.
  ///
  /// The reason names the column. The model is empty if the statement that read the row does not state it.
  case unreadableRow(model: String, reason: String)
  /// A blocking call was made where it would deadlock: in a closure of the database's `read` or `write`, or in a
  /// `progress:` handler. Nothing was read. Make the call after the closure has returned, or from another task.
  case reentrantCall(reason: String)
}
