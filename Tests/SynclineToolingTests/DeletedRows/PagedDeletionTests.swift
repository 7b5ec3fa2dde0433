import Syncline
import SynclineInterpreter
import Testing

/// Delete rules at the end of a run of pages: the pages are one payload, so no rule deletes a row that one of them has.
@Suite struct PagedDeletionTests {
  private static let threads = """
    model Post { id: Int; comments: [Comment] }
    model Comment {
      id: Int
      post: Post?
      @Relationship(inverse: \\Comment.replies) parent: Comment?
      @Relationship(deleteRule: .cascade) replies: [Comment]
    }
    """

  private static let parents = "SELECT id, parent FROM Comment ORDER BY id"

  private func pages(_ texts: [String]) -> [SyncPage] { texts.map { SyncPage($0) } }

  private func makeThread() async throws -> TextStore {
    let store = try TextStore(PagedDeletionTests.threads)
    try await store.sync(
      #"[{"id": 1, "post": {"id": 9}}, {"id": 2, "parent_id": 1}, {"id": 3, "parent_id": 1, "post": {"id": 9}}]"#,
      as: "Comment")
    return store
  }

  /// Syncs pages of comments, of a post if one is given.
  private func sync(_ texts: [String], of post: Int? = nil, in store: TextStore) async throws -> SyncReport {
    guard let post else { return try await store.sync(pages: pages(texts), as: "Comment") }
    func sync<Comment: SyncUpdatableModel, Post: SyncUpdatableModel>(
      _ comment: Comment.Type, _ owner: Post.Type
    ) async throws -> SyncReport {
      let stream = AsyncStream<SyncPage> { source in
        for page in pages(texts) { source.yield(page) }
        source.finish()
      }
      return try await store.container.sync(
        pages: stream, as: comment, parent: try #require(post as? Post.SyncID),
        relationship: Comment.path(toOne: "post", owner))
    }
    return try await sync(store.model("Comment"), store.model("Post"))
  }

  @Test func cascadeKeepsRowsOfEarlierPages() async throws {
    let store = try await makeThread()
    let report = try await sync([#"[{"id": 3}]"#, "[]"], in: store)
    #expect(try await store.rows(PagedDeletionTests.parents) == ["3 -"])
    #expect(report.deleted == 2 && report.unlinked == 1 && report.problems == [])
  }

  @Test func cascadeKeepsNewRowsOfPages() async throws {
    let store = try await makeThread()
    let report = try await sync([#"[{"id": 4, "parent_id": 1}]"#, #"[{"id": 3}]"#], in: store)
    #expect(try await store.rows(PagedDeletionTests.parents) == ["3 -", "4 -"])
    #expect(report.inserted == 1 && report.deleted == 2)
  }

  @Test func missingRowRequiredByARowOfAPageIsKept() async throws {
    let store = try TextStore("model Node { id: Int; root: Node }")
    try await store.sync(#"[{"id": 1, "root_id": 1}, {"id": 2, "root_id": 1}, {"id": 3, "root_id": 3}]"#)
    let report = try await store.sync(pages: pages([#"[{"id": 2}]"#, #"[{"id": 4, "root_id": 3}]"#]))
    #expect(try await store.rows("SELECT id, root FROM Node ORDER BY id") == ["1 1", "2 1", "3 3", "4 3"])
    #expect(report.deleted == 0)
    #expect(report.problems.map(\.action) == [.keptRow, .keptRow])
  }

  @Test func cascadeDeletesRowsOfOtherParents() async throws {
    let store = try await makeThread()
    _ = try await store.sync(item: #"{"id": 8}"#, as: "Post")
    // Comment 2 belongs to no post: it goes with the comment that it replies to. The pages have 3, and bring 4.
    let report = try await sync([#"[{"id": 4, "parent_id": 1}]"#, #"[{"id": 3}]"#], of: 9, in: store)
    #expect(try await store.rows(PagedDeletionTests.parents) == ["3 -", "4 -"])
    #expect(report.deleted == 2)
  }

  @Test func repeatedPagesChangeNothing() async throws {
    let store = try await makeThread()
    let texts = [#"[{"id": 3}]"#, #"[{"id": 4, "parent_id": 3}]"#]
    _ = try await sync(texts, in: store)
    #expect(try await store.rows(PagedDeletionTests.parents) == ["3 -", "4 3"])
    #expect(try await sync(texts, in: store).isUnchanged)
  }
}
