import GRDB
import Logging
import SynclineNaming
import SynclineSchema

/// How a container reads payloads and writes exports.
public struct SyncConfiguration: Sendable {
  /// What happens to a sync when a row of its payload cannot be kept.
  public enum InvalidRows: String, Sendable, Codable {
    /// The sync throws, and nothing is written.
    case fail
    /// The row is skipped and reported, and so are rows that only it contains. The others go on.
    /// A stored row that cannot be read is skipped, too.
    case skip
  }

  /// Which JSON values are keys of related rows.
  public enum ForeignKeys: String, Sendable, Codable {
    /// Those of the identity's own JSON type: a number names an integer identity, text a text identity.
    case strict
    /// All that are read as the identity where the row itself has them: `"user_id": "7"` names 7 where `"id": "7"` is 7.
    case likeIdentities
  }

  /// Work of the user's own on a store whose schema has changed, in the transaction that evolves it.
  ///
  /// It is given the database and the schema that the store has had until now. What it throws ends the opening, and the store
  /// is as it was. Foreign keys are off: what points at a row that it deletes has to be deleted with it, else the store is refused.
  public typealias EvolutionStep = @Sendable (Database, SyncSchemaSnapshot) throws -> Void

  /// How JSON keys are spelled where a schema names none.
  public var keyStyle: KeyStyle
  /// How dates are exported where a schema names no format.
  public var dateFormat: SyncDateFormat
  /// What happens to a sync when a row of its payload cannot be kept.
  public var invalidRows: InvalidRows
  /// Whether text and numbers count as each other in keys of related rows, as they do in identities.
  public var foreignKeys: ForeignKeys
  /// Runs before a store is evolved, while its tables are as they were.
  ///
  /// A column that it adds under the name of a new property becomes that property's: so a required one can be filled.
  ///
  /// ```swift
  /// configuration.beforeEvolution = { db, schema in
  ///   guard schema.model("Person")?.property("firstName") == nil else { return }
  ///   try db.execute(sql: "ALTER TABLE Person ADD COLUMN firstName TEXT")
  ///   try db.execute(sql: "UPDATE Person SET firstName = substr(name, 1, instr(name || ' ', ' ') - 1)")
  /// }
  /// ```
  public var beforeEvolution: EvolutionStep?
  /// Runs after a store was evolved, when its tables are those of the new schema.
  public var afterEvolution: EvolutionStep?

  /// Whether a step may change rows while foreign keys are off.
  var hasEvolutionSteps: Bool { beforeEvolution != nil || afterEvolution != nil }

  /// Where syncs are logged: a line each at `.info`, its problems at `.notice`, failures at `.error`, and what became of a store as it
  /// was opened at `.warning`. Nil for nowhere.
  public var logger: Logger?
  /// Receives each call that ended; `SynclineMetrics` has one that counts them.
  ///
  /// It is called when the call has left the queue of the store, before the caller goes on, on one of the
  /// threads of Swift's concurrency. So it may call the container; but these threads are few, and a closure that blocks holds
  /// one: start a task for what takes long.
  public var onSync: (@Sendable (SyncOutcome) -> Void)?

  /// How values of a property are exported.
  func form(_ property: SyncProperty) -> SyncForm {
    SyncForm(dates: property.format ?? dateFormat, style: keyStyle)
  }

  /// How many rows of each payload are looked at for keys that no property reads, and properties that no row carries: what is
  /// found is in ``SyncReport/unreadKeys``.
  ///
  /// By default it is a hundred in debug builds, and none in others, where nothing is spent on it.
  public var unreadKeys: UnreadKeys = .standard

  /// How many rows are looked at for keys that no property reads.
  public enum UnreadKeys: Sendable, Hashable {
    /// None.
    case off
    /// The first of each payload.
    case first(rows: Int)

    /// A hundred in debug builds, none in others.
    public static var standard: UnreadKeys {
      #if DEBUG
        .first(rows: 100)
      #else
        .off
      #endif
    }

    var rowLimit: Int { if case .first(let rows) = self { max(0, rows) } else { 0 } }
  }

  /// How many rows of a payload are read in the order of the stored ones at a time: what is remembered of so
  /// many takes up to 64 MB.
  var orderedRows = 1 << 20

  /// A configuration; what is not named is as APIs mostly have it.
  public init(
    keyStyle: KeyStyle = .snakeCase, dateFormat: SyncDateFormat = .iso8601, invalidRows: InvalidRows = .fail,
    foreignKeys: ForeignKeys = .strict, beforeEvolution: EvolutionStep? = nil,
    afterEvolution: EvolutionStep? = nil, logger: Logger? = nil,
    onSync: (@Sendable (SyncOutcome) -> Void)? = nil
  ) {
    self.keyStyle = keyStyle
    self.dateFormat = dateFormat
    self.invalidRows = invalidRows
    self.foreignKeys = foreignKeys
    self.beforeEvolution = beforeEvolution
    self.afterEvolution = afterEvolution
    self.logger = logger
    self.onSync = onSync
  }
}
