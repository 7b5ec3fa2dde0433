import Foundation
import GRDB
import SynclineNaming

/// One export: the store it reads, the key style and date format it writes, and the rows it is inside of.
public final class SyncExportContext {
  let database: Database
  let configuration: SyncConfiguration
  private let catalog: ModelCatalog
  /// The rows whose objects enclose the one being written.
  private var path: [(table: ObjectIdentifier, key: RowKey)] = []

  init(_ database: Database, _ catalog: ModelCatalog, _ configuration: SyncConfiguration) {
    self.database = database
    self.catalog = catalog
    self.configuration = configuration
  }

  /// An object of a row, to be filled property by property.
  public func object(_ table: SyncTable) -> SyncObjectWriter {
    SyncObjectWriter(context: self, table: table)
  }

  /// A row as JSON: its object, or its identity alone where the row is met inside of itself.
  func json<Model: SyncUpdatableModel>(_ row: Model) throws -> SyncJSON {
    let table = try catalog.entry(for: Model.self).table
    let key = RowKey(
      identity: row[keyPath: Model.syncIdentity].syncIdentity, parent: try parent(of: row, in: table))
    var json: SyncJSON?
    try entering(table, key) { json = try row.export(in: self) }
    return json ?? reference(to: key.identity, table)
  }

  /// How many rows may enclose each other: writing one takes room on the stack.
  private static let levelLimit = 128

  /// How many rows enclose what is written.
  var level: Int { path.count }

  /// Writes a row inside of those around it; false where it is one of them, or they are too many.
  @discardableResult
  func entering(_ table: SyncTable, _ key: RowKey, _ write: () throws -> Void) throws -> Bool {
    let id = ObjectIdentifier(table)
    guard path.count < SyncExportContext.levelLimit,
      !path.contains(where: { $0.table == id && $0.key == key })
    else { return false }
    path.append((id, key))
    defer { path.removeLast() }
    try write()
    return true
  }

  /// What stands for a row inside of itself, and behind the last level: its identity alone.
  func reference(to identity: SyncIdentity, _ table: SyncTable) -> SyncJSON {
    guard table.identityProperty.export != .never else { return .null }
    var object = object(table)
    object.set(identity.json, table.identity)
    return object.json
  }

  func table(of model: any SyncUpdatableModel.Type) throws -> SyncTable {
    try catalog.entry(for: model).table
  }

  private func parent<Model: SyncUpdatableModel>(of row: Model, in table: SyncTable) throws -> SyncIdentity? {
    guard let scope = table.parentScope else { return nil }
    return SyncIdentity(try row.columnValues()[scope])
  }

  /// The row of an identity as JSON; nil where there is none.
  func json(_ model: any SyncUpdatableModel.Type, _ identity: SyncIdentity) throws -> SyncJSON? {
    try row(model, identity)
  }

  private func row<Model: SyncUpdatableModel>(_ model: Model.Type, _ identity: SyncIdentity) throws
    -> SyncJSON?
  {
    let table = try catalog.entry(for: model).table
    return try rows(model, table, where: "\(table.identityProperty.quotedName) = ?1", identity)
      .first
  }

  /// The rows that a relationship links, ordered by identity, as JSON.
  func related(_ property: SyncProperty, of owner: SyncIdentity) throws -> [SyncJSON] {
    guard let related = property.related else { return [] }
    return try rows(related, property, owner)
  }

  private func rows<Model: SyncUpdatableModel>(
    _ model: Model.Type, _ property: SyncProperty, _ owner: SyncIdentity
  ) throws -> [SyncJSON] {
    let table = try catalog.entry(for: model).table
    guard let condition = membership(property, in: table) else { return [] }
    return try rows(model, table, where: condition, owner)
  }

  /// The identities that a relationship links, in order.
  func identities(_ property: SyncProperty, of owner: SyncIdentity) throws -> [SyncIdentity] {
    guard let related = property.related else { return [] }
    let table = try catalog.entry(for: related).table
    guard let condition = membership(property, in: table) else { return [] }
    let identity = table.identityProperty.quotedName
    return try ReadStatement(
      database,
      "SELECT \(identity) FROM \(table.quotedName) WHERE \(condition) ORDER BY \(identity)"
    ).identities(of: owner)
  }

  func membership(_ property: SyncProperty, in table: SyncTable) -> String? {
    switch property.kind {
    case .inverse(let column, _): "\(column.quotedIdentifier) = ?1"
    case .link(let link):
      "\(table.identityProperty.quotedName) IN (SELECT \(link.otherColumn)"
        + " FROM \(link.quotedName) WHERE \(link.ownColumn) = ?1)"
    case .scalar, .toOne: nil
    }
  }

  /// The rows that meet a condition, ordered by identity, as JSON. They are read before any is written out,
  /// since writing one reads others.
  private func rows<Model: SyncUpdatableModel>(
    _ model: Model.Type, _ table: SyncTable, where condition: String, _ identity: SyncIdentity
  ) throws -> [SyncJSON] {
    let columns =
      table.isGenerated ? table.columnList : "*"
    let sql =
      "SELECT \(columns) FROM \(table.quotedName) WHERE \(condition)"
      + " ORDER BY \(table.identityProperty.quotedName)"
    var rows: [Model] = []
    if table.isGenerated {
      let statement = try ReadStatement(database, sql)
      identity.bind(to: statement.restart(), at: 1)
      defer { statement.reset() }
      while try statement.step() { rows.append(try Model(columns: statement.decoder)) }
    } else {
      rows = try Model.fetchAll(database, sql: sql, arguments: [identity.databaseValue])
    }
    return try rows.map { try json($0) }
  }

  /// The rows of a model in the order of their identities.
  func all<Model: SyncUpdatableModel>(
    _ model: Model.Type, parent: ParentScope? = nil, _ body: (SyncJSON) throws -> Void
  ) throws {
    let table = try catalog.entry(for: model).table
    guard table.isGenerated else {
      let rows = try Model.fetchAll(database).sorted {
        $0[keyPath: Model.syncIdentity].syncIdentity < $1[keyPath: Model.syncIdentity].syncIdentity
      }
      for row in rows { try body(json(row)) }
      return
    }
    let statement = try select(table, parent)
    defer { statement.reset() }
    while try statement.step() { try body(json(Model(columns: statement.decoder))) }
  }

  /// The rows of a model in the order of their identities, as the text of a list.
  func text<Model: SyncUpdatableModel>(_ model: Model.Type, parent: ParentScope? = nil) throws -> [UInt8] {
    let table = try catalog.entry(for: model).table
    let rows = RowWriter(self)
    var output = JSONWriter()
    if try rows.canWrite(table) {
      let statement = try select(table, parent)
      defer { statement.reset() }
      try rows.writeList(table, statement, to: &output)
      return output.bytes
    }
    try output.writeList { writeElement in
      try all(model, parent: parent) { row in try writeElement(row) }
    }
    return output.bytes
  }

  /// A statement of its own, at its start: rows are written out while it is open.
  private func select(_ table: SyncTable, _ parent: ParentScope?) throws -> ReadStatement {
    let filter = parent?.relationship.map { " WHERE \($0.quotedIdentifier) = ?1" } ?? ""
    let order = ([table.identity] + (table.parentScope.map { [$0] } ?? []))
      .map { table.properties[$0].quotedName }.joined(separator: ", ")
    let statement = try ReadStatement(
      database, "SELECT \(table.columnList) FROM \(table.quotedName)\(filter) ORDER BY \(order) -- export")
    let parameters = statement.restart()
    parent?.identity.bind(to: parameters, at: 1)
    return statement
  }
}
