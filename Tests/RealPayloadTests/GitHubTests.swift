import Foundation
import Syncline
import SynclineTesting
import TestSupport
import Testing

@Suite(.enabled(if: RealData.folder("github") != nil, "the folder github is absent; set SYNCLINE_DATA"))
struct GitHubTests {
  private func deliver(_ name: String, to container: SyncContainer) async throws {
    let payload = try RealData.data("github/issue-\(name).json")
    try await container.sync(item: payload, at: "repository", as: Repository.self)
    try await container.sync(item: payload, at: "issue", as: Issue.self)
  }

  private func issue(_ id: Int, in container: SyncContainer) throws -> SyncJSON? {
    try container.rows(of: Issue.self).first { $0["id"]?.int == id }
  }

  @Test func issueIsStoredWithItsRelationships() async throws {
    let container = try RealPayloadTestsSchema.makeStore()
    try await deliver("opened", to: container)
    let row = try #require(try issue(444_500_041, in: container))
    #expect(row["user"] == 21_031_067)
    #expect(row["labels"] == [1_362_934_389])
    #expect(row["assignees"] == [21_031_067])
    #expect(row["milestone"] == 4_317_517)
    #expect(
      try container.rows(of: Repository.self).map { $0["fullName"] } == ["Codertocat/Hello-World"])
  }

  @Test func labelsAndMilestonesAreUpdatedByEachDelivery() async throws {
    let container = try RealPayloadTestsSchema.makeStore()
    try await deliver("milestoned", to: container)
    #expect(try issue(444_500_167, in: container)?["milestone"] != .null)
    try await deliver("demilestoned", to: container)
    #expect(try issue(444_500_167, in: container)?["milestone"] == .null)
    #expect(try issue(444_500_167, in: container)?["labels"] == [1_362_934_389])
    try await deliver("transferred", to: container)
    #expect(try issue(512_748_900, in: container)?["labels"] == [])
    #expect(try issue(444_500_167, in: container)?["labels"] == [1_362_934_389], "an item deletes nothing")
  }

  @Test(arguments: [
    "assigned", "demilestoned", "edited.with-organization", "labeled", "milestoned", "opened", "reopened",
    "transferred", "unassigned",
  ])
  func repeatedDeliverySyncsWithoutChanges(name: String) async throws {
    let container = try RealPayloadTestsSchema.makeStore()
    try await deliver(name, to: container)
    let payload = try RealData.data("github/issue-\(name).json")
    let report = try await container.sync(item: payload, at: "issue", as: Issue.self)
    #expect(report.isUnchanged)
    #expect(report.problems == [])
  }

  @Test func eventTimelineIsStoredCompletely() async throws {
    let container = try RealPayloadTestsSchema.makeStore()
    let payload = try RealData.data("github/events.json")
    let report = try await container.sync(payload: payload, as: Event.self)
    #expect(report[Event.self].inserted == 30)
    #expect(report[Actor.self].inserted == 29)
    #expect(report[Repo.self].inserted == 29)
    #expect(report[Organization.self].inserted == 6)
    #expect(report.problems == [])
    #expect(try await container.sync(payload: payload, as: Event.self).isUnchanged)
    let events = try #require(try SyncJSON(parsing: payload).array)
    let exported = try await container.export(as: Event.self)
    for event in events {
      let row = try #require(exported.first { $0["id"] == event["id"] })
      #expect(row["payload"] == event["payload"])
    }
  }
}
