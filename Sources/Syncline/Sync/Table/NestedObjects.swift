/// Visiting the objects of a payload without syncing them.
extension Run {
  /// Calls the body with an object and the nested objects that are applied with it, in reading order.
  ///
  /// - Parameter skipped: whether to include all other objects, and skipped rows with the objects nested in them.
  func forEachObject(
    in object: PayloadObject, skipped: Bool = false, _ body: (PayloadObject, ModelRows) throws -> Void
  ) throws {
    let level = object.level
    guard try visit(object, level, skipped: skipped, body) else { return }
    guard level < PayloadObject.levelLimit else {
      return try forEachDeepObject(below: object, skipped: skipped, body)
    }
    try forEachNestedObject(in: object, skipped: skipped) {
      try forEachObject(in: $0, skipped: skipped, body)
    }
  }

  /// Calls the body with the objects below those that are applied, without recursion: the stack of a thread may have 512 KB only.
  private func forEachDeepObject(
    below object: PayloadObject, skipped: Bool, _ body: (PayloadObject, ModelRows) throws -> Void
  ) throws {
    func nested(_ object: PayloadObject) throws -> [PayloadObject] {
      var nested: [PayloadObject] = []
      try forEachNestedObject(in: object, skipped: skipped) { nested.append($0) }
      return nested.reversed()
    }
    var open = try nested(object)
    while let next = open.popLast() {
      let level = next.level
      guard level < JSONScanner.depthLimit, try visit(next, level, skipped: skipped, body) else { continue }
      open += try nested(next)
    }
  }

  private func forEachNestedObject(
    in object: PayloadObject, skipped: Bool, _ body: (PayloadObject) throws -> Void
  ) throws {
    guard let properties = object.table?.properties else { return }
    for position in properties.indices where properties[position].isRelationship {
      try forEachObject(under: position, of: object, skipped: skipped, body)
    }
  }

  /// Calls the body with an object if it is applied.
  ///
  /// - Returns: whether the objects nested in it are applied, too.
  private func visit(
    _ object: PayloadObject, _ level: Int, skipped: Bool, _ body: (PayloadObject, ModelRows) throws -> Void
  ) throws -> Bool {
    guard let table = object.table else { return false }
    let model = try rows(of: table)
    if skipped {
      try body(object, model)
      return true
    }
    // Objects nested in a row without identity are not applied.
    if level == 1, object.identity == nil { return false }
    if skipsRows, mode.skipped.contains(object, in: model.entry.number) { return false }
    if let deletedRows, deletedRows.leavesOut(object) { return false }
    if let lists = model.listsOfDeletedRows, let row = object.row, lists.isDeletedPermanently(row) {
      return false
    }
    try body(object, model)
    return try linksRows(of: object, in: model)
  }

  /// Whether the operations allow an object's relationships to be applied.
  private func linksRows(of object: PayloadObject, in model: ModelRows) throws -> Bool {
    guard operations != .all, let row = object.row else { return true }
    // A row that this call inserted is new for all of its objects.
    let isNew = try model.journal.isInserted(row) || !model.isStored(row)
    return LinkMask.applies(operations, isNew: isNew)
  }

  /// Calls the body with the objects that are directly under one relationship of an object.
  private func forEachObject(
    under position: Int, of object: PayloadObject, skipped: Bool, _ body: (PayloadObject) throws -> Void
  ) throws {
    guard let table = object.table, let end = try rows(of: table).end(position) else { return }
    let (target, back) = (rows(end.target), end.back)
    let applied = skipped ? nil : appliedObjects(under: end, of: object)
    for candidate in object.candidates(of: end.key) {
      guard case .found(let value) = object.lookUp(candidate) else { continue }
      let isList = !value.isObject
      for (index, value) in (isList ? Array(value.elements) : [value]).enumerated() where value.isObject {
        let nested = object.nested(value, in: target, key: candidate.text, element: isList ? index : nil)
        if let back, let identity = object.identity {
          nested.scope = PayloadObject.Scope(position: back.position, parent: identity, isFromList: true)
        }
        if !end.isToMany { nested.completeIdentity(from: object) }
        if object.isNull(value, nested.identity, in: target.table) { continue }
        if lookups != nil, nested.identity == nil,
          let row = object.lookedUpRow(of: value, at: end.key, in: target.table)
        {
          nested.givenIdentity = row
        }
        if nested.identity == nil, !end.isToMany {
          // It is the row around the object, or the one that a key next to it references.
          nested.givenIdentity =
            object.target(of: end.key, in: target.table) ?? answer(to: value, under: end, of: object)
        }
        // An object of a row that is looked up, but not stored, is not applied.
        if !skipped, let row = nested.givenIdentity, object.isPlaceholder(row) { continue }
        if let applied, !applied.contains(nested, at: candidate.text) { continue }
        try body(nested)
      }
    }
  }

  /// The objects under a relationship that are applied: those of the deciding list and others with its keys, or the one that a
  /// to-one references.
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
    var applied = AppliedObjects()
    if end.isToMany {
      let list = object.toMany(end.key, target: end.targetTable)
      guard list.isReadable else { return applied }
      applied.key = list.key
      if !list.extras.isEmpty || !list.deleted.isEmpty {
        applied.identities = Set((list.elements + list.deleted).compactMap(\.identity))
      }
    } else if let parent = object.scopeParent(for: end.key) {
      (applied.identities, applied.appliesUnidentified) = ([parent], true)
    } else if case let reading = object.toOne(end.key, target: end.targetTable),
      let identity = reading.identity ?? answer(to: reading.nested?.value, under: end, of: object)
        ?? reading.deleted?.identity
    {
      (applied.identities, applied.appliesUnidentified) = ([identity], true)
    }
    return applied
  }

  /// The row of an object without identity, if it is known.
  private func answer(to nested: SyncValue?, under end: LinkEnd, of object: PayloadObject) -> SyncIdentity? {
    guard let nested, !mode.answers.isEmpty else { return nil }
    let place = UnidentifiedPlace(end: end, owner: object.identity, begin: object.begin(of: nested))
    return mode.answers[place]?.key.identity
  }

  // MARK: Naming

  /// Records the rows in an object that is not synced, so that they are not missing.
  func name(_ object: PayloadObject) throws { try forEachObject(in: object, skipped: true, name) }

  func nameNested(in object: PayloadObject) throws {
    try forEachNestedObject(in: object, skipped: true) { try name($0) }
  }

  func nameNested(_ position: Int, _ object: PayloadObject) throws {
    try forEachObject(under: position, of: object, skipped: true) { try name($0) }
  }

  private func name(_ object: PayloadObject, _ model: ModelRows) throws {
    guard let row = object.row, try model.isStored(row) else { return }
    model.name(row)
  }
}

extension PayloadObject {
  /// How deeply rows may be nested.
  static let levelLimit = 64

  /// A nested object, read with another model's keys.
  func nested(_ value: SyncValue, in target: ModelRows, key: String, element: Int?) -> PayloadObject {
    PayloadObject(
      tape: tape(of: value), position: value.position, table: target.table, shape: target.shape,
      place: .nested(in: self, key: key, element: element), settings: settings)
  }
}
