import GRDB

/// The values of a row that was edited and that the payload has, too.
extension EditsDuringSync {
  /// The row with the edit reapplied to the server's values.
  func merge(_ entry: Entry, _ local: Edit.Values) throws -> Edit.Values {
    guard let remote = entry.remote, !entry.isKeptUnchanged else { return local }
    let model = entry.model
    let base = entry.edit.base ?? remote
    let isNew = entry.edit.base == nil
    let edited = model.editedColumns(of: entry.edit, local)
    var values = remote
    for position in model.table.columns.indices where position != model.table.identity {
      if edited.contains(position) {
        // The cases of a union are decided at once.
        let cases = model.table.withOtherCases(position)
        guard cases.first == position else { continue }
        try choose(cases, entry, base: isNew ? nil : base, local: local, for: &values)
      } else if !model.tracked.contains(position), position != model.table.updatedAt,
        isNew
          ? model.isWithoutValue(remote, at: position)
          : model.isSame(remote.columns[position], base.columns[position], at: position)
      {
        // The server does not know these columns, or did not change them.
        values.columns[position] = local.columns[position]
      }
    }
    for list in model.lists.indices {
      let before = isNew ? [] : base.lists[list]
      values.lists[list].subtract(before.subtracting(local.lists[list]))
      values.lists[list].formUnion(local.lists[list].subtracting(before))
    }
    if let stamp = model.table.updatedAt, !model.isSame(values, remote) {
      values.columns[stamp] = local.columns[stamp]
    }
    return values
  }

  /// The values of an edited column, or of the columns of a union: if the server changed them, too, the configuration chooses.
  ///
  /// - Parameter values: the remote values.
  private func choose(
    _ positions: [Int], _ entry: Entry, base: Edit.Values?, local: Edit.Values, for values: inout Edit.Values
  ) throws {
    let model = entry.model
    let remote = values
    func differs(_ one: Edit.Values, _ other: Edit.Values) -> Bool {
      positions.contains { !model.isSame(one.columns[$0], other.columns[$0], at: $0) }
    }
    func take(_ chosen: Edit.Values) {
      for position in positions { values.columns[position] = chosen.columns[position] }
    }
    guard let base, differs(base, remote), differs(local, remote) else { return take(local) }
    run.rows(model.entry.number).counts.conflicts += 1
    guard let choose = run.configuration.conflict else { return take(local) }
    // For a union, report the case that was edited.
    let position = positions.first { !local.columns[$0].isNull } ?? positions[0]
    let conflict = SyncConflict(
      model: model.table.name, identity: entry.row.identity.description,
      property: model.table.editedName(of: position), base: base.columns[position],
      local: local.columns[position], remote: remote.columns[position])
    switch choose(conflict) {
    case .local: take(local)
    case .remote: break
    case .value(let value):
      for other in positions { values.columns[other] = .null }
      values.columns[position] = (value as? any SyncStored)?.syncDatabaseValue ?? value.databaseValue
    }
  }
}

extension OfflineModel {
  /// Whether a payload has no value of a property for a new row: the property is local, or has its default.
  fileprivate func isWithoutValue(_ remote: Edit.Values, at position: Int) -> Bool {
    let property = table.properties[position]
    return property.isLocal || remote.columns[position].isStoredLike(property.defaultValue ?? .null)
  }
}
