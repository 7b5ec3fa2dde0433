import Foundation
import GRDB
import TestSupport
import Testing

@testable import Syncline

/// Edits of unions, of lists with an order, and of rows that several properties identify (contract, section 13).
@Suite struct UnionAndListEditTests {
  private func bodies<Model: SyncUpdatableModel>(
    _ model: Model.Type, in store: SyncContainer
  ) async throws -> [String] {
    try await store.pendingChanges(for: model).map {
      "\($0.method) \($0.properties) \(String(decoding: $0.body, as: UTF8.self))"
    }
  }

  private func confirmAll<Model: SyncUpdatableModel>(
    _ model: Model.Type, in store: SyncContainer
  ) async throws {
    try await store.withPendingChanges(for: model) { changes in
      Dictionary(uniqueKeysWithValues: changes.map { ($0.id, SyncPushOutcome<Model>.confirmed) })
    }
    #expect(try await store.edits(model.databaseTableName).isEmpty)
  }

  // MARK: Unions

  private func makeRemarks() async throws -> SyncContainer {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "title": "one"}, {"id": 2, "title": "two"}]"#, as: Task.self)
    try await store.sync(payload: #"[{"id": 5, "text": "a note"}]"#, as: Note.self)
    try await store.sync(payload: remark, as: Remark.self)
    return store
  }

  private let remark = #"[{"id": 1, "text": "a", "subject": {"type": "task", "id": 1}}]"#

  /// The columns of a remark's subject: the task, the note, and the type that the schema does not know.
  private func caseColumns(in store: SyncContainer) async throws -> [String] {
    try await store.rows("SELECT name FROM pragma_table_info('Remark')").filter { $0 != "id" && $0 != "text" }
  }

  @Test func unionEditIsPendingAsOneProperty() async throws {
    let store = try await makeRemarks()
    let names = try await store.rows("SELECT name FROM pragma_table_info('Remark')")
    #expect(names.count == 5, "\(names)")
    let cases = names.filter { $0 != "id" && $0 != "text" }
    try await store.run("UPDATE Remark SET \(cases[0]) = NULL, \(cases[1]) = 5")
    let change = try #require(try await store.pendingChanges(for: Remark.self).first)
    #expect(change.properties == ["subject"])
    #expect(String(decoding: change.body, as: UTF8.self).contains("memo"))
    // The server has chosen another task: one of the two holds.
    try await store.sync(
      payload: #"[{"id": 1, "text": "b", "subject": {"type": "task", "id": 2}}]"#, as: Remark.self)
    #expect(try await store.rows("SELECT text, \(cases[0]), \(cases[1]) FROM Remark") == ["b - 5"])
    try await store.sync(payload: #"[{"id": 1, "text": "b", "subject": null}]"#, as: Remark.self)
    #expect(try await store.rows("SELECT text, \(cases[0]), \(cases[1]) FROM Remark") == ["b - 5"])
    try await confirmAll(Remark.self, in: store)
  }

  @Test func removalOfAnUnknownTypeIsAnEdit() async throws {
    let store = try await makeRemarks()
    let video = #"[{"id": 1, "text": "a", "subject": {"type": "video", "id": 9}}]"#
    try await store.sync(payload: video, as: Remark.self)
    let type = try #require(try await caseColumns(in: store).last)
    #expect(try await store.rows("SELECT \(type) FROM Remark") == ["video"])
    try await store.run("UPDATE Remark SET \(type) = NULL")
    let body = #"PATCH ["subject"] {"subject_id":null,"subject_type":null}"#
    #expect(try await bodies(Remark.self, in: store) == [body])
    try await store.sync(payload: video, as: Remark.self)
    #expect(try await store.rows("SELECT \(type) FROM Remark") == ["-"])
    #expect(try await bodies(Remark.self, in: store) == [body])
    try await confirmAll(Remark.self, in: store)
  }

  @Test func conflictHandlerChoosesTheUnionValue() async throws {
    let store = try makeStore(SyncConfiguration(conflict: { _ in .remote }))
    try await store.sync(payload: #"[{"id": 1, "title": "one"}, {"id": 2, "title": "two"}]"#, as: Task.self)
    try await store.sync(payload: #"[{"id": 5, "text": "a note"}]"#, as: Note.self)
    try await store.sync(payload: remark, as: Remark.self)
    let cases = try await caseColumns(in: store)
    try await store.run("UPDATE Remark SET \(cases[0]) = NULL, \(cases[1]) = 5")
    try await store.sync(
      payload: #"[{"id": 1, "text": "a", "subject": {"type": "task", "id": 2}}]"#, as: Remark.self)
    #expect(try await store.rows("SELECT \(cases[0]), \(cases[1]) FROM Remark") == ["2 -"])
    #expect(try await !store.hasPendingChanges())
  }

  /// The edit chose the note. With both cases, the task would be sent, and the edit would be lost.
  @Test func discardedDeletionOfAFormerCaseKeepsTheEditedUnion() async throws {
    let store = try await makeRemarks()
    let cases = try await caseColumns(in: store)
    try await store.run("UPDATE Remark SET \(cases[0]) = NULL, \(cases[1]) = 5")
    try await store.run("DELETE FROM Task WHERE id = 1")
    try await store.discard(try #require(try await store.pendingChanges(for: Task.self).first))
    #expect(try await store.rows("SELECT id FROM Task ORDER BY id") == ["1", "2"])
    #expect(try await store.rows("SELECT \(cases[0]), \(cases[1]) FROM Remark") == ["- 5"])
    #expect(try await bodies(Remark.self, in: store).map { $0.contains("memo") } == [true])
  }

  // MARK: Answers about unions

  /// Two notes, a remark without a subject, and the columns of its subject.
  private func makeNotes() async throws -> (store: SyncContainer, cases: [String]) {
    let store = try await makeRemarks()
    try await store.sync(payload: #"[{"id": 5, "text": "a note"}, {"id": 6, "text": "b"}]"#, as: Note.self)
    try await store.sync(payload: #"[{"id": 1, "text": "a", "subject": null}]"#, as: Remark.self)
    return (store, try await caseColumns(in: store))
  }

  @Test func confirmationAfterAPullKeepsTheEditedCaseOfAUnion() async throws {
    let (store, cases) = try await makeNotes()
    try await store.run("UPDATE Remark SET \(cases[1]) = 5")
    try await store.withPendingChanges(for: Remark.self) { _ in [:] }
    try await store.sync(payload: remark, as: Remark.self)
    try await store.run("UPDATE Remark SET \(cases[1]) = 6")
    try await store.withPendingChanges(for: Remark.self) { _ in [1: .confirmed] }
    #expect(try await store.rows("SELECT \(cases[0]), \(cases[1]) FROM Remark") == ["- 6"])
    #expect(try await bodies(Remark.self, in: store).map { $0.contains("memo") } == [true])
  }

  @Test func newRowMergedWithAPulledOneKeepsTheEditedCaseOfAUnion() async throws {
    let (store, cases) = try await makeNotes()
    try await store.run("INSERT INTO Remark (id, text, \(cases[1])) VALUES (-1, 'new', 5)")
    try await store.withPendingChanges(for: Remark.self) { _ in [:] }
    try await store.sync(
      item: #"{"id": 70, "text": "new", "subject": {"type": "task", "id": 1}}"#, as: Remark.self)
    try await store.run("UPDATE Remark SET \(cases[1]) = 6 WHERE id = -1")
    try await store.withPendingChanges(for: Remark.self) { _ in [-1: .confirmedAs(70)] }
    #expect(try await store.rows("SELECT \(cases[0]), \(cases[1]) FROM Remark WHERE id <> 1") == ["- 6"])
    #expect(try await bodies(Remark.self, in: store).map { $0.contains("memo") } == [true])
  }

  // MARK: Lists with an order

  private func tracks(in store: SyncContainer) async throws -> [Int] {
    try await store.database.read { database in
      try Playlist.fetchOne(database, id: 1)?.tracks.fetchAll(database).map(\.id) ?? []
    }
  }

  @Test func orderedListIsMergedAsASet() async throws {
    let store = try makeStore()
    let tracks =
      #"[{"id": 1, "title": "a"}, {"id": 2, "title": "b"}, {"id": 3, "title": "c"}, {"id": 4, "title": "d"}]"#
    try await store.sync(payload: tracks, as: Track.self)
    let list = #"[{"id": 1, "name": "p", "track_ids": [3, 1, 2]}]"#
    try await store.sync(payload: list, as: Playlist.self)
    try await store.run("UPDATE Playlist SET name = 'mine'")
    try await store.sync(payload: list, as: Playlist.self)
    #expect(try await self.tracks(in: store) == [3, 1, 2])
    try await store.run("DELETE FROM \"Playlist.tracks\" WHERE target = 1")
    try await store.sync(payload: #"[{"id": 1, "name": "p", "track_ids": [2, 4, 3, 1]}]"#, as: Playlist.self)
    #expect(try await self.tracks(in: store) == [2, 4, 3])
    try await confirmAll(Playlist.self, in: store)
  }

  /// The server would take another order of the keys for a change of the list's order.
  @Test func orderedListIsPushedInItsOrder() async throws {
    let store = try makeStore()
    let tracks = (1...4).map { #"{"id": \#($0), "title": "t"}"# }
    try await store.sync(payload: "[\(tracks.joined(separator: ","))]", as: Track.self)
    try await store.sync(payload: #"[{"id": 1, "name": "p", "track_ids": [3, 1, 2]}]"#, as: Playlist.self)
    try await store.run("DELETE FROM \"Playlist.tracks\" WHERE target = 1")
    try await store.run("INSERT INTO \"Playlist.tracks\" (source, target) VALUES (1, 4)")
    #expect(try await bodies(Playlist.self, in: store) == [#"PATCH ["tracks"] {"track_ids":[3,2,4]}"#])
  }

  @Test func orderOfAListIsAnEdit() async throws {
    let store = try makeStore()
    let tracks = (1...4).map { #"{"id": \#($0), "title": "t"}"# }
    try await store.sync(payload: "[\(tracks.joined(separator: ","))]", as: Track.self)
    func list(_ tracks: String) -> String { #"[{"id": 1, "name": "p", "track_ids": [\#(tracks)]}]"# }
    try await store.sync(payload: list("3, 1, 2"), as: Playlist.self)
    try await store.run("UPDATE Playlist SET tracksOrder = '[1, 2, 3]'")
    let body = #"PATCH ["tracks"] {"track_ids":[1,2,3]}"#
    #expect(try await bodies(Playlist.self, in: store) == [body])
    try await store.sync(payload: list("3, 1, 2"), as: Playlist.self)
    #expect(try await self.tracks(in: store) == [1, 2, 3])
    #expect(try await bodies(Playlist.self, in: store) == [body])
    try await store.run("UPDATE Playlist SET tracksOrder = '[3, 1, 2]'")
    #expect(try await bodies(Playlist.self, in: store) == [])
    try await store.run("UPDATE Playlist SET tracksOrder = '[1, 2, 3]'")
    let report = try await store.sync(payload: list("2, 4, 3, 1"), as: Playlist.self)
    #expect(report[Playlist.self].conflicts == 1)
    #expect(try await self.tracks(in: store) == [1, 2, 3, 4])
    try await confirmAll(Playlist.self, in: store)
    try await store.sync(payload: list("2, 4, 3, 1"), as: Playlist.self)
    #expect(try await self.tracks(in: store) == [2, 4, 3, 1])
  }

  /// The server has given the list of a new row an order, and the device has not.
  @Test func newRowGetsTheOrderOfThePayload() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "title": "a"}, {"id": 2, "title": "b"}]"#, as: Track.self)
    try await store.run("INSERT INTO Playlist (id, name) VALUES (1, 'p')")
    try await store.sync(payload: #"[{"id": 1, "name": "p", "track_ids": [2, 1]}]"#, as: Playlist.self)
    #expect(try await tracks(in: store) == [2, 1])
    #expect(try await bodies(Playlist.self, in: store) == [])
  }

  @Test func orderOfAListFollowsTheIdentityOfTheAnswer() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "title": "a"}]"#, as: Track.self)
    try await store.sync(payload: #"[{"id": 1, "name": "p", "track_ids": [1]}]"#, as: Playlist.self)
    try await store.run("INSERT INTO Track (id, title) VALUES (-1, 'new')")
    try await store.run("INSERT INTO \"Playlist.tracks\" (source, target) VALUES (1, -1)")
    try await store.run("UPDATE Playlist SET tracksOrder = '[-1, 1]'")
    try await store.withPendingChanges(for: Track.self) { _ in [-1: .confirmedAs(50)] }
    #expect(try await tracks(in: store) == [50, 1])
    #expect(try await bodies(Playlist.self, in: store) == [#"PATCH ["tracks"] {"track_ids":[50,1]}"#])
    try await confirmAll(Playlist.self, in: store)
  }

  // MARK: Identities of several properties

  @Test func rowWithACompositeIdentityIsEditedAndPushed() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]"#, as: Person.self)
    try await store.sync(payload: #"[{"id": 7, "name": "red"}]"#, as: Team.self)
    try await store.sync(
      payload: #"[{"person_id": 1, "team_id": 7, "role": "chief"}]"#, as: Membership.self)
    try await store.database.write { database in
      var row = try #require(try Membership.fetchOne(database))
      row.role = "mine"
      try row.update(database)
      try Membership(person: Reference(id: 2), team: Reference(id: 7), role: "new").insert(database)
    }
    let changes = try await bodies(Membership.self, in: store)
    #expect(
      changes == [
        #"PATCH ["role"] {"role":"mine"}"#,
        #"POST ["person", "team", "role"] {"person_id":2,"team_id":7,"role":"new"}"#,
      ])
    try await store.sync(
      payload: #"[{"person_id": 1, "team_id": 7, "role": "other"}]"#, as: Membership.self)
    #expect(try await store.rows("SELECT role FROM Membership ORDER BY person") == ["mine", "new"])
    try await confirmAll(Membership.self, in: store)
    try await store.run("DELETE FROM Membership WHERE person = 2")
    try await store.sync(
      payload:
        #"[{"person_id": 1, "team_id": 7, "role": "mine"}, {"person_id": 2, "team_id": 7, "role": "new"}]"#,
      as: Membership.self)
    #expect(try await bodies(Membership.self, in: store) == ["DELETE [] "])
    #expect(try await store.rows("SELECT role FROM Membership") == ["mine"])
    try await confirmAll(Membership.self, in: store)
  }

  /// What refers to a person who got another identity has it, too.
  @Test func compositeIdentityAdoptsTheServerIdentityOfItsPart() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 7, "name": "red"}]"#, as: Team.self)
    try await store.database.write { database in
      try Person(id: -1, name: "new").insert(database)
      try Membership(person: Reference(id: -1), team: Reference(id: 7), role: "chief").insert(database)
    }
    try await store.withPendingChanges(for: Person.self) { _ in [-1: .confirmedAs(50)] }
    let change = try #require(try await store.pendingChanges(for: Membership.self).first)
    #expect(String(decoding: change.body, as: UTF8.self) == #"{"person_id":50,"team_id":7,"role":"chief"}"#)
    try await store.sync(
      payload: #"[{"person_id": 50, "team_id": 7, "role": "chief"}]"#, as: Membership.self)
    #expect(try await store.rows("SELECT person, team, role FROM Membership") == ["50 7 chief"])
    try await confirmAll(Membership.self, in: store)
  }

  @Test func compositeIdentityOfARowSetAsideAdoptsTheServerIdentityOfItsPart() async throws {
    let store = try makeStore()
    let team = #"[{"id": 7, "name": "red"}]"#
    try await store.sync(payload: team, as: Team.self)
    try await store.database.write { database in
      try Person(id: -1, name: "new").insert(database)
      try Membership(person: Reference(id: -1), team: Reference(id: 7), role: "chief").insert(database)
    }
    try await store.sync(payload: "[]", as: Team.self)
    #expect(try await store.pendingChanges(for: Membership.self).map(\.state) == [.aside])
    try await store.withPendingChanges(for: Person.self) { _ in [-1: .confirmedAs(50)] }
    try await store.sync(payload: team, as: Team.self)
    try await store.sync(
      item: #"{"person_id": 50, "team_id": 7, "role": "chief"}"#, as: Membership.self)
    #expect(try await store.rows("SELECT person, team, role FROM Membership") == ["50 7 chief"])
    #expect(try await store.edits("Membership").isEmpty)
  }

  // MARK: Answers

  @Test func answerToAnUpdateNeedsNoIdentity() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "title": "one"}]"#, as: Task.self)
    try await store.run("UPDATE Task SET title = 'mine'")
    let report = try await store.withPendingChanges(for: Task.self) { _ in
      [1: .confirmedWith(Data(#"{"title": "MINE", "votes": 3}"#.utf8))]
    }
    #expect(report.problems.isEmpty)
    #expect(try await store.rows("SELECT title, votes FROM Task") == ["MINE 3"])
    #expect(try await !store.hasPendingChanges())
  }

  @Test func answerToAnUpdateNeedsNoCompositeIdentity() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "name": "a"}]"#, as: Person.self)
    try await store.sync(payload: #"[{"id": 7, "name": "red"}]"#, as: Team.self)
    try await store.sync(
      payload: #"[{"person_id": 1, "team_id": 7, "role": "chief"}]"#, as: Membership.self)
    try await store.run("UPDATE Membership SET role = 'mine'")
    let id = Membership.ID(person: 1, team: 7)
    let report = try await store.withPendingChanges(for: Membership.self) { _ in
      [id: .confirmedWith(Data(#"{"role": "MINE"}"#.utf8))]
    }
    #expect(report.confirmed == 1 && report.problems.isEmpty)
    #expect(try await store.rows("SELECT person, team, role FROM Membership") == ["1 7 MINE"])
    #expect(try await !store.hasPendingChanges())
  }

  @Test func answerUpdatesAParentScopedRow() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "title": "one"}]"#, as: Task.self)
    try await store.sync(
      payload: #"[{"id": 1, "name": "a"}]"#, as: Seat.self, parent: 1, relationship: \.task)
    try await store.run("UPDATE Seat SET name = 'mine'")
    let report = try await store.withPendingChanges(for: Seat.self) { _ in
      [1: .confirmedWith(Data(#"{"id": 1, "name": "MINE"}"#.utf8))]
    }
    #expect(report.problems.isEmpty)
    #expect(try await store.rows("SELECT name FROM Seat") == ["MINE"])
    #expect(try await !store.hasPendingChanges())
  }

  /// An item puts back the edits of the rows that it may name, and no others.
  @Test func itemSyncDoesNotTouchEditsOfOtherRows() async throws {
    let store = try makeStore()
    let rows = (1...50).map { #"{"id": \#($0), "title": "t"}"# }
    try await store.sync(payload: "[\(rows.joined(separator: ","))]", as: Task.self)
    try await store.run("UPDATE Task SET title = 'mine'")
    let before = try await store.rows("SELECT total_changes()")
    try await store.sync(item: #"{"id": 7, "title": "theirs", "votes": 2}"#, as: Task.self)
    let after = try await store.rows("SELECT total_changes()")
    let changes = try #require(Int(after[0])) - (try #require(Int(before[0])))
    #expect(changes < 20, "\(changes)")
    #expect(try await store.rows("SELECT title, votes FROM Task WHERE id = 7") == ["mine 2"])
    #expect(try await store.pendingChanges(for: Task.self).count == 50)
  }

  // MARK: Positions

  /// A payload may have a new row before its push is confirmed.
  @Test func newRowThatTheServerHasGetsItsPositionAndUnexportedValues() async throws {
    let store = try TextStore(
      """
      @Offline model Task {
        id: Int
        title: String
        @Position place: Int
        @NotExport owner: String?
        @NotExport color: String?
      }
      """)
    try await store.run("INSERT INTO Task (id, title, place, owner, color) VALUES (2, 'b', 7, 'me', 'red')")
    let payload = #"[{"id": 1, "title": "a"}, {"id": 2, "title": "b", "owner": "ann"}]"#
    try await store.sync(payload)
    let rows = "SELECT id, place, owner, color FROM Task ORDER BY id"
    #expect(try await store.rows(rows) == ["1 0 - -", "2 1 ann red"])
    #expect(try await store.pending() == [])
    #expect(try await store.sync(payload).isUnchanged)
  }
}
