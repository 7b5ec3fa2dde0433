import Foundation
import GRDB
import Syncline
import SynclineTesting
import TestSupport
import Testing

/// Lists that keep the order of the server.
@Suite struct OrderedListTests {
  private let folder = TemporaryFolder()

  private func tracks(_ store: SyncContainer, _ id: Int = 1) throws -> [Int] {
    try store.database.read { db in
      try #require(try Playlist.fetchOne(db, id: id)).tracks.fetchAll(db).map(\.id)
    }
  }

  @Test func orderedListIsReadInPayloadOrder() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1}, {"id": 2}, {"id": 3}, {"id": 4}]"#, as: Track.self)
    try await store.sync(payload: #"[{"id": 1, "track_ids": [3, 1, 4]}]"#, as: Playlist.self)
    #expect(try tracks(store) == [3, 1, 4])
    let list = try await store.database.read { try Playlist.fetchOne($0, id: 1) }
    #expect(list?.tracksOrder == [3, 1, 4])
    // Another order and a filter can be applied as to any request.
    let sorted = try await store.database.read { try list?.tracks.order { $0.id }.fetchAll($0).map(\.id) }
    #expect(sorted == [1, 3, 4])
    let filtered = try await store.database.read {
      try list?.tracks.filter { $0.id != 1 }.fetchAll($0).map(\.id)
    }
    #expect(filtered == [3, 4])
  }

  @Test func reorderingAListUpdatesItsOwner() async throws {
    let store = try makeStore()
    let rows = { (ids: String) in #"[{"id": 1, "tracks": [\#(ids)]}]"# }
    try await store.sync(
      payload: rows(#"{"id": 2, "title": "b"}, {"id": 1, "title": "a"}"#), as: Playlist.self)
    let before = try store.writes()
    let same = try await store.sync(
      payload: rows(#"{"id": 2, "title": "b"}, {"id": 1, "title": "a"}"#), as: Playlist.self)
    #expect(same.isUnchanged)
    #expect(try store.writes() == before)
    var changes = store.changes().makeAsyncIterator()
    let report = try await store.sync(
      payload: rows(#"{"id": 1, "title": "a"}, {"id": 2, "title": "b"}"#), as: Playlist.self)
    #expect(
      (report[Playlist.self].updated, report[Track.self].unchanged, report.linked, report.unlinked) == (
        1, 2, 0, 0
      ))
    #expect(try await changes.next()?[Playlist.self].updated == [1])
    #expect(try tracks(store) == [1, 2])
  }

  /// Swift's `==` treats the two identities as equal strings, but they are compared byte by byte.
  @Test func canonicallyEquivalentIdentitiesAreReordered() async throws {
    let store = try makeStore()
    let (composed, decomposed) = ("\u{E9}", "e\u{301}")
    for cues in [[composed, decomposed], [decomposed, composed]] {
      let keys = cues.map { "\"\($0)\"" }.joined(separator: ", ")
      try await store.sync(item: #"{"id": 1, "cue_ids": [\#(keys)]}"#, as: Playlist.self)
      let stored = try await store.database.read { try Playlist.fetchOne($0, id: 1)?.cuesOrder }
      #expect(stored?.map { Array($0.utf8) } == cues.map { Array($0.utf8) })
    }
  }

  @Test func membersStoredLaterGetTheirListPosition() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"[{"id": 1, "track_ids": [3, 1, 2], "cue_ids": ["b", "a"]}]"#, as: Playlist.self)
    #expect(try tracks(store) == [])
    try await store.sync(payload: #"[{"id": 1}, {"id": 2}, {"id": 3}]"#, as: Track.self)
    #expect(try tracks(store) == [3, 1, 2])
    try await store.sync(payload: #"[{"id": "a"}, {"id": "b"}]"#, as: Cue.self)
    let cues = try await store.database.read { db in
      try Playlist.fetchOne(db, id: 1)?.cues.fetchAll(db).map(\.id)
    }
    #expect(cues == ["b", "a"])
    // Rows that are linked from the other end or locally follow the listed ones.
    try await store.sync(item: #"{"id": 0, "list_ids": [1]}"#, as: Track.self)
    try await store.database.write { try Playlist.membership(\.tracks, of: 1).remove([1], $0) }
    #expect(try tracks(store) == [3, 2, 0])
  }

  /// Contract, section 2: the objects of a row are merged before they are compared with what is stored, and later keys win.
  @Test func lastListOfARepeatedRowIsComparedWithTheStoredOrder() async throws {
    let store = try TextStore(
      #"""
      model Playlist {
        id: Int
        name: String
        @Ordered @Relationship(inverse: nil) tracks: [Track]
      }

      model Track {
        id: Int
      }
      """#)
    try await store.sync(#"[{"id": 1}]"#, as: "Track")
    try await store.sync(#"[{"id": 1, "name": "n", "track_ids": [5]}]"#)
    for payload in [
      // The last list equals the stored one. Each of the others contains more rows.
      #"[{"id": 1, "track_ids": [1, 5]}, {"id": 1, "track_ids": [5]}]"#,
      #"[{"id": 1, "track_ids": [1, 5]}, {"id": 1, "name": "n", "track_ids": [5]}]"#,
      #"[{"id": 1, "track_ids": [5, 1]}, {"id": 1, "track_ids": [1, 5]}, {"id": 1, "track_ids": [5]}]"#,
    ] {
      let report = try await store.sync(payload)
      #expect(report.isUnchanged && report.waiting.map(\.targetIdentity) == ["5"], "\(payload) \(report)")
    }
    // A row that requires several objects to be complete.
    let made = #"[{"id": 2, "track_ids": [1, 5]}, {"id": 2, "name": "n", "track_ids": [5]}]"#
    try await store.sync(made)
    #expect(try await store.sync(made).isUnchanged, "the same once more changes nothing")
  }

  @Test func absentListIsKeptAndNullOrEmptyListIsCleared() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "tracks": [{"id": 2}, {"id": 1}]}]"#, as: Playlist.self)
    try await store.sync(payload: #"[{"id": 1, "name": "n"}]"#, as: Playlist.self)
    #expect(try tracks(store) == [2, 1])
    // An unreadable list is reported once.
    let report = try await store.sync(payload: #"[{"id": 1, "tracks": 7}]"#, as: Playlist.self)
    #expect(report.problems.map(\.path) == ["[0].tracks"])
    #expect(report.updated == 0)
    #expect(try tracks(store) == [2, 1])
    let mixed = try await store.sync(payload: #"[{"id": 1, "tracks": [1, "x", 2]}]"#, as: Playlist.self)
    #expect(mixed.problems.count == 1)
    #expect(try tracks(store) == [1, 2])
    try await store.sync(payload: #"[{"id": 1, "tracks": []}]"#, as: Playlist.self)
    #expect(try tracks(store) == [])
    try await store.sync(payload: #"[{"id": 1, "tracks": null}]"#, as: Playlist.self)
    #expect(try store.pick(Playlist.self, "tracksOrder") == [[nil]])
  }

  /// A list in the order that its rows would have without a stored order does not store one.
  @Test func anExportThatIsSyncedBackChangesNothing() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"[{"id": 1}, {"id": 2, "track_ids": [3, 1, 3]}, {"id": 3, "tracks": null}]"#,
      as: Playlist.self)
    try await store.sync(
      payload: #"[{"id": 1}, {"id": 2}, {"id": 3}, {"id": 4, "list_ids": [1, 2]}]"#, as: Track.self)
    func check() async throws {
      let exported = try await store.export(as: Playlist.self)
      #expect(try await store.sync(payload: exported, as: Playlist.self).isUnchanged)
    }
    try await check()
    #expect(try tracks(store, 2) == [3, 1, 4])
    try await store.database.write { try Playlist.membership(\.tracks, of: 2).remove([3], $0) }
    try await check()
    try await store.sync(payload: #"[{"id": 2}, {"id": 4}]"#, as: Track.self)
    try await check()
    // The order can be reversed.
    let reversed = try await store.database.read { db in
      try Playlist.fetchOne(db, id: 2)?.tracks.reversed().fetchAll(db).map(\.id)
    }
    #expect(reversed == [4])
    try await store.sync(item: #"{"id": 2, "track_ids": [4, 2]}"#, as: Playlist.self)
    let both = try await store.database.read { db in
      let tracks = try #require(try Playlist.fetchOne(db, id: 2)).tracks
      return [try tracks.fetchAll(db).map(\.id), try tracks.reversed().fetchAll(db).map(\.id)]
    }
    #expect(both == [[4, 2], [2, 4]])
  }

  @Test func orderedListCanHaveThousandsOfMembers() async throws {
    let store = try makeStore()
    let ids = Array((0..<5_000).reversed())
    try await store.sync(
      payload: "[\(ids.map { #"{"id": \#($0)}"# }.joined(separator: ","))]", as: Track.self)
    try await store.sync(payload: #"[{"id": 1, "track_ids": \#(ids)}]"#, as: Playlist.self)
    #expect(try tracks(store) == ids)
  }

  @Test func exportsKeepTheListOrder() async throws {
    let store = try makeStore()
    let ids = ["B0000000-0000-0000-0000-000000000000", "a0000000-0000-0000-0000-000000000000"]
    let rows = #"""
      [{"id": 1, "tracks": [{"id": 5, "title": "e"}, {"id": 2, "title": "b"}], "cues": [{"id": "z"}, {"id": "a"}],
        "guests": {"edges": [{"node": {"id": "\#(ids[0])"}}, {"node": {"id": "\#(ids[1])"}}]}}]
      """#
    try await store.sync(payload: rows, as: Playlist.self)
    let exported = try await store.export(as: Playlist.self)
    #expect(exported.first?["tracks"]?.array?.map { $0["id"] } == [5, 2])
    #expect(exported.first?["cues"]?.array?.map { $0["id"] } == ["z", "a"])
    #expect(
      exported.first?["guests"]?["edges"]?.array?.map { $0["node"]?["id"]?.string }
        == ids.map { $0.uppercased() })
    #expect(exported.first?["tracks_order"] == nil)
    let data = try await store.exportData(as: Playlist.self)
    #expect(try SyncJSON(parsing: data) == .array(exported))
    #expect(try await store.sync(payload: data, as: Playlist.self).isUnchanged)
    let other = try makeStore()
    try await other.sync(payload: data, as: Playlist.self)
    #expect(try other.everything() == store.everything())
    let guests = try await store.database.read { db in
      try Playlist.fetchOne(db, id: 1)?.guests.fetchAll(db).map(\.id.uuidString)
    }
    #expect(guests == ids.map { $0.uppercased() })
    let document = try await store.exportJSONAPI(as: Playlist.self)
    #expect(
      document["data"]?.array?.first?["relationships"]?["tracks"]?["data"]?.array?.map { $0["id"] } == [
        "5", "2",
      ])
    #expect(try await store.sync(jsonAPI: document).isUnchanged)
  }

  @Test func payloadOrderDoesNotAffectOrderedLists() async throws {
    let rows = (1...60).map { id in
      #"{"id": \#(id), "track_ids": [\#(((id * 7) % 11...(id * 7) % 11 + 3).reversed().map(String.init).joined(separator: ","))]}"#
    }
    var stores: [SyncContainer] = []
    for order in [rows, rows.reversed(), rows.shuffled()] {
      let store = try makeStore()
      let tracks = (0...20).map { #"{"id": \#($0)}"# }.joined(separator: ",")
      try await store.sync(payload: "[\(tracks)]", as: Track.self)
      for _ in 0..<2 { try await store.sync(payload: "[\(order.joined(separator: ","))]", as: Playlist.self) }
      #expect(
        try await store.sync(payload: "[\(rows.shuffled().joined(separator: ","))]", as: Playlist.self)
          .isUnchanged)
      stores.append(store)
    }
    #expect(try stores[0].everything() == stores[1].everything())
    #expect(try stores[0].everything() == stores[2].everything())
  }

  private func cues(_ store: SyncContainer) async throws -> [String] {
    try await store.database.read { db in
      try #require(try Playlist.fetchOne(db, id: 1)).cues.fetchAll(db).map(\.id)
    }
  }

  /// Rows that the list does not contain are sorted by identity, regardless of the order of their arrival.
  @Test func unlistedMembersAreSortedByIdentity() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "name": "n"}]"#, as: Playlist.self)
    try await store.sync(payload: #"[{"id": "c", "list_id": 1}, {"id": "b", "list_id": 1}]"#, as: Cue.self)
    func check(_ order: [String]) async throws {
      #expect(try await cues(store) == order)
      let exported = try await store.export(as: Playlist.self)
      #expect(exported.first?["cues"]?.array?.compactMap { $0["id"]?.string } == order)
      #expect(try await store.sync(payload: exported, as: Playlist.self).isUnchanged)
      #expect(try await cues(store) == order)
    }
    try await check(["b", "c"])
    // A list with the same order changes nothing.
    #expect(try await store.sync(payload: #"[{"id": 1, "cues": ["b", "c"]}]"#, as: Playlist.self).isUnchanged)
    try await check(["b", "c"])
    try await store.sync(payload: #"[{"id": 1, "cues": ["c", "b"]}]"#, as: Playlist.self)
    try await check(["c", "b"])
    // One that is listed, and others from their side.
    try await store.sync(payload: #"[{"id": 1, "cues": ["c"]}]"#, as: Playlist.self)
    try await store.sync(
      payload: #"[{"id": "z", "list_id": 1}, {"id": "c"}, {"id": "a", "list_id": 1}]"#, as: Cue.self)
    try await check(["c", "a", "z"])
    // Many-to-many, by numbers.
    try await store.sync(
      payload: #"[{"id": 10, "list_ids": [1]}, {"id": 9, "list_ids": [1]}]"#, as: Track.self)
    #expect(try tracks(store) == [9, 10])
    #expect(
      try await store.sync(payload: #"[{"id": 1, "track_ids": [9, 10]}]"#, as: Playlist.self).isUnchanged)
  }

  /// The request is an ordinary GRDB request, which can be counted, filtered, changed and observed.
  @Test func orderedListIsAnOrdinaryGRDBRequest() async throws {
    let store = try makeStore()
    try await store.sync(
      payload:
        #"[{"id": 1, "tracks": [{"id": 3, "title": "c"}, {"id": 1, "title": "a"}, {"id": 2, "title": "b"}]}]"#,
      as: Playlist.self)
    let list = try #require(try await store.database.read { try Playlist.fetchOne($0, id: 1) })
    let reads = try await store.database.read { db in
      let ids = list.tracks.select { $0.id }
      return [
        [try list.tracks.fetchCount(db)],
        try list.tracks.filter(sql: "title <> 'a'").fetchAll(db).map(\.id),
        try list.tracks.limit(1, offset: 1).fetchAll(db).map(\.id),
        [try Track.filter { ids.contains($0.id) }.fetchCount(db)],
        try Row.fetchAll(db, list.tracks.including(all: Track.lists)).map { row in row["id"] },
      ]
    }
    #expect(reads == [[3], [3, 2], [1], [3], [3, 1, 2]])
    var observed = store.values { try list.tracks.fetchAll($0).map(\.id) }.makeAsyncIterator()
    #expect(try await observed.next() == [3, 1, 2])
    _ = try await store.database.write { db in
      try list.tracks.filter { $0.id == 1 }.updateAll(db) { $0.title.set(to: "changed") }
      return try list.tracks.filter { $0.id == 3 }.deleteAll(db)
    }
    #expect(try await observed.next() == [1, 2])
    // An identity that occurs twice in an edited list is one row.
    var edited = list
    edited.tracksOrder = [2, 1, 2]
    let request = edited.tracks
    #expect(try await store.database.read { try request.fetchAll($0).map { $0.id } } == [2, 1])
  }

  /// Ten times as many members take about ten times as much work, because the order is looked up, not searched.
  @Test func readingALongListTakesOneLookUpForEachMember() async throws {
    var steps: [Int] = []
    for count in [1_000, 10_000] {
      let store = try makeStore()
      let ids = Array((0..<count).reversed())
      let rows = ids.map { #"{"id": \#($0)}"# }.joined(separator: ",")
      try await store.sync(payload: "[\(rows)]", as: Track.self)
      try await store.sync(payload: #"[{"id": 1, "track_ids": \#(ids)}]"#, as: Playlist.self)
      let counter = StepCounter()
      let (read, plan) = try await store.database.read { db in
        let tracks = try #require(try Playlist.fetchOne(db, id: 1)).tracks
        counter.start(db)
        let read = try tracks.fetchAll(db).map(\.id)
        counter.stop(db)
        let statement = try tracks.makePreparedRequest(db, forSingleResult: false).statement
        let plan = try Row.fetchAll(
          db, sql: "EXPLAIN QUERY PLAN " + statement.sql, arguments: statement.arguments)
        return (read, plan.map { row in row["detail"] as String })
      }
      #expect(read == ids)
      #expect(plan.contains { $0.contains("AUTOMATIC COVERING INDEX (syncline_identity=?)") }, "\(plan)")
      steps.append(counter.steps)
    }
    #expect(steps[1] <= steps[0] * 12, "\(steps)")
  }

  /// Each exported member contains its list's row without the list, so the order of the list is not read for each member.
  @Test func exportingMembersOfALongListTakesLinearWork() async throws {
    var pages: [Int] = []
    for count in [500, 5_000] {
      // A store with one connection, whose work is counted.
      var configuration = Configuration()
      configuration.journalMode = .wal
      let queue = try DatabaseQueue(path: folder.file().path, configuration: configuration)
      let store = try SyncContainer(for: SynclineTestsSchema.self, storage: .database(queue))
      let cues = (0..<count).map { #""a cue of a long list, number \#($0)""# }
      try await store.sync(
        item: #"{"id": 1, "cue_ids": [\#(cues.joined(separator: ","))]}"#, as: Playlist.self)
      try await store.sync(
        payload: "[\(cues.map { "{\"id\": \($0)}" }.joined(separator: ","))]", as: Cue.self)
      let work = try await store.work {
        let rows = try await store.export(as: Cue.self)
        #expect(rows.count == count)
        #expect(rows.allSatisfy { $0["list"]?["id"] == 1 && $0["list"]?["cues"] == nil })
      }
      pages.append(work.pagesRead)
    }
    #expect(pages[1] <= pages[0] * 15, "\(pages)")
  }
}
