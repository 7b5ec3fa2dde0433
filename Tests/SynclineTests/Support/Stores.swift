import Foundation
import Syncline
import SynclineTesting
import Testing

/// A new store for all test models: in memory, or in a file of a folder.
func makeStore(
  in folder: TemporaryFolder? = nil, keyStyle: KeyStyle = .snakeCase,
  invalidRows: SyncConfiguration.InvalidRows = .fail, foreignKeys: SyncConfiguration.ForeignKeys = .strict
) throws -> SyncContainer {
  try SynclineTestsSchema.makeStore(
    in: folder, SyncConfiguration(keyStyle: keyStyle, invalidRows: invalidRows, foreignKeys: foreignKeys))
}

extension SyncContainer {
  /// The named values of each row, in the order of the identities.
  func pick<Model: SyncUpdatableModel>(_ model: Model.Type, _ names: String...) throws -> [[SyncJSON]] {
    try rows(of: model).map { row in names.map { row[$0] ?? "absent" } }
  }

  /// The rows of all models, for comparing stores.
  func everything() throws -> [String: [SyncJSON]] {
    func rows<Model: SyncUpdatableModel>(_ model: Model.Type) throws -> (String, [SyncJSON]) {
      (Model.databaseTableName, try self.rows(of: model))
    }
    var result: [String: [SyncJSON]] = [:]
    for model in SynclineTestsSchema.models {
      let (name, rows) = try rows(model)
      if !rows.isEmpty { result[name] = rows }
    }
    return result
  }

  /// The pending links as sorted strings.
  func waitingLinks() async throws -> [String] {
    try await database.read { database in
      try String.fetchAll(
        database,
        sql: """
          SELECT printf('%s %s.%s of %s: %s', "owner", "ownerID", "relationship", "ownerParent", "targetID")
          FROM "syncline_pending_link" ORDER BY 1
          """)
    }
  }

  /// The number of rows that SQLite has written since the store was opened, including those of rolled-back transactions.
  func writes() throws -> Int {
    database.writeWithoutTransaction { $0.totalChangesCount }
  }
}

extension SyncReport {
  var actions: [SyncProblem.Action] { problems.map(\.action) }
}

extension SyncContainer {
  /// The rows of a model exported as JSON values. Checks that the export as text is equal.
  func exportBothWays<Model: SyncUpdatableModel>(
    as model: Model.Type, _ sourceLocation: SourceLocation
  ) async throws -> (rows: [SyncJSON], text: Data) {
    let rows = try await export(as: model)
    let text = try await exportData(as: model)
    #expect(
      String(decoding: text, as: UTF8.self) == SyncJSON.array(rows).description,
      sourceLocation: sourceLocation)
    return (rows, text)
  }
}
