import Foundation
import GRDB

/// The edits of one model's rows, as they are stored.
struct StoredEdits {
  private typealias Column = EditTable.Column

  let database: Database
  let model: OfflineModel
  /// Values that do not change within a transaction.
  let cache = Cache()

  final class Cache {
    var uniqueColumns: Set<Int>?
    var foreignReferences: [ForeignReference]?
  }

  var table: SyncTable { model.table }

  init(_ database: Database, of model: OfflineModel) {
    self.database = database
    self.model = model
  }

  // MARK: Reading

  var isEmpty: Bool {
    get throws {
      try !exists("SELECT 1 FROM \(model.editTable) LIMIT 1", [])
    }
  }

  /// All edits, in the order in which the rows were first edited.
  func all() throws -> [Edit] { try edits("ORDER BY \"number\"", []) }

  /// Whether any edit meets a condition. The first one that does ends the search.
  ///
  /// - Parameter clause: which edits are searched, and their order.
  func contains(_ clause: String = "ORDER BY \"number\"", where condition: (Edit) throws -> Bool) throws
    -> Bool
  {
    let statement = try selection(clause, [])
    defer { statement.reset() }
    while try statement.step() {
      if let edit = try edit(statement), try condition(edit) { return true }
    }
    return false
  }

  /// A condition in SQL: whether the row of an edit is stored in its own table.
  var isRowStored: String {
    let keys = zip(model.keyColumns, model.editKeyColumns).map { "stored.\($0) = \(model.editTable).\($1)" }
    return "EXISTS (SELECT 1 FROM \(table.quotedName) AS stored WHERE \(keys.joined(separator: " AND ")))"
  }

  func edit(of row: RowKey) throws -> Edit? {
    try edits("WHERE \(StoredEdits.condition(model.editKeyColumns, from: 1))", keyValues(row)).first
  }

  /// The edits of rows that belonged to an owner in a version: in the server's last values, or when they were deleted with an owner.
  func edits(
    ofRowsOf owner: SyncIdentity, at end: LinkEnd, in version: EditTable.Version = .base
  ) throws -> [Edit] {
    let column = version.column(end.name).quotedIdentifier
    return try edits("WHERE \(column) = ?1 ORDER BY \"number\"", [owner.databaseValue])
  }

  /// The rows that belong to an owner now.
  func rows(heldBy owner: SyncIdentity, at end: LinkEnd) throws -> [RowKey] {
    let columns = model.keyColumns.joined(separator: ", ")
    let statement = try reading(
      "SELECT \(columns) FROM \(table.quotedName) WHERE \(end.property.quotedName) = ?1",
      [owner.databaseValue])
    return try statement.all { row in
      table.parentScope == nil ? SyncIdentity(row.column(0)).map { RowKey(identity: $0) } : RowKey(row)
    }
  }

  /// The values without links to one-to-one partners, and without unique values, that another row has now. If such a partner is
  /// required, it is replaced by that of the edited row, if it is free. If no edited row is given, it is replaced by that of the
  /// stored row, which may be a placeholder.
  func withoutTaken(
    _ values: Edit.Values, of row: RowKey, insteadUsing edited: Edit.Values? = nil
  ) throws -> Edit.Values {
    var values = values
    for case let end? in model.entry.ends where end.isColumn && end.isUnique {
      let position = end.position
      if try isFree(values.columns[position], at: position, for: row) { continue }
      if end.isOptional {
        values.columns[position] = .null
      } else if let other = try edited ?? stored(row), let partner = SyncIdentity(other.columns[position]),
        try edited == nil || isStored(partner, end) && isFree(other.columns[position], at: position, for: row)
      {
        values.columns[position] = other.columns[position]
      }
    }
    return try withoutTakenValues(values, of: row, insteadUsing: edited)
  }

  /// Whether no other row has a value of a one-to-one relationship, or a value that is unique.
  func isFree(_ value: DatabaseValue, at position: Int, for row: RowKey) throws -> Bool {
    guard !value.isNull, table.properties[position].isUnique else { return true }
    guard let end = model.entry.ends[position] else { return try !isTaken(value, at: position, besides: row) }
    guard let partner = SyncIdentity(value) else { return true }
    return try rows(heldBy: partner, at: end).allSatisfy { $0 == row }
  }

  /// Whether another row has a unique value or a one-to-one partner of a row.
  func hasTakenValue(_ values: Edit.Values, of row: RowKey) throws -> Bool {
    let partners = model.entry.ends.compactMap { $0 }.filter { $0.isColumn && $0.isUnique }.map(\.position)
    return try (uniqueValues(of: values) + partners).contains { position in
      try !isFree(values.columns[position], at: position, for: row)
    }
  }

  private static let bookkeeping = [
    Column.number, Column.key, Column.isNew, Column.isGone, Column.isPulled, Column.isAside, Column.sentKind,
    Column.pushKey, Column.body, Column.sentAt, Column.attempts, Column.nextTry, Column.reason, Column.forced,
    Column.isWithOwner, Column.conflicts,
  ]

  func edits(_ condition: String, _ values: [DatabaseValue]) throws -> [Edit] {
    try selection(condition, values).all(edit)
  }

  /// A statement that has not been stepped yet. Its strings are complete: GRDB's own fetches cut them at a NUL.
  func reading(_ sql: String, _ values: [DatabaseValue]) throws -> ReadStatement {
    let statement = try ReadStatement(database, sql)
    try statement.registerAccess()
    statement.restart().bind(values)
    return statement
  }

  func exists(_ sql: String, _ values: [DatabaseValue]) throws -> Bool {
    let statement = try reading(sql, values)
    defer { statement.reset() }
    return try statement.step()
  }

  private func selection(_ condition: String, _ values: [DatabaseValue]) throws -> ReadStatement {
    let parent = table.parentScope == nil ? "NULL" : "\"\(Column.parent)\""
    let columns =
      StoredEdits.bookkeeping.map(\.quotedIdentifier) + [parent]
      + EditTable.Version.allCases.flatMap(model.columns)
    return try reading(
      "SELECT \(columns.joined(separator: ", ")) FROM \(model.editTable) \(condition)", values)
  }

  private func edit(_ row: ReadStatement) throws -> Edit? {
    guard let identity = SyncIdentity(row.column(1)) else { return nil }
    func value(_ index: Int) -> DatabaseValue { row.column(index).databaseValue }
    func flag(_ index: Int) -> Bool { Int.fromDatabaseValue(value(index)).map { $0 != 0 } ?? false }
    func text(_ index: Int) -> String? { String.fromDatabaseValue(value(index)) }
    func number(_ index: Int) -> Double? { Double.fromDatabaseValue(value(index)) }
    var first = StoredEdits.bookkeeping.count + 1
    func values() throws -> Edit.Values {
      defer { first += table.columnCount + model.lists.count }
      let columns = (0..<table.columnCount).map { value(first + $0) }
      let lists = try model.lists.enumerated().map { index, list in
        try members(text(first + table.columnCount + index), of: list)
      }
      return Edit.Values(columns: columns, lists: lists)
    }
    let isNew = flag(2)
    let (base, sent, own) = (try values(), try values(), try values())
    return Edit(
      number: row.column(0).int64,
      row: RowKey(identity: identity, parent: SyncIdentity(row.column(StoredEdits.bookkeeping.count))),
      isNew: isNew, isGone: flag(3), isPulled: flag(4), isWithOwner: flag(14), aside: flag(5) ? own : nil,
      base: isNew ? nil : base,
      sent: text(6).flatMap(Edit.Kind.init).map {
        Edit.Sent(kind: $0, values: sent, key: text(7) ?? "", body: text(8) ?? "", time: number(9) ?? 0)
      },
      attempts: Int.fromDatabaseValue(value(10)) ?? 0,
      conflicts: Int.fromDatabaseValue(value(15)) ?? 0, nextTry: number(11), reason: text(12),
      forced: try text(13).map { try JSONDecoder().decode(Set<String>.self, from: Data($0.utf8)) } ?? [])
  }

  /// The members of a list, as the triggers copied them.
  private func members(_ json: String?, of list: LinkEnd) throws -> Set<SyncIdentity> {
    guard let json, case .array(let values) = try SyncJSON(parsing: json) else { return [] }
    return Set(
      values.compactMap { value in
        switch (value, list.targetTable.identityKind) {
        case (.string(let hex), .uuid): UUID(hex: hex).map(SyncIdentity.uuid)
        // The identities may have had another type when the edit began.
        case (.string(let text), .integer): Int64(text).map(SyncIdentity.integer)
        case (.number(let number), .text): .text(number.description)
        case (.string(let text), _): .text(text)
        case (.number(let number), _): Int64(number.description).map(SyncIdentity.integer)
        default: nil
        }
      })
  }

  // MARK: The rows

  /// A row as it is stored; nil if it is not.
  func stored(_ row: RowKey) throws -> Edit.Values? {
    let condition = StoredEdits.condition(model.keyColumns, from: 1)
    let statement = try reading(
      "SELECT \(table.columnList) FROM \(table.quotedName) WHERE \(condition)", keyValues(row))
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    return Edit.Values(
      columns: table.columns.indices.map { statement.column($0).databaseValue },
      lists: try model.lists.map { try members(of: $0, row) })
  }

  /// Values without links to rows that are not stored; nil if such a link is required.
  func linked(_ values: Edit.Values) throws -> Edit.Values? {
    var values = values
    for case let end? in model.entry.ends where end.isColumn {
      guard let target = SyncIdentity(values.columns[end.position]), try !isStored(target, end) else {
        continue
      }
      guard end.isOptional else { return nil }
      values.columns[end.position] = .null
    }
    for (index, list) in model.lists.enumerated() {
      values.lists[index] = try values.lists[index].filter { try isStored($0, list) }
    }
    return values
  }

  /// Whether the row that a link leads to is stored.
  func isStored(_ identity: SyncIdentity, _ end: LinkEnd) throws -> Bool {
    try end.targetTable.hasRow(identity, in: database)
  }

  /// Whether a list had members in the server's last values that are not stored.
  func lacksMember(_ edit: Edit) throws -> Bool {
    guard let base = edit.base, !edit.isGone else { return false }
    return try zip(model.lists, base.lists).contains { list, members in
      try members.contains { try !isStored($0, list) }
    }
  }

  func members(of list: LinkEnd, _ row: RowKey) throws -> Set<SyncIdentity> {
    let statement = try reading(
      "SELECT \"target\" FROM \(list.linkTable?.quotedName ?? "") WHERE \"source\" = ?1", [])
    return Set(try statement.identities(of: row.identity))
  }

  // MARK: Writing

  /// Replaces a version of a row by another one.
  func copy(_ source: EditTable.Version, to target: EditTable.Version, of edit: Edit) throws {
    let columns = zip(model.columns(target), model.columns(source)).map { "\($0) = \($1)" }
    try write(
      "UPDATE \(model.editTable) SET \(columns.joined(separator: ", ")) WHERE \"number\" = ?1",
      [edit.number.databaseValue])
  }

  func set(_ values: [String: (any DatabaseValueConvertible)?], of edit: Edit) throws {
    let names = values.keys.sorted()
    let columns = names.enumerated().map { "\"\($1)\" = ?\($0 + 2)" }.joined(separator: ", ")
    try write(
      "UPDATE \(model.editTable) SET \(columns) WHERE \"number\" = ?1",
      [edit.number.databaseValue] + names.map { (values[$0] ?? nil)?.databaseValue ?? .null })
  }

  /// Replaces a version of a row.
  func set(_ version: EditTable.Version, _ values: Edit.Values, of edit: Edit) throws {
    let lists = try values.lists.map { list in
      let members = list.sorted().map { member -> SyncJSON in
        switch member {
        case .integer(let number): .number(SyncNumber(number))
        case .uuid(let uuid): .string(uuid.uuidString.replacing("-", with: ""))
        case .text(let text): .string(text.string)
        }
      }
      return String(decoding: try SyncJSON.array(members).data(), as: UTF8.self).databaseValue
    }
    let columns = model.columns(version).enumerated().map { "\($1) = ?\($0 + 2)" }.joined(separator: ", ")
    try write(
      "UPDATE \(model.editTable) SET \(columns) WHERE \"number\" = ?1",
      [edit.number.databaseValue] + values.columns + lists)
  }

  func set(forced names: Set<String>, of edit: Edit) throws {
    let json = String(decoding: try JSONEncoder().encode(names.sorted()), as: UTF8.self)
    try set([Column.forced: names.isEmpty ? nil : json], of: edit)
  }

  /// Changes the row of an edit, also in its versions of the row, since restoring a version sets all its columns.
  func setKey(_ row: RowKey, of edit: Edit) throws {
    let identity = row.identity.databaseValue
    var values: [String: (any DatabaseValueConvertible)?] = [Column.key: identity]
    let parts = self.parts(of: row.identity)
    if let parent = row.parent { values[Column.parent] = parent.databaseValue }
    for version in EditTable.Version.allCases {
      values.updateValue(identity, forKey: version.column(table.identityProperty.name))
      if let parent = row.parent, let position = table.parentScope {
        values.updateValue(parent.databaseValue, forKey: version.column(table.properties[position].name))
      }
      for part in parts {
        values.updateValue(part.value, forKey: version.column(table.properties[part.position].name))
      }
    }
    try set(values, of: edit)
  }

  func remove(_ edit: Edit) throws {
    try write("DELETE FROM \(model.editTable) WHERE \"number\" = ?1", [edit.number.databaseValue])
  }

  /// The condition that columns have the values of parameters, numbered from the given number.
  static func condition(_ columns: [String], from first: Int) -> String {
    columns.enumerated().map { "\($1) = ?\($0 + first)" }.joined(separator: " AND ")
  }

  func keyValues(_ row: RowKey) -> [DatabaseValue] {
    [row.identity.databaseValue] + (row.parent.map { [$0.databaseValue] } ?? [])
  }

  func write(_ sql: String, _ values: [DatabaseValue]) throws {
    try WriteStatement(database, sql).execute(values: values)
  }
}

extension UUID {
  /// A UUID from the hexadecimal digits of its bytes.
  fileprivate init?(hex: String) {
    let digits = Array(hex)
    guard digits.count == 32 else { return nil }
    let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
    self.init(uuidString: groups.joined(separator: "-"))
  }
}
