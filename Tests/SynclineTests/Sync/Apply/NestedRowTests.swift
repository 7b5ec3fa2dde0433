import Syncline
import SynclineTesting
import TestSupport
import Testing

/// Nested objects in a payload are separate rows.
@Suite struct NestedRowTests {
  @Test func nestedRowsAreSyncedWithTheirValuesAndLinks() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 3, "name": "Tag"}]"#, as: Tag.self)
    let report = try await store.sync(
      payload: #"""
        [{"id": 1, "name": "P", "tasks": [
          {"id": 1, "title": "A", "description": "d", "state": {"id": "done", "label": "Done"}, "tag_ids": [3],
           "assignee": {"id": 9, "name": "U", "email": "u@x.org"},
           "items": [{"id": "i", "title": "I", "position": 2}]}]}]
        """#, as: Project.self)
    #expect(report.problems.isEmpty)
    #expect(
      try store.pick(
        Task.self, "title", "details", "state", "stateLabel", "project", "assignee", "tags", "items")
        == [["A", "d", "done", "Done", 1, 9, [3], ["i"]]])
    #expect(try store.pick(User.self, "name", "email") == [["U", "u@x.org"]])
    #expect(try store.pick(Item.self, "title", "position", "task") == [["I", 2, 1]])
    #expect(report[Item.self].inserted == 1)
    #expect(report[Project.self].inserted == 1)
  }

  @Test func nestedRowsUseTheSameKeyStyle() async throws {
    let store = try makeStore(keyStyle: .camelCase)
    try await store.sync(
      payload: #"[{"id": 1, "name": "P", "tasks": [{"id": 1, "title": "A", "updatedAt": 0}]}]"#,
      as: Project.self)
    #expect(try store.pick(Task.self, "updatedAt") == [["1970-01-01T00:00:00.000Z"]])
  }

  @Test func keyDeterminesLinkAndMatchingObjectIsApplied() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "name": "P1"}, {"id": 2, "name": "P2"}]"#, as: Project.self)
    for (project, name) in [(#"{"id": 2, "name": "R"}"#, "R"), (#"{"name": "S"}"#, "S")] {
      let report = try await store.sync(
        payload: #"[{"id": 1, "title": "A", "project_id": 2, "project": \#(project)}]"#, as: Task.self)
      #expect(try store.pick(Task.self, "project") == [[2]])
      #expect(try store.pick(Project.self, "name") == [["P1"], [.string(name)]])
      #expect(report.problems.isEmpty)
    }
  }

  @Test func nestedObjectWithOtherIdentityThanKeyIsIgnored() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "name": "P1"}, {"id": 2, "name": "P2"}]"#, as: Project.self)
    let report = try await store.sync(
      payload: #"[{"id": 1, "title": "A", "project_id": 2, "project": {"id": 1, "name": "renamed"}}]"#,
      as: Task.self)
    #expect(try store.pick(Task.self, "project") == [[2]])
    #expect(try store.pick(Project.self, "name") == [["P1"], ["P2"]])
    #expect(report.actions == [.ignoredObject])
  }

  @Test func keyAndObjectWithoutIdentityCreateTheRow() async throws {
    let store = try makeStore()
    let report = try await store.sync(
      payload: #"[{"id": 1, "title": "A", "project_id": 2, "project": {"name": "P2"}}]"#, as: Task.self)
    #expect(try store.pick(Project.self, "id", "name") == [[2, "P2"]])
    #expect(try store.pick(Task.self, "project") == [[2]])
    #expect(report.problems.isEmpty)
  }

  @Test func listOfKeysDeterminesLinksAndMatchingObjectsAreApplied() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]"#, as: Tag.self)
    try await store.sync(
      payload: #"""
        [{"id": 1, "title": "A", "tag_ids": [2, 3], "tags": [{"id": 1, "name": "x"}, {"id": 2, "name": "y"},
          {"id": 3, "name": "z"}]}]
        """#, as: Task.self)
    #expect(try store.pick(Task.self, "tags") == [[[2, 3]]])
    #expect(try store.pick(Tag.self, "name") == [["a"], ["y"], ["z"]])
  }

  @Test func anObjectWithoutIdentityUpdatesTheLinkedRow() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"[{"id": 1, "title": "A", "project": {"id": 1, "name": "P"}}, {"id": 2, "title": "B"}]"#,
      as: Task.self)
    let report = try await store.sync(
      payload: #"[{"id": 1, "project": {"name": "renamed"}}, {"id": 2, "project": {"name": "lost"}}]"#,
      as: Task.self)
    #expect(try store.pick(Project.self, "id", "name") == [[1, "renamed"]])
    #expect(try store.pick(Task.self, "project") == [[1], [nil]])
    #expect(report.actions == [.ignoredObject])
    #expect(report.problems.first?.path == "[1].project")
  }

  @Test func objectWithoutIdentityUpdatesOneToOnePartner() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"[{"id": 1, "name": "N", "passport": {"id": 1, "number": "x"}}]"#, as: Person.self)
    try await store.sync(payload: #"[{"id": 1, "passport": {"number": "y"}}]"#, as: Person.self)
    #expect(try store.pick(Passport.self, "id", "number", "person") == [[1, "y", 1]])
  }

  @Test func inAListAnObjectWithoutIdentityIsSkippedAndNothingIsRemoved() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"[{"id": 1, "title": "A", "tags": [{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]}]"#,
      as: Task.self)
    let report = try await store.sync(
      payload: #"[{"id": 1, "tags": [{"name": "lost"}, {"id": 3, "name": "c"}]}]"#, as: Task.self)
    #expect(try store.pick(Task.self, "tags") == [[[1, 2, 3]]])
    #expect(report[Tag.self].skipped == 1)
    #expect(report.actions == [.skippedRow])
    #expect(report.problems.first?.path == "[0].tags[0]")
  }

  @Test func nestedRowsAreReadSixtyFourLevelsDeep() async throws {
    func chain(_ levels: Int) -> String {
      (1...levels).reversed().reduce("") { inner, level in
        #"{"id": "\#(level + 100)", "name": "n"\#(inner.isEmpty ? "" : #", "parent": \#(inner)"#)}"#
      }
    }
    let store = try makeStore()
    let allowed = try await store.sync(item: chain(64), as: Category.self)
    #expect(try store.rows(of: Category.self).count == 64)
    #expect(allowed.problems.isEmpty)
    let other = try makeStore()
    let report = try await other.sync(item: chain(66), as: Category.self)
    #expect(try other.rows(of: Category.self).count == 64)
    #expect(report.actions == [.ignoredObject])
    #expect(try await other.sync(item: chain(66), as: Category.self).isUnchanged)
  }

  /// The row refers to itself, so the objects of a row are merged.
  @Test func objectsBelowSixtyFourLevelsAreNotMerged() async throws {
    let chain = (2...64).reversed().reduce(#"{"id": 1, "name": "deep"}"#) { inner, level in
      #"{"id": \#(level), "name": "a", "next": \#(inner)}"#
    }
    let item = #"{"id": 1, "name": "a", "other": {"id": 1, "name": "a"}, "next": \#(chain)}"#
    let store = try TextStore(
      """
      model Node {
        id: Int
        name: String
        @Relationship(inverse: nil) next: Node?
        @Relationship(inverse: nil) other: Node?
      }
      """)
    let report = try await store.sync(item: item)
    #expect(try store.values(of: "Node", "id", "name").first == [1, "a"])
    #expect(report.merged == 0)
    #expect(report.actions.contains(.ignoredObject))
  }

  @Test func nestedListsAreReadSixtyFourLevelsDeep() async throws {
    func tree(_ levels: Int) -> String {
      (1...levels).reversed().reduce("") { inner, level in
        #"{"id": "\#(level + 100)", "name": "n", "children": [\#(inner)]}"#
      }
    }
    let store = try makeStore()
    let report = try await store.sync(item: tree(65), as: Category.self)
    #expect(try store.rows(of: Category.self).count == 64)
    #expect(report.actions == [.ignoredObject])
    #expect(try await store.sync(item: tree(65), as: Category.self).isUnchanged)
  }

  @Test func aFailingNestedRowFailsThePayload() async throws {
    let store = try makeStore()
    await #expect(throws: SyncError.self) {
      try await store.sync(
        payload: #"[{"id": 1, "title": "A", "tags": [{"id": 1, "name": []}, {"id": 2, "name": "b"}]}]"#,
        as: Task.self)
    }
    #expect(try store.everything().isEmpty)
  }

  @Test func onlyInvalidNestedRowIsSkippedAndNothingIsRemoved() async throws {
    let store = try makeStore(invalidRows: .skip)
    try await store.sync(
      payload: #"[{"id": 1, "title": "A", "tags": [{"id": 9, "name": "z"}]}]"#, as: Task.self)
    let report = try await store.sync(
      payload: #"""
        [{"id": 1, "title": "renamed", "project": {"id": 1, "name": []},
          "tags": [{"id": 1, "name": []}, {"id": 2, "name": "b"}]}]
        """#, as: Task.self)
    #expect(try store.pick(Task.self, "title", "project", "tags") == [["renamed", nil, [2, 9]]])
    #expect(report[Tag.self].skipped == 1)
    #expect(report[Project.self].skipped == 1)
    #expect(report[Task.self].updated == 1)
  }

  @Test func nestedParentRowIsNotDeletedAsMissing() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"[{"id": "a", "name": "A"}, {"id": "b", "name": "B"}, {"id": "c", "name": "C"}]"#,
      as: Category.self)
    let report = try await store.sync(
      payload: #"[{"id": "b", "name": "B", "parent": {"id": "a", "name": "A"}}]"#, as: Category.self)
    #expect(try store.pick(Category.self, "id") == [["a"], ["b"]])
    #expect(report.deleted == 1)
  }

  @Test func repeatedNestedRowIsAppliedInPayloadOrder() async throws {
    let store = try makeStore()
    let payload = #"""
      [{"id": 1, "title": "A", "assignee": {"id": 1, "name": "first", "email": "e"}},
       {"id": 2, "title": "B", "assignee": {"id": 1, "name": "second"}}]
      """#
    let report = try await store.sync(payload: payload, as: Task.self)
    #expect(try store.pick(User.self, "name", "email", "tasks") == [["second", "e", [1, 2]]])
    #expect(report[User.self].inserted == 1)
    let writes = try await store.sync(payload: payload, as: Task.self)
    #expect(writes.isUnchanged)
    #expect(writes[User.self].unchanged == 1)
  }
}
