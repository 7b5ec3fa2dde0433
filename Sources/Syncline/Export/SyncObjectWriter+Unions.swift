import SynclineNaming

/// Writes unions: one value for all of their cases.
extension SyncObjectWriter {
  /// Writes the rows of one case of a union that is not stored in this table, each with its type.
  mutating func setRelated(
    _ link: SyncExportContext.Link, of owner: RowKey, _ union: UnionPlace
  ) throws {
    guard let related = link.property.related?.syncTable else { return }
    let identities = try context.listed(link, of: owner)
    let rows = writesObjects(link) ? try context.related(link, of: owner) : []
    let values = identities.enumerated().map { index, identity -> SyncJSON in
      // A pending key has no row.
      let isRow = rows.indices.contains(index) && rows[index].object != nil
      let json = isRow ? rows[index] : context.reference(to: identity, in: related)
      return json.typed(union.cases, union.index)
    }
    guard !link.property.isToMany else { return set(.array(values), at: link.position) }
    let row = values.first { $0.object?.count ?? 0 > 1 }
    set(identities.first, row, of: link, union, isWaiting: false)
  }

  /// Writes one case of a union: the row with its type, or its identity and the type.
  mutating func set(
    _ identity: SyncIdentity?, _ row: SyncJSON?, of link: SyncExportContext.Link, _ union: UnionPlace,
    isWaiting: Bool
  ) {
    guard isWritten(link.position), var key = keys[link.position] else { return }
    let related = link.property.related?.syncTable
    var isKey = !writesObjects(link) && !(related?.isComposite ?? false)
    // An object with only the identity would create a row that requires nothing more.
    if isWaiting, !isKey, let related, !related.requiresMore(than: union.cases, style),
      let scalar = table.exportKey(of: link.position, in: style, besides: only, as: .identities)
    {
      (key, isKey) = (scalar, true)
    }
    let object =
      row ?? identity.flatMap { identity in related.map { context.reference(to: identity, in: $0) } }
    let typed = object?.typed(union.cases, union.index)
    let json = (isKey ? identity.map { context.json($0, by: link) } : typed) ?? .null
    if omitsNulls, json.isNull { return }
    add(Value(position: link.position, place: key, json: json, related: related, isWaiting: isWaiting))
    guard isKey, let type = table.unionGates[link.position]?.typePosition,
      let typeKey = table.properties[type].keys(in: style).first
    else { return }
    let name = identity.map { _ in SyncJSON.string(union.cases.cases[union.index].type) }
    add(
      Value(
        position: type, place: ExportKey(typeKey), json: name ?? .null, related: nil, isWaiting: isWaiting))
  }

  /// Writes a type that the schema does not know, if no case of the union has a row.
  ///
  /// A later version of the schema may know the type of a stored row. Then the union is left out, since null would remove the
  /// link on the server.
  mutating func setUnrecognized(_ type: String, _ union: UnionPlace, at position: Int) {
    let isKnown = union.cases.hasCase(ofType: type)
    if isKnown, only == nil {
      let cases = table.withOtherCases(position)
      values.removeAll { $0.json.isNull && cases.contains($0.position) }
    }
    guard isWritten(position), !isKnown,
      let link = table.properties.firstIndex(where: { $0.union?.property == union.property }),
      let key = keys[link]
    else { return }
    guard (export ?? table.properties[link].export) == .identities else {
      var object = SyncJSONObject()
      object.merge(.string(type), at: ExportKey(union.cases.key))
      return add(Value(position: link, place: key, json: .object(object), related: nil))
    }
    guard let typeKey = table.properties[position].keys(in: style).first else { return }
    add(Value(position: position, place: ExportKey(typeKey), json: .string(type), related: nil))
  }

  /// Whether the link of a union was edited. If so, drops the pending keys of the cases before this one.
  mutating func isOfEditedUnion(_ link: SyncExportContext.Link, _ identity: SyncIdentity?) throws -> Bool {
    guard let union = link.property.union?.property else { return false }
    if editedUnions.contains(union) { return true }
    guard try context.isEdited(link, given: identity) else { return false }
    editedUnions.insert(union)
    let cases = table.withOtherCases(link.position)
    values.removeAll { $0.isWaiting && cases.contains($0.position) }
    return true
  }

  /// Adds a value. The cases of a union share one value: the one that is not null.
  mutating func add(_ value: Value) {
    let property = table.properties[value.position].union?.property
    guard !table.unionGates.isEmpty,
      let index = values.firstIndex(where: {
        $0.position == value.position
          || (property != nil && table.properties[$0.position].union?.property == property)
      })
    else { return values.append(value) }
    // A pending key is newer than the link.
    if values[index].isWaiting, !value.isWaiting { return }
    if value.isWaiting || values[index].json.isNull {
      values[index] = value
    } else {
      values[index].json = values[index].json.joined(with: value.json)
    }
  }
}

extension SyncJSON {
  /// A row of a union's case, with its type.
  func typed(_ union: SyncUnionCases<any SyncUpdatableModel.Type>, _ index: Int) -> SyncJSON {
    guard case .object(var object) = self else { return self }
    object.setType(union, index)
    return .object(object)
  }

  /// The values of two cases of a union, combined.
  func joined(with other: SyncJSON) -> SyncJSON {
    guard case .array(let own) = self, case .array(let others) = other else { return isNull ? other : self }
    return .array(Array(own) + Array(others))
  }
}
