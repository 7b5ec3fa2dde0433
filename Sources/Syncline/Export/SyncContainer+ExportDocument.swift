import Foundation
import GRDB
import SynclineNaming

/// Exports as JSON:API documents.
extension SyncContainer {
  /// Returns all rows of a model as a JSON:API document, ordered by `@Position` or identity.
  ///
  /// Related rows are identified by type and identity, and not included. A relationship that is read from the object itself, from
  /// the elements of a list or from a quoted key is written as keys among the attributes.
  ///
  /// ```swift
  /// let document = try await container.exportJSONAPI(as: Article.self)
  /// ```
  ///
  /// - Throws: ``SyncError/cancelled``, or the database's error.
  public func exportJSONAPI<Model: SyncGeneratedModel>(
    as model: Model.Type, nulls: SyncExportNulls? = nil
  ) async throws -> SyncJSON {
    try await readExport(of: Model.syncTable, nulls: nulls) { try $0.document(model) }
  }

  /// Returns all rows of a model as a JSON:API document. Blocks until they are read.
  ///
  /// - Throws: the database's error.
  public func exportJSONAPI<Model: SyncGeneratedModel>(
    as model: Model.Type, nulls: SyncExportNulls? = nil
  ) throws -> SyncJSON {
    try blockingExport(of: Model.syncTable, nulls: nulls) { try $0.document(model) }
  }

  /// Returns a row as a JSON:API document.
  ///
  /// - Throws: ``SyncError/cancelled``, or the database's error.
  public func exportJSONAPI<Model: SyncGeneratedModel>(
    _ model: Model, nulls: SyncExportNulls? = nil
  ) async throws -> SyncJSON {
    try await readExport(of: Model.syncTable, nulls: nulls) { ["data": try $0.resource(model)] }
  }

  /// Returns a row as a JSON:API document. Blocks until its relationships are read.
  ///
  /// - Throws: the database's error.
  public func exportJSONAPI<Model: SyncGeneratedModel>(
    _ model: Model, nulls: SyncExportNulls? = nil
  ) throws -> SyncJSON {
    try blockingExport(of: Model.syncTable, nulls: nulls) { ["data": try $0.resource(model)] }
  }
}

extension SyncExportContext {
  fileprivate func document<Model: SyncGeneratedModel>(_ model: Model.Type) throws -> SyncJSON {
    let table = try table(of: model)
    return ["data": .array(try values(of: model, in: table).map(resource))]
  }

  /// A row as a JSON:API resource.
  fileprivate func resource<Model: SyncGeneratedModel>(_ value: Model) throws -> SyncJSON {
    let table = try table(of: Model.self)
    let columns = try value.columnValues()
    let row = try value.rowKey
    let attributes = only ?? table.attributes(in: configuration.style)
    (only, links) = (attributes, .identities)
    let members = self.members(of: try json(value), table, attributes)
    var resource = identifier(row.identity, of: table)
    if !members.isEmpty { resource.append("attributes", .object(members)) }
    var relationships = SyncJSONObject()
    _ = try entering(row, of: table, by: nil) {
      for position in table.exportOrder
      where table.properties[position].isRelationship && !attributes.contains(position) {
        let link = Link(table: table, position: position)
        // If the schema does not know the row's type, there is no row to identify.
        let type = table.unionGates[position]?.typePosition
        if let type, !columns[type].isNull { continue }
        guard let linkage = try linkage(link, of: row, columns), !linkage.isNull || !omitsNulls else {
          continue
        }
        let name = name(of: link)
        // The pending key of one case of a union is newer than the stored link of another.
        let isNewer =
          try columns.indices.contains(position)
          && waitingKey(link, given: SyncIdentity(columns[position])) != nil
        let former = isNewer ? nil : relationships[name]?["data"]
        relationships[name] = ["data": former?.joined(with: linkage) ?? linkage]
      }
    }
    if !relationships.isEmpty { resource.append("relationships", .object(relationships)) }
    return .object(resource)
  }

  /// The attributes of a row: the members of its object, or the places of its list with their paths as names.
  private func members(of json: SyncJSON, _ table: SyncTable, _ attributes: Set<Int>) -> SyncJSONObject {
    let keys = keys(of: table, only: attributes, as: links).compactMap(\.self)
    guard let list = json.array else { return table.withoutBelow(json, keys).object ?? SyncJSONObject() }
    var members = SyncJSONObject()
    let places = Set(keys.compactMap(\.placeInRow))
    for place in places.sorted() where list.indices.contains(place) && !(omitsNulls && list[place].isNull) {
      members.append("[\(place)]", list[place])
    }
    return members
  }

  /// The related rows by type and identity. For composite identities, `meta` has the properties of the identity. Nil if the
  /// relationship is not written.
  private func linkage(_ link: Link, of row: RowKey, _ columns: [DatabaseValue]) throws -> SyncJSON? {
    guard link.property.export != .never, let related = link.property.related?.syncTable else { return nil }
    // A row cannot be identified if a part of its composite identity is not exported.
    if related.isComposite, related.identityParts.contains(where: { related.properties[$0].export == .never })
    {
      return nil
    }
    func resource(_ identity: SyncIdentity) -> SyncJSON {
      var identifier = identifier(identity, of: related)
      if related.isComposite { identifier.append("meta", reference(to: identity, in: related)) }
      return .object(identifier)
    }
    if columns.indices.contains(link.position), link.property.isStored {
      let identity = SyncIdentity(columns[link.position])
      let waiting = try waitingKey(link, given: identity)
      // A looked-up key is not the identity of a resource.
      if waiting?.isLookedUp == true { return nil }
      if waiting == nil, let identity,
        try self.waiting.contradicts(link, of: row.identity, with: identity)
      {
        return nil
      }
      return (waiting?.identity ?? identity).map(resource) ?? .null
    }
    let pending = try waiting.keys(link, of: row)
    if pending.contains(where: \.isLookedUp) { return nil }
    guard try !link.cases.contains(where: { try waiting.contradicts($0, of: row.identity) }) else {
      return nil
    }
    // The pending link is newer than the stored one.
    if !link.property.isToMany, let key = pending.first { return resource(key.identity) }
    return link.json(try listed(link, of: row).map(resource))
  }

  private func identifier(_ identity: SyncIdentity, of table: SyncTable) -> SyncJSONObject {
    let id = table.identityReader.json(identity).string ?? identity.description
    return SyncJSONObject([("type", .string(table.documentType)), ("id", .string(id))])
  }

  /// The name of a relationship: the key that the schema states, otherwise its own name.
  private func name(of link: Link) -> String {
    let key = link.table.exportKey(of: link.position, in: configuration.style, as: .objects)?.text ?? ""
    guard let below = link.table.below, key.hasPrefix(below + ".") else { return key }
    return String(key.dropFirst(below.count + 1))
  }
}

extension SyncTable {
  /// The properties that are attributes: all but the identity and those relationships whose keys a relationship can have as its
  /// name. Others are read from values in lists, from quoted keys, or from the object itself.
  fileprivate func attributes(in style: KeyStyle) -> Set<Int> {
    let positions = properties.indices.filter { position in
      guard properties[position].isRelationship else { return position != identity }
      return exportKey(of: position, in: style, as: .identities).map { !$0.isName } ?? false
    }
    return Set(positions)
  }

  /// The object of a row without the object that `@Below` names: its members are added to those of the row, into which other
  /// keys may lead.
  fileprivate func withoutBelow(_ json: SyncJSON, _ keys: [ExportKey]) -> SyncJSON {
    guard let names = below.flatMap({ ExportKey($0).names }), case .object(var object) = json,
      let members = object.removeObject(at: names[...])
    else { return json }
    let others = keys.filter { !$0.steps.starts(with: names.map(RemotePath.Step.member)) }
    object.fill(from: .object(members), besides: others.map(\.steps))
    return .object(object)
  }
}

extension SyncJSONObject {
  /// Removes and returns the object at a path, and the objects around it if they become empty.
  fileprivate mutating func removeObject(at path: ArraySlice<String>) -> SyncJSONObject? {
    guard let name = path.first, case .object(var inner)? = self[name] else { return nil }
    guard path.count > 1 else {
      self[name] = nil
      return inner
    }
    let found = inner.removeObject(at: path.dropFirst())
    self[name] = inner.isEmpty ? nil : .object(inner)
    return found
  }
}
