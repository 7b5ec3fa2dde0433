import Foundation
import GRDB
import TestSupport
import Testing

@testable import Syncline

/// Payloads that were asked for before a push was answered, or that arrive in another order (contract, section 13, 7).
@Suite struct MomentTests {
  private func makeFilled() async throws -> SyncContainer {
    let store = try makeStore()
    try await store.sync(payload: two, as: Task.self)
    return store
  }

  private let two = #"[{"id": 1, "title": "one"}, {"id": 2, "title": "two"}]"#

  private func confirmAll(_ store: SyncContainer) async throws {
    try await store.withPendingChanges(for: Task.self) { changes in
      Dictionary(uniqueKeysWithValues: changes.map { ($0.id, .confirmed) })
    }
  }

  private func titles(_ store: SyncContainer) async throws -> [String] {
    try await store.rows("SELECT id, title FROM Task ORDER BY id")
  }

  @Test func olderPayloadDoesNotChangeRowsConfirmedSince() async throws {
    let store = try await makeFilled()
    try await store.run("UPDATE Task SET title = 'mine' WHERE id = 1")
    try await store.run("INSERT INTO Task (id, title, votes, isExpanded) VALUES (9, 'new', 0, 0)")
    try await store.run("DELETE FROM Task WHERE id = 2")
    let moment = store.moment
    try await confirmAll(store)
    let report = try await store.sync(payload: two, as: Task.self, requestedAt: moment)
    #expect(try await titles(store) == ["1 mine", "9 new"])
    #expect(report.totals == SyncReport().totals)
    #expect(try await !store.hasPendingChanges())
    // A payload of later says what there is.
    let later = try await store.sync(payload: two, as: Task.self, requestedAt: store.moment)
    #expect(try await titles(store) == ["1 one", "2 two"])
    #expect(later.inserted == 1 && later.updated == 1 && later.deleted == 1)
  }

  /// The rows of the part that is left out may be missing from the list of the other.
  @Test func outdatedPartOfABodyDeletesNothing() async throws {
    let store = try await makeFilled()
    let old = store.moment
    try await store.sync(item: #"{"id": 1, "title": "new"}"#, as: Task.self, requestedAt: store.moment)
    let body = #"{"current": {"id": 1, "title": "one"}, "tasks": [{"id": 2, "title": "two"}]}"#
    try await store.sync(payload: body, requestedAt: old) {
      $0.item("current", as: Task.self)
      $0.list("tasks", as: Task.self)
    }
    #expect(try await titles(store) == ["1 new", "2 two"])
  }

  /// A nested list of another part does not delete them either.
  @Test func nestedListDeletesNoRowOfAnOutdatedPart() async throws {
    let store = try await makeFilled()
    try await store.sync(item: #"{"id": 7, "name": "p", "task_ids": [1, 2]}"#, as: Project.self)
    let old = store.moment
    try await store.sync(payload: two, as: Task.self, requestedAt: store.moment)
    let body = #"{"projects": [{"id": 7, "name": "p", "task_ids": [1]}], "tasks": \#(two)}"#
    try await store.sync(payload: body, requestedAt: old) {
      $0.list("projects", as: Project.self, children: [.policy(\.tasks, .hardDeleteMissing)])
      $0.list("tasks", as: Task.self)
    }
    #expect(try await titles(store) == ["1 one", "2 two"])
  }

  /// Its children are not deleted and inserted again either.
  @Test func olderPayloadKeepsTheChildrenOfARowConfirmedSince() async throws {
    let store = try TextStore(
      """
      @Offline model Project { id: Int; name: String; tasks: [Task] }
      @Offline model Task { id: Int; title: String; project: Project }
      """)
    let list = #"[{"id": 1, "name": "a"}]"#
    try await store.sync(list, as: "Project")
    let moment = store.container.moment
    try await store.run("INSERT INTO Project VALUES (9, 'n')")
    _ = try await store.push(
      "Project", ["9": .row(#"{"id": 9, "name": "n", "tasks": [{"id": 5, "title": "default"}]}"#)])
    #expect(try await store.rows("SELECT id, project FROM Task") == ["5 9"])
    let report = try await store.sync(list, as: "Project", requestedAt: moment)
    #expect(report.isUnchanged)
    #expect(try await store.rows("SELECT id, project FROM Task") == ["5 9"])
    #expect(try await store.rows("SELECT id FROM Project ORDER BY id") == ["1", "9"])
  }

  /// The row is stored again by an older payload, and can be edited and sent.
  @Test func rowSetAsideThatAnOlderPayloadRestoresIsEdited() async throws {
    let store = try TextStore(
      """
      @Offline model Project { id: Int; name: String; tasks: [Task] }
      @Offline model Task { id: Int; title: String; project: Project }
      """)
    let both = #"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]"#
    try await store.sync(both, as: "Project")
    try await store.sync(#"[{"id": 5, "title": "t", "project_id": 1}]"#, as: "Task")
    try await store.run("UPDATE Task SET project = 2 WHERE id = 5")
    _ = try await store.push("Task", [:])
    try await store.sync(#"[{"id": 1, "name": "a"}]"#, as: "Project")
    #expect(try await store.pending() == ["Task update 5 aside"])
    let moment = store.container.moment
    _ = try await store.push("Task", ["5": .confirmed])
    try await store.sync(both, as: "Project", requestedAt: moment)
    #expect(try await store.rows("SELECT id, project FROM Task") == ["5 2"])
    try await store.run("UPDATE Task SET title = 'mine' WHERE id = 5")
    try await store.sync(both, as: "Project")
    #expect(try await store.rows("SELECT id, title FROM Task") == ["5 mine"])
    #expect(try await store.pending() == ["Task update 5 pending"])
  }

  /// The server has such a row already, and answers 409 with it.
  @Test func olderPayloadDoesNotDeleteTheRowOfAConflict() async throws {
    let store = try TextStore("@Offline model User { @PrimaryKey(madeBy: .server) id: Int; name: String }")
    try await store.run("INSERT INTO User VALUES (-1, 'mine')")
    let moment = store.container.moment
    _ = try await store.push("User", ["-1": .conflict(#"{"id": 50, "name": "theirs"}"#)])
    try await store.sync("[]", as: "User", requestedAt: moment)
    #expect(try await store.pushes() == [#"PATCH {"name":"mine"}"#])
    #expect(try await store.container.pendingChanges().map(\.isGone) == [false])
  }

  @Test func payloadWithoutAMomentCountsAsNewest() async throws {
    let store = try await makeFilled()
    try await store.run("UPDATE Task SET title = 'mine' WHERE id = 1")
    try await confirmAll(store)
    try await store.sync(payload: two, as: Task.self)
    #expect(try await titles(store) == ["1 one", "2 two"])
  }

  @Test func editAndBaseSurviveAnOlderPayload() async throws {
    let store = try await makeFilled()
    try await store.run("UPDATE Task SET title = 'first' WHERE id = 1")
    let moment = store.moment
    try await confirmAll(store)
    try await store.run("UPDATE Task SET title = 'second' WHERE id = 1")
    try await store.sync(payload: two, as: Task.self, requestedAt: moment)
    let change = try #require(try await store.pendingChanges(for: Task.self).first)
    #expect(change.base?.title == "first" && change.row?.title == "second")
  }

  /// What the payload said of the row is asked for again, so its cursor and its validator are not stored.
  @Test func validatorAndCursorAreNotStoredIfARowWasSkipped() async throws {
    let store = try await makeFilled()
    try await store.run("UPDATE Task SET title = 'mine' WHERE id = 1")
    let moment = store.moment
    try await confirmAll(store)
    func response(_ first: String, _ name: String) -> SyncResponse {
      SyncResponse(
        #"[{"id": 1, "title": "\#(first)"}, {"id": 2, "title": "two"}]"#,
        validator: SyncValidator(etag: name),
        cursor: name)
    }
    try await store.sync(payload: response("theirs", "a"), as: Task.self, requestedAt: moment)
    #expect(try await store.validator(for: Task.self) == nil)
    #expect(try await store.cursor(for: Task.self) == nil)
    // One that has the row as it was answered says nothing that is lost.
    try await store.sync(payload: response("mine", "b"), as: Task.self, requestedAt: moment)
    #expect(try await store.validator(for: Task.self) == SyncValidator(etag: "b"))
    #expect(try await store.cursor(for: Task.self) == "b")
    // The rows are those of no validator now, but the former cursor still leads to all later changes.
    try await store.sync(payload: response("other", "c"), as: Task.self, requestedAt: moment)
    #expect(try await store.validator(for: Task.self) == nil)
    #expect(try await store.cursor(for: Task.self) == "b")
  }

  @Test func noCursorIsStoredAfterAPageThatSkipsARow() async throws {
    for deletes in [true, false] {
      let store = try await makeFilled()
      try await store.run("UPDATE Task SET title = 'mine' WHERE id = 2")
      let moment = store.moment
      try await confirmAll(store)
      let pages = AsyncStream<SyncPage> { stream in
        stream.yield(SyncPage(#"[{"id": 1, "title": "new"}]"#, cursor: "second"))
        stream.yield(SyncPage(#"[{"id": 2, "title": "two"}]"#, cursor: "third"))
        stream.yield(
          SyncPage(#"[{"id": 3, "title": "three"}]"#, cursor: deletes ? nil : "changes", isLast: true))
        stream.finish()
      }
      try await store.sync(
        pages: pages, as: Task.self, deletionPolicy: deletes ? .hardDeleteMissing : DeletionPolicy.none,
        requestedAt: moment)
      #expect(try await titles(store) == ["1 new", "2 mine", "3 three"])
      #expect(try await store.cursor(for: Task.self) == "second")
    }
  }

  /// The row is on no page, but its push ended since: it is kept, and missing again in the next run.
  @Test func noCursorIsStoredIfARowOnNoPageWasConfirmedSince() async throws {
    let store = try await makeFilled()
    try await store.run("UPDATE Task SET title = 'mine' WHERE id = 2")
    let moment = store.moment
    try await confirmAll(store)
    let pages = AsyncStream<SyncPage> { stream in
      stream.yield(SyncPage(#"[{"id": 1, "title": "one"}]"#, cursor: "changes", isLast: true))
      stream.finish()
    }
    try await store.sync(pages: pages, as: Task.self, requestedAt: moment)
    #expect(try await titles(store) == ["1 one", "2 mine"])
    #expect(try await store.cursor(for: Task.self) == nil)
  }

  @Test func olderListIsIgnored() async throws {
    let store = try await makeFilled()
    let (old, new) = (store.moment, store.moment)
    try await store.sync(payload: #"[{"id": 1, "title": "new"}]"#, as: Task.self, requestedAt: new)
    let response = SyncResponse(two, validator: SyncValidator(etag: "old"), cursor: "old")
    let report = try await store.sync(payload: response, as: Task.self, requestedAt: old)
    #expect(try await titles(store) == ["1 new"])
    #expect(report.isUnchanged)
    #expect(try await store.validator(for: Task.self) == nil)
    #expect(try await store.cursor(for: Task.self) == nil)
    // Another part of the rows is not affected.
    try await store.sync(item: #"{"id": 3, "title": "three"}"#, as: Task.self, requestedAt: old)
    #expect(try await titles(store) == ["1 new", "3 three"])
  }

  @Test func olderItemIsIgnored() async throws {
    let store = try await makeFilled()
    let (old, new) = (store.moment, store.moment)
    try await store.sync(
      item: #"{"data": {"id": 1, "title": "new"}}"#, at: "data", as: Task.self, requestedAt: new)
    try await store.sync(item: #"{"id": 1, "title": "old"}"#, as: Task.self, requestedAt: old)
    try await store.sync(item: #"{"id": 2, "title": "other"}"#, as: Task.self, requestedAt: old)
    #expect(try await titles(store) == ["1 new", "2 other"])
  }

  /// It is the same row, whether the call gives it its parent or not.
  @Test(arguments: [true, false]) func olderItemOfAParentIsIgnored(isNewerOneOfParent: Bool) async throws {
    let store = try await makeFilled()
    try await store.sync(item: #"{"id": 7, "name": "p"}"#, as: Project.self)
    func sync(_ title: String, isOfParent: Bool, _ moment: SyncMoment) async throws {
      let item = #"{"id": 1, "title": "\#(title)"}"#
      if isOfParent {
        try await store.sync(
          item: item, as: Task.self, parent: 7, relationship: \.project, requestedAt: moment)
      } else {
        try await store.sync(item: item, as: Task.self, requestedAt: moment)
      }
    }
    let (old, new) = (store.moment, store.moment)
    try await sync("new", isOfParent: isNewerOneOfParent, new)
    try await sync("old", isOfParent: !isNewerOneOfParent, old)
    #expect(try await titles(store) == ["1 new", "2 two"])
  }

  @Test func olderItemsOfABodyAreIgnoredIndividually() async throws {
    let store = try await makeFilled()
    let (old, new) = (store.moment, store.moment)
    func sync(_ body: String, _ moment: SyncMoment) async throws {
      try await store.sync(payload: body, requestedAt: moment) {
        $0.item("data.a", as: Task.self)
        $0.list("data.none", as: Task.self)
        $0.item("data.b", as: Task.self)
      }
    }
    try await sync(#"{"data": {"b": {"id": 1, "title": "new"}}}"#, new)
    let both = #"{"data": {"b": {"id": 1, "title": "old"}, "a": {"id": 2, "title": "other"}}}"#
    try await sync(both, old)
    #expect(try await titles(store) == ["1 new", "2 other"])
    try await sync(#"{"data": {"a": {"id": 2, "title": "latest"}}}"#, new)
    #expect(try await titles(store) == ["1 new", "2 latest"])
    try await sync(both, old)
    #expect(try await titles(store) == ["1 new", "2 latest"])
  }

  @Test func pagesOfASyncShareOneMoment() async throws {
    let store = try await makeFilled()
    let (old, new) = (store.moment, store.moment)
    func pages(_ title: String) -> AsyncStream<SyncPage> {
      AsyncStream { stream in
        stream.yield(SyncPage(#"[{"id": 1, "title": "\#(title)"}]"#, cursor: "next \(title)"))
        stream.yield(SyncPage(#"[{"id": 2, "title": "\#(title)"}]"#, cursor: nil))
        stream.finish()
      }
    }
    try await store.sync(pages: pages("new"), as: Task.self, requestedAt: new)
    try await store.sync(pages: pages("old"), as: Task.self, requestedAt: old)
    #expect(try await titles(store) == ["1 new", "2 new"])
  }

  @Test func momentsAreValidAfterARestart() async throws {
    let folder = TemporaryFolder()
    let storage = SyncStorage.file(try folder.file())
    let store = try SyncContainer(for: OfflineTestsSchema.self, storage: storage)
    try await store.sync(payload: two, as: Task.self)
    let moment = store.moment
    try await store.run("UPDATE Task SET title = 'mine' WHERE id = 1")
    try await confirmAll(store)
    try store.database.close()
    let again = try SyncContainer(for: OfflineTestsSchema.self, storage: storage)
    let stored = try JSONDecoder().decode(SyncMoment.self, from: JSONEncoder().encode(moment))
    try await again.sync(payload: two, as: Task.self, requestedAt: stored)
    #expect(try await titles(again) == ["1 mine", "2 two"])
    #expect(moment < again.moment)
  }

  @Test func olderPayloadDoesNotChangeConfirmedLinks() async throws {
    let store = try await makeFilled()
    try await store.sync(payload: #"[{"id": 1}, {"id": 2}]"#, as: Tag.self)
    try await store.run("INSERT INTO \"Task.tags\" (source, target) VALUES (1, 2)")
    let moment = store.moment
    try await confirmAll(store)
    try await store.sync(
      payload: #"[{"id": 1, "title": "one", "tag_ids": [1]}, {"id": 2, "title": "two"}]"#, as: Task.self,
      requestedAt: moment)
    #expect(try await store.rows("SELECT source, target FROM \"Task.tags\"") == ["1 2"])
  }

  @Test func pagesOfANamedListAreNotLateForAnotherList() async throws {
    let store = try makeStore()
    let (first, second) = (store.moment, store.moment)
    func sync(_ id: Int, _ name: String, _ moment: SyncMoment) async throws {
      let pages = AsyncStream { continuation in
        continuation.yield(SyncPage("[{\"id\": \(id), \"title\": \"\(name)\"}]"))
        continuation.finish()
      }
      try await store.sync(
        pages: pages, as: Task.self, cursor: name, deletionPolicy: .none, requestedAt: moment)
    }
    try await sync(2, "starred", second)
    try await sync(1, "mine", first)
    try await sync(3, "starred", first)
    #expect(try await titles(store) == ["1 mine", "2 starred"])
  }

  /// A payload of many rows, whose sync switches the connection's triggers off, and an edit after it.
  @Test func editsAreCapturedAfterALargePayload() async throws {
    let store = try makeStore()
    let rows = (1...2_000).map { #"{"id": \#($0), "title": "a title of some length"}"# }
    let payload = "[\(rows.joined(separator: ","))]"
    try await store.run("UPDATE Task SET title = 'cached' WHERE id = ?", [1])
    for _ in 0..<2 { try await store.sync(payload: payload, as: Task.self) }
    #expect(try await store.entryCount("Task") == 0)
    try await store.run("UPDATE Task SET title = 'cached' WHERE id = ?", [1])
    #expect(try await store.edits("Task") == ["update 1 title"])
    await #expect(throws: SyncError.self) {
      try await store.sync(payload: String(payload.dropLast()), as: Task.self)
    }
    try await store.run("UPDATE Task SET title = 'cached' WHERE id = ?", [2])
    #expect(try await store.edits("Task") == ["update 1 title", "update 2 title"])
  }

  /// A trigger of the user's runs during the sync of many rows.
  @Test func userTriggersRunDuringALargeSync() async throws {
    let store = try makeStore()
    try await store.run("CREATE TABLE log (id INTEGER)")
    try await store.run(
      "CREATE TRIGGER noted AFTER INSERT ON Task BEGIN INSERT INTO log VALUES (NEW.id); END")
    let rows = (1...2_000).map { #"{"id": \#($0), "title": "a title of some length"}"# }
    try await store.sync(payload: "[\(rows.joined(separator: ","))]", as: Task.self)
    #expect(try await store.text("SELECT COUNT(*) FROM log") == "2000")
    #expect(try await store.entryCount("Task") == 0)
  }
}
