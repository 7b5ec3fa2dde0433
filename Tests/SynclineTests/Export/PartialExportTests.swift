import Foundation
import Syncline
import SynclineTesting
import Testing

/// Exports of parts of rows, for a `PATCH` request.
@Suite struct PartialExportTests {
  private func filled() async throws -> (container: SyncContainer, task: Task) {
    let container = try makeStore()
    try await container.sync(
      payload: #"""
        [{"id": 1, "title": "A", "description": "d", "state": {"id": "open"}, "project": {"id": 7, "name": "P"},
          "tags": [{"id": 1, "name": "T"}], "assignee": {"id": 3, "name": "U"}}]
        """#, as: Task.self)
    return (container, try #require(try await container.database.read { try Task.fetchOne($0) }))
  }

  @Test func onlyNamedPropertiesAreExported() async throws {
    let (container, task) = try await filled()
    #expect(try await container.export(task, only: [\.title]) == ["title": "A"])
    #expect(
      try await container.export(task, only: [\.details, \.state, \.title])
        == ["title": "A", "description": "d", "state": ["id": "open"]])
    let related = try await container.export(task, only: [\.project, \.tags])
    #expect(related.object?.keys.sorted() == ["project", "tags"])
    #expect(related["project"]?["name"] == "P")
    #expect(related["tags"]?[0]?["name"] == "T")
    #expect(try await container.export(task, only: []) == [:])
  }

  @Test func onlyChangedPropertiesAreExported() async throws {
    let (container, task) = try await filled()
    var edited = task
    #expect(try await container.export(edited, changedFrom: task) == [:])
    edited.title = "B"
    edited.details = nil
    #expect(try await container.export(edited, changedFrom: task) == ["title": "B", "description": .null])
    edited = task
    edited.project = nil
    #expect(try await container.export(edited, changedFrom: task) == ["project": .null])
    // Strings are compared byte by byte.
    edited = task
    edited.title = "e\u{301}"
    var other = edited
    other.title = "\u{E9}"
    #expect(try await container.export(other, changedFrom: edited).object?.count == 1)
    // Syncing the sent body applies the change.
    let body = try await container.export(edited, changedFrom: task)
    let item = SyncJSON.object(SyncJSONObject([("id", 1), ("title", body["title"] ?? .null)]))
    #expect(try await container.sync(item: item, as: Task.self)[Task.self].updated == 1)
  }

  /// Nested rows of the same model are written as identities.
  @Test func nestedRowsOfTheSameModelAreExportedAsIdentities() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": "a", "contacts": ["b", "a"]}, {"id": "b"}]"#, as: Patient.self)
    let patient = try await store.database.read { try Patient.fetchOne($0, id: "a") }
    let exported = try await store.export(#require(patient), only: [\.contacts])
    #expect(exported == ["contacts": [["id": "a"], ["id": "b"]]])
  }

  /// In a whole export, the scalar states the key.
  @Test func relationshipIsExportedIfItsScalarIsNotSelected() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": "a", "friend_id": "b"}, {"id": "b"}]"#, as: Patient.self)
    let patient = try #require(try await store.database.read { try Patient.fetchOne($0, id: "a") })
    #expect(try await store.export(patient, only: [\.friend]) == ["friend_id": "b"])
    #expect(try await store.export(patient, only: [\.friendID]) == ["friend_id": "b"])
    var edited = patient
    edited.friend = Reference(id: "a")
    #expect(try await store.export(edited, changedFrom: patient) == ["friend_id": "a"])
  }

  @Test func keyPathThatIsNoPropertyIsRefused() async throws {
    let container = try makeStore()
    let station = Kinds(id: 1)
    await #expect(throws: SyncError.self) { try await container.export(station, only: [\.hashValue]) }
  }

  @Test func partialExportWorksInSynchronousCode() throws {
    let container = try makeStore()
    func body() throws -> SyncJSON { try container.export(Tag(id: 1, name: "T"), only: [\.name]) }
    #expect(try body() == ["name": "T"])
  }
}
