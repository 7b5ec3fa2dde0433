import Syncline
import SynclineTesting
import Testing

/// The functions of `SynclineTesting`.
@Suite struct TestingToolsTests {
  @Test func inMemoryContainerIsCreatedWithInitialRows() async throws {
    let payload = SyncJSON.rows(3) { ["id": .number($0), "name": .string("Tag \($0)")] }
    let container = try await SyncContainer.inMemory(SynclineTestsSchema.self) {
      try await $0.sync(payload: payload, as: Tag.self)
    }
    #expect(try container.rows(of: Tag.self).map { $0["name"] } == ["Tag 1", "Tag 2", "Tag 3"])
  }

  @Test func payloadsAreDerivedFromOtherPayloads() {
    let task: SyncJSON = ["id": 1, "title": "A"]
    #expect(task.setting(["title": "B"]) == ["id": 1, "title": "B"])
    #expect(task.removing("title") == ["id": 1])
    #expect(
      SyncJSON.array([task]).wrapped(in: "data.items") == ["data": ["items": [["id": 1, "title": "A"]]]])
  }

  @Test func expectUnchangedThrowsWhenSomethingChanges() async throws {
    let container = try makeStore()
    let payload: SyncJSON = [["id": 1, "name": "A"]]
    await #expect(throws: UnexpectedChange.self) {
      try await expectUnchanged(in: container) { try await $0.sync(payload: payload, as: Tag.self) }
    }
    try await expectUnchanged(in: container) { try await $0.sync(payload: payload, as: Tag.self) }
  }

  @Test func rowsUseSwiftNamesAndIdentityOrder() async throws {
    let container = try makeStore()
    try await container.sync(
      payload:
        #"[{"id": 10, "title": "B", "project": {"id": 1, "name": "P"}}, {"id": 9, "title": "A", "tags": [{"id": 2, "name": "y"}, {"id": 1, "name": "x"}]}]"#,
      as: Task.self)
    let rows = try container.rows(of: Task.self)
    #expect(rows.map { $0["id"] } == [9, 10])
    #expect(rows.map { $0["project"] } == [.null, 1])
    #expect(rows.first?["tags"] == [1, 2])
    #expect(rows.first?["internalFlag"] == false)
  }
}
