/// Reading relationships: foreign keys, and the rows nested in an object.
extension PayloadObject {
  /// The value of a to-one relationship in the payload.
  struct ToOneReading {
    typealias Row = (value: SyncValue, identity: SyncIdentity?, key: String)

    enum Decision {
      case absent
      case null
      case key(SyncIdentity)
      /// The nested object is the value.
      case nested
      case unreadable
    }

    var decision = Decision.absent
    /// The nested object, if any, and its identity. For a union it may be set without a decision, if another case wins.
    var nested: Row? {
      get { isDeleted ? nil : row }
      set { row = newValue }
    }
    /// The nested object, even if its row is deleted.
    private(set) var row: Row?
    /// Whether the row of the nested object is deleted, so that the object is read as null.
    private var isDeleted = false
    var deleted: Row? { isDeleted ? row : nil }
    /// The key and value that could not be read. The value is nil if a step of a path is not an object.
    var unreadable: (key: String, value: SyncValue?)?
    /// Why the value matches no case of the union. Only one of the cases has it.
    var noCase: (key: String, why: Finding)?
    /// The key of the deciding value.
    var key = ""
    /// The offset of the deciding value in the text.
    var begin = 0

    /// Whether a nested object may be the row with an identity.
    func nests(_ identity: SyncIdentity) -> Bool {
      row.map { $0.identity == nil || $0.identity == identity } ?? false
    }

    var identity: SyncIdentity? {
      switch decision {
      case .key(let identity): identity
      case .nested: nested?.identity
      case .absent, .null, .unreadable: nil
      }
    }

    /// Takes a decision, unless there is one.
    fileprivate mutating func decide(_ decision: Decision, _ key: String, begin: @autoclosure () -> Int) {
      switch self.decision {
      case .absent, .unreadable: (self.decision, self.key, self.begin) = (decision, key, begin())
      case .null, .key, .nested: break
      }
    }

    /// Reads the nested object as null, since its row is deleted.
    mutating func leaveOut(_ object: Row) {
      (row, isDeleted) = (object, true)
      decision = .null
    }

    /// - Parameter isReported: false if another case of the union reports it.
    fileprivate mutating func noteUnreadable(_ value: SyncValue?, _ key: String, isReported: Bool) {
      if unreadable == nil, isReported { unreadable = (key, value) }
      if case .absent = decision { decision = .unreadable }
    }
  }

  func toOne(_ key: SyncKey, target: SyncTable) -> ToOneReading {
    var (result, isAbsent) = ownToOne(key, target: target)
    var part = earlier
    while isAbsent, let object = part {
      (result, isAbsent) = object.ownToOne(key, target: target)
      part = object.earlier
    }
    return result
  }

  /// The row that a to-one relationship references: the parent that is given, or what the object states.
  func target(of key: SyncKey, in table: SyncTable) -> SyncIdentity? {
    scopeParent(for: key) ?? toOne(key, target: table).identity
  }

  /// Reads the object itself. If the result is absent, an earlier object of the row decides.
  private func ownToOne(_ key: SyncKey, target: SyncTable) -> (reading: ToOneReading, isAbsent: Bool) {
    var result = ToOneReading()
    if isOfOtherCase(than: key.position) {
      result.decision = .null
      return (result, false)
    }
    let gate = candidates(of: key).first.flatMap { $0.isGated ? table?.unionGates[$0.property] : nil }
    if let gate, case .known(let index)? = statement(of: gate)?.match, index != gate.union.index {
      result.nested = ignoredRow(of: key, target: target, gate.union)
      return (result, false)
    }
    for candidate in candidates(of: key) {
      if let decision = decision(of: candidate, key, gate, target: target, in: &result) {
        result.decide(decision, candidate.text, begin: begin(of: candidate))
      }
    }
    // Like an object whose looked-up row is not stored, one next to a key of no row is not applied.
    if case .key(let row) = result.decision, result.row?.identity == nil, isPlaceholder(row) {
      result.nested = nil
    }
    if let deleted = settings.deletedRows {
      if result.nested != nil {
        result.leaveOutDeleted { isDeleted($0, under: key, of: target) }
      } else if deleted.includesKeys, isDeleted(result.identity, under: key, of: target) {
        result.decision = .null
      }
    }
    guard case .absent = result.decision else { return (result, false) }
    guard let givenPart, givenPart.position == key.position else { return (result, true) }
    result.decide(.key(givenPart.identity), "", begin: begin)
    return (result, false)
  }

  /// What a candidate decides; nil if its value is absent or unreadable. Notes a nested object, and why a value is unreadable.
  private func decision(
    of candidate: KeyTable.Candidate, _ key: SyncKey, _ gate: UnionGate?, target: SyncTable,
    in result: inout ToOneReading
  ) -> ToOneReading.Decision? {
    switch lookUp(candidate) {
    case .absent: return nil
    case .null: return .null
    case .unreadable:
      guard let gate, let type = unrecognizedType(candidate, gate) else {
        if let gate, gate.union.isFirst, result.noCase == nil {
          result.noCase = (candidate.text, gate.union.cases.finding(nil))
        }
        result.noteUnreadable(nil, candidate.text, isReported: gate == nil)
        return nil
      }
      // No case has this type, so no row can be linked.
      if case .absent = result.decision { result.noCase = (candidate.text, gate.union.cases.finding(type)) }
      return .null
    case .found(let value) where gate.map { isReference(value, to: target, $0.union) } ?? false:
      return identity(of: value, in: target).map(ToOneReading.Decision.key)
    case .found(let value) where value.isObject:
      let identity = identity(ofOne: value, at: key, in: target)
      // A key next to it, or the list around this object, identifies a marked object.
      let isMarked =
        identity == nil && result.identity == nil && scopeParent(for: key) == nil
        && isMarked(value, in: target)
      if isMarked
        || (identity == nil && (isNull(value, nil, in: target) || isNullItself(candidate, in: target)))
      {
        return .null
      }
      let row = identity ?? lookedUpRow(of: value, at: key, in: target)
      // An object whose looked-up row is not stored is read like a key.
      if identity == nil, let row, isPlaceholder(row) { return .key(row) }
      if result.nested == nil { result.nested = (value, row, candidate.text) }
      return .nested
    case .found(let value):
      if let identity = foreignKey(in: value, at: key, of: target) { return .key(identity) }
      // PHP writes an empty object as an empty list.
      if value.isEmptyArray || isNull(value, nil, in: target) { return .null }
      result.noteUnreadable(value, candidate.text, isReported: true)
      return nil
    }
  }

  /// The object of one case of a union, if an earlier key refers to a row of another case.
  private func ignoredRow(of key: SyncKey, target: SyncTable, _ union: UnionPlace) -> ToOneReading.Row? {
    for candidate in candidates(of: key) {
      guard case .found(let value) = lookUp(candidate), value.isObject,
        !isReference(value, to: target, union)
      else { continue }
      return (value, identity(ofOne: value, at: key, in: target), candidate.text)
    }
    return nil
  }

  /// Whether an object has only an identity and a type, although a new row of the model requires more, so that it references a row
  /// without values for it. In a document, such an object always is a resource identifier.
  private func isReference(_ object: SyncValue, to target: SyncTable, _ union: UnionPlace) -> Bool {
    guard object.isObject, !target.isComposite,
      settings.isDocument || target.requiresMore(than: union.cases, style)
    else { return false }
    let (keys, style) = (target.keyTable(style), union.cases.firstKey)
    var count = 0
    var isAlone = true
    object.forEachMember { key, _ in
      if key.hasText(style) { return }
      count += 1
      let isIdentity = keys.candidates[target.identity].contains { key.hasText(keys.names[$0.name]) }
      if !isIdentity { isAlone = false }
    }
    return isAlone && count > 0 && identity(of: object, in: target) != nil
  }

  /// Whether the list around the object decides a union's case, and the relationship is another case.
  func isOfOtherCase(than position: Int) -> Bool {
    guard let table, let scope, scope.position != position, let gate = table.unionGates[position] else {
      return false
    }
    return table.unionGates[scope.position]?.union.property == gate.union.property
  }

  /// The type of a candidate's row, if no case of the union matches it.
  private func unrecognizedType(_ candidate: KeyTable.Candidate, _ gate: UnionGate) -> String? {
    guard gate.union.isFirst, case .found(let row) = value(of: candidate),
      case .unrecognized(let type) = match(row, gate)
    else { return nil }
    return type
  }

  /// Reads a foreign key. It must have the identity's own JSON type, unless a key pattern or the settings allow another.
  func foreignKey(in value: SyncValue, at key: SyncKey, of target: SyncTable) -> SyncIdentity? {
    foreignKey(in: value, at: key, of: target, by: lookup(at: key, in: target))
  }

  private func foreignKey(
    in value: SyncValue, at key: SyncKey, of target: SyncTable, by lookup: KeyLookup?
  ) -> SyncIdentity? {
    if let lookup { return lookup.row(key: value) }
    return target.identityReader.key(
      in: value, own: table?.properties[key.position].keyPatterns ?? [],
      isLoose: settings.readsKeysAsIdentities)
  }

  /// The value of a to-many relationship in the payload.
  struct ToManyReading {
    struct Element {
      var identity: SyncIdentity?
      let value: SyncValue
      let key: String
      let index: Int
      /// Why the element matches no case of a union.
      var noCase: Finding?
      /// Whether the element has a type that no case matches. It is then not an unreadable element.
      var isOfNoCase = false

      /// Whether the element only references a row: an object of a union without values, or one whose row is not stored.
      var isReference = false

      var nested: SyncValue? { value.isObject && !isReference ? value : nil }
    }

    var isPresent = false
    /// A list was read, so rows that are not in it are not members. False if every value found was unreadable.
    var isReadable = false
    /// Some elements could not be read, so no members are removed.
    var hasUnreadableElements = false
    var elements: [Element] = []
    /// The objects of nested lists next to a list of keys. They are applied if the keys include them.
    var extras: [Element] = []
    /// The objects of deleted rows, which are not members. In a JSON:API document, also their keys.
    var deleted: [Element] = []
    var key = ""
    /// The offset of the list in the text.
    var begin = 0
    var unreadable: (key: String, found: String)?
    /// Whether unreadable values are reported here. Only the first case of a union reports them.
    var isReported = true
    /// Whether the list has no elements at all.
    var isEmpty = true

    /// Whether the list consists of keys only, and they are exactly those of the given rows. For short lists, sorting is faster
    /// than hashing.
    func areKeys(of members: [SyncIdentity]) -> Bool {
      guard isReadable, extras.isEmpty, deleted.isEmpty, elements.count >= members.count else { return false }
      var keys: [SyncIdentity] = []
      keys.reserveCapacity(elements.count)
      for element in elements {
        guard let identity = element.identity, element.nested == nil else { return false }
        keys.append(identity)
      }
      keys.sort()
      var known = members.sorted()[...]
      for (index, key) in keys.enumerated() where index == 0 || key != keys[index - 1] {
        guard known.popFirst() == key else { return false }
      }
      return known.isEmpty
    }
  }

  func toMany(_ key: SyncKey, target: SyncTable) -> ToManyReading {
    var result = ownToMany(key, target: target)
    var part = earlier
    while !result.isPresent, let object = part {
      result = object.ownToMany(key, target: target)
      part = object.earlier
    }
    return result
  }

  /// Reads the list from the object itself, without earlier objects of the row.
  private func ownToMany(_ key: SyncKey, target: SyncTable) -> ToManyReading {
    var result = ToManyReading()
    for candidate in candidates(of: key) {
      let lookup = lookUp(candidate)
      if case .absent = lookup { continue }
      result.isPresent = true
      if result.isReadable {
        if case .found(let value) = lookup, value.isArray {
          result.extras += elements(of: value, candidate.text, at: key, target: target).filter {
            $0.nested != nil
          }
        }
        continue
      }
      switch lookup {
      case .absent, .null: break
      case .found(let value) where value.isArray:
        result.elements = elements(of: value, candidate.text, at: key, target: target)
        result.isEmpty = value.isEmptyArray
        result.hasUnreadableElements = result.elements.contains { $0.identity == nil && !$0.isOfNoCase }
      case .found, .unreadable:
        result.unreadable = result.unreadable ?? lookup.summary.map { (key: candidate.text, found: $0) }
        continue
      }
      (result.isReadable, result.key, result.begin) = (true, candidate.text, begin(of: candidate))
    }
    if let deleted = settings.deletedRows {
      result.leaveOutDeleted(withKeys: deleted.includesKeys) { isDeleted($0, under: key, of: target) }
    }
    if let gate = table?.unionGates[key.position] { result.isReported = gate.union.isFirst }
    return result
  }

  /// The elements of a list; of a union's list, those that belong to one case, or to none.
  private func elements(
    of list: SyncValue, _ text: String, at key: SyncKey, target: SyncTable
  ) -> [ToManyReading.Element] {
    let union = table?.unionGates[key.position]?.union
    let scope = scope(of: key, in: target)
    let lookup = union == nil ? lookup(at: key, in: target) : nil
    let all = list.elements.enumerated().compactMap { index, value -> ToManyReading.Element? in
      var element = ToManyReading.Element(identity: nil, value: value, key: text, index: index)
      if value.isObject {
        let identity = identity(of: value, in: target, scope)
        if identity == nil, isMarked(value, in: target) { return nil }
        element.identity = identity ?? lookup.flatMap { lookedUpRow(of: value, by: $0) }
        element.isReference =
          union.map { isReference(value, to: target, $0) }
          ?? (identity == nil && element.identity.map(isPlaceholder) ?? false)
      } else if let union {
        guard value.isNull || value.string != nil else { return nil }
        (element.noCase, element.isOfNoCase) = (union.cases.finding(value.string), !value.isNull)
      } else {
        element.identity = foreignKey(in: value, at: key, of: target, by: lookup)
      }
      return element
    }
    guard target.hasNullIdentities else { return all }
    return all.filter { !isNull($0.value, $0.identity, in: target) }
  }

  /// Whether a relationship's key has objects, which are rows themselves.
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

  /// The parent that the call, or the list around the object, gives the row for a relationship.
  func scopeParent(for key: SyncKey) -> SyncIdentity? {
    scope?.position == key.position ? scope?.parent : nil
  }
}
