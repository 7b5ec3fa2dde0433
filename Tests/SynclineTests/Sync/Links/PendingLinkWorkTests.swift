import Foundation
import SynclineTesting
import TestSupport
import Testing

@testable import Syncline

/// The work for pending links. It must be proportional to their number, and small for each.
@Suite struct PendingLinkWorkTests {
  private let folder = TemporaryFolder()

  /// Compares syncs with a number of links and with four times as many: for each statement, the additional steps per link.
  private func expectLinear(
    sourceLocation: SourceLocation = #_sourceLocation, _ work: (Int) async throws -> Work
  ) async throws {
    let works = [try await work(100), try await work(200), try await work(800)]
    let (few, many) = (works[1].steps - works[0].steps, works[2].steps - works[1].steps)
    #expect(Double(many) <= 6.6 * Double(few), "\(works)", sourceLocation: sourceLocation)
  }

  @Test func replacingAListOfPendingLinksTakesLinearWork() async throws {
    try await expectLinear { count in
      let store = try makeStore(in: folder)
      let tags = (1...count).map(String.init).joined(separator: ",")
      try await store.sync(item: #"{"id": 1, "title": "t", "tag_ids": [\#(tags)]}"#, as: Task.self)
      #expect(try await store.waitingLinks().count == count)
      let work = try await store.work {
        try await store.sync(item: #"{"id": 1, "tag_ids": [5]}"#, as: Task.self)
      }
      #expect(try await store.waitingLinks().count == 1)
      return work
    }
  }

  /// Many rows have pending links of one relationship, each to a member that can have only one owner.
  @Test func repeatingManyListsOfPendingMembersTakesLinearWork() async throws {
    try await expectLinear { count in
      let store = try makeStore(in: folder)
      let tasks = payload(1...count) { #"{"id": \#($0), "title": "t", "item_ids": ["i\#($0)"]}"# }
      try await store.sync(payload: tasks, as: Task.self)
      #expect(try await store.waitingLinks().count == count)
      return try await store.work { try await store.sync(payload: tasks, as: Task.self) }
    }
  }

  @Test func deletingRowsWithPendingLinksTakesLinearWork() async throws {
    try await expectLinear { count in
      let store = try makeStore(in: folder)
      let tasks = payload(1...count) {
        #"{"id": \#($0), "title": "t", "project_id": \#($0), "tag_ids": [1, 2]}"#
      }
      try await store.sync(payload: tasks, as: Task.self)
      #expect(try await store.waitingLinks().count == 3 * count)
      let work = try await store.work {
        let report = try await store.sync(payload: "[]", as: Task.self)
        #expect(report[Task.self].deleted == count)
      }
      #expect(try await store.waitingLinks().isEmpty)
      return work
    }
  }

  /// The stored pending links are read together with the rows.
  @Test func repeatedPendingLinkRunsNoAdditionalStatement() async throws {
    func runs(_ count: Int) async throws -> Int {
      let store = try makeStore(in: folder)
      let tasks = payload(1...count) {
        #"{"id": \#($0), "title": "t", "project_id": \#($0), "assignee_id": \#($0)}"#
      }
      try await store.sync(payload: tasks, as: Task.self)
      let work = try await store.work {
        let report = try await store.sync(payload: tasks, as: Task.self)
        #expect(report.waitingCount == 2 * count && report[Task.self].unchanged == count)
      }
      #expect(work.changes == 0)
      return work.runs
    }
    let (few, many) = (try await runs(100), try await runs(200))
    #expect(many == few)
  }

  // MARK: In memory

  @Test func pendingDecisionsAreFoundForAllIdentityTypes() throws {
    let catalog = try ModelCatalog(SynclineTestsSchema.models)
    let project = try #require(catalog.end("project", of: "Task"))
    let tags = try #require(catalog.end("tags", of: "Task"))
    let uuid = UUID()
    let owners: [SyncIdentity] = [
      .integer(1), .integer(-1), .integer(.max), .text(""), .text("1"), .uuid(uuid),
    ]
    let targets: [[SyncIdentity]] = [
      [], [.integer(7)], [.text("7")], [.uuid(uuid)], [.integer(1), .text("a")],
    ]
    var decisions = PendingDecisions()
    var expected: [LinkPlace: [SyncIdentity]] = [:]
    #expect(decisions.isEmpty)
    // There are many links, so that the table grows.
    for round in 0..<40 {
      for (index, owner) in owners.enumerated() {
        for end in [project, tags] {
          let parent: SyncIdentity? = round % 3 == 0 ? nil : .integer(Int64(round))
          let place = LinkPlace(end: end, owner: RowKey(identity: owner, parent: parent))
          let waiting = targets[(round + index) % targets.count]
          decisions.decide(
            place, at: decisions.number(of: place), waitsFor: waiting, begin: round,
            isComplete: round % 2 == 0)
          expected[place] = waiting
        }
      }
    }
    #expect(decisions.count == expected.count)
    for (place, waiting) in expected {
      let found = decisions.number(of: place)
      let number = try #require(found)
      #expect(decisions.place(number) == place && decisions.targets(number) == waiting)
      #expect(decisions.hasTargets(number) == !waiting.isEmpty)
      decisions.add([.integer(7), .integer(8), .integer(8)], at: number)
      #expect(
        decisions.targets(number) == waiting + [.integer(7), .integer(8)].filter { !waiting.contains($0) })
      decisions.set([], at: number)
      #expect(decisions.targets(number) == [] && !decisions.hasTargets(number))
      decisions.forget(place)
      let forgotten = decisions.number(of: place)
      #expect(forgotten == nil && decisions.isForgotten(number))
    }
    #expect(decisions.isEmpty)
    let place = LinkPlace(end: tags, owner: RowKey(identity: .integer(1)))
    decisions.decide(place, at: nil, waitsFor: [.integer(3)], begin: 5, isComplete: true)
    let number = decisions.number(of: place)
    #expect(number.map(decisions.targets) == [.integer(3)])
  }

  /// The path of a link is reconstructed when it is reported.
  @Test(arguments: ["", "data", "edges[].node"]) func pendingLinkIsReportedWithThePathOfItsKey(
    at path: String
  ) async throws {
    let store = try makeStore()
    func wrapped(_ rows: [String]) -> String {
      switch path {
      case "": "[\(rows.joined(separator: ", "))]"
      case "data": #"{"data": [\#(rows.joined(separator: ", "))]}"#
      default: #"{"edges": [\#(rows.map { #"{"node": \#($0)}"# }.joined(separator: ", "))]}"#
      }
    }
    let row = { (index: Int) in path.isEmpty ? "[\(index)]" : path.path(ofElement: index) }
    let rows = [
      #"{"id": 1, "title": "a", "project_id": 5}"#,
      #"{"id": 2, "title": "b", "project": {"id": 6, "name": "P"}, "tag_ids": [1, 2]}"#,
    ]
    let report = try await store.sync(
      payload: wrapped(rows), at: path.isEmpty ? nil : path, as: Task.self)
    let paths = report.waiting.map { "\($0.row ?? -1) \($0.path)" }
    #expect(paths.contains("0 \(row(0)).project_id") && paths.contains("1 \(row(1)).tag_ids"))
    let item =
      #"{"id": 1, "name": "P", "tasks": [{"id": 7, "title": "t"}, {"id": 8, "title": "u", "assignee_id": 3}]}"#
    let nested = try await store.sync(item: item, as: Project.self)
    #expect(nested.waiting.map(\.path) == ["tasks[1].assignee_id"])
    #expect(nested.waiting.map(\.row) == [nil])
  }
}
