import Foundation
import Syncline
import SynclineTesting
import Testing

/// The report.
@Suite struct ReportTests {
  @Test func aReportIsATableAndEncodesToJSON() async throws {
    let container = try makeStore()
    let report = try await container.sync(
      payload: #"[{"id": 1, "title": "A", "estimate": "soon", "tag_ids": [1]}]"#, as: Task.self)
    let lines = report.description.split(separator: "\n")
    #expect(lines.first == "model  inserted  updated  unchanged")
    #expect(lines.dropFirst().first == "Task          1        0          0")
    #expect(
      report.description.contains(
        "Task “1”, [0].estimate: the string “soon” is not a valid Double (it is nil)"))
    let json = try SyncJSON(parsing: try JSONEncoder().encode(report))
    #expect(json["models"]?["Task"]?["inserted"] == 1)
    #expect(json["problems"]?.array?.count == 1)
    #expect(json["waiting"]?.array?.count == 1)
    #expect(try JSONDecoder().decode(SyncReport.self, from: try json.data()) == report)
  }
}
