import Syncline
import Testing

/// The bodies of pushes and of parts of rows, for models with paths.
@Suite struct PushBodyTests {
  @Test func arrayRowIsPushedAsArray() async throws {
    let store = try TextStore(
      """
      @Offline model Candle {
        @PrimaryKey @RemoteKey("[0]") time: Int
        @RemoteKey("[1]") open: Double?
        @RemoteKey("[3]") note: String?
      }
      """)
    try await store.run("INSERT INTO Candle (time, open, note) VALUES (1, 2.5, 'a')")
    #expect(try await store.pushes() == ["POST [1,2.5,null,\"a\"]"])
  }

  @Test func linkedRowInSameObjectIsPushedAsIdentity() async throws {
    let store = try TextStore(
      """
      @Offline model Membership {
        id: Int
        level: Int = 1
        @RemoteKey(".") person: Person?
      }
      model Person { @PrimaryKey(remote: "person_id") id: Int; name: String? }
      """)
    try await store.sync(#"[{"id": 1, "person_id": 7, "name": "A"}]"#, as: "Membership")
    try await store.sync(#"{"person_id": 8, "name": "B"}"#, as: "Person")
    try await store.run("UPDATE Membership SET person = 8")
    #expect(try await store.pushes() == [#"PATCH {"person_id":8}"#])
    try await store.run("UPDATE Membership SET person = 7")
    try await store.run("INSERT INTO Membership (id, level, person) VALUES (2, 3, 8)")
    #expect(try await store.pushes() == [#"POST {"id":2,"level":3,"person_id":8}"#])
  }

  @Test func pushOfArrayRowContainsUnchangedElements() async throws {
    let store = try TextStore(
      """
      @Offline @UpdatedAt(\\.changed) model Candle {
        @PrimaryKey @RemoteKey("[0]") time: Int
        @RemoteKey("[1]") open: Double?
        @RemoteKey("[2]") owner: Owner?
        @RemoteKey("[3]") changed: Date?
      }
      model Owner { id: Int; name: String }
      """)
    try await store.sync(#"[[1, 2.5, 7, "2025-01-01T00:00:00.000Z"]]"#, as: "Candle")
    try await store.run("UPDATE Candle SET open = 3.5")
    // The owner is not stored, so its link waits.
    #expect(try await store.pushes() == [#"PATCH [1,3.5,7,"2025-01-01T00:00:00.000Z"]"#])
  }

  @Test func changeOfOnePairWritesTheWholePairList() async throws {
    let store = try TextStore(
      """
      @Offline model Product {
        id: Int
        name: String?
        @RemoteKey("more.attributes[code:value].color") color: String?
        @RemoteKey("more.attributes[code:value].size") size: Int?
        @RemoteKey("more.note") note: String?
      }
      """)
    let pairs = #""attributes":[{"code":"color","value":"red"},{"code":"size","value":4}]"#
    try await store.sync(#"[{"id": 1, "name": "a", "more": {\#(pairs), "note": "n"}}]"#, as: "Product")
    let changed = pairs.replacing("4", with: "5")
    let body = try await store.change(by: "UPDATE Product SET size = 5")
    #expect(body.description == "{\"more\":{\(changed)}}")
    #expect(try await store.pushes() == ["PATCH {\"more\":{\(changed)}}"])
    #expect(try await store.change(by: "UPDATE Product SET name = 'b'") == ["name": "b"])
    // Nil writes no pair.
    #expect(
      try await store.change(by: "UPDATE Product SET color = NULL").description
        == #"{"more":{"attributes":[{"code":"size","value":5}]}}"#)
  }

  @Test func changeOfOneIndexWritesTheWholeList() async throws {
    let store = try TextStore(
      """
      model Candle {
        @PrimaryKey @RemoteKey("[0]") time: Int
        @RemoteKey("[1]") open: Double?
        @RemoteKey("[2]") close: Double?
      }
      """)
    try await store.sync("[[1, 2.5, 3.5]]", as: "Candle")
    #expect(try await store.change(by: "UPDATE Candle SET close = 4") == [1, 2.5, 4])
    #expect(try await store.change(by: "UPDATE Candle SET close = 4") == [])
    let phones = try TextStore(
      """
      model Person {
        id: Int
        name: String?
        @RemoteKey("phones[0].number") home: String?
        @RemoteKey("phones[1].number") work: String?
      }
      """)
    try await phones.sync(#"[{"id": 1, "phones": [{"number": "1"}, {"number": "2"}]}]"#, as: "Person")
    #expect(
      try await phones.change(by: "UPDATE Person SET work = '3'")
        == ["phones": [["number": "1"], ["number": "3"]]])
  }

  @Test func pathThroughRelationshipKeyIsPushedAsJoinedKey() async throws {
    let store = try TextStore(
      """
      @Offline model Task {
        id: Int
        @RemoteKey("owner") owner: Person?
        @RemoteKey("owner.name") ownerName: String?
      }
      model Person { id: Int; name: String? }
      """)
    try await store.sync(#"[{"id": 7, "name": "A"}]"#, as: "Person")
    try await store.run("INSERT INTO Task (id, owner, ownerName) VALUES (1, 7, 'A')")
    #expect(try await store.pushes() == [#"POST {"id":1,"owner":7,"owner.name":"A"}"#])
  }

  @Test func pushWritesKeysWithTheirPatterns() async throws {
    let store = try TextStore(
      """
      @Offline model Book {
        @KeyPattern("/books/{}") id: Int
        @RemoteKey("tags") @KeyPattern("/tags/{}") @Relationship(inverse: nil) tags: [Tag]
      }
      model Tag { id: Int; name: String? }
      """)
    try await store.sync(#"[{"id": 3, "name": "T"}]"#, as: "Tag")
    try await store.sync(#"[{"id": "/books/1", "tags": ["/tags/3"]}]"#, as: "Book")
    try await store.run("INSERT INTO Book (id) VALUES (2)")
    try await store.run(#"INSERT INTO "Book.tags" (source, target) VALUES (2, 3)"#)
    #expect(try await store.pushes() == [#"POST {"id":"/books/2","tags":["/tags/3"]}"#])
  }

  /// Without a link, the scalar may have the key of a row that is not stored.
  @Test func linkIsPushedRatherThanTheScalarWithItsKey() async throws {
    let store = try TextStore(
      """
      @Offline model Task { id: Int; projectID: Int?; project: Project? }
      model Project { id: Int; name: String }
      """)
    try await store.sync(#"[{"id": 2, "name": "b"}]"#, as: "Project")
    try await store.run("INSERT INTO Task (id, project) VALUES (1, 2)")
    try await store.run("INSERT INTO Task (id, projectID) VALUES (3, 9)")
    #expect(try await store.pushes() == [#"POST {"id":1,"project_id":2}"#, #"POST {"id":3,"project_id":9}"#])
  }

  /// The server would remove the link for a null that is sent after it.
  @Test func scalarIsNotPushedWithALinkThatTheOtherRowStores() async throws {
    let store = try TextStore(
      """
      @Offline model Lamp { id: Int; pen: Pen? }
      @Offline model Pen { id: Int; lampID: Int?; @Relationship(inverse: \\Lamp.pen) lamp: Lamp? }
      """)
    try await store.sync(#"[{"id": 1}]"#, as: "Lamp")
    try await store.run("INSERT INTO Pen (id) VALUES (5), (6)")
    try await store.run("UPDATE Lamp SET pen = 5")
    #expect(try await store.pushes(of: "Pen") == [#"POST {"id":5}"#, #"POST {"id":6,"lamp_id":null}"#])
    #expect(try await store.pushes(of: "Lamp") == [#"PATCH {"pen_id":5}"#])
  }

  @Test func unexportedLinkIsNotPushed() async throws {
    let store = try TextStore(
      """
      @Offline model Task { id: Int; title: String; @NotExport project: Project? }
      model Project { id: Int; name: String }
      """)
    try await store.sync(#"[{"id": 2, "name": "b"}]"#, as: "Project")
    try await store.run("INSERT INTO Task (id, title, project) VALUES (1, 'a', 2)")
    #expect(try await store.pushes() == [#"POST {"id":1,"title":"a"}"#])
  }

  /// The server would remove links that a body lacks.
  @Test func editedListIsPushedWithItsPendingLinks() async throws {
    let store = try TextStore(
      """
      @Offline model Task { id: Int; @Relationship(inverse: nil) tags: [Tag] }
      model Tag { id: Int; name: String }
      """)
    try await store.sync(#"[{"id": 7, "name": "a"}, {"id": 8, "name": "b"}]"#, as: "Tag")
    // The tag 9 is not stored yet, so its link waits.
    try await store.sync(#"[{"id": 1, "tag_ids": [7, 9]}]"#, as: "Task")
    try await store.run(#"INSERT INTO "Task.tags" (source, target) VALUES (1, 8)"#)
    #expect(try await store.pushes() == [#"PATCH {"tag_ids":[7,8,9]}"#])
    try await store.run(#"DELETE FROM "Task.tags""#)
    #expect(try await store.pushes() == [#"PATCH {"tag_ids":[9]}"#])
  }

  @Test func editedListIsPushedWithItsPendingLinksByAnotherProperty() async throws {
    let store = try TextStore(
      """
      @Offline model Task {
        id: Int
        @RemoteKey("tags") @Relationship(inverse: nil, by: \\Tag.slug) tags: [Tag]
      }
      model Tag { id: Int; @Unique slug: String; name: String }
      """)
    try await store.sync(
      #"[{"id": 7, "slug": "a", "name": "A"}, {"id": 8, "slug": "b", "name": "B"}]"#, as: "Tag")
    try await store.sync(#"[{"id": 1, "tags": ["a", "c"]}]"#, as: "Task")
    try await store.run(#"INSERT INTO "Task.tags" (source, target) VALUES (1, 8)"#)
    #expect(try await store.pushes() == [#"PATCH {"tags":["a","b","c"]}"#])
  }

  /// The list of pairs is written whole.
  @Test func unchangedListIsPushedWithItsPendingLinksByAnotherProperty() async throws {
    let store = try TextStore(
      """
      @Offline model Trip {
        id: Int
        @RemoteKey("attrs[name:value].title") title: String?
        @RemoteKey("attrs[name:value].lands") @Relationship(inverse: nil, by: \\Country.code) lands: [Country]
      }
      model Country { id: Int; @Unique code: String }
      """)
    try await store.sync(#"[{"id": 7, "code": "de"}]"#, as: "Country")
    let attributes = #"{"name": "title", "value": "t"}, {"name": "lands", "value": ["de", "it"]}"#
    try await store.sync(#"[{"id": 1, "attrs": [\#(attributes)]}]"#, as: "Trip")
    try await store.run("UPDATE Trip SET title = 'u'")
    #expect(
      try await store.pushes() == [
        #"PATCH {"attrs":[{"name":"title","value":"u"},{"name":"lands","value":["de","it"]}]}"#
      ])
  }

  /// The tag is not sent, because its list is not exported, or because it cannot be edited.
  @Test(arguments: [
    "@Offline model Tag { id: Int; @NotExport tasks: [Task] }", "model Tag { id: Int; tasks: [Task] }",
  ])
  func linksArePushedWithTheOnlyRowWhoseBodyCanContainThem(tag: String) async throws {
    let store = try TextStore(
      """
      @Offline model Task {
        id: Int
        @Export(.identities) @Relationship(inverse: \\Tag.tasks) tags: [Tag]
      }
      \(tag)
      """)
    try await store.sync(#"[{"id": 1, "tags": [{"id": 3}]}, {"id": 2}]"#, as: "Task")
    try await store.run(#"INSERT INTO "Task.tags" (source, target) VALUES (2, 3)"#)
    #expect(try await store.pushes() == [#"PATCH {"tag_ids":[3]}"#])
  }
}
