import Foundation
import Syncline

/// The rows of a table as JSON objects that a sync of the proposed schema can read.
struct SQLiteRows {
  /// The JSON form of a column's values, if it differs from that in SQLite.
  enum Form {
    case plain, uuid, data, json
    /// The value itself, for columns without a declared type: their strings are not parsed.
    case any
    /// A string, for keys of models whose identity is a string.
    case text
  }

  struct Links {
    let key: String
    /// The identities of the related rows, by the row's identity.
    let identities: [DatabaseValue: [SyncJSON]]
  }

  /// The number of rows that are read and then synced at once.
  static let chunkSize = 2000

  private let table: SQLiteTable
  private let forms: [(column: String, form: Form)]
  private let links: [Links]
  /// The expressions that order the rows, and their collations. Empty if the table has neither a `rowid` name nor a primary key.
  private let order: [(name: String, collation: String)]
  /// Whether the `rowid` is the identity, since no column is one.
  private let isNumbered: Bool

  init(of table: SQLiteTable, in schema: SQLiteImport, _ links: [Links]) {
    self.table = table
    self.links = links
    forms = table.columns.map { ($0.name, schema.form(of: $0.name, in: table)) }
    let names = Set(table.columns.map { $0.name.lowercased() })
    let rowNumber = ["rowid", "_rowid_", "oid"].first { !names.contains($0) }
    if table.keyOrder.isEmpty {
      order = rowNumber.map { [(name: $0, collation: "BINARY")] } ?? []
    } else {
      order = table.keyOrder.map {
        (name: SQLiteTable.quoted($0.column), collation: SQLiteTable.quoted($0.collation))
      }
    }
    isNumbered = table.identity.isEmpty && !order.isEmpty
  }

  /// The next rows, and the position of the last one.
  ///
  /// - Parameter last: the position of the row before them: for each expression that orders the rows, whether it is a string, and
  ///   its value.
  /// - Returns: no position if there are no more rows.
  func next(
    after last: [DatabaseValue]?, in database: Database
  ) throws -> ([SyncJSON], last: [DatabaseValue]?) {
    // GRDB reads a string only up to its first NUL, so the strings of a position are blobs.
    let place = order.flatMap { key in
      [
        "typeof(\(key.name)) = 'text'",
        "iif(typeof(\(key.name)) = 'text', CAST(\(key.name) AS BLOB), \(key.name))",
      ]
    }
    let columns = forms.map { SQLiteRows.expression($0.column) }
    var sql = "SELECT \((place + columns).joined(separator: ", ")) FROM \(SQLiteTable.quoted(table.name))"
    if let last {
      let names = order.map { $0.name }.joined(separator: ", ")
      let values = order.indices.map { index in
        // GRDB may bind an empty blob as NULL. Without the plus, SQLite would convert the column to text, too.
        let value = "coalesce(?, x'')"
        let isText = Bool.fromDatabaseValue(last[2 * index]) ?? false
        return (isText ? "(+CAST(\(value) AS TEXT))" : value) + " COLLATE \(order[index].collation)"
      }
      sql += " WHERE (\(names)) > (\(values.joined(separator: ", ")))"
    }
    if !order.isEmpty {
      let keys = order.map { "\($0.name) COLLATE \($0.collation)" }
      sql += " ORDER BY \(keys.joined(separator: ", ")) LIMIT \(SQLiteRows.chunkSize)"
    }
    let values = last.map { last in order.indices.map { last[2 * $0 + 1] } } ?? []
    let rows = try Row.fetchAll(database, sql: sql, arguments: StatementArguments(values))
    let hasMore = !order.isEmpty && rows.count == SQLiteRows.chunkSize
    return (rows.map(object), hasMore ? rows.last.map { row in (0..<2 * order.count).map { row[$0] } } : nil)
  }

  /// The SQL that selects a column. GRDB reads a string up to its first NUL, so a string that contains one is selected as a blob.
  static func expression(_ column: String) -> String {
    let name = SQLiteTable.quoted(column)
    return
      "CASE WHEN typeof(\(name)) = 'text' AND instr(\(name), char(0)) THEN CAST(\(name) AS BLOB) ELSE \(name) END"
  }

  private func object(_ row: Row) -> SyncJSON {
    var members: [(String, SyncJSON)] = []
    var identity = DatabaseValue.null
    if isNumbered {
      identity = row[1]
      members.append(("id", SQLiteRows.json(identity, .plain)))
    }
    for (index, entry) in forms.enumerated() {
      let value: DatabaseValue = row[2 * order.count + index]
      members.append((entry.column, SQLiteRows.json(value, entry.form)))
      if table.identity == [entry.column] { identity = value }
    }
    for link in links { members.append((link.key, .array(link.identities[identity] ?? []))) }
    return .object(SyncJSONObject(members))
  }

  static func json(_ value: DatabaseValue, _ form: Form) -> SyncJSON {
    switch value.storage {
    case .null: return .null
    case .int64(let number): return form == .text ? .string("\(number)") : .number(SyncNumber(number))
    // SQLite treats 2 and 2.0 as the same key.
    case .double(let number) where form == .text:
      return .string(Int64(exactly: number).map { "\($0)" } ?? "\(number)")
    // JSON has no infinity. The string is reported as an unreadable value where a number is expected.
    case .double(let number): return SyncNumber(number).map { .number($0) } ?? .string("\(number)")
    case .string(let text):
      if form == .data { return .string(Data(text.utf8).base64EncodedString()) }
      guard form == .json, let json = try? SyncJSON(parsing: text) else { return .string(text) }
      return json
    case .blob(let data):
      if form == .uuid, let id = UUID.fromDatabaseValue(value) { return .string(id.uuidString) }
      let base64 = data.base64EncodedString()
      if form == .data { return .string(base64) }
      if form != .json, form != .any, let text = String(data: data, encoding: .utf8) { return .string(text) }
      if form == .text { return .string(base64) }
      // A blob in a column of another type: stored as this object, or reported as unreadable.
      return ["base64": .string(base64)]
    }
  }
}

extension SQLiteImport {
  /// The JSON form of a column's values. A foreign key has the form of the identity that it refers to.
  func form(of column: String, in table: SQLiteTable) -> SQLiteRows.Form {
    let key = SQLiteImport.key(of: column)
    guard let index = models[table.name.lowercased()],
      let property = draft.declarations[index].properties.first(where: { $0.key == key })
    else { return .plain }
    let form = form(of: property)
    let isUndeclared = table.columns.contains { $0.name == column && SQLiteType.isUndeclared($0.type) }
    return form == .json && isUndeclared ? .any : form
  }

  /// The JSON form of the identities of a model's rows.
  func identityForm(of model: Int) -> SQLiteRows.Form {
    draft.declarations[model].properties.first(where: \.isIdentity).map { form(of: $0) } ?? .plain
  }

  private func form(of property: SchemaDraft.Property) -> SQLiteRows.Form {
    switch property.type {
    case .scalar("UUID"): .uuid
    case .scalar("Data"): .data
    case .scalar("JSON"): .json
    case .scalar("String") where property.isIdentity: .text
    // An identity is not a reference, so this recursion ends.
    case .declared(let target) where !property.isIdentity: identityForm(of: target)
    default: .plain
    }
  }
}
