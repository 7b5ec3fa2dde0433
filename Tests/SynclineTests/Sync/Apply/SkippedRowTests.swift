import Syncline
import SynclineTesting
import TestSupport
import Testing

/// A skipped row states nothing (contract, section 7). Rows that are nested only in it, links to it and pending links to it have
/// the same result as if it were not in the payload.
@Suite struct SkippedRowTests {
  private static let season = #"[{"show": 1, "number": 1, "episodes": [{"number": 1, "title": "e"}]}]"#

  private func store() throws -> SyncContainer { try makeStore(invalidRows: .skip) }

  /// Syncs a payload twice. Each call must report that rows are skipped, and nothing else about them.
  private func expectSkipped<Model: SyncUpdatableModel>(
    _ payload: String, as model: Model.Type, _ skipped: [String: Int], in store: SyncContainer,
    isItem: Bool = false, changing: Bool = false
  ) async throws {
    var tables = try StoreDump(store)
    for isRepeated in [false, true] {
      let report =
        isItem
        ? try await store.sync(item: payload, as: model)
        : try await store.sync(payload: payload, as: model, deletionPolicy: DeletionPolicy.none)
      #expect(report.models.mapValues(\.skipped).filter { $0.value > 0 } == skipped, "\(report)")
      #expect(report.problems.count == skipped.values.reduce(0, +), "\(report)")
      if isRepeated || !changing {
        #expect(report.isUnchanged, "\(report)")
        #expect(try StoreDump(store) == tables)
      }
      tables = try StoreDump(store)
    }
  }

  @Test func linkToARowNestedInASkippedRowStaysPending() async throws {
    let store = try store()
    let review = #"[{"id": 1, "episode": {"season": {"show": 1, "number": 1}, "number": 1}}]"#
    #expect(try await store.sync(payload: review, as: Review.self).waitingCount == 1)
    let waiting = try await store.waitingLinks()
    try await expectSkipped(Self.season, as: Season.self, ["Season": 1], in: store)
    #expect(try await store.waitingLinks() == waiting)
    #expect(try store.rows(of: Episode.self).isEmpty)
    // Now the show is stored, and all rows can be created.
    try await store.sync(item: #"{"id": 1}"#, as: Show.self)
    let report = try await store.sync(payload: Self.season, as: Season.self)
    #expect(report[Episode.self].inserted == 1 && report[Review.self].linked == 1, "\(report)")
    #expect(try store.pick(Review.self, "id", "episode").count == 1)
    #expect(try await store.waitingLinks().isEmpty)
  }

  @Test func skippedRowEmitsNoChangeNotification() async throws {
    let store = try store()
    var notices = store.changes().makeAsyncIterator()
    try await store.sync(payload: Self.season, as: Season.self)
    try await store.sync(item: #"{"id": 7}"#, as: Show.self)
    let changes = try #require(try await notices.next())
    #expect(changes.description == "Show: 1 inserted")
  }

  @Test(arguments: [true, false])
  func rowListedByASkippedRowKeepsItsParent(isItem: Bool) async throws {
    let store = try store()
    try await store.sync(
      item:
        #"{"id": 1, "halls": [{"id": 7, "stool_ids": [5], "stools": [{"id": 5}], "desks": [{"id": 3}]}]}"#,
      as: Guild.self)
    let hall = #"{"id": 8, "guild_id": 9, "stool_ids": [5, 6], "desks": [{"id": 3}, {"id": 4}]}"#
    try await expectSkipped(
      isItem ? hall : "[\(hall)]", as: Hall.self, ["Hall": 1], in: store, isItem: isItem)
    #expect(try store.pick(Stool.self, "id", "hall") == [[5, 7]])
    #expect(try store.pick(Desk.self, "id", "hall") == [[3, 7]])
    #expect(try await store.waitingLinks().isEmpty)
  }

  @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 0, 2], [2, 0, 1]])
  func rowsAndLinksFoundOutsideSkippedRowAreKept(_ order: [Int]) async throws {
    let store = try store()
    try await store.sync(item: #"{"id": 1}"#, as: Guild.self)
    let halls = [
      #"{"id": 1, "guild_id": 9, "desks": [{"id": 2, "title": "a"}, {"id": 4}], "stools": [{"id": 5}]}"#,
      #"{"id": 2, "guild_id": 1, "desks": [{"id": 2}]}"#,
      #"{"id": 3, "guild_id": 1, "stool_ids": [5]}"#,
    ]
    try await expectSkipped(
      "[\(order.map { halls[$0] }.joined(separator: ","))]", as: Hall.self, ["Hall": 1], in: store,
      changing: true)
    // The skipped row states nothing about the desk, so its title is not stored.
    #expect(try store.pick(Desk.self, "id", "title", "hall") == [[2, "", 2]])
    #expect(try store.rows(of: Stool.self).isEmpty)
    #expect(try await store.waitingLinks().count == 1)
  }

  @Test func rowsThatRequireASkippedRowAreSkippedToo() async throws {
    let store = try store()
    let desks =
      #"[{"id": 1, "hall": {"id": 1, "guild_id": 9, "stools": [{"id": 5}]}}, {"id": 2, "hall_id": 1}]"#
    try await expectSkipped(desks, as: Desk.self, ["Desk": 2, "Hall": 1], in: store)
    #expect(try store.rows(of: Stool.self).isEmpty)
  }

  @Test func aRowThatFailsInsideOfASkippedRowIsNotReported() async throws {
    let store = try store()
    // The desk requires a hall that no payload contains, and occurs only in the skipped hall.
    let halls = #"[{"id": 1, "guild": {"id": 3, "halls": [{"id": 1}, {"id": 2}]}, "guild_id": 9}]"#
    try await expectSkipped(halls, as: Hall.self, ["Hall": 1], in: store)
    let reviews = #"[{"id": 1, "episode": {"season": {"show": 1, "number": 1}, "number": 1, "title": "e"}}]"#
    let report = try await store.sync(payload: reviews, as: Review.self)
    #expect(report[Episode.self].skipped == 1 && report[Review.self].inserted == 1, "\(report)")
    #expect(report.waiting.map(\.relationship) == ["episode"])
  }

  @Test func rowInAListIsNotSkippedIfItsKeyRefersToMissingOwner() async throws {
    let store = try store()
    try await store.sync(
      item: #"{"id": 1, "halls": [{"id": 7, "stools": [{"id": 5}, {"id": 6}], "desks": [{"id": 3}]}]}"#,
      as: Guild.self)
    // The list takes precedence over the key, so no row has to be skipped.
    let stools = #"{"id": 2, "halls": [{"id": 8, "guild_id": 2}, {"id": 9, "guild_id": 99}]}"#
    let report = try await store.sync(item: stools, as: Guild.self)
    #expect(report.skipped == 0, "\(report)")
    #expect(try store.pick(Hall.self, "id", "guild") == [[7, 1], [8, 2], [9, 2]])
  }

  @Test func rowsNestedInASkippedRowAreNotDeletedAsMissing() async throws {
    let store = try store()
    try await store.sync(
      item: #"{"id": 1, "halls": [{"id": 7, "desks": [{"id": 2}, {"id": 3}]}]}"#, as: Guild.self)
    let desks = #"[{"id": 9, "hall": {"id": 8, "guild_id": 99, "desks": [{"id": 2}]}}]"#
    let report = try await store.sync(payload: desks, as: Desk.self)
    #expect(report[Desk.self].deleted == 1 && report.skipped == 2, "\(report)")
    #expect(try store.pick(Desk.self, "id", "hall") == [[2, 7]])
  }

  @Test func longChainOfRequiredRowsIsSkippedWithFewWrites() async throws {
    let store = try store()
    let count = 400
    let rungs = (1...count).map { #"{"id": \#($0), "below_id": \#($0 - 1)}"# }
    let writes = try store.writes()
    let report = try await store.sync(payload: "[\(rungs.joined(separator: ","))]", as: Rung.self)
    #expect(report[Rung.self].skipped == count && report.inserted == 0)
    #expect(try store.rows(of: Rung.self).isEmpty)
    // Rows were created and removed again. One pass for each skipped row would cause 80,000 writes.
    #expect(try store.writes() - writes < 20 * count)
  }

  @Test func missingRequiredRowFailsSyncWithoutSkipping() async throws {
    let store = try makeStore()
    await #expect(throws: SyncError.self) { try await store.sync(payload: Self.season, as: Season.self) }
    #expect(try store.everything().isEmpty)
  }

  /// Contract, section 7: a skipped row states nothing, so an object without an identity elsewhere does not refer to its nested
  /// row.
  @Test func objectWithoutIdentityIgnoresListInASkippedRow() async throws {
    let store = try TextStore(
      """
      model Team {
        id: Int
        name: String
        members: [Member]
        @Relationship(inverse: \\Member.home) residents: [Member]
      }
      model Member {
        id: Int
        @Relationship(inverse: \\Team.members) team: Team
        @Relationship(inverse: \\Team.residents) home: Team
      }
      """, SyncConfiguration(invalidRows: .skip))
    let payload = #"""
      [{"id": 2, "team": {"id": 2, "name": "b"}, "home": {}},
       {"id": 1, "home": {"id": 1, "name": "a", "resident_ids": [2]}}]
      """#
    for _ in 1...2 {
      let report = try await store.sync(payload, as: "Member")
      #expect((report.inserted, report.skipped) == (0, 2), "\(report)")
    }
    #expect(try store.values(of: "Team", "id").isEmpty)
  }
}
