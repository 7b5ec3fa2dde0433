import Syncline

/// A new store in a file with the given number of tasks, users and tags. All tasks are in project 1. Each has an assignee and
/// three tags.
func makeTracker(_ size: Int, in folder: TemporaryFolder) async throws -> SyncContainer {
  let store = try makeStore(in: folder)
  try await store.sync(payload: payload(1...2) { #"{"id": \#($0), "name": "P\#($0)"}"# }, as: Project.self)
  try await store.sync(payload: payload(1...size) { #"{"id": \#($0), "name": "U\#($0)"}"# }, as: User.self)
  try await store.sync(payload: payload(1...size + 2) { #"{"id": \#($0), "name": "G\#($0)"}"# }, as: Tag.self)
  try await store.sync(payload: payload(1...size) { trackerTask($0) }, as: Task.self)
  return store
}

/// A task as in such a store, or with another title.
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
