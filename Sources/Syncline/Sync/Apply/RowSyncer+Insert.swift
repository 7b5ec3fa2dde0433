import GRDB

/// Inserting the rows that the store does not have.
extension RowSyncer {
  /// Inserts a row of a model without relationships from the payload's bytes.
  ///
  /// - Returns: false when nothing was inserted: the row is stored already, or has to be made as a value.
  func insertDirectly(_ object: PayloadObject, _ row: RowKey, isInOrder: Bool = false) throws -> Bool {
    guard table.isFlat, table.isGenerated, object.isAlone, incomplete.object(of: row, in: rows) == nil
    else { return false }
    let statement = try directStatement()
    guard DirectInsert(rows).bind(object, row.identity, to: statement.restart()),
      try statement.execute() > 0
    else { return false }
    didInsert(row, isInOrder: isInOrder)
    return true
  }

  private func directStatement() throws -> WriteStatement {
    if let statement = rows.rowStatements.directInsertion { return statement }
    let statement = try WriteStatement(run.database, insertSQL + " ON CONFLICT DO NOTHING")
    rows.rowStatements.directInsertion = statement
    return statement
  }

  func insert(_ object: PayloadObject, _ row: RowKey, _ mode: RowMode, isInOrder: Bool = false) throws
    -> RowOutcome
  {
    if try insertDirectly(object, row, isInOrder: isInOrder) { return .inserted }
    let linksNewRows = LinkMask.applies(mode.operations, isNew: true)
    object.readsReferences = linksNewRows && links.statements == nil
    try addEarlier(to: object, row)
    guard var value = try make(from: object, row, mode.operations) else { return .waits }
    if let place = object.placeInList { _ = value.syncTakePlace(place) }
    if object.earlier != nil {
      try run.mergeParts(of: object, in: table)
      applier.differing.note(row, in: rows)
    }
    incomplete.remove(row, in: rows)
    guard value[keyPath: Model.syncIdentity].syncIdentity == row.identity else {
      throw object.error(
        table.identityProperty.name, .otherIdentity(than: row.identity.description))
    }
    if table.isGenerated {
      let values = try checkRequired(value, object, row)
      try insert(value, values)
      // Held back is what another row has to give up first.
      if values != nil { value = try reread(row) ?? value }
    } else {
      try value.insert(run.database)
    }
    didInsert(row, isInOrder: isInOrder)
    links.statements?.addNew(LinkedRow(rows.entry.number, row))
    if linksNewRows || (object.scope != nil && links.statements == nil) {
      try applyRelationships(to: value, object, row, mode, isNew: true)
    } else {
      try run.nameNested(in: object)
      if let statements = links.statements { return stateRequired(row, object, in: statements) }
      // What is required belongs to the insertion.
      rows.counts.linked += table.required.count { table.properties[$0].isRelationship }
    }
    return .inserted
  }

  /// - Returns: nil where the payload's object does not say enough.
  private func make(
    from object: PayloadObject, _ row: RowKey, _ operations: SyncRelationshipOperations
  ) throws -> Model? {
    do {
      var values = object
      if case .merged(let merged) = object.values {
        // Each object of the row makes its own links.
        merged.readsReferences = false
        values = merged
      }
      if !table.unionTypes.isEmpty { values.limitUnions(to: operations, isNew: true) }
      return try Model.make(from: SyncPayload(values))
    } catch SyncError.invalidPayload(let model, let reason) {
      // The rest of the row may stand elsewhere in the payload.
      try incomplete.add(
        object, row, in: rows, error: SyncError.invalidPayload(model: model, reason: reason))
      return nil
    }
  }

  private func insert(_ value: Model, _ values: [DatabaseValue]?) throws {
    let statement = try rows.statements.write(.insertion, insertSQL)
    let parameters = statement.restart()
    if let values {
      for (index, value) in values.enumerated() { parameters.bind(value, at: Int32(index + 1)) }
    } else {
      try value.encodeColumns(to: SyncColumnEncoder(binding: parameters))
    }
    try statement.execute()
  }

  private var insertSQL: String {
    let parameters = (1...max(table.columnCount, 1)).map { "?\($0)" }.joined(separator: ", ")
    return "INSERT INTO \(table.quotedName) (\(table.columnList)) VALUES (\(parameters))"
  }

  /// Logs the parent that the call gives a row.
  func stateScope(of object: PayloadObject, _ row: RowKey, in statements: LinkStatements) {
    guard let scope = object.scope, let end = rows.end(scope.position), end.isColumn,
      !scope.isFromList || table.parentScope == scope.position
    else { return }
    statements.give(
      LinkPlace(end: end, owner: row), scope.parent, begin: object.value.node.offset, ProblemPlace(object, "")
    )
  }

  /// Logs the links that a new row requires, where the operations link no new rows: they belong to the insertion.
  private func stateRequired(_ row: RowKey, _ object: PayloadObject, in statements: LinkStatements)
    -> RowOutcome
  {
    stateScope(of: object, row, in: statements)
    for case let end? in rows.entry.ends where end.isColumn && !end.isOptional {
      let reading = object.toOne(end.key, target: end.targetTable)
      guard let target = reading.identity else { continue }
      statements.add(
        LinkPlace(end: end, owner: row), target: target, begin: reading.begin, isStale: false,
        ProblemPlace(object, reading.key))
    }
    return .inserted
  }

  /// Remembers required links whose rows are not there yet, to be checked when the payload ends, and takes
  /// one-to-one partners.
  ///
  /// - Returns: the values to insert in place of the row's own; nil for those.
  private func checkRequired(_ value: Model, _ object: PayloadObject, _ row: RowKey) throws
    -> [DatabaseValue]?
  {
    guard table.needsLinkChecks else { return nil }
    var values = try value.columnValues()
    var isHeldBack = false
    for case let end? in rows.entry.ends where end.isColumn {
      guard let target = SyncIdentity(values[end.position]) else { continue }
      if end.isOptional {
        // An optional unique reference is linked once the row is there.
        if end.isUnique {
          values[end.position] = .null
          isHeldBack = true
        }
        continue
      }
      if links.statements != nil {
        if end.isUnique, try !rows.holders(of: target, at: end.position).isEmpty {
          values[end.position] = try run.parked.placeholder(at: end)?.databaseValue ?? .null
          isHeldBack = true
        }
        if let error = run.parked.provisional[target] {
          links.required.add(LinkPlace(end: end, owner: row), target: target, error: error)
          continue
        }
      } else if end.isUnique {
        try rows.takePartner(of: target, at: end.position, for: row)
      }
      guard try !run.rows(end.target).exists(target) else { continue }
      let error = object.error(
        end.name, .noRow(model: end.targetTable.name, identity: target.description))
      // What names a row, and no more, waits for the rest of the payload: else a link that waits for such a row would have
      // it made and removed by each sync.
      if links.statements == nil, run.skipsInvalidRows, table.isComposite, object.level > 1,
        object.isIdentityAlone,
        case .key = object.toOne(end.key, target: end.targetTable).decision
      {
        throw PartnerTaken(error: error)
      }
      links.required.add(LinkPlace(end: end, owner: row), target: target, error: error)
    }
    return isHeldBack ? values : nil
  }

  /// Records that a row of the payload was inserted.
  private func didInsert(_ row: RowKey, isInOrder: Bool) {
    journal.recordInsertion(row, isInOrder: isInOrder)
    links.pending.didInsert(row, in: rows)
  }
}
