import Foundation
import GRDB
import SynclineNaming

/// The context of an export: the store that it reads, its key style and date format, and the rows around the
/// current one.
public final class SyncExportContext {
  let database: Database
  let configuration: SyncConfiguration
  let catalog: ModelCatalog
  let waiting: WaitingLinks
  /// Whether properties that are nil are left out.
  let omitsNulls: Bool
  private let cancellation: CancellationFlag?
  private var rowCount = 0
  /// Results of ``keys(of:only:as:)``. The table is retained, so that its identifier stays unique.
  private var keys: [Written: (table: SyncTable, keys: [ExportKey?])] = [:]
  /// The lists at the other ends, by the relationship that refers to the rows.
  private var otherEnds: [Link: Link?] = [:]
  private var sharedLists: [Link: Bool] = [:]
  /// The properties of the outermost row that are written; nil for all.
  var only: Set<Int>?
  /// How the relationships of the outermost row are written; nil for the form in the schema.
  var links: SyncProperty.Export?
  /// Whether the links of the outermost row are written after its values, as in a JSON:API document.
  var isDocument: Bool { links != nil }
  /// Whether only changed values of the outermost row are written, so that a nil is written as null.
  var writesChanges = false
  /// The rows whose objects enclose the one being written.
  private var path: [Step] = []

  /// The arguments of ``keys(of:only:as:)``.
  private struct Written: Hashable {
    let table: ObjectIdentifier
    let only: Set<Int>?
    let export: SyncProperty.Export?
  }

  /// A row that is being written, and the relationship that refers to it.
  private struct Step {
    let table: SyncTable
    let row: RowKey
    let link: Link?

    /// The relationship by which a row of the same model refers to it.
    var position: Int? { link?.table === table ? link?.position : nil }
  }

  init(
    _ database: Database, catalog: ModelCatalog, configuration: SyncConfiguration,
    nulls: SyncExportNulls? = nil, cancellation: CancellationFlag? = nil
  ) {
    self.database = database
    self.catalog = catalog
    self.configuration = configuration
    omitsNulls = nulls.map { $0 == .omit } ?? !configuration.exportsNulls
    self.cancellation = cancellation
    waiting = WaitingLinks(database)
  }

  /// Returns the object of a row, to be filled property by property.
  @_spi(Generated)
  public func object(_ table: SyncTable) -> SyncObjectWriter {
    SyncObjectWriter(
      context: self, table: table, only: level == 1 ? only : nil,
      leftOut: path.last?.link.flatMap(leftOut).map(table.withOtherCases) ?? [],
      as: level == 1 ? links : nil, omitsNulls: omitsNulls && !(level == 1 && writesChanges))
  }

  /// The keys that a model's properties are exported under.
  ///
  /// - Parameters:
  ///   - only: the properties that are written; nil for all. If a scalar shares the key of a relationship, the relationship has a
  ///     key only if the scalar is not written.
  ///   - export: how relationships are written; nil for what the schema says.
  func keys(
    of table: SyncTable, only: Set<Int>? = nil, as export: SyncProperty.Export? = nil
  ) -> [ExportKey?] {
    let written = Written(table: ObjectIdentifier(table), only: only, export: export)
    return keys.value(of: written) {
      let keys = table.properties.indices.map { position in
        only?.contains(position) ?? true
          ? table.exportKey(of: position, in: configuration.style, besides: only, as: export) : nil
      }
      return (table, keys)
    }.keys
  }

  func table(of model: any SyncUpdatableModel.Type) throws -> SyncTable {
    try catalog.entry(for: model).table
  }

  /// Checks from time to time whether the call was cancelled.
  func countRow() throws {
    rowCount &+= 1
    if rowCount & 63 == 0, cancellation?.isSet == true { throw SyncError.cancelled }
  }

  // MARK: Nesting

  /// A relationship of a row that is being written, or its identity.
  struct Link: Hashable {
    let table: SyncTable
    let position: Int

    var property: SyncProperty { table.properties[position] }

    /// The relationship; if it is a case of a union, also the other cases, as one of them may be pending.
    var cases: [Link] {
      (table.unionGates[position]?.positions ?? [position]).map { Link(table: table, position: $0) }
    }

    static func == (left: Link, right: Link) -> Bool {
      left.table === right.table && left.position == right.position
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(ObjectIdentifier(table))
      hasher.combine(position)
    }

    /// The other end of a to-one relationship, if it is such a list, or such a single row; nil for other relationships.
    func inverse(isToMany: Bool) -> Link? {
      guard case .toOne = property.kind, let related = property.related?.syncTable else { return nil }
      return related.properties.firstIndex { other in
        guard case .inverse(property.name, isToMany) = other.kind else { return false }
        return other.related?.syncTable === table
      }.map { Link(table: related, position: $0) }
    }

    /// Rows as a list; as the first of them if the relationship has one row.
    func json(_ rows: [SyncJSON]) -> SyncJSON { property.isToMany ? .array(rows) : rows.first ?? .null }

    /// A key as it is written, and without the text around it; null if there is no key.
    func forms(of key: SyncIdentity?) -> [SyncJSON] {
      key.map { [property.keyReader?.json($0) ?? $0.json, $0.json] } ?? [.null]
    }
  }

  /// How many rows may be nested and written whole: a sync reads 64 levels, and the last one has only identities.
  private static let levelLimit = 63

  /// How many rows enclose what is being written.
  var level: Int { path.count }

  /// The row that is being written, if it is in the table. A handwritten `export(in:)` may write a row of another table.
  func row(of table: SyncTable) -> RowKey? { path.last.flatMap { $0.table === table ? $0.row : nil } }

  /// Whether the rows of a relationship are written whole, or only by their identities.
  ///
  /// A model that is already on the path is not entered again, so that the size depends on the number of rows, not on the number
  /// of paths through them. But a to-one or one-to-one of a model to itself, which forms trees, is followed repeatedly in the
  /// same direction: neither back nor along another such relationship.
  func follows(_ link: Link, to related: SyncTable) -> Bool {
    guard path.count < SyncExportContext.levelLimit else { return false }
    guard let current = path.last, path.contains(where: { $0.table === related }) else { return true }
    if case .link = link.property.kind { return false }
    return related === link.table && (current.position ?? link.position) == link.position
  }

  /// The list at the other end of the to-one relationship that refers to a row, if the list is left out.
  ///
  /// It is left out because each row of the list would contain all the others. If it shares a JSON list with other properties,
  /// leaving it out would mean null, so it is written as keys.
  func leftOut(by link: Link) -> Int? {
    guard let list = otherEnd(of: link) else { return nil }
    return sharesList(list) ? nil : list.position
  }

  /// Whether a property of the current row is the list at the other end of the to-one relationship that refers to the row.
  func isOtherEnd(_ position: Int) -> Bool { path.last?.link.flatMap(otherEnd)?.position == position }

  private func otherEnd(of link: Link) -> Link? {
    otherEnds.value(of: link) { link.inverse(isToMany: true) }
  }

  /// Whether other properties are read from the same list as a property. Without their values, the list would set them to null.
  private func sharesList(_ property: Link) -> Bool {
    sharedLists.value(of: property) {
      property.table.withSharedLists([property.position], in: configuration.style).count > 1
    }
  }

  /// Writes a row nested in the current ones; false if it is one of them.
  func entering(
    _ row: RowKey, of table: SyncTable, by link: Link?, _ write: () throws -> Void
  ) throws -> Bool {
    guard !path.contains(where: { $0.table === table && $0.row == row }) else { return false }
    path.append(Step(table: table, row: row, link: link))
    defer { path.removeLast() }
    try write()
    return true
  }

  /// The reference to a row that is not written whole: only its identity.
  ///
  /// - Parameter link: the relationship that is written, which may have a form of its own for keys.
  func reference(to identity: SyncIdentity, in table: SyncTable, by link: Link? = nil) -> SyncJSON {
    if table.isComposite { return compositeReference(to: identity, in: table) }
    guard table.identityProperty.export != .never else { return .null }
    // A list would also set all other values to null.
    if table.rowPlaces > 0 || sharesList(Link(table: table, position: table.identity)) {
      if let link, link.property.lookup != nil { return json(identity, by: link) }
      return (link?.property.keyReader ?? table.identityReader).json(identity)
    }
    var object = SyncObjectWriter(context: self, table: table)
    object.set(table.identityReader.json(identity), at: table.identity)
    return object.json
  }

  /// An object that refers to no row: its identity is null.
  func noRow(of table: SyncTable) -> SyncJSON {
    var object = SyncObjectWriter(context: self, table: table, only: Set(table.identifyingProperties))
    for position in table.identifyingProperties { object.set(SyncJSON.null, at: position) }
    return object.json
  }

  /// The reference to a row with a composite identity: an object of its parts.
  private func compositeReference(to identity: SyncIdentity, in table: SyncTable) -> SyncJSON {
    guard table.rowPlaces == 0,
      table.identityParts.allSatisfy({ table.properties[$0].export != .never })
    else { return .null }
    // Only the parts are written, not a scalar that shares the key of one of them.
    var object = SyncObjectWriter(context: self, table: table, only: Set(table.identityParts))
    for (position, part) in zip(table.identityParts, SyncIDReader.parts(of: identity.description)) {
      object.set(json(part, of: Link(table: table, position: position)), at: position)
    }
    return object.json
  }

  /// A part of an identity, written as the property's value is.
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
    if let lookup = link.property.lookup, let related = link.property.related?.syncTable {
      // If the row has no value, its identity is written.
      return value(of: lookup, in: key, of: related).map { link.property.keyReader?.json($0) ?? $0.json }
        ?? reference(to: key, in: related)
    }
    if let related = link.property.related?.syncTable, writesKeysAsObjects(of: link, to: related) {
      return reference(to: key, in: related)
    }
    return link.property.keyReader?.json(key) ?? key.json
  }

  private func writesKeysAsObjects(of link: Link, to related: SyncTable) -> Bool {
    related.isComposite || link.table.keyTable(configuration.style).itself?.property == link.position
  }

  /// Whether a pending key of a relationship can be written: as a scalar, or as an object with only the identity of a row that
  /// requires more. If a row requires nothing more, the sync of that object would create the row.
  func canWriteKeys(of link: Link) -> Bool {
    guard let related = link.property.related?.syncTable else { return true }
    if let union = link.property.union, link.property.isToMany || related.isComposite {
      return related.requiresMore(than: union.cases, configuration.style)
    }
    return !writesKeysAsObjects(of: link, to: related) || requiresMore(related, by: link)
  }

  /// Whether a pending key can be written. With `by:` it is a scalar if it is looked up, but an object if it is an identity.
  func canWrite(_ key: WaitingLinks.Key, of link: Link) -> Bool {
    guard link.property.lookup != nil, let related = link.property.related?.syncTable else {
      return canWriteKeys(of: link)
    }
    return key.isLookedUp
      || (requiresMore(related, by: link) && json(waiting: key, by: link).object != nil)
  }

  private func requiresMore(_ related: SyncTable, by link: Link) -> Bool {
    guard case .inverse(let column, _) = link.property.kind else { return related.requiresMore() }
    return related.requiresMore(besides: related.position(of: column))
  }

  /// A pending key of a relationship as JSON. A key that is looked up is stored as it is.
  func json(waiting key: WaitingLinks.Key, by link: Link) -> SyncJSON {
    if key.isLookedUp { return link.property.keyReader?.json(key.identity) ?? key.identity.json }
    guard link.property.lookup != nil, let related = link.property.related?.syncTable else {
      return json(key.identity, by: link)
    }
    return reference(to: key.identity, in: related)
  }

  /// The value of a property in a row. A failing query is noted, and the next statement throws its error.
  private func value(of property: String, in row: SyncIdentity, of table: SyncTable) -> SyncIdentity? {
    guard let position = table.position(of: property) else { return nil }
    return SQLFault.noting(nil) {
      try ReadStatement(
        database,
        "SELECT \(table.properties[position].quotedName) FROM \(table.quotedName)"
          + " WHERE \(table.identityProperty.quotedName) = ?1\(table.andIsNotDeleted)"
      ).identities(of: row).first
    }
  }

  /// The forms in which a relationship's key may be written: as it is, and without the text around it.
  func forms(of identity: SyncIdentity?, waiting: WaitingLinks.Key?, by link: Link) -> [SyncJSON] {
    guard link.property.lookup != nil, waiting?.isLookedUp != true else {
      return link.forms(of: waiting?.identity ?? identity)
    }
    return [waiting.map { json(waiting: $0, by: link) } ?? identity.map { json($0, by: link) } ?? .null]
  }

  /// The pending key of a to-one relationship of the current row.
  ///
  /// It is newer than the stored link. But if the given row has another link than the stored row, that link is newer than both.
  func waitingKey(_ link: Link, given: SyncIdentity?) throws -> WaitingLinks.Key? {
    guard let row = row(of: link.table), let key = try waiting.keys(link, of: row).first else { return nil }
    return try isStored(given, as: link, of: row) == true ? key : nil
  }

  /// Whether the current row is stored with another link than the given one, while any case of the union has pending links.
  func isEdited(_ link: Link, given: SyncIdentity?) throws -> Bool {
    guard let row = row(of: link.table), try waiting.hasEntries(),
      try link.cases.contains(where: waiting.hasOwners)
    else { return false }
    return try isStored(given, as: link, of: row) == false
  }

  /// Whether a row is stored with a link; nil if it is not stored.
  private func isStored(_ given: SyncIdentity?, as link: Link, of row: RowKey) throws -> Bool? {
    let statement = try ReadStatement(
      database,
      "SELECT \(link.property.quotedName) FROM \(link.table.quotedName)"
        + " WHERE \(link.table.identityProperty.quotedName) = ?1")
    row.identity.bind(to: statement.restart(), at: 1)
    defer { statement.reset() }
    var isStored: Bool?
    while try statement.step() {
      if SyncIdentity(statement.column(0)) == given { return true }
      isStored = false
    }
    return isStored
  }

  /// A row as JSON: its object, or only its identity if the row is nested in itself.
  func json<Model: SyncUpdatableModel>(_ value: Model, by link: Link? = nil) throws -> SyncJSON {
    let table = try catalog.entry(for: Model.self).table
    let row = try value.rowKey
    try countRow()
    var json = SyncJSON.null
    let isWritten = try entering(row, of: table, by: link) { json = try value.export(in: self) }
    return isWritten ? json : reference(to: row.identity, in: table, by: link)
  }
}
