import GRDB

extension RowSyncer {
  /// - Parameter unwritten: the stored row, if `changed` differs from it and was not written.
  /// - Returns: whether the row's links changed.
  @discardableResult
  func applyRelationships(
    to changed: Model, from unwritten: Model? = nil, _ object: PayloadObject, _ row: RowKey, _ mode: RowMode,
    isNew: Bool, isStale: Bool = false
  ) throws -> Bool {
    var value = changed
    let stored = unwritten ?? changed
    let before = journal.writeCount
    let context = SyncContext(
      applier, rows, row, isNew: isNew, isStale: isStale, policies: mode.policies,
      decisions: object.hasNestedRows ? LinkDecisions() : nil)
    let isLinked = try value.applyRelationships(SyncPayload(object), in: context, operations: run.operations)
    let isRewritten = before != journal.writeCount && context.decisions?.targets.isEmpty == false
    guard isLinked || isRewritten || unwritten != nil else { return false }
    guard table.isGenerated else {
      try write(value, of: row, from: stored)
      return isLinked
    }
    let old = try stored.columnValues()
    guard before != journal.writeCount, let fresh = try reread(row) else {
      try rows.update(row, from: old, to: yielding(value.columnValues(), stored: old, row, object))
      return isLinked
    }
    // Rows nested in this one may have written other values.
    let current = try fresh.columnValues()
    var new = zip(try value.columnValues(), zip(old, current)).map { $0.isStoredLike($1.0) ? $1.1 : $0 }
    for (position, target) in context.decisions?.targets ?? [:] {
      new[position] = target?.databaseValue ?? .null
    }
    try rows.update(row, from: current, to: yielding(new, stored: current, row, object))
    return isLinked
  }

  /// Syncs the rows that are nested in the identity of an object without other properties, whose row is not stored.
  func syncIdentityParts(of object: PayloadObject, _ row: RowKey) throws {
    for case let end? in table.identityParts.map(rows.end) {
      let reading = object.toOne(end.key, target: end.targetTable)
      guard let part = reading.row, let identity = reading.identity,
        !object.nested(part.value, in: run.rows(end.target), key: part.key, element: nil).isIdentityAlone
      else { continue }
      let context = SyncContext(
        applier, rows, row, isNew: false, isStale: false, policies: [], decisions: nil)
      let place = LinkPlace(end: end, owner: row)
      try context.syncNested(reading, beside: identity, at: place, in: object)
    }
  }

  /// A row's columns, without its own keys where lists override them, which may have been read after the keys.
  private func yielding(
    _ values: [DatabaseValue], stored: [DatabaseValue], _ row: RowKey, _ object: PayloadObject
  ) throws -> [DatabaseValue] {
    var values = values
    for case let end? in rows.entry.ends where end.isColumn {
      let position = end.position
      guard object.scopeParent(for: SyncKey(position)) == nil else { continue }
      if named.isMarked(row, at: position) {
        values[position] = stored[position]
      } else if !end.isUnique, let target = SyncIdentity(values[position]),
        !values[position].isStoredLike(stored[position])
      {
        if links.lists.isUnlisted(LinkPlace(end: end, owner: row), target) { try run.logLinks() }
      }
    }
    return values
  }
}

// MARK: Links of a page's rows

extension RowSyncer {
  /// Notes the keys of rows that no page contained so far: if no later page contains them either, they may be deleted after the last
  /// page, and the links are pending then.
  func noteLinks(of object: PayloadObject, _ row: RowKey, isNew: Bool) {
    guard let unseen = run.mode.unseen, LinkMask.applies(run.operations, isNew: isNew),
      LinkMask(run.operations, isNew: isNew).canAdd
    else { return }
    for end in rows.notedEnds where object.scope?.position != end.position {
      let place = LinkPlace(end: end, owner: row)
      for key in keys(in: object, at: end)
      where unseen.mayMiss(LinkedRow(end.target, RowKey(identity: key))) {
        unseen.contents.noteLink(place, to: key)
      }
    }
  }

  private func keys(in object: PayloadObject, at end: LinkEnd) -> [SyncIdentity] {
    if end.isToMany {
      return object.toMany(end.key, target: end.targetTable).elements.compactMap {
        $0.nested == nil ? $0.identity : nil
      }
    }
    guard case .key(let target) = object.toOne(end.key, target: end.targetTable).decision else { return [] }
    return [target]
  }
}
