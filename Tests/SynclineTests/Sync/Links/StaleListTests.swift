import Foundation
import Syncline
import SynclineTesting
import TestSupport
import Testing

/// Lists of rows that are not newer than the stored rows (contract, section 9). They give new rows their parent if there is no
/// other statement, and do not move known rows.
@Suite struct StaleListTests {
  private static let stamp = "2024-01-02T00:00:00Z"

  /// A store with Studios c, d and e, and Room k of Studio d.
  private func store() async throws -> SyncContainer {
    let store = try makeStore()
    let studios = ["c", "d", "e"].map { Self.studio($0, rooms: $0 == "d" ? [Self.room("k")] : nil) }
    try await store.sync(payload: "[\(studios.joined(separator: ","))]", as: Studio.self)
    return store
  }

  private static func studio(_ id: String, stamp: String = stamp, rooms: [String]? = nil) -> String {
    let list = rooms.map { ", \"rooms\": [\($0.joined(separator: ","))]" } ?? ""
    return #"{"remote_id": "\#(id)", "name": "n", "updated_at": "\#(stamp)"\#(list)}"#
  }

  private static func room(_ id: String, _ said: String = "") -> String {
    #"{"remote_id": "\#(id)", "title": "t", "updated_at": "\#(stamp)"\#(said.isEmpty ? "" : ", \(said)")}"#
  }

  private func studios(_ store: SyncContainer) throws -> [SyncJSON: SyncJSON] {
    Dictionary(uniqueKeysWithValues: try store.pick(Room.self, "remoteID", "studio").map { ($0[0], $0[1]) })
  }

  @Test(arguments: [stamp, "2024-01-01T00:00:00Z"], [true, false])
  func newRowInAStaleListGetsTheListsParent(stamp: String, isItem: Bool) async throws {
    let store = try await store()
    var notices = store.changes().makeAsyncIterator()
    let studio = Self.studio("c", stamp: stamp, rooms: [Self.room("r")])
    for isRepeated in [false, true] {
      let report =
        isItem
        ? try await store.sync(item: studio, as: Studio.self)
        : try await store.sync(payload: "[\(studio)]", as: Studio.self, deletionPolicy: DeletionPolicy.none)
      #expect(try studios(store) == ["k": "d", "r": "c"])
      #expect(report.problems.isEmpty && report[Studio.self].unchanged == 1, "\(report)")
      #expect(report[Studio.self].linked == 0 && report.updated == 0)
      #expect(report[Room.self].inserted == (isRepeated ? 0 : 1))
      #expect(report[Room.self].linked == (isRepeated ? 0 : 1))
      if isRepeated { #expect(report.isUnchanged) }
    }
    let changes = try #require(try await notices.next())
    #expect(changes.description == "Room: 1 inserted")
  }

  @Test func staleListDoesNotMoveStoredRows() async throws {
    let store = try await store()
    try await store.sync(item: Self.room("n"), as: Room.self)
    let newer = #"{"remote_id": "k", "title": "newer", "updated_at": "2024-01-03", "studio_id": "e"}"#
    let studio = Self.studio("c", rooms: [newer, Self.room("n"), Self.room("r")])
    for isRepeated in [false, true] {
      let report = try await store.sync(item: studio, as: Studio.self)
      #expect(try studios(store) == ["k": "d", "n": .null, "r": "c"])
      #expect(report[Room.self].updated == (isRepeated ? 0 : 1), "\(report)")
      #expect(report.isUnchanged == isRepeated)
    }
  }

  @Test func parentKeyOfARowWithinAStaleListIsIgnored() async throws {
    for said in [#""studio_id": "d""#, #""studio": null"#, #""studio_id": "later""#] {
      let store = try await store()
      let studio = Self.studio("c", rooms: [Self.room("r", said)])
      try await store.sync(item: studio, as: Studio.self)
      #expect(try studios(store)["r"] == "c", "\(said)")
      #expect(try await store.waitingLinks().isEmpty)
      #expect(try await store.sync(item: studio, as: Studio.self).isUnchanged)
    }
  }

  /// Room q contains Studio c, whose list contains the new Room r. Another object of r states its studio.
  @Test(arguments: [
    (#""studio_id": "d""#, "d"), (#""studio_id": "c""#, "c"), (#""studio": null"#, nil),
    (#""studio_id": "later""#, nil),
    ("", "c"),
  ])
  func parentInAnotherObjectOverridesAStaleList(_ said: String, _ parent: String?) async throws {
    let stale = Self.studio("c", rooms: [Self.room("q"), Self.room("r")])
    let rows = [Self.room("q", "\"studio\": \(stale)"), Self.room("r", said), Self.room("k")]
    for order in [[0, 1, 2], [1, 0, 2], [2, 1, 0], [2, 0, 1]] {
      let store = try await store()
      let payload = "[\(order.map { rows[$0] }.joined(separator: ","))]"
      let report = try await store.sync(payload: payload, as: Room.self)
      #expect(report[Room.self].inserted == 2 && report.problems.isEmpty, "\(order) \(report)")
      #expect(
        try studios(store) == ["k": "d", "q": "c", "r": parent.map { .string($0) } ?? .null], "\(order)")
      #expect(report[Room.self].linked == (parent == nil ? 1 : 2), "\(order) \(report)")
      #expect(report.waitingCount == (said.contains("later") ? 1 : 0))
      let tables = try StoreDump(store)
      #expect(try await store.sync(payload: payload, as: Room.self).isUnchanged)
      #expect(try StoreDump(store) == tables)
    }
  }

  @Test func newerListOverridesAStaleList() async throws {
    let lists = [
      Self.studio("c", rooms: [Self.room("r")]),
      Self.studio("e", stamp: "2024-01-03T00:00:00Z", rooms: [#"{"remote_id": "r", "title": "t"}"#]),
      Self.studio("d", rooms: [Self.room("r")]),
    ]
    for order in [[0, 1, 2], [1, 0, 2], [0, 2, 1], [2, 1, 0], [1, 2, 0]] {
      let store = try await store()
      let payload = "[\(order.map { lists[$0] }.joined(separator: ","))]"
      let report = try await store.sync(payload: payload, as: Studio.self)
      #expect(try studios(store)["r"] == "e", "\(order)")
      #expect(report[Room.self].inserted == 1 && report[Room.self].linked == 1, "\(order) \(report)")
      #expect(try await store.sync(payload: payload, as: Studio.self).isUnchanged, "\(order)")
    }
  }

  @Test func lastOfTwoStaleListsGivesTheParent() async throws {
    for order in [["c", "d"], ["d", "c"]] {
      let store = try await store()
      let rooms = ["c": [Self.room("r")], "d": [Self.room("k"), Self.room("r")]]
      let payload = "[\(order.map { Self.studio($0, rooms: rooms[$0]) }.joined(separator: ","))]"
      try await store.sync(payload: payload, as: Studio.self, deletionPolicy: DeletionPolicy.none)
      #expect(try studios(store)["r"] == .string(order[1]))
      let second = try await store.sync(
        payload: payload, as: Studio.self, deletionPolicy: DeletionPolicy.none)
      #expect(second.isUnchanged, "\(second)")
    }
  }

  @Test func staleListRemovesThePendingLinkOfAnotherList() async throws {
    let store = try await store()
    let waiting = Self.studio("e", stamp: "2024-01-05T00:00:00Z", rooms: [#""r""#])
    #expect(try await store.sync(item: waiting, as: Studio.self).waitingCount == 1)
    try await store.sync(item: Self.studio("c", rooms: [Self.room("r")]), as: Studio.self)
    #expect(try studios(store)["r"] == "c")
    #expect(try await store.waitingLinks().isEmpty)
  }

  @Test func rowCompletedElsewhereGetsTheStaleListsParent() async throws {
    for order in [[0, 1], [1, 0]] {
      let store = try await store()
      let stale = Self.studio(
        "c", rooms: [#"{"remote_id": "r", "updated_at": "2024-01-01"}"#, Self.room("q")])
      let rows = [Self.room("q", "\"studio\": \(stale)"), Self.room("r")]
      let payload = "[\(order.map { rows[$0] }.joined(separator: ","))]"
      try await store.sync(payload: payload, as: Room.self, deletionPolicy: DeletionPolicy.none)
      #expect(try studios(store) == ["k": "d", "q": "c", "r": "c"], "\(order)")
      let second = try await store.sync(payload: payload, as: Room.self, deletionPolicy: DeletionPolicy.none)
      #expect(second.isUnchanged, "\(second)")
    }
  }

  @Test func parentScopedRowInAStaleListIsInserted() async throws {
    let store = try makeStore()
    func anthology(_ verses: Int...) -> String {
      let list = verses.map { #"{"number": \#($0), "text": "v"}"# }.joined(separator: ",")
      return #"""
        {"id": "C3E7A1B2-1001-4000-8000-000000000001",
         "chapters": [{"id": 1, "title": "t", "changed_at": "2024-01-02", "verses": [\#(list)]}]}
        """#
    }
    try await store.sync(item: anthology(1), as: Anthology.self)
    let report = try await store.sync(item: anthology(1, 2), as: Anthology.self)
    #expect(report[Verse.self].inserted == 1 && report.problems.isEmpty, "\(report)")
    #expect(try store.pick(Verse.self, "number") == [[1], [2]])
    #expect(try await store.sync(item: anthology(1, 2), as: Anthology.self).isUnchanged)
  }

  @Test func staleListAddsNoRowWithDeleteOnlyOperations() async throws {
    let store = try await store()
    let studio = Self.studio("c", rooms: [Self.room("r")])
    try await store.sync(item: studio, as: Studio.self, relationshipOperations: .delete)
    #expect(try studios(store)["r"] == nil)
    try await store.sync(item: studio, as: Studio.self, relationshipOperations: [.insert, .update])
    #expect(try studios(store)["r"] == "c")
  }

  @Test func pendingMemberInAStaleListIsLinkedOnce() async throws {
    let store = try await store()
    let waiting = Self.studio("c", stamp: "2024-01-05T00:00:00Z", rooms: [#""r""#])
    #expect(try await store.sync(item: waiting, as: Studio.self).waitingCount == 1)
    let stale = Self.studio("c", rooms: [Self.room("r"), Self.room("r")])
    let report = try await store.sync(item: stale, as: Studio.self)
    #expect(try studios(store)["r"] == "c")
    #expect(report[Studio.self].linked == 0 && report[Studio.self].updated == 0, "\(report)")
    #expect(report[Room.self].inserted == 1 && report[Room.self].linked == 1, "\(report)")
    #expect(try await store.waitingLinks().isEmpty)
    #expect(try await store.sync(item: stale, as: Studio.self).isUnchanged)
  }
}
