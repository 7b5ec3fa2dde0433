import Foundation
import TestSupport
import Testing

@testable import Syncline

/// Edited rows that a sync sets aside, and rows that want one partner (contract, section 13).
@Suite struct SetAsideTests {
  private func makeFilled() async throws -> SyncContainer {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "title": "one"}, {"id": 2, "title": "two"}]"#, as: Task.self)
    return store
  }

  @Test func rowThatTheServerMovedToADeletedOwnerStaysAside() async throws {
    let store = try await makeFilled()
    let id = UUID().uuidString
    try await store.sync(payload: #"[{"id": "\#(id)", "text": "s", "task_id": 1}]"#, as: Step.self)
    try await store.run("UPDATE Step SET text = 'mine'")
    try await store.run("DELETE FROM Task WHERE id = 2")
    let moved = #"[{"id": "\#(id)", "text": "s", "task_id": 2}]"#
    for payload in [moved, moved, #"{"id": "\#(id)", "text": "s"}"#, moved] {
      let report =
        payload.hasPrefix("{")
        ? try await store.sync(item: payload, as: Step.self)
        : try await store.sync(payload: payload, as: Step.self)
      #expect(report[Step.self].inserted == 0 && report[Step.self].kept == 1)
      #expect(try await store.rows("SELECT * FROM Step") == [])
      #expect(try await store.edits("Step") == ["update \(id) aside"])
    }
    // It comes back with its owner.
    try await store.discard(try #require(try await store.pendingChanges(for: Task.self).first))
    try await store.sync(payload: moved, as: Step.self)
    #expect(try await store.rows("SELECT text, task FROM Step") == ["mine 2"])
  }
}
