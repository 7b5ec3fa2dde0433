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

  /// A list that is as stored is not read row by row, but the keys of its rows count.
  @Test func keyInAnUnchangedListIsPendingAgain() async throws {
    let store = try TextStore(
      """
      model Node { id: Int; notes: [Note] }
      model Note { id: Int; node: Node?; @Relationship(inverse: nil) about: Node? }
      """)
    let first = #"{"id": 1, "notes": [{"id": 5, "about_id": 3}]}"#
    try await store.sync(#"[\#(first), {"id": 3}]"#, as: "Node")
    let report = try await store.sync(pages: pages(["[\(first)]", #"[{"id": 2}]"#]), as: "Node")
    #expect(report.waiting.map(\.targetIdentity) == ["3"])
    try await store.sync(#"{"id": 3}"#, as: "Node")
    #expect(try await store.rows("SELECT about FROM Note") == ["3"])
  }

  /// A later page names the owner without the list, and has a list of another relationship that only adds.
  @Test func rowsLeftOutOfAListAreDeletedDespiteListsThatOnlyAdd() async throws {
    let store = try TextStore(
      """
      model Order {
        id: Int
        name: String
        @Relationship(missing: .delete) lines: [Line]
        @Relationship(inverse: nil) previous: Order?
        @Relationship(inverse: \\Tag.orders, missing: .keep) tags: [Tag]
      }
      model Line { id: Int; order: Order? }
      model Tag { id: Int; orders: [Order] }
      """)
    try await store.sync(#"[{"id": 1, "name": "a", "lines": [{"id": 1}, {"id": 2}]}]"#, as: "Order")
    let texts = [
      #"[{"id": 1, "name": "a", "lines": [{"id": 1}]}]"#,
      #"[{"id": 2, "name": "b", "tags": [{"id": 1}], "previous": {"id": 1, "name": "a"}}]"#,
    ]
    try await store.sync(pages: pages(texts), as: "Order")
    #expect(try await store.rows("SELECT id FROM Line") == ["1"])
  }

  /// A later page names the owner without the list, and has a list of the same relationship that only adds.
  @Test func rowsLeftOutOfAListAreDeletedDespiteAnIncompleteListOfAnotherRow() async throws {
    let store = try TextStore(
      """
      model Order {
        id: Int
        name: String
        @Relationship(missing: .delete) lines: [Line]
        @Relationship(inverse: nil) previous: Order?
      }
      model Line { id: Int; order: Order? }
      """)
    try await store.sync(#"[{"id": 1, "name": "a", "lines": [{"id": 1}, {"id": 2}]}]"#, as: "Order")
    let texts = [
      #"[{"id": 1, "name": "a", "lines": [{"id": 1}]}]"#,
      #"""
      [{"id": 2, "name": "b", "lines": [{"id": 3}, {"no": "identity"}], "previous": {"id": 1, "name": "a"}}]
      """#,
    ]
    let report = try await store.sync(pages: pages(texts), as: "Order")
    #expect(report.deleted == 1)
    #expect(try await store.rows("SELECT id FROM Line ORDER BY id") == ["1", "3"])
  }

  /// A later page has the list again: it replaces the earlier one.
  @Test(arguments: [#"[{"id": 1}, {"id": 2}]"#, #"[{"id": 2}, {"no": "identity"}]"#])
  func rowsLeftOutOfAListStayIfALaterPageHasThem(lines: String) async throws {
    let store = try TextStore(
      """
      model Order {
        id: Int
        @Relationship(missing: .delete) lines: [Line]
        @Relationship(inverse: nil) previous: Order?
      }
      model Line { id: Int; order: Order? }
      """)
    try await store.sync(#"[{"id": 1, "lines": [{"id": 1}, {"id": 2}]}]"#, as: "Order")
    let texts = [
      #"[{"id": 1, "lines": [{"id": 1}]}]"#, #"[{"id": 2, "previous": {"id": 1, "lines": \#(lines)}}]"#,
    ]
    let report = try await store.sync(pages: pages(texts), as: "Order")
    #expect(report.deleted == 0 && report.unlinked == 0)
    #expect(try await store.rows("SELECT id, \"order\" FROM Line ORDER BY id") == ["1 1", "2 1"])
  }

  @Test(arguments: [true, false])
  func rowOfAnotherPageThatRequiresItsOwnerIsReportedAsKept(isPaged: Bool) async throws {
    let store = try TextStore(
      """
      model Order {
        id: Int
        @Relationship(missing: .delete) lines: [Line]
        @Relationship(inverse: nil) featured: Line?
      }
      model Line { id: Int; name: String?; order: Order }
      """)
    try await store.sync(#"[{"id": 1, "lines": [{"id": 1}, {"id": 2}]}]"#, as: "Order")
    let rows = [
      #"{"id": 1, "lines": [{"id": 1}]}"#, #"{"id": 2, "lines": [], "featured": {"id": 2, "name": "x"}}"#,
    ]
    let report =
      isPaged
      ? try await store.sync(pages: pages(rows.map { "[\($0)]" }), as: "Order")
      : try await store.sync("[\(rows.joined(separator: ", "))]", as: "Order")
    #expect(report.problems.map(\.action) == [.keptRow])
    #expect(report.deleted == 0)
    #expect(try await store.rows("SELECT id, \"order\" FROM Line ORDER BY id") == ["1 1", "2 1"])
  }

  /// As in one payload, what the call does to rows that are missing from its list comes first, also once they are marked.
  @Test func rowMissingFromPagesAndANestedListStaysSoftDeleted() async throws {
    let store = try TextStore(
      """
      @SoftDelete(\\.deletedAt) model Item { id: Int; deletedAt: Date?; folder: Folder? }
      model Folder { id: Int; @Relationship(missing: .delete) items: [Item] }
      """)
    try await store.sync(#"[{"id": 1, "folder": {"id": 7}}, {"id": 2}]"#, as: "Item")
    let texts = [#"[{"id": 2, "folder": {"id": 7, "item_ids": [2]}}]"#]
    #expect(try await store.sync(pages: pages(texts), as: "Item").softDeleted == 1)
    #expect(try await store.sync(pages: pages(texts), as: "Item").isUnchanged)
    #expect(try await store.rows("SELECT id FROM Item ORDER BY 1") == ["1", "2"])
  }

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

  /// Syncs pages of photos.
  private func sync(photos texts: [String], in store: TextStore) async throws -> SyncReport {
    try await store.sync(pages: pages(texts), as: "Photo")
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

  // MARK: Nested rows of other models

  private static let galleries = """
    model Album {
      id: Int
      @Relationship(inverse: \\Photo.album, missing: .delete) photos: [Photo]
      @Relationship(inverse: nil) cover: Photo?
    }
    model Photo {
      id: Int
      album: Album?
      @Relationship(deleteRule: .cascade) notes: [Note]
    }
    model Note { id: Int; photo: Photo? }
    """

  private func makeGallery() async throws -> TextStore {
    let store = try TextStore(PagedDeletionTests.galleries)
    try await store.sync(
      #"""
      [{"id": 1, "photos": [{"id": 5, "notes": [{"id": 50}]}, {"id": 6, "notes": [{"id": 60}]}]}, {"id": 2}]
      """#)
    return store
  }

  @Test func missingMemberThatAnEarlierPageContainsIsOnlyUnlinked() async throws {
    let store = try await makeGallery()
    let texts = [#"[{"id": 2, "cover": {"id": 5}}]"#, #"[{"id": 1, "photos": [{"id": 6}]}]"#]
    let report = try await store.sync(pages: pages(texts))
    #expect(try await store.rows("SELECT id FROM Photo ORDER BY id") == ["5", "6"])
    #expect(try await store.rows("SELECT id FROM Note ORDER BY id") == ["50", "60"])
    #expect(report.deleted == 0 && report.unlinked == 1)
    #expect(try await store.sync(pages: pages(texts)).isUnchanged)
  }

  @Test func missingMemberThatALaterPageContainsIsOnlyUnlinked() async throws {
    let store = try await makeGallery()
    let report = try await store.sync(
      pages: pages([#"[{"id": 1, "photos": [{"id": 6}]}]"#, #"[{"id": 2, "cover": {"id": 5}}]"#]))
    #expect(try await store.rows("SELECT id FROM Photo ORDER BY id") == ["5", "6"])
    #expect(report.deleted == 0 && report.unlinked == 1)
  }

  @Test func cascadeKeepsNestedRowsOfEarlierPages() async throws {
    let store = try await makeGallery()
    // Photo 5 is missing. Its note 50 would go with it, but the first page contains the note.
    let report = try await sync(
      photos: [#"[{"id": 6, "notes": [{"id": 60}, {"id": 50}]}]"#, #"[{"id": 7}]"#], in: store)
    #expect(try await store.rows("SELECT id, photo FROM Note ORDER BY id") == ["50 6", "60 6"])
    #expect(report.deleted == 1)
  }

  @Test func cascadeKeepsRowsNestedInOtherRowsOfEarlierPages() async throws {
    let store = try TextStore(
      """
      model Folder { id: Int; @Relationship(deleteRule: .cascade) files: [File]; pinned: [Pin] }
      model File { id: Int; folder: Folder? }
      model Pin { id: Int; folder: Folder?; file: File? }
      """)
    try await store.sync(#"[{"id": 1, "files": [{"id": 5}, {"id": 6}]}, {"id": 2}]"#)
    let texts = [#"[{"id": 2, "pinned": [{"id": 9, "file": {"id": 5}}]}]"#, #"[{"id": 3}]"#]
    let report = try await store.sync(pages: pages(texts))
    #expect(try await store.rows("SELECT id, folder FROM File") == ["5 -"])
    #expect(report.deleted == 2)
    #expect(try await store.sync(pages: pages(texts)).isUnchanged)
  }

  @Test func interruptedRunKeepsNestedRowsOfItsFirstPart() async throws {
    let store = try TextStore(
      """
      model Folder { id: Int; @Relationship(deleteRule: .cascade) files: [File]; pinned: [Pin] }
      model File { id: Int; folder: Folder? }
      model Pin { id: Int; folder: Folder?; file: File? }
      """)
    try await store.sync(#"[{"id": 1, "files": [{"id": 5}, {"id": 6}]}, {"id": 2}]"#)
    _ = try await store.sync(
      pages: [SyncPage(#"[{"id": 2, "pinned": [{"id": 9, "file": {"id": 5}}]}]"#, cursor: "a", isLast: false)]
    )
    let report = try await store.sync(pages: [SyncPage(#"[{"id": 3}]"#)], from: "a")
    #expect(try await store.rows("SELECT id, folder FROM File") == ["5 -"])
    #expect(report.deleted == 2)
  }

  // MARK: Links to deleted rows

  private static let tree = """
    model Node {
      id: Int
      name: String?
      @Relationship(inverse: nil) up: Node?
      @Relationship(inverse: nil) friends: [Node]
    }
    """

  private static let waiting =
    #"SELECT "owner", "ownerID", "relationship", "targetID" FROM syncline_pending_link ORDER BY 1, 2, 3, 4"#

  @Test func linkToARowOnNoPageIsPendingAgain() async throws {
    let payload = #"[{"id": 1, "up_id": 3, "friend_ids": [2, 3]}, {"id": 2, "up_id": 1}]"#
    var found: [[String]] = []
    for isPaged in [false, true] {
      let store = try TextStore(PagedDeletionTests.tree)
      try await store.sync(
        #"[{"id": 1, "up_id": 3, "friend_ids": [2, 3]}, {"id": 2, "up_id": 3}, {"id": 3}]"#)
      let report =
        isPaged
        ? try await store.sync(
          pages: pages([
            #"[{"id": 1, "up_id": 3, "friend_ids": [2, 3]}]"#, #"[{"id": 2, "up_id": 1}]"#,
          ]))
        : try await store.sync(payload)
      #expect(report.deleted == 1 && report.waiting.count == 2)
      #expect(report.waiting.allSatisfy { $0.path.contains("up_id") || $0.path.contains("friend_ids") })
      found.append(try await store.rows(PagedDeletionTests.waiting))
      _ = try await store.sync(item: #"{"id": 3}"#)
      #expect(try await store.rows("SELECT id, up FROM Node ORDER BY id") == ["1 3", "2 1", "3 -"])
      let friends = #"SELECT "source", "target" FROM "Node.friends" ORDER BY 1, 2"#
      #expect(try await store.rows(friends) == ["1 2", "1 3"])
    }
    #expect(found[0] == ["Node 1 friends 3", "Node 1 up 3"])
    #expect(found[0] == found[1])
  }

  @Test func linkThatNoPageStatesIsNotPending() async throws {
    let store = try TextStore(PagedDeletionTests.tree)
    try await store.sync(#"[{"id": 1, "up_id": 3}, {"id": 2, "up_id": 3}, {"id": 3}]"#)
    let report = try await store.sync(
      pages: pages([#"[{"id": 1, "name": "a"}]"#, #"[{"id": 2, "up_id": null}]"#]))
    #expect(report.deleted == 1 && report.waiting == [])
    #expect(try await store.rows(PagedDeletionTests.waiting) == [])
  }

  @Test func linkToARowOfALaterPageStays() async throws {
    let store = try TextStore(PagedDeletionTests.tree)
    try await store.sync(#"[{"id": 1, "up_id": 3}, {"id": 3}]"#)
    let report = try await store.sync(pages: pages([#"[{"id": 1, "up_id": 3}]"#, #"[{"id": 3}]"#]))
    #expect(report.isUnchanged && report.waiting == [])
  }

  @Test func repeatedPagesChangeNothing() async throws {
    let store = try await makeThread()
    let texts = [#"[{"id": 3}]"#, #"[{"id": 4, "parent_id": 3}]"#]
    _ = try await sync(texts, in: store)
    #expect(try await store.rows(PagedDeletionTests.parents) == ["3 -", "4 3"])
    #expect(try await sync(texts, in: store).isUnchanged)
  }
}
