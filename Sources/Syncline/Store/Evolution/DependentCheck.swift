import GRDB
import SynclineSchema

/// The views and triggers of a database, and the foreign keys of tables that belong to the user. Checks which of them compile.
/// Views and triggers that do not are dropped while tables are changed.
struct DependentCheck {
  /// Why each view, trigger and table with foreign keys does not compile; nil for those that do.
  private let errors: [String: String?]

  /// - Parameter tables: the tables of models and links, in lowercase.
  init(_ database: Database, besides tables: Set<String>) throws {
    let live = try LiveStore(database)
    var errors: [String: String?] = [:]
    for table in Set(try live.foreignKeys(besides: tables).map(\.table)) {
      // The statement does not compile if a referenced column is not unique. SQLite then refuses writes to both tables.
      errors["foreign key of the table “\(table)”"] = try DependentCheck.error(
        in: "PRAGMA foreign_key_check(\(table.quotedIdentifier))", database)
    }
    for item in live.items where item.type == "view" {
      errors["view “\(item.name)”"] = try DependentCheck.error(
        in: "SELECT * FROM \(item.name.quotedIdentifier)", database)
    }
    for item in live.items where item.type == "trigger" {
      // All triggers of a table that fire on one event are compiled together.
      errors["trigger “\(item.name)”"] = try DependentCheck.event(of: item, live).flatMap {
        try DependentCheck.error(in: $0, database)
      }
    }
    self.errors = errors
  }

  /// The views, triggers and foreign keys that compiled before and do not now, with the reason.
  func broken(since before: DependentCheck) -> [String] {
    let lost = before.errors.keys.filter { errors[$0] == nil }.map { "the \($0) would be lost" }
    let broken = errors.compactMap { name, error -> String? in
      guard let error, case .some(nil) = before.errors[name] else { return nil }
      return "the \(name) would not compile: \(error)"
    }
    return (lost + broken).sorted()
  }

  /// - Throws: an error of the store itself: a view that cannot be read now may be right.
  private static func error(in sql: String, _ database: Database) throws -> String? {
    do {
      _ = try database.makeStatement(sql: sql)
      return nil
    } catch let error as DatabaseError where !error.isOfStore {
      return error.message ?? error.description
    }
  }

  /// A statement that fires a trigger.
  private static func event(of trigger: LiveStore.Item, _ live: LiveStore) throws -> String? {
    // SQLite cannot list the columns of a view that does not compile.
    let all: [LiveStore.Column]
    do {
      all = try live.columns(of: trigger.table)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      return nil
    }
    let columns = all.filter { !$0.isGenerated }.map(\.name.quotedIdentifier)
    let table = trigger.table.quotedIdentifier
    for piece in SQLToken.pieces(of: trigger.sql) {
      switch piece.token {
      case .word("INSERT"):
        return
          "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(columns.map { _ in "NULL" }.joined(separator: ", ")))"
      case .word("UPDATE"):
        return "UPDATE \(table) SET \(columns.map { $0 + " = NULL" }.joined(separator: ", "))"
      case .word("DELETE"): return "DELETE FROM \(table)"
      default: continue
      }
    }
    return nil
  }

  // MARK: Broken views and triggers

  /// Drops the views and triggers that prevent SQLite from renaming anything.
  ///
  /// - Returns: the dropped views and triggers, to recreate them with the same SQL.
  static func dropTemporarily(_ database: Database) throws -> [LiveStore.Item] {
    var aside: [LiveStore.Item] = []
    guard try LiveStore(database).items.contains(where: { $0.type == "view" || $0.type == "trigger" }) else {
      return []
    }
    let (probe, other) = ("syncline_probe", "syncline_probe_2")
    try database.execute(sql: "CREATE TABLE \(probe) (x)")
    while true {
      do {
        try database.execute(sql: "ALTER TABLE \(probe) RENAME TO \(other)")
        break
      } catch let error as DatabaseError {
        let message = error.message ?? ""
        let broken = try LiveStore(database).items.filter {
          message.hasPrefix("error in \($0.type) \($0.name)")
        }
        .max { $0.name.count < $1.name.count }
        guard let broken, broken.type == "view" || broken.type == "trigger" else { throw error }
        // Dropping a view also drops its triggers.
        let triggers = try LiveStore(database).items(of: broken.name, "trigger")
        try database.execute(sql: "DROP \(broken.type.uppercased()) \(broken.name.quotedIdentifier)")
        aside += [broken] + (broken.type == "view" ? triggers : [])
      }
    }
    try database.execute(sql: "DROP TABLE \(other)")
    return aside
  }
}

extension LiveStore.Item {
  /// The SQL of a trigger that was put aside, with the current name of its table.
  func sql(_ names: FormerNames) -> String {
    guard type == "trigger", let table = names.tables[table] else { return sql }
    let pieces = SQLToken.pieces(of: sql)
    guard let on = pieces.firstIndex(where: { $0.token == .word("ON") }), on + 1 < pieces.count else {
      return sql
    }
    let name = pieces[on + 1].text
    return sql[..<name.startIndex] + table.quotedIdentifier + sql[name.endIndex...]
  }
}
