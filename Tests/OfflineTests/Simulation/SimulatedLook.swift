import Foundation
import GRDB

@testable import Syncline

/// What a client has at one time.
struct SimulatedLook {
  /// The values that edits give, also those of rows that are set aside.
  let values: Set<String>
  /// The rows whose deletion is pending.
  let deleted: Set<String>

  init(_ store: SyncContainer) throws {
    let catalog = store.catalog
    (values, deleted) = try store.database.read { database -> (Set<String>, Set<String>) in
      var values: Set<String> = []
      for model in SimulatedModel.allCases {
        for column in model.uniqueColumns {
          values.formUnion(
            try String.fetchAll(
              database.cachedStatement(
                sql: """
                  SELECT '\(column) ' || \(column) FROM \(model.rawValue) WHERE \(column) IS NOT NULL
                  UNION SELECT '\(column) ' || own_\(column) FROM syncline_edit_\(model.rawValue)
                  WHERE isAside AND own_\(column) IS NOT NULL
                  """)))
        }
      }
      var deleted: Set<String> = []
      for model in catalog.offlineModels {
        let store = StoredEdits(database, of: model)
        for edit in try store.all() {
          let stored = try store.stored(edit.row)
          guard model.kind(of: edit, stored) == .delete else { continue }
          deleted.insert("\(model.table.name) \(edit.row.identity) \(edit.row.parent?.description ?? "")")
        }
      }
      return (values, deleted)
    }
  }

  // MARK: Rows

  private static let queries = [
    "SELECT 'Project ' || id || ' ' || name FROM Project",
    """
    SELECT 'Task ' || id || ' ' || title || ' ' || votes || ' ' || ifnull(project, '-') || ' ' || ifnull((
      SELECT group_concat(target) FROM (SELECT target FROM "Task.tags" WHERE source = id ORDER BY target)), '')
      || ' ' || ifnull(strftime('%s', iif(
        EXISTS (SELECT 1 FROM syncline_edit_Task WHERE key = Task.id),
        (SELECT base_updatedAt FROM syncline_edit_Task WHERE key = Task.id), updatedAt)), '-') FROM Task
    """,
    "SELECT 'Passport ' || id || ' ' || number || ' ' || ifnull(project, '-') FROM Passport",
    "SELECT 'Step ' || hex(id) || ' ' || text || ' ' || task FROM Step",
    "SELECT 'Seat ' || task || '/' || id || ' ' || name FROM Seat",
    "SELECT 'Note ' || id || ' ' || text FROM Note WHERE deletedAt IS NULL",
  ]

  /// The rows of a client as text.
  static func rows(_ store: SyncContainer) throws -> Set<String> {
    try store.database.read { database in
      var rows: Set<String> = []
      for query in queries { rows.formUnion(try String.fetchAll(database.cachedStatement(sql: query))) }
      return rows
    }
  }

  /// The rows of the server in the same form.
  static func rows(_ server: SimulatedServer) -> Set<String> {
    var rows: Set<String> = []
    for model in SimulatedModel.allCases {
      for row in server.rows(model) {
        func text(_ key: String) -> String {
          guard let value = row[key], !value.isNull else { return "-" }
          return SimulatedServer.text(value)
        }
        let words: [String] =
          switch model {
          case .project: [text("id"), text("name")]
          case .task:
            [
              text("id"), text("title"), text("votes"), text("project_id"), tags(row), text("updated_at"),
            ]
          case .passport: [text("id"), text("number"), text("project_id")]
          case .step: [text("id").replacing("-", with: ""), text("text"), text("task_id")]
          case .seat: [text("task_id") + "/" + text("id"), text("name")]
          case .note: [text("id"), text("text")]
          }
        rows.insert(model.rawValue + " " + words.joined(separator: " "))
      }
    }
    return rows
  }

  private static func tags(_ row: SyncJSONObject) -> String {
    let tags = (row["tag_ids"]?.array ?? []).compactMap(\.int).sorted()
    return tags.map(String.init).joined(separator: ",")
  }
}
