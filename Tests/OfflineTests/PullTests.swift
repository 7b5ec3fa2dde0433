import Foundation
import GRDB
import TestSupport
import Testing

@testable import Syncline

/// A sync over pending edits is decided as if nobody had edited; then the edits come on top again (contract, section 13).
@Suite struct PullTests {
  private static let server = """
    [{"id": 1, "title": "one", "votes": 1, "project_id": 1, "tag_ids": [1, 2]}, \
    {"id": 2, "title": "two", "votes": 2, "project_id": 1, "tag_ids": []}]
    """

  private func makeFilled(_ configuration: SyncConfiguration = SyncConfiguration()) async throws
    -> SyncContainer
  {
    let store = try makeStore(configuration)
    try await store.sync(payload: #"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]"#, as: Project.self)
    try await store.sync(payload: #"[{"id": 1}, {"id": 2}, {"id": 3}]"#, as: Tag.self)
    try await store.sync(payload: Self.server, as: Task.self)
    return store
  }

  private func tasks(in store: SyncContainer) async throws -> [String] {
    try await store.rows("SELECT id, title, votes, project FROM Task ORDER BY id")
  }

  // MARK: An edited row

  @Test func editedColumnsAreKeptAndOthersAreUpdated() async throws {
    let store = try await makeFilled()
    try await store.run("UPDATE Task SET title = 'mine' WHERE id = 1")
    let report = try await store.sync(
      payload: Self.server.replacing("\"votes\": 1", with: "\"votes\": 7"), as: Task.self)
    #expect(try await tasks(in: store) == ["1 mine 7 1", "2 two 2 1"])
    #expect(try await store.edits("Task") == ["update 1 title"])
    #expect(report[Task.self].updated == 1 && report[Task.self].unchanged == 1 && report[Task.self].kept == 1)
  }

  /// The text of an item may have the identity's characters in other bytes. Swift takes the two for one string.
  @Test func itemIdentitiesAreMatchedByteByByte() async throws {
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    for (id, number) in [(composed, decomposed), (decomposed, composed)] {
      let store = try makeStore()
      let item = #"{"number": "\#(number)", "id": "\#(id)"}"#
      try await store.sync(item: item, as: Passport.self)
      try await store.run("UPDATE Passport SET number = 'mine'")
      try await store.sync(item: item, as: Passport.self)
      #expect(try await store.rows("SELECT number FROM Passport") == ["mine"])
      #expect(try await store.edits("Passport") == ["update \(id) number"])
    }
  }

  @Test func canonicallyEquivalentTextIsAnEdit() async throws {
    let store = try makeStore()
    let item = #"{"id": 1, "title": "caf\#u{E9}"}"#
    try await store.sync(item: item, as: Task.self)
    try await store.run("UPDATE Task SET title = ? WHERE id = 1", ["cafe\u{301}"])
    #expect(try await store.edits("Task") == ["update 1 title"])
    try await store.sync(item: item, as: Task.self)
    #expect(try await store.text("SELECT hex(title) FROM Task") == "63616665CC81")
  }

  @Test func invalidJSONFailsAsItDoesWithoutEdits() async throws {
    let store = try await makeFilled()
    func failure() async -> SyncError? {
      do {
        try await store.sync(item: "{", as: Task.self)
        return nil
      } catch { return error as? SyncError }
    }
    let expected = await failure()
    try await store.run("UPDATE Task SET title = 'mine' WHERE id = 1")
    let found = await failure()
    #expect(found != nil && found == expected)
  }

  @Test func anUnchangedPayloadWritesNothing() async throws {
    let store = try await makeFilled()
    try await store.run("UPDATE Task SET title = 'mine' WHERE id = 1")
    try await store.run("DELETE FROM Task WHERE id = 2")
    try await store.run("INSERT INTO Task (id, title, votes, isExpanded) VALUES (9, 'new', 0, 0)")
    let before = try await store.rows("SELECT * FROM Task") + store.rows("SELECT * FROM syncline_edit_Task")
    let report = try await store.sync(payload: Self.server, as: Task.self)
    #expect(report.isUnchanged && report[Task.self].unchanged == 2)
    let after = try await store.rows("SELECT * FROM Task") + store.rows("SELECT * FROM syncline_edit_Task")
    #expect(after == before)
  }

  @Test func editEndsWhenTheServerHasTheSameValue() async throws {
    let store = try await makeFilled()
    try await store.run("UPDATE Task SET title = 'mine' WHERE id = 1")
    let report = try await store.sync(payload: Self.server.replacing("one", with: "mine"), as: Task.self)
    #expect(try await store.entryCount("Task") == 0)
    #expect(report[Task.self].kept == 0)
  }

  @Test(arguments: [nil, SyncConflict.Choice.local, .remote, .value("both")])
  func conflictHandlerChoosesTheValue(_ choice: SyncConflict.Choice?) async throws {
    var configuration = SyncConfiguration()
    if let choice {
      configuration.conflict = { conflict in
        #expect(conflict.model == "Task" && conflict.identity == "1" && conflict.property == "title")
        #expect("\(conflict.base) \(conflict.local) \(conflict.remote)" == "\"one\" \"mine\" \"theirs\"")
        return choice
      }
    }
    let store = try await makeFilled(configuration)
    try await store.run("UPDATE Task SET title = 'mine' WHERE id = 1")
    let report = try await store.sync(payload: Self.server.replacing("one", with: "theirs"), as: Task.self)
    #expect(report[Task.self].conflicts == 1)
    let title = try await store.text("SELECT title FROM Task WHERE id = 1")
    let edits = try await store.edits("Task")
    switch choice {
    case nil, .local: #expect(title == "mine" && edits == ["update 1 title"])
    case .remote: #expect(title == "theirs" && edits == [])
    case .value: #expect(title == "both" && edits == ["update 1 title"])
    }
  }

  @Test func editedRowMissingOnTheServerIsKept() async throws {
    let store = try await makeFilled()
    try await store.run("UPDATE Task SET title = 'mine' WHERE id = 1")
    let report = try await store.sync(payload: #"[{"id": 2, "title": "two"}]"#, as: Task.self)
    #expect(report[Task.self].deleted == 1 && report[Task.self].kept == 1)
    #expect(try await tasks(in: store) == ["1 mine 1 1", "2 two 2 1"])
    #expect(try await store.edits("Task") == ["update 1 title gone"])
    // It may come back.
    try await store.sync(payload: Self.server, as: Task.self)
    #expect(try await store.edits("Task") == ["update 1 title"])
    #expect(
      try await store.rows("SELECT target FROM \"Task.tags\" WHERE source = 1 ORDER BY 1") == ["1", "2"])
  }

  // MARK: A deleted row

  @Test func aDeletedRowStaysDeleted() async throws {
    let store = try await makeFilled()
    try await store.run("DELETE FROM Task WHERE id = 1")
    try await store.sync(payload: Self.server.replacing("one", with: "theirs"), as: Task.self)
    #expect(try await tasks(in: store) == ["2 two 2 1"])
    #expect(try await store.edits("Task") == ["delete 1"])
    #expect(try await store.text("SELECT base_title FROM syncline_edit_Task") == "theirs")
    // The server deletes it, too: only an answer ends the edit.
    try await store.sync(payload: #"[{"id": 2, "title": "two"}]"#, as: Task.self)
    #expect(try await store.edits("Task") == ["delete 1 gone"])
    try await store.sync(payload: Self.server, as: Task.self)
    #expect(try await store.edits("Task") == ["delete 1"])
  }

  @Test func childOfALocallyDeletedRowIsNotInserted() async throws {
    let store = try await makeFilled()
    try await store.run("DELETE FROM Task WHERE id = 1")
    let step = UUID().uuidString
    try await store.sync(payload: #"[{"id": "\#(step)", "text": "s", "task_id": 1}]"#, as: Step.self)
    #expect(try await store.rows("SELECT * FROM Step") == [])
  }

  @Test func discardedDeletionOfARowTheServerLacksDoesNotRestoreIt() async throws {
    let store = try await makeFilled()
    try await store.run("DELETE FROM Task WHERE id = 1")
    let payload = #"[{"id": 2, "title": "two"}]"#
    #expect(try await store.sync(payload: payload, as: Task.self)[Task.self].deleted == 1)
    // The server deletes it once.
    #expect(try await store.sync(payload: payload, as: Task.self).isUnchanged)
    #expect(try await store.edits("Task") == ["delete 1 gone"])
    let change = try #require(try await store.pendingChanges(for: Task.self).first)
    try await store.retry(change, as: .insert)
    #expect(try await store.edits("Task") == ["delete 1 gone"])
    try await store.discard(change)
    #expect(try await tasks(in: store) == ["2 two 2 1"])
    #expect(try await store.entryCount("Task") == 0)
  }

  @Test func linksAndChildrenOfADeletedRowAreRestoredWithIt() async throws {
    let store = try await makeFilled()
    try await store.run("DELETE FROM Task WHERE id = 1")
    try await store.run("DELETE FROM Project WHERE id = 2")
    let step = UUID().uuidString
    let task = #"{"id": 2, "title": "two", "project_id": 2}"#
    for isFirst in [true, false] {
      let steps = try await store.sync(
        item: #"{"id": "\#(step)", "text": "s", "task_id": 1}"#, as: Step.self)
      let tasks = try await store.sync(item: task, as: Task.self)
      #expect(steps.isUnchanged != isFirst && tasks.isUnchanged != isFirst)
    }
    #expect(try await store.rows("SELECT * FROM Step") == [])
    #expect(try await store.edits("Task") == ["delete 1", "update 2 project"])
    #expect(
      try await store.pendingChanges().map { "\($0.model) \($0.kind) \($0.id)" }
        == ["Task update 2", "Task delete 1", "Project delete 2"])
    try await store.discardAllPendingChanges()
    #expect(try await tasks(in: store) == ["1 one 1 1", "2 two 2 2"])
    #expect(try await store.rows("SELECT task FROM Step") == ["1"])
  }

  @Test func rowThatLostItsPartnerToAnEditIsNotGone() async throws {
    let store = try TextStore(
      """
      @Offline model Project { id: Int; title: String?; team: Team }
      @Offline model Team { id: Int; project: Project? }
      """)
    try await store.sync(#"[{"id": 1}]"#, as: "Team")
    try await store.sync(#"[{"id": 1, "title": "one", "team_id": 1}]"#)
    try await store.run("UPDATE Project SET title = 'mine'")
    try await store.sync(#"[{"id": 2, "title": "two", "team_id": 1}]"#)
    let changes = try await store.container.pendingChanges().map {
      "\($0.kind) \($0.id) \($0.state) \($0.isGone)"
    }
    #expect(changes == ["update 1 pending true", "update 2 aside false"])
    try await store.container.discardAllPendingChanges()
    #expect(try await store.rows("SELECT id, title, team FROM Project") == ["2 two 1"])
  }

  // MARK: A new row

  @Test func newRowMissingFromThePayloadIsNotDeleted() async throws {
    let store = try await makeFilled()
    try await store.run("INSERT INTO Task (id, title, votes, isExpanded, project) VALUES (9, 'new', 0, 0, 2)")
    let report = try await store.sync(payload: Self.server, as: Task.self)
    #expect(report[Task.self].deleted == 0)
    #expect(try await store.edits("Task") == ["insert 9"])
    try await store.sync(payload: "[]", as: Task.self)
    #expect(try await tasks(in: store) == ["9 new 0 2"])
  }

  @Test func newRowThatTheServerHasBecomesAnUpdate() async throws {
    let store = try await makeFilled()
    try await store.run("INSERT INTO Task (id, title, votes, isExpanded) VALUES (9, 'mine', 5, 0)")
    let report = try await store.sync(
      item: #"{"id": 9, "title": "theirs", "votes": 5}"#, as: Task.self)
    #expect(report[Task.self].inserted == 1)
    #expect(try await store.edits("Task") == ["update 9 title"])
    #expect(try await store.text("SELECT title FROM Task WHERE id = 9") == "mine")
  }

  /// Rows of a model whose edits are not kept stay linked to a new row while it is out of its table.
  @Test func referencesToANewRowSurviveASync() async throws {
    let store = try await makeFilled()
    try await store.run("INSERT INTO Project (id, name) VALUES (9, 'new')")
    try await store.run("UPDATE Task SET project = 9 WHERE id = 1")
    let step = UUID().uuidString
    try await store.run("INSERT INTO Task (id, title, votes, isExpanded, project) VALUES (9, 'new', 0, 0, 9)")
    try await store.run("INSERT INTO Step (id, text, task) VALUES (?, 's', 9)", [UUID(uuidString: step)])
    try await store.run("INSERT INTO \"Task.tags\" (source, target) VALUES (9, 3)")
    for payload in [Self.server, #"[{"id": 1, "title": "x", "votes": 1}]"#] {
      try await store.sync(payload: payload, as: Task.self)
      try await store.sync(payload: #"[{"id": 1, "name": "a"}, {"id": 2, "name": "c"}]"#, as: Project.self)
    }
    #expect(try await store.rows("SELECT id, project FROM Task ORDER BY id") == ["1 9", "9 9"])
    #expect(try await store.rows("SELECT task FROM Step") == ["9"])
    #expect(try await store.rows("SELECT target FROM \"Task.tags\" WHERE source = 9") == ["3"])
    #expect(try await store.edits("Project") == ["insert 9"])
    #expect(
      try await store.edits("Task")
        == ["update 1 title project", "insert 9"].map { $0.replacing("title ", with: "") })
    #expect(try await store.edits("Step") == ["insert \(step)"])
  }

  // MARK: Links

  @Test func listsAreMergedAsSets() async throws {
    let store = try await makeFilled()
    try await store.run("DELETE FROM \"Task.tags\" WHERE source = 1 AND target = 2")
    try await store.sync(
      payload: Self.server.replacing("[1, 2]", with: "[1, 2, 3]"), as: Task.self)
    #expect(
      try await store.rows("SELECT target FROM \"Task.tags\" WHERE source = 1 ORDER BY 1") == ["1", "3"])
    #expect(try await store.edits("Task") == ["update 1 tags"])
    try await store.sync(payload: Self.server.replacing("[1, 2]", with: "[3]"), as: Task.self)
    #expect(try await store.edits("Task") == [])
  }

  @Test func editedLinkSurvivesASync() async throws {
    let store = try await makeFilled()
    try await store.run("UPDATE Task SET project = 2 WHERE id = 1")
    try await store.sync(
      item: #"{"id": 1, "name": "a", "tasks": [{"id": 1, "title": "one"}, {"id": 2, "title": "two"}]}"#,
      as: Project.self)
    #expect(try await tasks(in: store) == ["1 one 1 2", "2 two 2 1"])
    #expect(try await store.edits("Task") == ["update 1 project"])
  }

  @Test func optionalLinkToADeletedRowIsCleared() async throws {
    let store = try await makeFilled()
    try await store.run("UPDATE Task SET project = 2, title = 'mine' WHERE id = 1")
    try await store.sync(payload: #"[{"id": 1, "name": "a"}]"#, as: Project.self)
    #expect(try await store.edits("Task") == ["update 1 title project"])
    #expect(try await store.rows("SELECT project FROM Task WHERE id = 1") == ["-"])
  }

  @Test func newRowWhoseOwnerIsDeletedIsSetAside() async throws {
    let store = try await makeFilled()
    let step = UUID().uuidString
    try await store.run(
      "INSERT INTO Step (id, text, task) VALUES (?, 'mine', 1)", [UUID(uuidString: step)])
    try await store.sync(payload: #"[{"id": 2, "title": "two"}]"#, as: Task.self)
    #expect(try await store.rows("SELECT * FROM Step") == [])
    #expect(try await store.edits("Step") == ["insert \(step) aside"])
    // It comes back with its owner.
    try await store.sync(payload: Self.server, as: Task.self)
    #expect(try await store.rows("SELECT text, task FROM Step") == ["mine 1"])
    #expect(try await store.edits("Step") == ["insert \(step)"])
  }

  @Test func conflictingOneToOneLinksKeepTheLocalLink() async throws {
    let store = try await makeFilled()
    try await store.sync(
      payload: #"[{"id": "p", "number": "1"}, {"id": "q", "number": "2"}]"#, as: Passport.self)
    try await store.run("UPDATE Passport SET project = 1 WHERE id = 'p'")
    try await store.sync(
      payload: #"[{"id": "p", "number": "1"}, {"id": "q", "number": "2", "project_id": 1}]"#,
      as: Passport.self)
    #expect(try await store.rows("SELECT id, project FROM Passport ORDER BY id") == ["p 1", "q -"])
    #expect(try await store.edits("Passport") == ["update p project", "update q project"])
  }

  // MARK: Marks and stamps

  @Test func softDeleteOfAnEditedRowIsApplied() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "text": "a"}, {"id": 2, "text": "b"}]"#, as: Note.self)
    try await store.run("UPDATE Note SET text = 'mine' WHERE id = 1")
    let report = try await store.sync(payload: #"[{"id": 2, "text": "b"}]"#, as: Note.self)
    #expect(report[Note.self].softDeleted == 1)
    #expect(try await store.rows("SELECT text, deletedAt IS NULL FROM Note WHERE id = 1") == ["mine 0"])
  }

  /// A device whose clock is ahead does not ignore the server.
  @Test func serverStampIsComparedNotTheLocalOne() async throws {
    let store = try await makeFilled()
    try await store.sync(
      item: #"{"id": 1, "title": "one", "updated_at": "2026-01-01T00:00:00Z"}"#, as: Task.self)
    try await store.run("UPDATE Task SET title = 'mine', updatedAt = '2030-01-01 00:00:00.000' WHERE id = 1")
    try await store.sync(
      item: #"{"id": 1, "title": "one", "votes": 8, "updated_at": "2026-01-02T00:00:00Z"}"#, as: Task.self)
    #expect(try await tasks(in: store).first == "1 mine 8 1")
    try await store.sync(
      item: #"{"id": 1, "title": "mine", "updated_at": "2026-01-03T00:00:00Z"}"#, as: Task.self)
    #expect(try await store.entryCount("Task") == 0)
    let stamp = try await store.text("SELECT updatedAt FROM Task WHERE id = 1")
    #expect(stamp?.hasPrefix("2026-01-03 00:00:00") == true)
  }

  @Test func localPropertiesSurviveASync() async throws {
    let store = try await makeFilled()
    try await store.run("UPDATE Task SET title = 'mine', isExpanded = 1 WHERE id = 1")
    try await store.sync(payload: Self.server.replacing("\"votes\": 1", with: "\"votes\": 7"), as: Task.self)
    #expect(try await store.rows("SELECT title, votes, isExpanded FROM Task WHERE id = 1") == ["mine 7 1"])
  }

  // MARK: Values that are unique

  @Test func swappedUniqueValuesSurviveASync() async throws {
    let store = try await makeFilled()
    try await store.run("CREATE UNIQUE INDEX titles ON Task (title)")
    try await store.run("UPDATE Task SET title = 'x' WHERE id = 1")
    try await store.run("UPDATE Task SET title = 'one' WHERE id = 2")
    try await store.run("UPDATE Task SET title = 'two' WHERE id = 1")
    try await store.sync(payload: Self.server.replacing("\"votes\": 1", with: "\"votes\": 7"), as: Task.self)
    #expect(try await tasks(in: store) == ["1 two 7 1", "2 one 2 1"])
    #expect(try await store.edits("Task") == ["update 1 title", "update 2 title"])
  }

  // MARK: Forms of a pull

  @Test func editsSurviveSyncsOfPagesAndChanges() async throws {
    let store = try await makeFilled()
    try await store.run("UPDATE Task SET title = 'mine' WHERE id = 1")
    try await store.run("INSERT INTO Task (id, title, votes, isExpanded) VALUES (9, 'new', 0, 0)")
    let pages = AsyncStream<SyncPage> { stream in
      stream.yield(SyncPage(#"[{"id": 1, "title": "one", "votes": 8}]"#, cursor: "2"))
      stream.yield(SyncPage(#"[{"id": 2, "title": "two", "votes": 9}]"#, isLast: true))
      stream.finish()
    }
    try await store.sync(pages: pages, as: Task.self)
    #expect(try await tasks(in: store) == ["1 mine 8 1", "2 two 9 1", "9 new 0 -"])
    try await store.sync(changes: #"{"updated": [{"id": 1, "votes": 10}], "deleted": [2, 9]}"#, as: Task.self)
    #expect(try await tasks(in: store) == ["1 mine 10 1", "9 new 0 -"])
    #expect(try await store.edits("Task") == ["update 1 title", "insert 9"])
  }

  @Test func editsSurviveABodyOfSeveralLists() async throws {
    let store = try await makeFilled()
    try await store.run("UPDATE Task SET title = 'mine' WHERE id = 1")
    try await store.run("INSERT INTO Task (id, title, votes, isExpanded) VALUES (9, 'new', 0, 0)")
    let body = #"""
      {"tasks": [{"id": 1, "title": "one", "votes": 8, "project_id": 3}], "projects": [{"id": 3, "name": "c"}]}
      """#
    try await store.sync(payload: body) {
      $0.list("projects", as: Project.self)
      $0.list("tasks", as: Task.self)
    }
    #expect(try await tasks(in: store) == ["1 mine 8 3", "9 new 0 -"])
    #expect(try await store.edits("Task") == ["update 1 title", "insert 9"])
  }

  /// What the server last said of a row decides whether it is missing.
  @Test func scopeConditionIsEvaluatedWithoutLocalEdits() async throws {
    let store = try await makeFilled()
    try await store.run("UPDATE Task SET votes = 7 WHERE id = 1")
    try await store.sync(payload: "[]", as: Task.self, within: Task.Columns.votes == 2)
    #expect(try await tasks(in: store) == ["1 one 7 1"])
    try await store.sync(payload: "[]", as: Task.self, within: Task.Columns.votes == 7)
    #expect(try await store.edits("Task") == ["update 1 votes"])
  }

  @Test func scopeConditionIsEvaluatedEquallyAfterPages() async throws {
    func edits(_ votes: Int, inPages: Bool) async throws -> [String] {
      let store = try await makeFilled()
      try await store.run("UPDATE Task SET votes = 7 WHERE id = 1")
      if inPages {
        let pages = AsyncStream<SyncPage> { stream in
          stream.yield(SyncPage("[]", isLast: true))
          stream.finish()
        }
        try await store.sync(pages: pages, as: Task.self, within: Task.Columns.votes == votes)
      } else {
        try await store.sync(payload: "[]", as: Task.self, within: Task.Columns.votes == votes)
      }
      #expect(try await tasks(in: store).first == "1 one 7 1")
      return try await store.edits("Task")
    }
    let gone = try await edits(1, inPages: false)
    #expect(gone.count == 1 && gone[0].hasSuffix("gone"))
    #expect(try await edits(1, inPages: true) == gone)
    // Only the edited row meets it.
    #expect(try await edits(7, inPages: true) == ["update 1 votes"])
  }

  @Test func rowDeletedHereIsMissingFromPages() async throws {
    let store = try await makeFilled()
    try await store.run("DELETE FROM Task WHERE id = 2")
    let pages = AsyncStream<SyncPage> { stream in
      stream.yield(SyncPage(#"[{"id": 1, "title": "one"}]"#, isLast: true))
      stream.finish()
    }
    try await store.sync(pages: pages, as: Task.self)
    #expect(try await store.edits("Task") == ["delete 2 gone"])
  }

  @Test func noticesNameOnlyRowsThatChanged() async throws {
    let store = try await makeFilled()
    try await store.run("UPDATE Task SET title = 'mine' WHERE id = 1")
    var changes = store.changes().makeAsyncIterator()
    try await store.sync(payload: Self.server.replacing("one", with: "theirs"), as: Task.self)
    try await store.sync(payload: Self.server.replacing("\"votes\": 1", with: "\"votes\": 7"), as: Task.self)
    let notice = try #require(try await changes.next())
    #expect(notice[Task.self].updated == [1])
  }

  @Test func failedSyncKeepsRowsAndEdits() async throws {
    let store = try await makeFilled()
    try await store.run("UPDATE Task SET title = 'mine' WHERE id = 1")
    try await store.run("DELETE FROM Task WHERE id = 2")
    await #expect(throws: SyncError.self) {
      try await store.sync(payload: #"[{"id": 1, "title": "x"}, {"id": 5}]"#, as: Task.self)
    }
    #expect(try await tasks(in: store) == ["1 mine 1 1"])
    #expect(try await store.edits("Task") == ["update 1 title", "delete 2"])
    // The triggers are on again.
    try await store.run("UPDATE Project SET name = 'x' WHERE id = 1")
    #expect(try await store.edits("Project") == ["update 1 name"])
  }
}
