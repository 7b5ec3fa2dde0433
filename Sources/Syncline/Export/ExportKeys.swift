import SynclineNaming

extension SyncTable {
  /// The key that a property is exported under; nil if it is not exported.
  ///
  /// - Parameters:
  ///   - written: the properties that are written; nil for all.
  ///   - export: how a relationship is written; nil for what the schema says.
  func exportKey(
    of position: Int, in style: KeyStyle, besides written: Set<Int>? = nil,
    as export: SyncProperty.Export? = nil
  ) -> ExportKey? {
    let property = properties[position]
    let first = property.keys(in: style).first ?? property.name
    guard property.isRelationship else { return property.export == .never ? nil : ExportKey(first) }
    let prefix = below.map { $0 + "." }.flatMap { first.hasPrefix($0) ? $0 : nil } ?? ""
    let isExplicit = property.hasExplicitKey(in: style, below: prefix)
    switch export ?? property.export {
    case .never: return nil
    case .objects:
      // The key that the schema states, otherwise the name.
      return ExportKey(isExplicit ? first : prefix + style.transform(property.exportName))
    case .identities:
      let name =
        property.isToMany
        ? KeyCandidates.toManyKey(property.exportName, style: style)
        : KeyCandidates.toOneKey(property.exportName, style: style)
      let key = isExplicit ? first : prefix + name
      // A scalar with the same key already has the value.
      let hasScalar = properties.enumerated().contains { other, property in
        !property.isRelationship && property.export != .never && property.keys(in: style).first == key
          && written?.contains(other) ?? true
      }
      return hasScalar ? nil : ExportKey(key)
    }
  }

  /// The given properties, and those that are read from the same JSON lists, since a value that a list lacks is read as null.
  func withSharedLists(_ positions: Set<Int>, in style: KeyStyle) -> Set<Int> {
    let lists = properties.map { ExportKey($0.keys(in: style).first ?? $0.name).list }
    let written = Set(positions.compactMap { lists[$0] })
    guard !written.isEmpty else { return positions }
    let others = lists.indices.filter { position in lists[position].map { written.contains($0) } ?? false }
    return positions.union(others)
  }

  /// The object of a row that is read from this row's object, without the keys that this row reads itself. The key of its
  /// identity stays, unless it is this row's identity, too.
  func withoutOwnKeys(_ json: SyncJSON, of related: SyncTable, in style: KeyStyle) -> SyncJSON {
    guard case .object(var object) = json else { return json }
    let (own, others) = (keyTable(style), related.keyTable(style))
    for key in object.keys {
      guard let name = own.position(of: key), own.isWhole(name) else { continue }
      let isIdentity = others.position(of: key).map { related.identifies($0, others) } ?? false
      if !isIdentity || identifies(name, own) { object[key] = nil }
    }
    return .object(object)
  }
}

extension SyncProperty {
  /// The name in the schema. The cases of a union share the union's name.
  var exportName: String { union?.property ?? name }

  /// Whether the schema states the keys of a relationship.
  ///
  /// - Parameter prefix: the prefix of its keys that the model adds.
  func hasExplicitKey(in style: KeyStyle, below prefix: String) -> Bool {
    let keys = keys(in: style).map { $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : $0 }
    let convention =
      isToMany
      ? KeyCandidates.toMany(exportName, style: style) : KeyCandidates.toOne(exportName, style: style)
    return keys.first != convention.first || !keys.contains(style.transform(exportName))
  }
}
