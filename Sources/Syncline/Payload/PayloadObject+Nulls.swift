/// Values that mean null: `@Null`, and empty lists in place of objects.
extension PayloadObject {
  /// Whether a nested object, or a key, is null because its identity is a value that means null.
  func isNull(_ value: SyncValue, _ identity: @autoclosure () -> SyncIdentity?, in table: SyncTable) -> Bool {
    guard table.hasNullIdentities else { return false }
    guard value.isObject else { return table.identityReader.isNull(value) }
    return table.keyTable(style).hasNullIdentity(of: table, in: value) && identity() == nil
  }

  /// Whether the row of the path `.` is null, because its identity is null. Servers write this for an outer join without a match.
  func isNullItself(_ candidate: KeyTable.Candidate, in table: SyncTable) -> Bool {
    candidate.name == keys?.itself?.name
      && table.keyTable(style).hasNullIdentity(of: table, in: value, orNull: true)
  }

  // MARK: To-one relationships of unions

  /// Whether a value of a union's to-one means that there is no row: it is an empty list, or its type or its identity means null.
  func isNull(_ value: SyncValue, of gate: UnionGate) -> Bool {
    if value.isEmptyArray || hasNullType(value, gate) { return true }
    guard settings.hasNullIdentities, let table, case .known(let index) = match(value, gate),
      case let position = gate.positions[index], let target = table.properties[position].related?.syncTable
    else { return false }
    return isNull(value, identity(ofOne: value, at: SyncKey(position), in: target), in: target)
  }

  /// Whether the type of a row, in its object or next to its key, is a value that means null.
  private func hasNullType(_ row: SyncValue, _ gate: UnionGate) -> Bool {
    guard let first = gate.positions.first, let nulls = candidates(of: SyncKey(first)).first?.nulls else {
      return false
    }
    if case .found(let type) = gate.union.cases.anyType(of: row) { return nulls.contains(type) }
    guard let position = gate.typePosition else { return false }
    for candidate in candidates(of: SyncKey(position)) where !gate.rowKeys.contains(candidate.text) {
      guard let member = member(of: candidate) else { continue }
      if candidate.leads(from: member, to: nulls) { return true }
      if case .found = candidate.follow(member) { return false }
    }
    return false
  }

  /// The value of the first key of a candidate.
  func member(of candidate: KeyTable.Candidate) -> SyncValue? {
    guard tape.isOpen, candidate.name >= 0, positions[candidate.name] >= 0 else { return nil }
    return tape.value(at: Int(positions[candidate.name]))
  }
}
