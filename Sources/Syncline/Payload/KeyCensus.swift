import SynclineNaming

/// Samples rows to find keys that no property reads, and properties that no row has.
struct KeyCensus {
  private let style: KeyStyle
  private var tallies: [ObjectIdentifier: Tally] = [:]
  private var order: [Tally] = []

  /// The maximum number of keys that are counted for a model.
  private static let countedKeys = 1_000
  /// The maximum depth of nested objects that are examined.
  private static let levelLimit = 8

  init(_ style: KeyStyle) {
    self.style = style
  }

  /// The counts for the objects of one model or struct.
  fileprivate final class Tally {
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

    init(_ name: String, _ fields: [KeyField], _ keys: KeyTable) {
      (self.name, self.fields, reader) = (name, fields, KeyReader(keys))
    }

    /// Counts a row that has a value for a property at a key.
    func count(_ source: SyncUnreadKeys.Read.Source) {
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

  private mutating func tally(of table: SyncTable) -> Tally {
    tally(ObjectIdentifier(table)) { [style] in
      let keys = table.keyTable(style)
      let tally = Tally(table.name, table.properties.map { KeyField($0, in: style) }, keys)
      (tally.marks, tally.localNames) = (table.deletionMarks, KeyCensus.localNames(of: table))
      tally.itself = keys.itself.flatMap { itself in
        table.properties[itself.property].related.map { (field: itself.property, table: $0.syncTable) }
      }
      return tally
    }
  }

  private static func localNames(of table: SyncTable) -> Set<String> {
    let local = table.properties.filter(\.isLocal)
    let path = table.below.map { $0 + "." } ?? ""
    return Set(local.flatMap { [$0.name, $0.name + "ID"] }.map { NameSpelling(path + $0).letters })
  }

  private mutating func tally(of members: SyncMembers) -> Tally {
    tally(ObjectIdentifier(members)) { [style] in
      let fields = members.members.map { KeyField($0, in: style) }
      return Tally(members.name, fields, members.keys(SyncForm(style: style)))
    }
  }

  private mutating func tally(_ id: ObjectIdentifier, _ make: () -> Tally) -> Tally {
    if let tally = tallies[id] { return tally }
    let tally = make()
    tallies[id] = tally
    order.append(tally)
    return tally
  }

  /// Examines an object.
  ///
  /// - Parameters:
  ///   - identity: the properties that identify a row. An object that has no others is only a reference.
  ///   - isShared: whether another row is read from the same object, for which its unread keys are counted.
  /// - Returns: the keys that are not read.
  @discardableResult
  private mutating func add(
    _ object: SyncValue, _ tally: Tally, given: [Int] = [], named identity: [Int] = [],
    besides key: String? = nil, isShared: Bool = false, level: Int
  ) -> [String: JSONNode.Kind] {
    guard object.isObject, level < KeyCensus.levelLimit else { return [:] }
    var unread: [String: JSONNode.Kind] = [:]
    var carried: [(field: Int, key: String, value: SyncValue)] = []
    tally.reader.read(object, at: "", &unread) { carried.append(($0, $1, $2)) }
    // A deleted row may lack any property.
    if carried.contains(where: { tally.isDeleted($0.field, $0.value) }) { return [:] }
    carried.removeAll { tally.isMark($0.field) }
    if let key = key.map(RemotePath.unquoted) {
      // Neither the key nor an object on its path is unread.
      unread = unread.filter { found, _ in
        let path = RemotePath.unquoted(found)
        return path != key && !key.hasPrefix(path + ".")
      }
    }
    if let itself = tally.itself {
      let others = add(
        object, self.tally(of: itself.table), named: [itself.table.identity] + itself.table.identityParts,
        isShared: true, level: level + 1)
      unread = unread.filter { others[$0.key] != nil }
    }
    if unread.isEmpty || isShared, carried.allSatisfy({ identity.contains($0.field) }) { return unread }
    tally.rows += 1
    tally.carried.formUnion(carried.map(\.field) + given)
    if let itself = tally.itself { tally.carried.insert(itself.field) }
    for (key, kind) in unread where !isShared {
      guard tally.unread[key] != nil || tally.unread.count < KeyCensus.countedKeys else { continue }
      tally.unread[key, default: (0, [])].rows += 1
      if kind != .null { tally.unread[key]?.kinds.insert(kind) }
    }
    // A list has many values at one key, which count once.
    var counted: Set<SyncUnreadKeys.Read.Source> = []
    for (field, key, _) in carried {
      let source = SyncUnreadKeys.Read.Source(property: tally.fields[field].name, key: key)
      if counted.insert(source).inserted { tally.count(source) }
    }
    for (field, _, value) in carried { addInner(value, tally.fields[field].inner, level: level + 1) }
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
    for tally in order where tally.rows > 0 {
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

  /// Whether the value is at a mark's key, and marks the row as deleted.
  fileprivate func isDeleted(_ field: Int, _ value: SyncValue) -> Bool {
    isMark(field) && !value.isNull && marks[field - fields.count].marks(value)
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
