import Foundation
import GRDB
import Syncline
import SynclineTesting
import TestSupport
import Testing

/// Rows of several models, distinguished by a key.
@Suite struct UnionTests {
  private static let stream = """
    [{"type": "tale", "id": 1, "title": "a"},
     {"type": "image", "id": "p", "url": "u"},
     {"type": "tale", "id": 2, "title": "b"}]
    """

  // MARK: A collection

  /// The rows of each model are in a text of their own, in which objects may have equal offsets.
  /// The list of one case is not that of the union.
  @Test func olderListOfAUnionIsSyncedAfterANewerOneOfACase() async throws {
    let store = try makeStore()
    let old = store.moment
    try await store.sync(payload: #"[{"id": 1, "title": "new"}]"#, as: Tale.self, requestedAt: store.moment)
    let feed = #"[{"type": "image", "id": "p", "url": "u"}]"#
    try await store.sync(
      payload: feed, as: StreamItem.self, deletionPolicy: DeletionPolicy.none, requestedAt: old)
    #expect(try store.pick(Picture.self, "id") == [["p"]])
    try await store.sync(
      item: #"{"type": "tale", "id": 1, "title": "old"}"#, as: StreamItem.self, requestedAt: old)
  }

  @Test func nestedObjectsWithoutIdentityAreDistinguishedByModel() async throws {
    let store = try makeStore()
    func row(_ type: String, _ id: Int, _ artist: String) -> String {
      #"{"type": "\#(type)", "id": \#(id), "artist": \#(artist)}"#
    }
    let stored = [
      row("statue", 1, #"{"id": 1, "name": "A"}"#), row("mural", 1, #"{"id": 2, "name": "B"}"#),
    ]
    try await store.sync(payload: "[\(stored.joined(separator: ", "))]", as: Exhibit.self)
    let mural = row("mural", 1, #"{"name": "D"}"#).replacing("\"mural\"", with: " \"mural\"")
    let rows = [row("statue", 1, #"{"name": "C"}"#), mural, row("statue", 2, #"{"id": 1, "name": "E"}"#)]
    try await store.sync(payload: "[\(rows.joined(separator: ", "))]", as: Exhibit.self)
    #expect(try store.pick(Artist.self, "id", "name") == [[1, "E"], [2, "D"]])
    #expect(try store.pick(Statue.self, "id", "artist") == [[1, 1], [2, 1]])
    #expect(try store.pick(Mural.self, "id", "artist") == [[1, 2]])
  }

  /// The rows of one model are read after those of the other, regardless of their order in the payload.
  @Test(arguments: [true, false]) func lastValuesInThePayloadWinAcrossModels(_ areMuralsLast: Bool)
    async throws
  {
    let store = try makeStore()
    func rows(_ type: String, _ name: String) -> [String] {
      (1...4).map {
        #"{"type": "\#(type)", "id": \#($0), "artist": {"id": \#($0 % 2), "name": "\#(name)"}}"#
      }
    }
    let (statues, murals) = (rows("statue", "by statues"), rows("mural", "by murals"))
    let list = areMuralsLast ? statues + murals : murals + statues
    let last = areMuralsLast ? "by murals" : "by statues"
    for isRepeated in [false, true] {
      let report = try await store.sync(payload: "[\(list.joined(separator: ", "))]", as: Exhibit.self)
      #expect(report.isUnchanged == isRepeated && report.problems == [])
      #expect(try store.pick(Artist.self, "id", "name") == [[0, .string(last)], [1, .string(last)]])
    }
  }

  @Test func eachRowOfAUnionListIsStoredInItsModel() async throws {
    let store = try makeStore()
    let report = try await store.sync(payload: Self.stream, as: StreamItem.self)
    #expect(report.inserted == 3 && report.problems.isEmpty)
    // Positions are those in the whole list.
    #expect(try store.pick(Tale.self, "id", "rank") == [[1, 0], [2, 2]])
    #expect(try store.pick(Picture.self, "id", "rank") == [["p", 1]])
    let writes = try store.writes()
    #expect(try await store.sync(payload: Self.stream, as: StreamItem.self).isUnchanged)
    #expect(try store.writes() == writes)
  }

  @Test func positionsContinueAcrossTheListsOfABody() async throws {
    let store = try makeStore()
    let body = """
      {"first": [{"type": "image", "id": "p", "url": "u"}, {"type": "image", "id": "q", "url": "u"},
        {"type": "tale", "id": 1, "title": "a"}],
       "rest": [{"type": "tale", "id": 2, "title": "b"}, {"type": "image", "id": "r", "url": "u"}],
       "tales": [{"id": 3, "title": "c"}]}
      """
    for isRepeated in [false, true] {
      let report = try await store.sync(payload: body) {
        $0.list("first", as: StreamItem.self)
        $0.list("rest", as: StreamItem.self)
        $0.list("tales", as: Tale.self)
      }
      #expect(report.isUnchanged == isRepeated)
      #expect(try store.pick(Tale.self, "id", "rank") == [[1, 2], [2, 3], [3, 5]])
      #expect(try store.pick(Picture.self, "id", "rank") == [["p", 0], ["q", 1], ["r", 4]])
    }
  }

  @Test func unionListDeletesMissingRowsOfAllItsModels() async throws {
    let store = try makeStore()
    try await store.sync(payload: Self.stream, as: StreamItem.self)
    let report = try await store.sync(
      payload: #"[{"type": "tale", "id": 2, "title": "b"}]"#, as: StreamItem.self)
    #expect(report[Tale.self].deleted == 1 && report[Picture.self].deleted == 1)
    #expect(
      try await store.sync(payload: "[]", as: StreamItem.self, requireNonEmptyFullSlice: true).deleted == 0)
    #expect(try await store.sync(payload: "[]", as: StreamItem.self, deletionPolicy: .none).deleted == 0)
    #expect(try await store.sync(payload: "[]", as: StreamItem.self).deleted == 1)
  }

  @Test func rowsOfUnknownTypesAreReportedAndSkipped() async throws {
    let store = try makeStore()
    try await store.sync(payload: Self.stream, as: StreamItem.self)
    let payload = #"{"items": [{"type": "video", "id": 1}, {"type": "tale", "id": 2, "title": "b"}]}"#
    let report = try await store.sync(payload: payload, at: "items", as: StreamItem.self)
    #expect(
      report.problems.map(\.description) == [
        "StreamItem, items[0]: “video” matches no case of StreamItem (the row was skipped)"
      ])
    // The object is not a row of any of the models.
    #expect(report.deleted == 2)
  }

  @Test func rowWithoutATypePreventsAllDeletions() async throws {
    for row in [
      #"{"id": 1}"#, #"{"type": null, "id": 1}"#, #"{"type": 3, "id": 1}"#, #"{"type": {}, "id": 1}"#,
    ] {
      let store = try makeStore()
      try await store.sync(payload: Self.stream, as: StreamItem.self)
      let report = try await store.sync(payload: "[\(row)]", as: StreamItem.self)
      #expect(report.deleted == 0)
      #expect(report.actions == [.skippedRow, .deletedNothing])
      #expect(
        report.problems.first?.reason == "“type” is missing or not a string, so no case of StreamItem matches"
      )
    }
  }

  @Test func unionPayloadThatIsNotAListIsRejected() async throws {
    let store = try makeStore()
    for payload in [#"{"type": "tale", "id": 1}"#, "3", "[3]", "[[]]", "[{}", "null"] {
      await #expect(throws: SyncError.self) { try await store.sync(payload: payload, as: StreamItem.self) }
    }
    await #expect(throws: SyncError.self) { try await store.sync(item: Self.stream, as: StreamItem.self) }
    await #expect(throws: SyncError.self) {
      try await store.sync(payload: "[]", as: StreamItem.self, deletionPolicy: .softDeleteMissing)
    }
  }

  @Test func rowWithoutIdentityPreventsDeletionsOfItsModel() async throws {
    let store = try makeStore()
    try await store.sync(payload: Self.stream, as: StreamItem.self)
    let payload = #"[{"type": "tale", "id": 1, "title": "new"}, {"type": "image", "url": "u"}]"#
    let report = try await store.sync(payload: payload, as: StreamItem.self)
    #expect(report.actions == [.skippedRow])
    #expect(report[Tale.self].deleted == 1 && report[Picture.self].deleted == 0)
    // A payload with only unknown types is not an empty payload of any model.
    let renamed = #"[{"type": "Tale", "id": 1}, {"type": "Image", "id": "p"}]"#
    let guarded = try await store.sync(payload: renamed, as: StreamItem.self, requireNonEmptyFullSlice: true)
    #expect(guarded.deleted == 0 && guarded.problems.contains { $0.action == .deletedNothing })
  }

  @Test func unionItemIsStoredInItsModel() async throws {
    let store = try makeStore()
    try await store.sync(payload: Self.stream, as: StreamItem.self)
    let item = #"{"data": {"type": "image", "id": "q", "url": "v"}}"#
    let report = try await store.sync(item: item, at: "data", as: StreamItem.self)
    #expect(report[Picture.self].inserted == 1 && report.deleted == 0)
    let other = try await store.sync(item: #"{"type": "x"}"#, as: StreamItem.self)
    #expect(other.isUnchanged && other.actions == [.skippedRow])
  }

  @Test func exportedUnionListSyncsBackWithOnlyPositionsChanged() async throws {
    let store = try makeStore()
    try await store.sync(payload: Self.stream, as: StreamItem.self, deletionPolicy: .none)
    let rows = try await store.export(as: StreamItem.self)
    #expect(rows.map { $0["type"]?.string } == ["tale", "tale", "image"])
    let data = try await store.exportData(as: StreamItem.self)
    let report = try await store.sync(payload: data, as: StreamItem.self)
    // Another order results in other positions.
    #expect(report.updated == 2 && report.inserted + report.deleted == 0)
  }

  @Test func randomUnionListsMatchThePayload() async throws {
    for seed in Soak.seeds(15_100_000, count: 30) {
      var random = SeededGenerator(seed: seed)
      let (store, other) = (try SynclineTestsSchema.makeStore(in: nil, .init()), try makeStore())
      for _ in 0..<5 {
        var rows: [SyncJSON] = []
        for id in 0..<20 where random.chance(60) {
          let text = SyncJSON.string(random.chance(50) ? "a" : "b")
          // The rows of both models are nested in each other.
          let opinion: SyncJSON = [
            "id": .init(id % 7), "text": text,
            "subject": random.chance(50)
              ? ["type": "tale", "id": .init(id), "title": text]
              : ["type": "image", "id": .init("p\(id % 5)"), "url": text],
          ]
          rows.append(
            random.chance(50)
              ? ["type": "tale", "id": .init(id), "title": text]
              : ["type": "image", "id": .init("p\(id)"), "url": text])
          if random.chance(20) { try await store.sync(item: opinion, as: Opinion.self) }
        }
        rows = rows.filter { row in !rows.contains { $0["id"] == row["id"] && $0 != row } }
        try await store.sync(payload: SyncJSON.array(rows), as: StreamItem.self)
        try await other.sync(payload: "[]", as: StreamItem.self)
        try await other.sync(payload: SyncJSON.array(rows), as: StreamItem.self)
        for store in [store, other] {
          let tales = try store.pick(Tale.self, "id", "title", "rank")
          let pictures = try store.pick(Picture.self, "id", "url", "rank")
          #expect(tales.count + pictures.count == rows.count, "seed \(seed)")
          for row in tales + pictures {
            let place = try #require(rows.firstIndex { $0["id"] == row[0] }, "seed \(seed)")
            #expect(row[1] == rows[place]["title"] ?? rows[place]["url"], "seed \(seed)")
            #expect(row[2] == .init(place), "seed \(seed)")
          }
        }
        #expect(
          try await store.sync(payload: SyncJSON.array(rows), as: StreamItem.self).isUnchanged, "seed \(seed)"
        )
        let mirror = rows.shuffled(using: &random)
        let report = try await store.sync(payload: SyncJSON.array(mirror), as: StreamItem.self)
        #expect(report.inserted + report.deleted == 0, "seed \(seed)")
      }
    }
  }

  // MARK: A to-one

  @Test func unionToOneCanReferToAnyCase() async throws {
    let store = try makeStore()
    let payload = """
      [{"id": 1, "text": "x", "subject": {"type": "tale", "id": 5, "title": "t"}},
       {"id": 2, "text": "y", "subject": {"type": "image", "id": "p", "url": "u"}},
       {"id": 3, "text": "z", "subject": null}]
      """
    let report = try await store.sync(payload: payload, as: Opinion.self)
    #expect(report.problems.isEmpty && report.inserted == 5)
    let opinions = try await store.database.read { try Opinion.order(Opinion.Columns.id).fetchAll($0) }
    #expect(opinions.map(\.subject) == [.tale(.init(id: 5)), .picture(.init(id: "p")), nil])
    #expect(opinions.map(\.subjectUnrecognized) == [nil, nil, nil])
    let (found, backs) = try await store.database.read { db in
      (try opinions[0].fetchSubject(db), try Tale.fetchOne(db, id: 5)?.opinions.fetchAll(db))
    }
    #expect(found?.id == .tale(.init(id: 5)))
    #expect(backs?.map(\.id) == [1])
    #expect(try await store.sync(payload: payload, as: Opinion.self).isUnchanged)
    // The export contains the type, and syncing it changes nothing.
    let exported = try await store.export(as: Opinion.self)
    #expect(exported[0]["subject"]?["type"] == "tale" && exported[1]["subject"]?["type"] == "image")
    #expect(exported[2]["subject"] == .null)
    #expect(try await store.sync(payload: SyncJSON.array(exported), as: Opinion.self).isUnchanged)
  }

  @Test func unionKeyIsReadWithItsTypeKey() async throws {
    let store = try makeStore()
    try await store.sync(payload: Self.stream, as: StreamItem.self)
    let payload = """
      [{"id": 1, "text": "x", "subject_id": 2, "subject_type": "tale"},
       {"id": 2, "text": "y", "subject_type": "image", "subject_id": "p"},
       {"id": 3, "text": "z", "subject_id": null, "subject_type": null}]
      """
    #expect(try await store.sync(payload: payload, as: Opinion.self).problems.isEmpty)
    #expect(
      try store.pick(Opinion.self, "subjectTale", "subjectPicture") == [
        [2, .null], [.null, "p"], [.null, .null],
      ])
    #expect(try await store.sync(payload: payload, as: Opinion.self).isUnchanged)
    // Another type refers to a row of another model, and removes the first link.
    try await store.sync(
      item: #"{"id": 1, "subject_type": "image", "subject_id": "p"}"#, as: Opinion.self)
    #expect(try store.pick(Opinion.self, "subjectTale", "subjectPicture")[0] == [.null, "p"])
    // An absent key changes nothing.
    try await store.sync(item: #"{"id": 1, "text": "w"}"#, as: Opinion.self)
    #expect(try store.pick(Opinion.self, "subjectTale", "subjectPicture")[0] == [.null, "p"])
  }

  @Test func unionKeysAreExportedWithTheirTypes() async throws {
    let store = try makeStore()
    try await store.sync(payload: Self.stream, as: StreamItem.self)
    let payload = """
      [{"id": 1, "target_id": 2, "target_type": "tale"}, {"id": 2, "target": {"type": "image", "id": "p"}},
       {"id": 3, "target_id": null, "target_type": null}]
      """
    #expect(try await store.sync(payload: payload, as: Verdict.self).problems.isEmpty)
    let exported = try await store.export(as: Verdict.self)
    #expect(
      exported == [
        ["id": 1, "target_id": 2, "target_type": "tale"],
        ["id": 2, "target_id": "p", "target_type": "image"],
        ["id": 3, "target_id": nil, "target_type": nil],
      ])
    #expect(try await store.sync(payload: SyncJSON.array(exported), as: Verdict.self).isUnchanged)
    let text = try await store.exportData(as: Verdict.self)
    #expect(try SyncJSON(parsing: text) == .array(exported))
  }

  @Test func pendingUnionLinkIsResolvedOnlyByItsCase() async throws {
    let store = try makeStore()
    let payload = #"[{"id": 1, "text": "x", "subject_type": "tale", "subject_id": 9}]"#
    let report = try await store.sync(payload: payload, as: Opinion.self)
    #expect(report.waiting.map(\.targetIdentity) == ["9"])
    let exported = try await store.export(as: Opinion.self)
    #expect(exported[0]["subject"] == ["id": 9, "type": "tale"])
    try await store.sync(item: #"{"type": "image", "id": "9", "url": "u"}"#, as: StreamItem.self)
    #expect(try store.pick(Opinion.self, "subjectTale", "subjectPicture") == [[.null, .null]])
    try await store.sync(item: #"{"type": "tale", "id": 9, "title": "t"}"#, as: StreamItem.self)
    #expect(try store.pick(Opinion.self, "subjectTale", "subjectPicture") == [[9, .null]])
  }

  @Test func unknownUnionTypeIsStored() async throws {
    let store = try makeStore()
    let payload = #"[{"id": 1, "text": "x", "subject": {"type": "video", "id": 7}}]"#
    for _ in 0..<2 {
      let report = try await store.sync(payload: payload, as: Opinion.self)
      #expect(
        report.problems.map(\.description) == [
          "Opinion “1”, [0].subject: “video” matches no case of StreamItem (the object was ignored)"
        ])
      let opinion = try await store.database.read { try Opinion.fetchOne($0, id: 1) }
      #expect(opinion?.subject == .unrecognized("video"))
      let found = try await store.database.read { try opinion?.fetchSubject($0) }
      #expect(found == .unrecognized("video"))
    }
    #expect(try store.rows(of: Tale.self).isEmpty)
    // The export contains the type, and syncing it changes nothing.
    let exported = try await store.export(as: Opinion.self)
    #expect(exported[0]["subject"] == ["type": "video"])
    #expect(try await store.sync(payload: SyncJSON.array(exported), as: Opinion.self).isUnchanged)
    try await store.sync(item: #"{"id": 1, "target_type": "video", "target_id": 7}"#, as: Verdict.self)
    let verdicts = try await store.export(as: Verdict.self)
    #expect(verdicts == [["id": 1, "target_id": nil, "target_type": "video"]])
    #expect(try await store.sync(payload: SyncJSON.array(verdicts), as: Verdict.self).isUnchanged)
  }

  @Test func unionValueWithoutATypeKeepsTheLink() async throws {
    let store = try makeStore()
    try await store.sync(payload: Self.stream, as: StreamItem.self)
    try await store.sync(
      payload: #"[{"id": 1, "text": "x", "subject_type": "tale", "subject_id": 2}]"#, as: Opinion.self)
    for subject in [#""subject_id": 1"#, #""subject": {"id": 1}"#, #""subject": {"type": 1, "id": 1}"#] {
      let report = try await store.sync(item: "{\"id\": 1, \(subject)}", as: Opinion.self)
      #expect(report.problems.contains { $0.action == .keptLink && $0.reason.contains("“type” is missing") })
      #expect(report.problems.filter { $0.action == .keptLink }.count == 1)
      #expect(try store.pick(Opinion.self, "subjectTale") == [[2]])
    }
  }

  @Test func invalidOrUnresolvedUnionKeyKeepsTheStoredLink() async throws {
    let store = try makeStore()
    try await store.sync(payload: Self.stream, as: StreamItem.self)
    try await store.sync(
      payload: #"[{"id": 1, "text": "x", "subject_type": "tale", "subject_id": 2}]"#, as: Opinion.self)
    for (subject, action) in [
      (#""subject_type": "image", "subject_id": 5"#, SyncProblem.Action.keptLink),
      (#""subject_type": "tale", "subject_id": "1""#, .keptLink),
      (#""subject": {"type": "image", "url": "u"}"#, .ignoredObject),
    ] {
      let report = try await store.sync(item: "{\"id\": 1, \(subject)}", as: Opinion.self)
      #expect(report.actions == [action], "\(subject)")
      #expect(try store.pick(Opinion.self, "subjectTale", "subjectPicture") == [[2, .null]], "\(subject)")
    }
    // If the operations exclude the link, the whole property is unchanged.
    let image = #"{"id": 1, "subject": {"type": "image", "id": "p"}}"#
    try await store.sync(item: image, as: Opinion.self, relationshipOperations: [.delete])
    #expect(try store.pick(Opinion.self, "subjectTale", "subjectPicture") == [[2, .null]])
    // A missing row becomes a pending link, and the existing link stays until then.
    let report = try await store.sync(
      item: #"{"id": 1, "subject": {"type": "image", "id": "later"}}"#, as: Opinion.self)
    #expect(report.waiting.count == 1)
    #expect(try store.pick(Opinion.self, "subjectTale", "subjectPicture") == [[2, .null]])
    let exported = try await store.export(as: Opinion.self)
    #expect(exported[0]["subject"] == ["id": "later", "type": "image"])
    try await store.sync(item: #"{"type": "image", "id": "later", "url": "u"}"#, as: StreamItem.self)
    #expect(try store.pick(Opinion.self, "subjectTale", "subjectPicture") == [[.null, "later"]])
  }

  @Test func pendingUnionKeyIsDroppedByAnotherCase() async throws {
    let store = try makeStore()
    try await store.sync(payload: Self.stream, as: StreamItem.self)
    for later in [
      #"[{"id": 1, "text": "x", "subject_type": "image", "subject_id": "p"}]"#,
      #"[{"id": 1, "text": "x", "subject": {"type": "video"}}]"#,
      #"[{"id": 1, "text": "x", "subject": null}]"#,
    ] {
      try await store.sync(
        payload: #"[{"id": 1, "text": "x", "subject_type": "tale", "subject_id": 9}]"#, as: Opinion.self)
      try await store.sync(payload: later, as: Opinion.self)
      let before = try store.pick(Opinion.self, "subjectTale", "subjectPicture", "subjectUnrecognized")
      try await store.sync(item: #"{"type": "tale", "id": 9, "title": "t"}"#, as: StreamItem.self)
      let after = try store.pick(Opinion.self, "subjectTale", "subjectPicture", "subjectUnrecognized")
      #expect(after == before, "\(later)")
      try await store.database.write { _ = try Tale.deleteOne($0, key: 9) }
    }
    try await store.sync(
      payload: #"[{"id": 1, "text": "x", "subject_type": "tale", "subject_id": 9}]"#, as: Opinion.self)
    try await store.sync(item: #"{"id": "p", "opinions": [{"id": 1, "text": "x"}]}"#, as: Picture.self)
    try await store.sync(item: #"{"type": "tale", "id": 9, "title": "t"}"#, as: StreamItem.self)
    #expect(try store.pick(Opinion.self, "subjectTale", "subjectPicture") == [[.null, "p"]])
  }

  @Test func nullClearsAnUnknownUnionType() async throws {
    let store = try makeStore()
    for null in [#""subject_id": null"#, #""subject": null"#, #""subject_type": null, "subject_id": null"#] {
      try await store.sync(
        payload: #"[{"id": 1, "text": "x", "subject_type": "video", "subject_id": 7}]"#, as: Opinion.self)
      #expect(try store.pick(Opinion.self, "subjectUnrecognized") == [["video"]])
      let opinion = try #require(try await store.database.read { try Opinion.fetchOne($0, id: 1) })
      #expect(try await store.export(opinion, only: [\.subject]) == ["subject": ["type": "video"]])
      var edited = opinion
      edited.subject = nil
      #expect(try await store.export(edited, changedFrom: opinion) == ["subject": nil])
      edited.subject = .unrecognized("movie")
      #expect(try await store.export(edited, changedFrom: opinion) == ["subject": ["type": "movie"]])
      let document = try await store.exportJSONAPI(opinion)
      #expect(document["data"]?["relationships"]?["subject"] == nil)
      try await store.sync(item: "{\"id\": 1, \(null)}", as: Opinion.self)
      #expect(try store.pick(Opinion.self, "subjectUnrecognized") == [[.null]], "\(null)")
    }
  }

  @Test func listMembershipClearsTheOtherUnionCases() async throws {
    let store = try makeStore()
    try await store.sync(payload: Self.stream, as: StreamItem.self)
    try await store.sync(
      payload: #"[{"id": 1, "text": "x", "subject_type": "tale", "subject_id": 2}]"#, as: Opinion.self)
    try await store.sync(
      item: #"{"id": "p", "opinions": [{"id": 1, "text": "x"}]}"#, as: Picture.self)
    #expect(try store.pick(Opinion.self, "subjectTale", "subjectPicture") == [[.null, "p"]])
    // A list of keys has the same effect, and so does a local change of the membership.
    try await store.sync(item: #"{"id": 2, "opinion_ids": [1]}"#, as: Tale.self)
    #expect(try store.pick(Opinion.self, "subjectTale", "subjectPicture") == [[2, .null]])
    try await store.database.write { try Picture.membership(\.opinions, of: "p").insert([1], $0) }
    #expect(try store.pick(Opinion.self, "subjectTale", "subjectPicture") == [[.null, "p"]])
    try await store.sync(item: #"{"id": 1, "subject": {"type": "video"}}"#, as: Opinion.self)
    try await store.sync(item: #"{"id": 2, "opinion_ids": [1]}"#, as: Tale.self)
    #expect(
      try store.pick(Opinion.self, "subjectTale", "subjectPicture", "subjectUnrecognized")
        == [[2, .null, .null]])
  }

  /// A row that has an owner no longer waits for one of another case.
  @Test func membershipEndsThePendingLinkOfAnotherCase() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": "p", "url": "u"}]"#, as: Picture.self)
    try await store.sync(
      payload: #"[{"id": 1, "text": "x", "subject_type": "tale", "subject_id": 99}]"#, as: Opinion.self)
    try await store.database.write { try Picture.membership(\.opinions, of: "p").insert([1], $0) }
    try await store.sync(item: #"{"id": 99, "title": "t"}"#, as: Tale.self)
    #expect(try store.pick(Opinion.self, "subjectTale", "subjectPicture") == [[.null, "p"]])
  }

  /// The link of the given row is newer than the pending key of another case.
  @Test func editedUnionIsExportedInPlaceOfAPendingKey() async throws {
    let store = try makeStore()
    try await store.sync(payload: Self.stream, as: StreamItem.self)
    for (pending, key) in [("image", "\"q\""), ("tale", "99")] {
      try await store.sync(
        payload: #"[{"id": 1, "text": "x", "subject_type": "tale", "subject_id": 2}]"#, as: Opinion.self)
      try await store.sync(
        item: #"{"id": 1, "subject_type": "\#(pending)", "subject_id": \#(key)}"#, as: Opinion.self)
      let old = try #require(try await store.database.read { try Opinion.fetchOne($0, id: 1) })
      #expect(try await store.export(old)["subject"]?["type"] == .string(pending))
      var edited = old
      edited.subject = .tale(Reference(id: 1))
      for export in [
        try await store.export(edited), try await store.export(edited, changedFrom: old),
      ] {
        #expect(export["subject"]?["type"] == "tale" && export["subject"]?["id"] == 1)
      }
      edited.subject = nil
      #expect(try await store.export(edited, changedFrom: old) == ["subject": nil])
    }
  }

  @Test func documentHasThePendingCaseOfAUnion() async throws {
    let store = try makeStore()
    try await store.sync(payload: Self.stream, as: StreamItem.self)
    try await store.sync(
      payload: #"[{"id": 1, "text": "x", "subject_type": "tale", "subject_id": 2}]"#, as: Opinion.self)
    try await store.sync(
      item: #"{"id": 1, "subject_type": "image", "subject_id": "later"}"#, as: Opinion.self)
    let document = try await store.exportJSONAPI(as: Opinion.self)
    #expect(document["data"]?[0]?["relationships"]?["subject"]?["data"]?["id"] == "later")
  }

  @Test func unionReferenceIsSetAndExportedAsOneValue() async throws {
    let store = try makeStore()
    try await store.sync(payload: Self.stream, as: StreamItem.self)
    try await store.sync(
      payload: #"[{"id": 1, "text": "x", "subject_type": "tale", "subject_id": 2}]"#, as: Opinion.self)
    var opinion = try #require(try await store.database.read { try Opinion.fetchOne($0, id: 1) })
    let before = opinion
    opinion.subject = .picture(Reference(id: "p"))
    #expect(opinion.subjectTale == nil && opinion.subject?.type == "image")
    let changed = try await store.export(opinion, changedFrom: before)
    #expect(changed.object?.count == 1)
    #expect(changed["subject"]?["type"] == "image" && changed["subject"]?["id"] == "p")
    #expect(try await store.export(opinion, only: [\.subject])["subject"]?["type"] == "image")
    opinion.subject = nil
    #expect(opinion.subjectPicture == nil && opinion.subject == nil)
    #expect(try await store.export(opinion, changedFrom: before) == ["subject": nil])
    opinion.subject = .unrecognized("video")
    #expect(opinion.subject?.type == "video")
  }

  /// Tales and pictures have lists of opinions, and opinions state their subject by keys and objects.
  @Test func repeatedRandomUnionLinksChangeNothing() async throws {
    for seed in Soak.seeds(15_200_000, count: 60) {
      var random = SeededGenerator(seed: seed)
      let store = try makeStore()
      for _ in 0..<4 {
        func subject(_ id: Int, isTale: Bool) -> SyncJSON {
          isTale
            ? ["type": "tale", "id": .init(id), "title": "t"]
            : ["type": "image", "id": .init("p\(id)"), "url": "u"]
        }
        func opinion(_ id: Int) -> SyncJSON {
          var object = SyncJSONObject([("id", .init(id)), ("text", random.pick(["a", "b"]))])
          let isTale = random.chance(50)
          let about = Int.random(in: 0..<3, using: &random)
          switch Int.random(in: 0..<5, using: &random) {
          case 0: object["subject"] = .null
          case 1:
            object["subject_type"] = isTale ? "tale" : "image"
            object["subject_id"] = isTale ? .init(about) : .init("p\(about)")
          case 2: object["subject"] = subject(about, isTale: isTale)
          case 3: object["subject"] = ["type": "video", "id": 1]
          default: break
          }
          return .object(object)
        }
        var ids = Array(0..<6)
        let rows = (0..<3).map { id in
          var row = subject(id, isTale: random.chance(50)).object ?? SyncJSONObject()
          guard random.chance(70) else { return SyncJSON.object(row) }
          ids.shuffle(using: &random)
          let listed = Array(ids.prefix(Int.random(in: 0..<3, using: &random)))
          if random.chance(70) { ids.removeAll { listed.contains($0) } }
          row[random.chance(50) ? "opinions" : "opinion_ids"] = .array(
            listed.map { random.chance(50) ? opinion($0) : .init($0) })
          return SyncJSON.object(row)
        }
        if random.chance(50) {
          let items = SyncJSON.array(rows)
          try await store.sync(payload: items, as: StreamItem.self)
          let second = try await store.sync(payload: items, as: StreamItem.self)
          #expect(second.isUnchanged, "seed \(seed): \(items)\n\(second)")
        } else {
          let items = SyncJSON.array((0..<4).map(opinion))
          try await store.sync(payload: items, as: Opinion.self)
          let second = try await store.sync(payload: items, as: Opinion.self)
          #expect(second.isUnchanged, "seed \(seed): \(items)\n\(second)")
        }
        let exported = SyncJSON.array(try await store.export(as: Opinion.self))
        let back = try await store.sync(payload: exported, as: Opinion.self)
        #expect(back.isUnchanged, "seed \(seed): \(exported)\n\(back)")
      }
    }
  }

  // MARK: A to-many

  @Test func unionToManyCanContainAnyCase() async throws {
    let store = try makeStore()
    let payload = """
      [{"id": 1, "items": [{"type": "image", "id": "p", "url": "u"}, {"type": "tale", "id": 5, "title": "t"},
        {"type": "image", "id": "a", "url": "u"}], "pins": {"edges": [{"node": {"type": "tale", "id": 5}}]}}]
      """
    let report = try await store.sync(payload: payload, as: Wall.self)
    #expect(report.problems.isEmpty && report.linked == 4)
    let wall = try #require(try await store.database.read { try Wall.fetchOne($0, id: 1) })
    let (items, pinned) = try await store.database.read {
      (try wall.fetchItems($0), try wall.fetchPinned($0))
    }
    #expect(items.map(\.id) == [.tale(.init(id: 5)), .picture(.init(id: "a")), .picture(.init(id: "p"))])
    #expect(pinned.map(\.id) == [.tale(.init(id: 5))])
    let walls = try await store.database.read { try Tale.fetchOne($0, id: 5)?.walls.fetchCount($0) }
    #expect(walls == 1)
    #expect(try await store.sync(payload: payload, as: Wall.self).isUnchanged)
    let exported = try await store.export(as: Wall.self)
    #expect(exported[0]["items"]?.array?.map { $0["type"]?.string } == ["tale", "image", "image"])
    #expect(exported[0]["pins"]?["edges"]?.array?.first?["node"]?["type"] == "tale")
    #expect(try await store.sync(payload: SyncJSON.array(exported), as: Wall.self).isUnchanged)
    #expect(try SyncJSON(parsing: await store.exportData(as: Wall.self)) == .array(exported))
    // Rows that the list no longer contains are removed from it.
    let shorter = #"[{"id": 1, "items": [{"type": "tale", "id": 5}]}]"#
    #expect(try await store.sync(payload: shorter, as: Wall.self).unlinked == 2)
    #expect(try await store.sync(payload: #"[{"id": 1, "items": []}]"#, as: Wall.self).unlinked == 1)
  }

  @Test func unknownUnionElementsAreReportedWithTheirPath() async throws {
    let store = try makeStore()
    let start =
      #"[{"id": 1, "items": [{"type": "image", "id": "p", "url": "u"}, {"type": "tale", "id": 5, "title": "t"}]}]"#
    try await store.sync(payload: start, as: Wall.self)
    let unknown = #"[{"id": 1, "items": [{"type": "video", "id": 1}, {"type": "tale", "id": 5}]}]"#
    for expected in [1, 0] {
      let report = try await store.sync(payload: unknown, as: Wall.self)
      #expect(
        report.problems.map(\.description) == [
          "Wall “1”, [0].items[0]: “video” matches no case of StreamItem (the row was skipped)"
        ])
      #expect(report.unlinked == expected)
    }
    // An element without a type may be any of the members.
    for element in ["3", "null", #"{"id": 1}"#, #"{"type": 1}"#, "true", "false", #""tale""#, "[]"] {
      let report = try await store.sync(payload: "[{\"id\": 1, \"items\": [\(element)]}]", as: Wall.self)
      #expect(report.unlinked == 0, "\(element)")
      #expect(report.problems.map(\.path) == ["[0].items[0]"], "\(element)")
      #expect(report.actions == [.ignoredElements], "\(element)")
    }
    let broken = #"[{"id": 1, "items": [{"type": "tale", "id": 5}, {"type": "tale", "title": "x"}]}]"#
    #expect(try await store.sync(payload: broken, as: Wall.self).problems.map(\.path) == ["[0].items[1]"])
    let noList = try await store.sync(payload: #"[{"id": 1, "items": 3}]"#, as: Wall.self)
    #expect(noList.problems.map(\.path) == ["[0].items"])
  }

  // MARK: What lies around

  @Test func keysReadByOtherUnionCasesAreNotReportedAsUnread() async throws {
    var configuration = SyncConfiguration()
    configuration.unreadKeys = .first(rows: 100)
    let store = try SynclineTestsSchema.makeStore(in: nil, configuration)
    let payload = """
      [{"id": 1, "name": "n", "items": [{"type": "image", "id": "p", "url": "u", "odd": 1},
        {"type": "tale", "id": 5, "title": "t"}]}]
      """
    let wall = try await store.sync(payload: payload, as: Wall.self)
    #expect(wall.unreadKeys?.keys.map(\.key) == ["odd"])
    let stream = try await store.sync(payload: Self.stream, as: StreamItem.self)
    #expect(stream.unreadKeys?.keys.isEmpty == true)
  }

  @Test func jsonAPIDocumentsCanReferToAnyUnionCase() async throws {
    let store = try makeStore()
    let document = """
      {"data": [{"type": "walls", "id": "1", "attributes": {"name": "n"}, "relationships": {"items": {"data": [
        {"type": "tale", "id": "5"}, {"type": "image", "id": "p"}]}}}],
       "included": [{"type": "tales", "id": "5", "attributes": {"title": "t"}},
        {"type": "pictures", "id": "p", "attributes": {"url": "u"}}]}
      """
    let report = try await store.sync(jsonAPI: document, as: Wall.self)
    #expect(report.problems.isEmpty && report.waiting.isEmpty)
    let wall = try #require(try await store.database.read { try Wall.fetchOne($0, id: 1) })
    let count = try await store.database.read { try wall.fetchItems($0).count }
    #expect(count == 2)
    let exported = try await store.exportJSONAPI(as: Wall.self)
    let linkage = exported["data"]?.array?.first?["relationships"]?["items"]?["data"]
    #expect(linkage == [["type": "tales", "id": "5"], ["type": "pictures", "id": "p"]])
    #expect(try await store.sync(jsonAPI: exported, as: Wall.self).isUnchanged)
  }
}
