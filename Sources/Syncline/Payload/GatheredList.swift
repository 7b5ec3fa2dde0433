/// The values that a path selects, copied into one list, or a lone value in a list of its own.
///
/// The copy has its own text. Its offsets begin at the offset of the value of the path's first key, so comparing the offsets of
/// nested values gives the same order as in the payload.
struct GatheredList {
  let tape: JSONTape
  /// The path, the position of the key at which it begins, and that of its property.
  let text: String
  let name: Int
  let property: Int
  /// Whether the list has only the rows of one case of a union, or keys as objects.
  var isOfCase = false
}

extension PayloadObject {
  /// The values of a path that selects many, as a list.
  func gather(_ candidate: KeyTable.Candidate, from value: SyncValue) -> Lookup {
    if let known = known(candidate, isOfCase: false) { return known }
    let related = table?.properties[candidate.property].related?.syncTable
    var writer = GatheredText(related, style, nulls: candidate.nulls, oneOrMany: candidate.oneOrMany)
    switch writer.write(value, candidate.rest[...]) {
    case .found: break
    case let other: return other
    }
    return keep(writer.list, at: value.node.offset, candidate, isOfCase: false)
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
    return keep(text, at: found.node.offset, candidate, isOfCase: false)
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
    return keep(text, at: value.node.offset, candidate, isOfCase: false)
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
      $0.property == candidate.property && $0.name == candidate.name && $0.text == candidate.text
        && $0.isOfCase == isOfCase
    }.map { .found($0.tape.value(at: 0)) }
  }

  /// Keeps the text of a list for as long as the object is read.
  func keep(
    _ text: [UInt8], at offset: Int, _ candidate: KeyTable.Candidate, isOfCase: Bool
  ) -> Lookup {
    let tape = JSONTape(text, at: offset)
    var scanner = JSONScanner(tape.bytes, count: offset + text.count, offset: offset)
    guard (try? scanner.scanValue(onto: tape)) != nil else { return .unreadable }
    gathered.append(
      GatheredList(
        tape: tape, text: candidate.text, name: candidate.name, property: candidate.property,
        isOfCase: isOfCase))
    return .found(tape.value(at: 0))
  }
}

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
      case .untold: .unreadable
      }
    }
    guard value.isArray else { return lookup }
    if let known = known(candidate, isOfCase: true) { return known }
    return keep(text(of: value, gate), at: value.node.offset, candidate, isOfCase: true)
  }

  /// A to-one relationship of a union, as an object states it. All cases share one relationship: the first readable key wins.
  struct UnionStatement {
    /// The key or path that won.
    let key: String
    /// The case of the row; nil for null.
    let match: UnionMatch?
    /// Whether the type is a member of the row's object, rather than a key next to it.
    let hasOwnType: Bool
  }

  /// The statement for the to-one relationship of a gate; nil if the object has no readable value for it.
  func statement(of gate: UnionGate) -> UnionStatement? {
    guard let table, let first = gate.positions.first else { return nil }
    for candidate in candidates(of: SyncKey(first)) {
      switch value(of: candidate) {
      case .absent, .unreadable: continue
      case .null: return UnionStatement(key: candidate.text, match: nil, hasOwnType: false)
      case .found(let value) where isNull(value, of: gate):
        return UnionStatement(key: candidate.text, match: nil, hasOwnType: false)
      case .found(let value):
        let match = match(value, gate)
        switch match {
        case .untold: continue
        case .known(let index) where !value.isObject:
          // If the key cannot be read, the next candidate is tried.
          let position = gate.positions[index]
          guard let target = table.properties[position].related?.syncTable,
            foreignKey(in: value, at: SyncKey(position), of: target) != nil
          else { continue }
        case .known(let index) where isDeleted(value, gate, index):
          return UnionStatement(key: candidate.text, match: nil, hasOwnType: false)
        case .known, .unrecognized: break
        }
        let hasOwnType = gate.union.cases.type(of: value) != nil
        return UnionStatement(key: candidate.text, match: match, hasOwnType: hasOwnType)
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
    guard let type = table.unionTypes[candidate.property] else { return lookup }
    // The list around the object decides the case.
    if scope.flatMap({ table.unionGates[$0.position]?.typePosition }) == candidate.property { return .null }
    guard let statement = statement(of: type.gate) else { return .absent }
    if case .known? = statement.match { return setsUnions ? .null : .absent }
    guard clearsUnions else { return .absent }
    func isOf(_ row: String) -> Bool { candidate.text == row || candidate.text.hasPrefix(row + ".") }
    if isOf(statement.key) {
      if case .found = lookup, candidate.text == statement.key { return .absent }
      return lookup
    }
    return statement.hasOwnType || type.rowKeys.contains(where: isOf) ? .absent : lookup
  }

  /// The case of a row, by the type in its object or by a key next to it.
  func match(_ row: SyncValue, _ gate: UnionGate) -> UnionMatch {
    let cases = gate.union.cases
    if let type = cases.type(of: row) { return cases.match(type: type) }
    guard let position = gate.typePosition, let rowKeys = table?.unionTypes[position]?.rowKeys else {
      return .untold
    }
    for candidate in candidates(of: SyncKey(position)) where !rowKeys.contains(candidate.text) {
      if case .found(let type) = self.value(of: candidate), type.isString { return cases.match(type: type) }
    }
    return .untold
  }

  /// The text of a list that keeps only the rows of one case, at their indexes. Rows of other cases become `false`, and rows
  /// without a type null. A type that no case has becomes that type itself, for the first case to report.
  private func text(of list: SyncValue, _ gate: UnionGate) -> [UInt8] {
    var writer = JSONWriter()
    writer.write(byte: UInt8(ascii: "["))
    for (index, element) in list.elements.enumerated() {
      if index > 0 { writer.write(byte: UInt8(ascii: ",")) }
      let end = writer.bytes.count + element.content.count
      switch gate.union.cases.match(element) {
      case .known(gate.union.index): writer.write(bytes: element.content)
      case .unrecognized(let type) where gate.union.isFirst: writer.write(string: type)
      case .known, .unrecognized: writer.write(bool: false)
      case .untold: writer.writeNull()
      }
      // Spaces keep the offsets of the following elements about the same.
      for _ in 0..<max(0, end - writer.bytes.count) { writer.write(byte: UInt8(ascii: " ")) }
    }
    writer.write(byte: UInt8(ascii: "]"))
    return writer.bytes
  }
}

/// Writes the values that a path selects as the text of a list.
struct GatheredText {
  private var bytes: [UInt8] = [UInt8(ascii: "[")]
  /// The key under which a row gets the key of its map as identity, as JSON; nil if the values are not rows.
  private let identityKey: [UInt8]?
  /// The keys of the model, to find the one of the property that takes a map's values.
  private let keys: KeyTable?
  private let table: SyncTable?
  /// The number of places of rows that are lists; 0 if rows are objects.
  private let rowPlaces: Int
  /// The words that mean null in place of a list or a map.
  private let nulls: NullWords?
  /// Whether a lone value where the path has `[]` is a list of one.
  private let takesLoneValues: Bool
  /// The number of lists around the elements that are selected, if lone elements are lists of one.
  private let innerDepth: Int

  init(_ table: SyncTable?, _ style: KeyStyle, nulls: NullWords? = nil, oneOrMany: OneOrMany? = nil) {
    self.table = table
    rowPlaces = table?.rowPlaces ?? 0
    self.nulls = nulls
    takesLoneValues = oneOrMany != nil
    innerDepth = if case .list(let depth)? = oneOrMany { depth - 1 } else { 0 }
    keys = table?.keyTable(style)
    // A key of the identity. The last candidate without a path is used.
    identityKey = table.flatMap { table in
      let keys = table.keyTable(style)
      return keys.candidates[table.identity].last { $0.rest.isEmpty }.map {
        GatheredText.quoted(keys.name(of: $0))
      }
    }
  }

  /// The text of the list.
  var list: [UInt8] { bytes + [UInt8(ascii: "]")] }

  /// The text of the only row.
  var row: [UInt8] { Array(bytes.dropFirst()) }

  /// Writes a row.
  mutating func write(row: SyncValue) {
    separate()
    append(row: row)
  }

  /// Writes the values that steps select from a value.
  ///
  /// - Returns: the container of the values; or why there is none.
  mutating func write(_ value: SyncValue, _ steps: ArraySlice<PathStep>) -> SyncValue.Lookup {
    guard let many = steps.firstIndex(where: \.isMany) else { return .unreadable }
    let outer = value.follow(steps[..<many], nulls: nulls)
    guard case .found(let container) = outer else { return outer }
    let rest = steps[(many + 1)...]
    switch steps[many] {
    case .each:
      guard container.isArray || takesLoneValues else { return .unreadable }
      for element in container.items { writeElement(element, rest) }
    case .members(let property):
      guard container.isObject || container.isEmptyArray else { return .unreadable }
      container.forEachMember { key, value in writeMember(key, value, rest, property: property) }
    case .member, .names, .index, .pairs: return .unreadable
    }
    return .found(container)
  }

  private mutating func writeElement(_ element: SyncValue, _ steps: ArraySlice<PathStep>) {
    if steps.contains(where: \.isMany) {
      // An absent or null inner list has no elements. Any other value is an unreadable list.
      switch write(element, steps) {
      case .found, .absent, .null: return
      case .unreadable: return writeNull()
      }
    }
    guard case .found(let value) = element.follow(steps) else { return writeNull() }
    guard innerDepth > 0 else { return write(row: value) }
    separate()
    value.append(asList: innerDepth, to: &bytes)
  }

  private mutating func writeMember(
    _ key: SyncValue, _ member: SyncValue, _ steps: ArraySlice<PathStep>, property: String?
  ) {
    // Many rows in one member: its key identifies none of them.
    guard let identityKey, !steps.contains(where: \.isMany) else { return writeElement(member, steps) }
    let lookup = member.follow(steps)
    guard case .found(let value) = lookup else {
      guard property != nil, case .null = lookup else { return writeNull() }
      return writeRow(identityKey, key, property: property, nil)
    }
    if value.isObject {
      separate()
      guard !hasIdentity(value) else { return append(value) }
      bytes.append(contentsOf: value.content.dropLast())
      if value.content.dropFirst().dropLast().contains(where: { $0 > 0x20 }) {
        bytes.append(UInt8(ascii: ","))
      }
      bytes += identityKey
      bytes.append(UInt8(ascii: ":"))
      append(key)
      bytes.append(UInt8(ascii: "}"))
    } else if rowPlaces > 0, value.isArray {
      write(row: value)
    } else if property != nil {
      writeRow(identityKey, key, property: property, value)
    } else if value.bool == true {
      // `true` means that the row with this key is in the list.
      separate()
      open(identityKey, key)
      bytes.append(UInt8(ascii: "}"))
    } else {
      writeNull()
    }
  }

  /// Whether an object has an identity of its own.
  private func hasIdentity(_ value: SyncValue) -> Bool {
    guard let table, let keys else { return false }
    return keys.identity(of: table, in: value) != nil
  }

  /// Writes a row with its identity and one value; null if the value is nil.
  private mutating func writeRow(
    _ identityKey: [UInt8], _ key: SyncValue, property: String?, _ value: SyncValue?
  ) {
    guard let property, let table, let position = table.position(of: property), let keys,
      let name = keys.plainName(of: position)
    else { return writeNull() }
    separate()
    open(identityKey, key)
    bytes.append(UInt8(ascii: ","))
    bytes += GatheredText.quoted(name)
    bytes.append(UInt8(ascii: ":"))
    if let value { append(value) } else { bytes.append(contentsOf: "null".utf8) }
    bytes.append(UInt8(ascii: "}"))
  }

  private mutating func open(_ identityKey: [UInt8], _ key: SyncValue) {
    bytes.append(UInt8(ascii: "{"))
    bytes += identityKey
    bytes.append(UInt8(ascii: ":"))
    append(key)
  }

  private mutating func append(_ value: SyncValue) { value.append(to: &bytes) }

  /// Appends a row. One that is a list becomes an object with its places as keys; places that it lacks are null.
  private mutating func append(row: SyncValue) {
    guard rowPlaces > 0, row.isArray else { return append(row) }
    var place = 0
    for element in row.elements {
      open(place)
      append(element)
      place += 1
    }
    while place < rowPlaces {
      open(place)
      bytes.append(contentsOf: "null".utf8)
      place += 1
    }
    bytes.append(UInt8(ascii: "}"))
  }

  /// Writes the key of a place, as in `PathStep.key(ofPlace:)`, but without an array for each.
  private mutating func open(_ place: Int) {
    bytes.append(place == 0 ? UInt8(ascii: "{") : UInt8(ascii: ","))
    bytes.append(contentsOf: "\"[".utf8)
    bytes.append(contentsOf: String(place).utf8)
    bytes.append(contentsOf: "]\":".utf8)
  }

  /// A key as JSON.
  private static func quoted(_ key: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.write(string: key)
    return writer.bytes
  }

  private mutating func writeNull() {
    separate()
    bytes.append(contentsOf: "null".utf8)
  }

  private mutating func separate() {
    if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
  }
}
