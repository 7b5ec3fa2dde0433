/// Rows that are missing from lists of the payload, and are deleted or marked because of it.
final class MissingRows {
  private unowned(unsafe) let run: Run
  private var members: [LinkedRow: DeletionPolicy] = [:]
  /// Members that are missing from a page's lists. Another page may have them, and a run that fails deletes nothing.
  private(set) var leftOut: [LeftOutRows] = []
  /// Rows that require the owner of a list that lacks them. They stay in the list, unless the payload deletes them.
  private(set) var kept: [(row: RowKey, list: LinkPlace, problem: PathParts)] = []

  init(_ run: Run) {
    self.run = run
  }

  /// Leaves out members that are missing from a list; for a page, at the end of the pages.
  func leaveOut(_ keys: [RowKey], of list: LinkPlace, _ policy: DeletionPolicy) {
    if run.keepsMissing { return }
    guard run.mode.unseen == nil else {
      return leftOut.append(LeftOutRows(rows: keys, list: list, policy: policy))
    }
    let rows = keys.lazy.map { (LinkedRow(list.end.target, $0), policy) }
    members.merge(rows, uniquingKeysWith: DeletionPolicy.stronger)
  }

  func keep(_ row: RowKey, of list: LinkPlace, reportedAt problem: PathParts) {
    kept.append((row, list, problem))
  }

  /// The members to delete or mark at the end. Restarts if the payload has one of them: such a member only leaves the list.
  func rows() throws -> [(row: LinkedRow, policy: DeletionPolicy)] {
    for row in members.keys where run.rows(row.model).isNamed(row.key) { try run.logLinks() }
    for left in leftOut where left.rows.contains(where: run.rows(left.list.end.target).isNamed) {
      try run.logLinks()
    }
    return members.map { ($0.key, $0.value) }
  }
}

struct LeftOutRows {
  let rows: [RowKey]
  let list: LinkPlace
  let policy: DeletionPolicy
}
