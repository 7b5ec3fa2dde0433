import GRDB

/// Discarding edits, and sending them again.
extension PendingChanges {
  /// Resets a row to its base, and restores the rows and links that were deleted with it. If a request is not answered, the entry
  /// is kept.
  func discard(_ row: RowKey, _ model: OfflineModel) throws {
    let store = StoredEdits(database, of: model)
    guard let edit = try store.edit(of: row) else { return }
    let isBack = try store.stored(row) == nil
    if try resetToBase(edit, store) != nil, isBack { try restoreDeleted(with: row, model) }
  }

  /// - Returns: the base; nil if the row cannot have it.
  private func resetToBase(_ edit: Edit, _ store: StoredEdits) throws -> Edit.Values? {
    let (row, model) = (edit.row, store.model)
    let local = try store.stored(row)
    // A row cannot be restored if a row that it requires is not stored.
    let linked =
      edit.isGone ? nil : try edit.base.flatMap { try store.linked(keepingOwners($0, of: local, model)) }
    let base = try linked.map { try store.withoutTaken($0, of: row) }
    if local == nil, let base, try store.hasTakenValue(base, of: row) {
      // The next sync stores the row, once its value is free.
      try store.set(.own, base, of: edit)
      try store.set([Column.isAside: true, Column.isWithOwner: false], of: edit)
      return nil
    }
    switch (local, base) {
    case (nil, nil):
      // The row that it requires is deleted, too: it comes back with that row.
      if edit.base != nil, !edit.isGone, !edit.isUnanswered {
        try store.set([Column.isWithOwner: true, Column.isAside: false], of: edit)
        if let edit = try store.edit(of: row), let change = try change(edit, in: store),
          try isConsequence(change)
        {
          return nil
        }
      }
    case (nil, let base?):
      guard try store.insert(base, ignoresConflicts: true) else {
        // It lacks a property that became required since. The next sync inserts it, and the rows that were deleted with it.
        if !edit.isUnanswered {
          try store.remove(edit)
          try endConsequences(ofDeleting: row, model)
        }
        return nil
      }
    case (_?, nil):
      try returnToFormerOwners(rowsOf: row, model)
      if edit.isGone, !edit.isUnanswered {
        try store.remove(edit)
        try deleteOrKeep(row, model)
        return nil
      }
      try store.delete(row)
    case (let local?, let base?):
      let columns = base.differingColumns(from: local)
      try store.clearUnique(columns, of: edit)
      try store.update(row, columns, to: base.columns)
    }
    if let base {
      for (list, members) in zip(model.lists, base.lists) { try store.set(list, of: row, to: members) }
      try store.correct(row, base)
    }
    var isKept = edit.isUnanswered || base != linked
    if let linked, let former = edit.base, !isKept {
      // The links to rows whose deletion is pending return if these deletions are discarded.
      isKept = try lacksDeletedRows(linked, of: former, model)
    }
    if isKept {
      try store.set([Column.isAside: false], of: edit)
      try store.set(forced: [], of: edit)
      if !edit.isUnanswered { try store.set(PendingChanges.answered, of: edit) }
    } else {
      try store.remove(edit)
    }
    return base
  }

  /// The base with the local values of local properties, and with the current owners in place of those whose deletion is pending.
  private func keepingOwners(
    _ base: Edit.Values, of local: Edit.Values?, _ model: OfflineModel
  ) throws -> Edit.Values {
    var values = model.keepingLocal(base, of: local)
    guard let local else { return values }
    for end in model.owners {
      guard let owner = SyncIdentity(values.columns[end.position]),
        try isDeleted(LinkedRow(end.target, owner))
      else { continue }
      values.columns[end.position] = local.columns[end.position]
    }
    return values
  }

  /// Returns rows that would be deleted with a row to their former owner, if they had another one.
  private func returnToFormerOwners(rowsOf row: RowKey, _ model: OfflineModel) throws {
    for (store, end) in catalog.dependents(on: model.entry.number, in: database) {
      for child in try store.rows(heldBy: row.identity, at: end) {
        guard let edit = try store.edit(of: child), let base = edit.base,
          let owner = SyncIdentity(base.columns[end.position]),
          try owner != row.identity && store.isStored(owner, end)
        else {
          // It is deleted with the row.
          try returnToFormerOwners(rowsOf: child, store.model)
          continue
        }
        let former = base.columns[end.position]
        if try store.isFree(former, at: end.position, for: child) {
          try store.update(child, [end.position], to: base.columns)
        } else {
          // The first sync that finds the former partner free restores the row.
          try deleteOrKeep(child, store.model, isGone: false)
          try store.set([EditTable.Version.own.column(end.name): former], of: edit)
        }
      }
    }
  }

  /// Restores the rows that were deleted with the row that they require, and the links to it that were cleared.
  private func restoreDeleted(with row: RowKey, _ model: OfflineModel) throws {
    for end in model.entry.references {
      guard let store = edits(at: end) else { continue }
      // A row that was moved to it before returns to its former owner.
      for edit in try store.edits(ofRowsOf: row.identity, at: end, in: .own)
      where edit.isWithOwner && edit.aside == nil && !edit.isUnanswered {
        if try store.stored(edit.row) == nil { try discard(edit.row, store.model) }
      }
      for edit in try store.edits(ofRowsOf: row.identity, at: end) where !edit.isUnanswered {
        // A row that was set aside comes back with its edit when it is synced.
        guard let base = edit.base, edit.aside == nil else { continue }
        let local = try store.stored(edit.row)
        if local == nil, edit.isWithOwner || end.ownerRule == .cascade {
          try discard(edit.row, store.model)
        } else if let local, end.isOptional,
          // A row that another case of the union links keeps that link.
          store.table.withOtherCases(end.position).allSatisfy({ local.columns[$0].isNull }),
          try store.isFree(base.columns[end.position], at: end.position, for: edit.row)
        {
          try store.update(edit.row, [end.position], to: base.columns)
          try endIfWithoutEffect(edit.row, store)
        }
      }
    }
    for other in catalog.offlineModels {
      let store = StoredEdits(database, of: other)
      for list in other.lists where list.target == model.entry.number {
        for edit in try store.edits(ofRowsWith: row.identity, in: list) where !edit.isUnanswered {
          guard edit.aside == nil, try store.stored(edit.row) != nil else { continue }
          var members = try store.members(of: list, edit.row)
          if members.insert(row.identity).inserted { try store.set(list, of: edit.row, to: members) }
          try endIfWithoutEffect(edit.row, store)
        }
      }
    }
  }

  /// Ends the edits that the deletion of a row made: the deletions of rows that require it, and the removal of links to it.
  private func endConsequences(ofDeleting row: RowKey, _ model: OfflineModel) throws {
    try endDeletions(with: row, model, isAnswered: false)
    for end in model.entry.references where end.isOptional {
      guard let store = edits(at: end) else { continue }
      for edit in try store.edits(ofRowsOf: row.identity, at: end) where !edit.isUnanswered {
        guard try store.stored(edit.row)?.columns[end.position].isNull == true else { continue }
        try store.set([EditTable.Version.base.column(end.name): nil], of: edit)
        try endIfWithoutEffect(edit.row, store)
      }
    }
    for other in catalog.offlineModels {
      let store = StoredEdits(database, of: other)
      for (index, list) in other.lists.enumerated() where list.target == model.entry.number {
        for edit in try store.edits(ofRowsWith: row.identity, in: list) where !edit.isUnanswered {
          guard var base = edit.base else { continue }
          base.lists[index].remove(row.identity)
          try store.set(.base, base, of: edit)
          try endIfWithoutEffect(edit.row, store)
        }
      }
    }
  }

  /// Resets all rows. Since they may reference each other, links are checked last.
  func discardAll() throws {
    let edited = try catalog.offlineModels.flatMap { model in
      let store = StoredEdits(database, of: model)
      return try store.all().map { try EditedRow($0, store) }
    }
    for row in edited { try row.store.remove(row.edit) }
    for (row, base) in try EditedRow.resetToBase(edited, sources, isFinal: true) {
      let (key, store) = (row.edit.row, row.store)
      guard let linked = try store.linked(base).map({ try store.withoutTaken($0, of: key) }) else {
        try store.delete(key)
        continue
      }
      try store.update(key, linked.differingColumns(from: base), to: linked.columns)
      for (list, members) in zip(store.model.lists, linked.lists) {
        try store.set(list, of: key, to: members)
      }
    }
  }

  /// - Parameter isNew: whether a row that the server no longer has is sent as a new one.
  func retry(_ row: RowKey, _ model: OfflineModel, asNew isNew: Bool) throws {
    let store = StoredEdits(database, of: model)
    guard let edit = try store.edit(of: row), !edit.isUnanswered else { return }
    if edit.reason != nil { try store.set(PendingChanges.answered, of: edit) }
    if isNew, edit.isGone, try edit.aside != nil || store.stored(row) != nil {
      try store.set([Column.isNew: true, Column.isGone: false], of: edit)
    }
  }

  /// Deletes a row and the rows that require it. Edited rows among these are set aside instead.
  ///
  /// - Parameter isGone: whether the server has deleted them, too.
  func deleteOrKeep(_ row: RowKey, _ model: OfflineModel, isGone: Bool = true) throws {
    for (store, end) in catalog.dependents(on: model.entry.number, in: database) {
      for child in try store.rows(heldBy: row.identity, at: end) {
        try deleteOrKeep(child, store.model, isGone: isGone)
      }
    }
    let store = StoredEdits(database, of: model)
    guard let edit = try store.edit(of: row), let local = try store.stored(row),
      model.kind(of: edit, local) != nil
    else { return try store.delete(row) }
    try store.set(.own, local, of: edit)
    try store.set(
      [Column.isAside: true, Column.isGone: edit.isGone || isGone && edit.base != nil], of: edit)
    // The rows that require it are already deleted.
    try store.delete(row)
  }
}
