import GRDB
import Logging
import SynclineNaming
import SynclineSchema

/// Sets how a container reads payloads, writes exports, and reports its syncs.
///
/// The key style and the date format apply where the schema names no key and no format. A key style of the configuration
/// overrides the one in `schema { keyStyle: pascalCase }`.
///
/// ```swift
/// let configuration = SyncConfiguration(keyStyle: .camelCase, dateFormat: .unixSeconds, invalidRows: .skip)
/// let container = try SyncContainer(for: AppSchema.self, configuration: configuration)
/// let payload = #"[{"id": 1, "title": "Write", "updatedAt": 1714644072}, {"id": 2}]"#
/// let report = try await container.sync(payload: payload, as: Task.self)
/// print(report.inserted, report.skipped)  // 1 1: the second row has no title
/// ```
///
/// ## Topics
///
/// ### Creating a configuration
///
/// - ``SyncConfiguration/init(keyStyle:dateFormat:invalidRows:foreignKeys:beforeEvolution:afterEvolution:conflict:logger:onSync:)``
///
/// ### Reading payloads
///
/// - ``SyncConfiguration/keyStyle``
/// - ``SyncConfiguration/invalidRows``
/// - ``SyncConfiguration/InvalidRows``
/// - ``SyncConfiguration/foreignKeys``
/// - ``SyncConfiguration/ForeignKeys``
/// - ``SyncConfiguration/unreadKeys``
/// - ``SyncConfiguration/UnreadKeys``
///
/// ### Writing exports
///
/// - ``SyncConfiguration/dateFormat``
/// - ``SyncConfiguration/exportsNulls``
///
/// ### Evolving a store
///
/// - ``SyncConfiguration/beforeEvolution``
/// - ``SyncConfiguration/afterEvolution``
/// - ``SyncConfiguration/EvolutionStep``
///
/// ### Edits made offline
///
/// - ``SyncConfiguration/conflict``
///
/// ### Writing to the disk
///
/// - ``SyncConfiguration/durability``
/// - ``SyncConfiguration/Durability``
///
/// ### Observing syncs
///
/// - ``SyncConfiguration/logger``
/// - ``SyncConfiguration/logSizeWarning``
/// - ``SyncConfiguration/onSync``
public struct SyncConfiguration: Sendable {
  /// What a sync does with a row that it cannot store.
  public enum InvalidRows: String, Sendable, Codable {
    /// The sync throws, and nothing is written.
    case fail
    /// The row and the rows that only it contains are skipped and reported. The sync continues with the other rows. It also skips
    /// stored rows that cannot be read.
    case skip
  }

  /// Which JSON types the key of a related row may have.
  public enum ForeignKeys: String, Sendable, Codable {
    /// Only the identity's own type: a number for an integer identity, a string for a text identity.
    case strict
    /// All types that the identity itself may have: if `"id": "7"` is read as 7, `"user_id": "7"` refers to that row.
    case likeIdentities
  }

  /// Whether a commit waits until the disk has it.
  public enum Durability: String, Sendable, Codable {
    /// SQLite's `synchronous = NORMAL`: a commit does not wait. A power loss may undo the last commits, whole ones only.
    case normal
    /// SQLite's `synchronous = FULL`, and `fullfsync` on Apple's platforms: a commit waits until the disk has it.
    case full
  }

  /// Your own work on a store whose schema has changed. It runs in the transaction that evolves the store.
  ///
  /// It receives the database and the schema that the store has had until now. If it throws, opening fails and the store is
  /// unchanged. Foreign keys are off: if it deletes a row, it must delete the rows that reference it, or opening fails.
  public typealias EvolutionStep = @Sendable (Database, SyncSchemaSnapshot) throws -> Void

  /// The style of the JSON keys for which the schema has no `@RemoteKey`. Nil, the default, uses the style that the schema sets for
  /// the target of the call's model: snake case, unless it has `schema { keyStyle: pascalCase }`.
  ///
  /// A payload has one style: nested rows of models of other targets are read and written in it, too.
  public var keyStyle: KeyStyle?
  /// How dates are exported if the schema states no format.
  public var dateFormat: SyncDateFormat
  /// Whether exports write null for properties that are nil, or leave their keys out. A call's `nulls:` overrides it.
  ///
  /// `export(_:changedFrom:)` and the bodies of pending changes write null for each property that has become nil, whatever is set
  /// here: without it the server would keep its value.
  public var exportsNulls = true
  /// What a sync does with a row that it cannot store.
  public var invalidRows: InvalidRows
  /// Whether string keys of related rows match integer identities and vice versa, as they do in identities.
  public var foreignKeys: ForeignKeys
  /// Runs before a store is evolved, while it still has its old tables.
  ///
  /// If it adds a column with the name of a new property, that column becomes the property's. So you can fill a required
  /// property.
  ///
  /// ```swift
  /// configuration.beforeEvolution = { db, schema in
  ///   guard let person = schema.model("Person"), person.property("firstName") == nil else { return }
  ///   try db.execute(sql: "ALTER TABLE Person ADD COLUMN firstName TEXT")
  ///   try db.execute(sql: "UPDATE Person SET firstName = substr(name, 1, instr(name || ' ', ' ') - 1)")
  /// }
  /// ```
  public var beforeEvolution: EvolutionStep?
  /// Runs after a store was evolved, when it has the tables of the new schema.
  public var afterEvolution: EvolutionStep?

  /// Chooses between a local edit and the server's value, where a sync brings another value than the one that was edited. Nil, the
  /// default, keeps the edit until it is pushed.
  ///
  /// It runs in the transaction of the sync, once for each value, and must not use the container.
  ///
  /// ```swift
  /// configuration.conflict = { $0.property == "votes" ? .remote : .local }
  /// ```
  public var conflict: (@Sendable (SyncConflict) -> SyncConflict.Choice)?

  /// Whether a step may change rows while foreign keys are off.
  var hasEvolutionSteps: Bool { beforeEvolution != nil || afterEvolution != nil }

  /// Receives a line for each sync at `.info`, its problems at `.notice`, and failures at `.error`. The recovery or evolution of
  /// a store is logged at `.warning` when it is opened. Nil turns logging off.
  public var logger: Logger?
  /// The size of SQLite's write-ahead log, in bytes, above which a sync logs a warning to ``logger``. Nil: it never does. The default
  /// is 256 MB.
  ///
  /// The log grows with each write while a read of the store does not end (<doc:Storage>). The warning is repeated when the log has
  /// doubled since, and when it has grown again after a checkpoint. Without a logger, the size is not looked at.
  public var logSizeWarning: Int? = 256_000_000
  /// Receives the outcome of each call that ended; `SynclineMetrics` has a closure that counts them.
  ///
  /// It is called when the call has left the queue of the store, before the caller continues, on one of the threads of Swift's
  /// concurrency pool. So it may call the container. The pool has few threads, and a closure that blocks holds one: start a task
  /// for work that takes long.
  public var onSync: (@Sendable (SyncOutcome) -> Void)?

  /// Whether a commit to a store in a file waits until the disk has it. By default it does not; <doc:Storage> describes what a power
  /// loss may undo.
  ///
  /// In a database of your own, the connection that you opened decides.
  public var durability: Durability = .normal

  /// How a property's values are exported.
  func form(_ property: SyncProperty) -> SyncForm {
    SyncForm(dates: property.format ?? dateFormat, style: style)
  }

  /// The style of the keys, in the configuration of a call.
  var style: KeyStyle { keyStyle ?? .snakeCase }

  /// The configuration of a call that is about a model: with the style of its target, if no other is configured.
  func ofCall(about table: SyncTable?) -> SyncConfiguration {
    guard keyStyle == nil, let table else { return self }
    var configuration = self
    configuration.keyStyle = table.keyStyle
    return configuration
  }

  /// How many rows of each payload are checked for keys that no property reads, and for properties that no row has.
  /// ``SyncReport/unreadKeys`` lists them.
  ///
  /// By default a hundred rows in debug builds, and none in others, where the check costs nothing.
  public var unreadKeys: UnreadKeys = .standard

  /// How many rows are checked for keys that no property reads.
  public enum UnreadKeys: Sendable, Hashable {
    /// No rows.
    case off
    /// The first rows of each payload.
    case first(rows: Int)

    /// A hundred rows in debug builds, none in others.
    public static var standard: UnreadKeys {
      #if DEBUG
        .first(rows: 100)
      #else
        .off
      #endif
    }

    var rowLimit: Int { if case .first(let rows) = self { max(0, rows) } else { 0 } }
  }

  /// How many payload rows are sorted into the order of the stored rows at a time. Their bookkeeping takes up to 64 MB.
  var orderedRows = 1 << 20

  /// Where syncs and pushes take random numbers and the time from.
  package var chance = SyncChance.system

  /// Creates a configuration. The defaults fit most APIs.
  public init(
    keyStyle: KeyStyle? = nil, dateFormat: SyncDateFormat = .iso8601, invalidRows: InvalidRows = .fail,
    foreignKeys: ForeignKeys = .strict, beforeEvolution: EvolutionStep? = nil,
    afterEvolution: EvolutionStep? = nil, conflict: (@Sendable (SyncConflict) -> SyncConflict.Choice)? = nil,
    logger: Logger? = nil, onSync: (@Sendable (SyncOutcome) -> Void)? = nil
  ) {
    self.keyStyle = keyStyle
    self.dateFormat = dateFormat
    self.invalidRows = invalidRows
    self.foreignKeys = foreignKeys
    self.beforeEvolution = beforeEvolution
    self.afterEvolution = afterEvolution
    self.conflict = conflict
    self.logger = logger
    self.onSync = onSync
  }
}
