import Foundation
import Syncline
import TestSupport
import Testing

/// `@OneOrMany`: a lone value is a list of one, and where one value stands, a list of one is its element.
@Suite struct OneOrManyTests {
  /// All kinds of values, each with its JSON.
  private static let kinds: [(type: String, json: String)] = [
    ("String", #""a""#), ("Int", "3"), ("Int8", "3"), ("Double", "2.5"), ("Float", "2.5"), ("Bool", "true"),
    ("Date", #""2020-01-02T03:04:05.000Z""#), ("UUID", #""5B9DB9B2-5E7D-4F4A-9B7C-0A6F1B1D1C11""#),
    ("URL", #""https://a.org/b""#), ("Decimal", "1.25"), ("Data", #""AQI=""#), ("State", #""open""#),
    ("Place", #"{"city": "B"}"#), ("Block", #"{"type": "text", "text": "t"}"#),
  ]

  private static let declarations = """
    enum State: String { case open, done }
    struct Place { city: String; zip: String? }
    union Block on "type" { case text: TextBlock; case image: ImageBlock }
    struct TextBlock { text: String }
    struct ImageBlock { url: String }
    """

  /// Syncs two spellings of the same payload to two stores.
  private func expectSame(
    _ schema: String, _ plain: String, _ other: String, as name: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let stores = [try TextStore(schema), try TextStore(schema)]
    for (store, payload) in zip(stores, [plain, other]) {
      let report = try await store.sync(payload, as: name)
      #expect(report.problems == [], "\(payload)", sourceLocation: sourceLocation)
    }
    let dumps = try stores.map { try StoreDump($0.container) }
    #expect(dumps[0] == dumps[1], "\(dumps[1].difference(from: dumps[0]))", sourceLocation: sourceLocation)
    for store in stores {
      for payload in [plain, other, try await store.export(name)] {
        let again = try await store.sync(payload, as: name)
        #expect(again.isUnchanged && again.problems == [], "\(payload)", sourceLocation: sourceLocation)
      }
    }
  }

  // MARK: Each kind of property

  @Test(arguments: kinds.indices)
  func oneValueOfAnyTypeIsReadFromAListOfOne(kind: Int) async throws {
    let (type, json) = Self.kinds[kind]
    let schema = "model M { id: Int; @OneOrMany a: \(type); @OneOrMany b: \(type)? }\n\(Self.declarations)"
    try await expectSame(
      schema, #"[{"id": 1, "a": \#(json), "b": \#(json)}, {"id": 2, "a": \#(json), "b": null}]"#,
      #"[{"id": 1, "a": [\#(json)], "b": [\#(json)]}, {"id": 2, "a": [\#(json)], "b": []}]"#, as: "M")
  }

  @Test(arguments: kinds.indices)
  func listOfAnyTypeIsReadFromSingleValue(kind: Int) async throws {
    let (type, json) = Self.kinds[kind]
    let schema = """
      model M { id: Int; @OneOrMany a: [\(type)]; @OneOrMany b: [\(type)]?; @OneOrMany c: [[\(type)]] }
      \(Self.declarations)
      """
    try await expectSame(
      schema, #"[{"id": 1, "a": [\#(json)], "b": [\#(json)], "c": [[\#(json)], [\#(json)]]}]"#,
      #"[{"id": 1, "a": \#(json), "b": \#(json), "c": [\#(json), [\#(json)]]}]"#, as: "M")
    try await expectSame(
      schema, #"[{"id": 1, "a": [\#(json), \#(json)], "b": null, "c": [[\#(json)]]}]"#,
      #"[{"id": 1, "a": [\#(json), \#(json)], "b": null, "c": \#(json)}]"#, as: "M")
  }

  @Test func listOfMapsOrJSONIsReadFromSingleOne() async throws {
    try await expectSame(
      "model M { id: Int; @OneOrMany a: [[String: Int]]; @OneOrMany b: [JSON] }",
      #"[{"id": 1, "a": [{"x": 1}], "b": [{"y": [1]}]}]"#, #"[{"id": 1, "a": {"x": 1}, "b": {"y": [1]}}]"#,
      as: "M")
  }

  @Test func aTransformIsGivenTheElementOrTheList() async throws {
    // Types of the app are unknown here: the JSON that they would be given is stored.
    let store = try TextStore(
      "model M { id: Int; @OneOrMany @Transform(Cents) a: Decimal?; @OneOrMany @Transform(Words) b: [String]? }"
    )
    try await store.sync(#"[{"id": 1, "a": ["1,25"], "b": "x y"}]"#, as: "M")
    #expect(try await store.rows("SELECT a, b FROM M") == [#""1,25" ["x y"]"#])
  }

  @Test func anIdentityIsReadFromAListOfOne() async throws {
    try await expectSame(
      "model M { @OneOrMany id: Int; name: String? }", #"[{"id": 3, "name": "c"}, {"id": 1}, {"id": 2}]"#,
      #"[{"id": [3], "name": "c"}, {"id": [1]}, {"id": 2}]"#, as: "M")
    let store = try TextStore("model M { @OneOrMany id: Int }")
    let report = try await store.sync(#"[{"id": 1}, {"id": []}, {"id": [2, 3]}]"#, as: "M")
    #expect(report.skipped == 2)
    #expect(try await store.rows("SELECT id FROM M") == ["1"])
  }

  @Test func toOnesAreReadFromAListOfOne() async throws {
    let schema = """
      model Note { id: Int; @OneOrMany author: User?; @OneOrMany owner: User }
      model User { id: Int; name: String? }
      """
    try await expectSame(
      schema,
      #"[{"id": 1, "author": {"id": 7, "name": "A"}, "owner": 7}, {"id": 2, "author": null, "owner": {"id": 8}}]"#,
      #"[{"id": 1, "author": [{"id": 7, "name": "A"}], "owner": [7]}, {"id": 2, "author": [], "owner": [{"id": 8}]}]"#,
      as: "Note")
  }

  @Test func inverseOneToOneIsReadFromListOfOne() async throws {
    let schema = "model User { id: Int; @OneOrMany card: Card? }\nmodel Card { id: Int; user: User? }"
    try await expectSame(
      schema, #"[{"id": 1, "card": {"id": 7}}, {"id": 2, "card": null}]"#,
      #"[{"id": 1, "card": [{"id": 7}]}, {"id": 2, "card": []}]"#, as: "User")
  }

  @Test func toManyIsReadFromSingleRowOrKey() async throws {
    let schema = """
      model Post {
        id: Int
        @OneOrMany notes: [Note]
        @OneOrMany @Relationship(inverse: \\Tag.posts) tags: [Tag]
      }
      model Note { id: Int; text: String?; post: Post? }
      model Tag { id: String; posts: [Post] }
      """
    try await expectSame(
      schema,
      #"[{"id": 1, "notes": [{"id": 5, "text": "x"}], "tags": [{"id": "a"}]}, {"id": 2, "notes": [{"id": 6}], "tags": ["a"]}, {"id": 3, "notes": [], "tags": []}]"#,
      #"[{"id": 1, "notes": {"id": 5, "text": "x"}, "tags": {"id": "a"}}, {"id": 2, "notes": {"id": 6}, "tags": "a"}, {"id": 3, "notes": [], "tags": []}]"#,
      as: "Post")
  }

  @Test func arrayRowsAreReadFromSingleRowOrKey() async throws {
    let schema = """
      model Chart { id: Int; @OneOrMany last: Candle?; @OneOrMany candles: [Candle] }
      model Candle {
        @PrimaryKey(remote: "[0]") time: Int
        @RemoteKey("[1]") open: Int?
        @Relationship(inverse: \\Chart.candles) chart: Chart?
      }
      """
    try await expectSame(
      schema, #"[{"id": 1, "last": [5, 1], "candles": [[6, 2]]}, {"id": 2, "last": 5, "candles": [5]}]"#,
      #"[{"id": 1, "last": [[5, 1]], "candles": [[6, 2]]}, {"id": 2, "last": 5, "candles": 5}]"#, as: "Chart")
    // A list without another inside is a row, and a list of keys.
    let store = try TextStore(schema)
    try await store.sync(#"[{"id": 1, "last": [5], "candles": [[6, 2], [7, 3]]}]"#, as: "Chart")
    #expect(try store.rows(of: "Chart")[0]["last"] == 5)
    try await store.sync(#"[{"id": 1, "last": [[]], "candles": [6, 7]}]"#, as: "Chart")
    #expect(try store.rows(of: "Chart")[0]["last"] == .null)
    #expect(try store.rows(of: "Candle").map { $0["chart"] } == [.null, 1, 1])
    let report = try await store.sync(#"[{"id": 1, "candles": []}, {"id": 2, "candles": 7}]"#, as: "Chart")
    #expect(report.problems == [])
    #expect(try store.rows(of: "Candle").map { $0["chart"] } == [.null, .null, 2])
  }

  @Test func anOrderedListKeepsItsOrder() async throws {
    let schema = """
      model SetList { id: Int; @Ordered @OneOrMany @Relationship(inverse: nil) songs: [Song] }
      model Song { id: Int; title: String? }
      """
    try await expectSame(
      schema, #"[{"id": 1, "songs": [{"id": 9}, {"id": 3}]}, {"id": 2, "songs": [3]}]"#,
      #"[{"id": 1, "songs": [{"id": 9}, {"id": 3}]}, {"id": 2, "songs": 3}]"#, as: "SetList")
    let store = try TextStore(schema)
    try await store.sync(#"[{"id": 1, "songs": {"id": 9}}]"#, as: "SetList")
    #expect(try await store.rows("SELECT songsOrder FROM SetList") == ["[9]"])
  }

  @Test func unionsAreReadFromListOfOneOrSingleObject() async throws {
    let schema = """
      union Subject on "type" { case post: Post; case photo: Photo }
      model Event { id: Int; @OneOrMany subject: Subject?; @OneOrMany @Relationship(inverse: nil) items: [Subject] }
      model Post { id: Int; title: String? }
      model Photo { id: Int; url: String? }
      """
    try await expectSame(
      schema,
      #"[{"id": 1, "subject": {"type": "post", "id": 5, "title": "p"}, "items": [{"type": "photo", "id": 6}]}, {"id": 2, "subject": null, "items": []}]"#,
      #"[{"id": 1, "subject": [{"type": "post", "id": 5, "title": "p"}], "items": {"type": "photo", "id": 6}}, {"id": 2, "subject": [], "items": []}]"#,
      as: "Event")
    try await expectSame(
      schema, #"[{"id": 1, "subject_id": 5, "subject_type": "post", "items": []}]"#,
      #"[{"id": 1, "subject_id": [5], "subject_type": ["post"], "items": []}]"#, as: "Event")
  }

  @Test func unknownTypeOfAUnionIsKeptFromListOfOne() async throws {
    let schema = """
      union Subject on "type" { case post: Post; case photo: Photo }
      model Post { id: Int }
      model Photo { id: Int }
      model Note { id: Int; @OneOrMany subject: Subject? }
      """
    let store = try TextStore(schema)
    let subjects = [#"[{"type": "poll", "id": 4}]"#, "[]", "[null]", #"[{"type": "photo", "id": 5}]"#]
    let notes = subjects.enumerated().map { #"{"id": \#($0), "subject": \#($1)}"# }
    let payload = "[\(notes.joined(separator: ", "))]"
    let report = try await store.sync(payload, as: "Note")
    #expect(report.problems.map(\.path) == ["[0].subject"])
    let rows = try await store.rows("SELECT id, subjectPost, subjectPhoto, subjectUnrecognized FROM Note")
    #expect(rows == ["0 - - poll", "1 - - -", "2 - - -", "3 - 5 -"])
    #expect(try await store.sync(payload, as: "Note").isUnchanged)
  }

  @Test func compositeIdentityPartIsReadFromListOfOne() async throws {
    let schema = """
      @OneOrMany @PrimaryKey(\\.user, \\.group)
      model Membership { user: User; group: Group; role: String? }
      model User { id: Int }
      model Group { id: Int }
      """
    try await expectSame(
      schema, #"[{"user": {"id": 1}, "group": {"id": 2}, "role": "r"}]"#,
      #"[{"user": [{"id": 1}], "group": [{"id": 2}], "role": ["r"]}]"#, as: "Membership")
  }

  // MARK: Types

  @Test func oneOrManyOnModelAppliesToAllProperties() async throws {
    let schema = """
      @OneOrMany
      model Item {
        @PrimaryKey(remote: "code") id: String
        title: String
        price: Double?
        words: [String]
        raw: JSON?
        counts: [String: Int]
        place: Place?
        owner: User?
        notes: [Note]
      }
      model User { id: Int; name: String? }
      model Note { id: Int; item: Item? }
      struct Place { city: String }
      """
    try await expectSame(
      schema,
      #"[{"code": "x", "title": "t", "price": 1.5, "words": ["w"], "raw": ["r"], "counts": {"a": 1}, "place": {"city": "B"}, "owner": {"id": 7, "name": "A"}, "notes": [{"id": 5}]}]"#,
      #"[{"code": ["x"], "title": ["t"], "price": ["1.5"], "words": "w", "raw": ["r"], "counts": {"a": 1}, "place": [{"city": "B"}], "owner": [{"id": 7, "name": "A"}], "notes": {"id": 5}}]"#,
      as: "Item")
  }

  @Test func oneOrManyDoesNotAffectMapsAndJSON() async throws {
    let store = try TextStore("@OneOrMany model M { id: Int; raw: JSON; counts: [String: Int]? }")
    let report = try await store.sync(#"[{"id": 1, "raw": [5], "counts": [{"a": 1}]}]"#, as: "M")
    #expect(report.problems.map(\.path) == ["[0].counts"])
    #expect(try await store.rows("SELECT raw, counts FROM M") == ["[5] -"])
  }

  @Test func oneOrManyOnModelDoesNotAffectStructsOrLinkedRows() async throws {
    let store = try TextStore(
      """
      @OneOrMany model M { id: Int; place: Place?; owner: User? }
      struct Place { city: String?; lines: [String] }
      model User { id: Int; name: String? }
      """)
    let report = try await store.sync(
      #"[{"id": 1, "place": [{"city": ["B"], "lines": []}], "owner": [{"id": 7, "name": ["A"]}]}]"#, as: "M")
    #expect(Set(report.problems.map(\.path)) == ["[0].place.city", "[0].owner.name"])
  }

  @Test func oneOrManyOnStructAppliesToAllMembers() async throws {
    let schema = """
      model M { id: Int; place: Place?; places: [Place] }
      @OneOrMany
      struct Place {
        city: String
        @RemoteKey("geo.zip") zip: Int?
        lines: [String]
        days: [Date]
        grid: [[Int]]
        inner: Inner?
        inners: [Inner]
        counts: [String: Int]
        @DateFormat("yyyy-MM-dd") day: Date?
      }
      struct Inner { a: Int; b: [Int] = [] }
      """
    let plain =
      #"{"city": "B", "geo": {"zip": 5}, "lines": ["l"], "days": ["2020-01-02T00:00:00Z"], "grid": [[1], [2]], "inner": {"a": 1}, "inners": [{"a": 2}], "counts": {"x": 1}, "day": "2020-01-02"}"#
    let other =
      #"{"city": ["B"], "geo": {"zip": [5]}, "lines": "l", "days": "2020-01-02T00:00:00Z", "grid": [1, [2]], "inner": [{"a": 1}], "inners": {"a": 2}, "counts": {"x": 1}, "day": ["2020-01-02"]}"#
    try await expectSame(
      schema, #"[{"id": 1, "place": \#(plain), "places": [\#(plain)]}]"#,
      #"[{"id": 1, "place": \#(other), "places": [\#(other)]}]"#, as: "M")
    let store = try TextStore(schema)
    let report = try await store.sync(
      #"[{"id": 1, "place": {"city": "B", "lines": [], "days": [], "grid": [], "inners": {"a": 1, "b": 2}, "counts": {}}, "places": []}]"#,
      as: "M")
    // The word of a struct is not for the members of its values.
    #expect(report.problems.count == 1)
    #expect(report.problems.first?.path.hasPrefix("[0].place.inners") == true, "\(report.problems)")
  }

  @Test func oneOrManyCanBeOnSingleStructMembers() async throws {
    try await expectSame(
      "model M { id: Int; place: Place? }\nstruct Place { @OneOrMany lines: [String]; @OneOrMany city: String? }",
      #"[{"id": 1, "place": {"lines": ["l"], "city": "B"}}, {"id": 2, "place": {"lines": [], "city": null}}]"#,
      #"[{"id": 1, "place": {"lines": "l", "city": ["B"]}}, {"id": 2, "place": {"lines": [], "city": []}}]"#,
      as: "M")
  }

  // MARK: Empty and longer lists

  @Test func emptyListForSingleValueIsNull() async throws {
    let store = try TextStore(
      """
      @OneOrMany model M { id: Int; title: String?; count: Int; place: Place?; owner: User? }
      struct Place { city: String }
      model User { id: Int }
      """)
    try await store.sync(
      #"[{"id": 1, "title": "t", "count": 3, "place": {"city": "B"}, "owner": {"id": 7}}]"#, as: "M")
    let report = try await store.sync(
      #"[{"id": 1, "title": [], "count": [], "place": [], "owner": []}]"#, as: "M")
    #expect(report.problems == [])
    #expect(try await store.rows("SELECT title, count, place, owner FROM M") == ["- 0 - -"])
    // Null in a list is null, too.
    try await store.sync(#"[{"id": 1, "title": "t", "owner": 7}]"#, as: "M")
    try await store.sync(#"[{"id": 1, "title": [null], "owner": [null]}]"#, as: "M")
    #expect(try await store.rows("SELECT title, owner FROM M") == ["- -"])
  }

  @Test func severalElementsForSingleValueAreUnreadable() async throws {
    let store = try TextStore(
      """
      @OneOrMany model M { id: Int; title: String?; place: Place?; owner: User? }
      struct Place { city: String }
      model User { id: Int }
      """)
    let first = #"[{"id": 1, "title": "t", "place": {"city": "B"}, "owner": {"id": 7}}]"#
    try await store.sync(first, as: "M")
    let report = try await store.sync(
      #"[{"id": 1, "title": ["a", "b"], "place": [{"city": "C"}, {"city": "D"}], "owner": [{"id": 8}, 9]}]"#,
      as: "M")
    #expect(Set(report.problems.map(\.path)) == ["[0].title", "[0].place", "[0].owner"])
    #expect(report.isUnchanged)
    #expect(try await store.rows("SELECT title, place, owner FROM M") == [#"t {"city":"B"} 7"#])
    #expect(try await store.rows("SELECT id FROM User") == ["7"])
  }

  @Test func unreadableSingleElementIsReported() async throws {
    let store = try TextStore(
      """
      model Post { id: Int; @OneOrMany notes: [Note]; @OneOrMany counts: [Int]? }
      model Note { id: Int; post: Post? }
      """)
    try await store.sync(#"[{"id": 1, "notes": [{"id": 5}], "counts": [1]}]"#, as: "Post")
    let report = try await store.sync(
      #"[{"id": 1, "notes": {"text": "no identity"}, "counts": "x"}]"#, as: "Post")
    #expect(report.problems.count == 2)
    #expect(report.unlinked == 0)
    #expect(try await store.rows("SELECT counts FROM Post") == ["[1]"])
  }

  @Test func singleValueForListIsUnreadableWithoutOneOrMany() async throws {
    let store = try TextStore(
      "model Post { id: Int; notes: [Note] }\n@OneOrMany model Note { id: Int; post: Post? }")
    // The list is the parent's property, which does not have the word.
    let report = try await store.sync(#"[{"id": 1, "notes": {"id": 5}}]"#, as: "Post")
    #expect(report.problems.map(\.path) == ["[0].notes"])
    #expect(try await store.rows("SELECT id FROM Note") == [])
  }

  // MARK: Paths

  @Test func oneOrManyAppliesToEachListOfAPath() async throws {
    let schema = """
      model Channel {
        id: Int
        @OneOrMany @RemoteKey("groups[].members[].user") users: [User]
        @OneOrMany @RemoteKey("labels[].name") labels: [String]
      }
      model User { id: Int; channel: Channel? }
      """
    let plain =
      #"[{"id": 1, "groups": [{"members": [{"user": {"id": 5}}]}, {"members": [{"user": {"id": 6}}, {"user": {"id": 7}}]}], "labels": [{"name": "x"}]}]"#
    try await expectSame(
      schema, plain,
      #"[{"id": 1, "groups": [{"members": {"user": {"id": 5}}}, {"members": [{"user": {"id": 6}}, {"user": {"id": 7}}]}], "labels": {"name": "x"}}]"#,
      as: "Channel")
    try await expectSame(
      schema, #"[{"id": 1, "groups": [{"members": [{"user": {"id": 5}}]}], "labels": []}]"#,
      #"[{"id": 1, "groups": {"members": {"user": {"id": 5}}}, "labels": []}]"#, as: "Channel")
  }

  @Test func pathThroughSingleValueIsUnreadableWithoutOneOrMany() async throws {
    let store = try TextStore(
      #"model M { id: Int; @RemoteKey("labels[].name") labels: [String]? }"#)
    let report = try await store.sync(#"[{"id": 1, "labels": {"name": "x"}}]"#, as: "M")
    #expect(report.problems.count == 1)
    #expect(try await store.rows("SELECT labels FROM M") == ["-"])
  }

  @Test func oneOrManyReadsValuesAtNestedPaths() async throws {
    try await expectSame(
      #"model M { id: Int; @OneOrMany @RemoteKey("data.title") title: String?; @OneOrMany @RemoteKey("data.tags") tags: [String] }"#,
      #"[{"id": 1, "data": {"title": "t", "tags": ["x"]}}]"#,
      #"[{"id": 1, "data": {"title": ["t"], "tags": "x"}}]"#, as: "M")
  }

  @Test func unreadKeysAreFoundInSingleValue() async throws {
    let store = try TextStore(
      #"model M { id: Int; @OneOrMany @RemoteKey("labels[].name") labels: [String] }"#)
    let report = try await store.sync(#"[{"id": 1, "labels": {"name": "x", "hue": 3}}]"#, as: "M")
    #expect(report.unreadKeys?.keys.map(\.key) == ["labels[].hue"])
  }
}
