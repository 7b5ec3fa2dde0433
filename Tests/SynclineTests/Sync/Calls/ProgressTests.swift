import Foundation
import SynclineTesting
import TestSupport
import Testing

@testable import Syncline

/// The progress of a sync.
@Suite struct ProgressTests {
  /// The events that a handler received.
  private final class Told: @unchecked Sendable {
    private let lock = NSLock()
    private var all: [SyncProgress] = []

    var events: [SyncProgress] { lock.withLock { all } }

    func add(_ progress: SyncProgress) { lock.withLock { all.append(progress) } }
  }

  private func payload(_ count: Int) throws -> Data {
    try SyncJSON.rows(count) { ["id": .number($0), "name": "n"] }.data()
  }

  private func check(_ events: [SyncProgress], total: Int) {
    for (earlier, later) in zip(events, events.dropFirst()) {
      #expect(earlier.bytes <= later.bytes)
      #expect(earlier.rows <= later.rows)
      #expect(earlier.phase <= later.phase)
    }
    #expect(
      events.allSatisfy { $0.bytes <= total && $0.totalBytes == total && (0...1).contains($0.fraction) })
  }

  @Test func rowsOfAllCasesOfAUnionAreCounted() async throws {
    let tales = (1...3).map { #"{"type": "tale", "id": \#($0), "title": "t"}"# }
    let pictures = (1...2).map { #"{"type": "image", "id": "\#($0)", "url": "u"}"# }
    let told = Told()
    try await makeStore().sync(
      payload: "[\((tales + pictures).joined(separator: ","))]", as: StreamItem.self
    ) { told.add($0) }
    #expect(told.events.last?.rows == 5)
  }

  @Test(.enabled(if: TestKind.thorough.runs)) func progressNeverDecreasesAndFinishesExactlyOnce() async throws
  {
    let container = try makeStore()
    let data = try payload(50_000)
    let told = Told()
    let report = try await container.sync(payload: data, as: Tag.self) { told.add($0) }
    #expect(report.inserted == 50_000)
    let events = told.events
    check(events, total: data.count)
    #expect(events.count { $0.phase == .finished } == 1)
    #expect(
      events.last == SyncProgress(phase: .finished, bytes: data.count, totalBytes: data.count, rows: 50_000))
    #expect(events.first?.phase == .reading)
    // At most sixty events per second of the sync's duration, in addition to the first and the last ones.
    #expect(Double(events.count) <= report.duration * 60 + 3)
  }

  @Test func smallSyncReportsProgressWhenFinished() async throws {
    let container = try makeStore()
    let told = Told()
    let data = Data(#"{"id": 1, "name": "a"}"#.utf8)
    try await container.sync(item: data, as: Tag.self, progress: { told.add($0) })
    #expect(
      told.events.last == SyncProgress(phase: .finished, bytes: data.count, totalBytes: data.count, rows: 1))
    check(told.events, total: data.count)
  }

  @Test func progressCountsRowsOfAllListsOfABody() async throws {
    let container = try makeStore()
    let told = Told()
    let data = Data(
      #"{"tags": [{"id": 1, "name": "a"}, {"id": 2, "name": "b"}], "projects": [{"id": 1, "name": "P"}]}"#
        .utf8)
    try await container.sync(payload: data) {
      $0.list("tags", as: Tag.self)
      $0.list("projects", as: Project.self)
    } progress: {
      told.add($0)
    }
    #expect(
      told.events.last == SyncProgress(phase: .finished, bytes: data.count, totalBytes: data.count, rows: 3))
    check(told.events, total: data.count)
  }

  @Test func parentScopedSyncReportsProgress() async throws {
    let container = try makeStore()
    try await container.sync(item: #"{"id": 1, "name": "p"}"#, as: Project.self)
    let told = Told()
    try await container.sync(
      payload: #"[{"id": 1, "title": "a"}]"#, as: Task.self, parent: 1, relationship: \.project,
      deletionPolicy: .none,
      progress: { told.add($0) })
    #expect(told.events.last?.phase == .finished)
  }

  @Test func failedSyncReportsNoFinishedPhase() async throws {
    let container = try makeStore()
    let told = Told()
    await #expect(throws: SyncError.self) {
      try await container.sync(payload: #"[{"id": 1, "name": "a"}, 7]"#, as: Tag.self) { told.add($0) }
    }
    #expect(!told.events.contains { $0.phase == .finished })
  }

  @Test func cancelledSyncReportsNoFinishedPhase() async throws {
    let container = try makeStore()
    let told = Told()
    let data = try payload(20_000)
    let isCancelled = DispatchSemaphore(value: 0)
    let task = _Concurrency.Task {
      try await container.sync(payload: data, as: Tag.self) { progress in
        // The sync waits until its handler returns.
        if told.events.isEmpty {
          told.add(progress)
          isCancelled.wait()
        }
        told.add(progress)
      }
    }
    while told.events.isEmpty { await _Concurrency.Task.yield() }
    task.cancel()
    isCancelled.signal()
    await #expect(throws: SyncError.cancelled) { try await task.value }
    #expect(!told.events.contains { $0.phase == .finished })
    #expect(try container.rows(of: Tag.self) == [])
  }

  /// Two lists that contain the same task make the sync restart.
  @Test func progressDoesNotDecreaseWhenPayloadIsReadAgain() async throws {
    let container = try makeStore()
    let projects = SyncJSON.rows(5_000) { number in
      ["id": .number(number), "name": "p", "task_ids": [.number(number % 7 + 1)]]
    }
    try await container.sync(payload: SyncJSON.rows(10) { ["id": .number($0), "title": "t"] }, as: Task.self)
    let told = Told()
    let data = try projects.data()
    try await container.sync(payload: data, as: Project.self) { told.add($0) }
    check(told.events, total: data.count)
    #expect(told.events.count { $0.phase == .finished } == 1)
  }
}
