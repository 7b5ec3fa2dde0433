/// The end of a run of pages, and what the store remembers of responses.
extension SyncTransaction {
  /// Deletes what no page has named.
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
      // Another may have taken the row meanwhile.
      keys = try keys.filter { try rows.target(of: $0, at: scope.position) == scope.parent }
    }
    try settle {
      try links.missing.delete(keys, in: rows, arguments.policy, isOfSlice: true)
      for leftOut in notes.leftOut { try delete(leftOut, besides: notes.unseen) }
    }
    try finishPending()
  }

  /// Deletes what is still in the list that has left it out, and in no other; and what no page has named.
  private func delete(_ leftOut: LeftOutRows, besides unseen: UnseenRows?) throws {
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
    try links.missing.delete(rows, in: run.rows(end.target), leftOut.policy)
  }

  /// Writes what the store remembers of the response; says whether that is anything new.
  func remember(_ response: ResponseBookmark?) throws -> Bool {
    guard let response else { return false }
    let model = call.table.name
    let bookmarks = StoredBookmarks(run.database)
    let models = run.order.map(\.table.name)
    let isNew = try bookmarks.set(
      response.validator.map {
        .init(value: $0.stored, models: run.catalog.reading(of: models, in: run.style))
      }, for: .init(kind: .validator, model: model, name: response.name))
    guard let cursor = response.cursor else { return isNew }
    // What was stored before by the same cursor is gone on with.
    let key = StoredBookmarks.Key(kind: .cursor, model: model, name: response.name)
    let former = try bookmarks.bookmark(key).flatMap {
      run.catalog.models(ofReading: $0.models, in: run.style)
    }
    let reading = run.catalog.reading(of: Set(models).union(former ?? []), in: run.style)
    let isForgotten = try StoredRun(run.database, of: model, response.name).remove()
    return try bookmarks.set(.init(value: cursor, models: reading), for: key) || isForgotten || isNew
  }
}
