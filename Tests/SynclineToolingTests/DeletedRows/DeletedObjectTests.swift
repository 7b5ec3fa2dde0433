import Syncline
import Testing

/// Objects of deleted rows that are nested in others: they link nothing.
@Suite struct DeletedObjectTests {
  private func store() async throws -> TextStore {
    let store = try TextStore(
      """
      model Post {
        id: Int
        author: Author?
        comments: [Comment]
      }
      @Deleted("gone") model Author { id: Int; name: String }
      @Deleted("gone") model Comment { id: Int; text: String; post: Post? }
      """)
    try await store.sync(
      item: #"""
        {"id": 1, "author": {"id": 3, "name": "A"}, "comments": [{"id": 1, "text": "a"}, {"id": 2, "text": "b"}]}
        """#)
    return store
  }

  @Test(arguments: [
    #"{"id": 1, "author": {"id": 3, "gone": true}}"#,
    #"{"id": 1, "author_id": 3, "author": {"id": 3, "gone": true}}"#,
    #"{"id": 1, "author_id": 3, "author": {"gone": true}}"#,
  ])
  func deletedObjectClearsToOne(item: String) async throws {
    let store = try await store()
    let report = try await store.sync(item: item)
    #expect(try await store.rows("SELECT id, author FROM Post ORDER BY 1") == ["1 -"])
    #expect(try await store.rows("SELECT id FROM Author ORDER BY 1").isEmpty)
    #expect(report.deleted == 1)
    #expect(report.waiting.isEmpty)
    #expect(report.problems.isEmpty)
    #expect(try await store.sync(item: item).isUnchanged)
  }

  /// A row of another parent has the identity of the new row.
  @Test func deletedObjectInANewScopedRowIsNotInserted() async throws {
    let store = try TextStore(
      """
      model Board { id: Int; lanes: [Lane] }
      @ParentScoped(\\.board) model Lane { id: Int; board: Board; owner: User? }
      @Deleted("gone") model User { id: Int; name: String? }
      """)
    try await store.sync(item: #"{"id": 1, "lanes": [{"id": 1}]}"#)
    try await store.sync(
      #"[{"id": 1}, {"id": 2, "lanes": [{"id": 1, "owner": {"id": 9, "gone": true}}]}]"#, operations: .insert)
    #expect(try await store.rows("SELECT board, id, owner FROM Lane ORDER BY 1") == ["1 1 -", "2 1 -"])
    #expect(try await store.rows("SELECT id FROM User").isEmpty)
  }

  /// It links nothing either, but no row is deleted for it.
  @Test func deletedObjectWithoutIdentityLinksNothing() async throws {
    let store = try TextStore(
      """
      model Post {
        id: Int
        author: Author?
        @Relationship(by: \\Author.code) editor: Author?
        @Relationship(inverse: nil, by: \\Author.code) readers: [Author]
      }
      @Deleted("gone") model Author { id: Int; @Unique code: String? }
      """)
    try await store.sync(#"[{"id": 3, "code": "a"}]"#, as: "Author")
    try await store.sync(item: #"{"id": 1, "author": 3, "editor": "a", "readers": ["a"]}"#)
    let item = #"""
      {"id": 1, "author": {"code": "z", "gone": true}, "editor": {"code": "a", "gone": true},
       "readers": [{"code": "a", "gone": true}, {"code": "new", "gone": true}]}
      """#
    let report = try await store.sync(item: item)
    #expect(report.problems.isEmpty && report.waiting.isEmpty)
    #expect(try store.values(of: "Post", "author", "editor", "readers") == [[nil, nil, []]])
    #expect(try store.values(of: "Author", "id", "code") == [[3, "a"]])
    #expect(try await store.sync(item: item).isUnchanged)
  }

  @Test func unknownDeletedObjectLeavesNoPendingLink() async throws {
    let store = try await store()
    let item = #"{"id": 1, "author": {"id": 8, "gone": true}, "comments": [{"id": 9, "gone": true}]}"#
    let report = try await store.sync(item: item)
    #expect(report.waiting.isEmpty)
    #expect(try await store.rows("SELECT id, author FROM Post ORDER BY 1") == ["1 -"])
    try await store.sync(item: #"{"id": 8, "name": "late"}"#, as: "Author")
    try await store.sync(item: #"{"id": 9, "text": "late"}"#, as: "Comment")
    #expect(try await store.rows("SELECT id, author FROM Post ORDER BY 1") == ["1 -"])
    #expect(try await store.rows("SELECT id, post FROM Comment ORDER BY 1") == ["1 -", "2 -", "9 -"])
  }

  @Test func deletedObjectIsRemovedFromToMany() async throws {
    let store = try await store()
    let item = #"{"id": 1, "comments": [{"id": 1, "text": "a"}, {"id": 2, "gone": true}]}"#
    let report = try await store.sync(item: item)
    #expect(try await store.rows("SELECT id, text, post FROM Comment ORDER BY 1") == ["1 a 1"])
    #expect(report.deleted == 1)
    #expect(report.waiting.isEmpty)
    #expect(try await store.sync(item: item).isUnchanged)
  }

  @Test func nestedRowIsDeletedOnlyWithDeleteOperation() async throws {
    let store = try await store()
    let item = #"""
      {"id": 1, "author": {"id": 3, "gone": true}, "comments": [{"id": 2, "gone": true}, {"id": 7, "gone": true}]}
      """#
    #expect(try await store.sync(item: item, operations: [.insert, .update]).isUnchanged)
    #expect(try await store.rows("SELECT id, author FROM Post ORDER BY 1") == ["1 3"])
    #expect(try await store.rows("SELECT id, name FROM Author ORDER BY 1") == ["3 A"])
    #expect(try await store.rows("SELECT id, post FROM Comment ORDER BY 1") == ["1 1", "2 1"])
    try await store.sync(item: item, operations: [.update, .delete])
    #expect(try await store.rows("SELECT id, author FROM Post ORDER BY 1") == ["1 -"])
    #expect(try await store.rows("SELECT id FROM Author ORDER BY 1").isEmpty)
    #expect(try await store.rows("SELECT id, post FROM Comment ORDER BY 1") == ["1 -"])
  }

  @Test func topLevelRowIsDeletedWithoutDeleteOperation() async throws {
    let store = try await store()
    try await store.sync(
      #"[{"id": 3, "gone": true}]"#, as: "Author", operations: [], policy: DeletionPolicy.none)
    #expect(try await store.rows("SELECT id FROM Author ORDER BY 1").isEmpty)
    #expect(try await store.rows("SELECT id, author FROM Post ORDER BY 1") == ["1 -"])
  }

  @Test func keyOfRowDeletedByPayloadBecomesPending() async throws {
    let store = try await store()
    let payload = #"[{"id": 1, "author_id": 3}, {"id": 2, "author": {"id": 3, "gone": true}}]"#
    let report = try await store.sync(payload)
    #expect(try await store.rows("SELECT id, author FROM Post ORDER BY 1") == ["1 -", "2 -"])
    #expect(report.waiting.map(\.targetIdentity) == ["3"])
    try await store.sync(item: #"{"id": 3, "name": "back"}"#, as: "Author")
    #expect(try await store.rows("SELECT id, author FROM Post ORDER BY 1") == ["1 3", "2 -"])
  }

  @Test func deletedObjectClearsUnionOfAnyCase() async throws {
    let store = try TextStore(
      """
      model Pin { id: Int; subject: Subject? }
      union Subject on "type" { case photo: Photo; case film: Film }
      @Deleted("gone") model Photo { id: Int; url: String }
      @Deleted("gone") model Film { id: Int; url: String }
      """)
    for (type, table) in [("photo", "Photo"), ("film", "Film")] {
      try await store.sync(item: #"{"id": 1, "subject": {"type": "\#(type)", "id": 2, "url": "u"}}"#)
      #expect(try await store.rows("SELECT id FROM \(table) ORDER BY 1") == ["2"])
      let item = #"{"id": 1, "subject": {"type": "\#(type)", "id": 2, "gone": true}}"#
      let report = try await store.sync(item: item)
      #expect(try await store.rows("SELECT id FROM \(table) ORDER BY 1").isEmpty)
      #expect(report.waiting.isEmpty)
      #expect(try await store.export().contains(#""subject":null"#))
      #expect(try await store.sync(item: item).isUnchanged)
    }
    try await store.sync(item: #"{"id": 1, "subject": {"type": "photo", "id": 2, "url": "u"}}"#)
    try await store.sync(item: #"{"id": 1, "subject": {"type": "film", "id": 5, "gone": true}}"#)
    #expect(try await store.export().contains(#""subject":null"#))
  }

  @Test func locallyEditedRowIsKeptDespiteDeletionMark() async throws {
    let store = try TextStore(#"@Offline @Deleted("gone") model Item { id: Int; name: String? }"#)
    try await store.sync(#"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]"#)
    try await store.container.database.write { db in
      try db.execute(sql: "UPDATE Item SET name = 'mine' WHERE id = 1")
    }
    for _ in 1...2 {
      try await store.sync(
        #"[{"id": 1, "gone": true}, {"id": 2, "gone": true}]"#, policy: DeletionPolicy.none)
      #expect(try await store.rows("SELECT id, name FROM Item ORDER BY 1") == ["1 mine"])
      try await store.sync(item: #"{"id": 1, "gone": true}"#)
      #expect(try await store.rows("SELECT id, name FROM Item ORDER BY 1") == ["1 mine"])
    }
  }

  // MARK: Stamps

  @Test(arguments: [
    (#", "updated_at": "2024-05-01T00:00:00Z""#, true), (#", "updated_at": "2024-05-02T00:00:00Z""#, false),
    (#", "updated_at": "2024-05-03T00:00:00Z""#, false), (#", "updated_at": "soon""#, false),
    (#", "updated_at": null"#, false), ("", false),
  ])
  func onlyADeletionWithAnOlderStampIsIgnored(stamp: String, isIgnored: Bool) async throws {
    let store = try TextStore(
      """
      @UpdatedAt(\\.updatedAt) @Deleted("gone")
      model Item { id: Int; name: String?; updatedAt: Date? }
      """)
    try await store.sync(#"[{"id": 1, "name": "a", "updated_at": "2024-05-02T00:00:00Z"}]"#)
    let payload = #"[{"id": 1, "gone": true\#(stamp)}]"#
    let report = try await store.sync(payload)
    #expect(try await store.rows("SELECT id, name FROM Item ORDER BY 1") == (isIgnored ? ["1 a"] : []))
    #expect([report.deleted, report.unchanged] == (isIgnored ? [0, 1] : [1, 0]))
    #expect(report.problems.isEmpty)
    #expect(try await store.sync(payload).isUnchanged)
  }

  @Test func ignoredDeletedObjectIsStillLinked() async throws {
    let store = try TextStore(
      """
      model Post { id: Int; author: Author? }
      @UpdatedAt(\\.updatedAt) @Deleted("gone")
      model Author { id: Int; updatedAt: Date? }
      """)
    try await store.sync(#"[{"id": 3, "updated_at": "2024-05-02T00:00:00Z"}]"#, as: "Author")
    let item = #"{"id": 1, "author": {"id": 3, "gone": true, "updated_at": "2024-05-01T00:00:00Z"}}"#
    try await store.sync(item: item)
    #expect(try await store.rows("SELECT id, author FROM Post ORDER BY 1") == ["1 3"])
    #expect(try await store.sync(item: item).isUnchanged)
  }

  /// A row of another parent is not deleted, unless another statement of the payload brings it to the call's parent.
  @Test(arguments: [("", ["1 7", "2 8"]), (#", "folder": {"id": 8, "item_ids": [1, 2]}"#, ["2 8"])])
  func syncOfParentDeletesOnlyRowsOfThatParent(folder: String, rows: [String]) async throws {
    let store = try TextStore(
      """
      @Deleted("gone") model Item { id: Int; folder: Folder? }
      model Folder { id: Int; items: [Item] }
      """)
    try await store.sync(#"[{"id": 7, "item_ids": [1]}, {"id": 8}]"#, as: "Folder")
    try await store.sync(#"[{"id": 1, "folder_id": 7}]"#, as: "Item", policy: DeletionPolicy.none)
    func sync<Item: SyncUpdatableModel, Folder: SyncUpdatableModel>(
      _ items: Item.Type, of folders: Folder.Type
    ) async throws -> SyncReport {
      try await store.container.sync(
        payload: #"[{"id": 1, "gone": true}, {"id": 2\#(folder)}]"#, as: items,
        parent: try #require(8 as? Folder.SyncID), relationship: Item.path(toOne: "folder", folders))
    }
    let (items, folders) = (try store.model("Item"), try store.model("Folder"))
    _ = try await sync(items, of: folders)
    #expect(try await store.rows("SELECT id, folder FROM Item ORDER BY 1") == rows)
    #expect(try await sync(items, of: folders).isUnchanged)
  }

  @Test func objectWithoutIdentityKeepsLinkToDeletedRowPending() async throws {
    let store = try TextStore(
      """
      model Author { id: Int; name: String?; @Relationship(inverse: nil) posts: [Post] }
      model Post { id: Int; reviewer: Author? }
      """)
    try await store.sync(#"[{"id": 4, "name": "Ann"}]"#, as: "Author")
    let changes = #"""
      {"created": [
        {"id": 5, "posts": [{"id": 1, "reviewer": {"id": 4}}]},
        {"id": 6, "posts": [{"id": 1, "reviewer": {"name": "Bea"}}]}], "deleted": [4]}
      """#
    let report = try await store.sync(changes: changes, as: "Author")
    #expect(report.waiting.map(\.targetIdentity) == ["4"])
    #expect(try await store.sync(changes: changes, as: "Author").isUnchanged)
    try await store.sync(item: #"{"id": 4}"#, as: "Author")
    #expect(try await store.rows("SELECT id, reviewer FROM Post") == ["1 4"])
  }

  /// The mark is older than the stored row and says nothing. But the list of deleted rows takes the row.
  @Test func olderObjectOfDeletedRowLinksNothing() async throws {
    let store = try TextStore(
      """
      model Post { id: Int; comments: [Comment] }
      @UpdatedAt(\\.updatedAt) @Deleted("gone") model Comment { id: Int; updatedAt: Date?; replyTo: Post? }
      """)
    try await store.sync(#"[{"id": 2, "updated_at": "2020-01-06"}]"#, as: "Comment")
    let changes = #"""
      {"created": [
        {"id": 1, "updated_at": "2020-01-01", "reply_to": {"id": 4, "comments": [{"id": 2, "gone": 1}]}},
        {"id": 2, "updated_at": "2020-01-03"}], "deleted": [2]}
      """#
    let report = try await store.sync(changes: changes, as: "Comment")
    #expect((report.deleted, report.waiting.count) == (1, 0))
    #expect(try await store.sync(changes: changes, as: "Comment").isUnchanged)
  }

  /// A row that is skipped says nothing, so a mark in it does not count, and what failed because of the mark does not fail.
  @Test func deletionMarkInSkippedRowIsIgnored() async throws {
    let store = try TextStore(
      """
      model Shelf { id: String; books: [Book] }
      @Deleted("gone") model Book {
        id: Int
        shelf: Shelf
        @Relationship(inverse: \\Book.after) before: [Book]
        @Relationship(inverse: \\Book.before) after: [Book]
      }
      """, SyncConfiguration(invalidRows: .skip))
    let payload = #"""
      [{"id": 3, "shelf": {"id": "a"}}, {"id": 1, "shelf_id": "a"}, {"id": 4, "before": [{"id": 3, "gone": true}]}]
      """#
    let report = try await store.sync(payload, as: "Book")
    #expect((report.inserted, report.skipped) == (3, 1))
    #expect(try await store.rows("SELECT id FROM Book ORDER BY 1") == ["1", "3"])
    #expect(try await store.sync(payload, as: "Book").isUnchanged)
  }

  /// What the call does to rows that are missing from its list comes before what a nested list does.
  @Test func rowMissingFromBothListsStaysSoftDeleted() async throws {
    let store = try TextStore(
      """
      @SoftDelete(\\.deletedAt) model Item { id: Int; deletedAt: Date?; folder: Folder? }
      model Folder { id: Int; @Relationship(missing: .delete) items: [Item] }
      """)
    try await store.sync(#"[{"id": 1, "folder": {"id": 7}}, {"id": 2}]"#, as: "Item")
    let payload = #"[{"id": 2, "folder": {"id": 7, "item_ids": [2]}}]"#
    #expect(try await store.sync(payload, as: "Item").softDeleted == 1)
    #expect(try await store.rows("SELECT id FROM Item ORDER BY 1") == ["1", "2"])
    #expect(try await store.sync(payload, as: "Item").isUnchanged)
    #expect(try await store.rows("SELECT id FROM Item ORDER BY 1") == ["1", "2"])
  }
}
