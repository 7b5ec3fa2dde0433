/// Looking at the objects of a payload without syncing them.
extension Run {
  /// Calls the body with an object and those nested in it that are applied with it, in the order they are read.
  ///
  /// - Parameter skipped: includes all others, and the rows that are skipped, with what is nested in them.
  func forEachObject(
    in object: PayloadObject, skipped: Bool = false, _ body: (PayloadObject, ModelRows) throws -> Void
  ) throws {
    guard let table = object.table, object.level < JSONScanner.depthLimit else { return }
    let model = try rows(of: table)
    if skipsRows, !skipped, mode.skipped.contains(object, in: model.entry.number) { return }
    try body(object, model)
    if !skipped, try !linksRows(of: object, in: model) { return }
    for position in table.properties.indices where table.properties[position].isRelationship {
      try forEachObject(under: position, of: object, skipped: skipped, body)
    }
  }

  /// Whether the operations let an object's relationships be applied.
  private func linksRows(of object: PayloadObject, in model: ModelRows) throws -> Bool {
    guard mode.operations != .all, let identity = object.identity else { return true }
    return try LinkMask.applies(mode.operations, isNew: !model.exists(identity))
  }

  /// Calls the body with the objects that are nested under one relationship of an object.
  private func forEachObject(
    under position: Int, of object: PayloadObject, skipped: Bool,
    _ body: (PayloadObject, ModelRows) throws -> Void
  ) throws {
    guard let table = object.table, let end = try rows(of: table).end(position) else { return }
    let target = rows(end.target)
    let back = end.memberColumn ?? (end.isUnique ? end.inverse : nil)
    let applied = skipped ? nil : appliedObjects(under: end, of: object)
    for candidate in object.candidates(of: SyncKey(position)) {
      guard case .found(let value) = object.lookUp(candidate) else { continue }
      let values = value.isObject ? [value] : value.elements.filter(\.isObject)
      for value in values {
        let nested = object.nested(value, in: target, key: candidate.text, element: nil)
        if let back, let identity = object.identity {
          nested.scope = PayloadObject.Scope(position: back.position, parent: identity, isFromList: true)
        }
        if nested.identity == nil, !end.isToMany {
          // It is the row that the object stands in, or that a key beside it names.
          nested.givenIdentity =
            object.scopeParent(for: SyncKey(position))
            ?? object.toOne(SyncKey(position), target: target.table).identity
        }
        if let applied, !applied.contains(nested, at: candidate.text) { continue }
        try forEachObject(in: nested, skipped: skipped, body)
      }
    }
  }

  /// Which objects under a relationship are applied: those of the list that decides, and others that its keys name; or the
  /// one that a to-one names.
  private struct AppliedObjects {
    var key: String?
    var identities: Set<SyncIdentity> = []
    var appliesUnidentified = false

    func contains(_ object: PayloadObject, at key: String) -> Bool {
      guard let identity = object.identity else { return appliesUnidentified }
      return key == self.key || identities.contains(identity)
    }
  }

  private func appliedObjects(under end: LinkEnd, of object: PayloadObject) -> AppliedObjects {
    let key = SyncKey(end.position)
    var applied = AppliedObjects()
    if end.isToMany {
      let list = object.toMany(key, target: end.targetTable)
      guard list.isReadable else { return applied }
      applied.key = list.key
      if !list.extras.isEmpty { applied.identities = Set(list.elements.compactMap(\.identity)) }
    } else if let parent = object.scopeParent(for: key) {
      (applied.identities, applied.appliesUnidentified) = ([parent], true)
    } else if let identity = object.toOne(key, target: end.targetTable).identity {
      (applied.identities, applied.appliesUnidentified) = ([identity], true)
    }
    return applied
  }

  // MARK: Naming

  /// Names the rows that the payload holds in an object that is not synced, so that they are not missing.
  func name(_ object: PayloadObject) throws { try forEachObject(in: object, skipped: true, name) }

  /// Names the rows nested in an object.
  func nameNested(in object: PayloadObject) throws {
    guard let table = object.table else { return }
    for position in table.properties.indices where table.properties[position].isRelationship {
      try nameNested(position, object)
    }
  }

  /// Names the rows nested under one relationship of an object.
  func nameNested(_ position: Int, _ object: PayloadObject) throws {
    try forEachObject(under: position, of: object, skipped: true, name)
  }

  private func name(_ object: PayloadObject, _ model: ModelRows) throws {
    guard let identity = object.identity, model.table.parentScope == nil, try model.exists(identity) else {
      return
    }
    model.name(RowKey(identity: identity))
  }
}

extension PayloadObject {
  /// How many rows may stand inside of each other.
  static let levelLimit = 64

  /// An object nested in this one, as another model reads it.
  func nested(_ value: SyncValue, in target: ModelRows, key: String, element: Int?) -> PayloadObject {
    PayloadObject(
      tape: tape(of: value), position: value.position, table: target.table, shape: target.shape,
      place: .nested(in: self, key: key, element: element), settings: settings)
  }
}
