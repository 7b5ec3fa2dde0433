import GRDB

/// Replacing the identities of new rows with those that the server created.
extension PushAnswers {
  /// Gives a row the identity that the server created: in its table, in all references to it, and in all edits.
  func rename(_ row: RowKey, _ model: OfflineModel, key: String, to identity: SyncIdentity) throws {
    guard row.identity != identity, let (edit, store) = try edit(row, model, key) else { return }
    let new = RowKey(identity: identity, parent: row.parent)
    let local = try store.stored(row)
    let pulled = try store.stored(new)
    let other = try store.edit(of: new)
    if let pulled, local != nil {
      // A pull has already inserted the row with the server's identity. It becomes the base, and later edits are kept.
      try store.removeTemporarily(row, changes.sources, isReferenced: true)
      if let other { try store.remove(other) }
      try move(row.identity, to: identity, model)
      try store.setKey(new, of: edit)
      try store.set(.base, other?.base ?? pulled, of: edit)
      try store.set(PushAnswers.answered, of: edit)
      try store.set([Column.isNew: false], of: edit)
      guard let local, let sent = edit.sent?.values else { return }
      var values = pulled
      let (columns, lists) = model.difference(sent, local)
      let kept = columns + model.local
      for position in kept { values.columns[position] = local.columns[position] }
      try store.update(new, kept, to: values.columns)
      for list in lists { try store.set(model.lists[list], of: new, to: local.lists[list]) }
      return try endIfWithoutEffect(new, store)
    }
    // If a pull has inserted the row too, the user has deleted one of the two, or both.
    if let other { try store.remove(other) }
    if pulled != nil { try store.delete(new) }
    if local != nil { try store.setIdentity(of: row, to: identity.databaseValue, isReferenced: true) }
    try move(row.identity, to: identity, model)
    try store.setKey(new, of: edit)
  }

  /// Replaces an identity in all columns, links, pending links and edits that refer to it.
  private func move(_ old: SyncIdentity, to new: SyncIdentity, _ model: OfflineModel) throws {
    func replace(_ column: String, in table: String, or clause: String = "") throws {
      let column = column.quotedIdentifier
      try WriteStatement(database, "UPDATE\(clause) \(table) SET \(column) = ?1 WHERE \(column) = ?2")
        .execute(new, old)
    }
    for reference in model.entry.references {
      let (end, table) = (reference.end, reference.end.table)
      try replace(end.name, in: table.quotedName)
      guard table.isOffline else { continue }
      let edits = EditTable.name(of: table.name).quotedIdentifier
      for version in EditTable.Version.allCases { try replace(version.column(end.name), in: edits) }
      if table.parentScope == end.position { try replace(EditTable.Column.parent, in: edits) }
    }
    for reference in model.entry.references { try composeAnew(rowsOf: reference.end, new) }
    for links in model.entry.links {
      try replace(links.table.ownColumn, in: links.table.quotedName, or: " OR REPLACE")
    }
    for other in changes.catalog.offlineModels {
      for list in other.lists where list.target == model.entry.number {
        try moveMember(old, to: new, in: list, of: other)
      }
    }
    for reference in try StoredEdits(database, of: model).foreignReferences() {
      try replace(reference.column, in: reference.table.quotedIdentifier)
    }
    for end in ["target", "owner"] {
      try WriteStatement(
        database,
        "UPDATE \(StoredPendingLinks.table) SET \"\(end)ID\" = ?1 WHERE \"\(end)ID\" = ?2 AND \"\(end)\" = ?3"
      ).execute(new, old, .text(model.table.name))
    }
  }

  /// Updates composite identities that contain the replaced identity.
  private func composeAnew(rowsOf end: LinkEnd, _ part: SyncIdentity) throws {
    guard end.table.identityParts.contains(end.position), let store = edits(at: end) else { return }
    for row in try store.rows(heldBy: part, at: end) {
      guard let values = try store.stored(row) else { continue }
      var parts = SyncIDWriter()
      for position in end.table.identityParts {
        let related = end.table.properties[position].related?.syncTable
        parts.write(values.columns[position], isComposite: related?.isComposite ?? false)
      }
      let identity = SyncIdentity.text(parts.text)
      let edit = try store.edit(of: row)
      try store.setIdentity(of: row, to: identity.databaseValue, isReferenced: true)
      if let edit { try store.setKey(RowKey(identity: identity, parent: row.parent), of: edit) }
      try move(row.identity, to: identity, store.model)
    }
  }

  /// Replaces a member in the lists of edits. Lists that have members come before `[]` in their index.
  private func moveMember(
    _ old: SyncIdentity, to new: SyncIdentity, in list: LinkEnd, of model: OfflineModel
  ) throws {
    func form(_ identity: SyncIdentity) -> DatabaseValue {
      if case .uuid(let uuid) = identity { return uuid.uuidString.replacing("-", with: "").databaseValue }
      return identity.databaseValue
    }
    for version in EditTable.Version.allCases {
      let column = version.column(list.name).quotedIdentifier
      try WriteStatement(
        database,
        """
        UPDATE \(model.editTable) SET \(column) = (
          SELECT json_group_array(CASE WHEN value = ?2 THEN ?1 ELSE value END) FROM json_each(\(column)))
        WHERE \(column) < '[]' AND EXISTS (SELECT 1 FROM json_each(\(column)) WHERE value = ?2)
        """
      ).execute(values: [form(new), form(old)])
    }
  }
}
