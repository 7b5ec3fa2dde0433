import GRDB
import SynclineSchema

/// Makes the tables of a store those of another schema.
///
/// It runs in a transaction, with foreign keys off. What a step does is looked up in the database as the steps before have
/// left it; so the same steps run on an empty copy of the database's tables, to say what they would do.
final class StoreEvolution {
  let plan: EvolutionPlan
  let database: Database
  /// Whether a table of the earlier schema has rows.
  let hasRows: (_ table: String) -> Bool
  /// What the tables and columns of the earlier schema are called by now.
  var names = FormerNames()
  /// What was executed.
  private(set) var statements: [String] = []
  /// The tables that were copied.
  var rebuilt: [String] = []
  /// How many rows pointed at none before any were written; nil as long as none are.
  private var formerViolations: [String: Int]?
  /// Triggers that were dropped, to be made again word by word.
  private var asideTriggers: [String] = []
  private var temporaryNames = 0
  /// What the database had when somebody asked.
  private var found: LiveStore
  private var isStale = true

  /// - Parameter found: what the database had when somebody asked.
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
    try dropTables()
    try changeIndexes()
    try changePendingLinks()
    try rememberDanglingKeys()
    for trigger in asideTriggers { try execute(trigger) }
    if let formerViolations { try StoreEvolution.checkLinks(database, since: formerViolations) }
  }

  /// Checks that no more rows point at none than did.
  static func checkLinks(_ database: Database, since former: [String: Int], _ hint: String = "") throws {
    let found = try database.danglingReferences()
    guard found.values.reduce(0, +) > former.values.reduce(0, +) else { return }
    let tables = found.filter { $0.value > former[$0.key] ?? 0 }.keys.sorted()
    throw StoreMisfit(
      reason:
        "rows of \(tables.map { "“\($0)”" }.joined(separator: ", ")) would point at rows that are not there\(hint)"
    )
  }

  /// Called before rows are written: afterwards no more of them may point at none than do now.
  func willMoveRows() throws {
    if formerViolations == nil { formerViolations = try database.danglingReferences() }
  }

  /// What the database has at the moment.
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

  /// A name that nothing has.
  func temporaryName() -> String {
    temporaryNames += 1
    return "syncline_former_\(temporaryNames)"
  }

  /// Drops the triggers of a table for now: an evolution is not an edit.
  func putTriggersAside(of table: String) throws {
    for trigger in try live().items(of: table, "trigger") {
      asideTriggers.append(trigger.sql)
      try execute("DROP TRIGGER \(trigger.name.quotedIdentifier)")
    }
  }
}

extension Database {
  /// How many rows point at rows that are not there, by tables. A user's table whose foreign keys cannot be checked has none.
  func danglingReferences() throws -> [String: Int] {
    let tables = try String.fetchAll(
      self, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%references%'")
    var counts: [String: Int] = [:]
    for table in tables {
      do {
        let sql = "SELECT COUNT(*) FROM pragma_foreign_key_check(?)"
        counts[table] = try Int.fetchOne(self, sql: sql, arguments: [table])
      } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
        continue
      }
    }
    return counts
  }
}
