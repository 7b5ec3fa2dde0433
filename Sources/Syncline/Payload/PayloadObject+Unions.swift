/// Properties of unions: their value may belong to another case.
extension PayloadObject {
  /// The part of a value that belongs to the candidate's case of a union.
  func ofUnion(_ lookup: Lookup, _ candidate: KeyTable.Candidate) -> Lookup {
    guard let table else { return lookup }
    if table.properties[candidate.property].createsUnknown { return ofUnknownRows(lookup, candidate) }
    guard let gate = table.unionGates[candidate.property] else { return ofType(lookup, candidate, table) }
    guard case .found(let value) = lookup else { return lookup }
    guard gate.isMany else {
      if isNull(value, of: gate) { return .null }
      return switch match(value, gate) {
      // A row of another case is absent for this one. This case is cleared when the other one is linked.
      // A deleted row clears all cases.
      case .known(let index):
        index == gate.union.index ? .found(value) : isDeleted(value, gate, index) ? .null : .absent
      // The first case reports it.
      case .unrecognized: gate.union.isFirst ? .unreadable : .null
      case .untyped: .unreadable
      }
    }
    guard value.isArray else { return lookup }
    if let known = known(candidate, isOfCase: true) { return known }
    return keep(text(of: value, gate), from: value, candidate, isOfCase: true)
  }

  /// A to-one relationship of a union, as an object states it. All cases share one relationship: the first readable key wins.
  struct UnionStatement {
    /// The key or path that won.
    let key: String
    /// The case of the row; nil for null.
    let match: UnionMatch?
    /// The type in the row's object; nil if there is none, so the type is a key next to the row.
    let ownType: SyncValue?
  }

  /// The statement for the to-one relationship of a gate; nil if the object has no readable value for it.
  func statement(of gate: UnionGate) -> UnionStatement? {
    guard let table, let first = gate.positions.first else { return nil }
    for candidate in candidates(of: SyncKey(first)) {
      switch value(of: candidate) {
      case .absent, .unreadable: continue
      case .null: return UnionStatement(key: candidate.text, match: nil, ownType: nil)
      case .found(let value) where isNull(value, of: gate):
        return UnionStatement(key: candidate.text, match: nil, ownType: nil)
      case .found(let value):
        let match = match(value, gate)
        switch match {
        case .untyped: continue
        case .known(let index) where !value.isObject:
          // If the key cannot be read, the next candidate is tried.
          let position = gate.positions[index]
          guard let target = table.properties[position].related?.syncTable,
            foreignKey(in: value, at: SyncKey(position), of: target) != nil
          else { continue }
        case .known(let index) where isDeleted(value, gate, index):
          return UnionStatement(key: candidate.text, match: nil, ownType: nil)
        case .known, .unrecognized: break
        }
        return UnionStatement(key: candidate.text, match: match, ownType: gate.union.cases.type(of: value))
      }
    }
    return nil
  }

  /// Whether an object is of a row that the payload marks as deleted.
  private func isDeleted(_ value: SyncValue, _ gate: UnionGate, _ index: Int) -> Bool {
    guard settings.deletedRows != nil, value.isObject, case let position = gate.positions[index],
      let target = table?.properties[position].related?.syncTable
    else { return false }
    let key = SyncKey(position)
    return isDeleted(identity(ofOne: value, at: key, in: target), under: key, of: target)
  }

  /// The value of a candidate as the payload has it: for any case of a union, and keys as keys.
  func value(of candidate: KeyTable.Candidate) -> Lookup {
    guard let member = member(of: candidate) else { return .absent }
    return candidate.follow(member)
  }

  /// The value of a candidate for the type of a to-one relationship. It is null if the row is null or of a case that the schema
  /// knows. It is absent if the type belongs to another row than the one that won.
  private func ofType(_ lookup: Lookup, _ candidate: KeyTable.Candidate, _ table: SyncTable) -> Lookup {
    if case .absent = lookup { return lookup }
    guard let gate = table.unionTypes[candidate.property] else { return lookup }
    // The list around the object decides the case.
    if scope.flatMap({ table.unionGates[$0.position]?.typePosition }) == candidate.property { return .null }
    guard let statement = statement(of: gate) else { return .absent }
    if case .known? = statement.match { return setsUnions ? .null : .absent }
    guard clearsUnions else { return .absent }
    func isOf(_ row: String) -> Bool { candidate.text == row || candidate.text.hasPrefix(row + ".") }
    if isOf(statement.key) {
      if statement.match == nil { return .null }
      if case .found = lookup, candidate.text == statement.key { return .absent }
      // The row may be the only element of a list, which the path of the type does not expect.
      return statement.ownType.map { .found($0) } ?? lookup
    }
    return statement.ownType != nil || gate.rowKeys.contains(where: isOf) ? .absent : lookup
  }

  /// The case of a row, by the type in its object or by a key next to it.
  func match(_ row: SyncValue, _ gate: UnionGate) -> UnionMatch {
    let cases = gate.union.cases
    if let type = cases.type(of: row) { return cases.match(type: type) }
    guard let position = gate.typePosition else { return .untyped }
    for candidate in candidates(of: SyncKey(position)) where !gate.rowKeys.contains(candidate.text) {
      if case .found(let type) = self.value(of: candidate), type.isString { return cases.match(type: type) }
    }
    return .untyped
  }

  /// The text of a list that keeps only the rows of one case, at their indexes. Rows of other cases become `false`, and rows
  /// without a type null. A type that no case has becomes that type itself, for the first case to report.
  private func text(of list: SyncValue, _ gate: UnionGate) -> [UInt8] {
    var text: [UInt8] = []
    list.appendElements(to: &text) { element, text in
      let end = text.count + element.content.count
      switch gate.union.cases.match(element) {
      case .known(gate.union.index): text += element.content
      case .unrecognized(let type) where gate.union.isFirst: text += SyncJSON.string(type).description.utf8
      case .known, .unrecognized: text += "false".utf8
      case .untyped: text += "null".utf8
      }
      // Spaces keep the offsets of the following elements about the same.
      text += repeatElement(UInt8(ascii: " "), count: max(0, end - text.count))
    }
    return text
  }
}
