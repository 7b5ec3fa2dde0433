import Foundation

extension ModelRows {
  /// Marks a row as deleted at a date, unless it is already marked.
  func softDelete(_ row: RowKey, at date: Date) throws {
    guard let position = table.softDelete else { return }
    let statement = try WriteStatement(
      run.database,
      "UPDATE \(table.quotedName) SET \(column(position)) = ?1"
        + " WHERE \(condition(row, from: 2)) AND \(column(position)) IS NULL")
    let parameters = statement.restart()
    parameters.bind(date.syncDatabaseValue, at: 1)
    bind(row, to: parameters, from: 2)
    if try statement.execute() > 0 { journal.recordSoftDeletion(row) }
  }
}

/// Deletes rows, once it is known which rows the delete rules delete with them.
extension PayloadLinks {
  /// Deletes the links to a row, which is to be deleted.
  func deleteLinks(to row: RowKey, in model: ModelRows) throws {
    try checkStatements(about: row, in: model)
    try run.ledger.forget(row, in: model)
    for end in model.entry.references where end.isOptional {
      let owner = run.rows(end.owner)
      for holder in try owner.holderKeys(of: row.identity, at: end.position) {
        // If the payload states the link, it becomes pending.
        if owner.isNamed(holder) { try run.logLinks() }
        run.ledger.forgetMember(holder, at: end, of: row)
        _ = try owner.link(holder, at: end.position, to: nil)
      }
    }
    for links in model.entry.links { try deleteLinks(links, of: row, in: model) }
    try pending.forget(row, in: model)
  }

  /// - Returns: whether the row was stored.
  func delete(_ row: RowKey, in model: ModelRows) throws -> Bool {
    let deletion = try WriteStatement(
      run.database, "DELETE FROM \(model.table.quotedName) WHERE \(model.condition(row, from: 1))")
    model.bind(row, to: deletion.restart())
    return try deletion.execute() > 0
  }

  /// Restarts if a list or a partner references the row although the payload has no object of it: these links become pending.
  private func checkStatements(about row: RowKey, in model: ModelRows) throws {
    // No link waits for a row that is unique within its parent.
    guard model.table.parentScope == nil else { return }
    for case let end? in model.entry.ends where end.isColumn && end.inverse != nil {
      let place = LinkPlace(end: end, owner: row)
      if run.isDecided(place) || pairs.isStatedByPartner(place) { try run.logLinks() }
    }
  }

  private func deleteLinks(_ links: ModelCatalog.Links, of row: RowKey, in model: ModelRows) throws {
    let link = links.table
    let members = try run.members(of: row.identity, in: link)
    guard !members.isEmpty else { return }
    let isNew = model.journal.isInserted(row)
    var removed = 0
    for member in members {
      if let far = links.far {
        let list = LinkPlace(end: far, owner: RowKey(identity: member))
        if run.mayHaveList(list) { try run.logLinks() }
      }
      if try !run.ledger.cancel(member, of: row, in: links, isNew: isNew) { removed += 1 }
    }
    run.rows(links.end.owner).counts.unlinked += removed
    try WriteStatement(run.database, "DELETE FROM \(link.quotedName) WHERE \(link.ownColumn) = ?1")
      .execute(row.identity)
  }
}
