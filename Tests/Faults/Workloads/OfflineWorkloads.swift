import Foundation
import GRDB
import Syncline
import TestSupport

/// Offline edits: recorded, kept during a pull, and acknowledged by the server.
extension Workload {
  static let offlineCalls = [
    Workload(
      name: "capture", schema: schemaWithEdits, errors: .ofDatabase, traps: [.transaction], prepare: pull,
      call: { site in
        let store = try site.open()
        try await edit(store)
        return "edited"
      }),
    Workload(
      name: "pull", schema: schemaWithEdits,
      prepare: { store in
        try await pull(store)
        try await edit(store)
      },
      call: { try await $0.open().sync(list: tasks(titled: "second"), as: "Task").text() }),
    Workload(
      name: "acknowledge", schema: schemaWithEdits,
      prepare: { store in
        try await pull(store)
        try await store.run("UPDATE Task SET title = 'mine' WHERE id = 3")
      },
      call: { try await push(from: $0, answer: #"{"id": 3, "title": "mine", "note": "the server's"}"#) }),
    // The response has another identity, which replaces the row's identity everywhere.
    Workload(
      name: "new-identity", schema: schemaWithEdits,
      prepare: { store in
        try await pull(store)
        try await store.run(
          "INSERT INTO Task (id, title, project) VALUES (-5, 'mine', 1)",
          #"INSERT INTO "Task.tags" (source, target) VALUES (-5, 2)"#)
      },
      call: { try await push(from: $0, answer: #"{"id": 900, "title": "mine", "note": "the server's"}"#) }),
  ]

  private static let schemaWithEdits = #"""
    @Offline
    model Task {
      id: Int
      title: String
      note: String?
      project: Project?
      tags: [Tag]
    }

    model Project {
      id: Int
      name: String
      tasks: [Task]
    }

    model Tag {
      id: Int
    }
    """#

  private static func tasks(titled title: String) -> String {
    Payloads.list(1..<80) {
      #"{"id":\#($0),"title":"\#(title) \#($0)","note":"n","project_id":\#($0 % 3 + 1),"tag_ids":[\#($0 % 5 + 1)]}"#
    }
  }

  @Sendable
  private static func pull(_ store: TextStore) async throws {
    try await store.sync(list: Payloads.list(1..<4) { #"{"id":\#($0),"name":"p\#($0)"}"# }, as: "Project")
    try await store.sync(list: Payloads.list(1..<6) { #"{"id":\#($0)}"# }, as: "Tag")
    try await store.sync(list: tasks(titled: "first"), as: "Task")
  }

  /// Edits rows, a link and a list, and inserts and deletes rows. Repeating it changes nothing.
  private static func edit(_ store: TextStore) async throws {
    try await store.run(
      "UPDATE Task SET title = 'mine', project = 2 WHERE id <= 10", "DELETE FROM Task WHERE id = 20",
      """
      INSERT INTO Task (id, title, project) SELECT 900, 'new', 1
      WHERE NOT EXISTS (SELECT 1 FROM Task WHERE id = 900)
      """,
      """
      INSERT INTO "Task.tags" (source, target) SELECT 2, 4
      WHERE NOT EXISTS (SELECT 1 FROM "Task.tags" WHERE source = 2 AND target = 4)
      """)
  }

  /// Pushes the only change. The server responds with its row.
  private static func push(from site: Site, answer: String) async throws -> String {
    let store = try site.open()
    func push<Model: SyncUpdatableModel>(_ model: Model.Type) async throws -> String {
      let report = try await store.container.withPendingChanges(for: model) { changes in
        try await site.didCommit(store)
        var outcomes: [Model.SyncID: SyncPushOutcome<Model>] = [:]
        for change in changes { outcomes[change.id] = .confirmedWith(Data(answer.utf8)) }
        return outcomes
      }
      return "\(report.confirmed) confirmed, \(try report.synced.text()), \(report.problems)"
    }
    return try await push(store.model("Task"))
  }
}

extension TextStore {
  /// Runs statements in a transaction of the app.
  fileprivate func run(_ statements: String...) async throws {
    try await container.database.write { database in
      for sql in statements { try database.execute(sql: sql) }
    }
  }
}
