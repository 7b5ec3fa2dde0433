import GRDB
import SynclineSchema

/// Evolves stores to the schema of a container's models.
struct SchemaEvolution: Sendable {
  private let configuration: SyncConfiguration
  /// Whether the models are all models of the store. A container can also be opened with some of them.
  private let isWhole: Bool
  /// The schema of the models, and the same with the tables of edits.
  private let schema, new: SyncSchemaSnapshot
  private let fingerprint: String
  /// The triggers that record edits; nil without models of a program.
  private let triggers: EditTriggers?
  private let declared: DeclaredProperties

  init(
    to schema: SyncSchemaSnapshot, triggers: EditTriggers? = nil,
    declaring declared: DeclaredProperties = DeclaredProperties(),
    _ configuration: SyncConfiguration = SyncConfiguration(), isWhole: Bool = true
  ) {
    self.schema = schema
    self.triggers = triggers
    new = schema.withEditTables
    fingerprint = schema.fingerprint
    self.declared = declared
    self.configuration = configuration
    self.isWhole = isWhole
  }

  init(_ catalog: ModelCatalog, _ configuration: SyncConfiguration, isWhole: Bool) {
    self.init(
      to: SyncSchemaSnapshot(catalog), triggers: EditTriggers(catalog),
      declaring: DeclaredProperties(catalog), configuration, isWhole: isWhole)
  }

  /// The evolution that a store needs.
  struct Need {
    let stored: StoredSchema?
    let plan: EvolutionPlan
    /// Whether the store is new: there is nothing to evolve.
    let isNew: Bool
    let live: LiveStore
    /// Whether only the triggers that record edits must be recreated, since a user's trigger is newer or they are of another version.
    let lacksOnlyTriggers: Bool
  }

  /// The fingerprint of a store that fits; nil if the store may have more models.
  var wholeFingerprint: String? { isWhole ? fingerprint : nil }

  /// Whether the commits of the store wait for the disk.
  var durability: SyncConfiguration.Durability { configuration.durability }

  // MARK: Checking

  /// How a store would be changed, without changing it.
  func preview(_ database: Database) throws -> SyncEvolution {
    do {
      guard let need = try need(database), !need.lacksOnlyTriggers else { return .none }
      let obstacles = try obstacles(need, database)
      guard obstacles.isEmpty else {
        return SyncEvolution(
          changes: need.plan.changes, statements: [], rebuiltTables: [], obstacles: obstacles)
      }
      return try rehearse(need, database)
    } catch let error as StoreMisfit {
      return SyncEvolution(changes: [], statements: [], rebuiltTables: [], obstacles: [error.reason])
    }
  }

  /// Whether a store fits without changes. A reader records no edits, so it needs no triggers.
  ///
  /// - Throws: ``StoreMisfit`` if it cannot be evolved.
  func fits(_ database: Database, forWriting isWriting: Bool = true) throws -> Bool {
    guard let need = try need(database) else { return true }
    if need.lacksOnlyTriggers { return !isWriting }
    // The step may fix obstacles, so they are checked after it has run.
    if configuration.beforeEvolution == nil {
      try refuseObstacles(need, database)
      // Objects that users have added may prevent it in ways that cannot all be checked.
      if need.live.hasMoreThan(need.plan.old.tables) { _ = try rehearse(need, database) }
    }
    return false
  }

  /// - Returns: nil for a store that fits without changes.
  private func need(_ database: Database) throws -> Need? {
    // SQLite orders strings by their bytes, and payloads are compared in the order of UTF-8.
    let encoding = try String.fetchOne(database, sql: "PRAGMA encoding") ?? ""
    guard encoding == "UTF-8" else {
      throw StoreMisfit(
        reason: "the database stores strings in \(encoding): create it with UTF-8, SQLite's default")
    }
    let live = try LiveStore(database)
    for identity in declared.handwritten {
      guard live.table(identity.model) != nil else {
        throw SyncError.containerInitialization(
          reason: "the table “\(identity.model)” is missing; create it before the container opens")
      }
      // This is a mistake of the program, too, so it must not cause a recovery, which would replace the store.
      if let reason = live.collationMisfit(of: identity.property, in: identity.model) {
        throw SyncError.containerInitialization(reason: reason)
      }
    }
    let stored = try StoredSchema(database, live)
    let hasSystemTables = live.table(StoredPendingLinks.table) != nil
    let isSame = stored?.fingerprint == fingerprint
    // Swapped names do not change the fingerprint.
    let isRemembered = isSame && !new.swapsNames
    let isCaptured = try triggers?.areInstalled(database) ?? true
    let hasIndexes = hasEditIndexes(live)
    if isRemembered, isCaptured, hasIndexes, hasSystemTables, stored?.tables == live.fingerprint(of: schema) {
      return nil
    }
    if let stored, !isSame, !isWhole, hasSystemTables, try isPart(of: stored.schema()) {
      if isCaptured { return nil }
      return Need(
        stored: stored, plan: EvolutionPlan(from: new, to: new, .init()), isNew: false, live: live,
        lacksOnlyTriggers: true)
    }
    if let stored, !isSame, stored.history.contains(fingerprint) {
      throw StoreMisfit(
        reason:
          "a later version of this program has evolved the store to a newer schema: use that version")
    }
    let remembered = try isRemembered ? new : stored?.schema().withEditTables
    let former = withoutHandwritten(
      try FormerSchema(
        stored: remembered, new: new, lookups: declared.lookups, live: live, database: database
      ).schema())
    let plan = EvolutionPlan(from: former, to: new, declared)
    let isAlike = plan.difference.changes.isEmpty && former.withoutEditTables.fingerprint == fingerprint
    let isComplete = isSame && isAlike && hasSystemTables && hasIndexes
    if isComplete, isCaptured { return nil }
    return Need(
      stored: stored, plan: plan, isNew: stored == nil && former.models.isEmpty, live: live,
      lacksOnlyTriggers: isComplete)
  }

  /// An earlier schema without the tables whose models are handwritten now: they belong to the user, and are not changed.
  private func withoutHandwritten(_ former: SyncSchemaSnapshot) -> SyncSchemaSnapshot {
    let handwrittenNames = Set(declared.handwritten.map(\.model.lowercasedASCII))
    guard !handwrittenNames.isEmpty else { return former }
    var former = former
    former.models.removeAll { handwrittenNames.contains($0.name.lowercasedASCII) }
    for index in former.models.indices {
      former.models[index].properties.removeAll {
        !$0.isStored && $0.target.map { handwrittenNames.contains($0.lowercasedASCII) } ?? false
      }
    }
    return former
  }

  /// Whether the tables of edits have all their indexes. In stores of earlier versions they lack those of links.
  private func hasEditIndexes(_ live: LiveStore) -> Bool {
    new.models.allSatisfy { model in
      EditTable.model(of: model.name) == nil
        || live.items(of: model.name, "index").count >= model.indexes.count
    }
  }

  /// Whether a store of another schema has the models unchanged.
  private func isPart(of schema: SyncSchemaSnapshot) -> Bool {
    let names = Set(new.models.map(\.name))
    return SyncSchemaSnapshot(models: schema.models.filter { names.contains($0.name) }).fingerprint
      == fingerprint
  }

  private func obstacles(_ need: Need, _ database: Database) throws -> [String] {
    try EvolutionCheck(plan: need.plan, live: need.live, database: database).obstacles()
      + modelsNotGiven(need, database) + lostEdits(need, database)
  }

  /// Models of the store that the container was not given, if it was given models one by one: they may still be in use.
  private func modelsNotGiven(_ need: Need, _ database: Database) throws -> [String] {
    guard !isWhole else { return [] }
    let kept = Set(need.plan.match.models.values)
    let filled = try SchemaEvolution.filledTables(need, database)
    let names = need.plan.old.withoutEditTables.models.map(\.name).filter {
      !kept.contains($0) && filled.contains($0)
    }
    guard !names.isEmpty else { return [] }
    return [
      "the store also has rows of \(names.joined(separator: ", ")), which the container was not given. Open it with the schema or with all models, or delete the rows in `beforeEvolution`"
    ]
  }

  /// - Throws: ``StoreMisfit`` if the store cannot be evolved, so that a recovery replaces it. ``SyncError`` for a mistake of the
  ///   program, after which a recovery must not replace the store.
  private func refuseObstacles(_ need: Need, _ database: Database) throws {
    let obstacles = try obstacles(need, database)
    if try !obstacles.isEmpty && !modelsNotGiven(need, database).isEmpty {
      throw SyncError.containerInitialization(reason: obstacles.joined(separator: "; "))
    }
    try SchemaEvolution.refuse(obstacles)
  }

  private static func refuse(_ obstacles: [String]) throws {
    guard !obstacles.isEmpty else { return }
    throw StoreMisfit(reason: obstacles.joined(separator: "; "))
  }

  /// Evolves an empty copy of the store's tables, to find out what the store needs.
  private func rehearse(_ need: Need, _ database: Database) throws -> SyncEvolution {
    let filled = try SchemaEvolution.filledTables(need, database)
    return try DatabaseQueue().writeWithoutTransaction { copy in
      try copy.execute(sql: "PRAGMA foreign_keys = OFF")
      // Objects that use the users' own functions or modules cannot be created here.
      for type in ["table", "index", "view", "trigger"] {
        for item in need.live.items where item.type == type {
          do {
            try copy.execute(sql: item.sql)
          } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {}
        }
      }
      try StoredPendingLinks.create(copy)
      return try evolve(copy, need, filled: filled)
    }
  }

  /// The tables of the earlier schema that have rows.
  private static func filledTables(_ need: Need, _ database: Database) throws -> Set<String> {
    Set(
      try (need.plan.old.tables + [StoredPendingLinks.table]).filter { table in
        guard need.live.table(table) != nil else { return false }
        return try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM \(table.quotedIdentifier))")
          ?? false
      })
  }

  // MARK: Evolving

  /// Evolves a store.
  ///
  /// - Returns: the changes; nil if the store fitted, or was new.
  /// - Throws: ``StoreMisfit`` if it cannot be evolved; the store is then unchanged.
  func run(_ writer: any DatabaseWriter) throws -> SyncEvolution? {
    let evolution = try writer.barrierWriteWithoutTransaction { try run(on: $0) }
    if evolution != nil, let pool = writer as? DatabasePool { pool.invalidateReadOnlyConnections() }
    return evolution
  }

  /// Evolves a store that no other connection of its pool reads.
  ///
  /// `CREATE INDEX` and pragmas expire the prepared `ROLLBACK`. If there is no memory to prepare it again, the transaction stays
  /// open: see ``SyncStorage/open(_:setUp:)``.
  ///
  /// Foreign keys are off: copying a table would delete the rows that reference it.
  func run(on database: Database) throws -> SyncEvolution? {
    guard !database.isInsideTransaction else {
      throw StoreMisfit(reason: "the store cannot be evolved within a transaction")
    }
    defer { database.clearSchemaCache() }
    return try database.with(.foreignKeys, isOn: false) {
      try database.with(.legacyAlterTable, isOn: false) { try run(database) }
    }
  }

  private func run(_ database: Database) throws -> SyncEvolution? {
    var result: SyncEvolution?
    try database.transaction(.immediate) {
      // Another opening may have evolved the store meanwhile.
      guard var need = try self.need(database) else { return .rollback }
      if need.lacksOnlyTriggers {
        try triggers?.install(database)
        return .commit
      }
      try StoredPendingLinks.create(database)
      if need.isNew {
        _ = try evolve(database, need, filled: [])
      } else {
        let formerSchema = need.plan.old.withoutEditTables
        let formerViolations = try configuration.hasEvolutionSteps ? database.danglingReferences() : [:]
        try dropTriggers(database)
        if let step = configuration.beforeEvolution {
          try SchemaEvolution.run(step, named: "beforeEvolution", database, formerSchema)
          need = try self.need(database) ?? need
        }
        try refuseObstacles(need, database)
        let filled = try SchemaEvolution.filledTables(need, database)
        let evolution = try evolve(database, need, filled: filled)
        try removeBookmarks(need, database)
        // If only the triggers that record edits are recreated, nothing is evolved.
        if evolution != .none || need.stored?.fingerprint != fingerprint { result = evolution }
        if let step = configuration.afterEvolution {
          try SchemaEvolution.run(step, named: "afterEvolution", database, formerSchema)
        }
        if configuration.hasEvolutionSteps,
          let reason = try StoreEvolution.lostLinks(database, since: formerViolations)
        {
          throw SyncError.containerInitialization(
            reason:
              "\(reason): foreign keys are off in `beforeEvolution` and `afterEvolution`, so delete the rows that reference a deleted row, too"
          )
        }
      }
      try triggers?.install(database)
      try StoredSchema.write(
        new.counting(need.plan).withoutEditTables, after: need.stored, to: database)
      return .commit
    }
    return result
  }

  /// Runs a closure of the user, which may change the state of the connection.
  ///
  /// - Throws: the errors of the closure; ``SyncError`` if it has ended the transaction. A recovery replaces the store in neither
  ///   case.
  private static func run(
    _ step: SyncConfiguration.EvolutionStep, named name: String, _ database: Database,
    _ schema: SyncSchemaSnapshot
  ) throws {
    try step(database, schema)
    guard database.isInsideTransaction else {
      throw SyncError.containerInitialization(
        reason: "`\(name)` has ended the transaction that the store is evolved in")
    }
    try database.execute(sql: "PRAGMA legacy_alter_table = OFF")
  }

  /// Evolves a database, and keeps its views and triggers. Those that do not compile are recreated with the same SQL.
  private func evolve(_ database: Database, _ need: Need, filled: Set<String>) throws -> SyncEvolution {
    try dropTriggers(database)
    let tables = Set((need.plan.old.tables + new.tables).map(\.lowercasedASCII))
    let before = try DependentCheck(database, besides: tables)
    let aside = try DependentCheck.dropTemporarily(database)
    let evolution = StoreEvolution(need.plan, database, found: need.live, hasRows: filled.contains)
    try evolution.run()
    for item in aside { try database.execute(sql: item.sql(evolution.names)) }
    try SchemaEvolution.refuse(try DependentCheck(database, besides: tables).broken(since: before))
    return SyncEvolution(
      changes: need.plan.changes, statements: evolution.statements, rebuiltTables: evolution.rebuilt,
      obstacles: [])
  }

  /// Drops the triggers that record edits, since the writes of an evolution are not edits. They are recreated at its end.
  private func dropTriggers(_ database: Database) throws {
    try EditTriggers.drop(database, of: isWhole ? nil : triggers)
  }
}
