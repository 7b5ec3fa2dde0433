import SynclineNaming

/// What objects ask of the sync that reads them.
protocol PayloadReading: AnyObject {
  /// Keeps the positions of an object that is looked at again, until the sync ends.
  func keep(_ tape: JSONTape)
  /// Whether a row is stored; true where that cannot be told.
  func isStored(_ identity: SyncIdentity, of model: any SyncUpdatableModel.Type) -> Bool
}

/// One JSON object as a model reads it: its keys resolved to the positions of their values.
@usableFromInline
final class PayloadObject {
  /// Where an object stands, for problems.
  enum Place {
    case row(index: Int, prefix: String)
    case item(prefix: String)
    case nested(in: PayloadObject, key: String, element: Int?)
    /// Set aside, to be looked at again when the payload ends.
    case setAside(path: String, row: Int?, level: Int)
  }

  let tape: JSONTape
  private(set) var position: Int
  let style: KeyStyle
  let table: SyncTable?
  let keys: KeyTable?
  private(set) var place: Place
  let log: RunLog?
  /// The object that this one reads by other keys.
  private var origin: PayloadObject?
  /// Whether `make` reads the references of optional to-one relationships. A sync whose operations do not link
  /// new rows makes them without.
  var readsReferences = true
  /// The parent that the call, or the list the object stands in, gives the row.
  var scope: Scope?
  /// The identity that a key beside the object gives a row that has none of its own.
  var givenIdentity: SyncIdentity?
  /// The sync that reads the object. It lives as long as the tape is open.
  unowned(unsafe) var reader: (any PayloadReading)?
  /// An earlier object of the same row, that could not be kept alone: it says what this one does not.
  var earlier: PayloadObject?
  /// Where the row's own values are read from.
  var values = Values.own

  enum Values {
    case own
    /// From all objects of the row in the payload together.
    case merged(PayloadObject)
    /// They were read with another object of the row, and are applied, or older than what is stored.
    case synced(isStale: Bool)
  }

  /// Whether keys of relationships are read as the identities that they name.
  var readsKeysAsIdentities = false
  /// How dates are exported: what it cannot express makes no difference.
  @usableFromInline var outputFormat = SyncDateFormat.iso8601

  struct Scope {
    /// The position of the to-one relationship.
    let position: Int
    let parent: SyncIdentity
    /// Whether a list gives it: then the payload's last list does.
    var isFromList = false
  }

  private let shape: ObjectShape?
  private let positions: UnsafeMutablePointer<Int32>

  init(
    tape: JSONTape, position: Int, style: KeyStyle, table: SyncTable?, shape: ObjectShape?, place: Place,
    log: RunLog?
  ) {
    self.tape = tape
    self.position = position
    self.style = style
    self.table = table
    self.place = place
    self.log = log
    self.shape = shape
    keys = shape?.keys
    let count = keys?.names.count ?? 0
    positions = .allocate(capacity: max(count, 1))
    positions.initialize(repeating: -1, count: count)
    shape?.resolve(tape.value(at: position), into: positions)
  }

  deinit { positions.deallocate() }

  /// Reads the next row of a payload with the same object.
  func move(to position: Int, _ place: Place) {
    self.position = position
    self.place = place
    readsReferences = true
    givenIdentity = nil
    earlier = nil
    values = .own
    positions.update(repeating: -1, count: keys?.names.count ?? 0)
    shape?.resolve(tape.value(at: position), into: positions)
  }

  var value: SyncValue { tape.value(at: position) }

  /// The tape of a value that was read from the object, or from an earlier one of the row.
  func tape(of value: SyncValue) -> JSONTape {
    var object = self
    while object.tape.nodes != value.nodes, let earlier = object.earlier { object = earlier }
    return object.tape
  }

  /// The object read by another model's keys.
  func read(by table: SyncTable) -> PayloadObject {
    let copy = PayloadObject(
      tape: tape, position: position, style: style, table: table, shape: ObjectShape(table.keyTable(style)),
      place: place, log: log)
    copy.origin = self
    copy.readsReferences = readsReferences
    copy.scope = scope
    copy.givenIdentity = givenIdentity
    copy.outputFormat = outputFormat
    copy.readsKeysAsIdentities = readsKeysAsIdentities
    copy.earlier = earlier?.read(by: table)
    copy.reader = reader
    return copy
  }

  /// The object with a tape of its own, to be read as long as the payload is there.
  ///
  /// - Throws: nothing but what scanning the bytes again throws.
  func setAside(in reader: some PayloadReading) throws(JSONError) -> PayloadObject {
    let own = JSONTape(borrowing: tape.bytes, capacity: 16)
    let offset = value.node.offset
    var scanner = JSONScanner(tape.bytes, count: offset + Int(value.node.length), offset: offset)
    try scanner.scanValue(onto: own)
    reader.keep(own)
    let copy = PayloadObject(
      tape: own, position: 0, style: style, table: table, shape: shape,
      place: .setAside(path: path, row: rowIndex, level: level), log: log)
    copy.readsReferences = readsReferences
    copy.scope = scope
    copy.givenIdentity = givenIdentity
    copy.outputFormat = outputFormat
    copy.readsKeysAsIdentities = readsKeysAsIdentities
    copy.earlier = earlier
    copy.reader = self.reader
    return copy
  }

  // MARK: Looking up

  enum Lookup {
    case absent
    case null
    /// Something on the path is no object.
    case unreadable
    case found(SyncValue)
  }

  @inline(__always)
  func lookUp(_ candidate: KeyTable.Candidate) -> Lookup {
    guard tape.isOpen else { return .absent }
    guard candidate.name >= 0 else { return PayloadObject.follow(candidate.rest, from: value) }
    let position = positions[candidate.name]
    guard position >= 0 else { return .absent }
    let value = tape.value(at: Int(position))
    return candidate.rest.isEmpty
      ? (value.isNull ? .null : .found(value)) : PayloadObject.follow(candidate.rest, from: value)
  }

  /// Looks up a candidate of a property by its entry in the key table.
  @inline(__always)
  func lookUp(_ entry: Int, of property: Int, in keys: KeyTable) -> Lookup {
    guard tape.isOpen else { return .absent }
    let candidate = keys.entries[entry]
    let position = positions[Int(candidate.name)]
    guard position >= 0 else { return .absent }
    if candidate.isPath {
      return lookUp(keys.candidates[property][entry - keys.entries(of: property).lowerBound])
    }
    let value = tape.value(at: Int(position))
    return value.isNull ? .null : .found(value)
  }

  static func follow(_ path: [[UInt8]], from value: SyncValue) -> Lookup {
    var value = value
    for name in path {
      if value.isNull { return .null }
      guard value.isObject else { return .unreadable }
      guard let member = value.member(name) else { return .absent }
      value = member
    }
    return value.isNull ? .null : .found(value)
  }

  /// The candidates of a property, from the resolved keys.
  @inline(__always)
  func candidates(of key: SyncKey) -> [KeyTable.Candidate] {
    guard let keys, key.position >= 0, key.position < keys.candidates.count else { return [] }
    return keys.candidates[key.position]
  }

  func contains(_ key: SyncKey) -> Bool {
    states(key) || earlier?.contains(key) ?? false
  }

  /// Whether the object itself has a value for a key.
  private func states(_ key: SyncKey) -> Bool {
    candidates(of: key).contains { candidate in
      if case .absent = lookUp(candidate) { false } else { true }
    }
  }

  /// How many of the row's objects so far have a value for a key.
  func partCount(stating key: SyncKey) -> Int {
    (states(key) ? 1 : 0) + (earlier?.partCount(stating: key) ?? 0)
  }

  /// Whether no other object of the row has a say.
  var isAlone: Bool {
    if case .own = values { earlier == nil } else { false }
  }

  /// Where the value of a candidate begins in the text of the payload.
  func begin(of candidate: KeyTable.Candidate) -> Int {
    guard tape.isOpen, candidate.name >= 0, positions[candidate.name] >= 0 else { return value.node.offset }
    return tape.value(at: Int(positions[candidate.name])).node.offset
  }

  /// Whether the object has an identity and nothing else that the model reads, where a new row takes more.
  var isKeyAlone: Bool {
    guard let table, table.required.contains(where: { $0 != scope?.position }) else { return false }
    return isIdentityAlone
  }

  /// Whether the object stands inside of an object of the same row.
  var isInsideItself: Bool {
    var object = self
    while case .nested(let outer, _, _) = object.place {
      if outer.table === table, let identity, outer.identity == identity { return true }
      object = outer
    }
    return false
  }

  /// Whether the object has nothing that the model reads but an identity.
  var isIdentityAlone: Bool {
    guard let table else { return false }
    return !table.properties.indices.contains { $0 != table.identity && contains(SyncKey($0)) }
  }

  /// Whether a relationship's key has objects, which are rows of their own.
  var hasNestedRows: Bool {
    guard let table, let keys else { return false }
    return table.properties.indices.contains { position in
      table.properties[position].isRelationship
        && keys.entries(of: position).contains { entry in
          guard case .found(let value) = lookUp(entry, of: position, in: keys) else { return false }
          return value.isObject || value.hasObjects
        }
    }
  }

  func scopeParent(for key: SyncKey) -> SyncIdentity? {
    scope?.position == key.position ? scope?.parent : nil
  }

  // MARK: Identity

  /// The first readable identity among the model's keys for it.
  var identity: SyncIdentity? {
    guard let table else { return nil }
    for candidate in candidates(of: SyncKey(table.identity)) {
      if case .found(let value) = lookUp(candidate), let identity = table.identityKind.identity(in: value) {
        return identity
      }
    }
    return givenIdentity
  }

  // MARK: Problems

  var path: String {
    switch place {
    case .row(let index, let prefix): "\(prefix)[\(index)]"
    case .item(let prefix): prefix
    case .nested(let outer, let key, let element):
      outer.path(of: key) + (element.map { "[\($0)]" } ?? "")
    case .setAside(let path, _, _): path
    }
  }

  var rowIndex: Int? {
    switch place {
    case .row(let index, _): index
    case .item: nil
    case .nested(let outer, _, _): outer.rowIndex
    case .setAside(_, let row, _): row
    }
  }

  /// How deep the object is nested; a row of the payload is level 1.
  var level: Int {
    switch place {
    case .row, .item: 1
    case .nested(let outer, _, _): outer.level + 1
    case .setAside(_, _, let level): level
    }
  }

  func path(of key: String) -> String {
    // Asked for once: the path of a nested object asks for those around it.
    let path = path
    return path.isEmpty ? key : "\(path).\(key)"
  }

  func report(_ key: String, _ reason: @autoclosure () -> String, _ action: SyncProblem.Action) {
    log?.record(
      SyncProblem(
        model: table?.name ?? "", row: rowIndex, identity: identity?.description,
        path: key.isEmpty ? path : path(of: key), reason: reason(), action: action))
  }

  func error(_ property: String, _ key: String, _ reason: String) -> SyncError {
    let place = key.isEmpty ? path : path(of: key)
    let row = rowIndex.map { "row \($0)" }
    let identity = identity.map { "identity \($0)" }
    let context = [place.isEmpty ? nil : "at \(place)", row, identity].compactMap { $0 }.joined(
      separator: ", ")
    return .invalidPayload(
      model: table?.name ?? "",
      reason: "“\(property)” \(reason)" + (context.isEmpty ? "" : " (\(context))"))
  }
}

extension SyncValue {
  /// What a value is, for a person.
  var summary: String {
    switch kind {
    case .null: return "null"
    case .true, .false, .number:
      return "\(kind == .number ? "the number" : "the boolean") \(JSONText.string(shortContent))"
    case .string:
      return "the text “\(JSONText.string(shortContent))”" + (shortContent.count < content.count ? "…" : "")
    case .array: return "a list"
    case .object: return "an object"
    }
  }

  /// At most 64 bytes of the content, cut before a character.
  private var shortContent: UnsafeBufferPointer<UInt8> {
    var end = min(content.count, 64)
    if end < content.count {
      while end > 0, content[end] & 0xC0 == 0x80 { end -= 1 }
    }
    return UnsafeBufferPointer(rebasing: content[..<end])
  }
}
