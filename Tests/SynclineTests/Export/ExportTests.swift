import Foundation
import Syncline
import SynclineTesting
import Testing

/// The contents of exports.
@Suite struct ExportTests {
  @Test func keysPathsAndNullsAreWrittenAsTheyAreRead() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"[{"id": 1, "title": "A", "description": "d", "state": {"id": "done"}, "estimate": 1.5}]"#,
      as: Task.self)
    #expect(
      try await store.export(as: Task.self) == [
        [
          "id": 1, "title": "A", "description": "d", "state": ["id": "done", "label": nil], "updated_at": nil,
          "estimate": 1.5, "project": nil, "assignee": nil, "tags": [], "watchers": [], "items": [],
        ]
      ])
  }

  @Test func camelStyleWritesCamelKeysAndExplicitKeysAsWritten() async throws {
    let store = try makeStore(keyStyle: .camelCase)
    try await store.sync(payload: #"[{"id": 1, "title": "A", "updatedAt": 0}]"#, as: Task.self)
    let task = try #require(try await store.export(as: Task.self).first)
    #expect(task["updatedAt"] == "1970-01-01T00:00:00.000Z")
    #expect(task["description"] == .null)
    #expect(task["state"] == ["id": "open", "label": nil])
    try await store.sync(payload: #"[{"id": 1, "assigneeId": 3}]"#, as: Ticket.self)
    #expect(try await store.export(as: Ticket.self).first?["assigneeId"] == 3)
  }

  @Test func propertyMarkedNotExportIsOmitted() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"[{"id": 1, "title": "A", "internal_flag": true, "tags": [{"id": 1, "name": "T"}]}]"#,
      as: Task.self)
    let task = try #require(try await store.export(as: Task.self).first)
    #expect(task.object?.keys.contains("internal_flag") == false)
    #expect(task["tags"] == [["id": 1, "name": "T"]])
  }

  @Test func relatedRowsAreExportedInIdentityOrder() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"""
        [{"id": 10, "name": "P", "tasks": [{"id": 100, "title": "C"}, {"id": 9, "title": "B"}, {"id": 20, "title": "A"}]},
         {"id": 9, "name": "Q"}]
        """#, as: Project.self)
    let projects = try await store.export(as: Project.self)
    #expect(projects.map { $0["id"] } == [9, 10])
    #expect(projects.map { $0["tasks"]?.array?.map { $0["id"] } } == [[], [9, 20, 100]])
    #expect(projects[1]["tasks"]?[0]?["project"] == ["id": 10])
  }

  @Test func identityListsUseTheSingularKey() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"[{"id": 1, "name": "U", "task_ids": []}]"#, as: User.self)
    try await store.sync(
      payload: #"[{"id": 2, "title": "B", "assignee_id": 1}, {"id": 1, "title": "A", "assignee_id": 1}]"#,
      as: Task.self)
    #expect(
      try await store.export(as: User.self) == [["id": 1, "name": "U", "email": nil, "task_ids": [1, 2]]])
  }

  @Test func singularKeysFollowEnglishInflection() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1}, {"id": 2}]"#, as: Piece.self)
    let written: SyncJSON = [
      "id": 1, "course_ids": [1], "house_ids": [2], "size_ids": [], "database_ids": [1, 2], "movie_ids": [1],
      "hero_ids": [2], "knife_ids": [1], "vertex_ids": [2], "quiz_ids": [1], "analysis_ids": [2],
    ]
    try await store.sync(payload: SyncJSON.array([written]), as: Arcade.self)
    #expect(try await store.export(as: Arcade.self) == [written])
    // The earlier format can still be read.
    let former: SyncJSON = [
      "id": 1, "cours_ids": [2], "hous_ids": [1], "siz_ids": [1], "databas_ids": [], "movy_ids": [2],
      "heroe_ids": [1], "knive_ids": [2], "vertice_ids": [1], "quizz_ids": [2], "analys_ids": [1],
    ]
    try await store.sync(payload: SyncJSON.array([former]), as: Arcade.self)
    #expect(
      try await store.export(as: Arcade.self) == [
        [
          "id": 1, "course_ids": [2], "house_ids": [1], "size_ids": [1], "database_ids": [],
          "movie_ids": [2], "hero_ids": [1], "knife_ids": [2], "vertex_ids": [1], "quiz_ids": [2],
          "analysis_ids": [1],
        ]
      ])
  }

  @Test func cyclesEndWithTheIdentityAlone() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"[{"id": "a", "name": "A", "children": [{"id": "b", "name": "B"}]}]"#, as: Category.self)
    #expect(
      try await store.export(as: Category.self) == [
        [
          "id": "a", "name": "A", "parent": nil,
          "children": [["id": "b", "name": "B", "parent": ["id": "a"], "children": []]],
        ],
        [
          "id": "b", "name": "B",
          "parent": ["id": "a", "name": "A", "parent": nil], "children": [],
        ],
      ])
    try await store.sync(payload: #"[{"id": 1, "name": "N", "ally_ids": [1]}]"#, as: Crew.self)
    #expect(try await store.export(as: Crew.self).first?["allies"] == [["id": 1]])
  }

  @Test func keyPathsShareTheirParentObjects() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"""
        [{"id": 1, "assignee_id": 5, "owner": {"id": 1, "name": "O"},
          "meta": {"reporter": {"id": 2, "name": "R"}, "followers": [1], "note": "n"}},
         {"id": 2}]
        """#, as: Ticket.self)
    let tickets = try await store.export(as: Ticket.self)
    let owner: SyncJSON = ["id": 1, "name": "O", "passport": nil, "spouse_id": nil]
    let reporter: SyncJSON = ["id": 2, "name": "R", "passport": nil, "spouse_id": nil]
    #expect(
      tickets == [
        [
          "id": 1, "assignee_id": 5, "assignee": 5, "owner": owner,
          "meta": ["reporter": reporter, "followers": [owner], "note": "n"],
        ],
        [
          "id": 2, "assignee_id": nil, "assignee": nil, "owner": nil,
          "meta": ["reporter": nil, "followers": [], "note": nil],
        ],
      ])
  }

  @Test func conflictingScalarIsExportedUnderItsFullPath() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"""
        [{"id": 1, "owner": {"id": 1, "name": "O"}}, {"id": 2, "owner_id": 1},
         {"id": 3, "owner_id": 1, "owner.name": "other"}]
        """#, as: Ticket.self)
    let owner: SyncJSON = ["id": 1, "name": "O", "passport": nil, "spouse_id": nil]
    let tickets = try await store.export(as: Ticket.self)
    #expect(tickets.map { $0["owner"] } == [owner, owner, owner])
    #expect(tickets.map { $0["owner.name"] } == [nil, .null, "other"])
  }

  @Test func stringsWithNULAreExportedCompletely() async throws {
    let store = try makeStore()
    try await store.sync(item: #"{"id": 1, "name": "a\u0000b"}"#, as: Tag.self)
    #expect(try await store.export(as: Tag.self) == [["id": 1, "name": "a\0b"]])
    #expect(try await store.exportJSONAPI(as: Tag.self)["data"]?[0]?["attributes"]?["name"] == "a\0b")
  }

  @Test func valuesAreWrittenInTheirJSONForms() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"""
        [{"id": 1, "data": "aGk", "uuid": "c3e7a1b2-1001-4000-8000-0000000000ab", "decimal": 0.10, "double": 2.5,
          "int64": 9007199254740993, "bool": 1, "level": 99, "state": "strange", "words": ["a", "b"],
          "numbers": [1, 2], "json": {"a": [null, 1.50, "x"]}, "date": "2024-01-02T03:04:05.123456Z",
          "stamp": "Sat Mar 01 10:00:00 +0000 2025", "url": "https://x.org/ä"}]
        """#, as: Kinds.self)
    let row = try #require(try await store.export(as: Kinds.self).first)
    #expect(row["data"] == "aGk=")
    #expect(row["uuid"] == "C3E7A1B2-1001-4000-8000-0000000000AB")
    #expect(row["decimal"] == 0.1)
    #expect(row["double"] == 2.5)
    #expect(row["int64"] == 9_007_199_254_740_993)
    #expect(row["bool"] == true)
    #expect(row["level"] == 99)
    #expect(row["state"] == "strange")
    #expect(row["words"] == ["a", "b"])
    #expect(row["numbers"] == [1, 2])
    #expect(row["json"] == ["a": [nil, 1.5, "x"]])
    #expect(row["date"] == "2024-01-02T03:04:05.123Z")
    #expect(row["stamp"] == "Sat Mar 01 10:00:00 +0000 2025")
    #expect(row["url"] == "https://x.org/%C3%A4")
  }

  @Test func onlyRowsOfTheGivenParentAreExported() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"""
        [{"id": 1, "name": "P", "columns": [{"id": 2, "title": "B"}, {"id": 1, "title": "A"}]},
         {"id": 2, "name": "Q", "columns": [{"id": 1, "title": "C"}]}]
        """#, as: Board.self)
    let columns = try await store.export(as: Column.self, parent: 1, relationship: \.board)
    #expect(columns.map { $0["title"] } == ["A", "B"])
    #expect(columns.first?["board"] == ["id": 1, "name": "P"])
    #expect(try await store.export(as: Column.self).count == 3)
    let report = try await store.sync(
      payload: SyncJSON.array(columns), as: Column.self, parent: 1, relationship: \.board)
    #expect(report.isUnchanged, "\(report)")
  }

  @Test func exportUsesTheValuesOfTheGivenRow() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"[{"id": 1, "title": "A", "tags": [{"id": 1, "name": "T"}]}]"#, as: Task.self)
    var task = try #require(try await store.database.read { try Task.fetchOne($0, key: 1) })
    task.title = "edited"
    let json = try await store.export(task)
    #expect(json["title"] == "edited")
    #expect(json["tags"] == [["id": 1, "name": "T"]])
  }

  @Test func exportedDataEqualsTheExportedRows() async throws {
    let store = try makeStore()
    #expect(String(decoding: try await store.exportData(as: Task.self), as: UTF8.self) == "[]")
    try await store.sync(
      payload: #"[{"id": 2, "title": "B\n\"é"}, {"id": 1, "title": "A"}]"#, as: Task.self)
    let data = try await store.exportData(as: Task.self)
    #expect(try await SyncJSON(parsing: data).array == store.export(as: Task.self))
  }
}
