import GRDB
import SynclineSchema

/// What is stored about rows and concerns an evolution: edits and bookmarks.
extension SchemaEvolution {
  /// Removes the cursors and validators of models that lose rows or values, and those under names that models had before. A later
  /// schema may read models of these names as before, but the server has to send the rows again.
  func removeBookmarks(_ need: Need, _ database: Database) throws {
    let lost = need.plan.difference.changes.filter {
      [.modelDropped, .modelRenamed, .propertyDropped].contains($0.kind)
    }
    let models = Set(
      lost.map { $0.kind == .modelDropped ? $0.model : need.plan.match.models[$0.model] ?? $0.model })
    try StoredBookmarks(database: database).remove(reading: models)
  }

  /// Edits that would be lost since their model is dropped, or no longer `@Offline`, or has another identity.
  func lostEdits(_ need: Need, _ database: Database) throws -> [String] {
    let today = need.plan.match.modelsToday
    return try need.plan.old.models.compactMap { table in
      guard let model = EditTable.model(of: table.name), need.live.table(table.name) != nil else {
        return nil
      }
      let isKept = today[table.name] != nil
      if isKept, need.plan.keepsIdentity(of: model) { return nil }
      let count = try countEdits(of: model, need, database)
      guard count > 0 else { return nil }
      let (edits, them) =
        count == 1 ? ("1 edit of \(model) is", "it") : ("\(count) edits of \(model) are", "them")
      let change = isKept ? "the identity changes" : "`@Offline` is removed"
      return "\(edits) not pushed yet. Push or discard \(them) before \(change)"
    }
  }

  /// The number of a model's edits that have an effect: not those of rows that were edited back, or inserted and deleted again. If
  /// the model has lists, the edit of each stored row counts.
  private func countEdits(of name: String, _ need: Need, _ database: Database) throws -> Int {
    typealias Column = EditTable.Column
    let edits = EditTable.name(of: name)
    guard let model = need.plan.old.models.first(where: { $0.name == name }), need.live.table(name) != nil
    else { return try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM \(edits.quotedIdentifier)") ?? 0 }
    let stored = Set(try need.live.columns(of: name).map(\.name))
    let columns = Set(try need.live.columns(of: edits).map(\.name))
    let base = EditTable.Version.base
    let properties = model.properties.map(\.name).filter { columns.contains(base.column($0)) }
    var differences = ""
    for property in properties {
      let column = "edit.\(base.column(property).quotedIdentifier)"
      differences +=
        stored.contains(property) ? " OR \(column) IS NOT stored.\(property.quotedIdentifier)" : " OR 1"
    }
    var keys = [(column: model.identity, key: Column.key)]
    if let parent = model.parentScope { keys.append((parent, Column.parent)) }
    let isRow = keys.map { "stored.\($0.column.quotedIdentifier) = edit.\"\($0.key)\"" }
    let sql = """
      SELECT COUNT(*) FROM \(edits.quotedIdentifier) AS edit
      LEFT JOIN \(name.quotedIdentifier) AS stored ON \(isRow.joined(separator: " AND "))
      WHERE edit."\(Column.isAside)" IS TRUE
      OR (edit."\(Column.sentKind)" IS NOT NULL AND edit."\(Column.reason)" IS NULL)
      OR CASE WHEN stored.\(model.identity.quotedIdentifier) IS NULL THEN edit."\(Column.isNew)" IS NOT TRUE
      ELSE edit."\(Column.isNew)" IS TRUE\(differences) END
      """
    return try Int.fetchOne(database, sql: sql) ?? 0
  }
}
