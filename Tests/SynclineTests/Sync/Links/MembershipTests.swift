import Syncline
import SynclineTesting
import Testing

/// Lists replace the members of a to-many relationship.
@Suite struct MembershipTests {
  private func tasks(_ count: Int, in store: SyncContainer) async throws {
    let rows = (1...count).map { #"{"id": \#($0), "title": "T\#($0)"}"# }.joined(separator: ", ")
    try await store.sync(payload: "[\(rows)]", as: Task.self)
  }

  @Test func rowsRemovedFromAListAreUnlinkedAndKept() async throws {
    let store = try makeStore()
    try await tasks(3, in: store)
    try await store.sync(payload: #"[{"id": 1, "name": "P", "task_ids": [1, 2]}]"#, as: Project.self)
    let report = try await store.sync(payload: #"[{"id": 1, "task_ids": [2, 3]}]"#, as: Project.self)
    #expect(try store.pick(Task.self, "id", "project") == [[1, nil], [2, 1], [3, 1]])
    #expect(report[Project.self].linked == 1)
    #expect(report[Project.self].unlinked == 1)
    #expect(report[Project.self].updated == 1)
    #expect(report.deleted == 0)
  }

  @Test func aManyToManyListIsSeenFromTheOtherEnd() async throws {
    let store = try makeStore()
    try await tasks(2, in: store)
    try await store.sync(
      payload: #"[{"id": 1, "name": "a", "task_ids": [1, 2]}, {"id": 2, "name": "b", "task_ids": [2]}]"#,
      as: Tag.self)
    #expect(try store.pick(Task.self, "tags") == [[[1]], [[1, 2]]])
    try await store.sync(payload: #"[{"id": 1, "tag_ids": [2]}, {"id": 2, "tag_ids": []}]"#, as: Task.self)
    #expect(try store.pick(Tag.self, "tasks") == [[[]], [[1]]])
  }

  @Test func selfReferencingListWithoutInverseIsStored() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"""
        [{"id": 1, "name": "A", "ally_ids": [1, 2, 3]}, {"id": 2, "name": "B", "ally_ids": [1]},
         {"id": 3, "name": "C", "flags": [{"id": 1, "color": "red"}]}]
        """#, as: Crew.self)
    #expect(try store.pick(Crew.self, "allies", "flags") == [[[1, 2, 3], []], [[1], []], [[], [1]]])
    try await store.sync(payload: #"[{"id": 1, "allies": [3]}, {"id": 2}, {"id": 3}]"#, as: Crew.self)
    #expect(try store.pick(Crew.self, "allies") == [[[3]], [[1]], [[]]])
  }

  @Test func aChildListedUnderAnotherParentMoves() async throws {
    let store = try makeStore()
    try await tasks(2, in: store)
    try await store.sync(
      payload: #"[{"id": 1, "name": "P", "task_ids": [1, 2]}, {"id": 2, "name": "Q"}]"#, as: Project.self)
    try await store.sync(
      payload: #"[{"id": 2, "name": "Q", "task_ids": [1]}]"#, as: Project.self,
      deletionPolicy: DeletionPolicy.none)
    #expect(try store.pick(Project.self, "id", "tasks") == [[1, [2]], [2, [1]]])
  }

  @Test func aMoveDoesNotDependOnTheOrderOfTheLists() async throws {
    for rows in [
      [#"{"id": 1, "task_ids": []}"#, #"{"id": 2, "task_ids": [1]}"#],
      [#"{"id": 2, "task_ids": [1]}"#, #"{"id": 1, "task_ids": []}"#],
    ] {
      let store = try makeStore()
      try await tasks(1, in: store)
      try await store.sync(
        payload: #"[{"id": 1, "name": "P", "task_ids": [1]}, {"id": 2, "name": "Q"}]"#, as: Project.self)
      let payload = "[\(rows.joined(separator: ", "))]"
      let report = try await store.sync(payload: payload, as: Project.self)
      #expect(try store.pick(Task.self, "project") == [[2]])
      #expect(report[Project.self].linked == 1)
      #expect(try await store.sync(payload: payload, as: Project.self).isUnchanged)
    }
  }

  @Test func aLaterListWinsOverAnEarlierOne() async throws {
    let store = try makeStore()
    try await tasks(1, in: store)
    let payload = #"[{"id": 1, "name": "P", "task_ids": [1]}, {"id": 2, "name": "Q", "task_ids": [1]}]"#
    try await store.sync(payload: payload, as: Project.self)
    #expect(try store.pick(Task.self, "project") == [[2]])
    let writes = try await store.sync(payload: payload, as: Project.self)
    #expect(writes.isUnchanged)
    #expect(try store.pick(Task.self, "project") == [[2]])
  }

  @Test func laterListWinsForNestedRowsAndPendingLinks() async throws {
    for lists in [
      (#""task_ids": [1]"#, #""task_ids": [1]"#),
      (#""tasks": [{"id": 1, "title": "A"}]"#, #""task_ids": [1]"#),
      (#""tasks": [{"id": 1, "title": "A"}]"#, #""tasks": [{"id": 1, "title": "B"}]"#),
      (#""task_ids": [1]"#, #""tasks": [{"id": 1, "title": "B"}]"#),
    ] {
      let store = try makeStore()
      let payload = #"[{"id": 1, "name": "P", \#(lists.0)}, {"id": 2, "name": "Q", \#(lists.1)}]"#
      try await store.sync(payload: payload, as: Project.self)
      try await store.sync(item: #"{"id": 1, "title": "A"}"#, as: Task.self)
      #expect(try store.pick(Task.self, "project") == [[2]], "\(lists)")
      try await store.sync(payload: payload, as: Project.self)
      #expect(try store.pick(Task.self, "project") == [[2]], "\(lists)")
      #expect(try await store.sync(payload: payload, as: Project.self).isUnchanged, "\(lists)")
    }
  }

  @Test func theListAChildIsInWinsOverItsOwnKey() async throws {
    let store = try makeStore()
    let payload = #"""
      [{"id": 1, "name": "P", "tasks": [{"id": 1, "title": "A", "project_id": 2}]}, {"id": 2, "name": "Q"}]
      """#
    try await store.sync(payload: payload, as: Project.self)
    #expect(try store.pick(Task.self, "project") == [[1]])
    #expect(try await store.sync(payload: payload, as: Project.self).isUnchanged)
  }

  @Test func listOverridesKeyOfItsMemberInAnyRowOrder() async throws {
    let rows = [
      #"{"id": 1, "title": "A", "project_id": 2}"#,
      #"{"id": 2, "title": "B", "project": {"id": 1, "name": "P", "task_ids": [1, 2]}}"#,
      #"{"id": 3, "title": "C", "project": {"id": 2, "name": "Q"}}"#,
    ]
    for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2], [2, 0, 1], [0, 2, 1], [1, 2, 0]] {
      let store = try makeStore()
      let payload = "[\(order.map { rows[$0] }.joined(separator: ", "))]"
      try await store.sync(payload: payload, as: Task.self)
      #expect(try store.pick(Task.self, "project") == [[1], [1], [2]], "\(order)")
      #expect(try await store.sync(payload: payload, as: Task.self).isUnchanged, "\(order)")
      #expect(try store.pick(Task.self, "project") == [[1], [1], [2]], "\(order)")
    }
  }

  @Test func completeListOverridesKeysOfOtherRowsInAnyOrder() async throws {
    let rows = [
      #"{"id": 1, "title": "A", "project": {"id": 1, "name": "P", "task_ids": [2]}}"#,
      #"{"id": 2, "title": "B"}"#, #"{"id": 3, "title": "C", "project_id": 1}"#,
    ]
    for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2], [2, 0, 1], [0, 2, 1], [1, 2, 0]] {
      let store = try makeStore()
      let payload = "[\(order.map { rows[$0] }.joined(separator: ", "))]"
      try await store.sync(payload: payload, as: Task.self)
      #expect(try store.pick(Task.self, "project") == [[nil], [1], [nil]], "\(order)")
      let report = try await store.sync(payload: payload, as: Task.self)
      #expect(report.isUnchanged, "\(order) \(report)")
      #expect(try store.pick(Task.self, "project") == [[nil], [1], [nil]], "\(order)")
    }
  }

  @Test func aLaterListOfTheSameRowReplacesTheEarlier() async throws {
    let store = try makeStore()
    try await tasks(3, in: store)
    let payload = #"[{"id": 1, "name": "P", "task_ids": [1, 2]}, {"id": 1, "task_ids": [2, 3]}]"#
    try await store.sync(payload: payload, as: Project.self)
    #expect(try store.pick(Project.self, "tasks") == [[[2, 3]]])
    #expect(try await store.sync(payload: payload, as: Project.self).isUnchanged)
    #expect(try store.pick(Project.self, "tasks") == [[[2, 3]]])
  }

  @Test func nestedListMayContainItsAncestor() async throws {
    let store = try makeStore()
    let item = #"""
      {"id": "a", "name": "A", "parent": {"id": "b", "name": "B", "children": [
        {"id": "c", "name": "C", "children": ["a"]}]}}
      """#
    try await store.sync(item: item, as: Category.self)
    #expect(try store.pick(Category.self, "id", "parent") == [["a", "c"], ["b", nil], ["c", "b"]])
    #expect(try await store.sync(item: item, as: Category.self).isUnchanged)
    #expect(try store.pick(Category.self, "id", "parent") == [["a", "c"], ["b", nil], ["c", "b"]])
  }

  @Test func aRequiredMemberIsNotUnlinkedAndIsReported() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"[{"id": 1, "name": "C", "sailors": [{"id": 1, "name": "S"}, {"id": 2, "name": "R"}]}]"#,
      as: Crew.self)
    for body in [#""sailor_ids": [2]"#, #""sailors": [{"id": 2, "name": "R"}]"#] {
      let report = try await store.sync(payload: #"[{"id": 1, \#(body)}]"#, as: Crew.self)
      #expect(report.actions == [.keptRow])
      #expect(report.isUnchanged)
      #expect(try store.pick(Sailor.self, "id", "crew") == [[1, 1], [2, 1]])
    }
    let deleting = try await store.sync(
      payload: #"[{"id": 1, "sailor_ids": [2]}]"#, as: Crew.self,
      children: [.policy(\.sailors, .hardDeleteMissing)])
    #expect(deleting[Sailor.self].deleted == 1)
    #expect(deleting.problems.isEmpty)
    #expect(try store.pick(Sailor.self, "id") == [[2]])
  }

  @Test func requiredMemberMayMoveToAnotherOwner() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"[{"id": 1, "name": "C", "sailors": [{"id": 1, "name": "S"}]}, {"id": 2, "name": "D"}]"#,
      as: Crew.self)
    for rows in [
      [#"{"id": 1, "sailor_ids": []}"#, #"{"id": 2, "sailor_ids": [1]}"#],
      [#"{"id": 1, "sailor_ids": [1]}"#, #"{"id": 2, "sailor_ids": []}"#],
    ] {
      let report = try await store.sync(payload: "[\(rows.joined(separator: ", "))]", as: Crew.self)
      #expect(report.problems.isEmpty, "\(report)")
      #expect(try await store.sync(payload: "[\(rows.joined(separator: ", "))]", as: Crew.self).isUnchanged)
    }
    #expect(try store.pick(Sailor.self, "crew") == [[1]])
  }

  @Test func aNewRequiredMemberIsLinkedByItsListAlone() async throws {
    let store = try makeStore()
    let report = try await store.sync(
      payload: #"[{"id": 1, "name": "C", "sailors": [{"id": 1, "name": "S"}]}]"#, as: Crew.self)
    #expect(report[Sailor.self].inserted == 1)
    #expect(try store.pick(Sailor.self, "crew") == [[1]])
  }
}
