/// `@Relationship(unknown: .create)`: a key is read as an object with only the identity, which is a whole row.
extension PayloadObject {
  /// A relationship's value with objects in place of keys. Values that are not keys are unchanged, and so are keys of rows that
  /// the payload marks as deleted: their links are pending.
  func ofUnknownRows(_ lookup: Lookup, _ candidate: KeyTable.Candidate) -> Lookup {
    guard case .found(let value) = lookup, let property = table?.properties[candidate.property],
      let target = property.related?.syncTable
    else { return lookup }
    let key = SyncKey(candidate.property)
    if let known = known(candidate, isOfCase: true) { return known }
    func object(_ value: SyncValue) -> [UInt8]? {
      guard !value.isObject, let row = foreignKey(in: value, at: key, of: target),
        !isDeleted(row, under: key, of: target)
      else { return nil }
      return self.text(of: row, in: target)
    }
    guard property.isToMany else {
      // An object next to the key has more of the row.
      guard !value.isObject, !hasObject(at: key), let text = object(value) else { return lookup }
      return keep(text, from: value, candidate, isOfCase: true)
    }
    guard value.isArray, value.elements.contains(where: { !$0.isObject }) else { return lookup }
    var text: [UInt8] = []
    value.appendElements(to: &text) { element, text in
      if let object = object(element) { text += object } else { element.append(to: &text) }
    }
    return keep(text, from: value, candidate, isOfCase: true)
  }

  private func hasObject(at key: SyncKey) -> Bool {
    candidates(of: key).contains {
      if case .found(let found) = self.value(of: $0) { found.isObject } else { false }
    }
  }

  /// The object of a row with nothing but its identity.
  private func text(of row: SyncIdentity, in table: SyncTable) -> [UInt8] {
    var object = SyncJSONObject()
    let (keys, json) = (table.keyTable(style), table.identityReader.json(row))
    if let key = keys.plainName(of: table.identity) {
      object[key] = json
    } else {
      let path = keys.candidates[table.identity].first?.text
      object.merge(json, at: ExportKey(path ?? table.identityProperty.name))
    }
    return Array(SyncJSON.object(object).description.utf8)
  }
}
