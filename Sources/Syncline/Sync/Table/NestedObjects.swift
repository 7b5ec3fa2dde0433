/// Looking at the objects of a payload without syncing them.
extension Run {
  /// Calls the body with an object and all that are nested in it, in the order they are read.
  ///
  /// - Parameter skipped: includes the rows that are skipped, and what is nested in them.
  func forEachObject(
    in object: PayloadObject, skipped: Bool = false, _ body: (PayloadObject, ModelRows) throws -> Void
  ) throws {
    guard let table = object.table, object.level < JSONScanner.depthLimit else { return }
    let model = try rows(of: table)
    if skipsRows, !skipped, mode.skipped.contains(object, in: model.entry.number) { return }
    try body(object, model)
    for position in table.properties.indices where table.properties[position].isRelationship {
      try forEachObject(under: position, of: object, skipped: skipped, body)
    }
  }

  /// Calls the body with the objects that are nested under one relationship of an object.
  private func forEachObject(
    under position: Int, of object: PayloadObject, skipped: Bool,
    _ body: (PayloadObject, ModelRows) throws -> Void
  ) throws {
    guard let table = object.table, let end = try rows(of: table).end(position) else { return }
    let target = rows(end.target)
    let column = end.memberColumn?.position
    for candidate in object.candidates(of: SyncKey(position)) {
      guard case .found(let value) = object.lookUp(candidate) else { continue }
      let values = value.isObject ? [value] : value.elements.filter(\.isObject)
      for value in values {
        let nested = object.nested(value, in: target, key: candidate.text, element: nil)
        if let column, let identity = object.identity {
          nested.scope = PayloadObject.Scope(position: column, parent: identity, isFromList: true)
        }
        if nested.identity == nil, !end.isToMany {
          // It is the row that the object stands in, or that a key beside it names.
          nested.givenIdentity =
            object.scopeParent(for: SyncKey(position))
            ?? object.toOne(SyncKey(position), target: target.table).identity
        }
        try forEachObject(in: nested, skipped: skipped, body)
      }
    }
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
