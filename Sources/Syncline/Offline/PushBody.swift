import Foundation
import GRDB

/// Makes the body that a change is pushed with. Relationships are keys, whatever exports make of them.
struct PushBody {
  let model: OfflineModel
  let context: SyncExportContext

  /// All properties of a new row, or the edited ones. The stamp is the server's, and so may the identity be.
  ///
  /// - Parameters:
  ///   - values: the row.
  ///   - edited: the properties that are written, by name; nil for all.
  func json(_ values: Edit.Values, only edited: Set<String>?) throws -> SyncJSON {
    let table = model.table
    let written = written(edited)
    var object = SyncObjectWriter(context: context, table: table, only: written, as: .identities)
    for position in table.exportOrder where written.contains(position) {
      try write(position, values, to: &object)
    }
    return object.json
  }

  /// The positions of the properties that are written.
  private func written(_ edited: Set<String>?) -> Set<Int> {
    let table = model.table
    let madeByServer = table.isIdentityMadeByServer ? table.identity : nil
    let positions = Set(
      table.properties.indices.filter { position in
        position != table.updatedAt && position != madeByServer && !table.properties[position].isLocal
          && (position < table.columnCount || list(at: position) != nil)
          && edited?.contains(table.editedName(of: position)) ?? true
      })
    let style = context.configuration.style
    // A relationship has no key if a scalar next to it has the value.
    return positions.filter {
      table.exportKey(of: $0, in: style, besides: positions, as: .identities) != nil
    }
  }

  private func list(at position: Int) -> Int? { model.lists.firstIndex { $0.position == position } }

  private func write(_ position: Int, _ values: Edit.Values, to object: inout SyncObjectWriter) throws {
    let table = model.table
    let property = table.properties[position]
    if let list = list(at: position) {
      let link = SyncExportContext.Link(table: table, position: position)
      return object.set(keys: values.lists[list].sorted(), of: link)
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
}

extension PendingChanges {
  /// The body that a change of a row to some values is sent with: all of a new row, or the edited properties.
  func body(of change: Change, _ values: Edit.Values, _ properties: [String]) throws -> Data {
    let context = SyncExportContext(
      database, catalog: catalog, configuration: configuration.ofCall(about: change.model.table),
      nulls: .write)
    return try PushBody(model: change.model, context: context)
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
