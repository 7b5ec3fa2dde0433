import Foundation

@testable import Syncline

/// A server that answers each key once, refusals included. It writes down what it applied.
final class SimulatedServer: @unchecked Sendable {
  enum Mood {
    case row, bare, conflict, refused, busy
  }

  struct Request {
    let client: Int
    let model: SimulatedModel
    /// The identity; that of a seat with its task.
    let row: String
    let method: String
    let body: SyncJSONObject
    let key: String

    var place: String { "\(model.rawValue) \(row)" }
  }

  struct Answer {
    let status: Int
    var body = Data()
    /// The identity that the server made for a new row.
    var made: Int?
  }

  /// A value that a request gave a column.
  struct Applied {
    let client: Int
    let place: String
    let column: String
    let value: SyncJSON
  }

  struct Overrun: Error {}

  var fault: SimulatedFault?
  private(set) var tables: [SimulatedModel: [String: SyncJSONObject]] = [:]
  private(set) var applied: [Applied] = []
  /// The tasks and projects that were ever linked.
  private(set) var links: Set<[Int]> = []
  /// The server's identities of new projects, by the clients'.
  private(set) var made: [Int: Int] = [:]
  /// How often each unique value was applied; 0 for those of the first rows.
  private(set) var counts: [String: Int] = [:]
  private(set) var faults: [String] = []
  private(set) var clock = 1
  /// Requests that may come again.
  private(set) var old: [Request] = []
  private var answers: [String: Answer] = [:]
  private var refused: Set<String> = []
  private var received = 0
  /// The keys of requests without an answer, for a client that uses them for other content.
  private var unanswered: [String: String] = [:]

  init() {
    for id in 1...3 { fill(.project, ["id": .int(id), "name": .string("p-\(id)")]) }
    for id in 1...4 {
      fill(
        .task,
        [
          "id": .int(id), "title": .string("t-\(id)"), "votes": 0, "project_id": .int(id % 3 + 1),
          "tag_ids": .array([.int(id % 3 + 1)]), "updated_at": .int(SimulatedServer.time(1)),
        ])
    }
    for (id, project) in [("a", 1), ("b", 2)] {
      fill(.passport, ["id": .string(id), "number": .string("n-\(id)"), "project_id": .int(project)])
    }
    for id in 1...3 {
      let step = simulatedUUID(id).uuidString
      fill(.step, ["id": .string(step), "text": .string("s-\(id)"), "task_id": .int(id)])
    }
    for task in 1...2 {
      fill(.seat, ["id": 1, "name": .string("e-\(task)"), "task_id": .int(task)])
    }
    for id in 1...2 { fill(.note, ["id": .int(id), "text": .string("o-\(id)")]) }
  }

  private func fill(_ model: SimulatedModel, _ members: KeyValuePairs<String, SyncJSON>) {
    let row = SyncJSONObject(members.map { ($0.key, $0.value) })
    tables[model, default: [:]][SimulatedServer.name(of: row, model)] = row
    note(row, model)
    for column in model.uniqueColumns {
      if let value = row[column] { counts[SimulatedServer.label(column, value)] = 0 }
    }
  }

  private static func name(of row: SyncJSONObject, _ model: SimulatedModel) -> String {
    let id = row["id"].map(text) ?? ""
    return model == .seat ? (row["task_id"].map(text) ?? "") + "/" + id : id
  }

  /// A value without the quotes of JSON.
  static func text(_ value: SyncJSON) -> String { value.string ?? value.description }

  static func label(_ column: String, _ value: SyncJSON) -> String { "\(column) \(text(value))" }

  /// The seconds since 1970 at a time of the server's clock.
  static func time(_ clock: Int) -> Int { 1_767_225_600 + clock }

  // MARK: Reading

  func rows(_ model: SimulatedModel) -> [SyncJSONObject] {
    (tables[model] ?? [:]).sorted { $0.key < $1.key }.map(\.value)
  }

  func list(_ model: SimulatedModel) -> SyncJSON { .array(rows(model).map { SyncJSON.object($0) }) }

  func seats(of task: Int) -> SyncJSON {
    .array(rows(.seat).filter { $0["task_id"]?.int == task }.map { SyncJSON.object($0) })
  }

  func has(_ model: SimulatedModel, _ id: Int) -> Bool { tables[model]?["\(id)"] != nil }

  // MARK: Requests

  func answer(_ request: Request, _ mood: Mood) throws -> Answer {
    received += 1
    if received > 20_000 {
      faults.append("there is no end of requests")
      throw Overrun()
    }
    if let known = answers[request.key], isRemembered(known) { return known }
    if mood == .busy { return Answer(status: 503) }
    old.append(request)
    let answer = apply(request, mood)
    answers[request.key] = answer
    if answer.status >= 400 { refused.insert(request.key) }
    return answer
  }

  private func isRemembered(_ answer: Answer) -> Bool {
    switch fault {
    case .serverAnswersTheSameKeyAnew?: false
    case .serverForgetsItsRefusals?: answer.status < 400
    default: true
    }
  }

  /// A request that the server gets later than the client waits.
  func delay(_ request: Request) { old.append(request) }

  /// The key of a request. A wrong client uses that of an unanswered request of the same row.
  func key(_ key: String, _ place: String, _ client: Int) -> String {
    guard fault == .sendsNewContentWithTheOldKey else { return key }
    let known = unanswered["\(client) \(place)"] ?? key
    unanswered["\(client) \(place)"] = known
    return known
  }

  func forgetKey(of request: Request) { unanswered["\(request.client) \(request.place)"] = nil }

  // MARK: Applying

  private func apply(_ request: Request, _ mood: Mood) -> Answer {
    let stored = tables[request.model]?[request.row]
    if mood == .refused { return Answer(status: 422, body: Data("refused".utf8)) }
    if stored == nil, request.method != "POST" { return Answer(status: 404) }
    if mood == .conflict, let stored, request.method != "POST" {
      return Answer(status: 409, body: SimulatedServer.data(stored))
    }
    if request.method == "DELETE" {
      check(request)
      delete(request.model, request.row)
      return Answer(status: 200)
    }
    guard areTargetsStored(request) else { return Answer(status: 422, body: Data("no such row".utf8)) }
    check(request)
    var row = stored ?? SyncJSONObject()
    for (key, value) in request.body { row[key] = value }
    var answer = Answer(status: 200)
    if request.model == .project, request.method == "POST", let id = row["id"]?.int, id < 0 {
      let new = 5_000 + made.count + (made[id] == nil ? 0 : 500)
      made[id] = new
      row["id"] = .int(new)
      answer.made = new
    }
    if request.model == .passport, let project = row["project_id"]?.int {
      clear(.passport, to: project, but: request.row)
    }
    note(request)
    store(row, request.model)
    let name = SimulatedServer.name(of: row, request.model)
    if mood != .bare, let new = tables[request.model]?[name] { answer.body = SimulatedServer.data(new) }
    return answer
  }

  private static func data(_ row: SyncJSONObject) -> Data { Data(SyncJSON.object(row).description.utf8) }

  private func check(_ request: Request) {
    if refused.contains(request.key) { faults.append("\(request.place) was applied after it was refused") }
  }

  private func store(_ row: SyncJSONObject, _ model: SimulatedModel) {
    var row = row
    clock += 1
    if model == .task { row["updated_at"] = .int(SimulatedServer.time(clock)) }
    tables[model, default: [:]][SimulatedServer.name(of: row, model)] = row
    note(row, model)
  }

  private func note(_ row: SyncJSONObject, _ model: SimulatedModel) {
    if model == .task, let id = row["id"]?.int, let project = row["project_id"]?.int {
      links.insert([id, project])
    }
  }

  private func note(_ request: Request) {
    for (column, value) in request.body {
      applied.append(Applied(client: request.client, place: request.place, column: column, value: value))
      guard request.model.uniqueColumns.contains(column) else { continue }
      counts[SimulatedServer.label(column, value), default: 0] += 1
    }
  }

  private func areTargetsStored(_ request: Request) -> Bool {
    for (key, model) in [("project_id", SimulatedModel.project), ("task_id", SimulatedModel.task)] {
      guard let target = request.body[key], !target.isNull else { continue }
      if target.int.map({ $0 < 0 }) ?? true {
        faults.append("\(request.place) refers to \(target), which the server does not have")
      }
      if tables[model]?[SimulatedServer.text(target)] == nil { return false }
    }
    return true
  }

  private func delete(_ model: SimulatedModel, _ row: String) {
    tables[model]?[row] = nil
    clock += 1
    guard let id = Int(row) else { return }
    switch model {
    case .task:
      for child in [SimulatedModel.step, .seat] {
        for other in rows(child) where other["task_id"]?.int == id {
          tables[child]?[SimulatedServer.name(of: other, child)] = nil
        }
      }
    case .project:
      clear(.task, to: id)
      clear(.passport, to: id)
    default: break
    }
  }

  /// Clears the links to a project, except that of a row.
  private func clear(_ model: SimulatedModel, to project: Int, but row: String? = nil) {
    for var other in rows(model) where other["project_id"]?.int == project {
      guard SimulatedServer.name(of: other, model) != row else { continue }
      other["project_id"] = .null
      store(other, model)
    }
  }
}

extension SyncJSON {
  static func int(_ value: Int) -> SyncJSON { .number(SyncNumber(value)) }
}

/// An identity of a step.
func simulatedUUID(_ number: Int) -> UUID {
  UUID(uuidString: "00000000-0000-4000-8000-" + String(1_000_000_000_000 + number).dropFirst()) ?? UUID()
}
