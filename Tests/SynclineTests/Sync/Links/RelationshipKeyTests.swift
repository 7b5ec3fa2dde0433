import Syncline
import SynclineTesting
import Testing

/// The values that are keys, and the rows that they refer to.
@Suite struct RelationshipKeyTests {
  private func store() async throws -> SyncContainer {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "name": "P1"}, {"id": 2, "name": "P2"}]"#, as: Project.self)
    try await store.sync(payload: #"[{"id": 1, "name": "T1"}, {"id": 2, "name": "T2"}]"#, as: Tag.self)
    return store
  }

  @Test func scalarsAreReadAsKeysAndObjectsAsRows() async throws {
    let store = try await store()
    try await store.sync(
      payload: #"""
        [{"id": 1, "title": "A", "project": 1, "tags": [1, {"id": 3, "name": "T3"}]},
         {"id": 2, "title": "B", "project_id": {"id": 3, "name": "P3"}, "tag_ids": [{"id": 4, "name": "T4"}, 2]},
         {"id": 3, "title": "C", "tags_ids": [2, 1]}]
        """#, as: Task.self)
    #expect(
      try store.pick(Task.self, "project", "tags") == [[1, [1, 3]], [3, [2, 4]], [nil, [1, 2]]])
  }

  @Test func camelCaseKeysAreReadInCamelStyle() async throws {
    let store = try makeStore(keyStyle: .camelCase)
    try await store.sync(payload: #"[{"id": 1, "name": "P1"}]"#, as: Project.self)
    try await store.sync(payload: #"[{"id": 1, "name": "T1"}]"#, as: Tag.self)
    try await store.sync(
      payload: #"""
        [{"id": 1, "title": "A", "projectId": 1, "tagIds": [1]},
         {"id": 2, "title": "B", "tagsIds": [1]},
         {"id": 3, "title": "C", "project_id": 1, "tag_ids": [1]}]
        """#, as: Task.self)
    #expect(try store.pick(Task.self, "project", "tags") == [[1, [1]], [nil, [1]], [nil, []]])
  }

  @Test func anExplicitKeyReplacesAllOthersAndMayBeAPath() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "name": "A"}, {"id": 2, "name": "B"}]"#, as: Person.self)
    try await store.sync(
      payload: #"""
        [{"id": 1, "meta": {"reporter": 1, "followers": [1, {"id": 2, "name": "renamed"}], "note": "n"}},
         {"id": 2, "reporter_id": 1, "reporter": 1, "follower_ids": [1], "followers": [2]},
         {"id": 3, "meta": {"reporter": {"id": 2}}}]
        """#, as: Ticket.self)
    #expect(
      try store.pick(Ticket.self, "reporter", "followers", "note")
        == [[1, [1, 2], "n"], [nil, [], nil], [2, [], nil]])
    #expect(try store.pick(Person.self, "name") == [["A"], ["renamed"]])
  }

  @Test func keysMatchIdentitiesOfTheSameTypeOnly() async throws {
    let store = try await store()
    try await store.sync(payload: #"[{"id": "1", "name": "C"}]"#, as: Category.self)
    let report = try await store.sync(
      payload: #"[{"id": 1, "title": "A", "project_id": "1", "tag_ids": ["1", 2]}]"#, as: Task.self)
    #expect(try store.pick(Task.self, "project", "tags") == [[nil, [2]]])
    #expect(report.actions == [.keptLink, .ignoredElements])
    let racks = try await store.sync(
      payload: #"[{"id": 1, "category_id": 1, "category_ids": [1, "1"]}]"#, as: Rack.self)
    #expect(try store.pick(Rack.self, "category", "categories") == [[nil, ["1"]]])
    #expect(racks.actions == [.keptLink, .ignoredElements])
  }

  @Test func uuidKeysAreCaseInsensitive() async throws {
    let store = try makeStore()
    let id = "C3E7A1B2-1001-4000-8000-0000000000AB"
    try await store.sync(payload: #"[{"device_uuid": "\#(id)", "name": "D"}]"#, as: Device.self)
    try await store.sync(
      payload:
        #"[{"id": 1, "main_id": "\#(id.lowercased())", "device_ids": ["\#(id.lowercased())", "\#(id)"]}]"#,
      as: Rack.self)
    #expect(try store.pick(Rack.self, "main", "devices") == [[.string(id), [.string(id)]]])
  }

  @Test func nestedIdentityIsParsedAsLenientlyAsARowIdentity() async throws {
    let store = try await store()
    try await store.sync(
      payload: #"[{"id": 1, "title": "A", "project": {"id": "1"}, "tags": [{"id": "2"}, {"id": 1.0}]}]"#,
      as: Task.self)
    #expect(try store.pick(Task.self, "project", "tags") == [[1, [1, 2]]])
  }

  @Test func relationshipValueOfWrongTypeKeepsLinksAndIsReported() async throws {
    let store = try await store()
    try await store.sync(
      payload: #"[{"id": 1, "title": "A", "project_id": 1, "tag_ids": [1]}]"#, as: Task.self)
    for body in [
      #""project_id": [2]"#, #""project": [{"id": 2}]"#, #""project": [[]]"#, #""project_id": true"#,
      #""project_id": 1.5"#, #""tags": {"id": 2}"#, #""tag_ids": 2"#, #""tag_ids": "2""#,
    ] {
      let report = try await store.sync(item: #"{"id": 1, \#(body)}"#, as: Task.self)
      #expect(report.actions == [.keptLink], "\(body)")
      #expect(report.isUnchanged, "\(body)")
      #expect(try store.pick(Task.self, "project", "tags") == [[1, [1]]], "\(body)")
    }
  }

  @Test func unreadableElementPreventsRemovalOfListMembers() async throws {
    let store = try await store()
    try await store.sync(payload: #"[{"id": 1, "title": "A", "tag_ids": [1]}]"#, as: Task.self)
    let report = try await store.sync(
      payload: #"[{"id": 1, "tag_ids": [2, null, "x", [3], true]}]"#, as: Task.self)
    #expect(try store.pick(Task.self, "tags") == [[[1, 2]]])
    #expect(report.problems.map(\.path) == (1...4).map { "[0].tag_ids[\($0)]" })
    #expect(Set(report.actions) == [.ignoredElements])
  }

  @Test func absentRelationshipKeysChangeNothing() async throws {
    let store = try await store()
    try await store.sync(
      payload: #"[{"id": 1, "title": "A", "project_id": 1, "tag_ids": [1]}]"#, as: Task.self)
    let report = try await store.sync(payload: #"[{"id": 1, "title": "A"}]"#, as: Task.self)
    #expect(report.isUnchanged)
    #expect(try store.pick(Task.self, "project", "tags") == [[1, [1]]])
  }

  @Test func unreadableKeyFallsBackToTheNextKey() async throws {
    let store = try await store()
    try await store.sync(
      payload:
        #"[{"id": 1, "title": "A", "project_id": "x", "project": {"id": 2}, "tags_ids": 7, "tag_ids": [1]}]"#,
      as: Task.self)
    #expect(try store.pick(Task.self, "project", "tags") == [[2, [1]]])
  }

  @Test func scalarColumnStoresTheKeyOfAPendingLink() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "assignee_id": 7}]"#, as: Ticket.self)
    #expect(try store.pick(Ticket.self, "assigneeID", "assignee") == [[7, nil]])
    try await store.sync(payload: #"[{"id": 7, "name": "G"}]"#, as: Person.self)
    #expect(try store.pick(Ticket.self, "assigneeID", "assignee") == [[7, 7]])
    try await store.sync(payload: #"[{"id": 1, "assignee_id": null}]"#, as: Ticket.self)
    #expect(try store.pick(Ticket.self, "assigneeID", "assignee") == [[nil, nil]])
  }

  @Test func duplicateListElementsAreLinkedOnce() async throws {
    let store = try await store()
    let report = try await store.sync(
      payload: #"[{"id": 1, "title": "A", "tag_ids": [1, 1, 2, 1], "tags": [{"id": 1, "name": "renamed"}]}]"#,
      as: Task.self)
    #expect(try store.pick(Task.self, "tags") == [[[1, 2]]])
    #expect(report[Task.self].linked == 2)
  }
}
