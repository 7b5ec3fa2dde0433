import Foundation
import SynclineCompiler
import SynclineTesting
import SynclineTooling
import TestSupport
import Testing

@testable import Syncline

/// The schema that is saved in a store.
@Suite struct StoredSchemaTests {
  private let folder = TemporaryFolder()

  /// The schema of the generated models of these tests.
  private func catalogSchema() throws -> SyncSchemaSnapshot {
    SyncSchemaSnapshot(try ModelCatalog(SynclineTestsSchema.models))
  }

  @Test func compilerAndRuntimeSchemasAreEqual() throws {
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../../..")
      .standardized
    let schemas = package.appending(path: "Schemas/SynclineTests")
    let files = try FileManager.default.contentsOfDirectory(atPath: schemas.path).map { name in
      let file = schemas.appending(path: name)
      return SourceFile(path: file.path, text: try String(contentsOf: file, encoding: .utf8))
    }
    let analysis = CompilerPipeline.analyse(CompilerInput(target: "SynclineTests", files: files))
    let text = try #require(analysis.schema).snapshot()
    var snapshot = try JSONDecoder().decode(SyncSchemaSnapshot.self, from: Data(text.utf8))
    // Stores do not depend on the other members.
    for model in snapshot.models.indices {
      snapshot.models[model].words = []
      for property in snapshot.models[model].properties.indices {
        snapshot.models[model].properties[property].keys = []
        snapshot.models[model].properties[property].words = []
        snapshot.models[model].properties[property].declared = nil
        snapshot.models[model].properties[property].written = nil
      }
    }
    let catalog = try catalogSchema()
    #expect(snapshot.models.map(\.name) == catalog.models.map(\.name))
    for (one, other) in zip(snapshot.models, catalog.models) { #expect(one == other) }
    #expect(snapshot.fingerprint == catalog.fingerprint)
  }

  @Test func schemaSurvivesAnEncodingRoundTrip() throws {
    let schema = try catalogSchema()
    let data = try JSONEncoder().encode(schema)
    #expect(try JSONDecoder().decode(SyncSchemaSnapshot.self, from: data) == schema)
  }

  @Test func schemaIsStoredAsReadableJSON() throws {
    let container = try SyncContainer(for: SynclineTestsSchema.self)
    let text = try container.database.read { db in
      try #require(try String.fetchOne(db, sql: "SELECT schema FROM syncline_schema"))
    }
    let json = try SyncJSON(parsing: text)
    let task = try #require(json["models"]?.array?.first { $0["name"] == "Task" })
    #expect(task["identity"] == "id")
    #expect(task["properties"]?.array?.first == ["name": "id", "type": "Int"])
    #expect(container.evolution == nil)
  }

  @Test func fingerprintIgnoresTheDeclarationOrder() throws {
    var schema = try catalogSchema()
    let fingerprint = schema.fingerprint
    schema.models.reverse()
    for index in schema.models.indices { schema.models[index].properties.reverse() }
    #expect(schema.fingerprint == fingerprint)
    schema.models[0].properties[0].name += "x"
    #expect(schema.fingerprint != fingerprint)
  }

  // MARK: Containers

  /// Turns a file into the store of a schema with an additional property.
  private func evolve(_ file: URL, _ change: (inout SyncSchemaSnapshot) throws -> Void) throws {
    var schema = try catalogSchema()
    try change(&schema)
    let opened = try StoreOpening(storage: .file(file), schema: SchemaEvolution(to: schema)).run(
      recovering: false)
    #expect(opened.evolution != nil)
    try opened.database.close()
  }

  private func addNote(_ schema: inout SyncSchemaSnapshot) {
    guard let tag = schema.models.firstIndex(where: { $0.name == "Tag" }) else { return }
    schema.models[tag].properties.append(
      .init(name: "note", kind: .value(SyncStoredType(.string)), isOptional: true))
  }

  @Test func aStoreThatIsEvolvedWhileItIsOpenIsNotWritten() async throws {
    let file = try folder.file()
    let container = try SyncContainer(for: SynclineTestsSchema.self, storage: .file(file))
    try await container.sync(payload: #"[{"id": 1, "name": "a"}]"#, as: Tag.self)
    try evolve(file, addNote)
    await #expect(
      throws: SyncError.storeEvolved(reason: "open a new container with the store's current schema")
    ) {
      try await container.sync(payload: #"[{"id": 2, "name": "b"}]"#, as: Tag.self)
    }
    #expect(try await container.database.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM Tag") } == 1)
    // Reads name their columns, so they still work.
    #expect(try container.rows(of: Tag.self).count == 1)
  }

  enum Change: CaseIterable {
    case renamed, dropped, otherIdentity, optional

    func apply(to schema: inout SyncSchemaSnapshot) throws {
      let tag = try #require(schema.models.firstIndex { $0.name == "Tag" })
      func property(_ name: String) throws -> Int {
        try #require(schema.models[tag].properties.firstIndex { $0.name == name })
      }
      switch self {
      case .renamed:
        let name = try property("name")
        schema.models[tag].properties[name].renamedFrom = ["name"]
        schema.models[tag].properties[name].name = "title"
      case .dropped:
        schema.models.remove(at: tag)
        for model in schema.models.indices {
          schema.models[model].properties.removeAll { $0.target == "Tag" }
        }
      case .otherIdentity:
        schema.models[tag].properties[try property("id")].kind = .value(SyncStoredType(.string))
      case .optional:
        schema.models[tag].properties[try property("name")].isOptional = true
      }
    }
  }

  /// Another process changes the tables for which this one has prepared statements. The statements fail, or read the current
  /// rows.
  @Test(.enabled(if: TestKind.thorough.runs), arguments: Change.allCases)
  func storeEvolvedWhileOpenRefusesSyncsAndStaysIntact(change: Change)
    async throws
  {
    let file = try folder.file()
    let container = try SyncContainer(for: SynclineTestsSchema.self, storage: .file(file))
    let tasks = #"[{"id": 1, "title": "T", "tags": [{"id": 5, "name": "a"}, {"id": 6, "name": "b"}]}]"#
    try await container.sync(payload: tasks, as: Task.self)
    func read() async -> [Bool] {
      var isRead: [Bool] = []
      isRead.append((try? await container.database.read { try Tag.fetchAll($0) }) != nil)
      isRead.append((try? await container.export(as: Tag.self)) != nil)
      isRead.append((try? await container.exportData(as: Task.self)) != nil)
      isRead.append(
        (try? await container.database.read { try Task.including(all: Task.tags).fetchAll($0) }) != nil)
      var values = container.values(of: Tag.self).makeAsyncIterator()
      isRead.append((try? await values.next()) != nil)
      return isRead
    }
    #expect(await read() == [true, true, true, true, true])
    try evolve(file) { try change.apply(to: &$0) }
    _ = await read()
    await #expect(throws: SyncError.self) { try await container.sync(payload: tasks, as: Task.self) }
    _ = await read()
    #expect(
      try await container.database.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") } == ["ok"])
  }

  @Test func olderSchemaIsRefusedWithAReason() throws {
    let file = try folder.file()
    _ = try SyncContainer(for: SynclineTestsSchema.self, storage: .file(file))
    try evolve(file, addNote)
    #expect(
      throws: SyncError.containerInitialization(
        reason:
          "a later version of this program has evolved the store to a newer schema: use that version")
    ) {
      try SyncContainer(for: SynclineTestsSchema.self, storage: .file(file))
    }
    let evolution = try SyncContainer.evolution(for: SynclineTestsSchema.self, storage: .file(file))
    #expect(evolution.obstacles.count == 1)
  }

  @Test func containerOfSomeModelsKeepsTheOthers() async throws {
    let file = try folder.file()
    let whole = try SyncContainer(for: SynclineTestsSchema.self, storage: .file(file))
    try await whole.sync(payload: #"[{"id": "a", "name": "b"}]"#, as: Label.self)
    let part = try SyncContainer(for: Label.self, storage: .file(file))
    #expect(part.evolution == nil)
    try await part.sync(item: #"{"id": "a", "name": "c"}"#, as: Label.self)
    #expect(try whole.rows(of: Label.self).count == 1)
    #expect(try await whole.sync(payload: "[]", as: Tag.self).isUnchanged)
    #expect(try SyncContainer(for: SynclineTestsSchema.self, storage: .file(file)).evolution == nil)
  }

  @Test func previewOfAFileThatIsNoDatabaseThrows() throws {
    let file = try folder.file()
    try Data(String(repeating: "no database ", count: 100).utf8).write(to: file)
    #expect {
      try SyncContainer.evolution(for: SynclineTestsSchema.self, storage: .file(file))
    } throws: { error in
      guard case SyncError.containerInitialization(let reason) = error else { return false }
      return reason.contains("file is not a database")
    }
  }

  @Test func previewListsTheEvolutionOfANewStore() throws {
    let file = try folder.file()
    let evolution = try SyncContainer.evolution(for: SynclineTestsSchema.self, storage: .file(file))
    #expect(evolution.changes.allSatisfy { $0.kind == .modelAdded })
    #expect(evolution.statements.contains { $0.hasPrefix("CREATE TABLE \"Task\"") })
    #expect(!FileManager.default.fileExists(atPath: file.path))
    _ = try SyncContainer(for: SynclineTestsSchema.self, storage: .file(file))
    #expect(
      try SyncContainer.evolution(for: SynclineTestsSchema.self, storage: .file(file)).description
        == "The store fits.")
  }

  @Test func defaultsFillNewRequiredColumnsOfAStore() throws {
    let file = try folder.file()
    let first = try SyncContainer(for: SynclineTestsSchema.self, storage: .file(file))
    try first.database.write { db in try Task(id: 1, title: "a").insert(db) }
    try first.database.close()
    try evolve(file) { schema in
      for name in ["state", "internalFlag"] {
        guard let task = schema.models.firstIndex(where: { $0.name == "Task" }) else { return }
        schema.models[task].properties.removeAll { $0.name == name }
      }
    }
    // The file then looks like that of a newer version of the app.
    let pool = try DatabasePool(path: file.path)
    try pool.write { try $0.execute(sql: "UPDATE syncline_schema SET history = ''") }
    try pool.close()
    let second = try SyncContainer(for: SynclineTestsSchema.self, storage: .file(file))
    #expect(
      second.evolution?.changes.map(\.description) == [
        "Task.state is new, String", "Task.internalFlag is new, Bool",
      ])
    let task = try second.database.read { db in try #require(try Task.fetchOne(db, key: 1)) }
    #expect(task.state == .open)
    #expect(task.internalFlag == false)
  }
}
