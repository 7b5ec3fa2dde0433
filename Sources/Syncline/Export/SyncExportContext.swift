import Foundation
import GRDB
import SynclineNaming

/// One export: the store it reads, the key style and date format it writes, and the rows it is inside of.
public final class SyncExportContext {
  let database: Database
  let configuration: SyncConfiguration
  let catalog: ModelCatalog
  let waiting: WaitingLinks
  private let cancellation: CancellationFlag?
  private var rowCount = 0
  /// By tables, which are kept with them.
  private var keys: [ObjectIdentifier: (table: SyncTable, keys: [ExportKey?])] = [:]
  /// By the relationships that lead to their rows.
  private var listsLeftOut: [Link: Int?] = [:]
  /// The properties that are written of the outermost row; nil for all.
  var only: Set<Int>?
  /// The rows whose objects enclose the one being written.
  private var path: [Step] = []

  /// A row that is being written, and the relationship that led to it.
  private struct Step {
    let table: SyncTable
    let row: RowKey
    let link: Link?

    /// The relationship of the row's model to itself that led to it.
    var position: Int? { link?.table === table ? link?.position : nil }
  }

  init(
    _ database: Database, catalog: ModelCatalog, configuration: SyncConfiguration,
    cancellation: CancellationFlag? = nil
  ) {
    self.database = database
    self.catalog = catalog
    self.configuration = configuration
    self.cancellation = cancellation
    waiting = WaitingLinks(database)
  }

  /// An object of a row, to be filled property by property.
  public func object(_ table: SyncTable) -> SyncObjectWriter {
    SyncObjectWriter(
      context: self, table: table, only: level == 1 ? only : nil, leftOut: path.last?.link.flatMap(leftOut))
  }

  /// The keys that a model's properties are exported under.
  ///
  /// - Parameter only: the properties that are written: a relationship whose key a scalar says otherwise has one where that is
  ///   not among them.
  func keys(of table: SyncTable, only: Set<Int>? = nil) -> [ExportKey?] {
    if let only {
      return table.properties.indices.map {
        only.contains($0) ? table.exportKey(of: $0, in: configuration.keyStyle, besides: only) : nil
      }
    }
    if let known = keys[ObjectIdentifier(table)] { return known.keys }
    let keys = table.properties.indices.map { table.exportKey(of: $0, in: configuration.keyStyle) }
    self.keys[ObjectIdentifier(table)] = (table, keys)
    return keys
  }

  func table(of model: any SyncUpdatableModel.Type) throws -> SyncTable {
    try catalog.entry(for: model).table
  }

  /// Looks now and then whether the call was cancelled.
  func countRow() throws {
    rowCount &+= 1
    if rowCount & 63 == 0, cancellation?.isSet == true { throw SyncError.cancelled }
  }

  // MARK: The way to a row

  /// A relationship of a row that is being written.
  struct Link: Hashable {
    let table: SyncTable
    let position: Int

    var property: SyncProperty { table.properties[position] }

    static func == (left: Link, right: Link) -> Bool {
      left.table === right.table && left.position == right.position
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(ObjectIdentifier(table))
      hasher.combine(position)
    }

    /// A key as it is written, and without the text around it; null for none.
    func forms(of key: SyncIdentity?) -> [SyncJSON] {
      key.map { [property.keyReader?.json($0) ?? $0.json, $0.json] } ?? [.null]
    }
  }

  /// How many rows may enclose each other and be written whole: a sync reads 64 levels, of which the last is identities.
  private static let levelLimit = 63

  /// How many rows enclose what is written.
  var level: Int { path.count }

  /// The row that is being written.
  var row: RowKey? { path.last?.row }

  /// Whether the rows of a relationship are written whole, or by their identities alone.
  ///
  /// A model on the way already is not entered again, so the length of a body follows the rows and not the ways through
  /// them. But a to-one or one-to-many of a model to itself, which makes trees, is followed, on and on in the one
  /// direction: neither back nor along another such relationship.
  func follows(_ link: Link, to related: SyncTable) -> Bool {
    guard path.count < SyncExportContext.levelLimit else { return false }
    guard let current = path.last, path.contains(where: { $0.table === related }) else { return true }
    if case .link = link.property.kind { return false }
    return related === link.table && (current.position ?? link.position) == link.position
  }

  /// The list of a row that a to-one relationship leads to, which is that relationship's other end.
  ///
  /// It is left out: each of the rows in it would have all others inside of it.
  func leftOut(by link: Link) -> Int? {
    if let known = listsLeftOut[link] { return known }
    var list: Int?
    if case .toOne = link.property.kind, let related = link.property.related?.syncTable {
      list = related.properties.firstIndex { property in
        guard case .inverse(link.property.name, isToMany: true) = property.kind else { return false }
        return property.related?.syncTable === link.table
      }
    }
    listsLeftOut[link] = .some(list)
    return list
  }

  /// Writes a row inside of those around it; false where it is one of them.
  func entering(
    _ row: RowKey, of table: SyncTable, by link: Link?, _ write: () throws -> Void
  ) throws -> Bool {
    guard !path.contains(where: { $0.table === table && $0.row == row }) else { return false }
    path.append(Step(table: table, row: row, link: link))
    defer { path.removeLast() }
    try write()
    return true
  }

  /// Represents a row that is not written whole: its identity alone.
  func reference(to identity: SyncIdentity, in table: SyncTable) -> SyncJSON {
    if table.isComposite { return compositeReference(to: identity, in: table) }
    guard table.identityProperty.export != .never else { return .null }
    var object = SyncObjectWriter(context: self, table: table)
    object.set(table.identityReader.json(identity), at: table.identity)
    return object.json
  }

  /// Represents a row with a composite identity: an object of its parts.
  private func compositeReference(to identity: SyncIdentity, in table: SyncTable) -> SyncJSON {
    guard table.identityParts.allSatisfy({ table.properties[$0].export != .never }) else { return .null }
    var object = SyncObjectWriter(context: self, table: table)
    for (position, part) in zip(table.identityParts, SyncIDReader.parts(of: identity.description)) {
      object.set(json(part, of: Link(table: table, position: position)), at: position)
    }
    return object.json
  }

  /// A part of an identity as the property's value is written.
  func json(_ part: SyncJSON, of link: Link) -> SyncJSON {
    guard let related = link.property.related?.syncTable else {
      guard case .scalar(.date, _) = link.property.kind, let text = part.string,
        let date = Date.syncLoad(text.databaseValue)
      else { return part }
      return date.syncExport(form: configuration.form(link.property))
    }
    guard let identity = related.identityKind.identity(inPart: part) else { return .null }
    return json(identity, by: link)
  }

  /// A key of a relationship as JSON.
  func json(_ key: SyncIdentity, by link: Link) -> SyncJSON {
    if let related = link.property.related?.syncTable, related.isComposite {
      return reference(to: key, in: related)
    }
    return link.property.keyReader?.json(key) ?? key.json
  }

  /// The key that a to-one relationship of the row being written waits with.
  ///
  /// It is the last link that was set, later than the link the row still has. But a link that was set on the row at hand, and
  /// is not the stored one, is later than both.
  func waitingKey(_ link: Link, given: SyncIdentity?) throws -> SyncIdentity? {
    guard let row, let key = try waiting.keys(link.table, link.position, of: row).first else { return nil }
    let statement = try ReadStatement(
      database,
      "SELECT \(link.property.quotedName) FROM \(link.table.quotedName)"
        + " WHERE \(link.table.identityProperty.quotedName) = ?1")
    row.identity.bind(to: statement.restart(), at: 1)
    defer { statement.reset() }
    while try statement.step() {
      if SyncIdentity(statement.column(0)) == given { return key }
    }
    return nil
  }

  /// A row as JSON: its object, or its identity alone where the row is met inside of itself.
  func json<Model: SyncUpdatableModel>(_ value: Model, by link: Link? = nil) throws -> SyncJSON {
    let table = try catalog.entry(for: Model.self).table
    let row = RowKey(
      identity: value[keyPath: Model.syncIdentity].syncIdentity, parent: try parent(of: value, in: table))
    try countRow()
    var json = SyncJSON.null
    let isWritten = try entering(row, of: table, by: link) { json = try value.export(in: self) }
    return isWritten ? json : reference(to: row.identity, in: table)
  }

  private func parent<Model: SyncUpdatableModel>(of value: Model, in table: SyncTable) throws -> SyncIdentity?
  {
    guard let scope = table.parentScope else { return nil }
    return SyncIdentity(try value.columnValues()[scope])
  }
}
