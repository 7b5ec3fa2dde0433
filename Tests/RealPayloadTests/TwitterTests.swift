import Foundation
import Syncline
import SynclineTesting
import TestSupport
import Testing

@Suite(.enabled(if: RealData.folder("twitter") != nil, "the folder twitter is absent; set SYNCLINE_DATA"))
struct TwitterTests {
  private func synced() async throws -> (SyncContainer, Data, SyncReport) {
    let container = try RealPayloadTestsSchema.makeStore()
    let payload = try RealData.data("twitter/search.json")
    return (container, payload, try await container.sync(payload: payload, at: "statuses", as: Status.self))
  }

  @Test func everyStatusUserAndHashtagIsStoredOnce() async throws {
    let (container, _, report) = try await synced()
    #expect(report[Status.self].inserted == 115)
    #expect(report[User.self].inserted == 115)
    #expect(report[Hashtag.self].inserted == 7)
    #expect(report.problems == [])
    let counts = try await container.database.read { db in
      (
        try Status.fetchCount(db), try User.fetchCount(db), try Hashtag.fetchCount(db),
        try Int.fetchOne(db, sql: "SELECT count(*) FROM \"Status.hashtags\""),
        try Status.filter(Status.Columns.retweetedStatus != nil).fetchCount(db)
      )
    }
    #expect(counts == (115, 115, 7, 10, 73))
  }

  @Test func aSecondSyncWritesNothing() async throws {
    let (container, payload, _) = try await synced()
    let before = try await container.database.read { db in db.totalChangesCount }
    let report = try await container.sync(payload: payload, at: "statuses", as: Status.self)
    let after = try await container.database.read { db in db.totalChangesCount }
    #expect(report.isUnchanged)
    #expect(report[Status.self].unchanged == 115)
    #expect(before == after)
  }

  @Test func textAndIdentitiesAreExportedExactly() async throws {
    let (container, payload, _) = try await synced()
    let statuses = try #require(try SyncJSON(parsing: payload)["statuses"]?.array)
    for status in statuses {
      let id = try #require(status["id"]?.int)
      let row = try #require(try await container.database.read { db in try Status.fetchOne(db, key: id) })
      let export = try await container.export(row)
      #expect(export["id"]?.int == id)
      #expect(export["text"]?.string.map { Array($0.utf8) } == status["text"]?.string.map { Array($0.utf8) })
      #expect(export["user"]?["id"] == status["user"]?["id"])
      #expect(export["created_at"] == status["created_at"])
      #expect(export["metadata"]?["result_type"] == status["metadata"]?["result_type"])
    }
  }

  @Test func anExportedBodySyncedBackChangesNothing() async throws {
    let (container, _, _) = try await synced()
    let report = try await container.sync(
      payload: try await container.exportData(as: Status.self), as: Status.self)
    #expect(report.isUnchanged)
    #expect(report.problems == [])
  }
}
