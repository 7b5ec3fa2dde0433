/// The rows that a payload deletes: those that it or its lists lack, and those that the delete rules delete with them.
struct LinkDeletion {
  var gone: Set<LinkedRow> = []
  /// Rows that are kept because other rows deny their deletion.
  var keptRows: Set<LinkedRow> = []
  /// The rows whose deletion is denied, each with a row that denies it.
  var denied: [LinkedRow: LinkedRow] = [:]
  var marked: Set<LinkedRow> = []
}

extension LinkSettlement {
  /// - Returns: whether they differ from before: then links are decided again without them.
  func findDeleted(_ missing: [(row: LinkedRow, policy: DeletionPolicy)]) throws -> Bool {
    // The rows that a page's lists lack are left to the end of the pages, since another page may have them.
    let counting = run.mode.unseen == nil && !run.keepsMissing ? Array(outcomes.values) : []
    let leftOut = counting.flatMap { outcome in outcome.missing.map { ($0.key, $0.value.policy) } }
    var wanted = Dictionary(leftOut, uniquingKeysWith: DeletionPolicy.stronger)
    for (row, policy) in missing { wanted[row] = policy }
    for row in deletion.keptRows { wanted[row] = nil }
    for row in run.answeredSince where wanted.removeValue(forKey: row) != nil { run.lacksAnsweredRows = true }
    let before = deletion.gone
    deletion.denied = deletion.denied.filter { deletion.keptRows.contains($0.key) }
    deletion.marked = Set(wanted.lazy.filter { $0.value == .softDeleteMissing }.map(\.key))
    try delete(wanted.filter { $0.value == .hardDeleteMissing }.keys.sorted())
    // Rows that now reference a deleted row, or deny its deletion.
    for row in before { deletion.gone.formUnion(try rowsDeleted(with: row)) }
    let keptRows = before.intersection(deletion.denied.keys)
    guard keptRows.isEmpty else {
      deletion.keptRows.formUnion(keptRows)
      deletion.gone = []
      return true
    }
    return deletion.gone != before
  }

  /// Deletes rows. A row that denies another one's deletion may be deleted, too: then the other one is tried again, in the opposite
  /// order, since rows mostly follow those that they refer to.
  private func delete(_ rows: [LinkedRow]) throws {
    var open = rows
    while !open.isEmpty {
      let count = deletion.gone.count
      open.reverse()
      for row in open where !deletion.gone.contains(row) {
        let found = try rowsDeleted(with: row)
        if !found.isEmpty { deletion.denied[row] = nil }
        deletion.gone.formUnion(found)
      }
      open.removeAll(where: deletion.gone.contains)
      if deletion.gone.count == count { return }
    }
  }

  /// The rows that the delete rules delete with a row; empty if one denies it.
  private func rowsDeleted(with row: LinkedRow) throws -> Set<LinkedRow> {
    var (found, open): (Set<LinkedRow>, [LinkedRow]) = ([], [row])
    var denying: Set<LinkedRow> = []
    while let row = open.popLast() {
      guard found.insert(row).inserted else { continue }
      let model = run.rows(row.model)
      for end in model.entry.references where end.ownerRule != .nullify || !end.isOptional {
        for holder in try holders(of: row, at: end) {
          // No rule deletes a row that the payload has. It loses the link, or denies the deletion if it requires the link.
          if end.ownerRule == .cascade, try !isHeld(holder) {
            open.append(holder)
          } else if end.ownerRule == .deny || !end.isOptional {
            denying.insert(holder)
          }
        }
      }
      for case let end? in model.entry.ends where end.isColumn {
        guard let rule = end.deleteRule, rule != .nullify, let target = try target(of: row, at: end),
          target.model == end.target, !deletion.gone.contains(target),
          // The links of a row that is already found to be deleted are not decided again, so the payload may give its stored
          // partner to another row.
          !end.isUnique || holder(of: target, at: end, besides: row) == nil
        else { continue }
        if rule == .deny {
          denying.insert(target)
        } else if try !isHeld(target) {
          open.append(target)
        }
      }
    }
    if let other = denying.subtracting(found).subtracting(deletion.gone).min() {
      deletion.denied[row] = other
      return []
    }
    return found
  }

  /// Whether the payload has a row. For a page, the rows of earlier pages and those that came since the first one count, too.
  private func isHeld(_ row: LinkedRow) throws -> Bool { try stored.isHeld(row) || run.isOnPage(row) }

  /// The rows that reference a row once links are decided, or that did before and reference nothing now.
  private func holders(of row: LinkedRow, at column: LinkEnd) throws -> [LinkedRow] {
    let decided = outcomes[statements.group(of: column)]?.targets ?? [:]
    let staying = try stored.holders(of: row, at: column).filter { holder in
      let target = decided[holder] ?? nil
      return !deletion.gone.contains(holder) && (target == nil || target == row)
    }
    let known = Set(staying)
    let coming = try decidedHolders(of: row, at: column).filter {
      try !known.contains($0) && stored.exists($0) && !deletion.gone.contains($0)
    }
    return staying + coming
  }
}
