import Base
import Foundation
import Hostile
import Syncline

/// Parts from two modules, whose models have the names of well-known types.
struct TaskRow: Decodable, FetchableRecord {
  var task: Hostile.Task
  var owner: Base.Account?
  var row: Hostile.Row?
  var data: [Hostile.Data]
}

@main
struct App {
  static func main() async throws {
    let container = try SyncContainer(
      for: Base.Account.self, Hostile.Task.self, Hostile.Data.self, Hostile.Row.self, Hostile.Column.self,
      Hostile.Error.self, Hostile.Result.self, Hostile.Reference.self, Hostile.SyncPayload.self,
      Hostile.URL.self)
    let report = try await container.sync(
      payload: """
        [{"id": 1, "payload": "p", "owner": {"id": 7, "name": "Ada", "role": "admin"},
          "row": {"id": "c3e7a1b2-1001-0000-0000-000000000001", "columns": [{"id": 1}, {"id": 2}]},
          "data": [{"id": "a", "error": {"id": 3, "result": {"name": "failed"}}}]}]
        """, as: Hostile.Task.self)
    print(report)
    try await container.sync(
      payload: #"[{"id": 1, "class": "c", "default": 2, "in": true, "state": 3}]"#, as: Hostile.Reference.self
    )
    let rows = try await container.database.read { db in
      try Hostile.Task.including(optional: Hostile.Task.owner).including(optional: Hostile.Task.row)
        .including(all: Hostile.Task.data).asRequest(of: TaskRow.self).fetchAll(db)
    }
    let copies = try JSONDecoder().decode([Hostile.Task].self, from: JSONEncoder().encode(rows.map(\.task)))
    print(
      "joined", rows.map { "\($0.owner?.name ?? "") \($0.data.map(\.id))" },
      Set(copies) == Set(rows.map(\.task)))
    let state = MainActorState()
    state.selected = try await container.database.read { db in try Hostile.Task.fetchOne(db) }
    print(try await container.export(as: Hostile.Task.self).map(\.description).joined())
    print(try await container.export(as: Hostile.Reference.self).map(\.description).joined())
    try await OddNames.run()
    try await PublicModels.run()
    print("selected", state.selected?.id ?? 0, state.selected?.owner?.id ?? 0)
  }
}
