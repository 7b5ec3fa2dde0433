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
    let style = context.configuration.style
    let madeByServer = table.isIdentityMadeByServer ? table.identity : nil
    var object = SyncJSONObject()
    for position in table.exportOrder where position != table.updatedAt && position != madeByServer {
      let property = table.properties[position]
      guard !property.isLocal, edited?.contains(table.editedName(of: position)) ?? true,
        property.export != .never || property.isRelationship,
        let json = try json(position, values)
      else { continue }
      if let union = property.union, json.isNull, hasOtherCase(union, than: position, values) { continue }
      guard let key = table.exportKey(of: position, in: style, as: .identities) else { continue }
      object.merge(json, at: key)
      guard let union = property.union, let type = table.unionGates[position]?.typePosition,
        let typeKey = table.properties[type].keys(in: style).first
      else { continue }
      let name: SyncJSON = json.isNull ? .null : .string(union.cases.cases[union.index].type)
      object.merge(name, at: ExportKey(typeKey))
    }
    return .object(object)
  }

  /// The value of a property; nil for one that the row does not store.
  private func json(_ position: Int, _ values: Edit.Values) throws -> SyncJSON? {
    let table = model.table
    let property = table.properties[position]
    if let list = model.lists.firstIndex(where: { $0.position == position }) {
      return .array(values.lists[list].sorted().map { $0.json })
    }
    guard position < table.columnCount else { return nil }
    guard case .scalar = property.kind else {
      guard let key = SyncIdentity(values.columns[position]) else { return .null }
      return context.json(key, by: SyncExportContext.Link(table: table, position: position))
    }
    return try context.json(values.columns[position], of: property)
  }

  private func hasOtherCase(_ union: UnionPlace, than position: Int, _ values: Edit.Values) -> Bool {
    model.table.properties.indices.contains {
      $0 != position && $0 < model.table.columnCount
        && model.table.properties[$0].union?.property == union.property
        && !values.columns[$0].isNull
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
