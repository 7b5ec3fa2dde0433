import GRDB

/// Collects the changes of each transaction. It does not check whether anyone follows: that would cost time for each row.
///
/// GRDB calls it on the writer's queue only.
final class StoreObserver: TransactionObserver {
  /// A transaction may outlive the hub.
  private weak var hub: ChangeHub?
  private var events: StoreEvents = [:]
  /// The table of the last event. Its events are kept separate until another table's come: rows are written table by table.
  private var current: (name: String, events: TableEvents)?
  /// The columns that the transaction's updates assign. Savepoints delay events until later statements have run.
  private var assigned: [String: Set<String>] = [:]
  private var lastAssignment: (table: String, columns: Set<String>)?

  init(_ hub: ChangeHub) {
    self.hub = hub
  }

  /// GRDB calls this for each statement before it runs. The events do not have the statement's columns.
  func observes(eventsOfKind kind: DatabaseEventKind) -> Bool {
    if case .update(let table, let columns) = kind {
      if let last = lastAssignment, last.table == table, last.columns == columns { return true }
      lastAssignment = (table, columns)
      assigned[table, default: []].formUnion(columns)
    }
    // If this returned false, SQLite would delete all rows of a table without events.
    return true
  }

  func databaseDidChange(with event: DatabaseEvent) {
    guard event.databaseName == "main" else { return }
    let table = event.tableName
    if current?.name != table {
      keepCurrent()
      current = (table, events.removeValue(forKey: table) ?? TableEvents())
    }
    current?.events.record(.init(event.kind), row: event.rowID)
  }

  private func keepCurrent() {
    if let current { events[current.name] = current.events }
    current = nil
  }

  func databaseWillCommit() throws {
    keepCurrent()
    for table in events.keys { events[table]?.finish(assigned: assigned[table] ?? []) }
    hub?.willCommit(events)
  }

  func databaseDidCommit(_ database: Database) {
    let committed = events
    reset()
    hub?.didCommit(committed, database)
  }

  func databaseDidRollback(_ database: Database) {
    reset()
    hub?.didRollBack()
  }

  private func reset() {
    events = [:]
    current = nil
    assigned = [:]
    lastAssignment = nil
  }
}
