import GRDB

/// Links to rows that are not stored yet. They are remembered in the store, and made when the row arrives.
final class PendingLinks {
  static let table = "syncline_pending_link"

  /// Creates the table, where it is missing.
  static func create(_ database: Database) throws {
    try database.execute(
      sql: """
        CREATE TABLE IF NOT EXISTS \(table) (
          "owner" TEXT NOT NULL, "relationship" TEXT NOT NULL, "ownerID" NOT NULL, "ownerParent",
          "target" TEXT NOT NULL, "targetID" NOT NULL
        );
        CREATE INDEX IF NOT EXISTS "syncline_pending_link_owner" ON \(table)("owner", "relationship", "ownerID");
        CREATE INDEX IF NOT EXISTS "syncline_pending_link_target" ON \(table)("target", "targetID");
        """)
  }

  /// One relationship of one row.
  private struct Place: Hashable {
    let table: ObjectIdentifier
    let position: Int
    let owner: RowKey
  }

  /// What this payload says a place waits for, in the order it was said.
  private struct Decision {
    let model: ModelSession
    let position: Int
    let owner: RowKey
    var targets: [SyncIdentity]
    /// The problem to report for a target that stays away.
    let path: String
    let row: Int?
  }

  private var decisions: [Place: Decision] = [:]
  private var order: [Place] = []
  /// New rows that an earlier sync may have waited for.
  private var arrivals: [(table: SyncTable, key: RowKey)] = []

  private let database: Database
  /// Whether the store has entries with a name, asked for once: however many there are, that takes the same work.
  private var known: [Question: Bool] = [:]

  private struct Question: Hashable {
    let column: String
    let table: ObjectIdentifier
  }

  init(_ database: Database) {
    self.database = database
  }

  /// Whether earlier syncs left anything to wait for.
  private(set) lazy var hasEntries = isAny("SELECT 1 FROM \(Self.table) LIMIT 1", nil)

  /// Whether rows of a model wait for others since an earlier sync.
  func hasOwners(of table: SyncTable) -> Bool { hasEntries && has("owner", table) }

  /// Whether nothing is remembered of a model's rows, neither by this sync nor by earlier ones.
  func isIdle(_ table: SyncTable) -> Bool { decisions.isEmpty && !hasOwners(of: table) }

  private func has(_ column: String, _ table: SyncTable) -> Bool {
    let question = Question(column: column, table: ObjectIdentifier(table))
    if let answer = known[question] { return answer }
    let answer = isAny("SELECT 1 FROM \(Self.table) WHERE \"\(column)\" = ?1 LIMIT 1", table.name)
    known[question] = answer
    return answer
  }

  /// Entries are looked for where an error cannot be thrown; a store that cannot be read says so to the next statement.
  private func isAny(_ sql: String, _ name: String?) -> Bool {
    guard let statement = try? ReadStatement(database, sql) else { return true }
    let parameters = statement.restart()
    defer { statement.reset() }
    name?.syncBind(to: parameters, at: 1)
    return (try? statement.step()) ?? true
  }

  /// Remembers what a relationship waits for; nothing, when the payload decided it otherwise.
  func decide(
    _ model: ModelSession, _ position: Int, _ owner: RowKey, waitsFor targets: [SyncIdentity],
    _ object: PayloadObject, _ key: String
  ) {
    let place = Place(table: model.id, position: position, owner: owner)
    if targets.isEmpty, decisions[place] == nil, !hasOwners(of: model.table) { return }
    if decisions[place] == nil { order.append(place) }
    decisions[place] = Decision(
      model: model, position: position, owner: owner, targets: targets,
      path: targets.isEmpty ? "" : object.path(of: key),
      row: object.rowIndex)
  }

  /// Forgets the key that a row waits with: a list names the row.
  func forgetKey(_ model: ModelSession, _ position: Int, _ identity: SyncIdentity) {
    let owner = RowKey(identity: identity)
    let place = Place(table: model.id, position: position, owner: owner)
    guard hasOwners(of: model.table), decisions[place] == nil else { return }
    order.append(place)
    decisions[place] = Decision(
      model: model, position: position, owner: owner, targets: [], path: "", row: nil)
  }

  func didInsert(_ table: SyncTable, _ key: RowKey) {
    if hasEntries, has("target", table) { arrivals.append((table, key)) }
  }

  /// Makes the links whose rows have arrived, and remembers and reports the others.
  func resolve(in session: SyncSession) throws {
    for place in order {
      guard let decision = decisions[place] else { continue }
      let property = decision.model.table.properties[decision.position]
      guard let related = property.related else { continue }
      let target = try session.models(related)
      var missing: [SyncIdentity] = []
      for identity in decision.targets {
        // A list that names either row says otherwise.
        if isClaimedOtherwise(identity, decision, target) { continue }
        if try target.exists(identity) {
          try session.link(decision.model, decision.position, decision.owner, identity)
        } else {
          missing.append(identity)
          session.log.record(
            SyncProblem(
              model: decision.model.table.name, row: decision.row,
              identity: decision.owner.identity.description,
              path: decision.path, reason: "there is no \(target.table.name) \(identity) yet",
              action: .keptLink))
        }
      }
      try store(missing, of: decision, target: target.table, in: session)
      try forgetOtherLists(missing, decision, target, in: session)
    }
    for (table, key) in arrivals { try linkWaiting(table, key, in: session) }
  }

  private func isClaimedOtherwise(
    _ identity: SyncIdentity, _ decision: Decision, _ target: ModelSession
  ) -> Bool {
    switch decision.model.table.properties[decision.position].kind {
    case .toOne:
      return decision.model.claims[decision.position]?[decision.owner.identity].map { $0 != identity }
        ?? false
    case .inverse(let column, _):
      guard let slot = target.table.position(of: column) else { return false }
      return target.claims[slot]?[identity].map { $0 != decision.owner.identity } ?? false
    case .scalar, .link: return false
    }
  }

  /// Forgets that lists of other rows wait for members that this one waits for now: each has one owner.
  private func forgetOtherLists(
    _ missing: [SyncIdentity], _ decision: Decision, _ target: ModelSession, in session: SyncSession
  ) throws {
    let table = decision.model.table
    guard !missing.isEmpty, hasOwners(of: table), case .inverse = table.properties[decision.position].kind
    else {
      return
    }
    for identity in missing {
      let forgotten = try session.write(
        """
        DELETE FROM \(Self.table)
        WHERE "owner" = ?1 AND "relationship" = ?2 AND "targetID" = ?3 AND "ownerID" <> ?4
        """
      ).execute(
        .text(table.name), .text(table.properties[decision.position].name), identity, decision.owner.identity)
      if forgotten > 0 { session.hasChangedPendingLinks = true }
    }
  }

  /// Makes the store's entries for a place those that are still missing.
  private func store(
    _ missing: [SyncIdentity], of decision: Decision, target: SyncTable, in session: SyncSession
  ) throws {
    let table = decision.model.table
    let relationship = SyncIdentity.text(table.properties[decision.position].name)
    let owner = SyncIdentity.text(table.name)
    var stored: Set<SyncIdentity> = []
    if hasOwners(of: table) {
      let statement = try session.read(
        """
        SELECT "targetID" FROM \(Self.table)
        WHERE "owner" = ?1 AND "relationship" = ?2 AND "ownerID" = ?3 AND "ownerParent" IS ?4
        """)
      let parameters = statement.restart()
      defer { statement.reset() }
      owner.bind(to: parameters, at: 1)
      relationship.bind(to: parameters, at: 2)
      decision.owner.identity.bind(to: parameters, at: 3)
      if let parent = decision.owner.parent {
        parent.bind(to: parameters, at: 4)
      } else {
        parameters.bindNull(at: 4)
      }
      while try statement.step() {
        if let identity = SyncIdentity(statement.column(0)) { stored.insert(identity) }
      }
    }
    for identity in stored.subtracting(missing) {
      try session.write(
        """
        DELETE FROM \(Self.table)
        WHERE "owner" = ?1 AND "relationship" = ?2 AND "ownerID" = ?3 AND "ownerParent" IS ?4 AND "targetID" = ?5
        """
      ).execute(owner, relationship, decision.owner.identity, decision.owner.parent, identity)
      session.hasChangedPendingLinks = true
    }
    for identity in Set(missing).subtracting(stored) {
      try session.write(
        """
        INSERT INTO \(Self.table) ("owner", "relationship", "ownerID", "ownerParent", "target", "targetID")
        VALUES (?1, ?2, ?3, ?4, ?5, ?6)
        """
      ).execute(
        owner, relationship, decision.owner.identity, decision.owner.parent, .text(target.name), identity)
      session.hasChangedPendingLinks = true
    }
  }

  /// Makes the links that earlier syncs remembered for a row that is new now.
  private func linkWaiting(_ table: SyncTable, _ key: RowKey, in session: SyncSession) throws {
    let rows = try Row.fetchAll(
      session.database,
      sql: """
        SELECT rowid, "owner", "relationship", "ownerID", "ownerParent" FROM \(Self.table)
        WHERE "target" = ? AND "targetID" = ? ORDER BY rowid
        """,
      arguments: [table.name, key.identity.databaseValue])
    for row in rows {
      let ownerName: String = row["owner"]
      let relationship: String = row["relationship"]
      let ownerID: DatabaseValue = row["ownerID"]
      let ownerParent: DatabaseValue = row["ownerParent"]
      if let owner = session.catalog.tables.first(where: { $0.name == ownerName }),
        let position = owner.position(of: relationship), let identity = SyncIdentity(ownerID)
      {
        let model = try session.models(owner)
        let ownerKey = RowKey(identity: identity, parent: SyncIdentity(ownerParent))
        // What this payload said of the place counts instead.
        guard decisions[Place(table: model.id, position: position, owner: ownerKey)] == nil else { continue }
        try session.link(model, position, ownerKey, key.identity, isRemembered: true)
      }
      try session.database.execute(
        sql: "DELETE FROM \(Self.table) WHERE rowid = ?", arguments: [row["rowid"] as Int64])
      session.hasChangedPendingLinks = true
    }
  }

  /// Forgets what a deleted row waited for.
  func forget(_ table: SyncTable, _ key: RowKey, in session: SyncSession) throws {
    for (place, decision) in decisions where decision.model.table === table && decision.owner == key {
      decisions[place] = nil
    }
    guard hasOwners(of: table) else { return }
    try session.write("DELETE FROM \(Self.table) WHERE \"owner\" = ?1 AND \"ownerID\" = ?2")
      .execute(.text(table.name), key.identity)
    session.hasChangedPendingLinks = true
  }
}
