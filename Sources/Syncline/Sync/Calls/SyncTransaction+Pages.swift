extension SyncTransaction {
  /// Deletes the rows that are missing from all pages.
  func delete(_ end: PagesEnd, _ notes: PageNotes) throws {
    let arguments = call.arguments
    if end.isHeldBack { run.log.recordEmptyPayload(of: call.table.name, path: arguments.path.text) }
    let rows = run.rows(arguments.entry.number)
    let parent = arguments.scopedParent
    let kept = end.kept.map { LinkedRow(rows.entry.number, RowKey(identity: $0, parent: parent)) }
    // In the order of the lists, in which rows that stay are reported.
    let leftOut = notes.leftOut.sorted { ($0.key.end, $0.key.row) < ($1.key.end, $1.key.row) }
    var missing = try self.missing(leftOut.flatMap(\.value), besides: Set(kept))
    var keys = end.missing.map { RowKey(identity: $0, parent: parent) }
    if arguments.policy == .softDeleteMissing, let mark = call.table.softDelete {
      // Rows that are marked already are missing from the call's list, too.
      keys += try missing.keys.filter { $0.model == rows.entry.number }.map(\.key).filter {
        try rows.storedValues(of: $0).map { !$0[mark].isNull } ?? false
      }
    }
    if let scope = arguments.scope, parent == nil {
      // Another writer may have moved the row to another parent since.
      keys = try keys.filter { try rows.target(of: $0, at: scope.position) == scope.parent }
    }
    if arguments.condition != nil {
      // Another writer may have changed the row since.
      var rows: Set<SyncIdentity> = []
      try arguments.storedRows.forEachRow(run.database) { rows.insert($0) }
      keys.removeAll { !rows.contains($0.identity) }
    }
    // As in one payload, the policy of the call's own list takes precedence over that of a nested list.
    for key in keys { missing[LinkedRow(rows.entry.number, key)] = arguments.policy }
    try settle { missing.map { ($0.key, $0.value) } }
    try finishPending()
  }

  /// The left-out rows to delete: those on no page, and in no list other than those that lack them. The others are only removed
  /// from these lists.
  ///
  /// - Parameter kept: rows on no page that are not deleted.
  private func missing(
    _ leftOut: [LeftOutRows], besides kept: Set<LinkedRow>
  ) throws -> [LinkedRow: DeletionPolicy] {
    /// The owners of the lists that leave out each row, which is the place's owner here.
    var owners: [LinkPlace: Set<SyncIdentity>] = [:]
    for left in leftOut {
      for row in left.rows {
        owners[LinkPlace(end: left.list.end, owner: row), default: []].insert(left.list.owner.identity)
      }
    }
    var missing: [LinkedRow: DeletionPolicy] = [:]
    var lists: [LinkPlace: Set<SyncIdentity>] = [:]
    for left in leftOut {
      let end = left.list.end
      let members = try lists[left.list] ?? Set(run.members(of: left.list))
      lists[left.list] = members
      for row in left.rows where members.contains(row.identity) {
        let others = try end.linkTable.map { try run.members(of: row.identity, in: $0.reversed) } ?? []
        let member = LinkedRow(end.target, row)
        if try !run.isOnPage(member), !kept.contains(member),
          others.allSatisfy({ owners[LinkPlace(end: end, owner: row)]?.contains($0) == true })
        {
          let policy = missing[member] ?? left.policy
          missing[member] = DeletionPolicy.stronger(policy, left.policy)
        } else {
          try links.unlink(row, from: left.list)
        }
      }
    }
    return missing
  }

  /// Stores a response's validator and cursor. Returns whether they changed.
  func remember(_ response: ResponseBookmark?) throws -> Bool {
    guard let response else { return false }
    let model = call.table.name
    let bookmarks = StoredBookmarks(database: run.database)
    // A model whose list is absent is among them.
    let models = Set(run.order.map(\.table.name) + call.parts.map(\.table.name))
    // The stored rows are no longer those of the former validator either. The former cursor leads to all later changes.
    let validator = hasSkippedValues ? nil : response.validator
    let isNew = try bookmarks.set(
      validator.map {
        .init(value: $0.stored, models: run.catalog.reading(of: models, in: run.style))
      }, for: .init(kind: .validator, model: model, name: response.name))
    guard let cursor = response.cursor, !hasSkippedValues else { return isNew }
    // The cursor also covers the models that were stored with it before.
    let key = StoredBookmarks.Key(kind: .cursor, model: model, name: response.name)
    let former = try bookmarks.bookmark(key).flatMap {
      run.catalog.models(ofReading: $0.models, in: run.style)
    }
    let reading = run.catalog.reading(of: models.union(former ?? []), in: run.style)
    let isForgotten = try StoredRun(database: run.database, model: model, name: response.name).remove()
    // The number of rows before a page is not that of rows before the response.
    _ = try bookmarks.set(nil, for: .init(kind: .rowCount, model: model, name: response.name))
    return try bookmarks.set(.init(value: cursor, models: reading), for: key) || isForgotten || isNew
  }
}
