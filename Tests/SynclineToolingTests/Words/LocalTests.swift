import Foundation
import Syncline
import SynclineTooling
import Testing

/// `@Local`: values that only this device has.
@Suite struct LocalTests {
  private static let schema = """
    model Todo {
      id: Int
      title: String
      @Local isPinned: Bool = false
      @Local note: String?
      @Local place: Place?
      @Local folder: Folder?
    }
    model Folder { id: Int; todos: [Todo] }
    struct Place { row: Int }
    """

  private static let values = "SELECT id, title, isPinned, note, place, folder FROM Todo ORDER BY id"

  /// A store with a row whose local values are set.
  private func makeFilled(_ text: String = schema) async throws -> TextStore {
    let store = try TextStore(text)
    try await store.sync(#"[{"id": 5}]"#, as: "Folder")
    try await store.sync(#"[{"id": 1, "title": "a"}, {"id": 2, "title": "b"}]"#, as: "Todo")
    try await store.run(
      "UPDATE Todo SET isPinned = 1, note = 'mine', place = '{\"row\":3}', folder = 5 WHERE id = 1")
    return store
  }

  // MARK: Syncs

  @Test func newRowGetsDefaultsOfLocalProperties() async throws {
    let store = try TextStore(LocalTests.schema)
    try await store.sync(
      #"[{"id": 1, "title": "a", "is_pinned": true, "isPinned": true, "note": "x", "place": {"row": 1}}]"#,
      as: "Todo")
    #expect(try await store.rows(LocalTests.values) == ["1 a 0 - - -"])
  }

  @Test func localValuesSurviveSyncs() async throws {
    let store = try await makeFilled()
    let mine = #"1 a 1 mine {"row":3} 5"#
    #expect(try await store.rows(LocalTests.values) == [mine, "2 b 0 - - -"])
    let payload = #"""
      [{"id": 1, "title": "a", "is_pinned": false, "isPinned": 0, "note": null, "place": {"row": 9}, "folder": null,
      "folder_id": 6}, {"id": 2, "title": "b", "note": 7, "folder": {"id": 6}}]
      """#
    #expect(try await store.sync(payload, as: "Todo").isUnchanged)
    #expect(try await store.rows(LocalTests.values) == [mine, "2 b 0 - - -"])
    #expect(try await store.rows("SELECT id FROM Folder") == ["5"])
    try await store.sync(#"[{"id": 2, "title": "B"}, {"id": 1, "title": "A", "note": "theirs"}]"#, as: "Todo")
    #expect(try await store.rows(LocalTests.values) == [#"1 A 1 mine {"row":3} 5"#, "2 B 0 - - -"])
    try await store.sync(#"{"id": 1, "title": "C", "is_pinned": false}"#, as: "Todo")
    #expect(try await store.rows(LocalTests.values).first == #"1 C 1 mine {"row":3} 5"#)
  }

  @Test func reactivatedRowKeepsLocalValues() async throws {
    let store = try TextStore(
      """
      @SoftDelete(\\.deletedAt)
      model Todo { id: Int; deletedAt: Date?; @Local isPinned: Bool = false; @Local note: String? }
      """)
    try await store.sync(#"[{"id": 1}]"#, as: "Todo")
    try await store.run("UPDATE Todo SET isPinned = 1, note = 'mine'")
    #expect(try await store.sync("[]", as: "Todo").softDeleted == 1)
    #expect(try await store.sync(#"[{"id": 1, "note": "theirs"}]"#, as: "Todo").reactivated == 1)
    #expect(try await store.rows("SELECT deletedAt, isPinned, note FROM Todo") == ["- 1 mine"])
  }

  @Test func softDeleteDateCanBeLocal() async throws {
    let store = try TextStore(
      "@SoftDelete(\\.hiddenAt)\nmodel Todo { id: Int; @Local hiddenAt: Date? }")
    try await store.sync(#"[{"id": 1}, {"id": 2, "hidden_at": "2020-01-01T00:00:00Z"}]"#, as: "Todo")
    #expect(try await store.rows("SELECT id FROM Todo WHERE hiddenAt IS NULL ORDER BY id") == ["1", "2"])
    #expect(try await store.sync(#"[{"id": 1}]"#, as: "Todo").softDeleted == 1)
    #expect(try await store.rows("SELECT id FROM Todo WHERE hiddenAt IS NULL") == ["1"])
    let back = #"[{"id": 1}, {"id": 2, "hidden_at": "2020-01-01T00:00:00Z"}]"#
    #expect(try await store.sync(back, as: "Todo").reactivated == 1)
    #expect(try await store.rows("SELECT id FROM Todo WHERE hiddenAt IS NULL ORDER BY id") == ["1", "2"])
    #expect(try await store.export("Todo") == #"[{"id":1},{"id":2}]"#)
  }

  @Test func keyOfLocalPropertyIsUnreadWithoutSuggestion() async throws {
    let store = try TextStore(
      "model Todo { id: Int; title: String; @Local isPinned: Bool = false; @Local note: String? }")
    let report = try await store.sync(
      #"[{"id": 1, "title": "a", "is_pinned": true, "Note": "x"}]"#, as: "Todo")
    #expect(report.unreadKeys?.keys.map(\.key) == ["Note", "is_pinned"])
    #expect(report.unreadKeys?.properties == [])
  }

  @Test func keyOfLocalPropertyIsNotSuggestedForAnother() async throws {
    let schema = """
      model Todo {
        id: Int
        pinned: Bool?
        notes: String?
        @Relationship(inverse: \\Folder.todos) folders: [Folder]
        @Local isPinned: Bool = false
        @Local note: String?
        @Local folder: Folder?
      }
      model Folder { id: Int; todos: [Todo] }
      """
    let payload = #"[{"id": 1, "is_pinned": true, "Note": "x", "folder_id": 7}]"#
    let keys = try #require(try await TextStore(schema).sync(payload, as: "Todo").unreadKeys)
    #expect(keys.keys.map(\.key) == ["Note", "folder_id", "is_pinned"])
    #expect(keys.properties.map(\.property) == ["pinned", "notes"])
    #expect(keys.properties.map(\.suggestion) == [nil, nil])
    // A key of a row below another object is in that object.
    let below = #"[{"id": 1, "a": {"is_pinned": true, "Note": "x"}, "note": "y"}]"#
    let inside = try await TextStore("@Below(\"a\")\n" + schema).sync(below, as: "Todo").unreadKeys
    #expect(inside?.properties.map(\.suggestion) == [nil, "note"])
  }

  // MARK: Links

  @Test func localToOneIsNotTheInverseOfAList() async throws {
    let store = try await makeFilled()
    try await store.sync(#"[{"id": 5, "todo_ids": [2]}, {"id": 6, "todo_ids": [1]}]"#, as: "Folder")
    #expect(try await store.rows("SELECT id, folder FROM Todo ORDER BY id") == ["1 5", "2 -"])
    #expect(
      try await store.rows("SELECT source, target FROM \"Folder.todos\" ORDER BY source") == ["5 2", "6 1"])
  }

  @Test func localLinkToDeletedRowIsCleared() async throws {
    let store = try await makeFilled()
    try await store.sync(#"[{"id": 6}]"#, as: "Folder")
    #expect(try await store.rows("SELECT id, folder, isPinned FROM Todo ORDER BY id") == ["1 - 1", "2 - 0"])
  }

  @Test func unionCanBeLocal() async throws {
    let store = try TextStore(
      """
      model Todo { id: Int; title: String; @Local last: Seen? }
      model Folder { id: Int }
      union Seen on "type" { case todo: Todo; case folder: Folder }
      """)
    try await store.sync(#"[{"id": 5}]"#, as: "Folder")
    try await store.sync(#"[{"id": 1, "title": "a", "last": {"type": "folder", "id": 5}}]"#, as: "Todo")
    #expect(try await store.rows("SELECT lastTodo, lastFolder, lastUnrecognized FROM Todo") == ["- - -"])
    try await store.run("UPDATE Todo SET lastFolder = 5")
    try await store.sync(
      #"[{"id": 1, "title": "b", "last_type": "x", "last_id": 1, "last": null}]"#, as: "Todo")
    #expect(
      try await store.rows("SELECT title, lastTodo, lastFolder, lastUnrecognized FROM Todo") == ["b - 5 -"])
    #expect(try await store.export("Todo") == #"[{"id":1,"title":"b"}]"#)
  }

  // MARK: Exports

  @Test func exportsOmitLocalProperties() async throws {
    let store = try await makeFilled()
    let json = try await store.export("Todo")
    #expect(json == #"[{"id":1,"title":"a"},{"id":2,"title":"b"}]"#)
    #expect(try await store.sync(json, as: "Todo").isUnchanged)
    #expect(try await store.rows(LocalTests.values).first == #"1 a 1 mine {"row":3} 5"#)
  }

  @Test func payloadSchemasOmitLocalProperties() throws {
    let json = PayloadSchema.jsonSchema(try TextStore.schema(LocalTests.schema))
    let names = Set(json["$defs"]?["Todo"]?["properties"]?.object?.keys ?? [])
    #expect(names.contains("title"))
    #expect(names.isDisjoint(with: ["is_pinned", "isPinned", "note", "place", "folder", "folder_id"]))
  }

  // MARK: Offline edits

  private static let offline = """
    @Offline
    model Todo { id: Int; title: String; @Local isPinned: Bool = false; @Local folder: Folder? }
    @Offline
    model Folder { id: Int }
    """

  private static let pinned = "SELECT id, title, isPinned FROM Todo ORDER BY id"

  private func makeOffline() async throws -> TextStore {
    let store = try TextStore(LocalTests.offline)
    try await store.sync(#"[{"id": 1, "title": "a"}]"#, as: "Todo")
    return store
  }

  /// The pending changes of the to-dos, each as its kind, its properties and its body.
  private func changes(_ store: TextStore) async throws -> [String] {
    func all<Model: SyncUpdatableModel>(_ model: Model.Type) async throws -> [String] {
      try await store.container.pendingChanges(for: model).map {
        "\($0.kind) \($0.properties) \(String(decoding: $0.body, as: UTF8.self))"
      }
    }
    return try await all(try store.model("Todo"))
  }

  @Test func localChangeIsNotAnOfflineEdit() async throws {
    let store = try await makeOffline()
    try await store.run("UPDATE Todo SET isPinned = 1")
    #expect(try await store.rows("SELECT * FROM syncline_edit_Todo") == [])
    #expect(try await !store.container.hasPendingChanges())
    try await store.run("UPDATE Todo SET title = 'b', isPinned = 0")
    #expect(try await changes(store) == [#"update ["title"] {"title":"b"}"#])
    try await store.run("INSERT INTO Todo (id, title, isPinned) VALUES (2, 'new', 1)")
    let all = try await changes(store)
    #expect(all.last == #"insert ["title"] {"id":2,"title":"new"}"#)
  }

  @Test func syncKeepsOfflineEditAndLocalValue() async throws {
    let store = try await makeOffline()
    try await store.run("UPDATE Todo SET title = 'mine'")
    try await store.run("UPDATE Todo SET isPinned = 1")
    try await store.sync(#"[{"id": 1, "title": "theirs", "is_pinned": false}]"#, as: "Todo")
    #expect(try await store.rows(LocalTests.pinned) == ["1 mine 1"])
  }

  @Test func discardingAnEditKeepsLocalValue() async throws {
    let store = try await makeOffline()
    func discardOne<Model: SyncUpdatableModel>(_ model: Model.Type) async throws {
      for change in try await store.container.pendingChanges(for: model) {
        try await store.container.discard(change)
      }
    }
    try await store.run("UPDATE Todo SET title = 'mine'")
    try await store.run("UPDATE Todo SET isPinned = 1")
    try await discardOne(try store.model("Todo"))
    #expect(try await store.rows(LocalTests.pinned) == ["1 a 1"])
    try await store.run("UPDATE Todo SET title = 'mine'")
    try await store.run("UPDATE Todo SET isPinned = 0")
    try await store.container.discardAllPendingChanges()
    #expect(try await store.rows(LocalTests.pinned) == ["1 a 0"])
    #expect(try await !store.container.hasPendingChanges())
  }

  /// The payload of a row that is left alone says nothing new if only a value of this device is newer than the answer.
  @Test func localChangeDoesNotPreventStoringTheCursor() async throws {
    let store = try await makeOffline()
    func check<Model: SyncUpdatableModel>(_ model: Model.Type) async throws {
      try await store.run("UPDATE Todo SET title = 'mine'")
      let moment = store.container.moment
      try await store.container.withPendingChanges(for: model) { changes in
        Dictionary(uniqueKeysWithValues: changes.map { ($0.id, .confirmed) })
      }
      try await store.run("UPDATE Todo SET isPinned = 1")
      for (title, cursor) in [("theirs", nil), ("mine", "b")] {
        try await store.container.sync(
          payload: SyncResponse(#"[{"id": 1, "title": "\#(title)"}]"#, cursor: "b"), as: model,
          requestedAt: moment)
        #expect(try await store.container.cursor(for: model) == cursor)
      }
    }
    try await check(try store.model("Todo"))
    #expect(try await store.rows(LocalTests.pinned) == ["1 mine 1"])
  }

  /// A new row does not wait for the push of a row that only a local to-one refers to.
  @Test func newRowDoesNotWaitForLocalLink() async throws {
    let store = try await makeOffline()
    try await store.run("INSERT INTO Folder (id) VALUES (9)")
    try await store.run("INSERT INTO Todo (id, title, isPinned, folder) VALUES (2, 'new', 0, 9)")
    func send<Model: SyncUpdatableModel>(_ model: Model.Type) async throws {
      _ = try await store.container.withPendingChanges(for: model) { _ in [:] }
    }
    func states<Model: SyncUpdatableModel>(_ model: Model.Type) async throws -> [SyncPendingState] {
      try await store.container.pendingChanges(for: model).map(\.state)
    }
    try await send(try store.model("Folder"))
    #expect(try await states(try store.model("Todo")) == [.pending])
  }

  /// The server makes the identity, and a pull brings the row before the answer does.
  @Test func serverMadeIdentityKeepsLocalValue() async throws {
    let store = try TextStore(
      """
      @Offline
      model Todo { @PrimaryKey(madeBy: .server) id: Int; title: String; @Local isPinned: Bool = false }
      """)
    try await store.run("INSERT INTO Todo (id, title, isPinned) VALUES (-1, 'new', 1)")
    func send<Model: SyncUpdatableModel>(_ model: Model.Type, pulling: Bool) async throws {
      _ = try await store.container.withPendingChanges(for: model) { changes in
        if pulling { try await store.sync(#"{"id": 7, "title": "new"}"#, as: "Todo") }
        var outcomes: [Model.SyncID: SyncPushOutcome<Model>] = [:]
        for change in changes {
          guard let id = 7 as? Model.SyncID else { continue }
          outcomes[change.id] = .confirmedAs(id)
        }
        return outcomes
      }
    }
    try await send(try store.model("Todo"), pulling: true)
    #expect(try await store.rows(LocalTests.pinned) == ["7 new 1"])
    #expect(try await !store.container.hasPendingChanges())
  }

  // MARK: Another version of the schema

  @Test func aNewLocalPropertyKeepsCursors() async throws {
    let queue = try DatabaseQueue()
    let old = try TextStore("model Todo { id: Int; title: String }", in: .database(queue))
    try await old.sync(#"[{"id": 1, "title": "a"}]"#)
    try await old.setCursor("next")
    #expect(try await old.cursor() == "next")
    let text = "model Todo { id: Int; title: String; @Local isPinned: Bool = false }"
    let new = try TextStore(text, in: .database(queue))
    #expect(try await new.cursor() == "next")
    #expect(try await new.rows(LocalTests.pinned) == ["1 a 0"])
  }
}
