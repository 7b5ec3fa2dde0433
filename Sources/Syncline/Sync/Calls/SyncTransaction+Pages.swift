/// Ends a run of pages, and stores the state of responses.
extension SyncTransaction {
  /// Deletes the rows that are missing from all pages.
  func delete(_ end: PagesEnd, _ notes: PageNotes) throws {
    let arguments = call.arguments
    if end.isHeldBack {
      run.log.record(
        SyncProblem(
          model: call.table.name, identity: nil, path: arguments.path.text ?? "", .emptyPayload,
          action: .deletedNothing))
    }
    let rows = run.rows(arguments.entry.number)
    let parent = call.table.parentScope == nil ? nil : arguments.scope?.parent
    var keys = end.missing.map { RowKey(identity: $0, parent: parent) }
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
    let missing = keys.map { (LinkedRow(rows.entry.number, $0), arguments.policy) }
    let members = try notes.leftOut.flatMap { try self.missing($0, besides: notes.unseen) }
    try settle { missing + members }
    try finishPending()
  }

  /// The left-out rows that are still in that list, in no other list, and in no page.
  private func missing(_ leftOut: LeftOutRows, besides unseen: UnseenRows?) throws
    -> [(LinkedRow, DeletionPolicy)]
  {
    let end = leftOut.list.end
    let members = Set(try run.members(of: leftOut.list))
    let rows = try leftOut.rows.filter { row in
      guard members.contains(row.identity) else { return false }
      if unseen?.model == end.target, unseen?.hasSeen(row) == true { return false }
      guard let link = end.linkTable else { return true }
      return try !ReadStatement(
        run.database,
        "SELECT 1 FROM \(link.quotedName) WHERE \(link.otherColumn) = ?1 AND \(link.ownColumn) <> ?2 LIMIT 1"
      ).exists([row.identity, leftOut.list.owner.identity])
    }
    return rows.map { (LinkedRow(end.target, $0), leftOut.policy) }
  }

  /// Stores a response's validator and cursor. Returns whether they changed.
  func remember(_ response: ResponseBookmark?) throws -> Bool {
    guard let response else { return false }
    let model = call.table.name
    let bookmarks = StoredBookmarks(run.database)
    // A model whose list is absent is among them.
    let models = Set(run.order.map(\.table.name) + call.parts.map(\.table.name))
    // The stored rows are no longer those of the former validator either. The former cursor leads to all later changes.
    let validator = hasPassedOver ? nil : response.validator
    let isNew = try bookmarks.set(
      validator.map {
        .init(value: $0.stored, models: run.catalog.reading(of: models, in: run.style))
      }, for: .init(kind: .validator, model: model, name: response.name))
    guard let cursor = response.cursor, !hasPassedOver else { return isNew }
    // The cursor also covers the models that were stored with it before.
    let key = StoredBookmarks.Key(kind: .cursor, model: model, name: response.name)
    let former = try bookmarks.bookmark(key).flatMap {
      run.catalog.models(ofReading: $0.models, in: run.style)
    }
    let reading = run.catalog.reading(of: models.union(former ?? []), in: run.style)
    let isForgotten = try StoredRun(run.database, of: model, response.name).remove()
    return try bookmarks.set(.init(value: cursor, models: reading), for: key) || isForgotten || isNew
  }
}
