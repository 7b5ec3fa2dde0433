import Foundation
import Syncline
import SynclineCompiler
import SynclineNaming

/// The rows of a table as JSON objects, as a sync of the proposed schema reads them.
struct SQLiteRows {
  /// How a column's values are written in JSON, if not as SQLite has them.
  enum Form {
    case plain, uuid, data, json
    /// A string, as the keys of a string identity are.
    case text
  }

  /// The rows that a join table links to each row.
  struct Links {
    let key: String
    /// By the identity of the row.
    let identities: [DatabaseValue: [SyncJSON]]
  }

  /// How many rows are read, and then synced, at once.
  static let chunkSize = 2000

  private let table: SQLiteTable
  private let forms: [(column: String, form: Form)]
  private let links: [Links]
  /// The expressions that order the rows; empty if the table has nothing that could.
  private let order: [String]
  /// Whether the row number is the identity, since no column is one.
  private let isNumbered: Bool

  init(of table: SQLiteTable, in schema: SQLiteImport, _ links: [Links]) {
    self.table = table
    self.links = links
    forms = table.columns.map { ($0.name, schema.form(of: $0.name, in: table)) }
    let names = Set(table.columns.map { $0.name.lowercased() })
    let rowNumber = ["rowid", "_rowid_", "oid"].first { !names.contains($0) }
    order = table.isWithoutRowID ? table.primaryKey.map(SQLiteTable.quoted) : rowNumber.map { [$0] } ?? []
    isNumbered = table.identity.isEmpty && !order.isEmpty
  }

  /// The next rows, and the place of the last of them.
  ///
  /// - Parameter last: the place of the last row before.
  /// - Returns: no place if there are no more rows.
  func next(after last: DatabaseValue?, in database: Database) throws -> ([SyncJSON], last: DatabaseValue?) {
    let columns = forms.map { SQLiteRows.expression($0.column) }
    var sql = "SELECT \((order + columns).joined(separator: ", ")) FROM \(SQLiteTable.quoted(table.name))"
    if !order.isEmpty {
      let place = order.joined(separator: ", ")
      if last != nil, !table.isWithoutRowID { sql += " WHERE \(place) > ?" }
      sql += " ORDER BY \(place) LIMIT \(SQLiteRows.chunkSize)"
      // A key may be a string with NUL, of which GRDB reads the beginning: no row would follow it.
      if last != nil, table.isWithoutRowID { sql += " OFFSET ?" }
    }
    let rows = try Row.fetchAll(database, sql: sql, arguments: StatementArguments([last].compactMap(\.self)))
    let hasMore = !order.isEmpty && rows.count == SQLiteRows.chunkSize
    return (rows.map(object), hasMore ? rows.last.map { place(of: $0, after: last) } : nil)
  }

  /// Selects a column. GRDB reads a string up to its first NUL, so one that has any is selected as its bytes.
  static func expression(_ column: String) -> String {
    let name = SQLiteTable.quoted(column)
    return
      "CASE WHEN typeof(\(name)) = 'text' AND instr(\(name), char(0)) THEN CAST(\(name) AS BLOB) ELSE \(name) END"
  }

  /// The number of the last row; without row numbers, the number of rows so far.
  private func place(of row: Row, after last: DatabaseValue?) -> DatabaseValue {
    guard table.isWithoutRowID else { return row[0] }
    let before = last.flatMap { Int.fromDatabaseValue($0) } ?? 0
    return (before + SQLiteRows.chunkSize).databaseValue
  }

  private func object(_ row: Row) -> SyncJSON {
    var members: [(String, SyncJSON)] = []
    var identity = DatabaseValue.null
    if isNumbered {
      identity = row[0]
      members.append(("id", SQLiteRows.json(identity, .plain)))
    }
    for (index, entry) in forms.enumerated() {
      let value: DatabaseValue = row[order.count + index]
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
    // SQLite takes 2 and 2.0 for the same key.
    case .double(let number) where form == .text:
      return .string(Int64(exactly: number).map { "\($0)" } ?? "\(number)")
    // JSON has no infinity. Where a number is expected, it is reported as a value that cannot be read.
    case .double(let number): return SyncNumber(number).map { .number($0) } ?? .string("\(number)")
    case .string(let text):
      if form == .data { return .string(Data(text.utf8).base64EncodedString()) }
      guard form == .json, let json = try? SyncJSON(parsing: text) else { return .string(text) }
      return json
    case .blob(let data):
      if form == .uuid, let id = UUID.fromDatabaseValue(value) { return .string(id.uuidString) }
      let base64 = data.base64EncodedString()
      if form == .data { return .string(base64) }
      if form != .json, let text = String(data: data, encoding: .utf8) { return .string(text) }
      if form == .text { return .string(base64) }
      // Bytes that are not text, in a column of another type: stored as this object, or reported as unreadable.
      return ["base64": .string(base64)]
    }
  }
}

extension SQLiteImport {
  /// How the values of a column are written; for a reference, as the identity to which it refers.
  func form(of column: String, in table: SQLiteTable) -> SQLiteRows.Form {
    guard let index = models[table.name.lowercased()],
      let property = draft.declarations[index].properties.first(where: {
        $0.key == SQLiteImport.key(of: column)
      })
    else { return .plain }
    return form(of: property)
  }

  /// How the identities of a model's rows are written.
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
