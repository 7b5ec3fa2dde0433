import Syncline
import Testing

/// Documents of JSON:API: the types of the resources that relationships link.
@Suite struct DocumentLinkTests {
  private static let schema = """
    model Task {
      id: Int
      @Null(false, true, "", []) @OneOrMany owner: User?
      @Relationship(unknown: .create) label: Label?
      @Relationship(inverse: nil) @Null(false) @OneOrMany tags: [Label]
    }
    model User { @Null(false) id: Int; name: String? }
    model Label { id: String; name: String? }
    """

  private func linkages(owner: String, label: String, tags: String) -> String {
    """
    {"data": [{"type": "tasks", "id": "1", "relationships": {
      "owner": {"data": \(owner)}, "label": {"data": \(label)}, "tags": {"data": \(tags)}}}]}
    """
  }

  private func resource(_ type: String, _ id: String = "x") -> String {
    #"{"type": "\#(type)", "id": "\#(id)"}"#
  }

  @Test func resourceOfWrongTypeKeepsLinksAndIsReported() async throws {
    let store = try TextStore(DocumentLinkTests.schema)
    try await store.sync(
      #"[{"id": 1, "owner": {"id": 2}, "label": {"id": "a"}, "tags": [{"id": "b"}]}]"#, as: "Task")
    let before = try store.rows(of: "Task")
    #expect(before == [["id": 1, "owner": 2, "label": "a", "tags": ["b"]]])
    let report = try await store.sync(
      jsonAPI: linkages(
        owner: resource("labels"), label: resource("robots"),
        tags: "[\(resource("labels", "b")), \(resource("users", "2"))]"), as: "Task")
    #expect(report.isUnchanged)
    let problems = report.problems.map { ($0.path, $0.description) }
    #expect(problems.map(\.0) == ["data[0].owner", "data[0].label", "data[0].tags[1]"])
    let expected = [("labels", "User"), ("robots", "Label"), ("users", "Label")]
    for (problem, (type, model)) in zip(problems, expected) {
      #expect(problem.1.contains("a resource of type “\(type)” is not a row of \(model)"))
    }
    #expect(try store.rows(of: "Task") == before)
    #expect(try store.rows(of: "Label").count == 2)
  }

  /// One resource where a list is expected, and a list where one is.
  @Test func resourceOfWrongTypeInOtherFormKeepsLinks() async throws {
    let store = try TextStore(DocumentLinkTests.schema)
    try await store.sync(
      #"[{"id": 1, "owner": {"id": 2}, "label": {"id": "a"}, "tags": [{"id": "b"}]}]"#, as: "Task")
    let before = try store.rows(of: "Task")
    let other = resource("robots")
    let report = try await store.sync(
      jsonAPI: linkages(owner: "[\(other)]", label: "[\(other)]", tags: other), as: "Task")
    #expect(report.isUnchanged)
    #expect(report.problems.count == 3)
    #expect(try store.rows(of: "Task") == before)
    #expect(try store.rows(of: "Label").count == 2)
  }

  /// The pattern is the form of keys in other payloads.
  @Test func resourceIsLinkedByItsIdentityDespiteKeyPattern() async throws {
    let schema = """
      model Post {
        id: Int
        @KeyPattern("/people/{}") author: Person?
        @Relationship(inverse: nil) @KeyPattern("/tags/{}") tags: [Tag]
      }
      model Person { id: Int; name: String? }
      model Tag { id: String; name: String? }
      """
    let (store, other) = (try TextStore(schema), try TextStore(schema))
    for store in [store, other] {
      try await store.sync(#"[{"id": 2}]"#, as: "Person")
      try await store.sync(#"[{"id": "a"}]"#, as: "Tag")
    }
    try await store.sync(#"[{"id": 1, "author_id": "/people/2", "tag_ids": ["/tags/a"]}]"#, as: "Post")
    let document = try await store.exportDocument("Post").description
    for store in [store, other] {
      #expect(try await store.sync(jsonAPI: document, as: "Post").problems == [])
      #expect(try store.rows(of: "Post") == [["id": 1, "author": 2, "tags": ["a"]]])
    }
  }

  /// A resource identifier is an object if keys are looked up, or if its model has a composite identity.
  @Test func resourceThatIsOnlyLinkedIsNotInserted() async throws {
    let store = try TextStore(
      #"""
      model City {
        id: Int
        @Relationship(inverse: nil, by: \Country.code) country: Country?
        @Relationship(inverse: nil, by: \Country.code) others: [Country]
        mayor: Seat?
        @Relationship(inverse: nil) seats: [Seat]
        config: Config?
        @Relationship(inverse: nil, unknown: .create) label: Label?
      }
      model Country { id: Int; @Unique code: String? }
      @PrimaryKey(\.country, \.number) model Seat { country: Country; number: Int; name: String? }
      @Singleton model Config { id: Int?; type: String? }
      model Label { id: String; name: String? }
      """#)
    func seat(_ number: Int) -> String {
      #"{"type": "seats", "id": "\#(number)", "meta": {"country": 7, "number": \#(number)}}"#
    }
    let document = """
      {"data": [{"type": "cities", "id": "1", "relationships": {
        "country": {"data": \(resource("countries", "7"))}, "others": {"data": [\(resource("countries", "8"))]},
        "mayor": {"data": \(seat(1))}, "seats": {"data": [\(seat(2))]},
        "config": {"data": \(resource("configs", "9"))}, "label": {"data": \(resource("labels"))}}}]}
      """
    for _ in 1...2 {
      let report = try await store.sync(jsonAPI: document, as: "City")
      #expect(report.waiting.map(\.targetIdentity).sorted() == ["7", "8", "[7,1]", "[7,2]", "[]"])
      #expect(report.problems == [])
    }
    for name in ["Country", "Seat", "Config"] { #expect(try store.rows(of: name) == []) }
    #expect(try store.rows(of: "Label").count == 1)
    let exported = try await store.exportDocument("City").description
    #expect(try await store.sync(jsonAPI: exported, as: "City").isUnchanged)
    try await store.sync(#"[{"id": 7}, {"id": 8}]"#, as: "Country")
    try await store.sync(
      #"[{"country": 7, "number": 1}, {"country": 7, "number": 2}]"#, as: "Seat")
    try await store.sync(#"{"type": "x"}"#, as: "Config")
    #expect(
      try store.values(of: "City", "country", "others", "mayor", "seats", "config")
        == [[7, [8], "[7,1]", ["[7,2]"], "[]"]])
    // The row has no value of the resource identifier.
    try await store.sync(jsonAPI: document, as: "City")
    #expect(try await store.rows("SELECT id, type FROM Config") == ["- x"])
  }

  /// The scalars keep the keys, and the links are set from their other ends.
  @Test func scalarThatContradictsTheLinkIsNotInADocument() async throws {
    let store = try TextStore(
      #"""
      model Task {
        id: Int
        assigneeID: Int?
        assignee: User?
        tagIDs: [Int]?
        @Relationship(inverse: \Tag.tasks) tags: [Tag]
      }
      model User { id: Int; tasks: [Task] }
      model Tag { id: Int; tasks: [Task] }
      """#)
    try await store.sync(#"[{"id": 5}, {"id": 7}]"#, as: "User")
    try await store.sync(#"[{"id": 8}, {"id": 9}]"#, as: "Tag")
    try await store.sync(#"[{"id": 1, "assignee_id": 5, "tag_ids": [8, 9]}]"#)
    let attributes = try await store.exportDocument()["data"]?[0]?["attributes"]
    #expect(attributes == ["assignee_id": 5, "tag_ids": [8, 9]])
    try await store.sync(#"{"id": 7, "task_ids": [1]}"#, as: "User")
    try await store.sync(#"{"id": 8, "task_ids": []}"#, as: "Tag")
    let before = try store.rows(of: "Task")
    #expect(before == [["id": 1, "assigneeID": 5, "assignee": 7, "tagIDs": [8, 9], "tags": [9]]])
    let document = try await store.exportDocument()
    #expect(
      document["data"] == [
        [
          "type": "tasks", "id": "1",
          "relationships": [
            "assignee": ["data": ["type": "users", "id": "7"]],
            "tags": ["data": [["type": "tags", "id": "9"]]],
          ],
        ]
      ])
    #expect(try await store.sync(jsonAPI: document.description).isUnchanged)
    #expect(try store.rows(of: "Task") == before)
  }

  @Test func identityThatTheModelDoesNotReadIsNotAnUnreadKey() async throws {
    var configuration = SyncConfiguration()
    configuration.unreadKeys = .first(rows: 100)
    let store = try TextStore("@Singleton model Config { theme: String? }", in: .inMemory, configuration)
    let report = try await store.sync(
      jsonAPI: #"{"data": [{"type": "configs", "id": "x", "attributes": {"theme": "dark", "odd": 1}}]}"#)
    #expect(report.unreadKeys?.keys.map(\.key) == ["odd"])
    #expect(try store.values(of: "Config", "theme") == [["dark"]])
  }

  @Test func parentScopedRowIsLinkedByDocument() async throws {
    let store = try TextStore(
      """
      model Album { id: Int; tracks: [Track] }
      @ParentScoped(\\.album) model Track { id: Int; album: Album; name: String? }
      """)
    try await store.sync(
      """
      [{"id": 1, "tracks": [{"id": 1, "name": "x"}, {"id": 2, "name": "y"}]},
       {"id": 2, "tracks": [{"id": 1, "name": "z"}]}]
      """, as: "Album")
    let before = try store.rows(of: "Track")
    let report = try await store.sync(
      jsonAPI: try await store.exportDocument("Album").description, as: "Album")
    #expect(report.isUnchanged)
    #expect(report.problems == [])
    let other =
      #"{"data": [{"type": "albums", "id": "1", "relationships": {"tracks": {"data": [{"type": "album", "id": "1"}]}}}, {"type": "albums", "id": "2"}]}"#
    #expect(try await store.sync(jsonAPI: other, as: "Album").problems.map(\.path) == ["data[0].tracks[0]"])
    #expect(try store.rows(of: "Track") == before)
  }
}
