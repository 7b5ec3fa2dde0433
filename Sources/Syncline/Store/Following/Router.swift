import GRDB

/// Selects the followers that a change concerns, so that the others do no work.
final class Router {
  typealias ID = Int

  private var followers: [ID: any Follower] = [:]
  /// The followers that check all changes themselves.
  private var unrouted: Set<ID> = []
  /// The followers that failed; they load again at the next change.
  private var failed: Set<ID> = []
  /// The routed lists, by the column value that all their rows share.
  private var lists: [String: [Route.Column: [DatabaseValue: Set<ID>]]] = [:]
  /// The routed lists that hold a row, to find the lists that the row leaves.
  private var holders: [String: [Int64: Set<ID>]] = [:]
  private var held: [ID: Set<Int64>] = [:]
  private var routes: [ID: Route] = [:]

  var isEmpty: Bool { followers.isEmpty }

  // MARK: Coming and going

  /// Loads a follower for the first time, and registers it.
  func add(_ follower: any Follower, _ id: ID, _ load: () throws -> Void) {
    followers[id] = follower
    unrouted.insert(id)
    run(id, follower, load)
  }

  func remove(_ id: ID) {
    guard followers.removeValue(forKey: id) != nil else { return }
    failed.remove(id)
    unroute(id)
    unrouted.remove(id)
  }

  /// Registers the route that a follower has since it was read.
  private func route(_ id: ID, _ route: Route?) {
    guard routes[id] != route else { return }
    unroute(id)
    guard let route else { return }
    routes[id] = route
    unrouted.remove(id)
    lists[route.column.table, default: [:]][route.column, default: [:]][route.value, default: []].insert(id)
  }

  private func unroute(_ id: ID) {
    unrouted.insert(id)
    guard let route = routes.removeValue(forKey: id) else { return }
    let table = route.column.table
    lists[table]?[route.column]?[route.value]?.remove(id)
    // A column without lists would still be read for each changed row.
    if lists[table]?[route.column]?[route.value]?.isEmpty == true {
      lists[table]?[route.column]?[route.value] = nil
    }
    if lists[table]?[route.column]?.isEmpty == true { lists[table]?[route.column] = nil }
    releaseAll(of: table, by: id)
  }

  // MARK: Changes

  func reload(_ pass: ReadPass) {
    for (id, follower) in followers { run(id, follower) { try follower.load(pass) } }
  }

  /// Reports an error to all followers: the store could not be read.
  func fail(_ error: any Error) {
    for (id, follower) in followers {
      failed.insert(id)
      follower.fail(error)
    }
  }

  func update(_ events: StoreEvents, _ pass: ReadPass) {
    let failed = failed
    for id in unrouted { update(id, for: events, rows: nil, pass) }
    let affected = affected(by: events, pass)
    for (id, rows) in affected { update(id, for: events, rows: rows, pass) }
    // A routed list that could not be read holds no rows that would wake it.
    for id in failed where routes[id] != nil && affected[id] == nil {
      update(id, for: events, rows: nil, pass)
    }
  }

  /// Lets a follower read what the changes affect, or everything if its last read failed.
  private func update(_ id: ID, for events: StoreEvents, rows: Set<Int64>?, _ pass: ReadPass) {
    guard let follower = followers[id] else { return }
    let hasFailed = failed.contains(id)
    run(id, follower) {
      if hasFailed { try follower.load(pass) } else { try follower.update(events, rows: rows, pass) }
    }
  }

  private func run(_ id: ID, _ follower: any Follower, _ body: () throws -> Void) {
    do {
      try body()
      failed.remove(id)
    } catch {
      failed.insert(id)
      follower.fail(error)
    }
    route(id, follower.route)
    guard let table = routes[id]?.column.table else { return }
    let moves = follower.takeMoves()
    if moves.isAnew { releaseAll(of: table, by: id) }
    for row in moves.left {
      held[id]?.remove(row)
      release(row, of: table, by: id)
    }
    for row in moves.arrived {
      held[id, default: []].insert(row)
      holders[table, default: [:]][row, default: []].insert(id)
    }
  }

  private func releaseAll(of table: String, by id: ID) {
    for row in held.removeValue(forKey: id) ?? [] { release(row, of: table, by: id) }
  }

  private func release(_ row: Int64, of table: String, by id: ID) {
    holders[table]?[row]?.remove(id)
    if holders[table]?[row]?.isEmpty == true { holders[table]?[row] = nil }
  }

  /// The routed lists that changes concern, each with the rows that concern it; nil for all rows.
  private func affected(by events: StoreEvents, _ pass: ReadPass) -> [ID: Set<Int64>?] {
    var affected: [ID: Set<Int64>?] = [:]
    for (table, columns) in lists {
      guard let events = events[table] else { continue }
      if events.isMany || columns.keys.contains(where: { events.changesNumbers(in: $0.numbers) }) {
        for id in columns.values.joined().flatMap(\.value) { affected[id] = .some(nil) }
        continue
      }
      let rows = events.rows
      for row in rows {
        for id in holders[table]?[row] ?? [] { affected[id, default: []]?.insert(row) }
      }
      guard !events.kinds.isDisjoint(with: [.inserted, .updated]) else { continue }
      for (column, lists) in columns {
        wake(lists, of: column, rows: rows, pass) { id, row in affected[id, default: []]?.insert(row) }
      }
    }
    return affected
  }

  /// Wakes the lists whose value the rows have now.
  private func wake(
    _ lists: [DatabaseValue: Set<ID>], of column: Route.Column, rows: Set<Int64>, _ pass: ReadPass,
    _ body: (ID, Int64) -> Void
  ) {
    do {
      let statement = try ReadStatement(
        pass.database,
        "SELECT \(column.name.quotedIdentifier) FROM \(column.table.quotedIdentifier)"
          + " WHERE \(column.rowNumberColumn) = ?")
      defer { statement.reset() }
      for row in rows {
        statement.restart().bind(row, at: 1)
        guard try statement.step() else { continue }
        for id in lists[statement.column(0).databaseValue] ?? [] { body(id, row) }
      }
    } catch {
      for id in lists.values.joined() {
        failed.insert(id)
        followers[id]?.fail(error)
      }
    }
  }
}
