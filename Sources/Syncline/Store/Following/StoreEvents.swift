import GRDB

/// The changes of commits to one table, as SQLite reports them row by row.
struct TableEvents: Sendable {
  /// If more rows changed, their numbers are not kept.
  static let rowLimit = 100_000

  struct Kinds: OptionSet, Sendable {
    let rawValue: UInt8
    static let inserted = Kinds(rawValue: 1)
    static let updated = Kinds(rawValue: 2)
    static let deleted = Kinds(rawValue: 4)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(_ kind: DatabaseEvent.Kind) {
      switch kind {
      case .insert: self = .inserted
      case .update: self = .updated
      case .delete: self = .deleted
      }
    }
  }

  private(set) var kinds: Kinds = []
  /// The columns that updates assigned.
  private(set) var columns: Set<String> = []
  /// The row numbers, repeated for each write of a row. They may include writes that were undone.
  private var log: ContiguousArray<Int64> = []
  /// Whether there are more rows than the limit.
  private(set) var isMany = false

  /// The numbers of the rows; empty if there are more than the limit.
  var rows: Set<Int64> { Set(log) }

  mutating func record(_ kind: Kinds, row: Int64) {
    kinds.formUnion(kind)
    guard !isMany, log.last != row else { return }
    log.append(row)
    if log.count > 2 * TableEvents.rowLimit { compact() }
  }

  /// Ends the recording of a transaction, with the columns that its updates assigned.
  mutating func finish(assigned names: Set<String>) {
    if kinds.contains(.updated) { columns.formUnion(names) }
    if log.count > TableEvents.rowLimit { compact() }
  }

  mutating func merge(_ later: TableEvents) {
    kinds.formUnion(later.kinds)
    columns.formUnion(later.columns)
    isMany = isMany || later.isMany
    guard !isMany else { return log = [] }
    log += later.log
    if log.count > 2 * TableEvents.rowLimit { compact() }
  }

  /// Removes duplicate rows.
  private mutating func compact() {
    let rows = Set(log)
    if rows.count > TableEvents.rowLimit {
      isMany = true
      log = []
    } else {
      log = ContiguousArray(rows)
    }
  }

  /// Whether row numbers may have changed: SQLite reports only the new ones.
  ///
  /// - Parameter column: the column that holds the row numbers; nil if none does.
  func changesNumbers(in column: String?) -> Bool {
    column.map { kinds.contains(.updated) && columns.contains($0) } ?? false
  }

  /// Whether the events may have changed a region of the database.
  func modifies(_ region: DatabaseRegion, table: String) -> Bool {
    kinds.contains(.inserted) && region.isModified(byEventsOfKind: .insert(tableName: table))
      || kinds.contains(.deleted) && region.isModified(byEventsOfKind: .delete(tableName: table))
      || kinds.contains(.updated)
        && region.isModified(byEventsOfKind: .update(tableName: table, columnNames: columns))
  }
}

/// The changes of commits to a store, by table name.
typealias StoreEvents = [String: TableEvents]

extension StoreEvents {
  mutating func merge(_ later: StoreEvents) {
    for (table, events) in later { self[table, default: TableEvents()].merge(events) }
  }
}
