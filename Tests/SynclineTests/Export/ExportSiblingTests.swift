import Foundation
import GRDB
import Syncline
import SynclineTesting
import Synchronization
import Testing

/// Contract, section 10: in a row nested under a to-one, the to-many that is the inverse of that relationship is omitted.
@Suite struct ExportSiblingTests {
  /// Exports as values and as text, syncs the body into the same store, and into a new one, whose rows must be equal.
  private func expectRoundTrip<Model: SyncUpdatableModel>(
    _ model: Model.Type, in store: SyncContainer, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> [SyncJSON] {
    let before = try store.everything()
    let (rows, text) = try await store.exportBothWays(as: model, sourceLocation)
    let report = try await store.sync(payload: text, as: model)
    #expect(report.isUnchanged && report.problems.isEmpty, "\(report)", sourceLocation: sourceLocation)
    #expect(try store.everything() == before, sourceLocation: sourceLocation)
    let other = try makeStore()
    try await other.sync(payload: text, as: model)
    #expect(try await other.export(as: model) == rows, sourceLocation: sourceLocation)
    return rows
  }

  @Test func inverseOfAToOneIsOmitted() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"""
        [{"id": 1, "name": "P", "tasks": [
          {"id": 1, "title": "A", "assignee": {"id": 5, "name": "U"}},
          {"id": 2, "title": "B", "assignee_id": 5}]}]
        """#, as: Project.self)
    let tasks = try await expectRoundTrip(Task.self, in: store)
    for task in tasks {
      #expect(task["project"] == ["id": 1, "name": "P"])
      // A list of keys is omitted in the same way as a list of objects.
      #expect(task["assignee"] == ["id": 5, "name": "U", "email": nil])
    }
    // Rows at the top level and in lists contain all lists.
    let projects = try await expectRoundTrip(Project.self, in: store)
    #expect(projects.first?["tasks"]?.array?.map { $0["id"] } == [1, 2])
    #expect(projects.first?["tasks"]?.array?.map { $0["items"] } == [[], []])
    #expect(try await expectRoundTrip(User.self, in: store).first?["task_ids"] == [1, 2])
  }

  @Test func inverseUnionListIsOmittedWithAllItsCases() async throws {
    let store = try TextStore(
      #"""
      model Photo { id: Int; name: String; album: Owner? }
      model Clip { id: Int; name: String; album: Album? }
      model Album { id: Int; items: [Item] }
      union Item on "type" { case photo: Photo; case clip: Clip }
      union Owner on "type" { case album: Album }
      """#)
    try await store.sync(
      #"""
      [{"id": 1, "items": [{"type": "photo", "id": 5, "name": "P"}, {"type": "clip", "id": 6, "name": "C"}]}]
      """#, as: "Album")
    for model in ["Photo", "Clip"] {
      let text = try await store.exportData(model)
      #expect(text == (try await store.export(model)))
      #expect(try await store.sync(list: text, as: model).isUnchanged, "\(text)")
    }
    #expect(
      try await store.exportedRows(of: "Photo") == [
        ["id": 5, "name": "P", "album": ["id": 1, "type": "album"]]
      ])
  }

  @Test func inverseOfAOneToOneIsExportedAsIdentity() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "ship": {"id": 2}}]"#, as: Captain.self)
    #expect(
      try await expectRoundTrip(Captain.self, in: store).first?["ship"] == ["id": 2, "captain": ["id": 1]])
    #expect(
      try await expectRoundTrip(Ship.self, in: store).first?["captain"] == ["id": 1, "ship": ["id": 2]])
  }

  @Test func otherListsOfANestedRowAreExported() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"[{"id": 1, "manager": 3, "mentor": 3}, {"id": 2, "manager": 3}, {"id": 3}]"#,
      as: Employee.self)
    let rows = try await expectRoundTrip(Employee.self, in: store)
    #expect(rows[0]["manager"]?["reports"] == nil)
    #expect(rows[0]["manager"]?["mentees"] == [["id": 1]])
    #expect(rows[0]["mentor"]?["mentees"] == nil)
    #expect(rows[0]["mentor"]?["reports"] == [["id": 1], ["id": 2]])
  }

  @Test func inverseOfAUnionCaseIsOmitted() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"""
        [{"id": 1, "text": "o", "subject": {"type": "tale", "id": 1, "title": "T", "walls": [{"id": 4}]}},
         {"id": 2, "text": "p", "subject": {"type": "image", "id": "p", "url": "u"}}]
        """#, as: Opinion.self)
    let rows = try await expectRoundTrip(Opinion.self, in: store)
    #expect(rows.allSatisfy { $0["subject"]?.object != nil && $0["subject"]?["opinions"] == nil })
    #expect(rows[0]["subject"]?["walls"]?[0]?["id"] == 4)
  }

  /// The list of keys would state the members of the list, so it is omitted as well.
  @Test func keyListOfTheInverseIsOmittedToo() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"[{"id": 1, "crate": {"id": 7, "flask_ids": [1, 2]}}, {"id": 2}]"#, as: Flask.self)
    #expect(try store.pick(Crate.self, "flaskIDs", "flasks") == [[[1, 2], [1, 2]]])
    let rows = try await store.export(as: Flask.self)
    #expect(rows.map { $0["crate"] } == [["id": 7], ["id": 7]])
    #expect(try await store.sync(payload: SyncJSON.array(rows), as: Flask.self).isUnchanged)
    #expect(try await store.export(as: Crate.self).first?["flask_ids"] == [1, 2])
  }

  @Test func partialExportsOmitTheInverseToo() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"[{"id": 1, "name": "P", "tasks": [{"id": 1, "title": "A"}]}]"#, as: Project.self)
    let task = try #require(try await store.database.read { try Task.fetchOne($0, id: 1) })
    #expect(try await store.export(task, only: [\.project]) == ["project": ["id": 1, "name": "P"]])
    #expect(try await store.export(task)["project"] == ["id": 1, "name": "P"])
    let rows = try await store.export(as: Task.self, parent: 1, relationship: \.project)
    #expect(rows.first?["project"] == ["id": 1, "name": "P"])
  }

  // MARK: Sizes

  /// The length of an exported body, and the number of statements that read it.
  private func cost<Model: SyncUpdatableModel>(
    _ model: Model.Type, in store: SyncContainer
  ) async throws -> (bytes: Int, statements: Int) {
    let statements = Mutex(0)
    try await store.database.write { $0.trace { _ in statements.withLock { $0 += 1 } } }
    let text = try await store.exportData(as: model)
    let count = statements.withLock { $0 }
    try await store.database.write { $0.trace(options: []) }
    #expect(try SyncJSON(parsing: text) == .array(await store.export(as: model)))
    return (text.count, count)
  }

  /// A store with a single connection, and the given number of rows of each model, all with one parent.
  private func filled(_ count: Int) async throws -> SyncContainer {
    let store = try SyncContainer(for: SynclineTestsSchema.self, storage: .database(DatabaseQueue()))
    func list(_ row: (Int) -> String) -> String { (1...count).map(row).joined(separator: ",") }
    try await store.sync(
      payload: #"[{"id": 1, "name": "P", "tasks": [\#(list { #"{"id": \#($0), "title": "T"}"# })]}]"#,
      as: Project.self)
    try await store.sync(
      payload:
        #"[{"id": 1, "barstools": [\#(list { #"{"id": \#($0), "number": \#($0), "label": "l"}"# })]}]"#,
      as: Bar.self)
    try await store.sync(
      payload: #"[{"id": 1, "seats": [\#(list { #"{"number": \#($0), "label": "l"}"# })]}]"#, as: Salon.self)
    return store
  }

  @Test func exportCostIsLinearInTheNumberOfSiblings() async throws {
    let (few, many) = (try await filled(40), try await filled(400))
    func check<Model: SyncUpdatableModel>(_ model: Model.Type) async throws {
      let (small, large) = (try await cost(model, in: few), try await cost(model, in: many))
      #expect(large.bytes < small.bytes * 11, "\(model)")
      #expect(large.statements < small.statements * 11, "\(model)")
    }
    try await check(Task.self)
    try await check(Project.self)
    try await check(Barstool.self)
    try await check(Bar.self)
    try await check(Seat.self)
    try await check(Salon.self)
  }

  @Test func compositeIdentitiesCostAtMostTwiceAsMuch() async throws {
    let store = try await filled(300)
    func check<Single: SyncUpdatableModel, Composite: SyncUpdatableModel>(
      _ single: Single.Type, _ composite: Composite.Type
    ) async throws {
      let (one, several) = (try await cost(single, in: store), try await cost(composite, in: store))
      #expect(several.bytes <= one.bytes * 2)
      #expect(several.statements <= one.statements * 2)
    }
    try await check(Barstool.self, Seat.self)
    try await check(Bar.self, Salon.self)
  }
}
