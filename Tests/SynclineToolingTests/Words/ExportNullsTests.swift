import Foundation
import Syncline
import Testing

/// `export(task, nulls: .omit)`: properties that are nil are left out.
@Suite struct ExportNullsTests {
  private static let people = "model Person { id: Int; firstName: String?; lastName: String? }"
  private static let person = #"[{"id": 1, "first_name": "A"}]"#

  private static let rich = """
    model Person {
      id: Int
      @RemoteKey("geo.lat") lat: Double?
      @RemoteKey("geo.lng") lng: Double?
      home: Place?
      places: [Place] = []
      extra: JSON?
      tags: [String] = []
      team: Team?
      @Export(.identities) boss: Person?
    }
    model Team { id: Int; name: String?; @NotExport members: [Person] }
    struct Place { city: String?; @RemoteKey("geo.zip") zip: String?; inner: [Place]? }
    """

  // MARK: Forms

  /// The rows of a model in all forms of export, each as the text of a list.
  private func forms(
    of name: String, in store: TextStore, _ nulls: SyncExportNulls?
  ) async throws -> Set<String> {
    try await forms(of: try store.model(name), in: store.container, nulls)
  }

  private func forms<Model: SyncUpdatableModel>(
    of model: Model.Type, in store: SyncContainer, _ nulls: SyncExportNulls?
  ) async throws -> Set<String> {
    var texts: [String] = [SyncJSON.array(try await store.export(as: model, nulls: nulls)).description]
    texts.append(String(decoding: try await store.exportData(as: model, nulls: nulls), as: UTF8.self))
    var chunks = Data()
    for try await chunk in store.exportChunks(as: model, nulls: nulls) { chunks += chunk }
    texts.append(String(decoding: chunks, as: UTF8.self))
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try await store.exportData(as: model, nulls: nulls, to: file)
    texts.append(try String(contentsOf: file, encoding: .utf8))
    try FileManager.default.removeItem(at: file)
    let rows = try await store.database.read { try Model.fetchAll($0) }
    var items: [SyncJSON] = []
    for row in rows { items.append(try await store.export(row, nulls: nulls)) }
    texts.append(SyncJSON.array(items).description)
    return Set(texts)
  }

  @Test func nilPropertyIsOmittedFromEveryExportForm() async throws {
    let store = try TextStore(ExportNullsTests.people)
    try await store.sync(ExportNullsTests.person, as: "Person")
    let written = #"[{"id":1,"first_name":"A","last_name":null}]"#
    let omitted = #"[{"id":1,"first_name":"A"}]"#
    #expect(try await forms(of: "Person", in: store, nil) == [written])
    #expect(try await forms(of: "Person", in: store, .write) == [written])
    #expect(try await forms(of: "Person", in: store, .omit) == [omitted])
  }

  @Test func exportCallOverridesNullsOfConfiguration() async throws {
    var configuration = SyncConfiguration()
    #expect(configuration.exportsNulls)
    configuration.exportsNulls = false
    let store = try TextStore(ExportNullsTests.people, in: .inMemory, configuration)
    try await store.sync(ExportNullsTests.person, as: "Person")
    #expect(try await forms(of: "Person", in: store, nil) == [#"[{"id":1,"first_name":"A"}]"#])
    #expect(
      try await forms(of: "Person", in: store, .write) == [#"[{"id":1,"first_name":"A","last_name":null}]"#])
  }

  // MARK: What is left out

  @Test func nilMembersNestedRowsAndEmptyPathObjectsAreOmitted() async throws {
    let store = try TextStore(ExportNullsTests.rich)
    try await store.sync(
      #"""
      [{"id": 1, "geo": {"lng": 2.5}, "home": {"inner": [{"geo": {"zip": "3000"}}, {}]}, "places": [{"city": "Bern"}],
      "team": {"id": 7}}, {"id": 2}]
      """#, as: "Person")
    let first =
      #"{"id":1,"geo":{"lng":2.5},"home":{"inner":[{"geo":{"zip":"3000"}},{}]},"places":[{"city":"Bern"}],"#
      + #""tags":[],"team":{"id":7}}"#
    let second = #"{"id":2,"places":[],"tags":[]}"#
    #expect(try await forms(of: "Person", in: store, .omit) == ["[\(first),\(second)]"])
    // A value whose members are all nil is a value.
    try await store.run("UPDATE Person SET home = '{}' WHERE id = 2")
    #expect(try await forms(of: "Person", in: store, .omit).first?.contains(#""home":{}"#) == true)
  }

  @Test func nullsInJSONAndEmptyListsAreNotOmitted() async throws {
    let store = try TextStore(ExportNullsTests.rich)
    try await store.sync(#"[{"id": 1, "extra": {"a": null, "b": [null]}, "tags": []}]"#, as: "Person")
    #expect(
      try await forms(of: "Person", in: store, .omit)
        == [#"[{"id":1,"places":[],"extra":{"a":null,"b":[null]},"tags":[]}]"#])
  }

  @Test func nilUnionsAreOmittedWithTheirTypes() async throws {
    let store = try TextStore(
      """
      model Note { id: Int; subject: Subject?; @Export(.identities) about: Subject? }
      model Todo { id: Int; title: String? }
      model List { id: Int }
      union Subject on "type" { case todo: Todo; case list: List }
      """)
    try await store.sync(
      #"[{"id": 1}, {"id": 2, "subject": {"type": "todo", "id": 5}, "about_type": "todo", "about_id": 5}]"#,
      as: "Note")
    let notes = try SyncJSON(parsing: try #require(try await forms(of: "Note", in: store, .omit).first))
    #expect(notes[0]?.object?.keys == ["id"])
    #expect(notes[1]?["subject"] == ["id": 5, "type": "todo"])
    #expect(notes[1]?["about_id"] == 5 && notes[1]?["about_type"] == "todo")
  }

  @Test func jsonAPIExportOmitsNilAttributesAndLinks() async throws {
    let store = try TextStore(ExportNullsTests.rich)
    try await store.sync(#"[{"id": 1, "team_id": 7}, {"id": 2}]"#, as: "Person")
    try await store.sync(#"[{"id": 7}]"#, as: "Team")
    func document<Model: SyncGeneratedModel>(_ model: Model.Type) async throws -> SyncJSON {
      try await store.container.exportJSONAPI(as: model, nulls: .omit)
    }
    let people = try #require(try store.model("Person") as? any SyncGeneratedModel.Type)
    let rows = try #require(try await document(people)["data"])
    #expect(rows[0]?["relationships"]?.object?.keys == ["team"])
    #expect(rows[1]?["relationships"] == nil)
    #expect(rows[1]?["attributes"]?.object?.keys.sorted() == ["places", "tags"])
    let teams = try #require(try store.model("Team") as? any SyncGeneratedModel.Type)
    #expect(try await document(teams)["data"]?[0]?["attributes"] == nil)
  }

  @Test func resyncingExportWithoutNullsChangesNothing() async throws {
    let store = try TextStore(ExportNullsTests.rich)
    let payload =
      #"[{"id": 1, "geo": {"lat": 1}, "home": {"city": "Bern"}, "team": {"id": 7, "name": "T"}}, {"id": 2}]"#
    try await store.sync(payload, as: "Person")
    for text in try await forms(of: "Person", in: store, .omit) {
      #expect(try await store.sync(text, as: "Person").isUnchanged, "\(text)")
    }
  }

  // MARK: What is always said

  @Test func changeExportWritesNullDespiteOmitConfiguration() async throws {
    var configuration = SyncConfiguration()
    configuration.exportsNulls = false
    let store = try TextStore(ExportNullsTests.rich, in: .inMemory, configuration)
    try await store.sync(
      #"[{"id": 1, "geo": {"lat": 1, "lng": 2}, "home": {"city": "Bern", "geo": {"zip": "3000"}}, "team": {"id": 7}}]"#,
      as: "Person")
    func change<Model: SyncGeneratedModel>(_ model: Model.Type, _ sql: String) async throws -> String {
      let old = try #require(try await store.container.database.read { try Model.fetchOne($0) })
      try await store.run(sql)
      let new = try #require(try await store.container.database.read { try Model.fetchOne($0) })
      return try await store.container.export(new, changedFrom: old).description
    }
    let people = try #require(try store.model("Person") as? any SyncGeneratedModel.Type)
    #expect(
      try await change(people, "UPDATE Person SET lat = NULL, team = NULL")
        == #"{"geo":{"lat":null},"team":null}"#)
    // So it is for members of a value that has changed. In rows of others, nothing has.
    #expect(
      try await change(people, #"UPDATE Person SET home = '{"city":"Bern"}', team = 7"#)
        == #"{"home":{"city":"Bern","geo":{"zip":null},"inner":null},"team":{"id":7}}"#)
  }

  @Test func pushBodiesContainNulls() async throws {
    var configuration = SyncConfiguration()
    configuration.exportsNulls = false
    let store = try TextStore(
      "@Offline model Person { id: Int; name: String?; home: Place? }\nstruct Place { city: String? }",
      in: .inMemory, configuration)
    func bodies<Model: SyncUpdatableModel>(_ model: Model.Type) async throws -> [String] {
      var sent: [String] = []
      let pending = try await store.container.pendingChanges(for: model)
      _ = try await store.container.withPendingChanges(for: model) { changes in
        sent = changes.map { String(decoding: $0.body, as: UTF8.self) }
        return [:]
      }
      #expect(pending.map { String(decoding: $0.body, as: UTF8.self) } == sent)
      return sent
    }
    try await store.sync(#"[{"id": 1, "name": "A", "home": {"city": "Bern"}}]"#, as: "Person")
    try await store.run("UPDATE Person SET name = NULL, home = '{}'")
    #expect(try await bodies(try store.model("Person")) == [#"{"name":null,"home":{"city":null}}"#])
  }
}
