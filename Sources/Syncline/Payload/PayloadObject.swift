import SynclineNaming

/// A JSON object as a model reads it, with its keys resolved to the positions of their values.
@usableFromInline
final class PayloadObject {
  /// The location of an object in the payload, for problems.
  enum Location {
    case row(index: Int, prefix: String)
    case item(prefix: String)
    case nested(in: PayloadObject, key: String, element: Int?)
    /// Kept aside, to be read again at the end of the payload.
    case setAside(path: String, row: Int?, level: Int)
  }

  let tape: JSONTape
  private(set) var position: Int
  let settings: PayloadSettings
  let table: SyncTable?
  let keys: KeyTable?
  @exclusivity(unchecked) private(set) var place: Location
  /// The object whose value this one reads by another model's keys. It is held so that it does not move to the next row.
  private var origin: PayloadObject?
  /// Whether `make` reads the references of optional to-one relationships. False for a sync whose operations do not link new
  /// rows.
  var readsReferences = true
  /// Whether the operations allow the row's unions to be linked to rows (`setsUnions`), and to be cleared or set to types that
  /// the schema does not know (`clearsUnions`). If not, the stored types stay as well.
  var setsUnions = true, clearsUnions = true
  /// The parent that the call, or the list around the object, gives the row.
  var scope: Scope?
  /// The index of the payload's first row in the synced list; nil if rows have no index, because they are items or parts of
  /// one.
  var firstPlace: Int?
  /// The identity from a key next to the object, for an object that has none itself.
  @exclusivity(unchecked) var givenIdentity: SyncIdentity?
  /// The part of a composite identity that the object lacks, and the row around it, which is that part. Only nested objects have
  /// it, which never move.
  var givenPart: (position: Int, identity: SyncIdentity)?
  /// An earlier object of the same row, from which missing values are read.
  @exclusivity(unchecked) var earlier: PayloadObject?
  /// The objects from which the row's own values are read.
  @exclusivity(unchecked) var values = Values.own

  enum Values {
    case own
    /// All objects of the row in the payload, merged.
    case merged(PayloadObject)
    /// None: the values were read with another object of the row, and were applied or are older than the stored ones.
    case synced(isStale: Bool)
  }

  struct Scope: Hashable {
    /// The position of the to-one relationship.
    let position: Int
    let parent: SyncIdentity
    /// Whether a list gives the parent. If several lists do, the last one in the payload wins.
    var isFromList = false
  }

  /// The lists that were gathered from paths that select many values.
  @exclusivity(unchecked) var gathered: [GatheredList] = []

  private let shape: ObjectShape?
  /// The positions of the values of the names in ``keys``; -1 for those that are absent.
  let positions: UnsafeMutablePointer<Int32>

  init(
    tape: JSONTape, position: Int, table: SyncTable?, shape: ObjectShape?, place: Location,
    settings: PayloadSettings
  ) {
    self.tape = tape
    self.position = position
    self.table = table
    self.place = place
    self.settings = settings
    self.shape = shape
    keys = shape?.keys
    positions = .allocate(capacity: max(keys?.names.count ?? 0, 1))
    resolve()
  }

  deinit {
    positions.deallocate()
    // Released in a loop. If a row has thousands of objects in the payload, releasing them recursively would overflow the stack.
    var next = earlier
    earlier = nil
    while next != nil, isKnownUniquelyReferenced(&next) {
      let after = next?.earlier
      next?.earlier = nil
      next = after
    }
  }

  /// Reads the next row of a payload with the same object.
  func move(to position: Int, _ place: Location) {
    self.place = place
    move(to: position)
  }

  /// Moves to an object that is only inspected, and reports no problems.
  func move(to position: Int) {
    self.position = position
    readsReferences = true
    (setsUnions, clearsUnions) = (true, true)
    givenIdentity = nil
    earlier = nil
    values = .own
    if !gathered.isEmpty { gathered = [] }
    resolve()
  }

  /// Finds the values of the keys. The path `.` is the object itself, if that has a key of the row that is read from it.
  private func resolve() {
    guard let keys else { return }
    positions.initialize(repeating: -1, count: keys.names.count)
    shape?.resolve(value, into: positions)
    guard let itself = keys.itself else { return }
    let related = table?.properties[itself.property].related?.syncTable
    let isStated = related?.isStated(in: value, besides: keys, style) ?? false
    positions[itself.name] = isStated ? Int32(truncatingIfNeeded: position) : -1
  }

  var value: SyncValue { tape.value(at: position) }
  var style: KeyStyle { settings.style }
  var log: RunLog? { settings.log }
  @usableFromInline var outputFormat: SyncDateFormat { settings.outputFormat }

  /// The tape of a value that was read from this object, or from an earlier one of the row.
  func tape(of value: SyncValue) -> JSONTape {
    var object = self
    while object.tape.nodes != value.nodes {
      if let list = object.gathered.first(where: { UnsafePointer($0.tape.nodes) == value.nodes }) {
        return list.tape
      }
      guard let earlier = object.earlier else { break }
      object = earlier
    }
    return object.tape
  }

  /// The place of the object in the payload. One with a greater place comes later.
  var begin: Int { tape.order.place(of: value.node.offset) }

  /// The place of a value that was read from this object, or from an earlier one of the row.
  func begin(of value: SyncValue) -> Int { tape(of: value).order.place(of: value.node.offset) }

  /// The same object, read by another model's keys.
  func read(by table: SyncTable) -> PayloadObject {
    let shape = ObjectShape(table.keyTable(style))
    let copy = PayloadObject(self, readBy: table, shape)
    // A loop instead of recursion, since the row may have thousands of objects in the payload.
    var (last, next) = (copy, earlier)
    while let part = next {
      let earlier = PayloadObject(part, readBy: table, shape)
      last.earlier = earlier
      (last, next) = (earlier, part.earlier)
    }
    return copy
  }

  private convenience init(_ origin: PayloadObject, readBy table: SyncTable, _ shape: ObjectShape) {
    self.init(
      tape: origin.tape, position: origin.position, table: table, shape: shape, place: origin.place,
      settings: origin.settings)
    self.origin = origin
    beRead(like: origin)
  }

  /// A copy of the object with its own tape, valid for as long as the payload is.
  func setAside(in reader: some PayloadReading) throws(JSONError) -> PayloadObject {
    let offset = value.node.offset
    let own = try JSONTape(
      scanning: tape.bytes, count: offset + Int(value.node.length), at: offset, capacity: 16)
    own.order = tape.order
    reader.keep(own)
    // The tape of a gathered list has no other owner.
    if tape.isOwner { reader.keep(tape) }
    let copy = PayloadObject(
      tape: own, position: 0, table: table, shape: shape,
      place: .setAside(path: path, row: rowIndex, level: level), settings: settings)
    copy.beRead(like: self)
    copy.earlier = earlier
    return copy
  }

  /// Copies the settings of another object with the same value.
  private func beRead(like object: PayloadObject) {
    readsReferences = object.readsReferences
    (setsUnions, clearsUnions) = (object.setsUnions, object.clearsUnions)
    scope = object.scope
    firstPlace = object.firstPlace
    givenIdentity = object.givenIdentity
    givenPart = object.givenPart
  }

  /// Whether the row's values come from this object only.
  var isAlone: Bool {
    if case .own = values { earlier == nil } else { false }
  }

  /// The nesting depth of the object; a row of the payload has level 1.
  var level: Int {
    var (object, inner) = (self, 0)
    while case .nested(let outer, _, _) = object.place { (object, inner) = (outer, inner + 1) }
    if case .setAside(_, _, let level) = object.place { return level + inner }
    return 1 + inner
  }

  var placeInList: Int? {
    guard let firstPlace, level == 1, let rowIndex else { return nil }
    return firstPlace + rowIndex
  }

  /// Whether the object is nested in another object of the same row.
  var isInsideItself: Bool {
    var object = self
    while case .nested(let outer, _, _) = object.place {
      if outer.table === table, let identity, outer.identity == identity { return true }
      object = outer
    }
    return false
  }
}
