import Foundation
import Syncline

/// The rows and rules of the server. Each change of a row has a number. A token is the number of the last change
/// that a client has received.
actor Service {
  struct Answer: Sendable {
    let status: Int
    let body: Data

    init(_ status: Int, _ body: SyncJSON = [:]) {
      self.status = status
      self.body = Data(body.description.utf8)
    }
  }

  private struct Row {
    var values: SyncJSONObject
    /// The numbers of the changes that created the row, and last changed it.
    let made: Int
    var changed: Int
    var isDeleted = false
  }

  private static let rows = """
    {
      "users": [{"id": 1, "name": "Ada", "inbox_id": 1}],
      "projects": [{"id": 1, "name": "Home"}, {"id": 2, "name": "Work"}],
      "tasks": [
        {"id": 1, "title": "Buy milk", "is_done": false, "project_id": 1},
        {"id": 2, "title": "Call the plumber", "is_done": false, "project_id": 1},
        {"id": 3, "title": "Write the report", "is_done": false, "project_id": 2}
      ]
    }
    """

  private var lists: [String: [Int: Row]] = [:]
  private var answers: [String: Answer] = [:]
  private var lastID = 10
  private var lastChange = 1
  /// The oldest token that is still valid, because earlier deletions were discarded.
  private var oldest = 1

  init() throws {
    let lists = try SyncJSON(parsing: Service.rows).object ?? SyncJSONObject()
    for (name, rows) in lists {
      for row in rows.array ?? [] {
        self.lists[name, default: [:]][row["id"]?.int ?? 0] =
          Row(values: row.object ?? SyncJSONObject(), made: 1, changed: 1)
      }
    }
  }

  // MARK: Requests

  /// The body of a response: the changes since a token, or all rows if the token is nil or no longer valid. It contains
  /// the changed tasks, but all projects. The user and the projects are absent if they have not changed.
  func changes(since token: String?) -> Data {
    let known = token.flatMap { Int($0) }.flatMap { (oldest...lastChange).contains($0) ? $0 : nil }
    let since = known ?? 0
    let tasks = rows(of: "tasks").filter { $0.changed > since }
    let left = tasks.filter { !$0.isDeleted }
    let gone = tasks.filter { $0.isDeleted && $0.made <= since }
    var body = SyncJSONObject()
    body["sync_token"] = .string(String(lastChange))
    body["full_sync"] = .bool(known == nil)
    // The tasks precede the projects that they require, because the order does not matter to the client.
    let changes: SyncJSON = [
      "created": list(left.filter { $0.made > since }), "updated": list(left.filter { $0.made <= since }),
      "deleted": .array(gone.map { $0.values["id"] ?? .null }),
    ]
    body["tasks"] = changes
    let projects = rows(of: "projects")
    if projects.contains(where: { $0.changed > since }) {
      body["projects"] = list(projects.filter { !$0.isDeleted })
    }
    if let user = rows(of: "users").first, user.changed > since { body["user"] = .object(user.values) }
    return Data(SyncJSON.object(body).description.utf8)
  }

  /// Processes a command. If its key was processed before, the first response is returned again, and nothing
  /// else is done.
  func answer(_ body: Data) -> Answer {
    guard let command = try? SyncJSON(parsing: body), let key = command["key"]?.string else {
      return Answer(400, ["error": "this is no command"])
    }
    let answer = answers[key] ?? apply(command)
    answers[key] = answer
    return answer
  }

  private func apply(_ command: SyncJSON) -> Answer {
    let values = command["values"] ?? [:]
    guard let list = command["list"]?.string, let rows = lists[list] else {
      return Answer(404, ["error": "there is no such list"])
    }
    if command["action"]?.string == "insert" {
      return Answer(200, ["id": SyncJSON(insert(values, in: list))])
    }
    guard let id = command["id"]?.int, rows[id]?.isDeleted == false else {
      return Answer(404, ["error": "there is no such row"])
    }
    switch command["action"]?.string {
    case "update": update(id, values, in: list)
    case "delete": delete(id, in: list)
    default: return Answer(400, ["error": "there is no such action"])
    }
    return Answer(200)
  }

  // MARK: Changes

  /// - Returns: the identity of the new row.
  @discardableResult
  func insert(_ values: SyncJSON, in list: String) -> Int {
    lastID += 1
    update(lastID, values, in: list)
    return lastID
  }

  /// Changes the given values of a row, and keeps the others.
  func update(_ id: Int, _ values: SyncJSON, in list: String) {
    lastChange += 1
    var row =
      lists[list]?[id]
      ?? Row(values: SyncJSONObject([("id", SyncJSON(id))]), made: lastChange, changed: lastChange)
    for (key, value) in values.object ?? SyncJSONObject() { row.values[key] = value }
    row.changed = lastChange
    lists[list, default: [:]][id] = row
  }

  func delete(_ id: Int, in list: String) {
    lastChange += 1
    lists[list]?[id]?.isDeleted = true
    lists[list]?[id]?.changed = lastChange
  }

  /// Discards the record of deleted rows, so that only the newest token is valid.
  func forgetDeletions() {
    oldest = lastChange
    for (name, rows) in lists { lists[name] = rows.filter { !$0.value.isDeleted } }
  }

  // MARK: JSON

  private func rows(of list: String) -> [Row] {
    (lists[list] ?? [:]).sorted { $0.key < $1.key }.map(\.value)
  }

  private func list(_ rows: [Row]) -> SyncJSON { .array(rows.map { .object($0.values) }) }
}
