import Foundation
import GRDB
import Syncline
import TestSupport

/// Edits that are pushed, answered, set aside, discarded and read.
extension Workload {
  static let answeredCalls = [
    // The statement for a rollback expires when triggers are switched off.
    offline("pull-large", traps: [.transaction]) { store in
      let note = String(repeating: "a long note ", count: 60)
      return try await store.sync(
        list: Payloads.list(5..<130) {
          #"{"id":\#($0),"title":"second","note":"\#(note)","project_id":\#($0 % 3 + 1),"tag_ids":[\#($0 % 5 + 1)]}"#
        }, as: "Task", policy: .hardDeleteMissing
      ).text()
    },
    // The rows of the edits, and the rows that they require, are gone.
    offline("pull-gone", hasSteps: true) { store in
      try await store.sync(
        list: #"[{"id":1,"name":"p1"},{"id":3,"name":"p2","code":"new"}]"#, as: "Project",
        policy: .hardDeleteMissing
      ).text() + store.sync(list: "[]", as: "Task", policy: .hardDeleteMissing).text()
    },
    offline("pull-item") { store in
      try await store.sync(
        item: #"""
          {"id":4,"title":"second","project":{"id":2,"name":"other"},"tags":[{"id":1},{"id":77}],
           "steps":[{"id":1,"text":"s"}]}
          """#, as: "Task"
      ).text()
    },
    offline("pull-body") { store in
      func sync<Item: SyncUpdatableModel>(_ tasks: Item.Type) async throws -> String {
        try await store.container.sync(
          payload: #"""
            {"tasks":[{"id":4,"title":"x","project_id":2,"tag_ids":[1]},
             {"id":900,"title":"theirs","project_id":1}],"changes":{"updated":[],"deleted":[5,9]}}
            """#
        ) {
          $0.list("tasks", as: tasks, deletionPolicy: DeletionPolicy.none)
          $0.changes("changes", as: tasks)
        }.text()
      }
      return try await sync(store.model("Task"))
    },
    offline("emptied-gate", edit: "DELETE FROM syncline_gate; UPDATE Task SET title = 'again' WHERE id = 30")
    { store in
      try await store.sync(list: #"[{"id":4,"title":"x","project_id":2,"tag_ids":[1]}]"#, as: "Task")
        .text()
    },
    offline("discard", hasSteps: true) { store in
      // The move of a task out of a project that is deleted is discarded once that deletion is.
      let first = try await discardEach(store, "Task") + discardEach(store, "Project")
      return try await first + discardEach(store, "Task")
    },
    offline("discard-all") { store in
      try await store.container.discardAllPendingChanges()
      return "discarded"
    },
    offline("edits-read") { store in
      let all = try await store.container.pendingChanges().map { "\($0)" }.joined(separator: "\n")
      let pushes = try await store.pushes(of: "Task") + store.pushes(of: "Project") + store.pushes(of: "Step")
      return "\(all) \(pushes) \(try await store.container.hasPendingChanges())"
    },
    offline("drain", hasSteps: true) { store in try await drain(store) },
    offline("batches", hasSteps: true) { store in try await batches(store) },
  ]

  static let offlineSchema = #"""
    @Offline
    model Task {
      @PrimaryKey(madeBy: .server) id: Int
      title: String
      note: String?
      project: Project
      tags: [Tag]
      steps: [Step]
    }
    @Offline
    model Project {
      id: Int
      name: String
      @Unique code: String?
    }
    @Offline
    @ParentScoped(\.task)
    model Step {
      id: Int
      text: String
      task: Task
    }
    model Tag {
      id: Int
    }
    """#

  private static func offline(
    _ name: String, traps: Set<Trap> = [], hasSteps: Bool = false,
    edit: String? = nil,
    _ call: @escaping @Sendable (TextStore) async throws -> String
  ) -> Workload {
    Workload(
      name: name, schema: offlineSchema, traps: traps, hasUnknownSteps: hasSteps,
      prepare: { store in
        try await prepareAnswered(store)
        if let edit { try await store.run(edit) }
      }
    ) { try await call($0.open()) }
  }

  @Sendable
  static func prepareAnswered(_ store: TextStore) async throws {
    try await store.sync(
      list: Payloads.list(1..<4) { #"{"id":\#($0),"name":"p\#($0)","code":"c\#($0)"}"# }, as: "Project")
    try await store.sync(list: Payloads.list(1..<6) { #"{"id":\#($0)}"# }, as: "Tag")
    try await store.sync(
      list: Payloads.list(1..<50) {
        #"""
        {"id":\#($0),"title":"t\#($0)","note":"n","project_id":\#($0 % 3 + 1),"tag_ids":[\#($0 % 5 + 1)],\#
        "steps":[{"id":1,"text":"s"}]}
        """#
      }, as: "Task")
    try await store.run("UPDATE Task SET title = 'mine', project = 2 WHERE id <= 6")
    try await store.run("DELETE FROM Task WHERE id IN (20, 21)")
    try await store.run("INSERT INTO Project (id, name, code) VALUES (700, 'new', 'new')")
    try await store.run("INSERT INTO Task (id, title, project) VALUES (-1, 'new', 700), (-2, 'new', 1)")
    try await store.run(#"INSERT INTO "Task.tags" (source, target) VALUES (2, 5), (-1, 1)"#)
    try await store.run("INSERT INTO Step (id, text, task) VALUES (9, 'new', -1), (8, 'new', 3)")
    try await store.run("UPDATE Project SET name = 'mine' WHERE id = 2")
    try await store.run("DELETE FROM Project WHERE id = 3")
  }

  private static func discardEach(_ store: TextStore, _ name: String) async throws -> String {
    func discard<Model: SyncUpdatableModel>(_ model: Model.Type) async throws -> String {
      var count = 0
      for change in try await store.container.pendingChanges(for: model) {
        try await store.container.discard(change)
        count += 1
      }
      return "\(count)"
    }
    return try await discard(store.model(name))
  }

  /// The server gives new rows their identities.
  private static func push<Model: SyncUpdatableModel>(_ model: Model.Type) -> SyncPush {
    SyncPush(model) { change in
      guard change.kind == .insert, model.databaseTableName == "Task" else { return .confirmed }
      let id = "\(change.id)" == "-1" ? 901 : 902
      return .confirmedWith(
        Data(#"{"id":\#(id),"title":"of the server","tag_ids":[2],"steps":[{"id":9,"text":"n"}]}"#.utf8))
    }
  }

  private static func drain(_ store: TextStore) async throws -> String {
    func push(_ name: String) throws -> SyncPush {
      func make<Model: SyncUpdatableModel>(_ model: Model.Type) -> SyncPush { Workload.push(model) }
      return make(try store.model(name))
    }
    let (tasks, projects, steps) = (try push("Task"), try push("Project"), try push("Step"))
    let report = try await store.container.drainPendingChanges {
      tasks
      projects
      steps
    }
    return "\(report.confirmed) \(report.errors) \(report.problems) \(try report.synced.text())"
  }

  private static func batches(_ store: TextStore) async throws -> String {
    func push<Model: SyncUpdatableModel>(_ model: Model.Type) async throws -> String {
      var text = ""
      for _ in 1...12 {
        let report = try await store.container.withPendingChanges(for: model, limit: 3) { changes in
          var outcomes: [Model.SyncID: SyncPushOutcome<Model>] = [:]
          for change in changes {
            outcomes[change.id] =
              change.kind == .insert && Model.databaseTableName == "Task"
              ? .confirmedWith(Data(#"{"id":\#("\(change.id)" == "-1" ? 901 : 902)}"#.utf8)) : .confirmed
          }
          return outcomes
        }
        text += "\(report.confirmed),"
      }
      return text
    }
    var text = ""
    // The deleted project waits for the tasks that were moved to another one.
    for name in ["Project", "Task", "Step", "Project"] { text += try await push(store.model(name)) }
    return text
  }
}
