import GRDB

/// Inserting the rows that the store does not have.
extension TypedModelSession {
  /// Inserts a row of a model without relationships from the payload's bytes.
  ///
  /// - Returns: false when nothing was inserted: the row is stored already, or has to be made as a value.
  func insertDirectly(_ object: PayloadObject, _ key: RowKey, isInOrder: Bool = false) throws -> Bool {
    guard table.isFlat, table.isGenerated, object.isAlone,
      session.setAside.object(of: key, in: self) == nil
    else { return false }
    let statement = try directStatement ?? prepareDirectInsert()
    guard RowBinder(table: table).bind(object, key.identity, to: statement.restart()),
      try statement.execute() > 0
    else { return false }
    markInserted(key, isInOrder: isInOrder)
    session.didInsert(self, key)
    return true
  }

  private func prepareDirectInsert() throws -> WriteStatement {
    let statement = try write(insertSQL + " ON CONFLICT DO NOTHING")
    directStatement = statement
    return statement
  }

  func insert(_ object: PayloadObject, _ key: RowKey, _ mode: RowMode, isInOrder: Bool = false) throws
    -> RowOutcome
  {
    if try insertDirectly(object, key, isInOrder: isInOrder) { return .inserted }
    let linksNewRows = mode.operations.contains(.insert)
    object.readsReferences = linksNewRows
    // What earlier objects say of the row, and this one does not, counts.
    if let earlier = session.setAside.object(of: key, in: self) { object.earlier = earlier }
    var row: Model
    do {
      var values = object
      if case .merged(let merged) = object.values {
        // Each object of the row makes its own links.
        merged.readsReferences = false
        values = merged
      }
      row = try Model.make(from: SyncPayload(values))
    } catch SyncError.invalidPayload(let model, let reason) {
      // The rest of the row may stand elsewhere in the payload.
      try session.setAside.add(
        object, key, in: self, error: SyncError.invalidPayload(model: model, reason: reason))
      return .waits
    }
    if object.earlier != nil { try session.mergeParts(of: object, in: table) }
    session.setAside.remove(key, in: self)
    guard row[keyPath: Model.syncIdentity].syncIdentity == key.identity else {
      throw object.error(
        table.identityProperty.name, "", "is made with another identity than \(key.identity)")
    }
    if table.isGenerated {
      let values = try checkRequired(row, object, key)
      try insert(row, values)
      // Held back is what another row has to give up first.
      if values != nil { row = try reread(key) ?? row }
    } else {
      try row.insert(session.database)
    }
    markInserted(key, isInOrder: isInOrder)
    session.didInsert(self, key)
    if linksNewRows || object.scope != nil {
      try applyRelationships(to: row, object, key, mode, isNew: true)
    } else {
      try session.nameNested(in: object)
      // What is required belongs to the insertion.
      counts.linked += table.required.count { table.properties[$0].isRelationship }
    }
    return .inserted
  }

  func insert(_ row: Model, _ values: [DatabaseValue]?) throws {
    let statement = try insertStatement ?? prepareInsert()
    let parameters = statement.restart()
    if let values {
      for (index, value) in values.enumerated() { parameters.bind(value, at: Int32(index + 1)) }
    } else {
      try row.encodeColumns(to: SyncColumnEncoder(binding: parameters))
    }
    try statement.execute()
  }

  private func prepareInsert() throws -> WriteStatement {
    let statement = try write(insertSQL)
    insertStatement = statement
    return statement
  }

  private var insertSQL: String {
    let parameters = (1...max(table.columnCount, 1)).map { "?\($0)" }.joined(separator: ", ")
    return "INSERT INTO \(table.quotedName) (\(table.columnList)) VALUES (\(parameters))"
  }

  /// Remembers required links whose rows are not there yet, to be checked when the payload ends, and takes
  /// one-to-one partners.
  ///
  /// - Returns: the values to insert in place of the row's own; nil for those.
  private func checkRequired(_ row: Model, _ object: PayloadObject, _ key: RowKey) throws -> [DatabaseValue]?
  {
    guard table.needsLinkChecks else { return nil }
    var values = try row.columnValues()
    var isHeldBack = false
    for (position, property) in table.columns.enumerated() {
      guard case .toOne(let isOptional) = property.kind, let target = SyncIdentity(values[position]) else {
        continue
      }
      if isOptional {
        // An optional unique reference is linked once the row is there.
        if property.isUnique {
          values[position] = .null
          isHeldBack = true
        }
        continue
      }
      if property.isUnique { try takePartner(of: target, position, for: key) }
      guard let related = property.related, try !session.models(related).exists(target) else { continue }
      session.requiredLinks.append(
        .init(
          model: self, key: key, position: position, target: target,
          error: object.error(
            property.name, "", "is required, and there is no \(related) \(target)")))
    }
    return isHeldBack ? values : nil
  }
}
