import Syncline
import SynclineTesting
import TestSupport
import Testing

@testable import Syncline

/// Related rows of a payload may also be read in stored order, without any effect on the result.
@Suite(.enabled(if: TestKind.random.runs))
struct RelatedOrderTests {
  /// Groups of models that only have relationships inside the group.
  private static let families: [[any SyncUpdatableModel.Type]] = [
    [Task.self, Project.self, User.self, Tag.self], [Author.self, Book.self], [Category.self],
    [Crew.self, Sailor.self, Flag.self], [Post.self, Comment.self, Flag.self], [Employee.self],
    [Branch.self, Leaf.self], [Shelf.self, Box.self, Thing.self], [Studio.self, Room.self],
    [Fault.self, Topic.self, Note.self, User.self],
    [Order.self, OrderLine.self, OrderNote.self, Parcel.self],
  ]

  /// Stores that read payloads in their own order, in stored order, and in stored order with a small number of rows at a time.
  private func makeStores(_ invalidRows: SyncConfiguration.InvalidRows) throws -> [SyncContainer] {
    try [0, SyncConfiguration().orderedRows, 40].map { orderedRows in
      var configuration = SyncConfiguration(invalidRows: invalidRows)
      configuration.orderedRows = orderedRows
      return try SynclineTestsSchema.makeStore(in: nil, configuration)
    }
  }

  @Test(arguments: Soak.seeds(61_000_000, count: 20)) func relatedRowsSyncTheSameInAnyOrder(seed: Int)
    async throws
  {
    let ways = [(SyncConfiguration.InvalidRows.fail, 0), (.skip, 0), (.skip, 2), (.skip, 15)]
    for (invalidRows, oddity) in Soak.ways(ways, seed: seed) {
      let stores = try makeStores(invalidRows)
      var server = RandomServer(stores[0], rows: 90, seed: seed * 100 + oddity)
      server.oddity = oddity
      // If all rows are stored, there are no pending links, and most contradictions are visible in lists and links.
      let isFull = server.random.chance(60)
      server.namesAbsentRows = !isFull
      let models =
        isFull
        ? server.random.pick(Self.families)
        : Array(RandomServer.models.shuffled(using: &server.random).prefix(3))
      for round in 0..<(isFull ? 16 : 6) {
        let isFilling = isFull && round < 10
        let model = isFilling ? models[round % models.count] : server.random.pick(models)
        server.oddity = isFilling ? 0 : oddity
        server.depth = isFilling ? 0...0 : 0...2
        let count = isFull ? 90 : Int.random(in: 40...90, using: &server.random)
        let payload = try server.payload(model, count: count)
        if !isFilling, server.random.chance(50) { server.change() }
        let expected = await stores[0].outcome(of: payload, as: model)
        let rows = try stores[0].everythingButTimes()
        let waiting = try await stores[0].waitingLinks()
        for (index, store) in stores.enumerated().dropFirst() {
          let place = "\(invalidRows), oddity \(oddity), round \(round), \(model), store \(index)"
          let outcome = await store.outcome(of: payload, as: model)
          try #require(outcome == expected, "\(place): \(difference(outcome, expected))")
          try #require(store.everythingButTimes() == rows, "\(place)")
          try await #require(store.waitingLinks() == waiting, "\(place)")
        }
      }
    }
  }

  // MARK: Contradictions

  /// Syncs rows in payload order and in stored order, together with forty rows that make the order relevant, and compares the
  /// results.
  private func expectSame<Model: SyncUpdatableModel>(
    _ rows: String, as model: Model.Type, fields: String = "", children: [SyncChildPolicy<Model>] = [],
    _ prepare: (SyncContainer) async throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    var results: [[String]] = []
    let others = (101...140).map { #"{"id": \#($0)\#(fields)}"# }
    for store in try makeStores(.skip).prefix(2) {
      try await store.sync(payload: "[\(others.joined(separator: ","))]", as: model)
      try await prepare(store)
      let payload = ([others[0], others[39], rows] + others[1..<39]).joined(separator: ",")
      let report = try await store.sync(
        payload: "[\(payload)]", as: model, children: children)
      results.append([
        "\(report.models.sorted { $0.key < $1.key })", "\(report.problems)", "\(report.waiting)",
        "\(try store.everythingButTimes().sorted { $0.key < $1.key })",
      ])
    }
    for (result, expected) in zip(results[1], results[0]) {
      #expect(result == expected, "\(difference(result, expected))", sourceLocation: sourceLocation)
    }
  }

  @Test func twoListsOfARowSyncTheSameInAnyOrder() async throws {
    let crew = #", "name": "S", "crew": {"id": 7, "name": "C"}"#
    try await expectSame(
      """
      {"id": 9, "name": "S", "crew": {"id": 1, "name": "A", "flags": [1]}},
      {"id": 3, "name": "S", "crew": {"id": 1, "name": "A", "flags": [2]}}
      """, as: Sailor.self, fields: crew
    ) { store in
      try await store.sync(payload: #"[{"id": 1}, {"id": 2}]"#, as: Flag.self)
      try await store.sync(
        item: #"{"id": 1, "name": "A", "sailors": [{"id": 3, "name": "S"}, {"id": 9, "name": "S"}]}"#,
        as: Crew.self)
    }
  }

  @Test func incompleteListSyncsTheSameInAnyOrder() async throws {
    try await expectSame(
      """
      {"id": 9, "title": "T", "tags": []},
      {"id": 3, "title": "T", "tags": [{"id": 1, "name": "N", "tasks": [9, 3, "?"]}]}
      """, as: Task.self, fields: #", "title": "T""#
    ) { store in
      try await store.sync(
        item: #"{"id": 1, "name": "N", "tasks": [{"id": 9, "title": "T"}, {"id": 3, "title": "T"}]}"#,
        as: Tag.self)
    }
  }

  @Test func linkStatedByBothEndsSyncsTheSameInAnyOrder() async throws {
    try await expectSame(
      """
      {"id": 9, "name": "A", "books": [{"id": 5, "authors": [9, 3]}]},
      {"id": 3, "name": "A", "books": [5]}
      """, as: Author.self, fields: #", "name": "A""#
    ) { store in
      try await store.sync(
        item: #"{"id": 9, "name": "A", "books": [{"id": 5}]}"#, as: Author.self)
      try await store.sync(item: #"{"id": 3, "name": "A"}"#, as: Author.self)
    }
  }

  @Test func keyAndContradictoryListSyncTheSameInAnyOrder() async throws {
    for policy in [DeletionPolicy.none, .hardDeleteMissing] {
      try await expectSame(
        #"{"id": 9, "manager_id": 1}, {"id": 2}, {"id": 1, "reports": [3]}"#, as: Employee.self,
        children: [.policy(\.reports, policy)]
      ) { store in
        for id in [1, 2, 3] { try await store.sync(item: #"{"id": \#(id)}"#, as: Employee.self) }
        try await store.sync(item: #"{"id": 9, "manager_id": 2}"#, as: Employee.self)
      }
    }
  }

  @Test func requiredKeyAndContradictoryListSyncTheSameInAnyOrder() async throws {
    let crew = #", "name": "S", "crew": {"id": 7, "name": "C"}"#
    for isStored in [false, true] {
      try await expectSame(
        """
        {"id": 9, "name": "S", "crew_id": 1},
        {"id": 3, "name": "S", "crew": {"id": 1, "name": "N", "sailors": [3]}}
        """, as: Sailor.self, fields: crew
      ) { store in
        try await store.sync(
          item: #"{"id": 2, "name": "B", "sailors": [{"id": 3, "name": "S"}, {"id": 9, "name": "S"}]}"#,
          as: Crew.self)
        guard isStored else { return }
        try await store.sync(item: #"{"id": 1, "name": "N"}"#, as: Crew.self)
      }
    }
  }

  @Test func requiredLinkWithNullAndListSyncsTheSameInAnyOrder() async throws {
    let crew = #", "name": "S", "crew": {"id": 7, "name": "C"}"#
    try await expectSame(
      """
      {"id": 9, "name": "S", "crew_id": null},
      {"id": 3, "name": "S", "crew": {"id": 1, "name": "N", "sailors": [3, {"id": 9, "name": "S"}]}}
      """, as: Sailor.self, fields: crew
    ) { store in
      try await store.sync(
        item: #"{"id": 1, "name": "N", "sailors": [{"id": 3, "name": "S"}, {"id": 9, "name": "S"}]}"#,
        as: Crew.self)
    }
  }

  @Test func unstampedObjectAndPendingLinkSyncTheSameInAnyOrder() async throws {
    try await expectSame(
      """
      {"id": 9, "title": "T", "flag_id": 1},
      {"id": 5, "title": "T", "stamp": "2025-03-01T00:00:00Z", "flag_id": 99}
      """, as: Post.self, fields: #", "title": "T", "stamp": "2025-01-01T00:00:00Z""#
    ) { store in
      try await store.sync(item: #"{"id": 1}"#, as: Flag.self)
      for id in [5, 9] {
        try await store.sync(
          item: #"{"id": \#(id), "title": "T", "stamp": "2025-01-01T00:00:00Z", "flag_id": 1}"#, as: Post.self
        )
      }
    }
  }

  @Test func unstampedObjectsSyncTheSameInAnyOrder() async throws {
    try await expectSame(
      """
      {"id": 9, "title": "T", "flag": {"id": 1}}, {"id": 5, "title": "T", "flag": {"id": 1}}
      """, as: Post.self, fields: #", "title": "T", "stamp": "2025-01-01T00:00:00Z""#
    ) { store in
      for id in [5, 9] {
        try await store.sync(
          item: #"{"id": \#(id), "title": "T", "stamp": "2025-01-01T00:00:00Z", "flag": {"id": 1}}"#,
          as: Post.self)
      }
    }
  }

  @Test func twoStaleListsOfARowSyncTheSameInAnyOrder() async throws {
    let post = #""post": {"id": 1, "title": "P", "stamp": "2025-01-01T00:00:00Z""#
    try await expectSame(
      """
      {"id": 5, "text": "C", "stamp": "2025-02-01T00:00:00Z", \(post), "comments": [7]}},
      {"id": 4, "text": "C", "stamp": "2025-02-01T00:00:00Z", \(post), "comments": [8]}},
      {"id": 7, "text": "C", "stamp": "2025-02-01T00:00:00Z", "post_id": 1},
      {"id": 8, "text": "C", "stamp": "2025-02-01T00:00:00Z", "post_id": 1}
      """, as: Comment.self, fields: #", "text": "C", "stamp": "2025-01-01T00:00:00Z""#
    ) { store in
      for id in [1, 2] {
        try await store.sync(
          item: #"{"id": \#(id), "title": "P", "stamp": "2025-01-01T00:00:00Z"}"#, as: Post.self)
      }
      for id in [4, 5, 7, 8] {
        try await store.sync(
          item:
            #"{"id": \#(id), "text": "C", "stamp": "2025-01-01T00:00:00Z", "post_id": \#(id < 7 ? 1 : 2)}"#,
          as: Comment.self)
      }
    }
  }
}
