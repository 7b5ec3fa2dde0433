import GRDB
import SynclineSchema

/// Evolves the tables of a store to another schema.
///
/// It runs in a transaction, with foreign keys off. Each step reads the database as the earlier steps left it. So the same steps
/// can run on an empty copy of the database's tables, to find out what they would do.
final class StoreEvolution {
  let plan: EvolutionPlan
  let database: Database
  /// Whether a table of the earlier schema has rows.
  let hasRows: (_ table: String) -> Bool
  /// The current names of the earlier schema's tables and columns.
  var names = FormerNames()
  private(set) var statements: [String] = []
  /// The tables that were copied.
  var rebuilt: [String] = []
  var movedLinkEdits: [MovedLinkEdits] = []
  /// The rows with dangling foreign keys before any rows were written; nil until then.
  private var formerViolations: [String: Int]?
  /// The SQL of dropped triggers, to recreate them.
  private var asideTriggers: [String] = []
  private var temporaryNames = 0
  /// The last known state of the database.
  private var found: LiveStore
  private var isStale = true

  init(
    _ plan: EvolutionPlan, _ database: Database, found: LiveStore,
    hasRows: @escaping (_ table: String) -> Bool
  ) {
    self.plan = plan
    self.database = database
    self.found = found
    self.hasRows = hasRows
  }

  func run() throws {
    for conversion in plan.conversions { conversion.add(to: database) }
    try renameTables()
    try renameColumns()
    try createTables()
    try addColumns()
    try moveLinks()
    try changeTables()
    try fillEdits()
    try listLinksOfEdits()
    try dropTables()
    try changeIndexes()
    try changePendingLinks()
    try rememberDanglingKeys()
    try moveLinkEdits()
    for trigger in asideTriggers { try execute(trigger) }
    if let formerViolations, let reason = try StoreEvolution.lostLinks(database, since: formerViolations) {
      throw StoreMisfit(reason: reason)
    }
  }

  /// The rows with dangling foreign keys, if there are more than before; otherwise nil.
  static func lostLinks(_ database: Database, since former: [String: Int]) throws -> String? {
    let found = try database.danglingReferences()
    guard found.values.reduce(0, +) > former.values.reduce(0, +) else { return nil }
    let tables = found.filter { $0.value > former[$0.key] ?? 0 }.keys.sorted()
    return "rows of \(tables.map { "“\($0)”" }.joined(separator: ", ")) would have dangling foreign keys"
  }

  /// Called before rows are written. Afterwards, no more foreign keys may dangle than now.
  func willMoveRows() throws {
    if formerViolations == nil { formerViolations = try database.danglingReferences() }
  }

  func live() throws -> LiveStore {
    if isStale { found = try LiveStore(database, after: found) }
    isStale = false
    return found
  }

  func execute(_ sql: String) throws {
    statements.append(sql)
    isStale = true
    do {
      try database.execute(sql: sql)
    } catch let error as DatabaseError
      where error.resultCode == .SQLITE_ERROR || error.resultCode == .SQLITE_CONSTRAINT
    {
      throw StoreMisfit(
        reason:
          "the store could not be changed: \(error.message ?? error.description) (in “\(sql.prefix(200))”)")
    }
  }

  func temporaryName() -> String {
    temporaryNames += 1
    return "syncline_former_\(temporaryNames)"
  }

  /// Drops the triggers of a table for now: an evolution must not fire them.
  func dropTriggersTemporarily(of table: String) throws {
    for trigger in try live().items(of: table, "trigger") {
      asideTriggers.append(trigger.sql)
      try execute("DROP TRIGGER \(trigger.name.quotedIdentifier)")
    }
  }
}

extension Database {
  /// The numbers of rows with dangling foreign keys, by table. Tables whose foreign keys cannot be checked are left out.
  func danglingReferences() throws -> [String: Int] {
    let tables = try String.fetchAll(
      self, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%references%'")
    var counts: [String: Int] = [:]
    for table in tables {
      do {
        let sql = "SELECT COUNT(*) FROM pragma_foreign_key_check(?)"
        counts[table] = try Int.fetchOne(self, sql: sql, arguments: [table])
      } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {}
    }
    return counts
  }
}
