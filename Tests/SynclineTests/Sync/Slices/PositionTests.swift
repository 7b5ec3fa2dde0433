import Foundation
import Syncline
import SynclineTesting
import TestSupport
import Testing

/// The positions of rows in the synced list.
@Suite struct PositionTests {
  private static func hits(_ ids: some Sequence<Int>, _ title: String = "h") -> String {
    "[" + ids.map { #"{"id": \#($0), "title": "\#(title) \#($0)"}"# }.joined(separator: ",") + "]"
  }

  /// The identities in the order of their positions, which must begin at 0 without gaps.
  private func order(_ store: SyncContainer) throws -> [Int] {
    let hits = try store.database.read { try Hit.order { $0.rank }.fetchAll($0) }
    #expect(hits.map(\.rank) == Array(hits.indices))
    return hits.map(\.id)
  }

  @Test func rowPositionsFollowPayloadOrder() async throws {
    let store = try makeStore()
    try await store.sync(payload: Self.hits([5, 1, 9]), as: Hit.self)
    #expect(try order(store) == [5, 1, 9])
    let before = try store.writes()
    #expect(try await store.sync(payload: Self.hits([5, 1, 9]), as: Hit.self).isUnchanged)
    #expect(try store.writes() == before)
    // If a row moves to the front, the positions of the others change.
    let report = try await store.sync(payload: Self.hits([9, 5, 1]), as: Hit.self)
    #expect(report.updated == 3)
    #expect(try order(store) == [9, 5, 1])
    try await store.sync(payload: Self.hits([9, 7, 1]), as: Hit.self)
    #expect(try order(store) == [9, 7, 1])
  }

  @Test func positionsMatchRandomPayloadOrders() async throws {
    for seed in Soak.seeds(14_700_000, count: 30) {
      var random = SeededGenerator(seed: seed)
      let store = try SyncContainer(for: Hit.self)
      var ids = Array(0..<Int.random(in: 1...200, using: &random))
      for _ in 0..<4 {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: ids.shuffle(using: &random)
        case 1: ids.sort()
        case 2: ids.sort(by: >)
        default:
          ids = ids.filter { _ in random.chance(80) } + [1_000 + Int.random(in: 0..<99, using: &random)]
        }
        // A row that occurs twice has its last position.
        let unique = ids.reversed().reduce(into: [Int]()) { if !$0.contains($1) { $0.append($1) } }.reversed()
        ids = Array(unique)
        try await store.sync(payload: Self.hits(ids, random.chance(50) ? "a" : "b"), as: Hit.self)
        #expect(try order(store) == ids, "seed \(seed)")
      }
    }
  }

  @Test func repeatedRowGetsItsLastPosition() async throws {
    let store = try makeStore()
    for _ in 0..<2 {
      try await store.sync(payload: Self.hits([3, 1, 2, 3]), as: Hit.self)
      #expect(try store.pick(Hit.self, "id", "rank") == [[1, 1], [2, 2], [3, 3]])
    }
    #expect(try await store.sync(payload: Self.hits([3, 1, 2, 3]), as: Hit.self).isUnchanged)
  }

  @Test func itemAndChangesSyncsKeepPositions() async throws {
    let store = try makeStore()
    try await store.sync(payload: Self.hits([2, 1]), as: Hit.self)
    try await store.sync(item: #"{"id": 2, "title": "other"}"#, as: Hit.self)
    try await store.sync(item: #"{"id": 3, "title": "new"}"#, as: Hit.self)
    try await store.sync(
      changes: #"{"updated": [{"id": 9, "title": "n"}, {"id": 1, "title": "other"}]}"#, as: Hit.self)
    #expect(try store.pick(Hit.self, "id", "rank") == [[1, 1], [2, 0], [3, 0], [9, 0]])
    try await store.sync(item: #"{"id": "a", "title": "A"}"#, as: Chart.self)
    try await store.sync(item: #"{"id": 1, "title": "S"}"#, as: Song.self)
    #expect(try store.pick(Chart.self, "rank") + store.pick(Song.self, "place") == [[7], [nil]])
  }

  /// A timestamp refers to the row's values. Its position may change without a new timestamp.
  @Test func positionsAreUpdatedEvenForRowsThatAreNotNewer() async throws {
    let store = try makeStore()
    func row(_ id: String, _ title: String, _ day: Int) -> String {
      #"{"id": "\#(id)", "title": "\#(title)", "changed_at": "2024-05-0\#(day)"}"#
    }
    try await store.sync(payload: "[\(row("a", "A", 2)), \(row("b", "B", 2))]", as: Chart.self)
    let report = try await store.sync(
      payload: "[\(row("b", "older", 1)), \(row("a", "A", 2))]", as: Chart.self)
    #expect(report.updated == 2)
    #expect(try store.pick(Chart.self, "id", "title", "rank") == [["a", "A", 1], ["b", "B", 0]])
    #expect(
      try await store.sync(payload: "[\(row("b", "older", 1)), \(row("a", "A", 2))]", as: Chart.self)
        .isUnchanged)
  }

  @Test func positionsAreAssignedPerParent() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"[{"id": "a", "title": "A", "songs": [{"id": 7, "title": "n"}]}, {"id": "b", "title": "B"}]"#,
      as: Chart.self)
    #expect(try store.pick(Song.self, "id", "place") == [[7, nil]])
    for parent in ["a", "b"] {
      let songs = (parent == "a" ? [2, 7, 1] : [9, 8]).map { #"{"id": \#($0), "title": "n"}"# }
      let payload = "[\(songs.joined(separator: ","))]"
      try await store.sync(payload: payload, as: Song.self, parent: parent, relationship: \.chart)
      #expect(
        try await store.sync(payload: payload, as: Song.self, parent: parent, relationship: \.chart)
          .isUnchanged)
    }
    #expect(try store.pick(Song.self, "id", "place") == [[1, 2], [2, 0], [7, 1], [8, 1], [9, 0]])
  }

  @Test func positionsOfEachParentBeginAtZeroInABody() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": "a", "title": "A"}, {"id": "b", "title": "B"}]"#, as: Chart.self)
    let songs = #"[{"id": 9, "title": "n"}, {"id": 8, "title": "n"}]"#
    let body = #"{"a": [{"id": 2, "title": "n"}, {"id": 7, "title": "n"}], "b": \#(songs)}"#
    try await store.sync(payload: body) {
      for chart in ["a", "b"] { $0.list(chart, as: Song.self, parent: chart, relationship: \.chart) }
    }
    #expect(try store.pick(Song.self, "id", "place") == [[2, 0], [7, 1], [8, 1], [9, 0]])
    let report = try await store.sync(payload: songs, as: Song.self, parent: "b", relationship: \.chart)
    #expect(report.isUnchanged)
  }

  /// The cursor of a response is another list's than that of an interrupted run.
  @Test func cursorOfAResponseHasNoRowCount() async throws {
    let store = try makeStore()
    try await store.sync(pages: stream(of: [SyncPage(Self.hits([5, 3]), cursor: "1")]), as: Hit.self)
    try await store.sync(changes: SyncResponse(#"{"created": []}"#, cursor: "t"), as: Hit.self)
    try await store.sync(
      pages: stream(of: [SyncPage(Self.hits([3]))]), as: Hit.self, startingAt: "t",
      deletionPolicy: DeletionPolicy.none)
    #expect(try store.pick(Hit.self, "id", "rank") == [[3, 1], [5, 0]])
  }

  @Test func positionsContinueAcrossPages() async throws {
    let store = try makeStore()
    let pages = { (parts: [[Int]]) in
      parts.enumerated().map { SyncPage(Self.hits($1), cursor: $0 + 1 < parts.count ? "\($0 + 1)" : nil) }
    }
    try await store.sync(pages: stream(of: pages([[5, 3], [4], [1, 2]])), as: Hit.self)
    #expect(try order(store) == [5, 3, 4, 1, 2])
    // A continued run continues the numbering.
    let parts = pages([[1, 5], [2, 3], [4]])
    try await store.sync(pages: stream(of: [parts[0]]), as: Hit.self)
    try await store.sync(pages: stream(of: Array(parts[1...])), as: Hit.self, startingAt: "1")
    #expect(try order(store) == [1, 5, 2, 3, 4])
    // The same applies to single pages of a list that is never read completely.
    try await store.sync(
      pages: stream(of: [SyncPage(Self.hits([9]), cursor: "b")]), as: Hit.self, deletionPolicy: .none)
    try await store.sync(
      pages: stream(of: [SyncPage(Self.hits([8, 7]), cursor: "c")]), as: Hit.self, startingAt: "b",
      deletionPolicy: .none)
    #expect(try store.pick(Hit.self, "id", "rank").suffix(3) == [[7, 2], [8, 1], [9, 0]])
    try await store.sync(payload: Self.hits([1, 5, 2, 3, 4]), as: Hit.self)
    // A run that begins at another page is not a complete list.
    try await store.sync(pages: stream(of: [SyncPage(Self.hits([3]))]), as: Hit.self, startingAt: "x")
    #expect(try order(store) == [1, 5, 2, 3, 4])
  }

  @Test func linesAndJSONAPIDocumentsAssignPositions() async throws {
    let store = try makeStore()
    let lines = [3, 1, 2].map { #"{"id": \#($0), "title": "h"}"# }.joined(separator: "\n")
    try await store.sync(payload: SyncLines(lines), as: Hit.self)
    #expect(try order(store) == [3, 1, 2])
    let resources = [2, 3, 1].map { #"{"type": "hits", "id": "\#($0)", "attributes": {"title": "h"}}"# }
    let document =
      #"{"data": [\#(resources.joined(separator: ","))], "included": [{"type": "hits", "id": "9", "attributes": {"title": "i"}}]}"#
    try await store.sync(jsonAPI: document, as: Hit.self)
    #expect(try store.pick(Hit.self, "id", "rank") == [[1, 2], [2, 0], [3, 1], [9, 0]])
  }

  /// Contract, section 10: an exported body that is synced changes nothing, even if deleted rows have left gaps.
  @Test func positionGapsAreKeptIfTheOrderIsUnchanged() async throws {
    let store = try makeStore()
    try await store.sync(payload: Self.hits([5, 1, 9, 3]), as: Hit.self)
    try await store.sync(changes: #"{"deleted": [1]}"#, as: Hit.self)
    let ranks: [[SyncJSON]] = [[3, 3], [5, 0], [9, 2]]
    let writes = try store.writes()
    #expect(try await store.sync(payload: store.exportData(as: Hit.self), as: Hit.self).isUnchanged)
    #expect(try await store.sync(payload: store.export(as: Hit.self), as: Hit.self).isUnchanged)
    #expect(try await store.sync(jsonAPI: store.exportJSONAPI(as: Hit.self)).isUnchanged)
    #expect(try store.writes() == writes)
    #expect(try store.pick(Hit.self, "id", "rank") == ranks)
    // Other values are updated, and the positions stay.
    #expect(try await store.sync(payload: Self.hits([5, 9, 3], "new"), as: Hit.self).updated == 3)
    #expect(try store.pick(Hit.self, "id", "rank") == ranks)
    // Any other list assigns new positions.
    for list in [[5, 3, 9], [5, 9, 3, 4], [5, 9], [9, 5, 3]] {
      try await store.sync(payload: Self.hits([5, 1, 9, 3]), as: Hit.self)
      try await store.sync(changes: #"{"deleted": [1]}"#, as: Hit.self)
      try await store.sync(payload: Self.hits(list), as: Hit.self)
      #expect(try order(store) == list)
      #expect(try await store.sync(payload: Self.hits(list), as: Hit.self).isUnchanged)
    }
  }

  @Test func positionGapsOfAParentsRowsAreKept() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"[{"id": "a", "title": "A"}, {"id": "b", "title": "B"}]"#, as: Chart.self)
    for parent in ["a", "b"] {
      let first = parent == "a" ? 1 : 11
      let songs = (first..<(first + 4)).map { #"{"id": \#($0), "title": "n"}"# }.joined(separator: ",")
      try await store.sync(payload: "[\(songs)]", as: Song.self, parent: parent, relationship: \.chart)
    }
    try await store.sync(changes: #"{"deleted": [2]}"#, as: Song.self)
    let places = try store.pick(Song.self, "id", "place")
    for parent in ["a", "b"] {
      let body = try await store.exportData(as: Song.self, parent: parent, relationship: \.chart)
      #expect(
        try await store.sync(payload: body, as: Song.self, parent: parent, relationship: \.chart).isUnchanged)
    }
    #expect(try store.pick(Song.self, "id", "place") == places)
    // In a list of several models, positions are those in the whole list.
    let tales =
      #"[{"type": "tale", "id": 1, "title": "a"}, {"type": "image", "id": "p", "url": "u"}, {"type": "tale", "id": 2, "title": "b"}]"#
    try await store.sync(payload: tales, as: StreamItem.self)
    let turned =
      #"[{"type": "image", "id": "p", "url": "u"}, {"type": "tale", "id": 1, "title": "a"}, {"type": "tale", "id": 2, "title": "b"}]"#
    try await store.sync(payload: turned, as: StreamItem.self)
    #expect(try store.pick(Tale.self, "id", "rank") == [[1, 1], [2, 2]])
  }

  @Test func exportsAreSortedByPosition() async throws {
    let store = try makeStore()
    try await store.sync(payload: Self.hits([3, 1, 2]), as: Hit.self)
    let rows = try await store.export(as: Hit.self)
    #expect(rows.map { $0["id"] } == [3, 1, 2])
    #expect(rows.first == ["id": 3, "title": "h 3"])
    let data = try await store.exportData(as: Hit.self)
    #expect(try SyncJSON(parsing: data) == .array(rows))
    #expect(try await store.sync(payload: data, as: Hit.self).isUnchanged)
    #expect(try await store.sync(jsonAPI: store.exportJSONAPI(as: Hit.self)).isUnchanged)
  }
}
