import Syncline
import SynclineTesting
import TestSupport
import Testing

/// The rules of the schema for children that a complete list no longer contains.
@Suite struct MissingRuleTests {
  private func order(_ children: String) -> String { #"[{"id": 1, \#(children)}]"# }

  private func makeOrders() async throws -> SyncContainer {
    let store = try makeStore()
    try await store.sync(
      payload: order(
        #""lines": [{"id": 1}, {"id": 2}], "notes": [{"id": 1}, {"id": 2}], "parcels": [{"id": 1}, {"id": 2}]"#
      ),
      as: Order.self)
    return store
  }

  @Test(arguments: [#""lines": [{"id": 2}, {"id": 3}]"#, #""line_ids": [2], "lines": [{"id": 2}]"#])
  func schemaRuleDeletesMissingChildren(_ children: String) async throws {
    let store = try await makeOrders()
    let report = try await store.sync(payload: order(children), as: Order.self)
    #expect(report[OrderLine.self].deleted == 1)
    #expect(report.problems == [])
    #expect(try store.pick(OrderLine.self, "id").first == [2])
    #expect(try await store.sync(payload: order(children), as: Order.self).isUnchanged)
  }

  @Test func emptyOrNullListDeletesAllChildren() async throws {
    for children in [#""lines": []"#, #""lines": null"#] {
      let store = try await makeOrders()
      #expect(try await store.sync(payload: order(children), as: Order.self)[OrderLine.self].deleted == 2)
    }
  }

  @Test func partlyUnreadableListDeletesNoChildren() async throws {
    let store = try await makeOrders()
    try await store.sync(
      payload: order(#""lines": [{"id": 2}, {"text": "without identity"}]"#), as: Order.self)
    #expect(try store.pick(OrderLine.self, "id") == [[1], [2]])
  }

  @Test func childMovedToAnotherParentIsNotDeleted() async throws {
    let store = try await makeOrders()
    let payload = #"[{"id": 1, "lines": [{"id": 1}]}, {"id": 2, "lines": [{"id": 2}]}]"#
    let report = try await store.sync(payload: payload, as: Order.self)
    #expect(report[OrderLine.self].deleted == 0)
    #expect(try store.pick(OrderLine.self, "id", "order") == [[1, 1], [2, 2]])
  }

  @Test func schemaRuleSoftDeletesMissingChildren() async throws {
    let store = try await makeOrders()
    let report = try await store.sync(payload: order(#""notes": [{"id": 2}]"#), as: Order.self)
    #expect(report[OrderNote.self].softDeleted == 1)
    #expect(try store.rows(of: OrderNote.self).map { $0["deletedAt"]?.isNull } == [false, true])
    #expect(try await store.sync(payload: order(#""notes": [{"id": 2}]"#), as: Order.self).isUnchanged)
  }

  /// As the list of one parent does, if it is synced on its own.
  @Test func listMarksMissingRowsThatAreUniqueWithinTheirOwner() async throws {
    let store = try TextStore(
      """
      model Board { id: Int; lanes: [Lane] }
      @ParentScoped(\\.board) @SoftDelete(\\.deletedAt) model Lane {
        id: Int; name: String; deletedAt: Date?; board: Board
      }
      """)
    let both = #"[{"id": 1, "lanes": [{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]}]"#
    try await store.sync(both)
    let shorter = #"[{"id": 1, "lanes": [{"id": 1, "name": "a"}]}]"#
    let report = try await store.sync(shorter)
    #expect(report.softDeleted == 1 && report.problems == [])
    #expect(try await store.rows("SELECT id, deletedAt IS NULL FROM Lane ORDER BY id") == ["1 1", "2 0"])
    #expect(try await store.sync(shorter).isUnchanged)
    #expect(try await store.sync(both).reactivated == 1)
  }

  @Test func schemaRuleKeepsMissingChildrenWithoutReport() async throws {
    let store = try await makeOrders()
    let report = try await store.sync(payload: order(#""parcels": [{"id": 2}]"#), as: Order.self)
    #expect(report.isUnchanged && report.problems == [])
    #expect(try store.pick(Parcel.self, "id", "order") == [[1, 1], [2, 1]])
  }

  @Test func policyOfTheCallOverridesSchemaRule() async throws {
    let store = try await makeOrders()
    let payload = order(#""lines": [], "parcels": []"#)
    let report = try await store.sync(
      payload: payload, as: Order.self,
      children: [.policy(\.lines, .none), .policy(\.parcels, .hardDeleteMissing)])
    #expect(report[OrderLine.self].deleted == 0)
    #expect(report[Parcel.self].deleted == 2)
  }

  @Test func schemaRuleAppliesToNestedOwnersAndItems() async throws {
    let store = try await makeOrders()
    let report = try await store.sync(
      item: #"{"id": 1, "order": {"id": 1, "lines": [{"id": 1}]}}"#, as: Parcel.self)
    #expect(report[OrderLine.self].deleted == 1)
  }

  @Test func operationsWithoutDeletionDeleteNothing() async throws {
    let store = try await makeOrders()
    try await store.sync(
      payload: order(#""lines": []"#), as: Order.self, relationshipOperations: [.insert, .update])
    #expect(try store.pick(OrderLine.self, "id") == [[1], [2]])
  }
}
