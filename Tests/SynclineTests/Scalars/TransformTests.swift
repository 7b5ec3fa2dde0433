import Foundation
import Syncline
import SynclineTesting
import Testing

/// Values in formats of a specific API: `@Transform`, and several keys of one property.
@Suite struct TransformTests {
  private let payload = #"""
    [{"id": 1, "title": "T", "edited": false, "views": "1,358", "votes": "unknown", "warmth": "21.5 °C",
      "details": {"seen": "7", "locked": 86400}},
     {"id": 2, "title": "U", "edited": 1700000000, "votes": "12", "details": {"seen": 5, "locked": false}}]
    """#

  private func posts(_ container: SyncContainer) async throws -> [Story] {
    try await container.database.read { try Story.order(Story.Columns.id).fetchAll($0) }
  }

  @Test func valuesAreReadByTheTransform() async throws {
    let container = try makeStore()
    let report = try await container.sync(payload: payload, as: Story.self)
    #expect(report.problems == [])
    let posts = try await posts(container)
    #expect(posts.map(\.edited) == [nil, Date(timeIntervalSince1970: 1_700_000_000)])
    #expect(posts.map(\.views) == [1_358, 0])
    #expect(posts.map(\.votes) == [nil, 12])
    #expect(posts[0].warmth == Warmth(degrees: 21.5))
    #expect(posts.map(\.details?.seen) == [7, 5])
    #expect(posts.map(\.details?.locked) == [Date(timeIntervalSince1970: 86_400), nil])
  }

  @Test func transformedValuesAreStoredAndQueryable() async throws {
    let container = try makeStore()
    try await container.sync(payload: payload, as: Story.self)
    let found = try await container.database.read { database in
      try Story.filter(Story.Columns.views > 1_000 && Story.Columns.details.seen == 7).fetchAll(database).map(
        \.id)
    }
    #expect(found == [1])
    let row = try await container.database.read {
      try Row.fetchOne($0, sql: "SELECT views, warmth, details FROM Story WHERE id = 1").map {
        Array($0.databaseValues)
      }
    }
    #expect(
      row == [
        1_358.databaseValue, #"{"degrees":21.5}"#.databaseValue,
        #"{"locked":"1970-01-02T00:00:00.000000Z","seen":7}"#.databaseValue,
      ])
  }

  @Test func repeatedOrExportedTransformedValuesChangeNothing() async throws {
    let container = try makeStore()
    try await container.sync(payload: payload, as: Story.self)
    #expect(try await container.sync(payload: payload, as: Story.self).isUnchanged)
    let body = try await container.exportData(as: Story.self)
    #expect(try await container.sync(payload: body, as: Story.self).isUnchanged)
    let rows = try await container.export(as: Story.self)
    #expect(try SyncJSON.array(rows) == SyncJSON(parsing: body))
    #expect(rows[0]["views"] == "1,358")
    #expect(rows[0]["edited"] == .null)
    #expect(rows[0]["warmth"] == "21.5 °C")
    #expect(rows[0]["details"]?["seen"] == "7")
    #expect(rows[1]["edited"] == 1_700_000_000)
    // A different value counts as a change.
    let report = try await container.sync(
      payload: #"[{"id": 1, "edited": 5, "views": 1359}, {"id": 2}]"#, as: Story.self)
    #expect(report[Story.self].updated == 1)
    #expect(try await posts(container)[0].views == 1_359)
    let cleared = try await container.sync(
      payload: #"[{"id": 1, "edited": false}, {"id": 2}]"#, as: Story.self)
    #expect(cleared[Story.self].updated == 1)
    #expect(try await posts(container)[0].edited == nil)
  }

  @Test func valueRefusedByATransformIsUnreadable() async throws {
    let container = try makeStore()
    let report = try await container.sync(
      payload: #"[{"id": 1, "title": "T", "edited": true, "details": {"seen": "many"}}]"#, as: Story.self)
    #expect(
      report.problems.map { "\($0.path): \($0.reason)" } == [
        "[0].edited: the boolean true is not a valid FalseOrDate",
        "[0].details.seen: the string “many” is not a valid GroupedNumber",
      ])
    let error = try await #require(throws: SyncError.self) {
      try await container.sync(payload: #"[{"id": 1, "views": "many"}]"#, as: Story.self)
    }
    #expect(
      error.description
        == "Invalid payload for Story: “views” is not a valid GroupedNumber: the string “many” (at [0].views, row 0, identity 1)"
    )
  }

  @Test func aStampIsReadByItsTransform() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "title": "new", "changed": 700}]"#, as: Memo.self)
    let older = try await store.sync(payload: #"[{"id": 1, "title": "old", "changed": 600}]"#, as: Memo.self)
    #expect(older.isUnchanged && older.problems.isEmpty)
    try await store.sync(payload: #"[{"id": 1, "title": "newest", "changed": 800}]"#, as: Memo.self)
    #expect(try store.pick(Memo.self, "title", "changed") == [["newest", "2001-01-01T00:13:20.000Z"]])
  }

  @Test func transformResultThatNoColumnCanStoreIsUnreadable() async throws {
    let store = try makeStore()
    let rows = #"[{"id": 1, "title": "a", "share": "nan", "count": "18446744073709551615"}]"#
    for _ in 0..<2 {
      let report = try await store.sync(payload: rows, as: Memo.self, deletionPolicy: .none)
      #expect(
        report.problems.filter { $0.action != .appliedWithoutStamp }.map(\.path) == [
          "[0].share", "[0].count",
        ])
      #expect(report.updated == 0)
    }
    #expect(try store.pick(Memo.self, "share", "count") == [[nil, nil]])
  }

  @Test func transformResultWithAPartThatJSONCannotRepresentIsUnreadable() async throws {
    let store = try makeStore()
    let rows = #"[{"id": 1, "title": "a", "changed": 5, "readings": "1;n/a;3", "amount": "none"}]"#
    let report = try await store.sync(payload: rows, as: Memo.self)
    #expect(report.problems.map(\.path) == ["[0].readings", "[0].amount"])
    #expect(try store.pick(Memo.self, "readings", "amount") == [[nil, nil]])
    let readable = #"[{"id": 1, "changed": 6, "readings": "1;2.5", "amount": "12.5"}]"#
    #expect(try await store.sync(payload: readable, as: Memo.self).problems == [])
    #expect(try store.pick(Memo.self, "readings", "amount") == [[[1, 2.5], 12.5]])
  }

  /// The string contains the same information as the reference, so either is sufficient.
  @Test func keyPatternTextIsExportedWithItsPrefix() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": "7"}]"#, as: Practice.self)
    let rows = #"[{"contacts":[],"friend_id":null,"id":"p1","org":"Practice/7"}]"#
    try await store.sync(payload: rows, as: Patient.self)
    #expect(try store.pick(Patient.self, "org") == [["7"]])
    let exported = try await store.export(as: Patient.self)
    #expect(exported == [["contacts": [], "friend_id": nil, "id": "p1", "org": "Practice/7"]])
    #expect(try await SyncJSON(parsing: store.exportData(as: Patient.self)) == .array(exported))
  }

  @Test func nullOfARequiredTransformedValueIsZero() async throws {
    let container = try makeStore()
    try await container.sync(payload: #"[{"id": 1, "title": "T", "views": "5"}]"#, as: Story.self)
    try await container.sync(payload: #"[{"id": 1, "views": "unknown"}]"#, as: Story.self)
    #expect(try await posts(container)[0].views == 0)
    try await container.sync(payload: #"[{"id": 1, "views": "5"}]"#, as: Story.self)
    try await container.sync(payload: #"[{"id": 1, "views": null}]"#, as: Story.self)
    #expect(try await posts(container)[0].views == 0)
  }

  @Test func errorOfATransformFailsTheExport() async throws {
    let container = try makeStore()
    try await container.database.write { try Story(id: 1, title: "T", views: -1).insert($0) }
    await #expect(throws: NoValue.self) { try await container.exportData(as: Story.self) }
    await #expect(throws: NoValue.self) { try await container.export(as: Story.self) }
    try await container.database.write {
      try Story(id: 1, title: "T", details: StoryDetails(seen: -1)).update($0)
    }
    await #expect(throws: NoValue.self) { try await container.exportData(as: Story.self) }
    await #expect(throws: NoValue.self) { try await container.export(as: Story.self) }
  }

  @Test func theFirstOfSeveralKeysIsReadAndWritten() async throws {
    let container = try makeStore()
    try await container.sync(
      payload: #"""
        [{"id": 1, "name": "A", "meta": {"heading": "no"}}, {"id": 2, "meta": {"heading": "B"}}, {"id": 3, "title": "C", "name": "no"},
         {"id": 4, "title": [], "name": "D", "details": {"seen": 1, "remark": "r"}, "by": {"id": 7, "name": "N"}}]
        """#, as: Story.self)
    let posts = try await posts(container)
    #expect(posts.map(\.title) == ["A", "B", "C", "D"])
    #expect(posts[3].details?.note == "r")
    #expect(posts[3].author?.id == 7)
    let body = try await container.export(posts[3])
    #expect(body["title"] == "D")
    #expect(body["name"] == nil)
    #expect(body["details"]?["note"] == "r")
    #expect(body["writer"]?["name"] == "N")
    #expect(body["by"] == nil)
    #expect(try await container.sync(payload: [body], as: Story.self, deletionPolicy: .none).isUnchanged)
  }
}

/// Keys inside longer strings: `@KeyPattern`.
@Suite struct KeyPatternTests {
  @Test func keyWithinAReferenceTextIsLinked() async throws {
    let container = try makeStore()
    let payload = #"""
      [{"id": 1, "name": "A", "managing": {"reference": "Practice/p/1"},
        "links": ["Practice/p2", "https://fhir.org/Practice/p/1"]}]
      """#
    let report = try await container.sync(payload: payload, as: Reporter.self)
    #expect(report.problems == [])
    #expect(report.waiting.map(\.targetIdentity) == ["p/1", "p2", "p/1"])
    // Pending links are also written as keys.
    #expect(try await container.export(as: Reporter.self)[0]["managing"] == ["reference": "Practice/p/1"])
    try await container.sync(payload: #"[{"id": "p/1"}, {"id": "p2"}]"#, as: Practice.self)
    #expect(try container.pick(Reporter.self, "practice", "visits") == [["p/1", ["p/1", "p2"]]])
    #expect(try await container.sync(payload: payload, as: Reporter.self).isUnchanged)
    let body = try await container.export(as: Reporter.self)
    #expect(body[0]["managing"] == ["reference": "Practice/p/1"])
    #expect(body[0]["links"] == ["Practice/p/1", "Practice/p2"])
    let text = try await container.exportData(as: Reporter.self)
    #expect(try SyncJSON.array(body) == SyncJSON(parsing: text))
    #expect(try await container.sync(payload: SyncJSON.array(body), as: Reporter.self).isUnchanged)
  }

  @Test func textThatDoesNotMatchTheKeyPatternIsUnreadable() async throws {
    let container = try makeStore()
    try await container.sync(payload: #"[{"id": "p"}]"#, as: Practice.self)
    try await container.sync(
      payload: #"[{"id": 1, "managing": {"reference": "Practice/p"}}]"#, as: Reporter.self)
    for reference in ["p", "Device/p", "Practice/", "", "practice/p"] {
      for _ in 0..<2 {
        let report = try await container.sync(
          payload: #"[{"id": 1, "managing": {"reference": "\#(reference)"}}]"#, as: Reporter.self)
        #expect(report.actions == [.keptLink], "\(reference)")
      }
    }
    #expect(try container.pick(Reporter.self, "practice") == [["p"]])
  }

  @Test func identityWithinAURLIsReadAsIdentityAndKey() async throws {
    let container = try makeStore()
    let films = #"""
      [{"url": "https://swapi.dev/api/films/1/", "title": "A New Hope",
        "characters": ["https://swapi.dev/api/people/1/", "https://swapi.dev/api/people/2/"]},
       {"url": "https://swapi.dev/api/films/2/", "title": "Empire", "characters": ["https://swapi.dev/api/people/2/"]}]
      """#
    let people = #"""
      [{"url": "https://swapi.dev/api/people/2/", "name": "C-3PO", "homeworld": "https://swapi.dev/api/planets/Tatooine/",
        "films": ["https://swapi.dev/api/films/1/", "https://swapi.dev/api/films/2/"]},
       {"url": "https://swapi.dev/api/people/1/", "name": "Luke", "homeworld": null, "films": ["https://swapi.dev/api/films/1/"]}]
      """#
    try await container.sync(payload: films, as: Film.self)
    try await container.sync(payload: people, as: Figure.self)
    try await container.sync(
      payload: #"[{"url": "https://swapi.dev/api/planets/Tatooine/"}]"#, as: Planet.self)
    #expect(try container.pick(Film.self, "id", "cast") == [[1, [1, 2]], [2, [2]]])
    #expect(try container.pick(Figure.self, "id", "home") == [[1, .null], [2, "Tatooine"]])
    for (payload, repeated) in [(films, true), (people, true)] where repeated {
      if payload == films {
        #expect(try await container.sync(payload: payload, as: Film.self).isUnchanged)
      } else {
        #expect(try await container.sync(payload: payload, as: Figure.self).isUnchanged)
      }
    }
    let body = try await container.export(as: Film.self)
    #expect(try SyncJSON.array(body) == SyncJSON(parsing: films))
    #expect(try await SyncJSON.array(body) == SyncJSON(parsing: container.exportData(as: Film.self)))
    let figures = try await container.exportData(as: Figure.self)
    #expect(try await container.sync(payload: figures, as: Figure.self).isUnchanged)
    #expect(
      try await container.export(as: Figure.self)[1]["homeworld"] == "https://swapi.dev/api/planets/Tatooine/"
    )
    // A number is a valid identity, a string in another format is not.
    let report = try await container.sync(
      payload: #"[{"url": 1, "title": "Hope"}, {"url": "https://other/2/", "title": "x"}]"#, as: Film.self,
      deletionPolicy: .none)
    #expect(report[Film.self].updated == 1)
    #expect(report.actions == [.skippedRow])
  }

  /// An integer in a string does not match the pattern, neither as identity nor as a key of a relationship.
  @Test func textWithoutTheKeyPatternIsRefusedAsKey() async throws {
    let container = try makeStore()
    try await container.sync(
      payload: #"[{"url": "https://swapi.dev/api/films/2/", "title": "Empire"}]"#, as: Film.self)
    let report = try await container.sync(
      payload: #"[{"url": "2", "title": "x"}, {"url": 2, "title": "Hope"}]"#, as: Film.self)
    #expect(report.actions == [.skippedRow])
    #expect(try container.pick(Film.self, "id", "title") == [[2, "Hope"]])
    await #expect(throws: SyncError.self) {
      try await container.sync(item: #"{"url": "2", "title": "x"}"#, as: Film.self)
    }
    for policy in [SyncConfiguration.ForeignKeys.strict, .likeIdentities] {
      let container = try makeStore(foreignKeys: policy)
      try await container.sync(payload: #"[{"url": 2}]"#, as: Film.self)
      let keys = try await container.sync(
        payload: #"[{"url": 1, "films": ["2"]}, {"url": 3, "films": [2], "homeworld": "Tatooine"}]"#,
        as: Figure.self)
      #expect(keys.problems.map(\.path) == ["[0].films[0]", "[1].homeworld"])
      #expect(keys.waiting == [])
      #expect(try container.pick(Figure.self, "id", "films") == [[1, []], [3, [2]]])
    }
  }

  @Test func rowsWithPatternIdentitiesAreMatchedInAnyOrder() async throws {
    let container = try makeStore()
    func row(_ number: Int, _ title: String) -> String {
      #"{"url": "https://swapi.dev/api/films/\#(number)/", "title": "\#(title)", "characters": []}"#
    }
    let numbers = (1...3_000).map { ($0 * 7_919) % 3_001 }
    let payload = "[\(numbers.map { row($0, "t\($0)") }.joined(separator: ","))]"
    #expect(try await container.sync(payload: payload, as: Film.self).inserted == 3_000)
    #expect(try await container.sync(payload: payload, as: Film.self).isUnchanged)
    let changed =
      "[\(numbers.reversed().map { row($0, $0 % 10 == 0 ? "u" : "t\($0)") }.joined(separator: ","))]"
    #expect(try await container.sync(payload: changed, as: Film.self)[Film.self].updated == 300)
  }
}
