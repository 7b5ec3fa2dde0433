import SynclineSchema

/// The table of a model's edits that are not pushed yet. It has one row for each edited row.
///
/// It is part of the store's schema as if it were a model, so that it evolves by the same plan as the model.
enum EditTable {
  private static let prefix = "syncline_edit_"

  static func name(of model: String) -> String { prefix + model }

  /// The model whose edits a table has; nil for other tables.
  static func model(of table: String) -> String? {
    table.hasPrefix(prefix) ? String(table.dropFirst(prefix.count)) : nil
  }

  /// The property whose values a column of a table of edits stores; nil for other columns and other tables.
  static func property(of column: String, in table: String) -> SchemaRelation.End? {
    guard let model = model(of: table),
      let prefix = Version.allCases.lazy.map({ $0.column("") }).first(where: { column.hasPrefix($0) })
    else { return nil }
    return SchemaRelation.End(model: model, property: String(column.dropFirst(prefix.count)))
  }

  /// The columns that each of these tables has. Values in JSON are lists of names.
  enum Column {
    static let number = "number", key = "key", parent = "parent"
    /// Whether the server does not know the row.
    static let isNew = "isNew"
    /// Whether the server no longer has the row, a pull has changed it since it was sent, and it cannot be stored.
    static let isGone = "isGone", isPulled = "isPulled", isAside = "isAside"
    /// Whether a row that it requires was deleted before it, so that it was deleted along with that row.
    static let isWithOwner = "isWithOwner"
    /// The request that was sent and is not answered: its kind, key, body and time.
    static let sentKind = "sentKind", pushKey = "pushKey", body = "body", sentAt = "sentAt"
    static let attempts = "attempts", conflicts = "conflicts", nextTry = "nextTry", reason = "reason",
      forced = "forced"
  }

  /// The values that are kept of a row, each in a column for each property.
  enum Version: String, CaseIterable {
    /// The values that the server last sent.
    case base
    /// The values that were sent and are not answered, or were rejected.
    case sent
    /// The row itself, while it cannot be stored.
    case own

    func column(_ property: String) -> String { "\(rawValue)_\(property)" }
  }

  /// The members of a list as JSON, in SQL: those of an owner in a table of links.
  static func members(in links: String, of owner: String, areUUIDs: Bool) -> String {
    "(SELECT json_group_array(\(member("\"target\"", isUUID: areUUIDs))) FROM \(links) WHERE \"source\" = \(owner))"
  }

  /// A member of a list, in SQL. JSON cannot hold bytes, so lists have UUIDs as text.
  static func member(_ identity: String, isUUID: Bool) -> String { isUUID ? "hex(\(identity))" : identity }
}
