/// Writes the values that a path selects as the text of a list.
struct GatheredText {
  private var bytes: [UInt8] = [UInt8(ascii: "[")]
  /// The key under which a row gets the key of its map as identity, and a colon, as JSON; nil if the values are not rows.
  private let identityKey: [UInt8]?
  /// The keys of the model, to find the one of the property that takes a map's values.
  private let keys: KeyTable?
  private let table: SyncTable?
  /// The number of places of rows that are lists; 0 if rows are objects.
  private let rowPlaces: Int
  /// The words that mean null in place of a list or a map.
  private let nulls: NullWords?
  /// Whether a lone value where the path has `[]` is a list of one.
  private let acceptsSingleValues: Bool
  /// The number of lists around the elements that are selected, if lone elements are lists of one.
  private let innerDepth: Int

  init(_ table: SyncTable?, _ style: KeyStyle, nulls: NullWords? = nil, oneOrMany: OneOrMany? = nil) {
    self.table = table
    rowPlaces = table?.rowPlaces ?? 0
    self.nulls = nulls
    acceptsSingleValues = oneOrMany != nil
    innerDepth = if case .list(let depth)? = oneOrMany { depth - 1 } else { 0 }
    let keys = table?.keyTable(style)
    self.keys = keys
    // A key of the identity. The last candidate without a path is used.
    let identity = table.flatMap { table in keys?.candidates[table.identity].last { $0.rest.isEmpty } }
    identityKey = identity.flatMap { keys?.name(of: $0) }.map(JSONWriter.key)
  }

  var list: [UInt8] { bytes + [UInt8(ascii: "]")] }

  /// The text of the only row.
  var row: [UInt8] { Array(bytes.dropFirst()) }

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
      guard container.isArray || acceptsSingleValues else { return .unreadable }
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
    // The member contains several rows, so its key cannot be the identity of one row.
    guard let identityKey, !steps.contains(where: \.isMany) else { return writeElement(member, steps) }
    let lookup = member.follow(steps)
    guard case .found(let value) = lookup else {
      guard property != nil, case .null = lookup else { return writeNull() }
      return writeRow(identityKey, key, property: property, nil)
    }
    if value.isObject {
      separate()
      if let table, keys?.identity(of: table, in: value) != nil { return append(value) }
      bytes.append(contentsOf: value.content.dropLast())
      if !value.isEmptyObject { bytes.append(UInt8(ascii: ",")) }
      bytes += identityKey
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
    bytes += JSONWriter.key(name)
    if let value { append(value) } else { bytes.append(contentsOf: "null".utf8) }
    bytes.append(UInt8(ascii: "}"))
  }

  private mutating func open(_ identityKey: [UInt8], _ key: SyncValue) {
    bytes.append(UInt8(ascii: "{"))
    bytes += identityKey
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

  private mutating func writeNull() {
    separate()
    bytes.append(contentsOf: "null".utf8)
  }

  private mutating func separate() {
    if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
  }
}
