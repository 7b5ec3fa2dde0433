/// Writing what lists say, now that all of the payload is known.
extension ChildLists {
  func write() throws {
    for column in claims.keys.sorted() {
      guard let lists = claims[column]?.takeUnwritten() else { continue }
      try write(lists, column)
    }
    try checkStanding()
  }

  private func write(_ lists: ListClaims, _ column: LinkEnd) throws {
    let model = run.rows(column.owner)
    for (row, claim) in lists.claims.sorted(by: { $0.key.identity < $1.key.identity }) {
      try write(claim, of: row, in: model, column)
      // The list that it was in says so too.
      if let leftOut = lists.leftOut[row], !model.journal.isInserted(row) {
        run.ledger.recordListed(row, at: leftOut.place)
      }
    }
    for (row, leftOut) in lists.leftOut.sorted(by: { $0.key.identity < $1.key.identity })
    where lists.claims[row] == nil {
      try remove(row, leftOut, in: model, column)
    }
    for (row, owner) in lists.unlisted.sorted(by: { $0.key.identity < $1.key.identity })
    where lists.claims[row] == nil && column.isOptional {
      guard try model.target(of: row, at: column.position) == owner else { continue }
      _ = try model.link(row, at: column.position, to: nil)
    }
  }

  private func write(
    _ claim: ListClaims.Claim, of row: RowKey, in model: ModelRows, _ column: LinkEnd
  ) throws {
    if try model.isGiven(row, at: column.position) || isOfLaterCase(row, in: model, than: column) { return }
    let owner = run.rows(claim.place.end.owner)
    if claim.wasCounted, let old = try model.target(of: row, at: column.position),
      owner.journal.isInserted(RowKey(identity: old))
    {
      run.ledger.takeBackListed(by: owner)
    }
    let isLinked = try model.link(row, at: column.position, to: claim.place.owner.identity)
    if isLinked || (model.journal.isInserted(row) && !claim.wasCounted) {
      run.ledger.recordListed(row, at: claim.place)
    }
  }

  /// Whether lists of several cases of a union have a row, of which the last is kept.
  private func isOfLaterCase(_ row: RowKey, in model: ModelRows, than column: LinkEnd) throws -> Bool {
    let others = model.table.unionGates[column.position]?.otherColumns ?? []
    for position in others where position > column.position {
      guard let end = model.end(position) else { continue }
      if claims[end]?.claims[row] != nil { return true }
      if run.isDecided(LinkPlace(end: end, owner: row)), try model.target(of: row, at: position) != nil {
        return true
      }
    }
    return false
  }

  private func remove(
    _ row: RowKey, _ leftOut: ListClaims.LeftOut, in model: ModelRows, _ column: LinkEnd
  ) throws {
    // What its own key moved is no member that is missing.
    guard !model.isGiven(row, at: column.position),
      try model.target(of: row, at: column.position) == leftOut.place.owner.identity,
      !leftOut.incomplete.contains(where: { model.journal.isSkipped($0) })
    else { return }
    let owner = run.rows(leftOut.place.end.owner)
    if let policy = leftOut.policy {
      guard !model.isNamed(row) else { return }
      if missing.leaveOut([row], of: leftOut.place, policy) { return }
      try missing.delete([row], in: model, policy)
    } else if column.isOptional {
      guard try model.link(row, at: column.position, to: nil) else { return }
      if model.journal.isInserted(row), owner.journal.isInserted(leftOut.place.owner) {
        // An earlier list of the row may have counted it.
        if model.named.isMarked(row, at: column.position) { run.ledger.takeBackListed(by: owner) }
      } else {
        run.ledger.recordListed(row, at: leftOut.place)
      }
    } else if let problem = leftOut.problem {
      run.log.record(
        SyncProblem(
          model: owner.table.name, row: problem.row, identity: leftOut.place.owner.identity.description,
          path: problem.path,
          .missingRequired(
            model: model.table.name, identity: row.identity.description, column: column.name),
          action: .keptRow))
    }
  }
}
