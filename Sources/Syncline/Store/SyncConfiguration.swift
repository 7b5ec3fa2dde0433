import GRDB
import Logging
import SynclineNaming
import SynclineSchema

/// The settings of a container: how it reads payloads, writes exports, migrates its store and reports its
/// syncs.
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

  /// The JSON types that a foreign key may have.
  public enum ForeignKeys: String, Sendable, Codable {
    /// Only the identity's own type: a number for an integer identity, a string for a text identity.
    case strict
    /// All types that the identity itself may have: if `"id": "7"` is read as 7, `"user_id": "7"` refers to that row.
    case likeIdentities
  }

  /// Whether a commit waits until it is written to the disk.
  public enum Durability: String, Sendable, Codable {
    /// SQLite's `synchronous = NORMAL`: a commit does not wait. A power loss may undo the last commits, each as a whole.
    case normal
    /// SQLite's `synchronous = FULL`, and `fullfsync` on Apple's platforms: a commit waits until it is written to
    /// the disk.
    case full
  }

  /// A closure that changes a store whose schema has changed. It runs in the transaction that migrates the
  /// store.
  ///
  /// It receives the database and the previous schema of the store. If it throws, opening fails and the store is unchanged.
  /// SQLite does not enforce foreign keys meanwhile: if the closure deletes a row, it must also delete the rows that refer
  /// to it, or opening fails.
  public typealias EvolutionStep = @Sendable (Database, SyncSchemaSnapshot) throws -> Void

  /// The style of JSON keys that no `@RemoteKey` sets. With nil, the default, it is the style of the target that declares the model
  /// of a call: snake case, unless its schema sets another one, as in `schema { keyStyle: pascalCase }`.
  ///
  /// A payload has a single style, which also applies to nested rows of models of other targets.
  public var keyStyle: KeyStyle?
  /// The format of exported dates whose property has no `@DateFormat`. It does not change how dates are read. But a sync keeps a
  /// stored date if an export would write it as the payload's date.
  public var dateFormat: SyncDateFormat
  /// Whether exports write null for properties that are nil, or leave their keys out. A call's `nulls:` overrides it.
  ///
  /// `export(_:changedFrom:)` and the bodies of pending changes always write null for each property that has become nil, because
  /// the server would otherwise keep its value.
  public var exportsNulls = true
  /// What a sync does with a row that it cannot store. By default it throws.
  public var invalidRows: InvalidRows
  /// The JSON types that a foreign key may have. By default it must have the type of the identity: a string never matches an
  /// integer identity, nor a number a string identity.
  public var foreignKeys: ForeignKeys
  /// A closure that runs before a store is migrated, while it still has its old tables.
  ///
  /// If it adds a column with the name of a new property, the property uses that column. So you can fill a new required
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
  /// A closure that runs after a store was migrated, when it has the tables of the new schema.
  public var afterEvolution: EvolutionStep?

  /// A closure that resolves conflicts between local edits and the server's values. It is called if the base, the local and the
  /// remote value of an edited property all differ. Nil, the default, keeps the edit until it is pushed.
  ///
  /// It runs in the transaction of the sync, once for each value, and must not use the container.
  ///
  /// ```swift
  /// configuration.conflict = { $0.property == "votes" ? .remote : .local }
  /// ```
  public var conflict: (@Sendable (SyncConflict) -> SyncConflict.Choice)?

  /// Whether a step may change rows while foreign keys are off.
  var hasEvolutionSteps: Bool { beforeEvolution != nil || afterEvolution != nil }

  /// The logger of the container: it receives a message for each sync at `.info`, its problems at `.notice`, and failures at
  /// `.error`. The recovery or migration of a store is logged at `.warning` when it is opened. With nil, nothing is logged.
  public var logger: Logger?
  /// The size of SQLite's write-ahead log, in bytes, above which a sync logs a warning to ``logger``; nil for no warnings. The
  /// default is 256 MB.
  ///
  /// While a read of the store stays open, the log grows with each write (<doc:Storage>). The warning is repeated each time the
  /// size has doubled, and if the log grows again after a checkpoint. Without a logger, the size is not checked.
  public var logSizeWarning: Int? = 256_000_000
  /// A closure that receives the outcome of each sync call. `SynclineMetrics` provides a closure that records
  /// metrics.
  ///
  /// It runs after the call has left the queue of the store, and before the caller continues, so it may call the container. It
  /// runs on a thread of Swift's concurrency pool, which has few threads, so it must not block: start a task for longer work.
  public var onSync: (@Sendable (SyncOutcome) -> Void)?

  /// Whether a commit to a store in a file waits until it is written to the disk. By default it does not; <doc:Storage> describes
  /// which commits a power loss may undo.
  ///
  /// The setting has no effect on a database of your own (``SyncStorage/database(_:)``).
  public var durability: Durability = .normal

  /// How a property's values are exported.
  func form(_ property: SyncProperty) -> SyncForm {
    SyncForm(dates: dateFormat(of: property), style: style)
  }

  /// The format in which a property's dates are exported. By default, a date in a composite identity keeps all digits, since with
  /// fewer it would identify another row.
  func dateFormat(of property: SyncProperty) -> SyncDateFormat {
    property.format ?? (property.isIdentityPart && dateFormat == .iso8601 ? .exact : dateFormat)
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
  /// The default is a hundred rows in debug builds, and none in release builds.
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

  /// The source of random numbers and of the time for syncs and pushes.
  package var sources = TimeAndRandomness.system

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
