import GRDB

/// Conflicts between unique values of edited rows and of rows from the server.
extension EditsDuringSync {
  /// A unique value, or a one-to-one partner, that an edited row would get.
  struct Claim: Hashable {
    let model: ModelNumber
    let position: Int
    let value: DatabaseValue

    static func == (left: Claim, right: Claim) -> Bool {
      left.model == right.model && left.position == right.position && left.value.isStoredLike(right.value)
    }
  }

  /// Records the server's values that rows could not be reset to: unique values and required partners that other rows have now,
  /// and missing values of properties that became required since.
  func noteReplaced(_ placed: [(row: EditedRow, base: Edit.Values)]) {
    var replaced: [LinkedRow: [(position: Int, value: DatabaseValue)]] = [:]
    for (row, base) in placed {
      guard let former = row.edit.base else { continue }
      let properties = row.store.table.properties
      let missing = row.store.table.columns.indices.filter {
        former.columns[$0].isNull && !properties[$0].isOptional
      }
      let partners = row.store.model.owners.filter(\.isUnique).map(\.position)
      for position in row.store.uniqueValues(of: former) + missing + partners
      where !base.columns[position].isStoredLike(former.columns[position]) {
        let key = LinkedRow(row.store.model.entry.number, row.edit.row)
        replaced[key, default: []].append((position, base.columns[position]))
      }
    }
    if replaced.isEmpty { return }
    for entry in entries { entry.replaced = replaced[entry.linkedRow] ?? [] }
  }

  /// The rows that get the partners of one-to-one relationships: rows whose links were edited before those that have them from the
  /// server, and before rows that were set aside.
  func partnerClaims(_ placed: [Placed]) -> [Claim: Entry] {
    var claims: [Claim: (rank: Int, entry: Entry)] = [:]
    for (entry, values) in placed {
      for case let end? in entry.model.entry.ends where end.isColumn && end.isUnique {
        let value = values.columns[end.position]
        if value.isNull { continue }
        let isEdited =
          entry.isKeptUnchanged || entry.remote?.columns[end.position].isStoredLike(value) != true
        let rank = isEdited ? (entry.edit.aside == nil ? 0 : 1) : 2
        let claim = Claim(model: end.owner, position: end.position, value: value)
        if let former = claims[claim], former.rank <= rank { continue }
        claims[claim] = (rank, entry)
      }
    }
    return claims.mapValues(\.entry)
  }

  /// Lets the server's rows keep their unique values. An edited row has the server's value again, which is a conflict; a row that the
  /// server does not have is set aside.
  ///
  /// - Parameter placed: the rows with their edits. The unique values that they change are free.
  func withoutTakenValues(_ placed: [Placed]) throws -> [Placed] {
    guard placed.contains(where: { !$0.entry.model.table.uniqueValues.isEmpty }) else { return placed }
    var placed = placed
    var isSettled = false
    // A value that is restored in one row may be the value that another row claims.
    while !isSettled {
      isSettled = true
      var claims: Set<Claim> = []
      var kept: [Placed] = []
      for (entry, local) in placed {
        guard let values = try withoutTakenValues(local, of: entry, &claims) else {
          try setAside(entry, local)
          isSettled = false
          continue
        }
        if values != local { isSettled = false }
        kept.append((entry, values))
      }
      placed = kept
    }
    return placed
  }

  /// - Returns: nil for a row that cannot be stored.
  private func withoutTakenValues(
    _ local: Edit.Values, of entry: Entry, _ claims: inout Set<Claim>
  ) throws -> Edit.Values? {
    var values = local
    for position in entry.store.uniqueValues(of: local) {
      let value = local.columns[position]
      if let remote = entry.remote, entry.store.uniqueValues(of: remote).contains(position),
        remote.columns[position].isStoredLike(value)
      {
        continue
      }
      let claim = Claim(model: entry.model.entry.number, position: position, value: value)
      if try !entry.store.isTaken(value, at: position, besides: entry.row), claims.insert(claim).inserted {
        continue
      }
      guard let remote = entry.remote else { return nil }
      run.rows(entry.model.entry.number).counts.conflicts += 1
      if let mark = entry.model.table.softDelete, !remote.columns[mark].isNull {
        // The row stays marked as deleted.
        values.columns[mark] = remote.columns[mark]
        try entry.store.update(entry.row, entry.model.table.uniqueValues, to: values.columns)
        return values
      }
      // Another row may also have the value that the server last sent.
      let kept = try entry.store.withoutTakenValues(remote, of: entry.row)
      values.columns[position] = kept.columns[position]
      try entry.store.update(entry.row, [position], to: kept.columns)
    }
    return values
  }
}
