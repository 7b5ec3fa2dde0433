import Syncline
import SynclineNaming

package struct SampleRows {
  struct Row {
    let value: SyncJSON
    /// The key of the row, if its enclosing object is a map of rows.
    var key: String?
    var payload = 0
  }

  /// The rows that are objects.
  private(set) var rows: [Row] = []
  /// The number of other values that were found in the place of rows.
  package private(set) var others = 0
  /// The path of an object whose members were taken as the rows, although the caller's path does not end in `{}`.
  private(set) var memberPath: String?
  /// The path of a list that was found in a payload without a path.
  package private(set) var listPath: String?
  /// The path of a row in a payload that has an envelope of its own for it, such as `user` next to `users`.
  private(set) var itemPath: String?
  /// The objects that were taken as rows, although the lists in them may have the actual rows. Those with lists at the same path
  /// are one.
  private var envelopes: [SampleEnvelope] = []
  /// The object that contains the list with the rows, if the path of the list was not passed.
  package private(set) var readEnvelope: SampleEnvelope?
  /// The path of the only list of objects in a payload that is a list of it and of metadata.
  private var innerList: String?
  private var payloads = 0
  /// The payloads that are lists.
  private var lists: Set<Int> = []
  /// The name of the rows' model, if it is known.
  private var model: String?

  private static let envelopeLimit = 4

  package init() {}

  package init(_ values: some Sequence<SyncJSON>) {
    for value in values { add(Row(value: value)) }
  }

  mutating func add(_ values: [SyncJSON]) {
    payloads += 1
    for value in values { add(Row(value: value, payload: payloads)) }
  }

  /// The list of objects in the first object that was taken as a row, since its elements may be the actual rows.
  package var envelope: SampleEnvelope? { envelopes.first }

  /// The number of rows that are objects.
  package var count: Int { rows.count }

  /// Adds the rows of a payload: the elements of a list, an object, the members of an object at a path that ends in `{}`, or one
  /// row per line. Without a path, the members of an object are its rows if they are similar.
  ///
  /// - Parameter path: the path of the rows, as member names separated by dots.
  /// - Throws: a `Mistake` if nothing is at the path, or if a payload without a path describes payloads.
  package mutating func add(_ bytes: [UInt8], at path: String? = nil) throws {
    payloads += 1
    let values = try SampleRows.values(in: bytes)
    if path == nil, values.contains(where: SampleRows.isDescription) {
      throw Mistake(
        "This is an OpenAPI document or a JSON Schema, not a payload. Pass it with “--openapi”.")
    }
    let mayHaveMembers = values.count == 1 && !(path ?? "").contains { "[{".contains($0) }
    // If one value has nothing at the path, no row is added.
    for place in try values.flatMap({ try SampleRows.places(in: $0, at: path) }) {
      add(place, mayHaveMembers: mayHaveMembers, path: path)
    }
  }

  /// Creates the rows of the payloads of one endpoint. Without a path, the rows are the elements of a list in the payload, if only
  /// one can contain them.
  ///
  /// - Parameter name: the name of the rows' model. A list with this name has the rows, even if there are others.
  /// - Throws: a `Mistake` with suggestions if several lists can contain the rows.
  package init(payloads: [[UInt8]], at path: String?, named name: String? = nil) throws {
    self.init()
    model = name.map { DraftName.type($0) }
    // Equal payloads would count the same rows twice.
    var seen: Set<[UInt8]> = []
    let payloads = payloads.filter { seen.insert($0).inserted }
    for payload in payloads { try add(payload, at: path) }
    guard path == nil else { return }
    if let innerList {
      self = try SampleRows(payloads: payloads, at: innerList)
      listPath = innerList
      return
    }
    if areLikeLists { envelopes = [] }
    try openEnvelopes(of: payloads)
    openRows()
  }

  /// Reads the rows in the first envelope that all payloads fit.
  private mutating func openEnvelopes(of payloads: [[UInt8]]) throws {
    var mistake: Mistake?
    for envelope in envelopes {
      guard let only = envelope.only else { continue }
      do {
        self = try SampleRows(payloads: payloads, of: model, in: envelope, at: only.path)
        return
      } catch let error as Mistake {
        mistake = mistake ?? error
      }
    }
    if let mistake { throw mistake }
    if let envelope, envelope.isAmbiguous {
      throw Mistake(SampleRows.question(envelope.candidates))
    }
  }

  /// Takes a member of the objects in a list as the rows: the only one, as in `[{"user": {"id": 1}}]`, or one that is like the
  /// rows of the other payloads, as in `[{"score": 1, "user": {"id": 1}}]` next to `{"id": 1}`.
  private mutating func openRows() {
    let others = rows.filter { !lists.contains($0.payload) }
    let listed = rows.filter { lists.contains($0.payload) }
    let keys = listed.first?.value.object?.keys.filter { key in
      RowKinds.isPlain(key) && !SampleShape.identityKeys.contains(key)
        && listed.allSatisfy { $0.value[key]?.object != nil }
    }
    let key = keys?.first { key in
      if others.isEmpty { return listed.allSatisfy { $0.value.object?.count == 1 } }
      let inner = Listed(listed.map { SampleRows.row(at: key, in: $0) })
      return inner.haveIdentity && others.allSatisfy(inner.areLike)
        && !listed.contains { $0.value.object.map(SampleEnvelope.hasIdentity) ?? false }
    }
    guard let key else { return }
    rows = rows.map { lists.contains($0.payload) ? SampleRows.row(at: key, in: $0) : $0 }
    listPath = (listPath ?? "") + "[].\(key)"
  }

  private static func row(at key: String, in row: Row) -> Row {
    Row(value: row.value[key] ?? .null, payload: row.payload)
  }

  private init(
    payloads: [[UInt8]], of model: String?, in envelope: SampleEnvelope, at path: String
  ) throws {
    self.init()
    self.model = model
    var others: [(payload: [UInt8], mistake: Mistake?)] = []
    for payload in payloads {
      // A row may have a list with the name of the envelope's.
      if try SampleRows.values(in: payload).allSatisfy(isRow) {
        others.append((payload, nil))
        continue
      }
      do { try add(payload, at: path) } catch let mistake as Mistake { others.append((payload, mistake)) }
    }
    let listed = Listed(rows)
    for (payload, mistake) in others {
      if let found = try rows(in: payload, like: listed) { add(found) } else if let mistake { throw mistake }
    }
    (listPath, readEnvelope) = (path, envelope)
  }

  private func isRow(_ value: SyncJSON) -> Bool {
    value.object.map { SampleEnvelope.isRow($0, of: model) } ?? false
  }

  /// The rows of a response that lacks the envelope of the others: one of the rows, or a list of them, without an envelope, or one
  /// row in an envelope of its own, such as `{"user": {}}` next to `{"users": []}`.
  private mutating func rows(in payload: [UInt8], like listed: Listed) throws -> [SyncJSON]? {
    var own = SampleRows()
    own.model = model
    try own.add(payload)
    if own.others == 0, own.rows.allSatisfy({ listed.areLike($0) || isRow($0.value) }) {
      return own.rows.map(\.value)
    }
    guard let only = own.envelope?.only, !only.isList else { return nil }
    var opened = SampleRows()
    try opened.add(payload, at: only.path)
    guard opened.rows.allSatisfy(listed.areLike) else { return nil }
    itemPath = itemPath ?? only.path
    return opened.rows.map(\.value)
  }

  /// Whether lists of rows were passed, and all other payloads are like the rows in them.
  private var areLikeLists: Bool {
    guard !lists.isEmpty, !envelopes.isEmpty else { return false }
    let listed = Listed(rows.filter { lists.contains($0.payload) })
    return rows.allSatisfy { lists.contains($0.payload) || listed.areLike($0) }
  }

  /// The rows of lists, to which those of other payloads are compared.
  private struct Listed {
    let keys: Set<String>
    let haveIdentity: Bool
    /// The strings that may identify the rows, with their keys.
    private let identities: Set<[String]>

    init(_ rows: [Row]) {
      let objects = rows.compactMap(\.value.object)
      keys = Set(objects.lazy.flatMap(\.keys))
      haveIdentity = objects.allSatisfy(SampleEnvelope.hasIdentity)
      identities = Set(objects.lazy.flatMap(Listed.texts))
    }

    private static func texts(of object: SyncJSONObject) -> [[String]] {
      object.compactMap { key, value in
        guard let text = value.string, !text.isEmpty, let rank = KeyWords.rank(of: key, model: []),
          rank <= .word
        else { return nil }
        return [key, text]
      }
    }

    /// Whether a row has the identity of one of the listed rows, or most keys of one side are also on the other. If all listed
    /// rows have an identity with a usual name, the row must have one, too.
    func areLike(_ row: Row) -> Bool {
      guard let object = row.value.object, !haveIdentity || SampleEnvelope.hasIdentity(object) else {
        return false
      }
      if Listed.texts(of: object).contains(where: identities.contains) { return true }
      let own = Set(object.keys)
      return own.intersection(keys).count * 2 > min(own.count, keys.count)
    }
  }

  /// Whether a value describes payloads, as an OpenAPI document and a JSON Schema do.
  private static func isDescription(_ json: SyncJSON) -> Bool {
    let schema = json["$schema"]?.string.map { $0.contains("json-schema.org") } ?? false
    let version = json["openapi"]?.string ?? json["swagger"]?.string
    let parts = ["paths", "components", "definitions"]
    return schema || version != nil && parts.contains { json[$0]?.object != nil }
  }

  private static func question(_ candidates: [SampleEnvelope.Candidate]) -> String {
    let lines = candidates.map { candidate in
      "  --at \(candidate.path)  (\(candidate.count == 1 ? "1 object" : "\(candidate.count) objects"))"
    }
    return
      "Several members of the payload can be the rows. Pass the path of one:\n"
      + lines.joined(separator: "\n")
  }

  package static func rows(in bytes: [UInt8], at path: String? = nil) throws -> [SyncJSON] {
    var sample = SampleRows()
    try sample.add(bytes, at: path)
    return sample.rows.map(\.value)
  }

  private mutating func add(_ row: Row) {
    if row.value.object == nil { others += 1 } else { rows.append(row) }
  }

  private mutating func add(_ place: Place, mayHaveMembers: Bool, path: String?) {
    if let elements = place.value.array {
      if mayHaveMembers { innerList = innerList ?? SampleRows.innerList(of: elements) }
      lists.insert(payloads)
      for element in elements { add(Row(value: element, payload: payloads)) }
    } else if mayHaveMembers, let object = place.value.object,
      KeyedObjects.areRows(object, isPayload: true)
    {
      memberPath = (path ?? "") + "{}"
      for (key, value) in object { add(Row(value: value, key: key, payload: payloads)) }
    } else {
      if mayHaveMembers, envelopes.count < SampleRows.envelopeLimit,
        let found = SampleEnvelope(place.value, at: path, of: model),
        !envelopes.contains(where: { $0.path == found.path })
      {
        envelopes.append(found)
      }
      add(Row(value: place.value, key: place.key, payload: payloads))
    }
  }

  /// The path of the only list in a list, as in the World Bank's `[{"page": 1}, [{"id": "ABW"}]]`; nil if another element may
  /// be a row.
  private static func innerList(of elements: some Collection<SyncJSON>) -> String? {
    let lists = elements.enumerated().filter { $0.element.array != nil }
    guard lists.count == 1, let rows = lists[0].element.array, !rows.isEmpty,
      rows.allSatisfy({ $0.object != nil }),
      !elements.contains(where: { $0.object.map(SampleEnvelope.hasIdentity) ?? false })
    else { return nil }
    return "[\(lists[0].offset)]"
  }

  private static func values(in bytes: [UInt8]) throws -> [SyncJSON] {
    guard isOfLines(bytes) else { return [try SyncJSON(parsing: bytes)] }
    return try bytes.split(whereSeparator: isLineBreak).filter { $0.contains { $0 > UInt8(ascii: " ") } }
      .map { try SyncJSON(parsing: Array($0)) }
  }

  /// Whether a payload is in the JSON Lines format: its first line is a complete value, and more values follow.
  static func isOfLines(_ bytes: [UInt8]) -> Bool {
    let text = bytes.drop { $0 <= UInt8(ascii: " ") }
    let first = text.prefix { !isLineBreak($0) }
    return text.dropFirst(first.count).contains { $0 > UInt8(ascii: " ") }
      && (try? SyncJSON(parsing: Array(first))) != nil
  }

  private static func isLineBreak(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
  }

  /// A value that a path selects.
  private struct Place {
    let value: SyncJSON
    /// The key of the last object whose members the path selects.
    var key: String?
  }

  private static func places(in json: SyncJSON, at path: String?) throws -> [Place] {
    var places = [Place(value: json)]
    for step in try steps(of: path ?? "") {
      switch step {
      case .member(let name):
        let found = places.compactMap { place in
          place.value[name].map { Place(value: $0, key: place.key) }
        }
        if found.isEmpty { throw Mistake(missing(name, in: places.map(\.value))) }
        places = found
      case .index(let index):
        places = places.compactMap { place in
          guard let elements = place.value.array, index < elements.count else { return nil }
          return Place(value: elements[index], key: place.key)
        }
      case .each:
        places = places.flatMap { place in (place.value.array ?? []).map { Place(value: $0) } }
      case .members:
        places = places.compactMap(\.value.object).joined().map { Place(value: $0.value, key: $0.key) }
      case .pairs: throw Mistake("A path of rows cannot lead through a list of pairs.")
      }
    }
    return places
  }

  private static func steps(of path: String) throws -> [RemotePath.Step] {
    if path.isEmpty { return [] }
    do {
      return try RemotePath(path).steps
    } catch {
      throw Mistake("“\(path)” is not a path: \(error.description).")
    }
  }

  private static func missing(_ name: String, in values: [SyncJSON]) -> String {
    if values.contains(where: { $0.array != nil }) {
      return "“\(name)” cannot be read from a list: write “[]” before it, to read each element."
    }
    let keys = values.lazy.compactMap(\.object).first?.keys.prefix(10).joined(separator: ", ") ?? ""
    return "There is no key “\(name)”" + (keys.isEmpty ? "." : "; the keys are \(keys).")
  }
}
