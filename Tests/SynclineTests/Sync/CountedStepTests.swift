import Syncline
import TestSupport
import Testing

extension CountedWork {
  /// The work of a sync of one item, and of one parent's rows. It must depend only on the payload, not on the size of the store.
  @Suite struct Steps {
    private let folder = TemporaryFolder()

    /// Expects equal numbers of instructions, and a difference in pages that only a greater depth of the B-trees explains.
    private func expectSameWork(
      _ small: Work, _ large: Work, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
      #expect(large.steps == small.steps, "\(name)\n\(small)\n\(large)", sourceLocation: sourceLocation)
      #expect(large.scans.isEmpty, "\(name)\n\(large)", sourceLocation: sourceLocation)
      #expect(large.changes == small.changes, "\(name)", sourceLocation: sourceLocation)
      #expect(
        large.pagesRead <= small.pagesRead + 2 * large.runs, "\(name)\n\(small)\n\(large)",
        sourceLocation: sourceLocation)
    }

    private func expectSameWork<Model: SyncUpdatableModel>(
      of items: [(name: String, json: String)], as model: Model.Type, _ small: SyncContainer,
      _ large: SyncContainer
    ) async throws {
      for item in items {
        let work = try await small.work { try await small.sync(item: item.json, as: model) }
        let largeWork = try await large.work { try await large.sync(item: item.json, as: model) }
        expectSameWork(work, largeWork, item.name)
      }
    }

    @Test func workOfItemWithRelationshipsIsIndependentOfStoreSize() async throws {
      let small = try await makeTracker(100, in: folder)
      let large = try await makeTracker(10_000, in: folder)
      let nested = """
        {"id": 60, "assignee": {"id": 60, "name": "U60"},
         "tags": [{"id": 60, "name": "G60"}, {"id": 59, "name": "G59"}, {"id": 58, "name": "G58"}]}
        """
      let nestedAndChanged = """
        {"id": 60, "assignee": {"id": 60, "name": "changed"},
         "tags": [{"id": 60, "name": "changed"}, {"id": 20000, "name": "new"}, {"id": 58, "name": "G58"}]}
        """
      let newAndNested = """
        {"id": 20001, "title": "N", "assignee": {"id": 20001, "name": "new"}, "project_id": 1,
         "tags": [{"id": 20001, "name": "new"}, {"id": 1, "name": "G1"}]}
        """
      let items = #"{"id": 61, "items": [{"id": "a", "title": "A"}, {"id": "b", "title": "B"}]}"#
      try await expectSameWork(
        of: [
          ("unchanged", trackerTask(50)),
          ("changed", trackerTask(50, title: "changed")),
          ("linked to another row", #"{"id": 50, "project_id": 2, "assignee_id": 51}"#),
          ("new", #"{"id": 20000, "title": "N", "project_id": 1, "assignee_id": 7, "tag_ids": [7, 8, 9]}"#),
          ("unchanged nested rows", nested),
          ("changed and new nested rows", nestedAndChanged),
          ("new with nested rows", newAndNested),
          ("new children", items),
          ("unchanged children", items),
          ("a parent of all tasks", #"{"id": 61, "project": {"id": 1, "name": "changed"}}"#),
        ], as: Task.self, small, large)
    }

    /// Deleting a row of a chain also deletes the next one.
    @Test func deletingAChainTakesTheSameWorkForEachRow() async throws {
      func steps(_ count: Int) async throws -> Int {
        let store = try makeStore(in: folder)
        let rows = payload(1...count) { #"{"id": \#($0), "next_id": \#($0 - 1)}"# }
        try await store.sync(payload: rows, as: Carriage.self)
        return try await store.work { try await store.sync(payload: "[]", as: Carriage.self) }.steps
      }
      let small = try await steps(30)
      #expect(try await steps(300) < small * 15)
    }

    @Test func workOfItemWithTextIdentityIsIndependentOfStoreSize() async throws {
      func fill(_ count: Int) async throws -> SyncContainer {
        let store = try makeStore(in: folder)
        let rows = payload(1...count) { #"{"id": "key-\#($0)", "name": "N", "parent_id": "key-1"}"# }
        try await store.sync(payload: rows, as: Category.self)
        return store
      }
      let small = try await fill(100)
      let large = try await fill(10_000)
      try await expectSameWork(
        of: [
          ("unchanged", #"{"id": "key-50", "name": "N", "parent_id": "key-1"}"#),
          ("changed", #"{"id": "key-50", "name": "changed"}"#),
          ("linked to another row", #"{"id": "key-50", "parent_id": "key-2"}"#),
          ("new", #"{"id": "new", "name": "N", "parent_id": "key-3"}"#),
          ("nested", #"{"id": "key-51", "parent": {"id": "key-1", "name": "changed"}}"#),
        ], as: Category.self, small, large)
    }

    @Test func workOfAnItemIsIndependentOfPendingLinkCount() async throws {
      func fill(_ count: Int) async throws -> SyncContainer {
        let store = try makeStore(in: folder)
        let rows = payload(1...count) { #"{"id": \#($0), "title": "T", "assignee_id": \#($0)}"# }
        try await store.sync(payload: rows, as: Task.self)
        return store
      }
      let small = try await fill(10)
      let large = try await fill(1000)
      try await expectSameWork(
        of: [
          ("another model's", #"{"id": 1, "name": "P"}"#),
          ("the same, unchanged", #"{"id": 1, "name": "P"}"#),
        ], as: Project.self, small, large)
      try await expectSameWork(
        of: [("the row that some wait for", #"{"id": 5, "name": "U"}"#)], as: User.self, small, large)
    }

    // MARK: The rows of one parent

    /// A hundred rows of one parent, between rows of another parent.
    private struct Scope {
      let children = Array(stride(from: 5, through: 500, by: 5))
      let others: [Int]

      init(others count: Int) {
        others = Array((1...(count + 100)).filter { $0 > 500 || $0 % 5 != 0 })
      }
    }

    /// Expects that syncing one parent's rows takes the same work with 500 other rows as with 10,000.
    private func expectWorkOfTheScopeAlone(
      _ object: (Int, _ title: String) -> String,
      fill: (SyncContainer, _ payload: String, _ parent: Int) async throws -> Void
    ) async throws {
      func store(_ scope: Scope) async throws -> SyncContainer {
        let store = try makeStore(in: folder)
        // Each of them is the parent of some rows.
        let parents = payload(1...2) { #"{"id": \#($0), "name": "P", "title": "P"}"# }
        try await store.sync(payload: parents, as: Project.self)
        try await store.sync(payload: parents, as: Board.self)
        try await store.sync(payload: parents, as: Task.self)
        try await fill(store, payload(scope.others) { object($0, "T") }, 2)
        try await fill(store, payload(scope.children) { object($0, "T") }, 1)
        return store
      }
      let scope = Scope(others: 500)
      let small = try await store(scope)
      let large = try await store(Scope(others: 10_000))
      func changed(_ id: Int) -> String { object(id, id % 50 == 0 ? "changed" : "T") }
      let payloads = [
        ("unchanged", payload(scope.children) { object($0, "T") }),
        ("changed", payload(scope.children, changed)),
        ("removed", payload(scope.children.dropFirst(10), changed)),
        ("new", payload(scope.children.dropFirst(10) + (20_001..<20_011), changed)),
      ]
      for (name, payload) in payloads {
        let work = try await small.work { try await fill(small, payload, 1) }
        let largeWork = try await large.work { try await fill(large, payload, 1) }
        expectSameWork(work, largeWork, name)
      }
    }

    @Test func workOfAParentsRowsIsIndependentOfOtherRows() async throws {
      try await expectWorkOfTheScopeAlone({ #"{"id": \#($0), "title": "\#($1)"}"# }) {
        store, payload, parent in
        try await store.sync(payload: payload, as: Task.self, parent: parent, relationship: \.project)
      }
    }

    @Test func workOfRowsWithTextIdentitiesIsIndependentOfOtherRows() async throws {
      try await expectWorkOfTheScopeAlone({ #"{"id": "key-\#($0)", "title": "\#($1)"}"# }) {
        store, payload, parent in
        try await store.sync(payload: payload, as: Item.self, parent: parent, relationship: \.task)
      }
    }

    @Test func workOfParentScopedRowsIsIndependentOfOtherRows() async throws {
      try await expectWorkOfTheScopeAlone({ #"{"id": \#($0), "title": "\#($1)"}"# }) {
        store, payload, parent in
        try await store.sync(payload: payload, as: Column.self, parent: parent, relationship: \.board)
      }
    }
  }
}
