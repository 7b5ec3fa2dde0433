import Syncline
import SynclineTesting

/// What a call led to: whether it threw, and what is stored then.
struct SpecOutcome: Equatable, Sendable {
  let fails: Bool
  /// The rows of each model, as text that is the same for equal rows.
  private let rows: [String: [String]]
  /// The links that wait.
  private let waiting: [String]

  init(expected json: SyncJSON?) {
    fails = json?["fails"]?.bool ?? false
    var rows: [String: [String]] = [:]
    for (model, values) in json?["rows"]?.object ?? SyncJSONObject() {
      rows[model] = (values.array ?? []).map(SpecOutcome.text).sorted()
    }
    self.rows = rows
    waiting = (json?["waiting"]?.array ?? []).map { link in
      SpecOutcome.text((link.array ?? []).map(\.description))
    }.sorted()
  }

  init(of store: SyncContainer, _ schema: SpecSchema, fails: Bool) throws {
    self.fails = fails
    var rows: [String: [String]] = [:]
    for model in schema.models {
      rows[model.databaseTableName] = try SpecOutcome.rows(of: model, in: store)
    }
    self.rows = rows
    waiting = try store.database.read { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT "owner" || '.' || "relationship", "ownerID", "ownerParent", "targetID" FROM syncline_pending_link
          """
      ).map { row in
        SpecOutcome.text((0..<4).map { SpecOutcome.json(row[$0] as DatabaseValue).description })
      }
    }.sorted()
  }

  private static func rows<Model: SyncUpdatableModel>(
    of model: Model.Type, in store: SyncContainer
  ) throws -> [String] {
    try store.rows(of: model).map { row in
      guard var object = row.object, !(object["deletedAt"] ?? .null).isNull else { return text(row) }
      // The clock told when.
      object["deletedAt"] = "marked"
      return text(.object(object))
    }.sorted()
  }

  private static func text(_ row: SyncJSON) -> String {
    (row.object ?? SyncJSONObject()).sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
      .joined(separator: ", ")
  }

  private static func text(_ link: [String]) -> String {
    guard link.count == 4 else { return link.description }
    return "\(link[0]) of \(link[1])\(link[2] == "null" ? "" : " in \(link[2])") waits for \(link[3])"
  }

  private static func json(_ value: DatabaseValue) -> SyncJSON {
    switch value.storage {
    case .int64(let number): .number(SyncNumber(Int(number)))
    case .string(let text): .string(text)
    default: .null
    }
  }

  // MARK: Comparing

  /// What one outcome has and another has not.
  func lines(without other: SpecOutcome) -> [String] {
    var lines: [String] = []
    for (model, values) in rows.sorted(by: { $0.key < $1.key }) {
      let others = other.rows[model] ?? []
      lines += values.filter { !others.contains($0) }.map { "\(model) \($0)" }
      // `@ParentScoped` rows may be alike.
      if Set(values) == Set(others), values.count > others.count {
        lines.append("\(model): \(values.count - others.count) more")
      }
    }
    lines += waiting.filter { !other.waiting.contains($0) }
    if waiting.count > Set(waiting).count { lines.append("a link waits twice") }
    return lines
  }

  func hasSameRows(as other: SpecOutcome) -> Bool { rows == other.rows }
}
