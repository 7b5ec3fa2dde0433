import Foundation
import Syncline
import SynclineInterpreter
import Testing

/// Lists that people asked for in the trackers of other libraries.
@Suite struct TrackedListTests {
  private func store(_ text: String, _ keyStyle: KeyStyle = .snakeCase) throws -> (
    container: SyncContainer, schema: InterpretedSchema
  ) {
    let schema = InterpretedSchema(try TextStore.schema(text))
    let container = try SyncContainer(
      models: schema.models, isWhole: true, storage: .inMemory,
      configuration: SyncConfiguration(keyStyle: keyStyle), recoverOnFailure: false)
    return (container, schema)
  }

  private func rows(_ columns: String, of table: String, in container: SyncContainer) throws -> [[Int64?]] {
    try container.database.read { database in
      try Row.fetchAll(database, sql: "SELECT \(columns) FROM \(table) ORDER BY 1").map { row in
        row.databaseValues.map { Int64.fromDatabaseValue($0) }
      }
    }
  }

  /// A list of the tickets of one status, after a list of all.
  @Test func listWithinConditionDeletesOnlyMatchingRows() async throws {
    let (container, schema) = try store(
      """
      model Ticket {
        id: Int
        status: Int = 0
        title: String?
      }
      """)
    func sync<Model: SyncUpdatableModel>(
      _ payload: String, within condition: SQLExpression? = nil, _ model: Model.Type
    ) async throws -> SyncReport {
      try await container.sync(payload: payload, as: model, within: condition)
    }
    let ticket = try #require(schema.model("Ticket"))
    _ = try await sync(#"[{"id": 1, "status": 0}, {"id": 2, "status": 0}]"#, ticket)
    let open: SQLExpression = Column("status") == 1
    _ = try await sync(#"[{"id": 3, "status": 1}]"#, within: open, ticket)
    #expect(try rows("id, status", of: "Ticket", in: container) == [[1, 0], [2, 0], [3, 1]])
    // A known row moves in, and one that left the status is missing.
    let report = try await sync(#"[{"id": 2, "status": 1}]"#, within: open, ticket)
    #expect(report.deleted == 1)
    #expect(try rows("id, status", of: "Ticket", in: container) == [[1, 0], [2, 1]])
    #expect(try await sync(#"[{"id": 2, "status": 1}]"#, within: open, ticket).isUnchanged)
  }

  /// The rows of the first list require rows of the second one.
  @Test(arguments: [true, false]) func twoListsOfOneBodySyncInAnyOrder(_ isReversed: Bool) async throws {
    let (container, schema) = try store(
      """
      model Section {
        @PrimaryKey(remote: "masterId") id: Int
        name: String
      }

      model SubSection {
        @PrimaryKey(remote: "masterId") id: Int
        name: String
        @RemoteKey("sectionId") section: Section
      }
      """, .camelCase)
    let section = try #require(schema.model("Section"))
    let subsection = try #require(schema.model("SubSection"))
    let body = #"""
      {"sub_sections": [{"masterId": 2, "sectionId": 1, "name": "C"}], "sections": [{"masterId": 1, "name": "K"}]}
      """#
    func add<Model: SyncUpdatableModel>(_ path: String, _ model: Model.Type, to parts: inout SyncBody) {
      parts.list(path, as: model)
    }
    func sync() async throws -> SyncReport {
      try await container.sync(payload: body) { parts in
        if isReversed { add("sub_sections", subsection, to: &parts) }
        add("sections", section, to: &parts)
        if !isReversed { add("sub_sections", subsection, to: &parts) }
      }
    }
    let report = try await sync()
    #expect(report.inserted == 2 && report.problems.isEmpty && report.waiting.isEmpty)
    #expect(try rows("id, section", of: "SubSection", in: container) == [[2, 1]])
    #expect(try await sync().isUnchanged)
  }
}
