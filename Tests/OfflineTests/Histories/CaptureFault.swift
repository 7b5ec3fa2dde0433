import GRDB

@testable import Syncline

/// Ways of recording edits by triggers that look right, and miss some or record others.
enum CaptureFault: String, CaseIterable {
  /// The row is copied after it was changed.
  case copiesAfterwards
  /// The row that `OR REPLACE` deletes is not copied, since it has the new row's identity or its one-to-one partner.
  case forgetsReplacedRows, forgetsReplacedPartners
  /// A second copy is prevented by `INSERT OR IGNORE`, which the clause of the outer statement replaces.
  case ignoresRepeatedCopies
  /// Triggers of the user's run first.
  case letsUserTriggersRunFirst

  /// Changes the triggers of a store.
  func put(in database: Database) throws {
    let triggers = try Row.fetchAll(
      database,
      sql: "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'syncline_edit_%'")
    for row in triggers {
      let (name, sql): (String, String) = (row[0], row[1])
      guard let new = changed(sql, name), new != sql else { continue }
      try database.execute(sql: "DROP TRIGGER \"\(name)\"")
      if !new.isEmpty { try database.execute(sql: new) }
    }
    guard self == .ignoresRepeatedCopies else { return }
    for model in SimulatedModel.allCases {
      let columns = model == .seat ? "key, parent" : "key"
      try database.execute(
        sql: """
          CREATE UNIQUE INDEX fault_\(model.rawValue) ON syncline_edit_\(model.rawValue) (\(columns))
          """)
    }
  }

  /// The text of a trigger with the fault; empty for none, nil if it stays.
  private func changed(_ sql: String, _ name: String) -> String? {
    let isOfList = name.contains(".")
    switch self {
    case .copiesAfterwards:
      if name.hasSuffix("_insert") { return nil }
      let later = sql.replacing(" BEFORE UPDATE", with: " AFTER UPDATE")
      return later.replacing(" BEFORE DELETE", with: " AFTER DELETE")
    case .forgetsReplacedRows:
      return !isOfList && (name.hasSuffix("_insert") || name.hasSuffix("_take")) ? "" : nil
    case .forgetsReplacedPartners:
      return !isOfList && (name.contains("_insert_") || name.contains("_update_")) ? "" : nil
    case .ignoresRepeatedCopies:
      let isUnknown = /NOT EXISTS \(SELECT 1 FROM "?syncline_edit_[^)]*\)/
      return sql.replacing(isUnknown, with: "1").replacing("INSERT INTO", with: "INSERT OR IGNORE INTO")
    case .letsUserTriggersRunFirst: return nil
    }
  }
}
