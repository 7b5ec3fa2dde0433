import CoreMetrics
import Foundation
import MetricsTestKit
import SynclineMetrics
import SynclineTesting
import Testing

@testable import Syncline

/// Logs and metrics of syncs for the operators of an app.
@Suite struct OperatorTests {
  private let folder = TemporaryFolder()
  private let lines = LoggedLines()

  private var configuration: SyncConfiguration {
    var configuration = SyncConfiguration()
    configuration.logger = lines.logger
    return configuration
  }

  @Test func syncIsLoggedAsOneLine() async throws {
    let container = try SyncContainer(for: SynclineTestsSchema.self, configuration: configuration)
    try await container.sync(payload: #"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]"#, as: Tag.self)
    #expect(lines.texts == ["info: Synced Tag"])
    let metadata = try #require(lines.entries.first?.metadata)
    #expect(metadata["model"] == "Tag" && metadata["inserted"] == "2")
    #expect(metadata["deleted"] == nil)
    #expect(metadata["duration_ms"] != nil)
    #expect(metadata["wait_ms"] != nil)
  }

  @Test func syncOfAUnionIsLoggedUnderItsName() async throws {
    let container = try SyncContainer(for: SynclineTestsSchema.self, configuration: configuration)
    try await container.sync(payload: "[]", as: Exhibit.self)
    #expect(lines.texts == ["info: Synced Exhibit"])
    #expect(lines.entries.first?.metadata["model"] == "Exhibit")
  }

  @Test func problemsFailuresAndCancellationsAreLogged() async throws {
    let container = try SyncContainer(for: SynclineTestsSchema.self, configuration: configuration)
    try await container.sync(payload: #"[{"id": 1, "title": "a", "updated_at": "soon"}]"#, as: Task.self)
    #expect(
      lines.texts == [
        "info: Synced Task",
        "notice: Task “1”, [0].updated_at: the string “soon” is not a valid Date (it is nil)",
      ])
    _ = try? await container.sync(payload: "[{}]", as: Tag.self)
    #expect(lines.texts.last?.hasPrefix("error: A sync of Tag failed: Invalid payload for Tag") == true)
    let task = _Concurrency.Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await container.sync(payload: "[]", as: Tag.self)
    }
    _ = try? await task.value
    #expect(lines.texts.last == "info: A sync of Tag was cancelled")
    #expect(lines.entries.map { $0.metadata["model"] } == ["Task", "Task", "Tag", "Tag"])
  }

  @Test func onlyTwentyProblemsAreLoggedWithACount() async throws {
    let container = try SyncContainer(for: SynclineTestsSchema.self, configuration: configuration)
    let payload = SyncJSON.rows(30) { ["id": .number($0), "title": "t", "updated_at": "soon"] }
    try await container.sync(payload: payload, as: Task.self)
    #expect(lines.texts.count == 22)
    #expect(lines.texts.last == "notice: 10 more problems")
  }

  @Test func evolutionAndRecoveryAreLoggedAsWarnings() throws {
    let file = try folder.file()
    var schema = SyncSchemaSnapshot(try ModelCatalog(SynclineTestsSchema.models))
    schema.models.removeAll { $0.name == "Label" }
    let pool = try DatabasePool(path: file.path)
    _ = try SchemaEvolution(to: schema).run(pool)
    try pool.close()
    _ = try SyncContainer(for: SynclineTestsSchema.self, storage: .file(file), configuration: configuration)
    #expect(lines.texts == ["warning: The store was evolved: the model Label is new"])
    _ = try SyncContainer(for: SynclineTestsSchema.self, storage: .file(file), configuration: configuration)
    #expect(lines.texts.count == 1)
    let other = try folder.file()
    try Data(String(repeating: "no database ", count: 100).utf8).write(to: other)
    _ = try SyncContainer(
      for: SynclineTestsSchema.self, storage: .file(other), configuration: configuration,
      recoverOnFailure: true)
    #expect(lines.texts.last?.hasPrefix("warning: The store could not be opened") == true)
  }

  @Test func nothingIsLoggedWithoutALogger() async throws {
    let container = try makeStore()
    try await container.sync(payload: "[]", as: Tag.self)
    #expect(lines.texts == [])
  }

  @Test func syncMetricsAreRecorded() async throws {
    let metrics = TestMetrics()
    var configuration = SyncConfiguration()
    configuration.onSync = SyncMetrics(factory: metrics).record
    let container = try SyncContainer(for: SynclineTestsSchema.self, configuration: configuration)
    try await container.sync(
      payload: #"[{"id": 1, "title": "a", "tags": [{"id": 7, "name": "x"}], "updated_at": "soon"}]"#,
      as: Task.self)
    _ = try? await container.sync(payload: "[{}]", as: Tag.self)
    func count(_ label: String, _ dimensions: [(String, String)]) throws -> Int64 {
      try metrics.expectCounter(label, dimensions).totalValue
    }
    #expect(try count("syncline_syncs", [("model", "Task"), ("result", "ok")]) == 1)
    #expect(try count("syncline_syncs", [("model", "Tag"), ("result", "failed")]) == 1)
    #expect(try count("syncline_rows", [("model", "Tag"), ("change", "inserted")]) == 1)
    #expect(try count("syncline_links", [("model", "Task"), ("change", "linked")]) == 1)
    #expect(try count("syncline_problems", [("model", "Task")]) == 1)
    #expect(try metrics.expectTimer("syncline_sync_duration", [("model", "Task")]).values.count == 1)
    #expect(try metrics.expectTimer("syncline_sync_wait", [("model", "Task")]).values.count == 1)
  }
}
