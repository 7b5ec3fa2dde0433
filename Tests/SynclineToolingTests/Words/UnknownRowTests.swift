import Syncline
import Testing

/// `@Relationship(unknown: .create)`: a key is the whole row where nothing but the identity is required.
@Suite struct UnknownRowTests {
  private static let schema = #"""
    model Article {
      id: Int
      title: String
      @Relationship(inverse: \Tag.articles, unknown: .create) tags: [Tag]
    }
    model Tag {
      @PrimaryKey name: String
      @NotExport articles: [Article]
      color: String?
      rank: Int = 1
    }
    """#

  private static let payload =
    #"[{"id": 1, "title": "A", "tags": ["swift", "ios"]}, {"id": 2, "title": "B", "tags": ["swift"]}]"#

  private func tags(_ store: TextStore) throws -> [[SyncJSON?]] {
    try store.rows(of: "Tag").map { [$0["name"], $0["articles"]] }
  }

  @Test func unknownKeyCreatesItsRow() async throws {
    let store = try TextStore(UnknownRowTests.schema)
    let report = try await store.sync(UnknownRowTests.payload, as: "Article")
    #expect(report.problems.isEmpty)
    #expect(report.waiting.isEmpty)
    #expect(try tags(store) == [["ios", [1]], ["swift", [1, 2]]])
    let articles = try store.rows(of: "Article")
    #expect(articles.map { $0["tags"] } == [["ios", "swift"], ["swift"]])
    #expect(try store.rows(of: "Tag").first?["rank"] == 1)
  }

  @Test func resyncingCreatedRowsChangesNothing() async throws {
    let store = try TextStore(UnknownRowTests.schema)
    try await store.sync(UnknownRowTests.payload, as: "Article")
    try await store.expectUnchanged(by: UnknownRowTests.payload, as: "Article")
    try await store.expectUnchanged(
      by: #"[{"id":2,"title":"B","tags":["swift"]},{"id":1,"title":"A","tags":["ios","swift"]}]"#,
      as: "Article")
  }

  @Test func listThatCreatesRowsRemovesAbsentLinks() async throws {
    let store = try TextStore(UnknownRowTests.schema)
    try await store.sync(UnknownRowTests.payload, as: "Article")
    try await store.sync(#"{"id":1,"tags":["linux"]}"#, as: "Article")
    #expect(try tags(store) == [["ios", []], ["linux", [1]], ["swift", [2]]])
  }

  @Test func listCanMixKeysAndObjects() async throws {
    let store = try TextStore(UnknownRowTests.schema)
    try await store.sync(
      #"[{"id":1,"title":"A","tags":["swift",{"name":"ios","color":"blue"},"swift"]}]"#, as: "Article")
    #expect(try tags(store) == [["ios", [1]], ["swift", [1]]])
    #expect(try store.rows(of: "Tag").first?["color"] == "blue")
    // A key says nothing of the other values.
    try await store.sync(#"{"id":1,"tags":["ios"]}"#, as: "Article")
    #expect(try store.rows(of: "Tag").first?["color"] == "blue")
  }

  @Test func toOneKeyOrObjectCreatesItsRow() async throws {
    let store = try TextStore(
      #"""
      model Post { id: Int; @Relationship(unknown: .create) author: Author? }
      model Author { id: Int; name: String? }
      """#)
    try await store.sync(
      #"[{"id":1,"author_id":7},{"id":2,"author_id":8,"author":{"id":8,"name":"A"}},{"id":3,"author":9}]"#,
      as: "Post")
    #expect(
      try store.rows(of: "Author") == [
        ["id": 7, "name": nil], ["id": 8, "name": "A"], ["id": 9, "name": nil],
      ])
    let posts = try store.rows(of: "Post")
    #expect(posts.map { $0["author"] } == [7, 8, 9])
    try await store.expectUnchanged(
      by: #"[{"id":1,"author_id":7},{"id":2,"author_id":8},{"id":3,"author":9}]"#, as: "Post")
    try await store.sync(#"{"id":1,"author_id":null}"#, as: "Post")
    #expect(try store.rows(of: "Post").first?["author"] == .some(.null))
  }

  @Test func rowReferencedOnlyByKeyIsNotMissing() async throws {
    let store = try TextStore(
      "model Node { id: Int; @Relationship(inverse: nil, unknown: .create) next: Node? }")
    let payload = #"[{"id":1,"next_id":2}]"#
    for _ in 1...2 {
      let report = try await store.sync(payload, as: "Node")
      #expect(report.deleted == 0)
      #expect(try store.rows(of: "Node") == [["id": 1, "next": 2], ["id": 2, "next": nil]])
    }
    // A row that nothing names is missing.
    try await store.sync(#"[{"id":1,"next_id":3}]"#, as: "Node")
    #expect(try store.rows(of: "Node") == [["id": 1, "next": 3], ["id": 3, "next": nil]])
  }

  @Test func unknownKeyCreatesRowOnlyWithInsert() async throws {
    let store = try TextStore(UnknownRowTests.schema)
    try await store.sync(#"[{"id":1,"title":"A"}]"#, as: "Article")
    try await store.sync(#"{"id":1,"tags":["swift"]}"#, as: "Article", operations: [.update, .delete])
    #expect(try store.rows(of: "Tag") == [])
    try await store.sync(#"{"id":1,"tags":["swift"]}"#, as: "Article", operations: [.insert, .update])
    #expect(try tags(store) == [["swift", [1]]])
  }

  @Test func keyOfWrongTypeCreatesNoRow() async throws {
    let store = try TextStore(UnknownRowTests.schema)
    let report = try await store.sync(#"[{"id":1,"title":"A","tags":["swift",5,true,null]}]"#, as: "Article")
    #expect(try tags(store) == [["swift", [1]]])
    #expect(report.problems.map(\.path) == ["[0].tags[1]", "[0].tags[2]", "[0].tags[3]"])
  }

  @Test func patternKeyCreatesRowWithNestedIdentity() async throws {
    let store = try TextStore(
      #"""
      model Post { id: Int; @KeyPattern("/people/{}") @Relationship(unknown: .create) author: Author? }
      model Author { @PrimaryKey(remote: "meta.id") id: Int }
      """#)
    try await store.sync(#"[{"id":1,"author":"/people/7"}]"#, as: "Post")
    #expect(try store.rows(of: "Author") == [["id": 7]])
    #expect(try store.rows(of: "Post") == [["id": 1, "author": 7]])
    try await store.expectUnchanged(by: #"[{"id":1,"author":"/people/7"}]"#, as: "Post")
  }

  /// A key has no stamp, and says nothing that one could date.
  @Test func severalKeysOfStampedRowReportNoProblem() async throws {
    let store = try TextStore(
      """
      model Post { id: Int; @Relationship(inverse: nil, unknown: .create) tags: [Tag] }
      @UpdatedAt(\\.changedAt) model Tag { id: Int; changedAt: Date? }
      """)
    for _ in 0..<2 {
      let report = try await store.sync(#"[{"id": 1, "tags": [1, 2]}, {"id": 2, "tags": [2, {"id": 3}]}]"#)
      #expect(report.problems == [])
    }
  }

  /// In a body, the later of a deletion and a key counts.
  @Test(arguments: [true, false]) func laterKeyKeepsRowListedAsDeleted(_ isLater: Bool) async throws {
    let store = try TextStore(UnknownRowTests.schema)
    try await store.sync(UnknownRowTests.payload, as: "Article")
    let changes = #""changes": {"deleted": ["ios", "swift"]}"#
    let article = #""article": {"id": 2, "title": "B", "tags": ["swift"]}"#
    let body = isLater ? "{\(changes), \(article)}" : "{\(article), \(changes)}"
    @discardableResult
    func sync<Tag: SyncUpdatableModel, Article: SyncUpdatableModel>(
      _ tag: Tag.Type, _ article: Article.Type
    ) async throws -> SyncReport {
      try await store.container.sync(payload: body) {
        $0.item("article", as: article)
        $0.changes("changes", as: tag)
      }
    }
    let (tag, model) = (try store.model("Tag"), try store.model("Article"))
    try await sync(tag, model)
    let left: [[SyncJSON?]] = isLater ? [["swift", [1, 2]]] : []
    #expect(try tags(store) == left)
    #expect(try await sync(tag, model).isUnchanged)
  }
}
