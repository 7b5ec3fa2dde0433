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
  /// The positions of the values of the names in ``keys``; -1 for those that are absent.
  let positions: UnsafeMutablePointer<Int32>

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
    copy.takeSettings(of: self)
    copy.earlier = earlier?.read(by: table)
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
    copy.takeSettings(of: self)
    copy.earlier = earlier
    return copy
  }

  /// Makes the object be read as another one of the same value is.
  private func takeSettings(of object: PayloadObject) {
    readsReferences = object.readsReferences
    scope = object.scope
    givenIdentity = object.givenIdentity
    outputFormat = object.outputFormat
    readsKeysAsIdentities = object.readsKeysAsIdentities
    reader = object.reader
  }

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

  /// Whether no other object of the row has a say.
  var isAlone: Bool {
    if case .own = values { earlier == nil } else { false }
  }

  /// How deep the object is nested; a row of the payload is level 1.
  var level: Int {
    switch place {
    case .row, .item: 1
    case .nested(let outer, _, _): outer.level + 1
    case .setAside(_, _, let level): level
    }
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
}
