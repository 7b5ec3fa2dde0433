/// The values that a path selects, copied into one list, or a lone value in a list of its own.
///
/// The copy has its own text. Its values are in the payload's order where the list is that the path selects them from.
struct GatheredList {
  let tape: JSONTape
  let candidate: KeyTable.Candidate
  /// Whether the list has only the rows of one case of a union, or keys as objects.
  let isOfCase: Bool
}

extension PayloadObject {
  /// The values of a path that selects many, as a list.
  func gather(_ candidate: KeyTable.Candidate, from value: SyncValue) -> Lookup {
    if let known = known(candidate, isOfCase: false) { return known }
    let related = table?.properties[candidate.property].related?.syncTable
    var writer = GatheredText(related, style, nulls: candidate.nulls, oneOrMany: candidate.oneOrMany)
    let lookup = writer.write(value, candidate.rest[...])
    guard case .found(let container) = lookup else { return lookup }
    // Another path with the same first key may select values before or after these.
    return keep(writer.list, from: container, candidate, isOfCase: false)
  }

  /// The value of a candidate that selects one value. With `@OneOrMany` it is a list of one, if a list is expected.
  func list(_ candidate: KeyTable.Candidate, from value: SyncValue) -> Lookup {
    let lookup = candidate.follow(value)
    guard case .list(let depth)? = candidate.oneOrMany, case .found(let found) = lookup,
      found.lacksList(depth)
    else { return lookup }
    if let known = known(candidate, isOfCase: false) { return known }
    var text: [UInt8] = []
    found.append(asList: depth, to: &text)
    return keep(text, from: found, candidate, isOfCase: false)
  }

  /// A row, or the rows of a list, that are lists themselves, as objects.
  func objects(_ candidate: KeyTable.Candidate, from value: SyncValue) -> Lookup {
    guard let property = table?.properties[candidate.property] else { return .unreadable }
    let lookup = property.isToMany ? list(candidate, from: value) : listRow(candidate, from: value)
    guard case .found(let found) = lookup, found.isArray else { return lookup }
    // PHP writes an empty object as an empty list.
    if !property.isToMany, found.isEmptyArray { return .null }
    if let known = known(candidate, isOfCase: false) { return known }
    var writer = GatheredText(property.related?.syncTable, style)
    if property.isToMany {
      for element in found.elements { writer.write(row: element) }
    } else {
      writer.write(row: found)
    }
    let text = property.isToMany ? writer.list : writer.row
    return keep(text, from: found, candidate, isOfCase: false)
  }

  /// A row that is a list itself. With `@OneOrMany` there is a list of one around it only if the element is a list, too.
  private func listRow(_ candidate: KeyTable.Candidate, from value: SyncValue) -> Lookup {
    let lookup = candidate.follow(value)
    guard case .one? = candidate.oneOrMany, case .found(let found) = lookup, !found.isArray else {
      return lookup
    }
    return value.follow(candidate.rest, nulls: candidate.nulls)
  }

  func known(_ candidate: KeyTable.Candidate, isOfCase: Bool) -> Lookup? {
    gathered.first {
      $0.candidate.property == candidate.property && $0.candidate.name == candidate.name
        && $0.candidate.text == candidate.text && $0.isOfCase == isOfCase
    }.map { .found($0.tape.value(at: 0)) }
  }

  /// Keeps the text of a list that was written from a value, for as long as the object is read.
  func keep(
    _ text: [UInt8], from value: SyncValue, _ candidate: KeyTable.Candidate, isOfCase: Bool
  ) -> Lookup {
    guard let tape = try? JSONTape(scanningCopyOf: text) else { return .unreadable }
    tape.order = PayloadOrder(text.indices, within: self.tape(of: value).order.places(of: value))
    gathered.append(GatheredList(tape: tape, candidate: candidate, isOfCase: isOfCase))
    return .found(tape.value(at: 0))
  }
}
