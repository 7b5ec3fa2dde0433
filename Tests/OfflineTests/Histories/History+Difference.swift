import Foundation
import GRDB

@_spi(Generated) @testable import Syncline

/// The tables of a history, and their difference from the copy.
extension History {
  func tables() throws -> Tables {
    let models = store.catalog.offlineModels
    return try store.database.read { database in
      var tables: Tables = [:]
      for model in models {
        var lists = ""
        for list in model.lists {
          lists += """
            , (SELECT group_concat(target) FROM (SELECT target FROM "\(model.table.name).\(list.name)"
            WHERE source = \(model.table.quotedName).id ORDER BY target)) AS "\(list.name)"
            """
        }
        let keys = model.keyColumns.map { "quote(\($0))" }.joined(separator: " || ' ' || ")
        let sql = "SELECT \(keys) AS syncline_key, *\(lists) FROM \(model.table.quotedName)"
        var rows: [String: [String: DatabaseValue]] = [:]
        for row in try Row.fetchAll(database, sql: sql) {
          var values: [String: DatabaseValue] = [:]
          for (column, value) in row where column != "syncline_key" { values[column] = value }
          let key: String = row["syncline_key"]
          rows[key] = values
        }
        tables[model.table.name] = rows
      }
      return tables
    }
  }

  /// What differs between the copy and the tables, as changes: `update Task 1 title votes`.
  ///
  /// - Parameter pending: the pending changes.
  func difference(_ pending: Set<String>) throws -> Set<String> {
    let now = try tables()
    let deletedTasks = (copy["Task"] ?? [:]).filter { now["Task"]?[$0.key] == nil }
    let deleted = Set(deletedTasks.compactMap { $0.value["id"] })
    var changes: Set<String> = []
    for model in store.catalog.offlineModels {
      let name = model.table.name
      let all = model.tracked.map { model.table.properties[$0].name } + model.lists.map(\.name)
      let (before, after) = (copy[name] ?? [:], now[name] ?? [:])
      for (key, row) in after {
        guard let old = before[key] else {
          changes.insert(History.change("insert", name, row, all, base: "none"))
          continue
        }
        let edited = all.filter { old[$0] != row[$0] }
        if edited.isEmpty { continue }
        changes.insert(History.change("update", name, row, edited, base: base(name, old)))
      }
      for (key, row) in before where after[key] == nil {
        let change = History.change("delete", name, row, [], base: base(name, row))
        // If it was deleted with the task that it requires, it is not listed; if it was deleted before, it is.
        if name == "Step" || name == "Seat", let task = row["task"], deleted.contains(task),
          !pending.contains(change)
        {
          continue
        }
        changes.insert(change)
      }
    }
    return changes
  }

  private func base(_ model: String, _ row: [String: DatabaseValue]) -> String {
    bases["\(model) \(History.key(model, row))"] ?? "unknown"
  }

  private static func key(_ model: String, _ row: [String: DatabaseValue]) -> String {
    func text(_ column: String) -> String {
      guard let value = row[column] else { return "" }
      if model == "Step", column == "id" { return UUID.fromDatabaseValue(value)?.uuidString ?? "" }
      return String.fromDatabaseValue(value) ?? Int.fromDatabaseValue(value).map(String.init) ?? ""
    }
    return model == "Seat" ? "\(text("id")) \(text("task"))" : text("id")
  }

  private static func change(
    _ kind: String, _ model: String, _ row: [String: DatabaseValue], _ columns: [String], base: String
  ) -> String {
    "\(kind) \(model) \(key(model, row)): \(columns.sorted().joined(separator: " ")); \(base)"
  }

  /// The pending changes in the same form.
  func pending() async throws -> Set<String> {
    var changes: [String] = []
    func add<Model: SyncUpdatableModel>(_ model: Model.Type) async throws {
      for change in try await store.pendingChanges(for: model) {
        let columns = change.properties.sorted().joined(separator: " ")
        let row = "\(model.databaseTableName) \(History.key(of: change))"
        let base = change.base.map { String(describing: $0) } ?? "none"
        changes.append("\(change.kind.rawValue) \(row): \(columns); \(base)")
      }
    }
    try await add(Project.self)
    try await add(Task.self)
    try await add(Passport.self)
    try await add(Step.self)
    try await add(Seat.self)
    try await add(Note.self)
    // A change that is listed twice is another one.
    var set: Set<String> = []
    for change in changes where !set.insert(change).inserted { set.insert("twice: " + change) }
    return set
  }

  // MARK: Rows

  /// How the tables differ from others, but for dates of the device; nil if they do not.
  func disagreement(with others: Tables, besides keys: Set<String> = []) throws -> String? {
    let now = try tables()
    for (model, rows) in others.sorted(by: { $0.key < $1.key }) {
      let stored = (now[model] ?? [:]).filter { !keys.contains($0.key) }
      for key in Set(rows.keys).union(stored.keys).sorted() {
        var (old, new) = (rows[key], stored[key])
        if !keys.isEmpty {
          old?["updatedAt"] = nil
          new?["updatedAt"] = nil
        }
        if old == new { continue }
        return "\(model) \(key) is \(History.text(new)), not \(History.text(old))"
      }
    }
    return nil
  }

  private static func text(_ row: [String: DatabaseValue]?) -> String {
    guard let row else { return "none" }
    let values = row.keys.sorted().map { "\($0): \(row[$0] ?? .null)" }
    return values.joined(separator: ", ")
  }

  /// The values that edits gave, by the model, the key of the row, and the column.
  func edited() throws -> [[String]: DatabaseValue] {
    var values: [[String]: DatabaseValue] = [:]
    let now = try tables()
    for model in store.catalog.offlineModels {
      let name = model.table.name
      for (key, row) in now[name] ?? [:] {
        for column in model.tracked.map({ model.table.properties[$0].name }) {
          guard let value = row[column], value != copy[name]?[key]?[column] else { continue }
          values[[name, key, column]] = value
        }
      }
    }
    return values
  }

  /// The first of these values that is no longer stored; nil if all are.
  func lost(_ values: [[String]: DatabaseValue]) throws -> String? {
    let now = try tables()
    for (place, value) in values.sorted(by: { $0.key.joined() < $1.key.joined() }) {
      let stored = now[place[0]]?[place[1]]?[place[2]]
      if stored != value { return "\(place.joined(separator: " ")) = \(value)" }
    }
    return nil
  }
}
