import Foundation

/// Rows that a payload does not name: they are deleted, or marked, as the call's policies say.
final class MissingRows {
  private unowned(unsafe) let run: Run
  private let rules: DeleteRules
  private let deletedTargets: DeletedTargets
  /// When the sync began, for soft deletions.
  private let now = Date()
  /// Members that lists of links do not name.
  private var postponed: [(keys: [RowKey], model: ModelRows, policy: DeletionPolicy)] = []
  /// Members that lists of a page do not name: another page may have them, and a run that fails deletes nothing.
  private(set) var leftOut: [LeftOutRows] = []

  init(_ run: Run, _ rules: DeleteRules, _ deletedTargets: DeletedTargets) {
    self.run = run
    self.rules = rules
    self.deletedTargets = deletedTargets
  }

  /// Deletes members that a list of links does not name when all of the payload was read, if it does not name them
  /// elsewhere.
  func postpone(_ keys: [RowKey], in model: ModelRows, _ policy: DeletionPolicy) {
    postponed.append((keys, model, policy))
  }

  /// Leaves members that a list does not name to the end of the pages.
  ///
  /// - Returns: false where the payload is no page of a whole list.
  func leaveOut(_ keys: [RowKey], of list: LinkPlace, _ policy: DeletionPolicy) -> Bool {
    guard run.mode.unseen != nil else { return false }
    leftOut.append(LeftOutRows(rows: keys, list: list, policy: policy))
    return true
  }

  func deletePostponed() throws {
    for (keys, model, policy) in postponed {
      try delete(keys.filter { !model.isNamed($0) }, in: model, policy)
    }
  }

  /// Deletes or marks rows.
  ///
  /// - Parameter isOfSlice: whether they are rows of the slice, not members that a list leaves out.
  func delete(
    _ keys: [RowKey], in model: ModelRows, _ policy: DeletionPolicy, isOfSlice: Bool = false
  ) throws {
    switch policy {
    case .none: break
    case .hardDeleteMissing:
      for row in keys {
        try run.checkCancellation()
        if isOfSlice { try noteLists(of: row, in: model) }
        try rules.delete(row, in: model)
      }
    case .softDeleteMissing:
      for row in keys { try model.softDelete(row, at: now) }
    }
  }

  /// Deletes a row alone: what goes with it by the delete rules is known.
  func delete(_ row: RowKey, in model: ModelRows) throws { try rules.deleteRow(row, in: model) }

  /// Marks a row as deleted.
  func mark(_ row: RowKey, in model: ModelRows) throws { try model.softDelete(row, at: now) }

  /// Notes the lists that a row is in, which may name it though the payload does not hold it.
  private func noteLists(of row: RowKey, in model: ModelRows) throws {
    // A row that is unique within its parent is not waited for.
    guard model.table.parentScope == nil else { return }
    for case let end? in model.entry.ends where end.isColumn {
      guard let list = end.inverse, let owner = try model.target(of: row, at: end.position) else { continue }
      deletedTargets.note(row.identity, at: LinkPlace(end: list, owner: RowKey(identity: owner)))
    }
  }
}
