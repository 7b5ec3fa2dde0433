import Foundation
import Syncline
import SynclineTesting
import Testing

@Suite struct FirstSyncTests {
  @Test func insertsAndUpdates() async throws {
    let container = try SyncContainer(for: SynclineTestsSchema.self)
    var report = try await container.sync(
      payload:
        #"[{"id": 1, "title": "A", "project": {"id": 5, "name": "P"}, "tag_ids": [1, 2], "tags": [{"id": 1, "name": "x"}, {"id": 2, "name": "y"}], "state": {"id": "in_progress"}}]"#,
      as: Task.self)
    print(report)
    print(
      try container.rows(of: Task.self), try container.rows(of: Tag.self),
      try container.rows(of: Project.self))
    print(try container.export(as: Task.self))
    report = try await container.sync(
      payload:
        #"[{"id": 1, "title": "A", "project": {"id": 5, "name": "P"}, "tag_ids": [1, 2], "tags": [{"id": 1, "name": "x"}, {"id": 2, "name": "y"}], "state": {"id": "in_progress"}}]"#,
      as: Task.self)
    #expect(report.isUnchanged)
    print(report)
  }
}
