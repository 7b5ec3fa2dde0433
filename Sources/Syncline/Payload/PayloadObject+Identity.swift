/// Reading the identities of rows.
extension PayloadObject {
  /// The first readable identity among the model's keys for it.
  var identity: SyncIdentity? {
    guard let table else { return nil }
    if table.isComposite { return composite(table) ?? givenIdentity }
    for candidate in candidates(of: SyncKey(table.identity)) {
      if case .found(let value) = lookUp(candidate), let identity = table.identityReader.identity(in: value) {
        return identity
      }
    }
    return givenIdentity
  }

  /// The identity of a nested object, without resolving its other keys.
  func identity(of value: SyncValue, in table: SyncTable, _ scope: Scope? = nil) -> SyncIdentity? {
    if table.isComposite { return object(of: value, in: table, scope).identity }
    return table.keyTable(style).identity(of: table, in: value)
  }

  /// An object that is read only for its identity.
  func object(of value: SyncValue, in table: SyncTable, _ scope: Scope?) -> PayloadObject {
    let object = PayloadObject(
      tape: tape(of: value), position: value.position, table: table,
      shape: ObjectShape(table.keyTable(style)),
      place: place, settings: settings)
    object.scope = scope
    return object
  }

  /// The identity of the object of a to-one relationship. If it lacks only one part, which is a row of this model, it is this row.
  func identity(ofOne value: SyncValue, at key: SyncKey, in table: SyncTable) -> SyncIdentity? {
    guard table.isComposite else { return identity(of: value, in: table) }
    let object = object(of: value, in: table, scope(of: key, in: table))
    object.completeIdentity(from: self)
    return object.identity
  }

  /// If the object of a to-one relationship lacks one part of its identity, uses the row around it as that part, if its model is
  /// that of the part.
  func completeIdentity(from outer: PayloadObject) {
    guard let table, table.isComposite, let model = outer.table else { return }
    let lacking = table.identityParts.filter { !contains(SyncKey($0)) }
    guard lacking.count == 1, table.properties[lacking[0]].related?.syncTable === model,
      let identity = outer.identity
    else { return }
    givenPart = (lacking[0], identity)
  }

  /// The parent that a relationship of this row gives to its rows, if the parent is part of their identity.
  func scope(of key: SyncKey, in target: SyncTable) -> Scope? {
    guard target.isComposite, case .inverse(let column, _)? = table?.properties[key.position].kind,
      let position = target.position(of: column), let identity
    else { return nil }
    return Scope(position: position, parent: identity, isFromList: true)
  }

  /// The composite identity; nil if a part of it has no readable value.
  private func composite(_ table: SyncTable) -> SyncIdentity? {
    var parts = SyncIDWriter()
    for position in table.identityParts {
      guard let part = part(at: position, of: table) else { return nil }
      parts.write(part, isComposite: table.properties[position].related?.syncTable.isComposite ?? false)
    }
    return .text(parts.text)
  }

  /// A part of a composite identity: a value, or the identity of a related row.
  private func part(at position: Int, of table: SyncTable) -> DatabaseValue? {
    let property = table.properties[position]
    guard let related = property.related else { return storedValue(of: property, at: position) }
    return target(of: SyncKey(position), in: related.syncTable)?.databaseValue
  }

  /// A scalar as it would be stored, read as `make` reads it: from the first readable key.
  func storedValue(of property: SyncProperty, at position: Int) -> DatabaseValue? {
    let form = form(property.format)
    for candidate in candidates(of: SyncKey(position)) {
      switch lookUp(candidate) {
      case .absent, .unreadable: continue
      case .null: return nil
      case .found(let value):
        if let stored = property.readStored?(value, form) { return stored }
      }
    }
    return nil
  }

  /// Whether the object has any part of a composite identity.
  var statesPartOfIdentity: Bool {
    table?.identityParts.contains { contains(SyncKey($0)) } ?? false
  }

  /// Why the object, or a key in its place, has no identity.
  var noIdentity: Finding {
    guard let table else { return .noIdentity }
    if value.isObject, let missing = missingPart(of: table) {
      return .missingIdentity(missing, model: table.name)
    }
    return .missingIdentity(reasonForNoIdentity(of: value, in: table), model: table.name)
  }

  /// The part of the composite identity that is missing or unreadable.
  func missingPart(of table: SyncTable) -> MissingIdentity? {
    for position in table.identityParts where part(at: position, of: table) == nil {
      for candidate in candidates(of: SyncKey(position)) {
        if let found = lookUp(candidate).summary { return .unreadable(key: candidate.text, found: found) }
      }
      return .absentPart(keys: table.properties[position].keys(in: style))
    }
    return nil
  }

  /// The row of the object; nil if it has no identity, or lacks the parent in which the identity is unique.
  var row: RowKey? {
    guard let identity, let table else { return nil }
    guard let position = table.parentScope else { return RowKey(identity: identity) }
    return scopeParent(for: SyncKey(position)).map { RowKey(identity: identity, parent: $0) }
  }
}
