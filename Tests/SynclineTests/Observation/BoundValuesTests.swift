import Foundation
import GRDB
import GRDBSQLite
import SynclineTesting
import TestSupport
import Testing

@testable import Syncline

/// Observed queries with many bound values, such as lists of identities.
@Suite struct BoundValuesTests {
  /// A store of tags. SQLite accepts 32,766 values in a statement by default.
  private func filled(_ count: Int) async throws -> SyncContainer {
    let store = try makeStore()
    try await store.sync(payload: PagedServer.payload(0..<count), as: Tag.self)
    try await store.database.write {
      _ = sqlite3_limit($0.sqliteConnection, SQLITE_LIMIT_VARIABLE_NUMBER, 32_766)
    }
    return store
  }

  @Test(arguments: [2_000, 2_001, 32_764, 32_765, 32_766])
  func observedFilterMayUseTheMaximumBoundValues(count: Int) async throws {
    let store = try await filled(5)
    let ids = [-1, 1, 3] + (0..<count - 3).map { $0 + 1_000_000 }
    let filter = ids.contains(Tag.Columns.id)
    #expect(try await store.database.read { try Tag.filter(filter).fetchCount($0) } == 2)
    var values = store.values(of: Tag.self, where: filter, limit: 10).makeAsyncIterator()
    #expect(try await values.next()?.map(\.id) == [1, 3])
    try await store.database.write { try $0.execute(sql: "UPDATE Tag SET id = -1 WHERE id = 2") }
    #expect(try await values.next()?.map(\.id) == [-1, 1, 3])
    try await store.sync(item: #"{"id": 3, "name": "changed"}"#, as: Tag.self)
    #expect(try await values.next()?.map(\.name).last == "changed")
    try await store.database.write { _ = try Tag.deleteOne($0, key: 1) }
    #expect(try await values.next()?.map(\.id) == [-1, 3])
  }

  /// The statements of an observed list have other parameters in front.
  @Test(arguments: [
    "name = :n OR id = :n", "name = :n$1 OR id = :n$1", "name = ?1 OR id = ?1",
    "name = ?2 AND name = ?2 AND id > ?1",
  ])
  func observedFilterMayRepeatParameters(sql: String) async throws {
    let store = try await filled(0)
    let name = sql.contains("$") ? "n$1" : "n"
    let arguments: StatementArguments =
      sql.contains(":n") ? [name: "a"] : sql.contains("?2") ? [0, "a"] : ["a"]
    let filter = SQL(sql: "(\(sql))", arguments: arguments).sqlExpression && Tag.Columns.id != 5
    var values = store.values(of: Tag.self, where: filter).makeAsyncIterator()
    #expect(try await values.next()?.count == 0)
    try await store.sync(payload: #"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]"#, as: Tag.self)
    #expect(try await values.next()?.map(\.id) == [1])
    try await store.sync(item: #"{"id": 3, "name": "a"}"#, as: Tag.self)
    #expect(try await values.next()?.map(\.id) == [1, 3])
  }

  /// `IN` reads another table.
  @Test func observedFilterMayNameATable() async throws {
    let store = try await filled(3)
    try await store.database.write { try $0.execute(sql: "CREATE TABLE favourites (id)") }
    var values = store.values(of: Tag.self, where: SQL("id IN favourites").sqlExpression).makeAsyncIterator()
    #expect(try await values.next()?.count == 0)
    try await store.database.write { try $0.execute(sql: "INSERT INTO favourites VALUES (1)") }
    #expect(try await values.next()?.map(\.id) == [1])
  }

  @Test func tooManyBoundValuesThrow() async throws {
    let store = try await filled(1)
    let filter = Array(0..<32_767).contains(Tag.Columns.id)
    var values = store.values(of: Tag.self, where: filter).makeAsyncIterator()
    await #expect(throws: DatabaseError.self) { try await values.next() }
  }

  @MainActor @Test func publisherAcceptsManyBoundValues() async throws {
    let store = try await filled(3_000)
    let publisher = SyncQueryPublisher(
      Tag.self, in: store, where: Array(0..<3_000).contains(Tag.Columns.id), readsImmediately: true)
    #expect(publisher.rows.count == 3_000)
    #expect(publisher.error == nil)
  }

  /// Values in the order and values of a relationship are separate from those of the filter.
  @Test func boundValuesOfFilterAndOrderAreNotMixedUp() async throws {
    let store = try makeStore()
    try await store.sync(
      payload:
        #"[{"id": 1, "title": "a", "tags": [{"id": 7, "name": "t"}]}, {"id": 2, "title": "b", "tag_ids": [7]}]"#,
      as: Task.self)
    let ids = Array(1...2_500)
    var values = store.values(
      of: Task.self, where: ids.contains(Task.Columns.id) && SQL("title <> \("x")").sqlExpression,
      orderBy: [SQL("id = \(2) DESC").sqlExpression], relationship: \.tags, relationshipID: 7
    ).makeAsyncIterator()
    #expect(try await values.next()?.map(\.id) == [2, 1])
    try await store.sync(item: #"{"id": 2, "title": "x"}"#, as: Task.self)
    #expect(try await values.next()?.map(\.id) == [1])
  }

  /// Ten times as many values and changes take about ten times as much work.
  @Test func refreshCostIsLinearInTheNumberOfBoundValues() async throws {
    var steps: [Int] = []
    for count in [1_000, 10_000] {
      let store = try await filled(count)
      var values = store.values(
        of: Tag.self, where: Array(0..<count).contains(Tag.Columns.id)
      ).makeAsyncIterator()
      #expect(try await values.next()?.count == count)
      let counter = StepCounter()
      try await store.database.write { database in
        counter.start(database)
        try database.execute(sql: "UPDATE Tag SET name = 'changed'")
      }
      #expect(try await values.next()?.allSatisfy { $0.name == "changed" } == true)
      try await store.database.write { counter.stop($0) }
      steps.append(counter.steps)
    }
    #expect(steps[0] > 1_000 * 10)
    #expect(steps[1] <= steps[0] * 12, "\(steps)")
  }
}
