/// Writes rows as JSON text, by the plans of their tables.
final class RowWriter {
  let context: SyncExportContext
  private var plans: [PlanKey: ExportPlan?] = [:]
  /// The statements of relationships, each for rows of one level.
  var statements: [StatementKey: ReadStatement] = [:]
  /// How to write only the identities of rows; nil for identities that are not exported.
  var references: [ObjectIdentifier: ExportPlan?] = [:]

  /// A table, and the relationship that refers to its rows.
  private struct PlanKey: Hashable {
    let table: ObjectIdentifier
    let link: SyncExportContext.Link?
  }

  struct StatementKey: Hashable {
    let link: SyncExportContext.Link
    let level: Int
  }

  /// The current row of a statement that selects the columns of the table.
  struct Row {
    let table: SyncTable
    let statement: ReadStatement

    func column(_ position: Int) -> SyncColumn { statement.column(position) }

    func identity() throws -> SyncIdentity {
      guard let identity = SyncIdentity(column(table.identity)) else {
        throw mismatch(at: table.identity)
      }
      return identity
    }

    func rowKey() throws -> RowKey {
      RowKey(
        identity: try identity(), parent: table.parentScope.flatMap { SyncIdentity(column($0)) })
    }
  }

  init(_ context: SyncExportContext) {
    self.context = context
  }

  /// Whether the rows of a table, and all rows nested in them, have plans. A plan writes the keys of nulls too.
  func canWrite(_ table: SyncTable) throws -> Bool {
    guard !context.omitsNulls else { return false }
    var seen: Set<PlanKey> = []
    var rest: [(table: SyncTable, link: SyncExportContext.Link?)] = [(table, nil)]
    while let (table, link) = rest.popLast() {
      guard seen.insert(PlanKey(table: ObjectIdentifier(table), link: link)).inserted else { continue }
      guard let plan = plan(table, by: link) else { return false }
      for part in plan.parts where table.properties[part.position].isRelationship {
        let link = SyncExportContext.Link(table: table, position: part.position)
        // A plan writes all its keys, but a link that conflicts with pending links is left out.
        guard try !context.waiting.hasContradictions(link), let related = link.property.related,
          try context.canWriteKeys(of: link) || !context.waiting.hasOwners(link)
        else {
          return false
        }
        if part.hasRows { rest.append((try context.table(of: related), link)) }
      }
    }
    return true
  }

  private func plan(_ table: SyncTable, by link: SyncExportContext.Link?) -> ExportPlan? {
    plans.value(of: PlanKey(table: ObjectIdentifier(table), link: link)) {
      ExportPlan(table, context.configuration, leftOut: link.flatMap(context.leftOut))
    }
  }

  /// The plan of the rows that a relationship refers to.
  func plan(of row: Row, by link: SyncExportContext.Link?) throws -> ExportPlan {
    guard let plan = plan(row.table, by: link) else { throw row.mismatch(at: row.table.identity) }
    return plan
  }

  /// Writes a row, or only its identity if it is nested in itself.
  func write(
    _ row: Row, by plan: ExportPlan, _ link: SyncExportContext.Link?, to output: inout JSONWriter
  ) throws {
    try context.countRow()
    guard plan.hasObjects else { return try write(row, by: plan, to: &output) }
    let rowKey = try row.rowKey()
    let isWritten = try context.entering(rowKey, of: row.table, by: link) {
      try write(row, by: plan, to: &output)
    }
    if !isWritten { try writeReference(to: rowKey.identity, in: row.table, to: &output) }
  }

  private func write(_ row: Row, by plan: ExportPlan, to output: inout JSONWriter) throws {
    try plan.text.withUnsafeBufferPointer { text in
      for (index, step) in plan.steps.enumerated() {
        output.write(bytes: UnsafeBufferPointer(rebasing: text[step.text]))
        if let scalar = step.scalar {
          let column = row.column(step.position)
          if output.write(scalar, column) { continue }
          if step.isOptional, column.isNull {
            output.writeNull()
            continue
          }
        }
        try write(plan.parts[index], of: row, to: &output)
      }
      output.write(bytes: UnsafeBufferPointer(rebasing: text[plan.lastText]))
    }
  }

  private func write(_ part: ExportPlan.Part, of row: Row, to output: inout JSONWriter) throws {
    let link = SyncExportContext.Link(table: row.table, position: part.position)
    switch part.form {
    case .column: try write(column: part, of: row, to: &output)
    case .columnBeside(let other, let text):
      guard try agrees(part, with: other, in: row) else { return }
      output.write(text)
      try write(column: part, of: row, to: &output)
    case .key:
      if let key = try waitingKeys(link, of: row).first {
        try output.write(context.json(key, by: link))
      } else {
        try write(column: part, of: row, to: &output)
      }
    case .reference: try writeReference(link, of: row, to: &output)
    case .object: try writeObject(link, of: row, to: &output)
    case .objects: try writeObjects(link, of: row, to: &output)
    case .identities: try writeIdentities(link, of: row, to: &output)
    }
  }
}

extension RowWriter.Row {
  /// The error for a column whose value does not fit its property.
  func mismatch(at position: Int) -> SyncError {
    let found = column(position).databaseValue.summary
    return SyncError(
      RowProblem(
        model: table.name, property: table.properties[position].name,
        reason: .columnHolds(found: found, noType: nil)))
  }
}
