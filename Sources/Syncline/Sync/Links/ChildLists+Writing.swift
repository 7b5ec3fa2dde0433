/// Writing the changes of lists, after the whole payload was read.
extension ChildLists {
  func write() throws {
    for column in changes.keys.sorted() {
      guard let lists = changes[column]?.takeUnwritten() else { continue }
      try write(lists, column)
    }
  }

  private func write(_ lists: ListChanges, _ column: LinkEnd) throws {
    let model = run.rows(column.owner)
    for (row, list) in lists.claims where !model.isGiven(row, at: column.position) {
      _ = try model.link(row, at: column.position, to: list.owner.identity)
      if model.journal.isInserted(row) { run.ledger.recordListed(row, at: list) }
    }
    for member in lists.leftOut { try remove(member, in: model, column) }
  }

  private func remove(_ member: ListChanges.LeftOut, in model: ModelRows, _ column: LinkEnd) throws {
    let (row, list) = (member.row, member.list)
    // A row that its own key moved is not a missing member.
    guard !model.isGiven(row, at: column.position),
      try model.target(of: row, at: column.position) == list.owner.identity
    else { return }
    if let policy = member.policy, !model.isNamed(row) {
      missing.leaveOut([row], of: list, policy)
    } else if column.isOptional {
      _ = try model.link(row, at: column.position, to: nil)
    } else if let problem = member.problem, !run.isDeleted(row, in: model) {
      missing.keep(row, of: list, reportedAt: problem)
    }
  }
}
