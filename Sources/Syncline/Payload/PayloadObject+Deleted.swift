import Foundation

/// Reading the marks of deleted rows.
extension PayloadObject {
  /// Whether one of the model's marks marks the row as deleted; nil if the object has no value for the mark.
  func isMarked(by number: Int) -> Bool? {
    guard let table else { return nil }
    for candidate in candidates(of: SyncKey(table.properties.count + number)) {
      switch lookUp(candidate) {
      case .absent, .unreadable: continue
      case .null: return false
      case .found(let value): return table.deletionMarks[number].marks(value)
      }
    }
    return nil
  }

  /// Whether a nested object without identity is marked as deleted. Such an object creates no link and deletes no row.
  func isMarked(_ value: SyncValue, in target: SyncTable) -> Bool {
    guard !target.deletionMarks.isEmpty else { return false }
    let object = object(of: value, in: target, nil)
    return target.deletionMarks.indices.contains { object.isMarked(by: $0) == true }
  }

  /// The value of a date property in the object; nil if it has none that can be read.
  func date(at position: Int) -> Date? {
    guard let property = table?.properties[position] else { return nil }
    let payload = SyncPayload(self)
    var cursor = self.cursor(SyncKey(position))
    func date<Value: SyncScalar>(_ type: Value.Type) -> Date? {
      payload.read(type, &cursor, property.format).flatMap { Date.syncLoad($0.syncDatabaseValue) }
    }
    if let type = property.transformedType { return date(type) }
    return payload.read(Date.self, &cursor, property.format)
  }

  /// Whether the payload marks the row of an object under a relationship as deleted. Such an object creates no link.
  func isDeleted(_ identity: SyncIdentity?, under key: SyncKey, of target: SyncTable) -> Bool {
    guard let deleted = settings.deletedRows, let identity else { return false }
    return deleted.contains(RowKey(identity: identity, parent: parent(under: key, of: target)), in: target)
  }

  /// This row, if it is the parent within which the rows of its list are unique.
  private func parent(under key: SyncKey, of target: SyncTable) -> SyncIdentity? {
    guard let scope = target.parentScope, let table,
      case .inverse(let column, _) = table.properties[key.position].kind, target.position(of: column) == scope
    else { return nil }
    return identity
  }
}

extension PayloadObject.ToOneReading {
  /// Reads the object of a deleted row as null, even if the row's key is next to it.
  mutating func leaveOutDeleted(_ isDeleted: (SyncIdentity?) -> Bool) {
    guard let nested, let identity = nested.identity ?? self.identity, isDeleted(identity) else { return }
    switch decision {
    case .nested, .key(identity): leaveOut((nested.value, identity, nested.key))
    case .key, .absent, .null, .unreadable: break
    }
  }
}

extension PayloadObject.ToManyReading {
  /// Removes the objects of deleted rows from the list, with the keys next to them.
  ///
  /// - Parameter withKeys: whether keys without an object next to them are removed as well.
  mutating func leaveOutDeleted(withKeys: Bool, _ isDeleted: (SyncIdentity?) -> Bool) {
    deleted = (elements + extras).filter { (withKeys || $0.nested != nil) && isDeleted($0.identity) }
    guard !deleted.isEmpty else { return }
    let identities = Set(deleted.compactMap(\.identity))
    func isLeftOut(_ element: Element) -> Bool { element.identity.map(identities.contains) ?? false }
    elements.removeAll(where: isLeftOut)
    extras.removeAll(where: isLeftOut)
  }
}
