import Foundation
import Syncline
import SynclineTesting
import Testing

/// A new store for all models of the tests: in memory, or in a file of a folder.
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

  /// The links that wait for their rows, one text each, in order.
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

  /// How many rows SQLite wrote since the store was opened, those that were rolled back included.
  func writes() throws -> Int {
    database.writeWithoutTransaction { $0.totalChangesCount }
  }
}

extension SyncReport {
  var actions: [SyncProblem.Action] { problems.map(\.action) }
}

extension SyncContainer {
  /// The rows of a model as JSON, and as text: both say the same.
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
