import Foundation
import Syncline
import TestSupport

/// The folder of a point, and the store that its call uses.
struct Site: Sendable {
  static let fileName = "store.sqlite"

  let folder: URL
  /// The schema that the call opens the store with.
  let schema: String
  /// The storage with which the store is opened.
  var storage: @Sendable (URL) throws -> SyncStorage = { .file($0) }
  /// Runs between the transactions of a call that has several.
  var onStep: (@Sendable (TextStore) async throws -> Void)?
  private let opened = OpenedStore()

  init(folder: URL, schema: String) {
    self.folder = folder
    self.schema = schema
  }

  /// The file of the store.
  var file: URL { folder.appending(path: Site.fileName) }

  /// The store, if it is open.
  var store: TextStore? { opened.store }

  /// Returns the open store, or opens it. It stays open until `close()`.
  @discardableResult
  func open() throws -> TextStore {
    try opened.get { try TextStore(schema, in: try storage(file)) }
  }

  /// Closes the store, if it is open.
  func close() throws { try opened.take()?.close() }

  /// Called after a transaction of the call, if another one follows.
  func didCommit(_ store: TextStore) async throws { try await onStep?(store) }
}

extension TextStore {
  func close() throws { try container.database.close() }
}

private final class OpenedStore: @unchecked Sendable {
  private let lock = NSLock()
  private var current: TextStore?

  var store: TextStore? { lock.withLock { current } }

  func get(_ open: () throws -> TextStore) throws -> TextStore {
    try lock.withLock {
      if let current { return current }
      let store = try open()
      current = store
      return store
    }
  }

  func take() -> TextStore? {
    lock.withLock {
      defer { current = nil }
      return current
    }
  }
}
