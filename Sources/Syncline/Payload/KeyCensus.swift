import SynclineNaming

/// Samples rows to find keys that no property reads, and properties that no row has.
struct KeyCensus {
  private let style: KeyStyle
  private var tallies: [ObjectIdentifier: Tally] = [:]
  private var order: [ObjectIdentifier] = []

  /// The maximum number of keys that are counted for a model.
  private static let countedKeys = 1_000
  /// The maximum depth of nested objects that are examined.
  private static let levelLimit = 8

  init(_ style: KeyStyle) {
    self.style = style
  }

  /// The counts for the objects of one model or struct.
  fileprivate struct Tally {
    let name: String
    let fields: [KeyField]
    let reader: KeyReader
    /// The marks for deleted rows. The fields of their keys follow those of the properties.
    var marks: [SyncDeletionMark] = []
    /// The property that is read from the object itself, and the model of its row.
    var itself: (field: Int, table: SyncTable)?
    var rows = 0
    var unread: [String: (rows: Int, kinds: Set<JSONNode.Kind>)] = [:]
    var carried: Set<Int> = []
    /// The normalized keys that properties with `@Local` would have. Payloads are not expected to have them.
    var localNames: Set<String> = []
    var reads: [SyncUnreadKeys.Read] = []
    var readIndexes: [SyncUnreadKeys.Read.Source: Int] = [:]

    /// Counts a row that has a value for a property at a key.
    mutating func count(_ source: SyncUnreadKeys.Read.Source) {
      if let known = readIndexes[source] {
        reads[known].rows += 1
      } else if reads.count < KeyCensus.countedKeys {
        readIndexes[source] = reads.count
        reads.append(SyncUnreadKeys.Read(model: name, source: source, rows: 1))
      }
    }
  }

  // MARK: Reading

  /// Examines an object of a model.
  ///
  /// - Parameters:
  ///   - scope: the property that the call gives to each row, so rows need not have it.
  ///   - key: the key that distinguishes cases of a union, which no property reads.
  mutating func add(
    _ object: SyncValue, of table: SyncTable, scope: Int? = nil, besides key: String? = nil
  ) {
    add(object, tally(of: table), given: scope.map(table.withOtherCases) ?? [], besides: key, level: 0)
  }

  private mutating func tally(of table: SyncTable) -> ObjectIdentifier {
    tally(ObjectIdentifier(table)) { [style] in
      Tally(
        name: table.name, fields: table.properties.map { KeyField($0, in: style) },
        reader: KeyReader(table.keyTable(style)), marks: table.deletionMarks,
        itself: table.keyTable(style).itself.flatMap { itself in
          table.properties[itself.property].related.map { (field: itself.property, table: $0.syncTable) }
        }, localNames: KeyCensus.localNames(of: table))
    }
  }

  private static func localNames(of table: SyncTable) -> Set<String> {
    let local = table.properties.filter(\.isLocal)
    let path = table.below.map { $0 + "." } ?? ""
    return Set(local.flatMap { [$0.name, $0.name + "ID"] }.map { NameSpelling(path + $0).letters })
  }

  private mutating func tally(of members: SyncMembers) -> ObjectIdentifier {
    let form = SyncForm(dates: .iso8601, style: style)
    return tally(ObjectIdentifier(members)) { [style] in
      Tally(
        name: members.name, fields: members.members.map { KeyField($0, in: style) },
        reader: KeyReader(members.keys(form)))
    }
  }

  private mutating func tally(_ id: ObjectIdentifier, _ make: () -> Tally) -> ObjectIdentifier {
    if tallies[id] == nil {
      tallies[id] = make()
      order.append(id)
    }
    return id
  }

  /// Examines an object.
  ///
  /// - Parameters:
  ///   - given: the properties that the call gives to each row.
  ///   - identity: the properties that identify a row. An object that has no others is only a reference.
  ///   - isShared: whether another row is read from the same object, for which its unread keys are counted.
  /// - Returns: the keys that are not read.
  @discardableResult
  private mutating func add(
    _ object: SyncValue, _ id: ObjectIdentifier, given: [Int] = [], named identity: [Int] = [],
    besides key: String? = nil, isShared: Bool = false, level: Int
  ) -> [String: JSONNode.Kind] {
    guard object.isObject, level < KeyCensus.levelLimit, let reader = tallies[id]?.reader else { return [:] }
    var unread: [String: JSONNode.Kind] = [:]
    var carried: [(field: Int, key: String, value: SyncValue)] = []
    reader.read(object, at: "", &unread) { carried.append(($0, $1, $2)) }
    if let tally = tallies[id], !tally.marks.isEmpty {
      // A deleted row may lack any property.
      if carried.contains(where: { tally.isMark($0.field) && tally.isDeleted($0.field, $0.value) }) {
        return [:]
      }
      carried.removeAll { tally.isMark($0.field) }
    }
    if let key = key.map(RemotePath.unquoted) {
      // Neither the key nor an object on its path is unread.
      unread = unread.filter { found, _ in
        let path = RemotePath.unquoted(found)
        return path != key && !key.hasPrefix(path + ".")
      }
    }
    if let itself = tallies[id]?.itself {
      let others = add(
        object, tally(of: itself.table), named: [itself.table.identity] + itself.table.identityParts,
        isShared: true, level: level + 1)
      unread = unread.filter { others[$0.key] != nil }
    }
    if unread.isEmpty || isShared, carried.allSatisfy({ identity.contains($0.field) }) { return unread }
    tallies[id]?.rows += 1
    tallies[id]?.carried.formUnion(carried.map(\.field))
    tallies[id]?.carried.formUnion(given)
    if let itself = tallies[id]?.itself { tallies[id]?.carried.insert(itself.field) }
    for (key, kind) in unread where !isShared {
      var found = tallies[id]?.unread[key] ?? (0, [])
      guard found.rows > 0 || tallies[id]?.unread.count ?? 0 < KeyCensus.countedKeys else { continue }
      found.rows += 1
      if kind != .null { found.kinds.insert(kind) }
      tallies[id]?.unread[key] = found
    }
    // A list has many values at one key, which count once.
    let sources = carried.compactMap { field, key, _ in
      tallies[id].map { SyncUnreadKeys.Read.Source(property: $0.fields[field].name, key: key) }
    }
    var counted: Set<SyncUnreadKeys.Read.Source> = []
    for source in sources where counted.insert(source).inserted { tallies[id]?.count(source) }
    for (field, _, value) in carried { addInner(value, tallies[id]?.fields[field].inner, level: level + 1) }
    return unread
  }

  /// Examines the objects in a value.
  private mutating func addInner(_ value: SyncValue, _ inner: KeyField.Inner?, level: Int) {
    guard let inner, level < KeyCensus.levelLimit else { return }
    let values = value.isArray ? Array(value.elements) : [value]
    for value in values where value.isObject {
      switch inner {
      case .rows(let table, let union):
        if let union, union.cases.index(of: value) != union.index { continue }
        add(
          value, tally(of: table), named: [table.identity] + table.identityParts, besides: union?.cases.key,
          level: level)
      case .object(let members): add(value, tally(of: members), level: level)
      case .cases(let union):
        guard let index = union.index(of: value),
          let structure = union.cases[index].element as? any SyncStruct.Type
        else { continue }
        add(value, tally(of: structure.syncMembers), besides: union.key, level: level)
      case .map(let inner):
        for member in value.members { addInner(member.value, inner, level: level + 1) }
      }
    }
  }

  // MARK: The result

  var result: SyncUnreadKeys {
    var result = SyncUnreadKeys()
    for tally in order.compactMap({ tallies[$0] }) where tally.rows > 0 {
      result.rows[tally.name] = tally.rows
      let keys = tally.unread.map { SyncUnreadKeys.Key(model: tally.name, key: $0, rows: $1.rows) }
        .sorted { (-$0.rows, $0.key) < (-$1.rows, $1.key) }
      result.keys += keys.prefix(SyncUnreadKeys.keyLimit)
      result.properties += tally.properties
      result.reads.all += tally.reads
    }
    return result
  }
}

extension KeyCensus.Tally {
  fileprivate func isMark(_ field: Int) -> Bool { field >= fields.count }

  /// Whether the value of a mark's key marks the row as deleted.
  fileprivate func isDeleted(_ field: Int, _ value: SyncValue) -> Bool {
    !value.isNull && marks[field - fields.count].marks(value)
  }

  /// The properties that no row has.
  fileprivate var properties: [SyncUnreadKeys.Property] {
    let missing = fields.indices.filter { !carried.contains($0) && !fields[$0].keys.isEmpty }
    let suggestions = suggestions(for: missing)
    return missing.compactMap { index in
      let field = fields[index]
      let suggestion = suggestions[index]
      guard field.isExpected || suggestion != nil else { return nil }
      return SyncUnreadKeys.Property(
        model: name, property: field.name, keys: field.keys, suggestion: suggestion)
    }
  }

  /// The unread key that each missing property was probably meant to read. A key is suggested once: for the property that has
  /// its letters, otherwise for the first one that is similar.
  private func suggestions(for missing: [Int]) -> [Int: String] {
    let written = Set(fields.flatMap(\.keys))
    var keys = unread.keys.sorted().filter { !written.contains($0) }.map {
      (key: $0, spelling: NameSpelling($0))
    }
    keys.removeAll { localNames.contains($0.spelling.letters) }
    let names = missing.map { index in ([fields[index].name] + fields[index].keys).map(NameSpelling.init) }
    var suggestions: [Int: String] = [:]
    for mayDiffer in [false, true] {
      for (index, own) in zip(missing, names) where suggestions[index] == nil {
        let meant = keys.firstIndex { key, spelling in
          guard let kinds = unread[key]?.kinds, fields[index].mayHold(kinds) else { return false }
          return own.contains {
            mayDiffer ? $0.isSimilar(to: spelling) : $0.letters == spelling.letters
          }
        }
        if let meant { suggestions[index] = keys.remove(at: meant).key }
      }
    }
    return suggestions
  }
}
