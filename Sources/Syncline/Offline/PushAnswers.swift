import Foundation
import GRDB

/// Records what the server answered, and decisions of the user, in a transaction in which the triggers are off.
struct PushAnswers {
  private typealias Column = EditTable.Column

  private let changes: PendingChanges
  private var database: Database { changes.database }

  init(_ changes: PendingChanges) { self.changes = changes }

  /// The edit that an answer is about; nil if the answer is late: the edit was answered already.
  private func edit(_ row: RowKey, _ model: OfflineModel, _ key: String) throws -> (
    edit: Edit, store: StoredEdits
  )? {
    let store = StoredEdits(database, of: model)
    guard let edit = try store.edit(of: row), edit.sent?.key == key, edit.reason == nil else { return nil }
    return (edit, store)
  }

  /// What an entry holds of what was sent, once that is answered.
  private static var answered: [String: (any DatabaseValueConvertible)?] {
    [
      Column.sentKind: nil, Column.pushKey: nil, Column.body: nil, Column.sentAt: nil, Column.nextTry: nil,
      Column.attempts: nil, Column.reason: nil, Column.isPulled: false, Column.forced: nil,
    ]
  }

  // MARK: Answers

  /// The server has what was sent.
  func confirm(_ row: RowKey, _ model: OfflineModel, key: String) throws {
    guard let (edit, store) = try edit(row, model, key), let sent = edit.sent else { return }
    let local = try store.stored(row)
    var forced: Set<String> = []
    if sent.kind == .delete {
      guard local != nil || edit.aside != nil || edit.isPulled else { return try store.remove(edit) }
      if edit.isPulled, local == nil, let base = try edit.base.flatMap({ try store.linked($0) }) {
        // A pull has changed the row since: it comes back.
        try store.insert(base, of: row)
        for (list, members) in zip(model.lists, base.lists) { try store.set(list, of: row, to: members) }
        return try store.remove(edit)
      }
      // The row was inserted anew meanwhile.
      try store.set([Column.isNew: true, Column.isGone: false], of: edit)
    } else if edit.isPulled, edit.isGone {
      // A pull has deleted the row since.
      if let local, model.isSame(sent.values, local) {
        try store.delete(row)
        return try store.remove(edit)
      }
    } else if edit.isPulled {
      // What a pull said since is newer. What was edited since is sent, even if it equals that.
      if let local {
        let names = model.difference(sent.values, local).columns.map { model.table.properties[$0].name }
        forced = edit.forced.intersection(names)
      }
    } else {
      try rebase(edit, store)
    }
    try store.set(PushAnswers.answered, of: edit)
    if sent.kind != .delete {
      try store.set([Column.isNew: false, Column.isGone: edit.isPulled && edit.isGone], of: edit)
    }
    try store.set(forced: forced, of: edit)
    try sweep(row, store)
  }

  /// Makes what was sent the base. The stamp stays the server's.
  private func rebase(_ edit: Edit, _ store: StoredEdits) throws {
    let model = store.model
    try store.copy(.sent, to: .base, of: edit)
    guard let stamp = model.table.updatedAt else { return }
    let property = model.table.properties[stamp]
    // Older than any answer.
    let oldest = property.isOptional ? DatabaseValue.null : "1970-01-01 00:00:00.000000".databaseValue
    try store.set(
      [EditTable.Version.base.column(property.name): edit.base?.columns[stamp] ?? oldest], of: edit)
  }

  /// Ends an edit that changes nothing any more.
  private func sweep(_ row: RowKey, _ store: StoredEdits) throws {
    guard let edit = try store.edit(of: row), edit.sent == nil, edit.aside == nil else { return }
    let local = try store.stored(row)
    guard store.model.kind(of: edit, local) == nil else { return }
    if let stamp = store.model.table.updatedAt, let base = edit.base, local != nil {
      try store.update(row, [stamp], to: base.columns)
    }
    try store.remove(edit)
  }

  func reject(_ row: RowKey, _ model: OfflineModel, key: String, _ reason: String) throws {
    guard let (edit, store) = try edit(row, model, key) else { return }
    try store.set([Column.reason: reason, Column.nextTry: nil], of: edit)
    try store.set(forced: [], of: edit)
  }

  func postpone(_ row: RowKey, _ model: OfflineModel, key: String, until time: Double) throws {
    guard let (edit, store) = try edit(row, model, key) else { return }
    try store.set([Column.nextTry: time], of: edit)
  }

  /// What was sent has ended: the edit is sent anew, on what the server says.
  func forgetSent(_ row: RowKey, _ model: OfflineModel, key: String) throws -> Bool {
    guard let (edit, store) = try edit(row, model, key) else { return false }
    try store.set(PushAnswers.answered, of: edit)
    try store.set([Column.attempts: edit.attempts], of: edit)
    return true
  }

  // MARK: Identities

  /// Gives a row the identity that the server made: in its table, in what refers to it, and in all edits.
  func rename(_ row: RowKey, _ model: OfflineModel, key: String, to identity: SyncIdentity) throws {
    guard row.identity != identity, let (edit, store) = try edit(row, model, key) else { return }
    let new = RowKey(identity: identity, parent: row.parent)
    let local = try store.stored(row)
    let pulled = try store.stored(new)
    let other = try store.edit(of: new)
    if let pulled, local != nil {
      // A pull has brought the row: it is the base, and what was edited since it was sent stays on top.
      try store.takeOut(row)
      if let other { try store.remove(other) }
      try move(row.identity, to: identity, model)
      try store.setKey(new, of: edit)
      try store.setBase(other?.base ?? pulled, of: edit)
      try store.set(PushAnswers.answered, of: edit)
      try store.set([Column.isNew: false], of: edit)
      guard let local, let sent = edit.sent?.values else { return }
      var values = pulled
      let (columns, lists) = model.difference(sent, local)
      for position in columns { values.columns[position] = local.columns[position] }
      try store.update(new, columns, to: values.columns)
      for list in lists { try store.set(model.lists[list], of: new, to: local.lists[list]) }
      return try sweep(new, store)
    }
    if local != nil { try store.setIdentity(of: row, to: identity.databaseValue) }
    try move(row.identity, to: identity, model)
    try store.setKey(new, of: edit)
  }

  /// Replaces an identity in all columns, links, pending links and edits that refer to it.
  private func move(_ old: SyncIdentity, to new: SyncIdentity, _ model: OfflineModel) throws {
    let values: StatementArguments = [new.databaseValue, old.databaseValue]
    for reference in model.entry.references {
      let table = reference.end.table
      let column = table.properties[reference.end.position].quotedName
      try write("UPDATE \(table.quotedName) SET \(column) = ?1 WHERE \(column) = ?2", values)
      guard table.isOffline else { continue }
      for version in EditTable.Version.allCases {
        let column = version.column(reference.end.name).quotedIdentifier
        try write(
          "UPDATE \(EditTable.name(of: table.name).quotedIdentifier) SET \(column) = ?1 WHERE \(column) = ?2",
          values)
      }
      if table.parentScope == reference.end.position {
        let column = "\"\(EditTable.Column.parent)\""
        try write(
          "UPDATE \(EditTable.name(of: table.name).quotedIdentifier) SET \(column) = ?1 WHERE \(column) = ?2",
          values)
      }
    }
    for links in model.entry.links {
      let column = links.table.ownColumn
      try write(
        "UPDATE OR REPLACE \(links.table.quotedName) SET \"\(column)\" = ?1 WHERE \"\(column)\" = ?2", values)
    }
    for other in changes.catalog.offlineModels {
      for list in other.lists where list.target == model.entry.number {
        try moveMember(old, to: new, in: list, of: other)
      }
    }
    let table = StoredPendingLinks.table
    try write(
      "UPDATE \(table) SET \"targetID\" = ?1 WHERE \"targetID\" = ?2 AND \"target\" = ?3",
      values + [model.table.name])
    try write(
      "UPDATE \(table) SET \"ownerID\" = ?1 WHERE \"ownerID\" = ?2 AND \"owner\" = ?3",
      values + [model.table.name])
  }

  /// Replaces a member in the lists that edits keep.
  private func moveMember(
    _ old: SyncIdentity, to new: SyncIdentity, in list: LinkEnd, of model: OfflineModel
  ) throws {
    func form(_ identity: SyncIdentity) -> DatabaseValue {
      if case .uuid(let uuid) = identity { return uuid.uuidString.replacing("-", with: "").databaseValue }
      return identity.databaseValue
    }
    for version in EditTable.Version.allCases {
      let column = version.column(list.name).quotedIdentifier
      try write(
        """
        UPDATE \(model.editTable) SET \(column) = (
          SELECT json_group_array(CASE WHEN value = ?2 THEN ?1 ELSE value END) FROM json_each(\(column)))
        WHERE EXISTS (SELECT 1 FROM json_each(\(column)) WHERE value = ?2)
        """, [form(new), form(old)])
    }
  }

  private func write(_ sql: String, _ arguments: StatementArguments) throws {
    try database.cachedStatement(sql: sql).execute(arguments: arguments)
  }

  // MARK: Decisions of the user

  /// Puts a row back to its base. If something was sent and is not answered, the entry stays.
  func discard(_ row: RowKey, _ model: OfflineModel) throws {
    let store = StoredEdits(database, of: model)
    guard let edit = try store.edit(of: row) else { return }
    let local = try store.stored(row)
    // A row that requires a row which is gone cannot come back.
    let base = edit.isGone ? nil : try edit.base.flatMap { try store.linked($0) }
    switch (local, base) {
    case (nil, nil): break
    case (nil, let base?):
      try store.insert(base, of: row)
      try comeBack(with: row, model)
    case (_?, nil): try store.delete(row)
    case (let local?, let base?):
      let columns = base.differingColumns(from: local)
      try store.clearUnique(columns, of: edit)
      try store.update(row, columns, to: base.columns)
    }
    if let base {
      for (list, members) in zip(model.lists, base.lists) { try store.set(list, of: row, to: members) }
    }
    if edit.isUnanswered {
      try store.set([EditTable.Column.isAside: false], of: edit)
      try store.set(forced: [], of: edit)
    } else {
      try store.remove(edit)
    }
  }

  /// Brings back the rows that were deleted with the row that they require, and the links to it that were cleared.
  private func comeBack(with row: RowKey, _ model: OfflineModel) throws {
    for reference in model.entry.references {
      guard let other = OfflineModel(changes.catalog.entries[reference.end.owner]) else { continue }
      let store = StoredEdits(database, of: other)
      for edit in try store.all() where !edit.isUnanswered {
        guard let base = edit.base, SyncIdentity(base.columns[reference.end.position]) == row.identity else {
          continue
        }
        let local = try store.stored(edit.row)
        if local == nil, !reference.end.isOptional || reference.rule == .cascade {
          try discard(edit.row, other)
        } else if let local, reference.end.isOptional, local.columns[reference.end.position].isNull {
          try store.update(edit.row, [reference.end.position], to: base.columns)
          try sweep(edit.row, store)
        }
      }
    }
  }

  func discardAll() throws {
    for model in changes.catalog.offlineModels {
      let store = StoredEdits(database, of: model)
      for edit in try store.all() {
        try store.set(PushAnswers.answered, of: edit)
        try discard(edit.row, model)
      }
    }
  }

  func retry(_ row: RowKey, _ model: OfflineModel) throws {
    let store = StoredEdits(database, of: model)
    guard let edit = try store.edit(of: row), edit.reason != nil else { return }
    try store.set(PushAnswers.answered, of: edit)
  }
}
