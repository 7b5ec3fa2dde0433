import Foundation

/// The identities that an item may contain: all its strings and numbers, lowercased and without hyphens, whatever their keys. Edits
/// of other rows need not be reset to sync the item.
struct NamedIdentities {
  /// The identities as a list of strings in JSON.
  let json: String

  /// - Returns: nil if the payload is not an item, or if it may change rows whose identities it does not contain.
  init?(of call: SyncCall) throws {
    let farReaching = call.container.catalog.farReachingModels
    guard
      call.parts.allSatisfy({
        $0.kind.isItem && $0.arguments.children.isEmpty && !farReaching.contains($0.arguments.entry.number)
      })
    else { return nil }
    var names: Set<String.UTF8Key> = []
    do {
      NamedIdentities.add(try SyncJSON(parsing: call.bytes.withUnsafeBytes { Data($0) }), to: &names)
    } catch is SyncError {
      // The text is not JSON. The sync throws the error, which names the model.
      return nil
    }
    let list = SyncJSON.array(names.sorted().map { .string($0.text) })
    json = String(decoding: try list.data(), as: UTF8.self)
  }

  private static func add(_ json: SyncJSON, to names: inout Set<String.UTF8Key>) {
    switch json {
    case .null, .bool: break
    case .number(let number):
      names.insert(String.UTF8Key(number.description))
      // A number with a fraction or an exponent may be whole.
      if let value = Double(number.description), let whole = Int64(exactly: value) {
        names.insert(String.UTF8Key("\(whole)"))
      }
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
    var spellings = [name, name.replacing("-", with: ""), trimmed]
    if let number = Int64(trimmed) { spellings.append("\(number)") }
    names.formUnion(spellings.map(String.UTF8Key.init))
  }
}

extension OfflineModel {
  /// Whether its identities, and those of its relationships, are single strings or numbers in JSON.
  fileprivate var hasPlainIdentities: Bool {
    !table.isComposite && table.identityReader.patterns.isEmpty
      && entry.ends.lazy.compactMap(\.self).allSatisfy {
        !$0.targetTable.isComposite && $0.targetTable.identityReader.patterns.isEmpty
          && $0.property.keyPatterns.isEmpty
      }
  }
}

extension StoredEdits {
  /// The edits of rows that an item may name, or that have, had or wait for a link to a row that it may name.
  ///
  /// - Parameter names: nil for all edits.
  func edits(namedBy names: NamedIdentities?) throws -> [Edit] {
    let table = model.table
    // An item may have a unique value that any edited row has now, or had before.
    guard let names, model.hasPlainIdentities, table.uniqueValues.isEmpty else { return try all() }
    func isNamed(_ column: String, _ type: SyncTable) -> String {
      let text =
        switch type.identityKind {
        // An integer column compares with numeric text, and can use its index.
        case .integer: column
        case .uuid: "lower(hex(\(column)))"
        default: "lower(\(column))"
        }
      return "\(text) IN (SELECT value FROM json_each(?1))"
    }
    let key = "edit.\"\(EditTable.Column.key)\""
    var conditions = [
      isNamed(key, table),
      "\(key) IN (SELECT \"ownerID\" FROM \(StoredPendingLinks.table) WHERE \"owner\" = \(table.name.sqlLiteral))",
    ]
    for case let end? in model.entry.ends where end.isColumn {
      conditions.append(isNamed("stored.\(end.property.quotedName)", end.targetTable))
      for version in [EditTable.Version.base, .own] {
        conditions.append(isNamed("edit.\(version.column(end.name).quotedIdentifier)", end.targetTable))
      }
    }
    for list in model.lists {
      let link = list.linkTable?.quotedName ?? ""
      conditions.append(
        "EXISTS (SELECT 1 FROM \(link) WHERE \"source\" = \(key) AND \(isNamed("\"target\"", list.targetTable)))"
      )
      for version in [EditTable.Version.base, .own] {
        conditions.append(
          """
          EXISTS (SELECT 1 FROM json_each(edit.\(version.column(list.name).quotedIdentifier)) AS member
          WHERE lower(member.value) IN (SELECT value FROM json_each(?1)))
          """)
      }
    }
    let keys = zip(model.editKeyColumns, model.keyColumns).map { "stored.\($1) = edit.\($0)" }
    return try edits(
      """
      WHERE "number" IN (
        SELECT edit."number" FROM \(model.editTable) AS edit
        LEFT JOIN \(table.quotedName) AS stored ON \(keys.joined(separator: " AND "))
        WHERE \(conditions.joined(separator: " OR ")))
      ORDER BY "number"
      """, [names.json.databaseValue])
  }
}
