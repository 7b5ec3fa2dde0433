import GRDB
import GRDBSQLite

/// Writes rows as JSON text by the plans of their tables.
final class RowWriter {
  private let context: SyncExportContext
  private var plans: [ObjectIdentifier: ExportPlan?] = [:]
  private var statements: [StatementKey: ReadStatement] = [:]

  /// Rows of one relationship are read while those around them are: each level has a statement of its own.
  private struct StatementKey: Hashable {
    let table: ObjectIdentifier
    let position: Int
    let level: Int
  }

  init(_ context: SyncExportContext) {
    self.context = context
  }

  /// Whether the rows of a table, and all that are written inside of them, have plans.
  func canWrite(_ table: SyncTable) throws -> Bool {
    var seen: Set<ObjectIdentifier> = []
    var rest = [table]
    while let table = rest.popLast() {
      guard seen.insert(ObjectIdentifier(table)).inserted else { continue }
      guard let plan = plan(table) else { return false }
      for part in plan.parts {
        switch part {
        case .object(let position), .objects(let position):
          guard let related = table.properties[position].related else { return false }
          rest.append(try context.table(of: related))
        case .text, .column, .identities: break
        }
      }
    }
    return true
  }

  private func plan(_ table: SyncTable) -> ExportPlan? {
    if let known = plans[ObjectIdentifier(table)] { return known }
    let plan = ExportPlan(table, context.configuration)
    plans[ObjectIdentifier(table)] = plan
    return plan
  }

  /// Writes all rows of a statement, whose columns are the table's, as a list.
  func writeList(_ table: SyncTable, _ statement: ReadStatement, to output: inout JSONWriter) throws {
    output.write(byte: UInt8(ascii: "["))
    var isFirst = true
    while try statement.step() {
      if !isFirst { output.write(byte: UInt8(ascii: ",")) }
      isFirst = false
      try writeRow(table, statement, to: &output)
    }
    output.write(byte: UInt8(ascii: "]"))
  }

  private func writeRow(_ table: SyncTable, _ row: ReadStatement, to output: inout JSONWriter) throws {
    guard let plan = plan(table) else { throw table.mismatch(table.identity) }
    guard plan.hasObjects else { return try write(plan, table, row, nil, to: &output) }
    guard let identity = SyncIdentity(row.column(table.identity)) else {
      throw table.mismatch(table.identity)
    }
    let parent = table.parentScope.flatMap { SyncIdentity(row.column($0)) }
    let written = try context.entering(table, RowKey(identity: identity, parent: parent)) {
      try write(plan, table, row, identity, to: &output)
    }
    if !written { try output.write(context.reference(to: identity, table)) }
  }

  private func write(
    _ plan: ExportPlan, _ table: SyncTable, _ row: ReadStatement, _ identity: SyncIdentity?,
    to output: inout JSONWriter
  ) throws {
    for part in plan.parts {
      switch part {
      case .text(let bytes): output.write(bytes)
      case .column(let column): try write(column, table, row.column(column.position), to: &output)
      case .object(let position): try writeObject(table, position, row, to: &output)
      case .objects(let position):
        guard let (related, statement) = try self.statement(table, position) else { continue }
        identity?.bind(to: statement.restart(), at: 1)
        defer { statement.reset() }
        try writeList(related, statement, to: &output)
      case .identities(let position):
        let property = table.properties[position]
        guard let identity = identity ?? SyncIdentity(row.column(table.identity)) else { continue }
        let identities = try context.identities(property, of: identity).map(\.json)
        try output.write(property.isToMany ? .array(identities) : identities.first ?? .null)
      }
    }
  }

  /// Writes the row that a relationship leads to, or null.
  private func writeObject(
    _ table: SyncTable, _ position: Int, _ row: ReadStatement, to output: inout JSONWriter
  ) throws {
    let isStoredHere = position < table.columnCount
    let key = SyncIdentity(row.column(isStoredHere ? position : table.identity))
    guard let key, let (related, statement) = try statement(table, position) else {
      return output.writeNull()
    }
    key.bind(to: statement.restart(), at: 1)
    defer { statement.reset() }
    guard try statement.step() else { return output.writeNull() }
    try writeRow(related, statement, to: &output)
  }

  /// The statement that reads the rows a relationship leads to.
  private func statement(_ table: SyncTable, _ position: Int) throws -> (SyncTable, ReadStatement)? {
    let property = table.properties[position]
    guard let model = property.related else { return nil }
    let related = try context.table(of: model)
    let key = StatementKey(table: ObjectIdentifier(table), position: position, level: context.level)
    if let statement = statements[key] { return (related, statement) }
    let condition = context.membership(property, in: related) ?? "\(related.identityProperty.quotedName) = ?1"
    let statement = try ReadStatement(
      context.database,
      "SELECT \(related.columnList) FROM \(related.quotedName) WHERE \(condition)"
        + " ORDER BY \(related.identityProperty.quotedName) -- level \(key.level) of \(table.name).\(property.name)"
    )
    statements[key] = statement
    return (related, statement)
  }

  // MARK: Values

  private func write(
    _ part: ExportPlan.Column, _ table: SyncTable, _ column: SyncColumn, to output: inout JSONWriter
  ) throws {
    let type = column.type
    if type == SQLITE_NULL {
      guard part.isOptional else { throw table.mismatch(part.position) }
      return output.writeNull()
    }
    switch (part.kind, type) {
    case (.integer(let range), SQLITE_INTEGER) where range.contains(column.int64):
      return output.write(integer: column.int64)
    case (.bool, SQLITE_INTEGER): return output.write(bool: column.int64 != 0)
    case (.text, SQLITE_TEXT): if output.write(text: column.text) { return }
    case (.date, SQLITE_TEXT): if part.isPlainDate, output.write(storedDate: column.text) { return }
    default: break
    }
    let property = table.properties[part.position]
    let format = property.format ?? context.configuration.dateFormat
    guard let json = property.storedJSON?(column, format) else { throw table.mismatch(part.position) }
    try output.write(json)
  }
}

extension SyncTable {
  func mismatch(_ position: Int) -> SyncError {
    .containerInitialization(
      reason: "the column “\(name).\(properties[position].name)” does not hold what its property takes")
  }
}
