import Foundation
import GRDB
import TestSupport

@_spi(Generated) @testable import Syncline

/// A store with the schema of these tests, and rows that the server has.
func makeStore(
  in folder: TemporaryFolder? = nil, _ configuration: SyncConfiguration = SyncConfiguration()
) throws -> SyncContainer {
  try OfflineTestsSchema.makeStore(in: folder, configuration)
}

extension SyncContainer {
  func run(_ sql: String, _ arguments: StatementArguments = []) async throws {
    try await database.write { try $0.execute(sql: sql, arguments: arguments) }
  }

  func text(_ sql: String) async throws -> String? {
    try await database.read { try String.fetchOne($0, sql: sql) }
  }

  /// The rows of a query, each as its values separated by spaces.
  func rows(_ sql: String) async throws -> [String] {
    try await database.read { database in
      try Row.fetchAll(database, sql: sql).map { row in
        row.databaseValues.map { $0.isNull ? "-" : "\($0.storage.value ?? "-")" }.joined(separator: " ")
      }
    }
  }

  /// The edits of a model as text: `update 1 title`.
  func edits(_ model: String) async throws -> [String] {
    try await database.read { [catalog] database in
      guard let model = catalog.offlineModels.first(where: { $0.table.name == model }) else { return [] }
      let store = StoredEdits(database, of: model)
      return try store.all().compactMap { edit in
        let local = try store.stored(edit.row)
        guard let kind = model.kind(of: edit, local) else { return nil }
        var words = [kind.rawValue, edit.row.identity.description]
        if let parent = edit.row.parent { words.append("of \(parent)") }
        if let base = edit.base, let local {
          let (columns, lists) = model.difference(base, local)
          words += columns.map { model.table.properties[$0].name } + lists.map { model.lists[$0].name }
        }
        if edit.isGone { words.append("gone") }
        if edit.aside != nil { words.append("aside") }
        return words.joined(separator: " ")
      }
    }
  }

  /// How many entries the table of a model's edits has.
  func entryCount(_ model: String) async throws -> Int {
    try await database.read {
      try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM \"syncline_edit_\(model)\"") ?? 0
    }
  }
}
