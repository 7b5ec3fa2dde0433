import Foundation
import Syncline

/// Stores in files, so that there are write-ahead logs. The files go with the folder: a suite keeps it for as long as
/// a test runs.
final class StoreFolder: Sendable {
  private let url = FileManager.default.temporaryDirectory.appending(path: "syncline-\(UUID())")

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The place of a file in the folder.
  func file(_ name: String) throws -> URL {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    return url.appending(path: name)
  }

  /// A new store for all models of the tests.
  func makeStore() throws -> SyncContainer {
    try SyncContainer(for: SynclineTestsSchema.self, storage: .file(try file("\(UUID()).sqlite")))
  }

  /// A new store of so many tasks, users and tags. All tasks are in project 1; each has an assignee and three tags.
  func makeTracker(_ size: Int) async throws -> SyncContainer {
    let store = try makeStore()
    try await store.sync(payload: payload(1...2) { #"{"id": \#($0), "name": "P\#($0)"}"# }, as: Project.self)
    try await store.sync(payload: payload(1...size) { #"{"id": \#($0), "name": "U\#($0)"}"# }, as: User.self)
    try await store.sync(
      payload: payload(1...size + 2) { #"{"id": \#($0), "name": "G\#($0)"}"# }, as: Tag.self)
    try await store.sync(payload: payload(1...size) { trackerTask($0) }, as: Task.self)
    return store
  }
}

/// A task as it is in such a store, or with another title.
func trackerTask(_ id: Int, title: String? = nil) -> String {
  """
  {"id": \(id), "title": "\(title ?? "T\(id)")", "description": "of \(id)",
   "state": {"id": "done", "label": "Done"}, "updated_at": "2024-03-11T10:15:30Z", "estimate": 1.5,
   "project_id": 1, "assignee_id": \(id), "tag_ids": [\(id), \(id + 1), \(id + 2)]}
  """
}

/// A payload of one object for each number.
func payload(_ numbers: some Sequence<Int>, _ object: (Int) -> String) -> String {
  "[" + numbers.map(object).joined(separator: ", ") + "]"
}
