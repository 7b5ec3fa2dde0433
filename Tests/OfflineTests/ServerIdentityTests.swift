import Foundation
import GRDB
import TestSupport
import Testing

@testable import Syncline

/// New rows whose identity the server makes: `@PrimaryKey(madeBy: .server)` (contract, section 21).
@Suite struct ServerIdentityTests {
  private static let reason = "the response has no identity"

  private func text(_ change: SyncPendingChange<Purchase>) -> String {
    String(decoding: change.body, as: UTF8.self)
  }

  @discardableResult
  private func insert(_ name: String, in store: SyncContainer) async throws -> Purchase {
    let purchase = Purchase(name: name)
    try await store.database.write { db in try purchase.insert(db) }
    return purchase
  }

  /// Sends all that can be sent of the purchases, with one outcome for all.
  private func push(
    _ store: SyncContainer, _ outcome: SyncPushOutcome<Purchase>?
  ) async throws -> (sent: [SyncPendingChange<Purchase>], report: SyncPushReport) {
    var sent: [SyncPendingChange<Purchase>] = []
    let report = try await store.withPendingChanges(for: Purchase.self) { changes in
      sent = changes
      var outcomes: [Purchase.ID: SyncPushOutcome<Purchase>] = [:]
      for change in changes { outcomes[change.id] = outcome }
      return outcomes
    }
    return (sent, report)
  }

  // MARK: New rows

  @Test func newRowsGetUniqueTemporaryIdentities() {
    let numbers = (0..<100).map { _ in Purchase(name: "new").id }
    #expect(Set(numbers).count == 100)
    let exact = -(1 << 53)..<0
    #expect(numbers.allSatisfy { exact.contains($0) })
    let owner = Purchase(id: 7, name: "theirs")
    #expect(owner.id == 7)
    let payments = (0..<100).map { _ in Payment(cents: 1, purchase: Reference(owner)).id }
    #expect(Set(payments).count == 100)
    let coupons = (0..<100).map { _ in Coupon(percent: 5).id }
    #expect(Set(coupons).count == 100)
    #expect(coupons.allSatisfy { UUID(uuidString: $0) != nil })
  }

  @Test func aNewRowIsSentWithoutItsIdentity() async throws {
    let store = try makeStore()
    try await insert("new", in: store)
    try await store.run("INSERT INTO Coupon (id, percent) VALUES ('mine', 5)")
    let change = try #require(try await store.pendingChanges(for: Purchase.self).first)
    #expect(change.method == "POST" && change.properties == ["name"])
    #expect(text(change) == #"{"name":"new"}"#)
    let coupon = try #require(try await store.pendingChanges(for: Coupon.self).first)
    #expect(String(decoding: coupon.body, as: UTF8.self) == #"{"percent":5}"#)
    // So it is when it is sent.
    #expect(try await push(store, nil).sent.map(text) == [#"{"name":"new"}"#])
  }

  @Test func editedServerRowIsSentUnderItsIdentity() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 7, "name": "theirs"}]"#, as: Purchase.self)
    try await store.run("UPDATE Purchase SET name = 'mine'")
    let (sent, report) = try await push(store, .confirmed)
    #expect(sent.map(\.id) == [7] && sent.map(text) == [#"{"name":"mine"}"#])
    #expect(report.confirmed == 1 && report.rejected == 0)
    try await store.run("DELETE FROM Purchase")
    #expect(try await push(store, .confirmed).report.confirmed == 1)
    #expect(try await store.entryCount("Purchase") == 0)
  }

  // MARK: Answers with an identity

  @Test func identityMadeByTheServerReplacesTheLocalOne() async throws {
    let store = try makeStore()
    let purchase = try await insert("new", in: store)
    let payment = Payment(cents: 5, purchase: Reference(purchase))
    try await store.database.write { db in try payment.insert(db) }
    let (sent, _) = try await push(store, nil)
    try await store.run("UPDATE Purchase SET name = 'newer'")
    var report = SyncPushReport()
    let change = try #require(sent.first)
    try await store.record(.confirmedAs(50), of: change, at: 0, in: &report)
    #expect(report.confirmed == 1 && report.rejected == 0)
    #expect(try await store.rows("SELECT id, name FROM Purchase") == ["50 newer"])
    #expect(try await store.rows("SELECT purchase FROM Payment") == ["50"])
    #expect(try await store.edits("Purchase") == ["update 50 name"])
    let body = try #require(try await store.pendingChanges(for: Payment.self).first?.body)
    #expect(String(decoding: body, as: UTF8.self) == #"{"cents":5,"purchase_id":50}"#)
    // Later edits are sent under the new identity.
    #expect(try await push(store, .confirmed).sent.map(\.id) == [50])
    #expect(try await store.entryCount("Purchase") == 0)
  }

  @Test func serverIdentityIsTakenFromTheAnsweredRow() async throws {
    let store = try makeStore()
    try await insert("new", in: store)
    let (_, report) = try await push(store, .confirmedWith(Data(#"{"id": 60, "name": "New"}"#.utf8)))
    #expect(report.confirmed == 1 && report.rejected == 0)
    #expect(try await store.rows("SELECT id, name FROM Purchase") == ["60 New"])
    #expect(try await store.entryCount("Purchase") == 0)
  }

  @Test func olderListKeepsARowThatWasPulledBeforeItsAnswer() async throws {
    let store = try makeStore()
    let moment = store.moment
    let purchase = try await insert("new", in: store)
    try await store.withPendingChanges(for: Purchase.self) { _ in
      try await store.sync(item: #"{"id": 70, "name": "new"}"#, as: Purchase.self)
      return [purchase.id: .confirmedAs(70)]
    }
    #expect(try await store.rows("SELECT id, name FROM Purchase") == ["70 new"])
    try await store.sync(payload: "[]", as: Purchase.self, requestedAt: moment)
    #expect(try await store.rows("SELECT id, name FROM Purchase") == ["70 new"])
    #expect(try await !store.hasPendingChanges())
  }

  // MARK: Answers without one

  @Test(arguments: [
    SyncPushOutcome<Purchase>.confirmed, .confirmedWith(Data(#"{"name": "new"}"#.utf8)),
    .confirmedWith(Data(#"{"id": null}"#.utf8)), .confirmedWith(Data("[]".utf8)),
    .confirmedWith(Data("{".utf8)),
  ])
  func anAnswerWithoutAnIdentityIsARejection(_ outcome: SyncPushOutcome<Purchase>) async throws {
    let store = try makeStore()
    let purchase = try await insert("new", in: store)
    let (first, report) = try await push(store, outcome)
    #expect(report.rejected == 1 && report.confirmed == 0)
    let change = try #require(try await store.pendingChanges(for: Purchase.self).first)
    #expect(change.kind == .insert && change.id == purchase.id)
    #expect(change.state == .rejected && change.reason == Self.reason)
    // It waits until somebody asks for it.
    #expect(try await push(store, .confirmedAs(50)).sent.isEmpty)
    try await store.retry(change)
    let (second, _) = try await push(store, .confirmedAs(50))
    #expect(second.map(text) == [#"{"name":"new"}"#])
    #expect(second.map(\.key) != first.map(\.key))
    #expect(try await store.rows("SELECT id FROM Purchase") == ["50"])
    #expect(try await store.entryCount("Purchase") == 0)
  }

  /// The server may have the row already: a second request would make another one.
  @Test func drainDoesNotRetryAnAnswerWithoutIdentity() async throws {
    let store = try makeStore()
    try await insert("new", in: store)
    try await store.sync(payload: #"[{"code": "a", "percent": 1}]"#, as: Coupon.self)
    try await store.run("UPDATE Coupon SET percent = 200")
    let report = try await store.drainPendingChanges {
      SyncPush(Purchase.self) { _ in .confirmed }
      SyncPush(Coupon.self) { _ in .rejected("too much") }
    }
    // The rejection by the server is tried once more.
    #expect(report.sent == 3 && report.rejected == 3)
    #expect(try await store.pendingChanges(for: Purchase.self).map(\.attempts) == [1])
    #expect(try await store.pendingChanges(for: Purchase.self).map(\.reason) == [Self.reason])
  }
}
