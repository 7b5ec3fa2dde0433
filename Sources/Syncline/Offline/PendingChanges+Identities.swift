import GRDB

/// Replacing the identities of new rows with those that the server created.
extension PendingChanges {
  /// Gives a row the identity that the server created: in its table, in all references to it, and in all edits.
  func rename(_ row: RowKey, _ model: OfflineModel, key: String, to identity: SyncIdentity) throws {
    guard row.identity != identity, let (edit, store) = try edit(row, model, key) else { return }
    try rename(edit, store, to: identity)
  }

  func rename(_ edit: Edit, _ store: StoredEdits, to identity: SyncIdentity) throws {
    let (row, model) = (edit.row, store.model)
    let new = RowKey(identity: identity, parent: row.parent)
    if let other = try store.edit(of: new), other.isNew {
      // Another new row has the identity that the server created for this one.
      let free = RowKey(identity: store.unusedIdentity(sources), parent: new.parent)
      try store.setIdentity(of: new, to: free.identity.databaseValue)
      try move(new, to: free.identity, model)
      try store.setKey(free, of: other)
    }
    let local = try store.stored(row) ?? edit.aside
    let pulled = try store.stored(new)
    let other = try store.edit(of: new)
    if let pulled, let local {
      try noteAnswer(new, model)
      return try merge(edit, local, with: pulled, at: new, store)
    }
    // If a pull has inserted the row too, the user has deleted one of the two, or both.
    if let other { try store.remove(other) }
    if pulled != nil { try store.delete(new) }
    if local != nil { try store.setIdentity(of: row, to: identity.databaseValue) }
    try move(row, to: identity, model)
    try store.setKey(new, of: edit)
  }

  /// Merges a row with the one that a pull has already inserted with its new identity. That row becomes the base. Values that were
  /// edited after the request stay edits; without a request, all do.
  private func merge(
    _ edit: Edit, _ local: Edit.Values, with pulled: Edit.Values, at new: RowKey, _ store: StoredEdits
  ) throws {
    let (row, model) = (edit.row, store.model)
    let other = try store.edit(of: new)
    // The row may refer to itself, so its values are moved, too.
    try store.set(.own, local, of: edit)
    try store.set([Column.isAside: true], of: edit)
    try store.removeTemporarily(row, sources)
    if let other { try store.remove(other) }
    try move(row, to: new.identity, model)
    try store.setKey(new, of: edit)
    guard let edit = try store.edit(of: new), let local = edit.aside else { return }
    try store.set(.base, other?.base ?? pulled, of: edit)
    try store.set(PendingChanges.answered, of: edit)
    try store.set([Column.isNew: false, Column.isAside: false], of: edit)
    let sent = edit.isUnanswered ? edit.sent?.values : nil
    let edited = sent.map { Set(model.difference($0, local).columns) } ?? model.editedColumns(of: edit, local)
    // A unique value that another row has now, and a link to a row that is not stored, stay the server's.
    let kept = try edited.union(model.local).sorted().filter { position in
      let value = local.columns[position]
      if let end = model.entry.ends[position], let target = SyncIdentity(value),
        try !store.isStored(target, end)
      {
        return false
      }
      return try store.isFree(value, at: position, for: new)
    }
    try store.update(new, kept, to: local.columns)
    for (index, list) in model.lists.enumerated() {
      let (before, after) = (sent?.lists[index] ?? [], local.lists[index])
      let added = try after.subtracting(before).filter { try store.isStored($0, list) }
      try store.set(
        list, of: new, to: pulled.lists[index].subtracting(before.subtracting(after)).union(added))
    }
    // Its owners may be others than the pulled row's.
    try moveInOrders(row.identity, to: new.identity, of: model)
    try endIfWithoutEffect(new, store)
  }

  /// Replaces the identity of a row in all columns, links, pending links and edits that refer to it.
  private func move(_ row: RowKey, to new: SyncIdentity, _ model: OfflineModel) throws {
    let old = row.identity
    func replace(_ column: String, in table: String, or clause: String = "") throws {
      let column = column.quotedIdentifier
      try WriteStatement(database, "UPDATE\(clause) \(table) SET \(column) = ?1 WHERE \(column) = ?2")
        .execute(new, old)
    }
    for end in model.entry.references {
      let table = end.table
      try freePartner(of: new, from: old, at: end)
      try mergeRows(of: old, into: new, at: end)
      try replace(end.name, in: table.quotedName)
      guard table.isOffline else { continue }
      let edits = EditTable.name(of: table.name).quotedIdentifier
      for version in EditTable.Version.allCases { try replace(version.column(end.name), in: edits) }
      if table.parentScope == end.position { try replace(EditTable.Column.parent, in: edits) }
    }
    for end in model.entry.references { try composeAnew(rowsOf: end, new) }
    for links in model.entry.links {
      try replace(links.table.ownColumn, in: links.table.quotedName, or: " OR REPLACE")
    }
    for other in catalog.offlineModels {
      for list in other.lists where list.target == model.entry.number {
        try moveMember(old, to: new, in: list, of: other)
      }
    }
    try moveInOrders(old, to: new, of: model)
    for reference in try StoredEdits(database, of: model).foreignReferences() {
      try replace(reference.column, in: reference.table.quotedIdentifier)
    }
    let name = SyncIdentity.text(model.table.name)
    let pending = "UPDATE \(StoredPendingLinks.table)"
    try WriteStatement(
      database, "\(pending) SET \"targetID\" = ?1 WHERE \"targetID\" = ?2 AND \"target\" = ?3"
    ).execute(new, old, name)
    try WriteStatement(
      database,
      """
      \(pending) SET "ownerID" = ?1 WHERE "ownerID" = ?2 AND "owner" = ?3 AND "ownerParent" IS ?4
      """
    ).execute(new, old, name, row.parent)
  }

  /// Unlinks a local row from a one-to-one partner that a pull has linked to another row. If the link is required, the row is set
  /// aside.
  private func freePartner(of new: SyncIdentity, from old: SyncIdentity, at end: LinkEnd) throws {
    guard end.isUnique, let store = edits(at: end), try !store.rows(heldBy: new, at: end).isEmpty else {
      return
    }
    for row in try store.rows(heldBy: old, at: end) {
      if end.isOptional {
        let null = [DatabaseValue](repeating: .null, count: store.table.columnCount)
        try store.update(row, [end.position], to: null)
      } else {
        try deleteOrKeep(row, store.model)
      }
    }
  }

  /// Merges the rows of a parent with those that a pull has already inserted under the parent's new identity.
  private func mergeRows(of old: SyncIdentity, into new: SyncIdentity, at end: LinkEnd) throws {
    guard end.table.parentScope == end.position else { return }
    let store = StoredEdits(database, of: OfflineModel(of: catalog.entries[end.owner]))
    for (row, values) in try rows(heldBy: old, at: end, store) {
      _ = try mergeIfPulled(row, values, at: RowKey(identity: row.identity, parent: new), store)
    }
  }

  /// Updates composite identities that contain the replaced identity, also those of rows that are set aside.
  private func composeAnew(rowsOf end: LinkEnd, _ part: SyncIdentity) throws {
    guard end.table.identityParts.contains(end.position) else { return }
    let store = StoredEdits(database, of: OfflineModel(of: catalog.entries[end.owner]))
    for (row, values) in try rows(heldBy: part, at: end, store) {
      var parts = SyncIDWriter()
      for position in end.table.identityParts {
        let related = end.table.properties[position].related?.syncTable
        parts.write(values.columns[position], isComposite: related?.isComposite ?? false)
      }
      let identity = SyncIdentity.text(parts.text)
      let new = RowKey(identity: identity, parent: row.parent)
      guard row != new, try !mergeIfPulled(row, values, at: new, store) else { continue }
      try store.setIdentity(of: row, to: identity.databaseValue)
      if let edit = try self.edit(of: row, store) { try store.setKey(new, of: edit) }
      try move(row, to: identity, store.model)
    }
  }

  /// The rows of an owner, also those that are set aside.
  private func rows(
    heldBy owner: SyncIdentity, at end: LinkEnd, _ store: StoredEdits
  ) throws -> [(RowKey, Edit.Values)] {
    let stored = try store.rows(heldBy: owner, at: end).compactMap { row in
      try store.stored(row).map { (row, $0) }
    }
    let edits = try end.table.isOffline ? store.edits(ofRowsOf: owner, at: end, in: .own) : []
    return stored + edits.compactMap { edit in edit.aside.map { (edit.row, $0) } }
  }

  private func edit(of row: RowKey, _ store: StoredEdits) throws -> Edit? {
    try store.table.isOffline ? store.edit(of: row) : nil
  }

  /// Merges a row with the one that a pull has already inserted with its new key, or whose deletion is pending.
  ///
  /// - Returns: whether the row and its edit have the new key now. If not, the caller changes the keys, and what refers to the row.
  private func mergeIfPulled(
    _ row: RowKey, _ values: Edit.Values, at new: RowKey, _ store: StoredEdits
  ) throws -> Bool {
    let edit = try self.edit(of: row, store)
    let other = try self.edit(of: new, store)
    if let pulled = try store.stored(new) {
      // The server knows neither of two new rows. The one that already has the key is sent.
      guard let edit, other?.isNew != true else {
        if let edit { try store.remove(edit) }
        try store.removeTemporarily(row, sources)
        return false
      }
      try merge(edit, values, with: pulled, at: new, store)
      return true
    }
    // A row that is deleted and inserted again is an update.
    if let edit, other != nil { try store.remove(edit) }
    return false
  }

  /// Replaces a member in the lists of edits.
  private func moveMember(
    _ old: SyncIdentity, to new: SyncIdentity, in list: LinkEnd, of model: OfflineModel
  ) throws {
    for version in EditTable.Version.allCases {
      let column = version.column(list.name).quotedIdentifier
      try replace(
        StoredEdits.member(old), by: StoredEdits.member(new), inJSON: column, of: model.editTable,
        where: StoredEdits.hasMember(column, "?2"))
    }
  }

  /// Replaces a value in lists that are stored as JSON. In the condition, `?1` is the new value, and `?2` the old one.
  private func replace(
    _ old: DatabaseValue, by new: DatabaseValue, inJSON column: String, of table: String,
    where condition: String, _ more: [DatabaseValue] = []
  ) throws {
    try WriteStatement(
      database,
      """
      UPDATE \(table) SET \(column) = (
        SELECT json_group_array(CASE WHEN value = ?2 THEN ?1 ELSE value END) FROM json_each(\(column)))
      WHERE \(condition)
      """
    ).execute(values: [new, old] + more)
  }

  /// Replaces a row in the stored orders of lists, and in those of edits.
  private func moveInOrders(_ old: SyncIdentity, to new: SyncIdentity, of model: OfflineModel) throws {
    func text(_ identity: SyncIdentity) -> DatabaseValue {
      if case .uuid(let uuid) = identity { uuid.uuidString.databaseValue } else { identity.databaseValue }
    }
    func replace(_ column: String, in table: String, ofOwners owners: String? = nil) throws {
      // SQL may have written an order that is not JSON.
      let hasValue =
        "CASE WHEN json_valid(\(column)) THEN EXISTS (SELECT 1 FROM json_each(\(column)) WHERE value = ?2) END"
      try self.replace(
        text(old), by: text(new), inJSON: column, of: table,
        where: hasValue + (owners.map { " AND \($0)" } ?? ""), owners == nil ? [] : [new.databaseValue])
    }
    for case let list? in catalog.entries.flatMap(\.ends) where list.target == model.entry.number {
      guard let position = list.table.order(of: list.position) else { continue }
      let order = list.table.properties[position]
      // The links already lead to the row's new identity.
      let owners: String
      switch list.storage {
      case .table(let link):
        owners = "\(link.ownColumn) FROM \(link.quotedName) WHERE \(link.otherColumn) = ?3"
      case .inverse:
        owners =
          "\(list.inverse?.property.quotedName ?? "NULL") FROM \(model.table.quotedName)"
          + " WHERE \(model.table.identityProperty.quotedName) = ?3"
      case .column: continue
      }
      try replace(
        order.quotedName, in: list.table.quotedName,
        ofOwners: "\(list.table.identityProperty.quotedName) IN (SELECT \(owners))")
      guard let edits = catalog.offlineModel(list.owner) else { continue }
      for version in EditTable.Version.allCases {
        try replace(version.column(order.name).quotedIdentifier, in: edits.editTable)
      }
    }
  }
}
