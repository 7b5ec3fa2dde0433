import Foundation
import GRDB
import Syncline
import TestSupport
import Testing

/// A temporary table shadows the table of the same name on its connection.
@Suite struct TemporaryTableTests {
  private static let schema = "model Item { id: Int; name: String; tags: [Tag] } model Tag { id: Int }"
  private static let payload = #"[{"id": 1, "name": "a", "tags": [{"id": 2}]}]"#

  private let folder = TemporaryFolder()

  @Test(arguments: [
    "TABLE Item (id INTEGER PRIMARY KEY, name TEXT)", "VIEW item AS SELECT 1 AS id, 'x' AS name",
    "TABLE \"Item.tags\" (source, target)",
    "TABLE syncline_schema (id INTEGER PRIMARY KEY, fingerprint TEXT)",
  ])
  func temporaryTableWithTheNameOfAModelIsNamedInTheError(_ sql: String) async throws {
    for storage in [SyncStorage.inMemory, .file(try folder.file())] {
      let store = try TextStore(Self.schema, in: storage)
      try await store.sync(Self.payload)
      try await store.run("CREATE TEMP " + sql)
      let error = await #expect(throws: SyncError.self) { try await store.sync("[]") }
      guard case .storeUnavailable(let reason) = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(reason.hasPrefix("the temporary table or view “"), "\(reason)")
      let writer = store.container.database
      #expect(throws: SyncError.containerInitialization(reason: reason)) {
        try TextStore(Self.schema, in: .database(writer))
      }
      let name = try #require(reason.split(separator: "“").last?.split(separator: "”").first)
      try await store.run("DROP \(sql.prefix { $0 != " " }) temp.\"\(name)\"")
      #expect(try await store.sync(Self.payload).isUnchanged)
    }
  }

  @Test func otherTemporaryAndAttachedTablesDoNotMatter() async throws {
    let store = try TextStore(Self.schema)
    try await store.container.database.writeWithoutTransaction { database in
      try database.execute(
        sql: """
          CREATE TEMP TABLE Items (id);
          ATTACH ':memory:' AS other;
          CREATE TABLE other.Item (id INTEGER PRIMARY KEY, name TEXT);
          """)
    }
    try await store.sync(Self.payload)
    #expect(try await store.rows("SELECT name FROM main.Item") == ["a"])
    #expect(try await store.rows("SELECT name FROM other.Item") == [])
  }
}
