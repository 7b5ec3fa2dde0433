import Foundation
import SynclineCompiler
import SynclineTooling
import Testing

@testable import Syncline

/// `@Below`: all properties but the identity in one object of the row.
@Suite struct BelowTests {
  private static let schema = """
    @Below("attributes")
    model Article {
      id: Int
      title: String
      publishedAt: Date?
      @RemoteKey("author.data") author: Author?
      @RemoteKey("tags.data") @Relationship(inverse: \\Tag.articles) tags: [Tag]
    }

    @Below("attributes")
    model Author { id: Int; name: String? }

    @Below("attributes")
    model Tag { id: Int; name: String?; @NotExport articles: [Article] }
    """

  private static let payload = """
    {"data": [{"id": 1, "attributes": {"title": "A", "publishedAt": "2022-02-23T04:28:55.264Z",
      "author": {"data": {"id": 15, "attributes": {"name": "N"}}},
      "tags": {"data": [{"id": 3, "attributes": {"name": "x"}}]}}},
     {"id": 2, "attributes": {"title": "B", "publishedAt": null, "author": {"data": null}, "tags": {"data": []}}}],
     "meta": {}}
    """

  @Test func belowAttributeReadsAllPropertiesExceptIdentity() async throws {
    let store = try TextStore(BelowTests.schema, SyncConfiguration(keyStyle: .camelCase))
    let report = try await store.sync(list: BelowTests.payload, at: "data", as: "Article")
    #expect(report.problems == [])
    #expect(
      try store.rows(of: "Article") == [
        ["id": 1, "title": "A", "publishedAt": "2022-02-23T04:28:55.264Z", "author": 15, "tags": [3]],
        ["id": 2, "title": "B", "publishedAt": nil, "author": nil, "tags": []],
      ])
    #expect(try store.rows(of: "Author") == [["id": 15, "name": "N"]])
    #expect(try await store.sync(list: BelowTests.payload, at: "data", as: "Article").isUnchanged)
    try await store.sync(
      item: #"{"data": {"id": 1, "attributes": {"author": {"data": null}, "tags": {"data": []}}}}"#,
      at: "data", as: "Article")
    #expect(try store.rows(of: "Article")[0]["title"] == "A")
    #expect(try store.rows(of: "Article")[0]["author"] == .null)
    #expect(try store.rows(of: "Article")[0]["tags"] == [])
    // Keys next to the object are not read.
    try await store.sync(item: #"{"id": 1, "title": "Z"}"#, as: "Article")
    #expect(try store.rows(of: "Article")[0]["title"] == "A")
  }

  @Test func belowAttributeEqualsExplicitRemoteKeys() {
    let short = TextStore.analysis(BelowTests.schema).draft.models
    let long = TextStore.analysis(
      """
      model Article {
        id: Int
        @RemoteKey("attributes.title") title: String
        @RemoteKey("attributes.publishedAt") publishedAt: Date?
        @RemoteKey("attributes.author.data") author: Author?
        @RemoteKey("attributes.tags.data") @Relationship(inverse: \\Tag.articles) tags: [Tag]
      }
      model Author { id: Int; @RemoteKey("attributes.name") name: String? }
      model Tag { id: Int; @RemoteKey("attributes.name") name: String?; @NotExport articles: [Article] }
      """
    ).draft.models
    for (short, long) in zip(short, long) {
      for (own, other) in zip(short.properties, long.properties) where other.name != "articles" {
        #expect(Set(own.snakeKeys) == Set(other.snakeKeys), "\(other.name)")
        #expect(own.camelKeys == other.camelKeys, "\(other.name)")
      }
    }
  }

  @Test func namesInBelowObjectFollowTheKeyStyle() async throws {
    let store = try TextStore(
      """
      @Below("extraInfo") model Article { id: Int; firstName: String?; owner: Owner? }
      model Owner { id: Int }
      """)
    try await store.sync(
      #"""
      [{"id": 1, "extraInfo": {"first_name": "A", "owner_id": 5}},
       {"id": 2, "extra_info": {"first_name": "B", "owner": {"id": 5}}},
       {"id": 3, "extra_info": {"firstName": "C"}}]
      """#, as: "Article")
    #expect(try store.rows(of: "Article").map { $0["firstName"] } == ["A", "B", "C"])
    #expect(try store.rows(of: "Article").map { $0["owner"] } == [5, 5, .null])
    #expect(
      try await store.exportedRows(of: "Article")[0]
        == ["id": 1, "extraInfo": ["first_name": "A", "owner": ["id": 5]]])
  }

  @Test func nullInBelowObjectClearsAndAbsentKeyKeepsValue() async throws {
    let store = try TextStore("@Below(\"a.b\") model Article { id: Int; title: String?; size: Int? }")
    try await store.sync(
      #"""
      [{"id": 1, "a": {"b": {"title": "A", "size": 1}}}, {"id": 2, "a": {"b": {"title": "B", "size": 2}}}]
      """#, as: "Article")
    try await store.sync(
      #"[{"id": 1, "a": {"b": {"size": null}}}, {"id": 2, "a": {"b": {}}}]"#, as: "Article")
    #expect(try store.rows(of: "Article").map { $0["title"] } == ["A", "B"])
    #expect(try store.rows(of: "Article").map { $0["size"] } == [.null, 2])
    try await store.sync(#"[{"id": 1, "a": {"b": null}}, {"id": 2, "a": null}]"#, as: "Article")
    #expect(try store.rows(of: "Article").map { $0["title"] } == [.null, .null])
    #expect(try store.rows(of: "Article").map { $0["size"] } == [.null, .null])
  }

  @Test func pathWithLeadingDotStartsAtTheRow() async throws {
    let store = try TextStore(
      """
      @Below("fields")
      model Entry {
        @PrimaryKey(remote: ".id") key: String
        @RemoteKey(".createdTime") createdAt: String?
        @RemoteKey(".links.self", "link") link: String?
        @RemoteKey(".owner") owner: Owner?
        name: String?
      }
      model Owner { id: Int; name: String? }
      """)
    let payload = #"""
      [{"id": "r", "createdTime": "t", "links": {"self": "l"}, "owner": {"id": 1, "name": "O"},
        "fields": {"name": "N"}},
       {"id": "s", "fields": {"createdTime": "no", "link": "m", "name": null}}]
      """#
    #expect(try await store.sync(payload, as: "Entry").problems == [])
    #expect(
      try store.rows(of: "Entry") == [
        ["key": "r", "createdAt": "t", "link": "l", "owner": 1, "name": "N"],
        ["key": "s", "createdAt": nil, "link": "m", "owner": nil, "name": nil],
      ])
    try await store.expectRoundTrip(payload, as: "Entry")
    #expect(try await store.exportedRows(of: "Entry")[0] == (try SyncJSON(parsing: payload)[0]))
  }

  @Test func compositeIdentityStaysOutsideBelowObject() async throws {
    let store = try TextStore(
      """
      @Below("values") @PrimaryKey(\\.user, \\.number) model Score { user: User; number: Int; points: Int? }
      model User { id: Int }
      """)
    let payload = #"[{"user_id": 1, "number": 2, "values": {"points": 3}}]"#
    try await store.sync("[{\"id\": 1}]", as: "User")
    try await store.expectRoundTrip(payload, as: "Score")
    #expect(try store.rows(of: "Score").map { $0["points"] } == [3])
  }

  @Test func exportWritesPropertiesIntoBelowObject() async throws {
    let store = try TextStore(BelowTests.schema, SyncConfiguration(keyStyle: .camelCase))
    try await store.sync(list: BelowTests.payload, at: "data", as: "Article")
    let rows = try SyncJSON(parsing: BelowTests.payload)["data"]
    #expect(try await SyncJSON.array(store.exportedRows(of: "Article")) == rows)
    try await store.expectRoundTrip(try #require(rows).description, as: "Article")
  }

  @Test func exportWritesKeysIntoBelowObject() async throws {
    let store = try TextStore(
      """
      @Below("a") model Task { id: Int; @Export(.identities) owner: Owner?; @Export(.identities) tags: [Tag] }
      model Owner { id: Int }
      model Tag { id: Int; @Relationship(inverse: \\Task.tags) @NotExport tasks: [Task] }
      """)
    let payload = #"[{"id": 1, "a": {"owner_id": 2, "tag_ids": [3, 4]}}]"#
    try await store.sync("[{\"id\": 2}]", as: "Owner")
    try await store.sync("[{\"id\": 3}, {\"id\": 4}]", as: "Tag")
    try await store.expectRoundTrip(payload, as: "Task")
    #expect(try await store.exportedRows(of: "Task") == [try SyncJSON(parsing: payload)[0] ?? .null])
  }

  @Test func belowAttributeReadsUnionsAndOrderedLists() async throws {
    let store = try TextStore(
      """
      @Below("attributes") model Note { id: Int; subject: Subject?; @Ordered tags: [Tag] }
      union Subject on "type" { case task: Task; case photo: Photo }
      model Task { id: Int }
      model Photo { id: Int }
      model Tag { id: Int; @Relationship(inverse: \\Note.tags) @NotExport notes: [Note] }
      """)
    let payload = #"""
      [{"id": 1, "attributes": {"subject": {"type": "photo", "id": 5}, "tags": [{"id": 2}, {"id": 1}]}},
       {"id": 2, "attributes": {"subject_type": "task", "subject_id": 7, "tags": []}}]
      """#
    try await store.sync("[{\"id\": 7}]", as: "Task")
    try await store.sync("[{\"id\": 5}]", as: "Photo")
    try await store.expectRoundTrip(payload, as: "Note")
    let rows = try await store.exportedRows(of: "Note")
    #expect(rows[0]["attributes"]?["subject"]?["type"] == "photo")
    #expect(rows[0]["attributes"]?["tags"]?.array?.map { $0["id"] } == [2, 1])
    #expect(rows[1]["attributes"]?["subject"]?["type"] == "task")
  }

  // MARK: Documents

  private static let document = #"""
    {"data": [{"type": "articles", "id": "1", "attributes": {"title": "A", "published-at": "2022-02-23T04:28:55.264Z"},
      "relationships": {"writer": {"data": {"type": "authors", "id": "9"}}}}],
     "included": [{"type": "authors", "id": "9", "attributes": {"name": "N", "born": 1900}}]}
    """#

  private static let members = """
    model Article { id: Int; title: String; publishedAt: Date?; writer: Author? }
    model Author { id: Int; name: String?; @RemoteKey(\".born\") year: Int? }
    """

  @Test func belowAttributeDoesNotAffectJSONAPIDocuments() async throws {
    let below = BelowTests.members.replacing("model", with: "@Below(\"attributes.inner\") model")
    let store = try TextStore(below)
    let other = try TextStore(BelowTests.members)
    for store in [store, other] {
      let report = try await store.sync(jsonAPI: BelowTests.document, as: "Article")
      #expect(report.problems == [])
      #expect(report.unreadKeys?.keys ?? [] == [])
      #expect(try await store.sync(jsonAPI: BelowTests.document, as: "Article").isUnchanged)
      #expect(
        try store.rows(of: "Article")
          == [["id": 1, "title": "A", "publishedAt": "2022-02-23T04:28:55.264Z", "writer": 9]])
      #expect(try store.rows(of: "Author") == [["id": 9, "name": "N", "year": 1900]])
    }
    #expect(try await store.exportDocument("Article") == other.exportDocument("Article"))
    #expect(try await store.exportDocument("Author") == other.exportDocument("Author"))
  }

  @Test func jsonAPIDocumentMergesKeysInsideAndOutsideBelowObject() async throws {
    let schema = """
      @Below("a") model C {
        id: Int
        @RemoteKey("m.v") v: Int?
        @RemoteKey(".m.x") x: Int?
        @RemoteKey("l[0]") first: Int?
        @RemoteKey(".l[1]") second: Int?
      }
      """
    let store = try TextStore(schema)
    try await store.sync(#"[{"id": 1, "a": {"m": {"v": 3}, "l": [5]}, "m": {"x": 4}, "l": [0, 6]}]"#, as: "C")
    let document = try await store.exportDocument("C")
    #expect(document["data"]?[0]?["attributes"] == ["m": ["v": 3, "x": 4], "l": [5, 6]])
    #expect(try await store.sync(jsonAPI: document.description, as: "C").isUnchanged)
    let other = try TextStore(schema)
    try await other.sync(jsonAPI: document.description, as: "C")
    #expect(try other.rows(of: "C") == store.rows(of: "C"))
  }

  // MARK: Tools

  @Test func jsonSchemaContainsTheBelowObject() throws {
    let text = "@Below(\"a\") model Task { id: Int; firstName: Int }"
    let schema = try TextStore.schema(text)
    let json = PayloadSchema.jsonSchema(schema)["$defs"]?["Task"]
    #expect(json?["required"] == ["a"])
    #expect(json?["properties"]?["a"]?["properties"]?["first_name"]?.isNull == false)
    #expect(
      json?["properties"]?["a"]?["allOf"]
        == [["anyOf": [["required": ["first_name"]], ["required": ["firstName"]]]]])
  }

  @Test func changedBelowObjectChangesReadingFingerprint() throws {
    func fingerprint(_ text: String) throws -> String { try TextStore(text).reading() }
    let plain = "model Task { id: Int; name: String? }"
    #expect(try fingerprint(plain) != fingerprint("@Below(\"a\") " + plain))
    #expect(try fingerprint("@Below(\"b\") " + plain) != fingerprint("@Below(\"a\") " + plain))
  }
}
