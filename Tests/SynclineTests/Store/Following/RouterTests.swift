import GRDB
import Testing

@testable import Syncline

/// Tests which followers are selected for a change.
struct RouterTests {
  private final class List: Follower {
    let route: Route?
    private(set) var updates = 0

    init(_ value: Int) {
      let column = Route.Column(table: "Task", rowNumberColumn: "rowid", numbers: "id", name: "project")
      route = Route(column: column, value: value.databaseValue)
    }

    func load(_ pass: ReadPass) throws {}
    func update(_ events: StoreEvents, rows: Set<Int64>?, _ pass: ReadPass) throws { updates += 1 }
    func fail(_ error: any Error) {}
  }

  @Test func removedFollowersCauseNoReads() throws {
    let queue = try DatabaseQueue()
    let connection = ReadConnection(queue)
    try queue.write { database in
      try database.execute(
        sql: "CREATE TABLE Task (id INTEGER PRIMARY KEY, project); INSERT INTO Task VALUES (1, 7)")
      nonisolated(unsafe) var statements = 0
      database.trace { _ in statements += 1 }
      var events = TableEvents()
      events.record(.updated, row: 1)
      let (pass, router, list) = (ReadPass(database, connection), Router(), List(7))
      router.add(list, 1) {}
      router.update(["Task": events], pass)
      #expect(list.updates == 1 && statements == 1)
      router.remove(1)
      router.update(["Task": events], pass)
      #expect(list.updates == 1 && statements == 1)
    }
  }
}
