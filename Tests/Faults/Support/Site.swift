import Foundation
import Syncline
import TestSupport

/// The folder in which one point works, with the store that its call uses.
struct Site: Sendable {
  static let fileName = "store.sqlite"

  let folder: URL
  /// The schema that the call opens the store with.
  let schema: String
  /// The store, if it was open before the call; nil if the call opens it.
  var store: TextStore?

  /// The file of the store.
  var file: URL { folder.appending(path: Site.fileName) }

  /// Returns the open store, or opens it.
  func open() throws -> TextStore { try store ?? TextStore(schema, in: .file(file)) }

  /// Runs a closure with the store. A store that is opened for it is closed afterwards.
  func withStore<Result>(_ body: (TextStore) async throws -> Result) async throws -> Result {
    if let store { return try await body(store) }
    let store = try open()
    let result: Swift.Result<Result, any Error>
    do { result = .success(try await body(store)) } catch { result = .failure(error) }
    // An error of the body says more than one of closing.
    if case .success = result { try store.close() } else { try? store.close() }
    return try result.get()
  }
}

extension TextStore {
  func close() throws { try container.database.close() }
}
