import Syncline
import SynclineTesting
import Testing

/// Syncs of the rows of one parent.
@Suite struct ParentScopeTests {
  private func projects() async throws -> SyncContainer {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "name": "P"}, {"id": 2, "name": "Q"}]"#, as: Project.self)
    return store
  }

  private func boards() async throws -> SyncContainer {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "name": "P"}, {"id": 2, "name": "Q"}]"#, as: Board.self)
    return store
  }

  @Test func parentOfTheCallOverridesTheKeysOfRows() async throws {
    let store = try await projects()
    let payload = #"""
      [{"id": 1, "title": "A"}, {"id": 2, "title": "B", "project_id": 2}, {"id": 3, "title": "C", "project_id": null},
       {"id": 4, "title": "D", "project": {"id": 2, "name": "renamed"}}]
      """#
    try await store.sync(payload: payload, as: Task.self, parent: 1, relationship: \.project)
    #expect(try store.pick(Task.self, "project") == [[1], [1], [1], [1]])
    #expect(try store.pick(Project.self, "name") == [["P"], ["Q"]])
    #expect(
      try await store.sync(payload: payload, as: Task.self, parent: 1, relationship: \.project).isUnchanged)
  }

  @Test func onlyRowsOfTheGivenParentAreDeleted() async throws {
    let store = try await projects()
    try await store.sync(
      payload: #"""
        [{"id": 1, "title": "A", "project_id": 1}, {"id": 2, "title": "B", "project_id": 1},
         {"id": 3, "title": "C", "project_id": 2}, {"id": 4, "title": "D"}]
        """#, as: Task.self)
    let report = try await store.sync(
      payload: #"[{"id": 2, "title": "B"}]"#, as: Task.self, parent: 1, relationship: \.project)
    #expect(report.deleted == 1)
    #expect(try store.pick(Task.self, "id", "project") == [[2, 1], [3, 2], [4, nil]])
    try await store.sync(payload: "[]", as: Task.self, parent: 1, relationship: \.project)
    #expect(try store.pick(Task.self, "id", "project") == [[3, 2], [4, nil]])
  }

  /// Not even to that of a parent they had.
  @Test func rowsWithoutAParentBelongToNoScope() async throws {
    let store = try await projects()
    try await store.sync(
      payload: #"[{"id": 1, "title": "A", "project_id": 1}, {"id": 2, "title": "B"}]"#, as: Task.self)
    try await store.sync(item: #"{"id": 1, "title": "A", "project_id": null}"#, as: Task.self)
    for parent in 1...2 {
      let report = try await store.sync(payload: "[]", as: Task.self, parent: parent, relationship: \.project)
      #expect(report.isUnchanged)
      let exported = try await store.export(as: Task.self, parent: parent, relationship: \.project)
      #expect(exported.isEmpty)
    }
    #expect(try store.pick(Task.self, "id", "project") == [[1, nil], [2, nil]])
    // A sync of a parent's rows that contains them moves them there.
    let payload = #"[{"id": 2, "title": "B"}]"#
    try await store.sync(payload: payload, as: Task.self, parent: 1, relationship: \.project)
    #expect(try store.pick(Task.self, "id", "project") == [[1, nil], [2, 1]])
  }

  @Test func parentCanBePassedAsARow() async throws {
    let store = try await projects()
    let project = try await store.database.read { try Project.fetchOne($0, key: 2) }
    try await store.sync(
      payload: #"[{"id": 1, "title": "A"}]"#, as: Task.self, parent: #require(project),
      relationship: \.project)
    #expect(try store.pick(Task.self, "project") == [[2]])
  }

  @Test func rowOfAnotherParentMovesToTheGivenParent() async throws {
    let store = try await projects()
    try await store.sync(
      payload: #"[{"id": 1, "title": "A", "project_id": 2}, {"id": 2, "title": "B"}]"#, as: Task.self)
    let report = try await store.sync(
      payload: #"[{"id": 1, "title": "A"}, {"id": 2, "title": "B"}]"#, as: Task.self, parent: 1,
      relationship: \.project)
    #expect(try store.pick(Task.self, "id", "project") == [[1, 1], [2, 1]])
    #expect(report[Task.self].updated == 2)
    #expect(report[Task.self].inserted == 0)
  }

  @Test func aParentThatIsNotStoredIsRefused() async throws {
    let store = try await projects()
    do {
      try await store.sync(
        payload: #"[{"id": 1, "title": "A"}]"#, as: Task.self, parent: 9, relationship: \.project)
      Issue.record("the sync must throw")
    } catch SyncError.invalidPayload(let model, let reason) {
      #expect(model == "Task")
      #expect(reason.contains("project"))
      #expect(reason.contains("9"))
    }
    #expect(try store.rows(of: Task.self).isEmpty)
  }

  @Test func itemSyncWithAParentDeletesNothing() async throws {
    let store = try await projects()
    try await store.sync(
      payload: #"[{"id": 1, "title": "A", "project_id": 1}]"#, as: Task.self)
    try await store.sync(item: #"{"id": 2, "title": "B"}"#, as: Task.self, parent: 1, relationship: \.project)
    #expect(try store.pick(Task.self, "id", "project") == [[1, 1], [2, 1]])
  }

  @Test func rowGetsTheGivenParentUnderAnyOperationMask() async throws {
    for row in MaskRow.all {
      let store = try await projects()
      try await store.sync(payload: #"[{"id": 1, "title": "A", "project_id": 2}]"#, as: Task.self)
      try await store.sync(
        payload: #"[{"id": 1, "title": "A"}, {"id": 2, "title": "B"}]"#, as: Task.self, parent: 1,
        relationship: \.project, relationshipOperations: row.mask)
      #expect(try store.pick(Task.self, "project") == [[1], [1]], "\(row.name)")
    }
  }

  @Test func requiredParentIsSetByTheParentArgument() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "title": "A"}]"#, as: Task.self)
    try await store.sync(
      payload: #"[{"id": "i", "title": "I"}]"#, as: Item.self, parent: 1, relationship: \.task)
    #expect(try store.pick(Item.self, "id", "task") == [["i", 1]])
  }

  @Test func equalIdentitiesAreAllowedUnderDifferentParents() async throws {
    let store = try await boards()
    let payload = #"[{"id": 1, "title": "A"}, {"id": 2, "title": "B"}]"#
    try await store.sync(payload: payload, as: Column.self, parent: 1, relationship: \.board)
    let report = try await store.sync(
      payload: #"[{"id": 1, "title": "other"}]"#, as: Column.self, parent: 2, relationship: \.board)
    #expect(report.inserted == 1)
    #expect(report.deleted == 0)
    func columns() throws -> Set<[SyncJSON]> { Set(try store.pick(Column.self, "board", "id", "title")) }
    #expect(try columns() == [[1, 1, "A"], [1, 2, "B"], [2, 1, "other"]])
    #expect(
      try await store.sync(payload: payload, as: Column.self, parent: 1, relationship: \.board).isUnchanged)
    try await store.sync(
      payload: #"[{"id": 2, "title": "B"}]"#, as: Column.self, parent: 1, relationship: \.board)
    #expect(try columns() == [[1, 2, "B"], [2, 1, "other"]])
    try await store.sync(
      item: #"{"id": 1, "title": "renamed"}"#, as: Column.self, parent: 2, relationship: \.board)
    #expect(try columns() == [[1, 2, "B"], [2, 1, "renamed"]])
  }

  @Test func aParentScopedModelNeedsAParent() async throws {
    let store = try await boards()
    await #expect(throws: SyncError.self) {
      try await store.sync(payload: #"[{"id": 1, "title": "A", "board_id": 1}]"#, as: Column.self)
    }
    await #expect(throws: SyncError.self) {
      try await store.sync(item: #"{"id": 1, "title": "A", "board_id": 1}"#, as: Column.self)
    }
    #expect(try store.rows(of: Column.self).isEmpty)
  }

  @Test func nestedListOfParentScopedRowsIsSynced() async throws {
    let store = try makeStore()
    let payload = #"""
      [{"id": 1, "name": "P", "columns": [{"id": 1, "title": "A"}, {"id": 2, "title": "B"}]},
       {"id": 2, "name": "Q", "columns": [{"id": 1, "title": "C"}]}]
      """#
    try await store.sync(payload: payload, as: Board.self)
    func columns() throws -> Set<[SyncJSON]> { Set(try store.pick(Column.self, "board", "id", "title")) }
    #expect(try columns() == [[1, 1, "A"], [1, 2, "B"], [2, 1, "C"]])
    #expect(try await store.sync(payload: payload, as: Board.self).isUnchanged)
    let report = try await store.sync(
      payload: #"""
        [{"id": 1, "name": "P", "columns": [{"id": 1, "title": "renamed"}]}, {"id": 2, "name": "Q", "columns": []}]
        """#, as: Board.self, children: [.policy(\.columns, .hardDeleteMissing)])
    #expect(try columns() == [[1, 1, "renamed"]])
    #expect(report[Column.self].deleted == 2)
  }

  @Test func deletingAParentDeletesItsOwnRowsOnly() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"""
        [{"id": 1, "name": "P", "columns": [{"id": 1, "title": "A"}]},
         {"id": 2, "name": "Q", "columns": [{"id": 1, "title": "C"}]}]
        """#, as: Board.self)
    let report = try await store.sync(payload: #"[{"id": 2, "name": "Q"}]"#, as: Board.self)
    #expect(report[Column.self].deleted == 1)
    #expect(try store.pick(Column.self, "board", "title") == [[2, "C"]])
  }

  @Test func softDeleteAndReactivationApplyPerParent() async throws {
    let store = try await boards()
    for board in [1, 2] {
      try await store.sync(
        payload: #"[{"id": 1, "title": "A", "updated_at": 10, "flag": {"id": 1}}]"#, as: Lane.self,
        parent: board,
        relationship: \.board)
    }
    let report = try await store.sync(payload: "[]", as: Lane.self, parent: 1, relationship: \.board)
    #expect(report.softDeleted == 1)
    #expect(
      try store.rows(of: Lane.self).filter { $0["deletedAt"] == .null }.map { $0["board"] } == [2])
    let back = try await store.sync(
      payload: #"[{"id": 1, "title": "A", "updated_at": 10}]"#, as: Lane.self, parent: 1,
      relationship: \.board)
    #expect(back.reactivated == 1)
    #expect(try store.pick(Lane.self, "deletedAt", "flag") == [[nil, 1], [nil, 1]])
  }

  /// Without a parent, no call could refer to these rows, and two of them could have the same identity.
  @Test func rowsScopedByAnOptionalParentAreDeletedWithIt() async throws {
    let store = try makeStore()
    let cellars = #"""
      [{"id": 1, "jars": [{"id": 1, "label": "a"}, {"id": 2, "label": "b"}]},
       {"id": 2, "jars": [{"id": 1, "label": "c"}]}, {"id": 3, "jars": [{"id": 1, "label": "d"}]}]
      """#
    try await store.sync(payload: cellars, as: Cellar.self)
    func jars() throws -> Set<[SyncJSON]> { Set(try store.pick(Jar.self, "cellar", "id", "label")) }
    #expect(try jars() == [[1, 1, "a"], [1, 2, "b"], [2, 1, "c"], [3, 1, "d"]])
    let report = try await store.sync(payload: #"[{"id": 1}, {"id": 3}]"#, as: Cellar.self)
    #expect((report[Cellar.self].deleted, report[Jar.self].deleted) == (1, 1))
    #expect(try jars() == [[1, 1, "a"], [1, 2, "b"], [3, 1, "d"]])
    try await store.database.write { _ = try Cellar.deleteOne($0, key: 3) }
    #expect(try jars() == [[1, 1, "a"], [1, 2, "b"]])
    // A row that a list no longer contains cannot have another parent, so it is deleted.
    let shorter = #"[{"id": 1, "jars": [{"id": 1, "label": "a"}]}]"#
    let deleting = try await store.sync(payload: shorter, as: Cellar.self)
    #expect(deleting[Jar.self].deleted == 1 && deleting.problems.isEmpty)
    #expect(try jars() == [[1, 1, "a"]])
    let kept = try await store.sync(
      payload: #"[{"id": 1, "jars": []}]"#, as: Cellar.self, children: [.policy(\.jars, .none)])
    #expect(kept.isUnchanged)
    try await store.sync(
      payload: #"[{"id": 1, "cellar_id": null, "label": "new"}]"#, as: Jar.self, parent: 1,
      relationship: \.cellar
    )
    #expect(try jars() == [[1, 1, "new"]])
  }
}
