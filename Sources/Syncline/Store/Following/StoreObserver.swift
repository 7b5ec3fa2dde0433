import GRDB

/// Collects what each transaction does. It never asks who wants to know: that would be paid for each row.
///
/// GRDB calls it on the queue of the writer alone.
final class StoreObserver: TransactionObserver {
  /// A transaction may outlive the hub.
  private weak var hub: ChangeHub?
  private var events: StoreEvents = [:]
  /// The table of the last event, whose events are kept apart until another table's come: rows are written table by
  /// table.
  private var current: (name: String, events: TableEvents)?
  /// The columns that the transaction's updates assign. Savepoints hold events back until later statements have run.
  private var assigned: [String: Set<String>] = [:]
  private var lastAssignment: (table: String, columns: Set<String>)?

  init(_ hub: ChangeHub) {
    self.hub = hub
  }

  /// GRDB asks for each statement that is about to run. Only the statement knows its columns.
  func observes(eventsOfKind kind: DatabaseEventKind) -> Bool {
    if case .update(let table, let columns) = kind {
      if let last = lastAssignment, last.table == table, last.columns == columns { return true }
      lastAssignment = (table, columns)
      assigned[table, default: []].formUnion(columns)
    }
    // A statement that deletes all rows of a table would be carried out without events if this were false.
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
