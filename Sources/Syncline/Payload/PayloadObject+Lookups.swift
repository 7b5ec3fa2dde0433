/// `@Relationship(by:)`: keys, and objects without identity, name rows by another property.
extension PayloadObject {
  /// How the keys of a relationship are looked up.
  struct KeyLookup {
    fileprivate let rows: any RowLookup
    fileprivate let reader: IdentityReader?
    fileprivate let target: SyncTable
    /// The position of the property in the related model.
    fileprivate let position: Int

    /// The row that a key references; nil if the key does not have the property's own JSON type.
    func row(key value: SyncValue) -> SyncIdentity? {
      reader?.key(in: value, own: [], isLoose: false).map { rows.row(with: $0, at: position, of: target) }
    }
  }

  /// How the keys of a relationship are looked up; nil if they are identities.
  func lookup(at key: SyncKey, in target: SyncTable) -> KeyLookup? {
    guard let rows = settings.lookups, let table, let name = table.properties[key.position].lookup,
      let position = target.position(of: name)
    else { return nil }
    return KeyLookup(
      rows: rows, reader: table.properties[key.position].keyReader, target: target, position: position)
  }

  /// The row of an object that has the property by which the keys of its relationship are looked up.
  func lookedUpRow(of value: SyncValue, at key: SyncKey, in target: SyncTable) -> SyncIdentity? {
    lookup(at: key, in: target).flatMap { lookedUpRow(of: value, by: $0) }
  }

  func lookedUpRow(of value: SyncValue, by lookup: KeyLookup) -> SyncIdentity? {
    guard value.isObject else { return nil }
    let (target, position) = (lookup.target, lookup.position)
    return object(of: value, in: target, nil)
      .storedValue(of: target.properties[position], at: position)
      .flatMap { SyncIdentity($0) }
      .map { lookup.rows.row(with: $0, at: position, of: target) }
  }

  /// Whether an identity is a placeholder for a value that no row has.
  func isPlaceholder(_ row: SyncIdentity) -> Bool { settings.lookups?.value(of: row) != nil }

  /// The value that a to-one relationship names a row by, if no row has it.
  func valueOfNoRow(at key: SyncKey, of target: SyncTable) -> SyncIdentity? {
    guard let rows = settings.lookups else { return nil }
    return toOne(key, target: target).identity.flatMap { rows.value(of: $0) }
  }
}
