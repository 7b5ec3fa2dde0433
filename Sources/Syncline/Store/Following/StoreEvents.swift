import GRDB

/// What commits did to one table, as SQLite reports it row by row.
struct TableEvents: Sendable {
  /// Of more rows than this only that there are many is kept.
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
  /// The numbers of the rows, again for each time that one was written. A write that was undone may be among them.
  private var log: ContiguousArray<Int64> = []
  /// Whether there are more rows than are kept.
  private(set) var isMany = false

  /// The numbers of the rows; empty where there are many.
  var rows: Set<Int64> { Set(log) }

  mutating func record(_ kind: Kinds, row: Int64) {
    kinds.formUnion(kind)
    guard !isMany, log.last != row else { return }
    log.append(row)
    if log.count > 2 * TableEvents.rowLimit { compact() }
  }

  /// Ends the recording of a transaction, whose updates assigned some columns.
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

  /// Keeps each row once.
  private mutating func compact() {
    let rows = Set(log)
    if rows.count > TableEvents.rowLimit {
      isMany = true
      log = []
    } else {
      log = ContiguousArray(rows)
    }
  }

  /// Whether something may be different that a region of the database reads.
  func modifies(_ region: DatabaseRegion, table: String) -> Bool {
    kinds.contains(.inserted) && region.isModified(byEventsOfKind: .insert(tableName: table))
      || kinds.contains(.deleted) && region.isModified(byEventsOfKind: .delete(tableName: table))
      || kinds.contains(.updated)
        && region.isModified(byEventsOfKind: .update(tableName: table, columnNames: columns))
  }
}

/// What commits did to a store, by the names of its tables.
typealias StoreEvents = [String: TableEvents]

extension StoreEvents {
  mutating func merge(_ later: StoreEvents) {
    for (table, events) in later { self[table, default: TableEvents()].merge(events) }
  }
}
