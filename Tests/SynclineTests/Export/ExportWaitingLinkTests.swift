import Foundation
import Syncline
import SynclineTesting
import Synchronization
import TestSupport
import Testing

/// Pending links in exports.
@Suite struct ExportWaitingLinkTests {
  /// Exports as values and as text, and syncs both bodies.
  private func expectRoundTrip<Model: SyncUpdatableModel>(
    _ model: Model.Type, in store: SyncContainer, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> [SyncJSON] {
    let waiting = try await store.waitingLinks()
    let before = try store.everything()
    let (rows, text) = try await store.exportBothWays(as: model, sourceLocation)
    let report = try await store.sync(payload: text, as: model)
    #expect(report.isUnchanged, "\(report)", sourceLocation: sourceLocation)
    for row in rows {
      let report = try await store.sync(item: row, as: model)
      #expect(report.isUnchanged, "\(report)", sourceLocation: sourceLocation)
    }
    #expect(try await store.waitingLinks() == waiting, sourceLocation: sourceLocation)
    #expect(try store.everything() == before, sourceLocation: sourceLocation)
    return rows
  }

  /// The list of one case lacks a row whose pending link leads to another owner.
  @Test func documentLeavesOutAListOfAUnionThatIsNotWhole() async throws {
    let store = try TextStore(
      """
      union Item on "type" { case post: Post; case photo: Photo }
      model Feed { id: Int; @Relationship(inverse: \\Post.feed) items: [Item] }
      model Post { id: Int; feed: Feed? }
      model Photo { id: Int; feed: Feed? }
      """)
    try await store.sync(
      #"[{"id": 1, "items": [{"type": "post", "id": 1}, {"type": "photo", "id": 2}]}]"#, as: "Feed")
    try await store.sync(#"{"id": 2, "feed_id": 9}"#, as: "Photo")
    let links = "SELECT owner, ownerID, targetID FROM syncline_pending_link"
    let (photos, waiting) = ("SELECT feed FROM Photo", try await store.rows(links))
    let before = try await store.rows(photos)
    try await store.sync(jsonAPI: try await store.exportDocument("Feed").description, as: "Feed")
    #expect(try await store.rows(photos) == before)
    #expect(try await store.rows(links) == waiting)
  }

  @Test func pendingToOneIsExportedAsItsKey() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "title": "A", "assignee_id": 7}]"#, as: Task.self)
    let rows = try await expectRoundTrip(Task.self, in: store)
    #expect(rows.first?["assignee"] == 7)
    try await store.sync(payload: #"[{"id": 7, "name": "U"}]"#, as: User.self)
    #expect(try store.pick(Task.self, "assignee") == [[7]])
  }

  @Test func documentHasThePendingKeyOfAOneToOneAtEitherEnd() async throws {
    func check<Model: SyncGeneratedModel>(_ model: Model.Type, _ name: String) async throws {
      let store = try makeStore()
      try await store.sync(payload: #"[{"id": 1, "\#(name)": {"id": 5}}]"#, as: model)
      try await store.sync(payload: #"[{"id": 1, "\#(name)_id": 6}]"#, as: model)
      let document = try await store.exportJSONAPI(as: model)
      let resource = try #require(document["data"]?.array?.first)
      #expect(resource["relationships"]?[name]?["data"]?["id"] == "6")
      let waiting = try await store.waitingLinks()
      #expect(waiting.count == 1)
      #expect(try await store.sync(jsonAPI: document, as: model).isUnchanged)
      #expect(try await store.waitingLinks() == waiting)
    }
    try await check(Captain.self, "ship")
    try await check(Ship.self, "captain")
  }

  @Test func pendingKeysAreExportedInOrderAmongListedRows() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 5, "name": "T"}]"#, as: Tag.self)
    try await store.sync(
      payload:
        #"[{"id": 1, "title": "A", "tag_ids": [9, 5, 2]}, {"id": 2, "title": "B", "tag_ids": [9, 2]}]"#,
      as: Task.self)
    let rows = try await expectRoundTrip(Task.self, in: store)
    #expect(rows.map { $0["tags"] } == [[2, ["id": 5, "name": "T"], 9], [2, 9]])
  }

  @Test func identityListsIncludePendingKeys() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 5, "title": "T"}]"#, as: Task.self)
    try await store.sync(payload: #"[{"id": 1, "name": "U", "task_ids": [9, 5, 2]}]"#, as: User.self)
    let rows = try await expectRoundTrip(User.self, in: store)
    #expect(rows.first?["task_ids"] == [2, 5, 9])
  }

  @Test func pendingLinksAreExportedAtEveryDepth() async throws {
    let store = try makeStore()
    try await store.sync(
      payload:
        #"[{"id": 1, "name": "P", "tasks": [{"id": 2, "title": "A", "assignee": 7, "tag_ids": [3]}]}]"#,
      as: Project.self)
    let rows = try await expectRoundTrip(Project.self, in: store)
    #expect(rows.first?["tasks"]?[0]?["assignee"] == 7)
    #expect(rows.first?["tasks"]?[0]?["tags"] == [3])
    try await store.sync(
      payload: #"[{"id": "a", "name": "A", "children": [{"id": "b", "name": "B", "children": ["z"]}]}]"#,
      as: Category.self)
    let trees = try await expectRoundTrip(Category.self, in: store)
    #expect(trees.first?["children"]?[0]?["children"] == ["z"])
  }

  @Test func pendingOneToOneInverseIsExportedAsItsKey() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"[{"id": 1, "captain": 4}, {"id": 2, "captain": {"id": 8}}]"#, as: Ship.self)
    try await store.sync(payload: #"[{"id": 5, "ship": 9}, {"id": 8}]"#, as: Captain.self)
    let ships = try await expectRoundTrip(Ship.self, in: store)
    #expect(ships.map { $0["captain"] } == [4, ["id": 8, "ship": ["id": 2]]])
    let captains = try await expectRoundTrip(Captain.self, in: store)
    #expect(captains.map { $0["ship"] } == [9, ["id": 2, "captain": ["id": 8]]])
  }

  /// Contract, section 10: an exported body that is synced changes nothing. The column of a one-to-one is older than the key of
  /// its pending link, so it is omitted.
  @Test func partnerWithAPendingLinkToAnotherRowIsOmitted() async throws {
    for export in ["", "@Export(.identities) "] {
      let store = try TextStore(
        #"""
        model Captain {
          id: Int
          \#(export)@Relationship(inverse: \Ship.captain) ship: Ship?
        }

        model Ship {
          id: Int
          @Relationship(inverse: \Captain.ship) captain: Captain?
        }
        """#)
      try await store.sync(#"[{"id": 1, "ship_id": 3}, {"id": 2, "ship": {"id": 4}}]"#)
      try await store.sync(#"[{"id": 3, "captain_id": 1}, {"id": 4, "captain_id": 9}]"#, as: "Ship")
      #expect(try store.values(of: "Captain", "ship") == [[3], [4]])
      let waiting = try await store.container.waitingLinks()
      #expect(waiting.count == 1)
      let rows = try await store.exportedRows()
      #expect(rows.map { $0.object?.keys.count } == [2, 1], "\(rows)")
      for body in [try await store.export(), try await store.exportData()] {
        #expect(try SyncJSON(parsing: body) == .array(rows))
        #expect(try await store.sync(body).isUnchanged, "the body once more changes nothing")
        #expect(try await store.container.waitingLinks() == waiting)
      }
      try await store.sync(jsonAPI: "\(try await store.exportDocument())")
      #expect(try await store.container.waitingLinks() == waiting)
      // The captain arrives, which replaces the captain's previous link.
      try await store.sync(#"{"id": 9}"#)
      #expect(try store.values(of: "Captain", "id", "ship") == [[1, 3], [2, .null], [9, 4]])
      #expect(try await store.exportedRows().map { $0.object?.keys.count } == [2, 2, 2])
    }
  }

  @Test func pendingKeyTakesPrecedenceOverTheStoredLink() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "name": "P"}]"#, as: Project.self)
    try await store.sync(
      payload: #"[{"id": 1, "title": "A", "project_id": 1}, {"id": 2, "title": "B", "project_id": 1}]"#,
      as: Task.self)
    try await store.sync(
      payload: #"[{"id": 1, "title": "A", "project_id": 7}]"#, as: Task.self, deletionPolicy: .none)
    #expect(try store.pick(Task.self, "project") == [[1], [1]])
    // The list of project 1 would state that task 1 belongs to it, or that it does not, so it is omitted.
    let tasks = try await expectRoundTrip(Task.self, in: store)
    #expect(tasks.map { $0["project"] } == [7, ["id": 1, "name": "P"]])
    #expect(try await expectRoundTrip(Project.self, in: store) == [["id": 1, "name": "P"]])
    try await store.sync(item: #"{"id": 7, "name": "Q"}"#, as: Project.self)
    #expect(try store.pick(Task.self, "project") == [[7], [1]])
    let projects = try await expectRoundTrip(Project.self, in: store)
    #expect(projects.map { $0["tasks"]?.array?.map { $0["id"] } } == [[2], [1]])
  }

  /// A row whose link was since changed to a row of another case.
  @Test func pendingUnionKeyTakesPrecedenceOverTheStoredCase() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"[{"type": "tale", "id": 1, "title": "T"}, {"type": "tale", "id": 2, "title": "S"}]"#,
      as: StreamItem.self)
    try await store.sync(
      payload: #"""
        [{"id": 1, "text": "a", "subject": {"type": "tale", "id": 1}},
         {"id": 2, "text": "b", "subject": {"type": "tale", "id": 1}},
         {"id": 3, "text": "c", "subject": {"type": "tale", "id": 2}}]
        """#, as: Opinion.self)
    try await store.sync(item: #"{"id": 1, "subject_type": "image", "subject_id": "p"}"#, as: Opinion.self)
    let tales = try await expectRoundTrip(Tale.self, in: store)
    #expect(tales.map { $0["opinions"]?.array?.map { $0["id"] } } == [nil, [3]])
    let document = try await store.exportJSONAPI(as: Tale.self)
    #expect(document["data"]?.array?.map { $0["relationships"]?["opinions"] != nil } == [false, true])
    let waiting = try await store.waitingLinks()
    try await store.sync(jsonAPI: document)
    #expect(try await store.waitingLinks() == waiting)
    let opinions = try await expectRoundTrip(Opinion.self, in: store)
    #expect(opinions.first?["subject"]?["id"] == "p")
    try await store.sync(payload: #"[{"id": "p", "url": "u"}]"#, as: Picture.self)
    let after = try await expectRoundTrip(Tale.self, in: store)
    #expect(after.map { $0["opinions"]?.array?.map { $0["id"] } } == [[2], [3]])
    #expect(try await expectRoundTrip(Picture.self, in: store).first?["opinions"]?[0]?["id"] == 1)
  }

  @Test func keyPathsAroundAPendingLinkAreKept() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"""
        [{"id": 1, "owner": 8, "owner.name": "N", "meta": {"reporter": 9, "followers": [7], "note": "n"}},
         {"id": 2, "owner": 8, "assignee_id": 5}]
        """#, as: Ticket.self)
    let rows = try await expectRoundTrip(Ticket.self, in: store)
    #expect(rows.map { $0["owner"] } == [8, 8])
    #expect(rows.map { $0["owner.name"] } == ["N", .null])
    #expect(rows.first?["meta"] == ["reporter": 9, "followers": [7], "note": "n"])
    #expect(rows.last?["assignee"] == 5)
  }

  @Test func exportWithoutPendingLinksQueriesThemOnce() async throws {
    let database = try DatabaseQueue()
    let store = try SyncContainer(for: SynclineTestsSchema.self, storage: .database(database))
    try await store.sync(
      payload: payload(1...50) {
        #"{"id": \#($0), "title": "A", "project": {"id": 1, "name": "P"}, "tags": [{"id": 1, "name": "T"}]}"#
      }, as: Task.self)
    let looks = Mutex(0)
    try await database.write { database in
      database.trace { event in
        if "\(event)".contains("syncline_pending_link") { looks.withLock { $0 += 1 } }
      }
    }
    _ = try await store.exportData(as: Task.self)
    #expect(looks.withLock { $0 } == 1)
    _ = try await store.export(as: Task.self)
    #expect(looks.withLock { $0 } == 2)
    try await database.write { $0.trace(options: []) }
  }

  @Test func linkSetOnTheGivenRowOverridesThePendingKey() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "name": "U"}]"#, as: User.self)
    try await store.sync(
      payload: #"[{"id": 1, "title": "A", "assignee_id": 1}]"#, as: Task.self)
    try await store.sync(payload: #"[{"id": 1, "assignee_id": 7}]"#, as: Task.self)
    var task = try #require(try await store.database.read { try Task.fetchOne($0, key: 1) })
    #expect(try await store.export(task)["assignee"] == 7)
    task.assignee = nil
    #expect(try await store.export(task)["assignee"] == .null)
  }

  @Test func pendingLinksOfParentScopedRowsAreExported() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "name": "P"}, {"id": 2, "name": "Q"}]"#, as: Board.self)
    for (board, flag) in [(1, 4), (2, 5)] {
      try await store.sync(
        payload: #"[{"id": 1, "title": "L", "flag_id": \#(flag)}]"#, as: Lane.self, parent: board,
        relationship: \.board)
    }
    #expect(try await store.export(as: Lane.self).map { $0["flag"] } == [4, 5])
    let waiting = try await store.waitingLinks()
    let text = try await store.exportData(as: Lane.self, parent: 2, relationship: \.board)
    #expect(try SyncJSON(parsing: text)[0]?["flag"] == 5)
    #expect(
      try await store.sync(payload: text, as: Lane.self, parent: 2, relationship: \.board).isUnchanged)
    #expect(try await store.waitingLinks() == waiting)
  }

  /// All models, with a few rows and keys of both stored and missing rows.
  @Test(.enabled(if: TestKind.thorough.runs), arguments: 1...20)
  func pendingLinksOfRandomStoresSurviveARoundTrip(seed: Int) async throws {
    var random = SeededGenerator(seed: seed)
    let store = try makeStore()
    func key(_ random: inout SeededGenerator) -> SyncJSON {
      random.chance(20) ? .null : .number(Int.random(in: 0..<6, using: &random))
    }
    func keys(_ random: inout SeededGenerator) -> SyncJSON {
      .array((0..<6).filter { _ in random.chance(30) }.map { .number($0) })
    }
    func rows(_ random: inout SeededGenerator, _ row: (Int, inout SeededGenerator) -> SyncJSON) -> SyncJSON {
      .array((0..<6).filter { _ in random.chance(50) }.map { row($0, &random) })
    }
    for _ in 1...12 {
      switch Int.random(in: 0..<7, using: &random) {
      case 0:
        let payload = rows(&random) {
          [
            "id": .number($0), "title": "T", "project_id": key(&$1), "assignee_id": key(&$1),
            "tag_ids": keys(&$1),
          ]
        }
        try await store.sync(payload: payload, as: Task.self)
      case 1:
        let payload = rows(&random) { ["id": .number($0), "name": "P", "task_ids": keys(&$1)] }
        try await store.sync(payload: payload, as: Project.self)
      case 2:
        let payload = rows(&random) { ["id": .number($0), "name": "U", "task_ids": keys(&$1)] }
        try await store.sync(payload: payload, as: User.self)
      case 3:
        let payload = rows(&random) { id, _ in ["id": .number(id), "name": "G"] }
        try await store.sync(payload: payload, as: Tag.self)
      case 4:
        let payload = rows(&random) {
          ["id": .string("\($0)"), "name": "C", "parent_id": .string("\(Int.random(in: 0..<6, using: &$1))")]
        }
        try await store.sync(payload: payload, as: Category.self)
      case 5:
        let payload = rows(&random) { ["id": .number($0), "ship_id": key(&$1)] }
        try await store.sync(payload: payload, as: Captain.self)
      default:
        let payload = rows(&random) { ["id": .number($0), "captain_id": key(&$1)] }
        try await store.sync(payload: payload, as: Ship.self)
      }
    }
    _ = try await expectRoundTrip(Task.self, in: store)
    _ = try await expectRoundTrip(Project.self, in: store)
    _ = try await expectRoundTrip(User.self, in: store)
    _ = try await expectRoundTrip(Tag.self, in: store)
    _ = try await expectRoundTrip(Category.self, in: store)
    _ = try await expectRoundTrip(Captain.self, in: store)
    _ = try await expectRoundTrip(Ship.self, in: store)
  }

  /// A scalar next to a relationship reads the same key, which decides the link.
  @Test func scalarKeyThatContradictsTheLinkIsOmitted() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "name": "A"}, {"id": 2, "name": "B"}]"#, as: Person.self)
    try await store.sync(
      payload: #"""
        [{"id": 1, "assignee_id": 1}, {"id": 2, "assignee_id": 9}, {"id": 3, "assignee_id": null},
         {"id": 4, "assignee": {"id": 2}}]
        """#, as: Ticket.self)
    func scalars() async throws -> [SyncJSON?] {
      try await expectRoundTrip(Ticket.self, in: store).map { $0["assignee_id"] }
    }
    #expect(try await scalars() == [1, 9, .null, nil])
    // The link is removed without a key.
    try await store.sync(payload: #"[{"id": 2, "name": "B"}]"#, as: Person.self)
    #expect(try await scalars() == [nil, 9, .null, nil])
    #expect(
      try store.pick(Ticket.self, "assigneeID", "assignee") == [[1, nil], [9, nil], [nil, nil], [nil, 2]])
  }

  @Test func scalarKeyListThatContradictsTheListIsOmitted() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"[{"id": 1, "mark_ids": [2, 1]}, {"id": 2, "mark_ids": [1]}]"#, as: Tray.self)
    func scalars() async throws -> [SyncJSON?] {
      try await expectRoundTrip(Tray.self, in: store).map { $0["mark_ids"] }
    }
    #expect(try await scalars() == [[2, 1], [1]])
    try await store.sync(payload: #"[{"id": 1}, {"id": 2, "tray_ids": []}]"#, as: Mark.self)
    #expect(try await scalars() == [nil, [1]])
    #expect(try store.pick(Tray.self, "marks") == [[[1]], [[1]]])
  }
}
