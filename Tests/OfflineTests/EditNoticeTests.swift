import Foundation
import TestSupport
import Testing

@testable import Syncline

/// The notices of syncs and answers, while there are edits (contract, section 12).
@Suite struct EditNoticeTests {
  private func makeFilled() async throws -> SyncContainer {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1}, {"id": 2}]"#, as: Tag.self)
    try await store.sync(payload: #"[{"id": 1, "title": "one", "tag_ids": [1]}]"#, as: Task.self)
    return store
  }

  /// A sync removes the new rows and their links, and inserts them again with other row numbers.
  @Test func noticeOfASyncLeavesOutNewRowsThatStay() async throws {
    let store = try await makeFilled()
    try await store.run("INSERT INTO Passport (id, number) VALUES ('a', '1')")
    try await store.run("INSERT INTO Task (id, title, votes, isExpanded) VALUES (9, 'new', 0, 0)")
    try await store.run("INSERT INTO \"Task.tags\" (source, target) VALUES (9, 2), (1, 2)")
    var changes = store.changes().makeAsyncIterator()
    try await store.sync(item: #"{"id": "b", "number": "2"}"#, as: Passport.self)
    #expect(try await changes.next().map { $0.tables.keys.sorted() } == ["Passport"])
    try await store.sync(
      payload: #"[{"id": "b", "number": "2"}, {"id": "c", "number": "3"}]"#, as: Passport.self)
    let notice = try #require(try await changes.next())
    #expect(notice.tables.keys.sorted() == ["Passport"])
    #expect(notice[Passport.self].inserted == ["c"] && notice[Passport.self].updated == [])
  }

  /// The row has no edit any more, so its date is the server's again.
  @Test func noticeOfASyncNamesTheRowWhoseDateIsReset() async throws {
    let store = try makeStore()
    let row = #"{"id": 1, "title": "one", "updated_at": "2026-01-01T00:00:00Z"}"#
    try await store.sync(payload: "[\(row)]", as: Task.self)
    try await store.run("UPDATE Task SET title = 'x', updatedAt = '2026-02-01 00:00:00.000000'")
    try await store.run("UPDATE Task SET title = 'one'")
    var changes = store.changes().makeAsyncIterator()
    try await store.sync(payload: #"[\#(row), {"id": 2, "title": "two"}]"#, as: Task.self)
    #expect(try await store.rows("SELECT date(updatedAt) FROM Task WHERE id = 1") == ["2026-01-01"])
    let notice = try #require(try await changes.next())
    #expect(notice[Task.self].inserted == [2] && notice[Task.self].updated == [1])
  }

  @Test func noticeOfAnAnswerNamesTheFormerIdentity() async throws {
    let store = try await makeFilled()
    try await store.run("INSERT INTO Task (id, title, votes, isExpanded) VALUES (-1, 'new', 0, 0)")
    var changes = store.changes().makeAsyncIterator()
    try await store.withPendingChanges(for: Task.self) { _ in
      [-1: .confirmedWith(Data(#"{"id": 60, "title": "theirs"}"#.utf8))]
    }
    let notice = try #require(try await changes.next())
    #expect(notice[Task.self].inserted == [60] && notice[Task.self].deleted == [-1])
  }
}
