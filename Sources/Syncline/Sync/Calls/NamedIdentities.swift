import Foundation
import GRDB

/// The identities that an item may contain: all its strings and numbers, as they are and lowercased without hyphens, whatever their
/// keys, and a one-to-one partner that the call gives its row. Edits of other rows need not be reset to sync the item.
struct NamedIdentities {
  /// The identities as a list of strings in JSON.
  let json: String
  /// The bytes of those that are UUIDs, one after the other.
  let uuids: Data
  /// Where each of these begins, counted from 1, as a list in JSON.
  let places: String

  /// - Returns: nil if the payload is not an item, or if all edits must be reset: it may change rows whose identities it does not
  ///   contain, or the call's parent is not stored.
  init?(of call: SyncCall, _ database: Database) throws {
    let farReaching = call.container.catalog.farReachingModels
    guard
      call.parts.allSatisfy({
        $0.kind.isItem && $0.arguments.children.isEmpty
          && farReaching.isDisjoint(with: $0.models.map(\.number))
      })
    else { return nil }
    var names: Set<String.UTF8Key> = []
    for arguments in call.parts.map(\.arguments) {
      guard let scope = arguments.scope, let end = arguments.entry.ends[scope.position] else { continue }
      // The row takes a one-to-one partner from another row.
      if end.isUnique { NamedIdentities.add(scope.parent.description, to: &names) }
      // The deletion of the parent may be pending.
      if try !end.targetTable.hasRow(scope.parent, in: database) { return nil }
    }
    do {
      NamedIdentities.add(try SyncJSON(parsing: call.bytes.withUnsafeBytes { Data($0) }), to: &names)
    } catch is SyncError {
      // The text is not JSON. The sync throws the error, which names the model.
      return nil
    }
    let list = SyncJSON.array(names.sorted().map { .string($0.text) })
    json = String(decoding: try list.data(), as: UTF8.self)
    var uuids = Data()
    var places: [String] = []
    for case let uuid? in names.lazy.map({ UUID(uuidString: $0.text) }) {
      places.append("\(uuids.count + 1)")
      withUnsafeBytes(of: uuid.uuid) { uuids.append(contentsOf: $0) }
    }
    self.uuids = uuids
    self.places = "[\(places.joined(separator: ","))]"
  }

  /// The parameters of SQL that ``StoredEdits/isNamed(_:_:)`` returns.
  fileprivate func parameters(of sql: String) -> [DatabaseValue] {
    let all = [json.databaseValue, uuids.databaseValue, places.databaseValue]
    return sql.contains("?3") ? all : [all[0]]
  }

  private static func add(_ json: SyncJSON, to names: inout Set<String.UTF8Key>) {
    switch json {
    case .null, .bool: break
    case .number(let number):
      names.insert(String.UTF8Key(number.description))
      // A number with a fraction or an exponent may be whole. A double would lose digits.
      var text = number.text
      if let whole = text.withUTF8({ NumberText.wholeText($0) }) { names.insert(String.UTF8Key(whole)) }
    case .string(let text): add(text, to: &names)
    case .array(let elements): for element in elements { add(element, to: &names) }
    case .object(let object):
      for (name, value) in object {
        add(name, to: &names)
        add(value, to: &names)
      }
    }
  }

  private static func add(_ text: String, to names: inout Set<String.UTF8Key>) {
    let name = text.lowercasedASCII
    let trimmed = name.trimmingCharacters(in: .whitespacesAndNewlines)
    var spellings = [text, name, name.replacing("-", with: ""), trimmed]
    if let number = Int64(trimmed) { spellings.append("\(number)") }
    names.formUnion(spellings.map(String.UTF8Key.init))
  }
}

extension OfflineModel {
  /// Whether its identities, and those of its relationships, are single strings or numbers in JSON, also as keys of the other
  /// ends.
  fileprivate var hasPlainIdentities: Bool {
    !table.isComposite && table.identityReader.patterns.isEmpty
      && entry.ends.lazy.compactMap(\.self).allSatisfy { end in
        !end.targetTable.isComposite && end.targetTable.identityReader.patterns.isEmpty
          && [end, end.inverse].allSatisfy { $0?.property.keyPatterns.isEmpty ?? true }
      }
  }

  /// Whether an item contains the unique values that it gives rows as they are stored.
  fileprivate var hasPlainUniqueValues: Bool {
    // When the mark of a deleted row is removed, the row has its value again.
    if table.softDelete != nil { return table.uniqueValues.isEmpty }
    return table.uniqueValues.map { table.properties[$0] }.allSatisfy { property in
      !property.hasDefault && table.keyKind(of: property.name) != nil
    }
  }
}

extension StoredEdits {
  /// The edits of rows that an item may name, or that have, had or wait for a link to a row that it may name.
  ///
  /// They are looked up, so the cost does not depend on the edits of other rows. But if there are fewer edits than rows with a link to
  /// a row that the item may name, each edit is checked.
  ///
  /// - Parameter names: nil for all edits.
  func edits(namedBy names: NamedIdentities?) throws -> [Edit] {
    guard let names, model.hasPlainIdentities, model.hasPlainUniqueValues else { return try all() }
    let key = "edit.\"\(EditTable.Column.key)\""
    let edits = "SELECT edit.\"number\" FROM \(model.editTable) AS edit"
    var parts = [
      "\(edits) WHERE \(isNamed(key, table.identityProperty))",
      """
      \(edits) WHERE \(key) IN
      (SELECT "ownerID" FROM \(StoredPendingLinks.table) WHERE "owner" = \(table.name.sqlLiteral))
      """,
    ]
    for version in [EditTable.Version.base, .own] {
      for case let end? in model.entry.ends where end.isColumn {
        let column = "edit.\(version.column(end.name).quotedIdentifier)"
        parts.append("\(edits) WHERE \(isNamed(column, end.property))")
      }
      for list in model.lists {
        let column = "edit.\(version.column(list.name).quotedIdentifier)"
        // In the order of strings, lists with members come before the empty one.
        parts.append(
          """
          \(edits), json_each(\(column)) AS member WHERE \(column) < '[]'
          AND lower(member.value) IN (SELECT value FROM json_each(?1))
          """)
      }
    }
    for property in table.uniqueValues.map({ table.properties[$0] }) {
      let base = EditTable.Version.base.column(property.name).quotedIdentifier
      parts.append("\(edits) WHERE \(isNamed("edit.\(base)", property))")
    }
    // The item may change the row that has taken the unique value of a row.
    if !table.uniqueValues.isEmpty { parts.append("\(edits) WHERE \"\(EditTable.Column.isAside)\"") }
    let links = links(of: key)
    let areFewer = try !links.isEmpty && areEditsFewer(than: links, names)
    parts += links.map {
      areFewer
        ? "\(edits) WHERE EXISTS (SELECT 1 FROM \($0.table) WHERE \($0.isOfEdit) AND \($0.isNamed))"
        : """
        SELECT edit."number" FROM \($0.table) CROSS JOIN \(model.editTable) AS edit ON \($0.isOfEdit)
        WHERE \($0.isNamed)
        """
    }
    let condition = "WHERE \"number\" IN (\(parts.joined(separator: " UNION ALL "))) ORDER BY \"number\""
    let found = try self.edits(condition, names.parameters(of: condition))
    // If another row has a value that an edited row had before, more rows must be reset.
    return try found.contains { edit in try edit.base.map { try hasTakenValue($0, of: edit.row) } ?? false }
      ? all() : found
  }

  /// Stored links or unique values in SQL: their table, whether one belongs to the row of an edit, and whether an item may name
  /// the link's target or the value.
  private typealias Links = (table: String, isOfEdit: String, isNamed: String)

  /// The stored links and unique values of edited rows.
  ///
  /// - Parameter key: the identity in an edit.
  private func links(of key: String) -> [Links] {
    let keys = zip(model.editKeyColumns, model.keyColumns).map { "stored.\($1) = edit.\($0)" }
    let isOfEdit = keys.joined(separator: " AND ")
    let references = model.entry.ends.compactMap(\.self).filter(\.isColumn).map(\.property)
    let columns = (references + table.uniqueValues.map { table.properties[$0] }).map { property in
      Links(
        table: "\(table.quotedName) AS stored", isOfEdit: isOfEdit,
        isNamed: isNamed("stored.\(property.quotedName)", property))
    }
    let lists = model.lists.map { list in
      Links(
        table: "\(list.linkTable?.quotedName ?? "") AS link", isOfEdit: "link.\"source\" = \(key)",
        isNamed: isNamed("link.\"target\"", list.targetTable.identityProperty))
    }
    return columns + lists
  }

  /// Whether there are fewer edits than links that an item may name. Counts no more of both than of the fewer ones.
  private func areEditsFewer(than links: [Links], _ names: NamedIdentities) throws -> Bool {
    let named = links.map { "SELECT 1 FROM \($0.table) WHERE \($0.isNamed)" }.joined(separator: " UNION ALL ")
    var count = 64
    while true {
      let rest = "LIMIT 1 OFFSET \(count)"
      guard try exists("\(named) \(rest)", names.parameters(of: named)) else { return false }
      guard try exists("SELECT 1 FROM \(model.editTable) \(rest)", []) else { return true }
      count *= 8
    }
  }

  /// Whether a value of a property in a column may be named, in SQL that can use an index of the column.
  private func isNamed(_ column: String, _ property: SyncProperty) -> String {
    // UUIDs are stored as bytes. An integer column compares with numeric text.
    let isUUID = property.columnType == .blob
    let names = isUUID ? "substr(?2, value, 16) FROM json_each(?3)" : "value FROM json_each(?1)"
    return "\(column) IN (SELECT \(names))"
  }
}
