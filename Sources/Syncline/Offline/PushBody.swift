import Foundation
import GRDB

/// Creates the request body of a change. Relationships are written as keys, whatever their export form.
struct PushBody {
  let model: OfflineModel
  let row: RowKey
  let context: SyncExportContext

  /// All properties of a new row; or the edited ones, and those that are read from the same lists. The stamp is the server's, and
  /// so may the identity be.
  ///
  /// - Parameters:
  ///   - values: the row.
  ///   - edited: the properties that are written, by name; nil for all.
  func json(_ values: Edit.Values, only edited: Set<String>?) throws -> SyncJSON {
    let (table, style) = (model.table, context.configuration.style)
    let own = try withoutKeysOfLinks(positions(edited), values, isNew: edited == nil)
    let all = edited == nil ? own : table.withSharedLists(own, in: style)
    // A relationship has no key if a scalar next to it has the value.
    let written = all.filter { table.exportKey(of: $0, in: style, besides: all, as: .identities) != nil }
    var object = SyncObjectWriter(context: context, table: table, only: written, as: .identities)
    for position in table.exportOrder where written.contains(position) {
      if own.contains(position) {
        try write(position, values, to: &object)
      } else if table.properties[position].export != .never {
        try writeUnedited(position, values, to: &object)
      }
    }
    return object.json
  }

  private func positions(_ edited: Set<String>?) -> Set<Int> {
    let table = model.table
    let madeByServer = table.isIdentityMadeByServer ? table.identity : nil
    return Set(
      table.properties.indices.filter { position in
        position != table.updatedAt && position != madeByServer
          && (table.properties[position].export != .never || table.identityParts.contains(position))
          && (position < table.columnCount || list(at: position) != nil)
          && edited?.contains(table.editedName(of: position)) ?? true
      })
  }

  /// The given properties, without scalars that share their key with a link that is set, since the link may be newer. If the link
  /// is nil, the scalar stays: it may have the key of a row that is not stored.
  ///
  /// - Parameter isNew: whether links that are stored at their other end count, too. They are sent with the row there.
  private func withoutKeysOfLinks(
    _ own: Set<Int>, _ values: Edit.Values, isNew: Bool
  ) throws -> Set<Int> {
    let (table, style) = (model.table, context.configuration.style)
    let shared = table.keysSharedWithLinks(style)
    if shared.isEmpty { return own }
    return try own.filter { position in
      guard let link = shared.link(beside: position), own.contains(link) || isNew && isAtOtherEnd(link),
        table.exportKey(of: link, in: style, besides: own, as: .identities) == nil
      else { return true }
      return try !table.withOtherCases(link).contains { try isLinked($0, values) }
    }
  }

  /// Whether other rows have the links of an exported relationship.
  private func isAtOtherEnd(_ position: Int) -> Bool {
    position >= model.table.columnCount && list(at: position) == nil
      && model.table.properties[position].export != .never
  }

  private func isLinked(_ position: Int, _ values: Edit.Values) throws -> Bool {
    if position < model.table.columnCount { return !values.columns[position].isNull }
    if let list = list(at: position) { return !values.lists[list].isEmpty }
    return try !context.identities(model.table.properties[position], of: row.identity).isEmpty
  }

  private func list(at position: Int) -> Int? { model.lists.firstIndex { $0.position == position } }

  /// Writes a property that is read from the same list as an edited one. Its links are those that exports write.
  private func writeUnedited(
    _ position: Int, _ values: Edit.Values, to object: inout SyncObjectWriter
  ) throws {
    let link = SyncExportContext.Link(table: model.table, position: position)
    let isColumn = position < model.table.columnCount
    let stored = isColumn ? [] : try context.identities(link.property, of: row.identity)
    if link.property.isToMany { return try write(Set(stored), of: link, to: &object) }
    guard let key = try context.waiting.keys(link, of: row).first else {
      return isColumn ? try write(position, values, to: &object) : object.set(keys: stored, of: link)
    }
    if let union = link.property.union {
      object.set(key.identity, nil, of: link, union, isWaiting: true)
    } else {
      object.set(context.json(waiting: key, by: link), at: position)
    }
  }

  private func write(_ position: Int, _ values: Edit.Values, to object: inout SyncObjectWriter) throws {
    let table = model.table
    let property = table.properties[position]
    if let list = list(at: position) {
      let link = SyncExportContext.Link(table: table, position: position)
      return try write(values.lists[list], of: link, to: &object)
    }
    let value = values.columns[position]
    if property.isRelationship {
      let link = SyncExportContext.Link(table: table, position: position)
      object.set(keys: SyncIdentity(value).map { [$0] } ?? [], of: link)
    } else if let union = table.unionTypes[position]?.union {
      if let type = String.fromDatabaseValue(value) { object.setUnrecognized(type, union, at: position) }
    } else if position == table.identity, let identity = SyncIdentity(value), !property.keyPatterns.isEmpty {
      object.set(table.identityReader.json(identity), at: position)
    } else {
      object.set(try context.json(value, of: property), at: position)
    }
  }

  /// Writes the members of a list and its pending links. The server has these, too: a list without their keys would remove them
  /// there.
  private func write(
    _ members: Set<SyncIdentity>, of link: SyncExportContext.Link, to object: inout SyncObjectWriter
  ) throws {
    let waiting = try context.waiting.keys(link, of: row)
    let isLookup = link.property.lookup != nil
    let keys = (isLookup ? members : members.union(waiting.map(\.identity))).sorted()
    object.set(
      keys: try context.inOrder(keys, of: link, row) { $0 }, waiting: isLookup ? waiting : [], of: link)
  }
}

extension PendingChanges {
  /// The body that a change of a row to some values is sent with: all of a new row, or the edited properties.
  func body(of change: Change, _ values: Edit.Values, _ properties: [String]) throws -> Data {
    let context = SyncExportContext(
      database, catalog: catalog, configuration: configuration.ofCall(about: change.model.table),
      nulls: .write)
    return try PushBody(model: change.model, row: change.edit.row, context: context)
      .json(values, only: change.kind == .insert ? nil : Set(properties)).data()
  }
}

extension SyncExportContext {
  /// A stored value of a scalar as JSON.
  fileprivate func json(_ value: DatabaseValue, of property: SyncProperty) throws -> SyncJSON {
    guard let stored = property.storedJSON, !value.isNull else { return .null }
    let statement = try ReadStatement(database, "SELECT ?1")
    statement.restart().bind(value, at: 1)
    defer { statement.reset() }
    guard try statement.step() else { return .null }
    return try stored(statement.column(0), configuration.form(property)) ?? .null
  }
}
