import GRDB

extension RowSyncer {
  /// Inserts a row of a model without relationships from the payload's bytes.
  ///
  /// - Parameters:
  ///   - isNew: whether the row is known not to be stored.
  ///   - isInOrder: whether the scan found that, for rows in the order of their identities.
  /// - Returns: false if nothing was inserted: the row is stored already, or needs a model value.
  func insertDirectly(_ object: PayloadObject, _ row: RowKey, isNew: Bool, isInOrder: Bool = false) throws
    -> Bool
  {
    guard table.isFlat, table.isGenerated, object.isAlone, incomplete.object(of: row, in: rows) == nil
    else { return false }
    if isNew, object.level == 1, let batch = try rows.insertBatch() {
      guard try batch.add(object, row.identity, rows.directInsert) else { return false }
      if batch.isFull { try rows.insertWaiting() }
    } else {
      let statement = try directStatement()
      guard rows.directInsert.bind(object, row.identity, to: statement.restart()),
        try statement.execute() > 0
      else { return false }
    }
    try didInsert(row, isInOrder: isInOrder)
    return true
  }

  private func directStatement() throws -> WriteStatement {
    try rows.insertWaiting()
    if let statement = rows.directInsertion { return statement }
    let statement = try WriteStatement(run.database, insertSQL + " ON CONFLICT DO NOTHING")
    rows.directInsertion = statement
    return statement
  }

  func insert(_ object: PayloadObject, _ row: RowKey, _ mode: RowMode, isInOrder: Bool = false) throws
    -> RowOutcome
  {
    if try insertDirectly(object, row, isNew: isInOrder || rows.isKnownMissing(row), isInOrder: isInOrder) {
      return .inserted
    }
    // The merged objects of the row could not create it.
    if case .synced = object.values { return .waits }
    let linksNewRows = LinkMask.applies(run.operations, isNew: true)
    if !rows.notedEnds.isEmpty { noteLinks(of: object, row, isNew: true) }
    object.readsReferences = linksNewRows && links.statements == nil
    try addEarlier(to: object, row)
    guard var value = try make(from: object, row) else { return .waits }
    if let place = object.placeInList { _ = value.syncTakePlace(place) }
    if object.earlier != nil { applier.differing.note(row, in: rows) }
    incomplete.remove(row, in: rows)
    guard value[keyPath: Model.syncIdentity].syncIdentity == row.identity else {
      throw object.error(
        table.identityProperty.name, .otherIdentity(than: row.identity.description))
    }
    if table.isGenerated {
      let values = try checkRequired(value, object, row)
      try insert(value, values)
      // Some columns were inserted with other values, until another row gives up its one-to-one partner.
      if values != nil { value = try reread(row) ?? value }
    } else {
      try value.insert(run.database)
    }
    try didInsert(row, isInOrder: isInOrder)
    links.statements?.addNew(LinkedRow(rows.entry.number, row))
    if linksNewRows {
      try applyRelationships(to: value, object, row, mode, isNew: true)
    } else {
      try run.nameNested(in: object)
      try stateInsertion(of: row, object, isNew: true)
    }
    return .inserted
  }

  /// - Returns: nil if the payload's object lacks values.
  private func make(from object: PayloadObject, _ row: RowKey) throws -> Model? {
    var values = object
    if case .merged(let merged) = object.values {
      // Each object of the row makes its own links.
      merged.readsReferences = false
      values = merged
    }
    let mark = run.log.mark
    do {
      if !table.unionTypes.isEmpty { values.limitUnions(to: run.operations, isNew: true) }
      return try Model.make(from: SyncPayload(values))
    } catch SyncError.invalidPayload(let model, let reason) {
      // The other values of the row may be elsewhere in the payload.
      run.log.reset(to: mark)
      try incomplete.add(
        values, row, in: rows, error: SyncError.invalidPayload(model: model, reason: reason))
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
    try statement.executeForOneRow()
  }

  private var insertSQL: String {
    let parameters = (1...max(table.columnCount, 1)).map { "?\($0)" }.joined(separator: ", ")
    return "INSERT INTO \(table.quotedName) (\(table.columnList)) VALUES (\(parameters))"
  }

  /// Logs the links of an inserted row if the operations link no rows: its required links, and the parent that the call gives it.
  func stateInsertion(of row: RowKey, _ object: PayloadObject, isNew: Bool) throws {
    let parent = object.scope.flatMap { scope -> LinkEnd? in
      let isGiven = !scope.isFromList || table.parentScope == scope.position
      return isGiven ? rows.end(scope.position).flatMap { $0.isColumn ? $0 : nil } : nil
    }
    guard parent != nil || (isNew && table.hasRequiredLinks) else { return }
    guard let statements = links.statements else { return try run.logLinks() }
    if let parent, let scope = object.scope {
      statements.give(
        LinkPlace(end: parent, owner: row), scope.parent, begin: object.begin,
        ProblemPlace(object, ""))
    }
    guard isNew else { return }
    for case let end? in rows.entry.ends where end.isColumn && !end.isOptional {
      let reading = object.toOne(end.key, target: end.targetTable)
      guard let target = reading.identity else { continue }
      statements.add(
        LinkPlace(end: end, owner: row), target: target, begin: reading.begin, isStale: false,
        isUninserted: reading.nests(target), ProblemPlace(object, reading.key))
    }
  }

  /// Notes required links to rows that are not stored yet, and takes one-to-one partners from other rows.
  ///
  /// - Returns: the values to insert instead of the row's own; nil for the row's own.
  private func checkRequired(_ value: Model, _ object: PayloadObject, _ row: RowKey) throws
    -> [DatabaseValue]?
  {
    guard table.needsLinkChecks else { return nil }
    var values = try value.columnValues()
    var isHeldBack = false
    for case let end? in rows.entry.ends where end.isColumn {
      guard let target = SyncIdentity(values[end.position]) else { continue }
      if end.isOptional {
        // An optional one-to-one reference is linked after the insertion.
        if end.isUnique {
          values[end.position] = .null
          isHeldBack = true
        }
        continue
      }
      if links.statements != nil {
        if end.isUnique, try !rows.holders(of: target, at: end.position).isEmpty {
          values[end.position] = try run.placeholders.identity(for: end)?.databaseValue ?? .null
          isHeldBack = true
        }
        // It is removed, because the key of another row may equal the placeholder.
        if let error = run.placeholders.errors[end]?.removeValue(forKey: target) {
          run.placeholders.required[LinkPlace(end: end, owner: row)] = error
          continue
        }
      } else if end.isUnique {
        try rows.unlinkPartner(of: target, at: end.position, for: row)
      }
      guard try !run.rows(end.target).exists(target) else { continue }
      let error = object.error(
        end.name, .noRow(model: end.targetTable.name, identity: target.description))
      // An object with just a composite identity waits for the rest of the payload. Otherwise, each sync would insert and remove
      // the row of a pending link.
      if run.skipsInvalidRows, table.isComposite, object.level > 1, object.isIdentityAlone,
        case .key = object.toOne(end.key, target: end.targetTable).decision
      {
        try run.logLinks()
      }
      run.placeholders.required[LinkPlace(end: end, owner: row)] = error
    }
    return isHeldBack ? values : nil
  }

  private func didInsert(_ row: RowKey, isInOrder: Bool) throws {
    journal.recordInsertion(row, isInOrder: isInOrder)
    try links.pending.didInsert(row, in: rows)
  }
}
