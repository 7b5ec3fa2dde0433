import SynclineNaming

extension SchemaInference {
  /// Adds the properties that identify a row.
  ///
  /// - Returns: the keys that they read.
  mutating func addIdentity(of kind: RowKinds.Kind, to index: Int) -> Set<String> {
    let shape = kind.shape
    switch kind.identity.source {
    case .path(let names):
      guard let value = SchemaInference.value(at: names, in: shape) else { break }
      addIdentity(names, value, besides: shape, to: index, because: kind.identity.comments)
      rowCounts[index] = value.values.count
      let isInID = names.count == 2 && SampleShape.identityKeys.contains(names[0]) && names[1] != "$oid"
      // A property cannot read an object as a whole if the identity is inside of it.
      let isInStruct =
        names.count == 2 && names[1] != "$oid" && !kinds.holdsRow(shape, names[0])
        && !RowKinds.holdsIdentity(names[0], of: shape)
      if names.count > 2 || isInID || isInStruct {
        addRest(of: shape, at: names, to: index)
        return [names[0]]
      }
      // If the object at the path contains only the identity, it needs no other property.
      let isWhole = names.count == 1 || shape.members[names[0]]?.keys.count == 1
      return isWhole && !(names.count > 1 && kinds.holdsRow(shape, names[0])) ? [names[0]] : []
    case .keys(let keys):
      draft.declarations[index].comments += kind.identity.comments
      for key in keys { shape.members[key].map { addPart(key, $0, to: index) } }
      rowCounts[index] = shape.objects
      return Set(keys)
    case .owned(let owner, let keys):
      guard let number = kinds.number(of: owner) else { break }
      draft.declarations[index].comments += kind.identity.comments
      let name = DraftName.property(draft.declarations[models[number]].name)
      let isFree = !shape.keys.contains { DraftName.property($0) == name }
      draft.declarations[index].properties.append(
        SchemaDraft.Property(
          name: isFree ? name : "owner", type: .declared(models[number]), identityPart: 0))
      for key in keys { shape.members[key].map { addPart(key, $0, to: index) } }
      rowCounts[index] = shape.objects
      return Set(keys)
    case .memberKey:
      let property = SchemaDraft.Property(
        name: identityName(besides: shape), type: .scalar("String"), isIdentity: true,
        comments: kind.identity.comments)
      draft.declarations[index].properties.append(property)
      rowCounts[index] = shape.objects
      return []
    case .nothing: break
    }
    draft.declarations[index].comments += kind.identity.comments
    draft.addMissingIdentity(
      to: index, named: identityName(besides: shape), because: "No key was found that identifies a row")
    return []
  }

  /// Adds the other members of the objects on the path of an identity.
  private mutating func addRest(of shape: SampleShape, at names: [String], to index: Int) {
    for level in 1..<names.count {
      let path = Array(names.prefix(level))
      guard let value = SchemaInference.value(at: path, in: shape) else { continue }
      addProperties(of: value, at: path, to: index, besides: [names[level]], mayLack: true)
    }
  }

  private mutating func addIdentity(
    _ names: [String], _ value: SampleShape, besides shape: SampleShape, to index: Int,
    because comments: [String]
  ) {
    // An object `{"$oid": …}` is only the identity. A long path makes a poor name.
    let name =
      names.count > 2
      ? identityName(besides: shape)
      : names.count == 1
        ? SchemaInference.name(of: names[0], in: shape)
        : SchemaInference.identityName(names, in: shape)
    let key = names.joined(separator: ".")
    var property = SchemaDraft.Property(
      name: name, type: SchemaInference.identityType(value), key: key, isIdentity: true, comments: comments)
    property.isKeyExplicit = !KeyCandidates.identity(name, style: style).contains(key)
    draft.declarations[index].properties.append(property)
  }

  /// The name of an identity with a path of two parts.
  private static func identityName(_ names: [String], in shape: SampleShape) -> String {
    if names[1] == "$oid" { return DraftName.property(names[0]) }
    let stem = KeyWords.words(of: names[1]).dropLast()
    let isOwn =
      RowKinds.holdsIdentity(names[0], of: shape) || SampleShape.identityKeys.contains(names[0])
      || (!stem.isEmpty && KeyWords.words(of: names[0]).starts(with: stem))
    let name = DraftName.property(isOwn ? names[1] : names.joined(separator: "_"))
    let isTaken = shape.keys.contains { DraftName.property($0) == name }
    return isTaken ? DraftName.property(names.joined(separator: "_")) : name
  }

  /// Adds a property that is part of a composite identity.
  private mutating func addPart(_ key: String, _ value: SampleShape, to index: Int) {
    let name = draft.freeName(DraftName.property(key), in: index)
    let row = kinds.number(of: value)
    var property = SchemaDraft.Property(
      name: name, type: row.map { .declared(models[$0]) } ?? SchemaInference.identityType(value), key: key,
      identityPart: draft.declarations[index].properties.count)
    let candidates =
      row == nil ? KeyCandidates.scalar(name, style: style) : KeyCandidates.toOne(name, style: style)
    property.isKeyExplicit = !candidates.contains(key)
    draft.declarations[index].properties.append(property)
  }

  private static func identityType(_ value: SampleShape) -> SchemaDraft.TypeReference {
    .scalar(value.isInteger ? "Int" : value.isText && value.texts.areUUIDs ? "UUID" : "String")
  }

  private static func value(at names: [String], in shape: SampleShape) -> SampleShape? {
    names.reduce(Optional(shape)) { (shape: SampleShape?, name: String) -> SampleShape? in
      shape?.members[name]
    }
  }

  /// A name for an identity that is not a key of the rows.
  private func identityName(besides shape: SampleShape) -> String {
    let names = Set(shape.keys.map { DraftName.property($0).lowercased() })
    let isFree = names.isDisjoint(with: ["id", "remoteid"])
    return isFree ? "id" : DraftName.free("key") { names.contains($0.lowercased()) }
  }
}
