import GRDB

/// The table of pending links, whose target rows no payload has contained yet.
final class StoredPendingLinks {
  static let table = "syncline_pending_link"

  /// Creates the table if it is missing.
  static func create(_ database: Database) throws {
    try database.execute(
      sql: """
        CREATE TABLE IF NOT EXISTS \(table) (
          "owner" TEXT NOT NULL, "relationship" TEXT NOT NULL, "ownerID" NOT NULL, "ownerParent",
          "target" TEXT NOT NULL, "targetID" NOT NULL
        )
        """)
    for index in indexes { try database.execute(sql: index) }
  }

  /// The SQL of its indexes.
  static let indexes = [
    "CREATE INDEX IF NOT EXISTS \"\(table)_owner\" ON \(table)(\"owner\", \"relationship\", \"ownerID\")",
    "CREATE INDEX IF NOT EXISTS \"\(table)_target\" ON \(table)(\"target\", \"targetID\")",
  ]

  /// A row of the table.
  struct Entry {
    fileprivate let number: SyncIdentity
    let owner: String
    let relationship: String
    let key: RowKey
  }

  private let database: Database
  /// Finds rows by looked-up keys, which are stored as they are; nil if there are none.
  var lookups: (any RowLookup)? {
    didSet { known = [:] }
  }
  /// Statements that run for many links. Their SQL contains the values that all links of an end share.
  private let statements: StatementCache<StatementPurpose>
  private(set) var hasChanged = false
  /// Whether a table has entries, as owner or target. Each answer is cached; the query stops at the first entry.
  private var known: [Question: Bool] = [:]
  private var scans: [PendingLinkScan] = []
  /// The rows that are not stored, but have entries, of the tables with new rows.
  private var orphans: [ObjectIdentifier: Set<RowKey>] = [:]

  private struct Question: Hashable {
    let column: String
    let table: ObjectIdentifier
  }

  private enum StatementPurpose: Hashable {
    case targets(LinkEnd), insertion(LinkEnd), insertionOfKey(LinkEnd)
    case deletion, deletionOfRow(ObjectIdentifier)
  }

  init(_ database: Database) {
    self.database = database
    statements = StatementCache(database)
  }

  // MARK: Asking

  /// Whether earlier syncs left entries.
  private(set) lazy var hasEntries = isAny("SELECT 1 FROM \(Self.table) LIMIT 1")

  func count() throws -> Int {
    try ReadStatement(database, "SELECT count(*) FROM \(Self.table)")
      .all { Int(truncatingIfNeeded: $0.column(0).int64) }.first ?? 0
  }

  func hasOwners(of table: SyncTable) -> Bool { hasEntries && has("owner", table) { [table.name] } }
  func hasTargets(in table: SyncTable) -> Bool {
    hasEntries && has("target", table) { [table.name] + targets(in: table).map { $0.name } }
  }

  /// The columns of a table by which keys are looked up, and the targets under which such keys are stored.
  private func targets(in table: SyncTable) -> [(name: String, column: SyncProperty)] {
    (lookups?.positions(of: table) ?? []).map { position in
      let column = table.properties[position]
      return (LinkEnd.pendingTarget(column.name, of: table.name), column)
    }
  }

  /// The target and the identity under which a pending link is stored: a looked-up key is stored as it is.
  private func stored(_ target: SyncIdentity, at end: LinkEnd) -> (name: String, identity: SyncIdentity) {
    if let name = end.pendingTarget, let value = lookups?.value(of: target) { return (name, value) }
    return (end.targetTable.name, target)
  }

  /// - Parameter names: the names under which the column may have the table.
  private func has(_ column: String, _ table: SyncTable, _ names: () -> [String]) -> Bool {
    known.value(of: Question(column: column, table: ObjectIdentifier(table))) {
      names().contains {
        isAny("SELECT 1 FROM \(Self.table) WHERE \"\(column)\" = ?1 LIMIT 1", .text($0))
      }
    }
  }

  /// Used where no error can be thrown. A failing query returns true, and the next statement throws its error.
  private func isAny(_ sql: String, _ names: SyncIdentity...) -> Bool {
    SQLFault.noting(true) { try ReadStatement(database, sql).exists(names) }
  }

  /// The entries that refer to a row, or to the value that a placeholder represents, the oldest first.
  func entries(for table: SyncTable, _ identity: SyncIdentity) throws -> [Entry] {
    if let lookups, let value = lookups.value(of: identity), let position = lookups.position(of: identity) {
      let target = LinkEnd.pendingTarget(table.properties[position].name, of: table.name)
      return try entries(of: target, with: "?2")(value)
    }
    var entries = try entries(of: table.name, with: "?2")(identity)
    if lookups == nil { return entries }
    for (name, column) in targets(in: table) {
      entries += try self.entries(of: name, with: Self.key(column, of: table))(identity)
    }
    return entries.sorted { $0.number < $1.number }
  }

  /// The entries whose key is the value that one of the rows has in a column, with these rows, the oldest first.
  func entries(
    for rows: some Sequence<RowKey>, by column: SyncProperty, of table: SyncTable
  ) throws -> [(entry: Entry, row: RowKey)] {
    let target = LinkEnd.pendingTarget(column.name, of: table.name)
    guard hasTargets(in: table) else { return [] }
    let entries = try entries(of: target, with: Self.key(column, of: table))
    return try rows.flatMap { row in try entries(row.identity).map { ($0, row) } }
      .sorted { $0.entry.number < $1.entry.number }
  }

  /// SQL for the value that the row `?2` has now. Without the unary plus, the value has the type of its column, and the index of
  /// pending links would not be used for it.
  private static func key(_ column: SyncProperty, of table: SyncTable) -> String {
    """
    (SELECT +\(column.quotedName) FROM \(table.quotedName)
    WHERE \(table.identityProperty.quotedName) = ?2\(table.andIsNotDeleted))
    """
  }

  /// - Parameter key: SQL for the key of the target, whose parameter `?2` is a row's identity.
  /// - Returns: finds the entries for a row's identity.
  private func entries(of target: String, with key: String) throws -> (SyncIdentity) throws -> [Entry] {
    let statement = try ReadStatement(
      database,
      """
      SELECT rowid, "owner", "relationship", "ownerID", "ownerParent" FROM \(Self.table)
      WHERE "target" = ?1 AND "targetID" = \(key) ORDER BY rowid
      """)
    return { identity in
      statement.restart().bind([.text(target), identity])
      return try statement.all(self.entry)
    }
  }

  private func entry(_ statement: ReadStatement) -> Entry? {
    guard let owner = String.syncLoad(statement.column(1)),
      let relationship = String.syncLoad(statement.column(2)), let key = RowKey(statement, from: 3)
    else { return nil }
    return Entry(
      number: .integer(statement.column(0).int64), owner: owner, relationship: relationship, key: key)
  }

  /// Whether some row of a model has a pending link to a row, by a relationship.
  func hasEntry(
    _ relationship: String, of model: String, for target: SyncIdentity, in targetModel: String
  ) throws -> Bool {
    try ReadStatement(
      database, "SELECT 1 FROM \(Self.table) WHERE \(Self.conditionOfTarget) LIMIT 1"
    ).exists([.text(targetModel), target, .text(model), .text(relationship)])
  }

  /// Selects a relationship's entries for one target. The unary plus makes SQLite search by target: many rows may have pending
  /// links of one relationship.
  private static let conditionOfTarget =
    "\"target\" = ?1 AND \"targetID\" = ?2 AND +\"owner\" = ?3 AND +\"relationship\" = ?4"

  /// The missing targets of a row's relationship.
  func targets(of place: LinkPlace) throws -> Set<SyncIdentity> { Set(try rows(of: place).map(\.target)) }

  /// The entries of a row's relationship.
  private func rows(of place: LinkPlace) throws -> [(number: Int64, target: SyncIdentity)] {
    guard hasOwners(of: place.end.table) else { return [] }
    let statement = try statements.read(
      .targets(place.end),
      """
      SELECT rowid, "targetID", "target" FROM \(Self.table) WHERE "owner" = \(place.end.table.name.sqlLiteral)
      AND "relationship" = \(place.end.name.sqlLiteral) AND "ownerID" = ?1 AND "ownerParent" IS ?2
      """)
    let parameters = statement.restart()
    parameters.bind(place.owner.identity, at: 1)
    parameters.bind(place.owner.parent, at: 2)
    return try statement.all { row in
      guard var target = SyncIdentity(row.column(1)) else { return nil }
      if let position = place.end.lookup, let lookups,
        String.syncLoad(row.column(2)) == place.end.pendingTarget
      {
        target = lookups.row(with: target, at: position, of: place.end.targetTable)
      }
      return (row.column(0).int64, target)
    }
  }

  /// The stored pending link of a row's to-one. It is known for rows in ascending order.
  func entry(of place: LinkPlace) throws -> PendingLinkScan.Entry {
    let end = place.end
    if let scan = scans.first(where: { $0.end === end }) { return try scan.entry(of: place.owner.identity) }
    guard hasOwners(of: end.table) else { return .none }
    guard end.table.parentScope == nil, end.targetTable.parentScope == nil, end.lookup == nil else {
      return .unknown
    }
    let scan = try PendingLinkScan(end, in: database)
    scans.append(scan)
    return try scan.entry(of: place.owner.identity)
  }

  /// Ends what ``entry(of:)`` reads.
  func closeScans() {
    for scan in scans { scan.close() }
  }

  // MARK: Writing

  private func execute(_ statement: WriteStatement, _ values: [SyncIdentity?]) throws {
    if try statement.execute(values) > 0 { hasChanged = true }
  }

  /// Replaces the entries of a row's relationship by those for the missing targets.
  func replace(_ place: LinkPlace, with missing: [SyncIdentity], keepsOthers: Bool = false) throws {
    let rows = try rows(of: place)
    if rows.isEmpty, missing.count <= 1 { return try missing.forEach { try insert($0, at: place) } }
    if rows.count == 1, missing.count == 1, rows[0].target == missing[0] { return }
    let wanted = Set(missing)
    var present: Set<SyncIdentity> = []
    for row in rows {
      if keepsOthers || wanted.contains(row.target) {
        present.insert(row.target)
      } else {
        try remove(.integer(row.number))
      }
    }
    for identity in missing where present.insert(identity).inserted { try insert(identity, at: place) }
  }

  private func insert(_ target: SyncIdentity, at place: LinkPlace) throws {
    let (name, target) = stored(target, at: place.end)
    let isKey = name != place.end.targetTable.name
    try execute(
      statements.write(
        isKey ? .insertionOfKey(place.end) : .insertion(place.end),
        """
        INSERT INTO \(Self.table) ("owner", "relationship", "ownerID", "ownerParent", "target", "targetID")
        VALUES (\(place.end.table.name.sqlLiteral), \(place.end.name.sqlLiteral), ?1, ?2,
        \(name.sqlLiteral), ?3)
        """), [place.owner.identity, place.owner.parent, target])
  }

  /// Removes the pending links from other owners to a member: a member has one owner.
  func removeOthers(than place: LinkPlace, waitingFor member: SyncIdentity) throws {
    guard hasOwners(of: place.end.table) else { return }
    let (name, target) = stored(member, at: place.end)
    try execute(
      WriteStatement(
        database, "DELETE FROM \(Self.table) WHERE \(Self.conditionOfTarget) AND \"ownerID\" <> ?5"),
      [.text(name), target, .text(place.end.table.name), .text(place.end.name), place.owner.identity])
  }

  func remove(_ entry: Entry) throws { try remove(entry.number) }

  private func remove(_ number: SyncIdentity) throws {
    try execute(statements.write(.deletion, "DELETE FROM \(Self.table) WHERE rowid = ?1"), [number])
  }

  /// Removes the entries of a new row. They are those of an earlier row, which was deleted without a sync.
  func removeOrphans(of table: SyncTable, _ key: RowKey) throws {
    guard hasOwners(of: table) else { return }
    guard let known = orphans[ObjectIdentifier(table)] else {
      // The new row itself is stored by now.
      orphans[ObjectIdentifier(table)] = try orphans(of: table)
      return try removeAll(of: table, key)
    }
    if known.contains(key) { try removeAll(of: table, key) }
  }

  private func orphans(of table: SyncTable) throws -> Set<RowKey> {
    let parent = table.parentScope.map { " AND \(table.properties[$0].quotedName) IS \"ownerParent\"" } ?? ""
    let statement = try ReadStatement(
      database,
      """
      SELECT "ownerID", "ownerParent" FROM \(Self.table) WHERE "owner" = ?1 AND NOT EXISTS (
        SELECT 1 FROM \(table.quotedName) WHERE \(table.identityProperty.quotedName) = "ownerID"\(parent)
      )
      """)
    statement.restart().bind([.text(table.name)])
    return Set(try statement.all { RowKey($0) })
  }

  /// Removes the entries that a row owns. The relationship names make the index apply: without them it would find all rows of the
  /// table.
  func removeAll(of table: SyncTable, _ key: RowKey) throws {
    guard hasOwners(of: table) else { return }
    let names = table.properties.lazy.filter(\.isRelationship).map(\.name.sqlLiteral)
    try execute(
      statements.write(
        .deletionOfRow(ObjectIdentifier(table)),
        """
        DELETE FROM \(Self.table) WHERE "owner" = \(table.name.sqlLiteral)
        AND "relationship" IN (\(names.joined(separator: ", "))) AND "ownerID" = ?1 AND "ownerParent" IS ?2
        """), [key.identity, key.parent])
  }
}
