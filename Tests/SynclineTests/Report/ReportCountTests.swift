import Syncline
import SynclineTesting
import Testing

/// The counts of a report.
@Suite struct ReportCountTests {
  /// The counts of a model that are not zero.
  private func counts(_ report: SyncReport, _ model: String) -> [String: Int] {
    let counts = report.models[model] ?? SyncReport.Counts()
    let all = [
      "inserted": counts.inserted, "updated": counts.updated, "unchanged": counts.unchanged,
      "deleted": counts.deleted, "softDeleted": counts.softDeleted, "reactivated": counts.reactivated,
      "skipped": counts.skipped, "linked": counts.linked, "unlinked": counts.unlinked,
    ]
    return all.filter { $0.value != 0 }
  }

  /// A store with project 1 and tasks 1 and 2, without links.
  private func store() async throws -> SyncContainer {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "name": "P"}]"#, as: Project.self)
    try await store.sync(payload: #"[{"id": 1, "title": "A"}, {"id": 2, "title": "B"}]"#, as: Task.self)
    return store
  }

  @Test func aRowThatIsInsertedAndChangedCountsAsInserted() async throws {
    let store = try makeStore()
    let payload = #"[{"id": 1, "title": "A"}, {"id": 1, "title": "B"}]"#
    #expect(counts(try await store.sync(payload: payload, as: Task.self), "Task") == ["inserted": 1])
  }

  @Test func aRowThatIsReactivatedAndChangedCountsAsReactivated() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"remote_id": "s", "name": "S"}]"#, as: Studio.self)
    let marked = try await store.sync(payload: "[]", as: Studio.self)
    #expect(counts(marked, "Studio") == ["softDeleted": 1])
    let report = try await store.sync(payload: #"[{"remote_id": "s", "name": "T"}]"#, as: Studio.self)
    #expect(counts(report, "Studio") == ["reactivated": 1])
  }

  @Test func rowWithChangedListMembersCountsAsUpdated() async throws {
    let store = try await store()
    try await store.sync(payload: #"[{"id": 1, "name": "T"}]"#, as: Tag.self)
    let report = try await store.sync(payload: #"[{"id": 1, "tag_ids": [1]}, {"id": 2}]"#, as: Task.self)
    #expect(counts(report, "Task") == ["updated": 1, "unchanged": 1, "linked": 1])
    #expect(counts(report, "Tag") == [:])
  }

  @Test func nestedAndCascadedRowsCountForTheirOwnModel() async throws {
    let store = try makeStore()
    let boards = #"[{"id": 1, "name": "B", "columns": [{"id": 1, "title": "x"}, {"id": 2, "title": "y"}]}]"#
    let report = try await store.sync(payload: boards, as: Board.self)
    #expect(counts(report, "Board") == ["inserted": 1, "linked": 2])
    #expect(counts(report, "Column") == ["inserted": 2, "linked": 2])
    let deleting = try await store.sync(payload: "[]", as: Board.self)
    #expect(counts(deleting, "Board") == ["deleted": 1])
    #expect(counts(deleting, "Column") == ["deleted": 2])
  }

  @Test func toOneLinkCountsForTheModelWithTheColumn() async throws {
    let store = try await store()
    var report = try await store.sync(item: #"{"id": 1, "project_id": 1}"#, as: Task.self)
    #expect(counts(report, "Task") == ["updated": 1, "linked": 1])
    #expect(counts(report, "Project") == [:])
    report = try await store.sync(item: #"{"id": 1, "project": {"id": 2, "name": "Q"}}"#, as: Task.self)
    #expect(counts(report, "Task") == ["updated": 1, "linked": 1, "unlinked": 1])
    #expect(counts(report, "Project") == ["inserted": 1])
  }

  @Test func listMemberCountsForBothModels() async throws {
    let store = try await store()
    var report = try await store.sync(item: #"{"id": 1, "task_ids": [1, 2]}"#, as: Project.self)
    #expect(counts(report, "Project") == ["updated": 1, "linked": 2])
    #expect(counts(report, "Task") == ["updated": 2, "linked": 2])
    report = try await store.sync(item: #"{"id": 1, "task_ids": [2]}"#, as: Project.self)
    #expect(counts(report, "Project") == ["updated": 1, "unlinked": 1])
    #expect(counts(report, "Task") == ["updated": 1, "unlinked": 1])
    // The project that loses a task to another list states nothing.
    report = try await store.sync(item: #"{"id": 2, "name": "Q", "task_ids": [2]}"#, as: Project.self)
    #expect(counts(report, "Project") == ["inserted": 1, "linked": 1])
    #expect(counts(report, "Task") == ["updated": 1, "linked": 1, "unlinked": 1])
  }

  @Test func selfRelationshipCountsAtBothEnds() async throws {
    let store = try makeStore()
    var report = try await store.sync(
      item: #"{"id": "a", "name": "A", "children": [{"id": "b", "name": "B"}]}"#, as: Category.self)
    #expect(counts(report, "Category") == ["inserted": 2, "linked": 2])
    report = try await store.sync(item: #"{"id": "c", "name": "C", "parent_id": "a"}"#, as: Category.self)
    #expect(counts(report, "Category") == ["inserted": 1, "linked": 1])
    report = try await store.sync(item: #"{"id": "a", "child_ids": []}"#, as: Category.self)
    #expect(counts(report, "Category") == ["updated": 3, "unlinked": 4])
  }

  @Test func manyToManyLinkCountsOnceForTheStatingModel() async throws {
    let store = try await store()
    var report = try await store.sync(
      item: #"{"id": 1, "tags": [{"id": 1, "name": "T"}]}"#, as: Task.self)
    #expect(counts(report, "Task") == ["updated": 1, "linked": 1])
    #expect(counts(report, "Tag") == ["inserted": 1])
    report = try await store.sync(item: #"{"id": 1, "task_ids": [1, 2]}"#, as: Tag.self)
    #expect(counts(report, "Tag") == ["updated": 1, "linked": 1])
    #expect(counts(report, "Task") == [:])
    // Both ends state that the link is removed. The tag's list begins last.
    report = try await store.sync(
      payload: #"[{"id": 1, "tag_ids": []}, {"id": 2, "tags": [{"id": 1, "task_ids": [2]}]}]"#, as: Task.self)
    #expect(report.unlinked == 1 && report.linked == 0)
  }

  @Test func changesRevertedWithinOneSyncAreNotCounted() async throws {
    let store = try await store()
    try await store.sync(payload: #"[{"id": 1, "name": "T"}]"#, as: Tag.self)
    let payload = #"""
      [{"id": 1, "title": "X", "project_id": 1, "tag_ids": [1]}, {"id": 2},
       {"id": 1, "title": "A", "project_id": null, "tag_ids": []}]
      """#
    let report = try await store.sync(payload: payload, as: Task.self)
    #expect(counts(report, "Task") == ["unchanged": 2])
    #expect(report.isUnchanged)
  }

  @Test func joinLinksAndReferencesToADeletedRowCountAsUnlinked() async throws {
    let store = try await store()
    try await store.sync(
      payload: #"[{"id": 1, "project_id": 1, "tags": [{"id": 1, "name": "T"}]}, {"id": 2, "project_id": 1}]"#,
      as: Task.self)
    var report = try await store.sync(payload: #"[{"id": 2}]"#, as: Task.self)
    #expect(counts(report, "Task") == ["deleted": 1, "unchanged": 1, "unlinked": 1])
    report = try await store.sync(payload: "[]", as: Project.self)
    #expect(counts(report, "Project") == ["deleted": 1])
    #expect(counts(report, "Task") == ["updated": 1, "unlinked": 1])
  }

  @Test func linkOfANewRowToADeletedRowIsNotCounted() async throws {
    let store = try await store()
    try await store.sync(payload: #"[{"id": 1, "name": "T"}]"#, as: Tag.self)
    let payload = #"[{"id": 2, "name": "S", "tasks": [{"id": 5, "title": "A", "tag_ids": [1, 2]}]}]"#
    let report = try await store.sync(payload: payload, as: Tag.self)
    // The other link counts for the list that begins first.
    #expect(counts(report, "Tag") == ["inserted": 1, "deleted": 1, "linked": 1])
    #expect(counts(report, "Task") == ["inserted": 1])
    #expect(report.waiting.map(\.targetIdentity) == ["1"])
  }

  @Test func pendingLinksAreNotReportedAsProblems() async throws {
    let store = try makeStore()
    let report = try await store.sync(
      payload: #"[{"id": 1, "title": "A", "project_id": 7}, {"id": 2, "title": "B", "tag_ids": [8, 9]}]"#,
      as: Task.self)
    #expect(report.problems.isEmpty && report.problemCount == 0)
    #expect(report.waitingCount == 3)
    #expect(report.waiting.map(\.path) == ["[0].project_id", "[1].tag_ids", "[1].tag_ids"])
    #expect(counts(report, "Task") == ["inserted": 2])
  }

  @Test func firstThousandProblemsAreKeptInRowOrder() async throws {
    let store = try makeStore()
    let rows = (0..<1_200).map { #"{"id": \#($0), "title": "A", "estimate": "x"}"# }
    let report = try await store.sync(payload: "[\(rows.joined(separator: ", "))]", as: Task.self)
    #expect(report.problemCount == 1_200)
    #expect(report.problems.map(\.row) == (0..<1_000).map { $0 })
    let mixed = try await store.sync(
      payload: #"""
        [{"id": 1, "assignee": {"name": "lost"}}, {"id": 2, "estimate": "x"}, {"id": 3, "project_id": "7"}]
        """#, as: Task.self)
    #expect(mixed.problems.map(\.row) == [0, 1, 2])
  }
}

/// The end of a one-to-one without a column counts like a list with one element.
@Suite struct OneToOneCountTests {
  @Test(arguments: [
    (#"[{"id": 2, "captain": {"id": 2}}]"#, 1, 0), (#"[{"id": 1, "captain_id": 2}]"#, 1, 1),
    (#"[{"id": 1, "captain": null}]"#, 0, 1), (#"[{"id": 1, "captain_id": 1}]"#, 0, 0),
  ])
  func oneToOneEndWithoutColumnCountsLinkChanges(_ payload: String, _ linked: Int, _ unlinked: Int)
    async throws
  {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "ship": {"id": 1}}]"#, as: Captain.self)
    if payload.contains("\"captain_id\": 2") { try await store.sync(item: #"{"id": 2}"#, as: Captain.self) }
    let report = try await store.sync(payload: payload, as: Ship.self, deletionPolicy: DeletionPolicy.none)
    #expect(report[Ship.self].linked == linked && report[Ship.self].unlinked == unlinked, "\(report)")
  }
}
