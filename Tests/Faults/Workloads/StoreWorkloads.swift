import Foundation
import GRDB
import Syncline
import SynclineInterpreter
import SynclineTooling
import TestSupport

/// Calls that open or create stores. After the schema is committed, the store is read, so that opening may also fail then.
extension Workload {
  static let storeCalls = [
    opening, addedColumn, rebuiltTable, recovery, copiedFile,
  ]

  private static let opening = Workload(
    name: "opening", schema: Payloads.schema, start: .nothing, traps: [.connection], mayFailWhenDone: true
  ) { site in
    try site.open()
    return "opened"
  }

  private static let tasks = "model Task { id: Int; title: String; note: String? }"

  private static let addedColumn = Workload(
    name: "added-column", schema: tasks,
    evolved: "model Task { id: Int; title: String; note: String?; level: Int? }",
    start: .closedStore, traps: [.connection], mayFailWhenDone: true, prepare: prepareTasks, call: evolve)

  /// A column becomes required, for which the table is copied.
  private static let rebuiltTable = Workload(
    name: "rebuilt-table", schema: tasks,
    evolved: #"model Task { id: Int; @RenamedFrom("title") name: String; note: String }"#,
    start: .closedStore, traps: [.connection], mayFailWhenDone: true, prepare: prepareTasks, call: evolve)

  @Sendable
  private static func prepareTasks(_ store: TextStore) async throws {
    let rows = Payloads.list(0..<Payloads.rowCount) { #"{"id":\#($0),"title":"title \#($0)","note":"n"}"# }
    try await store.sync(rows)
  }

  @Sendable
  private static func evolve(_ site: Site) async throws -> String {
    let store = try site.open()
    // A second opening finds no changes, so the changes are not part of the result.
    return store.models.map { $0.syncTable.name }.joined(separator: " ")
  }

  // MARK: Recovery

  private static let recovery = Workload(
    name: "recovery", schema: Payloads.schema, start: .closedStore, traps: [.connection], files: .movedAside,
    mayFailWhenDone: true
  ) { store in
    try await store.sync(Payloads.articles(0..<20, titled: "lost"))
  } prepareFiles: { folder in
    let file = try FileHandle(forWritingTo: folder.appending(path: Site.fileName))
    try file.write(contentsOf: Data("This is not the header of a database.".utf8))
    try file.close()
  } call: { site in
    let models = InterpretedSchema(try TextStore.schema(site.schema)).models
    let container = try SyncContainer(
      models: models, isWhole: true, storage: .file(site.file), configuration: SyncConfiguration(),
      recoverOnFailure: true)
    let moved = container.recovery?.movedFiles.count
    try container.database.close()
    return "moved \(moved.map(String.init) ?? "none")"
  }

  // MARK: Copying another program's file

  private static let sourceName = "source.sqlite"

  /// The work of `syncline import --copy`.
  private static let copiedFile = Workload(
    name: "import-copy", schema: "", start: .nothingOrAll, errors: .ofDatabase, traps: [.connection],
    prepareFiles: { folder in
      let source = try DatabaseQueue(path: folder.appending(path: sourceName).path)
      try source.write { database in
        try database.execute(
          sql: """
            CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
            CREATE TABLE notes (
              id INTEGER PRIMARY KEY, text TEXT NOT NULL, person_id INTEGER REFERENCES people(id)
            );
            """)
        for id in 1...50 {
          try database.execute(sql: "INSERT INTO people VALUES (?, ?)", arguments: [id, "Person \(id)"])
          try database.execute(
            sql: "INSERT INTO notes VALUES (?, ?, ?)", arguments: [id, "Note \(id)", id])
        }
      }
      try source.close()
    },
    call: { site in
      try await SQLiteCopy(of: site.folder.appending(path: sourceName).path, to: site.file).text
    })
}
