import GRDB
import Syncline
import TestSupport
import Testing

/// Values that mean null: `@Null`, `schema { null: […] }`, and `[]` in place of an object.
@Suite struct NullTests {
  // MARK: What trackers report

  private static let people = """
    schema { null: [""] }
    model Person {
      id: Int
      name: String?
      age: Int?
      born: Date?
      site: URL?
      score: Double?
      vip: Bool?
      guid: UUID?
      boss: Person?
      address: Address?
    }
    struct Address { city: String? }
    """

  @Test func declaredNullValueIsNullForEachType() async throws {
    let store = try TextStore(NullTests.people)
    try await store.sync(
      #"""
      [{"id": 9}, {"id": 1, "name": "A", "age": 5, "born": "2020-01-01", "site": "https://a.b", "score": 1.5, "vip": true,
        "guid": "be633bf1-dfa0-436d-b259-571129a590e5", "boss_id": 9, "address": {"city": "B"}}]
      """#, as: "Person")
    #expect(try store.values(of: "Person", "name", "boss", "address")[0] == ["A", 9, ["city": "B"]])
    let empty = #"""
      [{"id": 9}, {"id": 1, "name": "", "age": "", "born": "", "site": "", "score": "", "vip": "", "guid": "",
        "boss_id": "", "address": ""}]
      """#
    let report = try await store.sync(empty, as: "Person")
    #expect(report.updated == 1 && report.unlinked == 1 && report.problems == [] && report.waiting.isEmpty)
    let nothing: SyncJSON = [
      "id": 1, "name": nil, "age": nil, "born": nil, "site": nil, "score": nil, "vip": nil, "guid": nil,
      "boss": nil, "address": nil,
    ]
    #expect(try store.rows(of: "Person").first == nothing)
    #expect(try await store.sync(empty, as: "Person").isQuiet)
  }

  @Test func zeroDeclaredAsNullClearsAToOne() async throws {
    let store = try TextStore(
      """
      model Post {
        id: Int
        @RemoteKey("featured_media") @Null(0) media: Media?
        @RemoteKey("parent") @Null(0) parent: Post?
      }
      model Media { id: Int; url: URL? }
      """)
    try await store.sync(#"[{"id": 7, "url": "https://a.b/7"}]"#, as: "Media")
    try await store.sync(
      #"[{"id": 1, "featured_media": 7, "parent": 0}, {"id": 2, "featured_media": 0, "parent": 1}]"#,
      as: "Post")
    #expect(try store.values(of: "Post", "media", "parent") == [[7, nil], [nil, 1]])
    let report = try await store.sync(
      #"[{"id": 1, "featured_media": 0, "parent": 0}, {"id": 2, "featured_media": 0, "parent": 0}]"#,
      as: "Post")
    #expect(report.waiting.isEmpty && report.problems == [])
    #expect(try store.values(of: "Post", "media", "parent") == [[nil, nil], [nil, nil]])
  }

  private static let partners = """
    schema { null: [false] }
    model Partner {
      id: Int
      name: String
      email: String?
      createDate: Date?
      @RemoteKey("parent_id[0]") parent: Partner?
      childIDs: [Int] = []
      isCompany: Bool?
    }
    """

  private static let partnersOfNothing = #"""
    [{"id": 7, "name": "A", "email": false, "create_date": false, "parent_id": false, "child_ids": [], "is_company": false},
     {"id": 8, "name": "S", "email": false, "create_date": false, "parent_id": false, "child_ids": false}]
    """#

  @Test func falseDeclaredAsNullIsReadAsNull() async throws {
    let store = try TextStore(NullTests.partners)
    try await store.sync(
      #"""
      [{"id": 7, "name": "A", "email": "a@b.c", "create_date": "2024-01-02 03:04:05", "parent_id": false},
       {"id": 8, "name": "S", "email": "s@b.c", "create_date": "2024-01-02 03:04:05", "parent_id": [7, "A"]}]
      """#, as: "Partner")
    #expect(try store.values(of: "Partner", "parent") == [[nil], [7]])
    let report = try await store.sync(NullTests.partnersOfNothing, as: "Partner")
    #expect(report.problems == [] && report.waiting.isEmpty)
    #expect(
      try store.values(of: "Partner", "email", "createDate", "parent", "childIDs", "isCompany") == [
        [nil, nil, nil, [], false], [nil, nil, nil, [], nil],
      ])
  }

  @Test func emptyListIsReadAsAnEmptyObject() async throws {
    let store = try TextStore(
      """
      model Media { id: Int; sizes: [String: Size] = [:]; details: Details?; author: Author? }
      struct Size { url: URL? }
      struct Details { width: Int?; inner: Size? }
      model Author { id: Int; name: String? }
      """)
    let full = #"""
      [{"id": 1, "sizes": {"thumb": {"url": "https://a.b"}}, "details": {"width": 5, "inner": {"url": "u"}},
        "author": {"id": 3, "name": "A"}}]
      """#
    try await store.sync(full, as: "Media")
    let empty = #"[{"id": 1, "sizes": [], "details": [], "author": []}]"#
    let report = try await store.sync(empty, as: "Media")
    #expect(report.problems == [])
    #expect(try store.rows(of: "Media") == [["id": 1, "sizes": [:], "details": nil, "author": nil]])
    #expect(try await store.sync(empty, as: "Media").isQuiet)
    // Inside of a struct too.
    try await store.sync(#"[{"id": 1, "details": {"width": 6, "inner": []}}]"#, as: "Media")
    #expect(try store.values(of: "Media", "details")[0][0]["width"] == 6)
    // Only an empty list: others are unreadable.
    try await store.sync(full, as: "Media")
    let other = try await store.sync(#"[{"id": 1, "details": [{}], "author": [{"id": 3}]}]"#, as: "Media")
    #expect(other.problems.map(\.path) == ["[0].details", "[0].author"] && other.isUnchanged)
  }

  @Test(arguments: [
    ("schema { null: [\"\"] }", "id: String", "owner: User?"), ("", "@Null(\"\") id: String", "owner: User?"),
    ("", "@Null(\"\") id: String", "@Null(\"\") owner: User?"),
  ])
  func nullIdentityClearsAToOne(settings: String, id: String, owner: String) async throws {
    let store = try TextStore(
      """
      \(settings)
      model Track { id: String; name: String?; addedBy: User?; \(owner) }
      model User { \(id); uri: String? }
      """)
    try await store.sync(#"[{"id": "u1"}]"#, as: "User")
    try await store.sync(#"[{"id": "t1", "owner_id": "u1", "added_by": {"id": "u1"}}]"#, as: "Track")
    #expect(try store.values(of: "Track", "owner", "addedBy") == [["u1", "u1"]])
    let nobody = #"[{"id": "t1", "owner_id": "", "added_by": {"id": "", "uri": "spotify:user:"}}]"#
    let report = try await store.sync(nobody, as: "Track")
    #expect(report.waiting.isEmpty && report.problems == [])
    #expect(try store.values(of: "Track", "owner", "addedBy") == [[nil, nil]])
    #expect(try store.values(of: "User", "id", "uri") == [["u1", nil]])
    #expect(try await store.sync(nobody, as: "Track").isQuiet)
  }

  // MARK: Whose words count

  @Test func nullValuesOfSchemaModelAndPropertyAddUp() async throws {
    let store = try TextStore(
      """
      schema { null: ["t"] }
      @Null("m") model A { id: Int; @Null("p") one: String?; other: String? }
      model B { id: Int; one: String? }
      """)
    for word in ["t", "m", "p"] {
      try await store.sync("[{\"id\": 1, \"one\": \"\(word)\", \"other\": \"\(word)\"}]", as: "A")
      let other: SyncJSON = word == "p" ? "p" : nil
      #expect(try store.values(of: "A", "one", "other") == [[nil, other]], "\(word)")
    }
    try await store.sync(#"[{"id": 1, "one": "t"}, {"id": 2, "one": "m"}]"#, as: "B")
    #expect(try store.values(of: "B", "one") == [[nil], ["m"]])
  }

  @Test func emptyNullAttributeResetsInheritedNullValues() async throws {
    let store = try TextStore(
      """
      schema { null: ["t"] }
      @Null("m") model A { id: Int; @Null() one: String? }
      @Null() model B { id: Int; one: String?; @Null("p") two: String? }
      """)
    try await store.sync(#"[{"id": 1, "one": "t"}, {"id": 2, "one": "m"}, {"id": 3, "one": null}]"#, as: "A")
    #expect(try store.values(of: "A", "one") == [["t"], ["m"], [nil]])
    try await store.sync(#"[{"id": 1, "one": "t", "two": "t"}, {"id": 2, "two": "p"}]"#, as: "B")
    #expect(try store.values(of: "B", "one", "two") == [["t", "t"], [nil, nil]])
  }

  @Test func nullValuesOfAModelDoNotApplyToItsStructs() async throws {
    let store = try TextStore(
      """
      schema { null: ["t"] }
      @Null("m") model A { id: Int; plain: Plain?; own: Own? }
      struct Plain { one: String?; @Null("p") two: String? }
      @Null("s") struct Own { one: String? }
      """)
    try await store.sync(
      #"[{"id": 1, "plain": {"one": "t", "two": "p"}, "own": {"one": "s"}}, {"id": 2, "plain": "m"}]"#,
      as: "A")
    #expect(
      try store.values(of: "A", "plain", "own") == [[[:], [:]], [nil, nil]])
    try await store.sync(#"[{"id": 1, "plain": {"one": "m", "two": "s"}, "own": {"one": "m"}}]"#, as: "A")
    #expect(try store.values(of: "A", "plain", "own") == [[["one": "m", "two": "s"], ["one": "m"]]])
  }

  @Test func schemaNullValuesDoNotAffectValidValues() async throws {
    let store = try TextStore(
      """
      schema { null: [false, 0, ""] }
      model A {
        id: Int
        flag: Bool?
        isOn: Bool?
        count: Int?
        ratio: Double?
        price: Decimal?
        level: Level?
        raw: JSON?
        born: Date?
        name: String?
        other: A?
      }
      enum Level: Int { case low = 0, high = 1 }
      """)
    let report = try await store.sync(
      #"""
      [{"id": 0, "flag": false, "is_on": 0, "count": 0, "ratio": 0, "price": 0, "level": 0, "raw": "", "born": 0, "name": 0,
        "other_id": 0}]
      """#, as: "A")
    #expect(report.problems == [] && report.waiting.isEmpty)
    #expect(
      try store.rows(of: "A") == [
        [
          "id": 0, "flag": false, "isOn": false, "count": 0, "ratio": 0, "price": 0, "level": 0, "raw": "",
          "born": nil, "name": nil, "other": nil,
        ]
      ])
  }

  @Test func nullNumberOnANumberPropertyIsReadAsNull() async throws {
    let store = try TextStore("model A { id: Int; @Null(0, -1.5) count: Double? }")
    try await store.sync(
      #"[{"id": 1, "count": 0}, {"id": 2, "count": 0.0}, {"id": 3, "count": -15e-1}, {"id": 4, "count": 1}]"#,
      as: "A")
    #expect(try store.values(of: "A", "count") == [[nil], [nil], [nil], [1]])
  }

  // MARK: Where a word counts

  @Test func nullValuesDoNotApplyToListElements() async throws {
    let store = try TextStore(
      """
      schema { null: ["", false] }
      model A { id: Int; labels: [String]?; names: [String: String]?; @RemoteKey("edges[].name") edges: [String]? }
      """)
    let payload =
      #"[{"id": 1, "labels": ["", "a"], "names": {"x": ""}, "edges": [{"name": ""}, {"name": "b"}]}]"#
    let report = try await store.sync(payload, as: "A")
    #expect(report.problems == [])
    #expect(try store.values(of: "A", "labels", "names", "edges") == [[["", "a"], ["x": ""], ["", "b"]]])
    try await store.sync(#"[{"id": 1, "labels": "", "names": false, "edges": false}]"#, as: "A")
    #expect(try store.values(of: "A", "labels", "names", "edges") == [[nil, nil, nil]])
  }

  @Test func nullValueInPlaceOfAListEmptiesIt() async throws {
    let store = try TextStore(
      """
      model A { id: Int; @Null(false) tags: [Tag]; @Null([]) labels: [String]?; @RemoteKey("edges[].node") @Null("") more: [Tag] }
      model Tag { id: Int }
      """)
    try await store.sync(
      #"[{"id": 1, "tags": [{"id": 1}], "labels": ["a"], "edges": [{"node": {"id": 2}}]}]"#, as: "A")
    #expect(try store.values(of: "A", "tags", "labels", "more") == [[[1], ["a"], [2]]])
    let report = try await store.sync(#"[{"id": 1, "tags": false, "labels": [], "edges": ""}]"#, as: "A")
    #expect(report.problems == [])
    #expect(try store.values(of: "A", "tags", "labels", "more") == [[[], nil, []]])
  }

  @Test(arguments: [
    #"{"image": false}"#, #"{"image": []}"#, #"{"image": {"url": false}}"#, #"{"image": null}"#,
  ])
  func nullValueWithinAKeyPathIsReadAsNull(image: String) async throws {
    let store = try TextStore(
      """
      model A { id: Int; @Null(false) @RemoteKey("image.url") url: URL?; inner: Inner? }
      struct Inner { @Null(false) @RemoteKey("image.url") url: URL? }
      """)
    try await store.sync(
      #"[{"id": 1, "image": {"url": "a"}, "inner": {"image": {"url": "b"}}}]"#, as: "A")
    #expect(try store.values(of: "A", "url")[0] == ["a"])
    let report = try await store.sync(
      "[{\"id\": 1, \(image.dropFirst().dropLast()), \"inner\": \(image)}]", as: "A")
    #expect(report.problems == [])
    #expect(try store.values(of: "A", "url", "inner") == [[nil, [:]]])
  }

  // MARK: Identities

  private static let lists = """
    model List { id: Int; tags: [Tag] }
    model Tag { @Null("") id: String; name: String? }
    """

  @Test func listSkipsObjectsWithNullIdentity() async throws {
    let store = try TextStore(NullTests.lists)
    try await store.sync(#"[{"id": 1, "tags": [{"id": "a"}, {"id": "b"}]}]"#, as: "List")
    let report = try await store.sync(
      #"[{"id": 1, "tags": [{"id": "", "name": "nobody"}, {"id": "a", "name": "A"}]}]"#, as: "List")
    #expect(report.problems == [])
    #expect(try store.values(of: "List", "tags") == [[["a"]]])
    #expect(try store.values(of: "Tag", "id", "name") == [["a", "A"], ["b", nil]])
    // A key that identifies no row, likewise.
    let keys = try await store.sync(#"[{"id": 1, "tag_ids": ["", "b"]}]"#, as: "List")
    #expect(keys.problems == [] && keys.waiting.isEmpty)
    #expect(try store.values(of: "List", "tags") == [[["b"]]])
    // An object without the key has no identity, which is reported.
    let other = try await store.sync(#"[{"id": 1, "tags": [{"name": "x"}]}]"#, as: "List")
    #expect(other.problems.map(\.path) == ["[0].tags[0]"])
    #expect(try store.values(of: "List", "tags") == [[["b"]]])
  }

  @Test func aRowWithoutIdentityIsSkippedAndReported() async throws {
    let store = try TextStore(NullTests.lists)
    let report = try await store.sync(#"[{"id": ""}, {"id": "a"}]"#, as: "Tag")
    #expect(report.problems.map(\.action) == [.skippedRow] && report.inserted == 1)
    #expect(try store.values(of: "Tag", "id") == [["a"]])
    // A payload of which no row has an identity deletes nothing.
    await #expect(throws: SyncError.self) { try await store.sync(#"[{"id": ""}]"#, as: "Tag") }
    #expect(try store.values(of: "Tag", "id") == [["a"]])
  }

  @Test func nestedObjectWithoutTheIdentityKeyUpdatesTheLinkedRow() async throws {
    let store = try TextStore(
      "model Track { id: Int; owner: User? } model User { @Null(\"\") id: String; name: String? }")
    try await store.sync(#"[{"id": 1, "owner": {"id": "u"}}]"#, as: "Track")
    try await store.sync(#"[{"id": 1, "owner": {"name": "U"}}]"#, as: "Track")
    #expect(try store.values(of: "User", "id", "name") == [["u", "U"]])
    #expect(try store.values(of: "Track", "owner") == [["u"]])
  }

  @Test func objectWithANullIdentityPartIsSkipped() async throws {
    let store = try TextStore(
      """
      model Team { id: Int; seats: [Seat] }
      @PrimaryKey(\\.room, \\.number) model Seat { @Null("") room: String; number: Int; team: Team? }
      """)
    let report = try await store.sync(
      #"[{"id": 1, "seats": [{"room": "", "number": 1}, {"room": "a", "number": 2}]}]"#, as: "Team")
    #expect(report.problems == [])
    #expect(try store.values(of: "Seat", "room", "number", "team") == [["a", 2, 1]])
  }

  @Test func resyncInAnotherOrderChangesNothing() async throws {
    let store = try TextStore(
      NullTests.people + "\nmodel Item { @Null(\"none\") id: String; name: String? }")
    let rows = (0..<80).map { "{\"id\": \"i\($0)\", \"name\": \"\($0 % 3 == 0 ? "" : "n\($0)")\"}" }
    try await store.sync("[\(rows.joined(separator: ", "))]", as: "Item")
    #expect(try store.rows(of: "Item").filter { $0["name"] == .null }.count == 27)
    let shuffled = rows.shuffled() + [#"{"id": "none", "name": "x"}"#]
    let report = try await store.sync("[\(shuffled.joined(separator: ", "))]", as: "Item")
    #expect(report.isUnchanged && report.problems.count == 1)
  }

  // MARK: Exports and stores

  @Test func valuesReadAsNullAreExportedAsNull() async throws {
    let store = try TextStore(NullTests.partners)
    try await store.sync(NullTests.partnersOfNothing, as: "Partner")
    let body = try await store.exportedRows(of: "Partner")
    for key in ["email", "create_date"] { #expect(body[0][key] == .null) }
    #expect(body[0]["child_ids"] == [] && body[0]["is_company"] == false)
    #expect(try await store.sync(SyncJSON.array(body).description, as: "Partner").isQuiet)
  }

  @Test func newNullValueResetsCursorsAndAppliesOnTheNextSync() async throws {
    let queue = try DatabaseQueue()
    func schema(_ null: String) -> String {
      "model A { id: Int; \(null) name: String?; inner: Inner? } struct Inner { \(null) name: String? }"
    }
    let payload = #"[{"id": 1, "name": "", "inner": {"name": ""}}]"#
    let before = try TextStore(schema(""), in: .database(queue))
    try await before.sync(payload, as: "A")
    try await before.setCursor("c", of: "A")
    #expect(try store(before) == [["", ["name": ""]]])
    #expect(try await TextStore(schema(""), in: .database(queue)).cursor(of: "A") == "c")
    let after = try TextStore(schema("@Null(\"\")"), in: .database(queue))
    #expect(try await after.cursor(of: "A") == nil)
    try await after.sync(payload, as: "A")
    #expect(try store(after) == [[nil, [:]]])
  }

  private func store(_ store: TextStore) throws -> [[SyncJSON]] {
    try store.values(of: "A", "name", "inner")
  }
}

/// To-ones of unions that mean nothing.
@Suite struct NullUnionTests {
  @Test(arguments: [
    #""subject": """#, #""subject": 0"#, #""subject_type": "photo", "subject_id": 0"#,
    #""subject_type": "", "subject_id": 3"#, #""subject": {"type": "", "id": 3}"#, #""subject": []"#,
    #""subject": null"#,
  ])
  func nullObjectKeyOrTypeClearsAUnionToOne(body: String) async throws {
    let store = try TextStore(
      """
      model Comment { id: Int; @Null("", 0) subject: Subject? }
      union Subject on "type" { case post: Post; case photo: Photo }
      model Post { id: Int; title: String? }
      model Photo { id: Int }
      """)
    try await store.sync(#"[{"id": 3}]"#, as: "Photo")
    try await store.sync(#"[{"id": 1, "subject": {"type": "photo", "id": 3}}]"#, as: "Comment")
    #expect(try store.values(of: "Comment", "subjectPhoto") == [[3]])
    let report = try await store.sync("[{\"id\": 1, \(body)}]", as: "Comment")
    #expect(report.problems == [] && report.waiting.isEmpty)
    #expect(
      try store.values(of: "Comment", "subjectPost", "subjectPhoto", "subjectUnrecognized") == [
        [nil, nil, nil]
      ])
  }

  @Test func nullIdentityClearsAllCasesOfAUnion() async throws {
    let store = try TextStore(
      """
      model Comment { id: Int; subject: Subject? }
      union Subject on "type" { case post: Post; case photo: Photo }
      model Post { @Null("") id: String; title: String? }
      model Photo { id: Int }
      """)
    try await store.sync(#"[{"id": 3}]"#, as: "Photo")
    try await store.sync(#"[{"id": 1, "subject": {"type": "photo", "id": 3}}]"#, as: "Comment")
    let report = try await store.sync(
      #"[{"id": 1, "subject": {"type": "post", "id": "", "title": "T"}}]"#, as: "Comment")
    #expect(report.problems == [] && report.waiting.isEmpty)
    #expect(
      try store.values(of: "Comment", "subjectPost", "subjectPhoto", "subjectUnrecognized") == [
        [nil, nil, nil]
      ])
    #expect(try store.rows(of: "Post") == [])
  }
}

extension SyncReport {
  /// Whether the sync changed nothing, and has nothing to report.
  fileprivate var isQuiet: Bool { isUnchanged && problems.isEmpty && waiting.isEmpty }
}
