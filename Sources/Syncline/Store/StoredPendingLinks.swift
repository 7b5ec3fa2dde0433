import GRDB

/// The table of the links that wait for rows which no payload has brought yet.
final class StoredPendingLinks {
  static let table = "syncline_pending_link"

  /// Creates the table, where it is missing.
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
  private(set) var hasChanged = false
  /// Whether the store has entries with a name, asked for once: however many there are, that takes the same work.
  private var known: [Question: Bool] = [:]

  private struct Question: Hashable {
    let column: String
    let table: ObjectIdentifier
  }

  init(_ database: Database) {
    self.database = database
  }

  // MARK: Asking

  /// Whether there are entries since an earlier sync.
  private(set) lazy var hasEntries = isAny("SELECT 1 FROM \(Self.table) LIMIT 1")

  func hasOwners(of table: SyncTable) -> Bool { hasEntries && has("owner", table) }
  func hasTargets(in table: SyncTable) -> Bool { hasEntries && has("target", table) }

  private func has(_ column: String, _ table: SyncTable) -> Bool {
    let question = Question(column: column, table: ObjectIdentifier(table))
    if let answer = known[question] { return answer }
    let answer = isAny("SELECT 1 FROM \(Self.table) WHERE \"\(column)\" = ?1 LIMIT 1", .text(table.name))
    known[question] = answer
    return answer
  }

  /// Entries are looked for where an error cannot be thrown: the next statement throws it.
  private func isAny(_ sql: String, _ names: SyncIdentity...) -> Bool {
    do {
      return try ReadStatement(database, sql).exists(names)
    } catch {
      SQLFault.note(error)
      return true
    }
  }

  /// The entries that wait for a row, the oldest first.
  func entries(for table: SyncTable, _ identity: SyncIdentity) throws -> [Entry] {
    let statement = try ReadStatement(
      database,
      """
      SELECT rowid, "owner", "relationship", "ownerID", "ownerParent" FROM \(Self.table)
      WHERE "target" = ?1 AND "targetID" = ?2 ORDER BY rowid
      """)
    let parameters = statement.restart()
    defer { statement.reset() }
    table.name.syncBind(to: parameters, at: 1)
    identity.bind(to: parameters, at: 2)
    var entries: [Entry] = []
    while try statement.step() {
      guard let owner = String.syncLoad(statement.column(1)),
        let relationship = String.syncLoad(statement.column(2)), let key = SyncIdentity(statement.column(3))
      else { continue }
      entries.append(
        Entry(
          number: .integer(statement.column(0).int64), owner: owner, relationship: relationship,
          key: RowKey(identity: key, parent: SyncIdentity(statement.column(4)))))
    }
    return entries
  }

  /// Whether a relationship of some row waits for a row.
  func hasEntry(_ relationship: String, of model: String, for target: SyncIdentity) throws -> Bool {
    try ReadStatement(
      database,
      "SELECT 1 FROM \(Self.table) WHERE \"owner\" = ?1 AND \"relationship\" = ?2 AND \"targetID\" = ?3 LIMIT 1"
    ).exists([.text(model), .text(relationship), target])
  }

  /// What a relationship of a row waits for.
  func targets(of place: LinkPlace) throws -> Set<SyncIdentity> {
    guard hasOwners(of: place.end.table) else { return [] }
    let statement = try ReadStatement(
      database,
      """
      SELECT "targetID" FROM \(Self.table)
      WHERE "owner" = ?1 AND "relationship" = ?2 AND "ownerID" = ?3 AND "ownerParent" IS ?4
      """)
    return Set(try statement.identities(of: place.values))
  }

  // MARK: Writing

  private func write(_ sql: String, _ values: [SyncIdentity?]) throws {
    let statement = try WriteStatement(database, sql)
    statement.restart().bind(values)
    if try statement.execute() > 0 { hasChanged = true }
  }

  /// Makes the entries of a relationship of a row those that are still missing.
  func replace(_ place: LinkPlace, with missing: [SyncIdentity], keepsOthers: Bool = false) throws {
    var present = try targets(of: place)
    for identity in keepsOthers ? [] : present.subtracting(missing) {
      try write(
        """
        DELETE FROM \(Self.table)
        WHERE "owner" = ?1 AND "relationship" = ?2 AND "ownerID" = ?3 AND "ownerParent" IS ?4 AND "targetID" = ?5
        """, place.values + [identity])
    }
    for identity in missing where present.insert(identity).inserted {
      try write(
        """
        INSERT INTO \(Self.table) ("owner", "relationship", "ownerID", "ownerParent", "target", "targetID")
        VALUES (?1, ?2, ?3, ?4, ?5, ?6)
        """, place.values + [.text(place.end.targetTable.name), identity])
    }
  }

  /// Forgets that lists of other rows wait for a member that one waits for now: it has one owner.
  func removeOthers(than place: LinkPlace, waitingFor member: SyncIdentity) throws {
    guard hasOwners(of: place.end.table) else { return }
    try write(
      """
      DELETE FROM \(Self.table)
      WHERE "owner" = ?1 AND "relationship" = ?2 AND "targetID" = ?3 AND "ownerID" <> ?4
      """, [.text(place.end.table.name), .text(place.end.name), member, place.owner.identity])
  }

  func remove(_ entry: Entry) throws {
    try write("DELETE FROM \(Self.table) WHERE rowid = ?1", [entry.number])
  }

  /// Forgets what a row waits for.
  func removeAll(of table: SyncTable, _ key: RowKey) throws {
    guard hasOwners(of: table) else { return }
    try write(
      "DELETE FROM \(Self.table) WHERE \"owner\" = ?1 AND \"ownerID\" = ?2 AND \"ownerParent\" IS ?3",
      [.text(table.name), key.identity, key.parent])
  }
}

extension LinkPlace {
  /// The names of the model and the relationship, and the row's key.
  fileprivate var values: [SyncIdentity?] {
    [.text(end.table.name), .text(end.name), owner.identity, owner.parent]
  }
}
