import Syncline
import Testing

/// Documents of JSON:API, for models whose values are not members of the object under one key.
@Suite struct DocumentPathTests {
  /// Exports a model, and syncs the document back into the store, and into a new one.
  private func document(of store: TextStore, _ schema: String) async throws -> SyncJSON {
    let document = try await store.exportDocument()
    #expect(try await store.sync(jsonAPI: document.description).isUnchanged)
    let other = try TextStore(schema)
    try await other.sync(jsonAPI: document.description)
    #expect(try await other.exportDocument() == document)
    return document
  }

  @Test(arguments: ["", #"@Below("data") "#])
  func rowReadFromSameObjectIsExportedAsAttribute(below: String) async throws {
    let schema = """
      \(below)model Membership { id: Int; note: String?; @RemoteKey(".") person: Person? }
      model Person { @PrimaryKey(remote: "person_id") id: Int; name: String; city: City? }
      model City { id: Int; name: String }
      """
    let store = try TextStore(schema)
    try await store.sync(
      #"[{"person_id": 7, "name": "A", "city": {"id": 2, "name": "B"}}]"#, as: "Person")
    try await store.sync(
      jsonAPI: """
        {"data": [{"type": "memberships", "id": "1", "attributes": {"note": "n", "person_id": 7}},
          {"type": "memberships", "id": "2", "attributes": {"note": null}}]}
        """)
    #expect(try store.values(of: "Membership", "note", "person") == [["n", 7], [.null, .null]])
    #expect(
      try await document(of: store, schema)["data"] == [
        ["type": "memberships", "id": "1", "attributes": ["note": "n", "person_id": 7]],
        ["type": "memberships", "id": "2", "attributes": ["note": .null, "person_id": .null]],
      ])
  }

  /// A resource's own `links` and `meta` are objects.
  @Test(arguments: ["", #"@Below("data") "#])
  func linksAndMetaOfResourceAreReadByPropertiesThatReadObjects(below: String) async throws {
    let store = try TextStore(
      """
      struct Extent { size: Int }
      \(below)model Item { id: Int; links: [String]; meta: Int?; tags: [Tag] }
      \(below)model Tag { id: Int; links: [String: String]?; meta: Extent?; items: [Item] }
      \(below)model Note { id: Int; @RemoteKey("links.self") url: String?; @Relationship(inverse: nil) meta: Tag? }
      """.replacing("tags: [Tag]", with: #"@Relationship(inverse: \Tag.items) tags: [Tag]"#))
    func document(_ type: String, _ attributes: String) -> String {
      #"""
      {"data": [{"type": "\#(type)", "id": "1", "links": {"self": "u"}, "meta": {"size": 3},
        "attributes": \#(attributes)}]}
      """#
    }
    func sync(_ type: String, _ attributes: String = "{}") async throws {
      let report = try await store.sync(jsonAPI: document(type, attributes), as: type)
      #expect(report.problems.isEmpty)
    }
    try await sync("Item", #"{"links": ["a"], "meta": 5}"#)
    try await sync("Item")
    #expect(try store.values(of: "Item", "links", "meta") == [[["a"], 5]])
    try await sync("Tag")
    #expect(try store.values(of: "Tag", "links", "meta") == [[["self": "u"], ["size": 3]]])
    try await sync("Tag", #"{"meta": {"size": 4}}"#)
    #expect(try store.values(of: "Tag", "links", "meta") == [[["self": "u"], ["size": 4]]])
    try await sync("Note")
    #expect(try store.values(of: "Note", "url", "meta") == [["u", .null]])
  }

  /// A property with the name of the whole object hides no path into it.
  @Test(arguments: ["", #"@Below("data") "#])
  func pathsIntoMetaOfResourceAreReadBesidesAPropertyOfThatName(below: String) async throws {
    let store = try TextStore(
      """
      \(below)model Item {
        id: Int
        @Relationship(inverse: nil) meta: Tag?
        @RemoteKey("meta.n") n: Int?
        @RemoteKey("meta.a.b") b: Int?
        @RemoteKey("meta.l[0]") first: Int?
        @Relationship(inverse: nil) links: [Tag]
        @RemoteKey("links.self") url: String?
      }
      model Tag { id: Int }
      """)
    let report = try await store.sync(
      jsonAPI: #"""
        {"data": [{"type": "items", "id": "1", "links": {"self": "u", "other": "o"},
          "meta": {"n": 5, "a": {"b": 6}, "l": [7], "other": 8},
          "relationships": {"meta": {"data": {"type": "tags", "id": "2"}}}}],
          "included": [{"type": "tags", "id": "2"}]}
        """#, as: "Item")
    #expect(report.waiting.isEmpty)
    #expect(try store.values(of: "Item", "meta", "n", "b", "first", "url") == [[2, 5, 6, 7, "u"]])
  }

  /// With `@OneOrMany`, the object is the only element.
  @Test func metaOfResourceIsReadAsTheElementOfAList() async throws {
    let store = try TextStore(
      """
      struct Extent { size: Int }
      model Item { id: Int; @OneOrMany meta: [Extent]? }
      """)
    let report = try await store.sync(
      jsonAPI: #"{"data": [{"type": "items", "id": "1", "meta": {"size": 3}}]}"#, as: "Item")
    #expect(report.problems.isEmpty)
    #expect(try store.values(of: "Item", "meta") == [[[["size": 3]]]])
  }

  @Test func nilRowOfSameObjectKeepsResourceIdentity() async throws {
    let store = try TextStore(
      """
      model Account { id: Int; note: String?; @RemoteKey(".") person: Person? }
      model Person { id: Int; name: String? }
      """)
    try await store.sync(#"[{"id": 1, "note": "n", "name": "A"}]"#, as: "Account")
    try await store.run("UPDATE Account SET person = NULL")
    #expect(
      try await store.exportDocument()["data"]
        == [["type": "accounts", "id": "1", "attributes": ["note": "n"]]])
  }

  @Test func arrayRowIndexesAreExportedAsAttributes() async throws {
    let schema = """
      model Candle {
        @PrimaryKey @RemoteKey("[0]") time: Int
        @RemoteKey("[1]") open: Double?
        @RemoteKey("[3].text") note: String?
        @RemoteKey("[3].author.id") author: Person?
        @RemoteKey("[4]") owner: Person?
      }
      model Person { id: Int; name: String? }
      """
    let store = try TextStore(schema)
    try await store.sync(#"[{"id": 7}, {"id": 8}]"#, as: "Person")
    try await store.sync(#"[[1, 2.5, "x", {"text": "a", "author": {"id": 8}}, 7], [2]]"#, as: "Candle")
    #expect(try store.values(of: "Candle", "note", "author", "owner").first == ["a", 8, 7])
    let resources = try await document(of: store, schema)["data"]
    #expect(
      resources?[0] == [
        "type": "candles", "id": "1",
        "attributes": ["[1]": 2.5, "[3]": ["text": "a", "author": ["id": 8]]],
        "relationships": ["[4]": ["data": ["type": "people", "id": "7"]]],
      ])
    #expect(resources?[1]?["attributes"]?["[1]"] == .some(.null))
  }

  @Test func keysInListsAndQuotedKeysAreExportedAsAttributes() async throws {
    let schema = ##"""
      model Post {
        id: Int
        @RemoteKey("edges[].node") @Relationship(inverse: nil) tags: [Tag]
        @RemoteKey("by{}") @Relationship(inverse: nil) authors: [Tag]
        @RemoteKey(#""main.tag""#) @Relationship(inverse: nil) main: Tag?
      }
      model Tag { id: Int; name: String? }
      """##
    let store = try TextStore(schema)
    try await store.sync(
      """
      [{"id": 1, "edges": [{"node": {"id": 2, "name": "a"}}], "by": {"3": {"name": "b"}},
        "main.tag": {"id": 4, "name": "c"}}]
      """, as: "Post")
    #expect(
      try await document(of: store, schema)["data"]?[0]?["attributes"]
        == ["edges": [["node": 2]], "by": ["3": true], "main.tag": 4])
  }
}
