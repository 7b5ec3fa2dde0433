import Foundation
import Syncline
import SynclineTesting
import Testing

/// The names of join tables and indexes.
@Suite struct StoreNameTests {
  private func names(of kind: String, in database: any DatabaseReader) throws -> [String] {
    try database.read { db in
      try String.fetchAll(
        db, sql: "SELECT name FROM sqlite_master WHERE type = ? AND name GLOB 'T*' ORDER BY name",
        arguments: [kind])
    }
  }

  @Test func joinTableAndIndexNamesCannotCollideWithModels() throws {
    let store = try SyncContainer(for: Task.self, Project.self, User.self, Tag.self, Item.self)
    #expect(try names(of: "table", in: store.database) == ["Tag", "Tag.tasks", "Task", "Task.watchers"])
    #expect(
      try names(of: "index", in: store.database) == [
        "Tag.tasks(target)", "Task(assignee)", "Task(project)", "Task.watchers(target)",
      ])
  }

  @Test func storeWithFormerTableNamesKeepsLinksAndIndexes() async throws {
    let queue = try DatabaseQueue()
    func open() throws -> SyncContainer {
      try SyncContainer(
        for: Task.self, Project.self, User.self, Tag.self, Item.self, storage: .database(queue))
    }
    let first = try open()
    try await first.sync(
      payload: #"[{"id": 1, "title": "a", "tags": [{"id": 2, "name": "x"}]}]"#, as: Task.self)
    let rows = try first.rows(of: Task.self)
    try await queue.write { db in
      try db.execute(
        sql: """
          ALTER TABLE "Tag.tasks" RENAME TO "Tag_tasks";
          DROP INDEX "Tag.tasks(target)";
          CREATE INDEX "Tag_tasks_target_index" ON "Tag_tasks"("target");
          DROP INDEX "Task(project)";
          CREATE INDEX "Task_project_index" ON "Task"("project");
          DROP TABLE "syncline_schema";
          """)
    }
    let second = try open()
    #expect(try second.rows(of: Task.self) == rows)
    #expect(try names(of: "table", in: queue) == ["Tag", "Tag.tasks", "Task", "Task.watchers"])
    #expect(
      try names(of: "index", in: queue) == [
        "Tag_tasks_target_index", "Task(assignee)", "Task.watchers(target)", "Task_project_index",
      ])
  }
}
