import Foundation
import Syncline

/// The rows and rules of the server. It applies a request with an idempotency key once, and repeats its first
/// response if the request comes again.
actor Service {
  struct Request: Sendable {
    let method: String
    let path: String
    let body: Data
    /// The idempotency key. It is the same if a client sends the request again.
    let key: String?
    /// The version that the client has edited, from the header field `If-Match`.
    let version: String?
  }

  struct Answer: Sendable {
    let status: Int
    let body: Data

    init(_ status: Int, _ body: String = "") {
      self.status = status
      self.body = Data(body.utf8)
    }
  }

  private static let rows = """
    {
      "lists": [{"id": 1, "name": "Home"}],
      "labels": [{"id": 1, "name": "urgent"}, {"id": 2, "name": "weekly"}],
      "todos": [
        {
          "id": 1, "title": "Buy milk", "is_done": false, "note": null,
          "updated_at": "2026-03-01T08:00:00Z", "list_id": 1, "label_ids": [1]
        },
        {
          "id": 2, "title": "Call the plumber", "is_done": false, "note": null,
          "updated_at": "2026-03-01T08:00:00Z", "list_id": 1, "label_ids": []
        },
        {
          "id": 3, "title": "Sell the bicycle", "is_done": false, "note": null,
          "updated_at": "2026-03-01T08:00:00Z", "list_id": 1, "label_ids": []
        }
      ]
    }
    """

  private var tables: [String: [Int: SyncJSONObject]] = [:]
  private var answers: [String: Answer] = [:]
  private var lastID = 10
  /// The time of the server's clock, which advances each time a row is saved.
  private var minute = 10

  init() throws {
    let tables = try SyncJSON(parsing: Service.rows).object ?? SyncJSONObject()
    for (name, rows) in tables {
      for row in rows.array ?? [] { self.tables[name, default: [:]][row["id"]?.int ?? 0] = row.object }
    }
  }

  /// Processes a request. If its key was processed before, the first response is returned again, and nothing
  /// else is done.
  func answer(_ request: Request) -> Answer {
    guard let key = request.key else { return apply(request) }
    let answer = answers[key] ?? apply(request)
    answers[key] = answer
    return answer
  }

  /// Changes a to-do, as another client would.
  func edit(_ id: Int, _ changes: SyncJSON) {
    _ = save(changes.object ?? SyncJSONObject(), as: id, in: "todos")
  }

  private func apply(_ request: Request) -> Answer {
    let path = request.path.split(separator: "/").map { String($0) }
    guard let table = path.first, let rows = tables[table] else {
      return Answer(404, "there is no such path")
    }
    if request.method == "GET" {
      let sorted = rows.sorted { $0.key < $1.key }.map { SyncJSON.object($0.value) }
      return Answer(200, SyncJSON.array(sorted).description)
    }
    let changes = (try? SyncJSON(parsing: request.body))?.object ?? SyncJSONObject()
    if changes["title"]?.string == "" { return Answer(422, "a to-do needs a title") }
    if request.method == "POST" {
      // The server creates the identity, and ignores that of the client.
      lastID += 1
      return Answer(201, save(changes, as: lastID, in: table))
    }
    guard let id = Int(path[path.count - 1]), let row = rows[id] else {
      return Answer(404, "there is no such row")
    }
    // The response contains the current row, so that the client can reapply its edit to it.
    if let version = request.version, version != tag(of: row) {
      return Answer(412, SyncJSON.object(row).description)
    }
    if request.method == "DELETE" {
      tables[table]?[id] = nil
      return Answer(204)
    }
    return Answer(200, save(changes, as: id, in: table))
  }

  /// - Returns: the row as JSON.
  private func save(_ changes: SyncJSONObject, as id: Int, in table: String) -> String {
    var row = tables[table]?[id] ?? SyncJSONObject()
    for (key, value) in changes { row[key] = value }
    row["id"] = SyncJSON(id)
    if table == "todos" {
      minute += 1
      row["updated_at"] = .string("2026-03-01T08:\(minute):00Z")
    }
    tables[table]?[id] = row
    return SyncJSON.object(row).description
  }

  private func tag(of row: SyncJSONObject) -> String? {
    guard let stamp = row["updated_at"]?.string else { return nil }
    return "\"\(stamp)\""
  }
}
