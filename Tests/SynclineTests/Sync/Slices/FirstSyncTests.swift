import Foundation
import Syncline
import SynclineTesting
import Testing

@Suite struct FirstSyncTests {
  @Test func memoryMappedFileIsAcceptedAsPayload() async throws {
    let folder = TemporaryFolder()
    let file = try folder.file("payload.json")
    let rows = (1...500).map { #"{"id": "\#($0)", "name": "n\#($0)"}"# }
    try Data("[\(rows.joined(separator: ","))]".utf8).write(to: file)
    let container = try makeStore()
    let report = try await container.sync(
      payload: Data(contentsOf: file, options: .alwaysMapped), as: Label.self)
    #expect(report.inserted == 500)
    #expect(try await container.sync(payload: Data(contentsOf: file), as: Label.self).isUnchanged)
  }

  @Test func nestedPayloadIsInsertedAndItsRepeatIsUnchanged() async throws {
    let container = try makeStore()
    var report = try await container.sync(
      payload:
        #"[{"id": 1, "title": "A", "project": {"id": 5, "name": "P"}, "tag_ids": [1, 2], "tags": [{"id": 1, "name": "x"}, {"id": 2, "name": "y"}], "state": {"id": "in_progress"}}]"#,
      as: Task.self)
    #expect(
      report[Task.self].inserted == 1 && report[Project.self].inserted == 1 && report[Tag.self].inserted == 2)
    #expect(try container.pick(Task.self, "id", "title", "project", "tags") == [[1, "A", 5, [1, 2]]])
    #expect(try container.pick(Tag.self, "id", "name") == [[1, "x"], [2, "y"]])
    report = try await container.sync(
      payload:
        #"[{"id": 1, "title": "A", "project": {"id": 5, "name": "P"}, "tag_ids": [1, 2], "tags": [{"id": 1, "name": "x"}, {"id": 2, "name": "y"}], "state": {"id": "in_progress"}}]"#,
      as: Task.self)
    #expect(report.isUnchanged)
  }
}
