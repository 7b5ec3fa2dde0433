import Syncline
import Testing

/// Paths whose names are joined in keys, and parts in quotes.
@Suite struct PathTests {
  private static let schema = """
    model Thing {
      id: Int
      @RemoteKey("a.b.c") deep: Int?
    }
    """

  /// What a path of three names reads from a row with given members.
  private func deep(_ members: String) async throws -> SyncJSON? {
    let store = try TextStore(PathTests.schema)
    let payload = "[{\"id\": 1, \(members)}]"
    try await store.sync(payload, as: "Thing")
    #expect(try await store.sync(payload, as: "Thing").isUnchanged)
    return try store.rows(of: "Thing")[0]["deep"]
  }

  // MARK: Joins

  @Test func longestJoinedKeyIsTriedFirst() async throws {
    let all = [
      #""a": {"b": {"c": 4}}"#, #""a": {"b.c": 3}"#, #""a.b": {"c": 2}"#, #""a.b.c": 1"#,
    ]
    for (index, members) in all.enumerated() {
      #expect(try await deep(members) == SyncJSON.number(SyncNumber(4 - index)))
    }
    #expect(try await deep(all.joined(separator: ", ")) == 1)
    #expect(try await deep(all[..<3].joined(separator: ", ")) == 2)
    #expect(try await deep(#""a": {"b": {"c": 4}, "b.c": 3}"#) == 3)
    #expect(try await deep(#""a": {"b.c": 3, "b": {"c": 4}}"#) == 3)
  }

  @Test func firstPresentJoinedKeyWinsEvenIfNull() async throws {
    #expect(try await deep(#""a.b.c": null, "a": {"b": {"c": 4}}"#) == .null)
    #expect(try await deep(#""a.b": null, "a": {"b": {"c": 4}}"#) == .null)
    #expect(try await deep(#""a.b": {"c": null}, "a": {"b": {"c": 4}}"#) == .null)
    #expect(try await deep(#""a": {"b.c": null, "b": {"c": 4}}"#) == .null)
  }

  @Test func joinedKeyWithoutNestedValueFallsBackToTheNext() async throws {
    #expect(try await deep(#""a.b": {}, "a": {"b": {"c": 4}}"#) == 4)
    #expect(try await deep(#""a.b": 5, "a": {"b": {"c": 4}}"#) == 4)
    #expect(try await deep(#""a": {"b": {"d": 1}}"#) == .null)
  }

  @Test func joinedKeysAreTriedInEachObject() async throws {
    let store = try TextStore(
      """
      model Thing {
        id: Int
        @RemoteKey("a.b.c.d.e") deep: Int?
        @RemoteKey("list[0].x.y") first: Int?
        @RemoteKey("rows[].m.n") all: [Int] = []
      }
      """)
    let payload = #"""
      [{"id": 1, "a": {"b": {"c.d.e": 1}}, "list": [{"x.y": 2}], "rows": [{"m.n": 3}, {"m": {"n": 4}}]},
       {"id": 2, "a.b": {"c.d": {"e": 5}}}, {"id": 3, "a": {"b.c": {"d.e": 6}}},
       {"id": 4, "a": {"b": {"c": {"d": {"e": 7}}}}}]
      """#
    #expect(try await store.sync(payload, as: "Thing").problems == [])
    #expect(try store.rows(of: "Thing").map { $0["deep"] } == [1, 5, 6, 7])
    #expect(try store.rows(of: "Thing")[0]["first"] == 2)
    #expect(try store.rows(of: "Thing")[0]["all"] == [3, 4])
  }

  @Test func structsReadJoinedKeys() async throws {
    let store = try TextStore(
      """
      model Thing { id: Int; place: Place? }
      struct Place { @RemoteKey("geo.at.lat") lat: Double }
      """)
    try await store.sync(
      #"[{"id": 1, "place": {"geo": {"at.lat": 1.5}}}, {"id": 2, "place": {"geo.at": {"lat": 2.5}}}]"#,
      as: "Thing")
    #expect(try store.rows(of: "Thing").map { $0["place"]?["lat"] } == [1.5, 2.5])
  }

  @Test func relationshipsAndIdentitiesReadJoinedKeys() async throws {
    let store = try TextStore(
      """
      model Thing { @PrimaryKey(remote: "meta.key.id") id: Int; @RemoteKey("rel.owner.data") owner: Owner? }
      model Owner { id: Int; name: String? }
      """)
    let payload = #"""
      [{"meta": {"key.id": 1}, "rel": {"owner.data": {"id": 5, "name": "A"}}},
       {"meta.key": {"id": 2}, "rel.owner": {"data": 5}}]
      """#
    #expect(try await store.sync(payload, as: "Thing").problems == [])
    #expect(try store.rows(of: "Thing") == [["id": 1, "owner": 5], ["id": 2, "owner": 5]])
    #expect(try await store.sync(payload, as: "Thing").isUnchanged)
  }

  @Test func syncPathReadsJoinedKeys() async throws {
    let store = try TextStore("model Thing { id: Int }")
    for payload in [
      #"{"x": {"y": {"z": [{"id": 1}]}}}"#, #"{"x.y": {"z": [{"id": 1}]}}"#, #"{"x": {"y.z": [{"id": 1}]}}"#,
      #"{"x": {"y": {"z": []}}, "x.y.z": [{"id": 1}]}"#, #"{"x.y": {}, "x": {"y": {"z": [{"id": 1}]}}}"#,
    ] {
      try await store.sync(list: payload, at: "x.y.z", as: "Thing")
      #expect(try store.rows(of: "Thing") == [["id": 1]], "\(payload)")
    }
    await #expect(throws: SyncError.self) {
      try await store.sync(list: #"{"x": {"y": {}}}"#, at: "x.y.z", as: "Thing")
    }
  }

  @Test func joinedKeyIsNotReportedAsUnread() async throws {
    let store = try TextStore(PathTests.schema)
    let report = try await store.sync(
      #"[{"id": 1, "a": {"b.c": 3, "b.d": 4}}, {"id": 2, "a.b": {"c": 1}}]"#, as: "Thing")
    #expect(report.unreadKeys?.keys.map(\.key) == [#"a."b.d""#])
  }

  @Test func exportWritesJoinedKeysAsNestedObjects() async throws {
    let store = try TextStore(PathTests.schema)
    try await store.expectRoundTrip(#"[{"id": 1, "a.b": {"c": 2}}, {"id": 2, "a": {"b.c": 3}}]"#, as: "Thing")
    #expect(
      try await store.exportedRows(of: "Thing")
        == [["id": 1, "a": ["b": ["c": 2]]], ["id": 2, "a": ["b": ["c": 3]]]])
  }

  /// A path may be as long as somebody writes it.
  @Test func pathOfFortyNamesIsRead() async throws {
    let names = (0..<40).map { "n\($0)" }
    let store = try TextStore(
      "model Thing { id: Int; @RemoteKey(\"\(names.joined(separator: "."))\") deep: Int? }")
    let nested = names.reversed().reduce("7") { "{\"\($1)\": \($0)}" }
    let joined = "{\"\(names.joined(separator: "."))\": 8}"
    let empty = names.dropLast().reversed().reduce("{}") { "{\"\($1)\": \($0)}" }
    for (body, value) in [(nested, 7 as SyncJSON), (joined, 8), (empty, 8)] {
      try await store.sync("[{\"id\": 1, \(body.dropFirst())]", as: "Thing")
      #expect(try store.rows(of: "Thing")[0]["deep"] == value)
    }
  }

  // MARK: Quotes

  private static let quoted = ##"""
    model Item {
      id: Int
      @RemoteKey(#"fields."System.Title""#) title: String?
      @RemoteKey("fields.\"System.State\".name") state: String?
      @RemoteKey(#""@odata.etag""#) etag: String?
      @RemoteKey(#"links."self.all"[].href"#) links: [String] = []
    }
    """##

  @Test func aQuotedPartIsOneKey() async throws {
    let store = try TextStore(PathTests.quoted)
    let payload = #"""
      [{"id": 1, "@odata.etag": "e", "fields": {"System.Title": "T", "System.State": {"name": "open"}},
        "links": {"self.all": [{"href": "a"}, {"href": "b"}]}}]
      """#
    #expect(try await store.sync(payload, as: "Item").problems == [])
    #expect(
      try store.rows(of: "Item") == [
        ["id": 1, "title": "T", "state": "open", "etag": "e", "links": ["a", "b"]]
      ])
    try await store.expectRoundTrip(payload, as: "Item")
    #expect(try await store.exportedRows(of: "Item") == [try SyncJSON(parsing: payload)[0] ?? .null])
  }

  @Test func quotedPartIsNotJoinedWithOtherNames() async throws {
    let store = try TextStore(PathTests.quoted)
    try await store.sync(
      #"""
      [{"id": 1, "fields.System.Title": "T", "fields": {"System": {"Title": "U", "State": {"name": "V"}}},
        "fields.\"System.Title\"": "W", "@odata": {"etag": "X"}}]
      """#, as: "Item")
    #expect(
      try store.rows(of: "Item") == [["id": 1, "title": nil, "state": nil, "etag": nil, "links": []]])
  }

  @Test func namesAroundQuotedPartAreJoined() async throws {
    let store = try TextStore(
      ##"model Thing { id: Int; @RemoteKey(#"a.b."x.y".c.d"#) deep: Int? }"##)
    try await store.sync(
      #"[{"id": 1, "a.b": {"x.y": {"c": {"d": 1}}}}, {"id": 2, "a": {"b": {"x.y": {"c.d": 2}}}}]"#,
      as: "Thing")
    #expect(try store.rows(of: "Thing").map { $0["deep"] } == [1, 2])
  }

  @Test func quotedPartIgnoresTheKeyStyle() async throws {
    let store = try TextStore(
      ##"model Thing { id: Int; @RemoteKey(#"someFields."systemTitle""#) title: String? }"##)
    try await store.sync(
      #"""
      [{"id": 1, "some_fields": {"systemTitle": "T"}}, {"id": 2, "some_fields": {"system_title": "U"}},
       {"id": 3, "someFields": {"systemTitle": "V"}}]
      """#, as: "Thing")
    #expect(try store.rows(of: "Thing").map { $0["title"] } == ["T", .null, "V"])
  }

  @Test func keysDifferingOnlyInQuotesAreDuplicates() {
    let same = ##"model A { id: Int; @RemoteKey("a.b") x: Int?; @RemoteKey(#"a."b""#) y: Int? }"##
    #expect(TextStore.analysis(same).diagnostics.map(\.code) == [.sameKey])
    let joined = ##"model A { id: Int; @RemoteKey("a.b.c") x: Int?; @RemoteKey(#"a."b.c""#) y: Int? }"##
    #expect(TextStore.analysis(joined).diagnostics.map(\.code) == [.sameKey])
    let twice = ##"model A { id: Int; @RemoteKey("a.b", #"a."b""#) x: Int? }"##
    #expect(TextStore.analysis(twice).diagnostics.map(\.code) == [.invalidKey])
    // The object around a quoted key is not read through its dots.
    let apart = ##"model A { id: Int; @RemoteKey("a.b") x: Int?; @RemoteKey(#"a."b.c""#) y: Int? }"##
    #expect(TextStore.analysis(apart).diagnostics.map(\.code) == [])
    let inside = ##"model A { id: Int; @RemoteKey("a") x: JSON?; @RemoteKey(#"a."b.c""#) y: Int? }"##
    #expect(TextStore.analysis(inside).diagnostics.map(\.code) == [.overlappingKeys])
  }

  @Test func quotedKeyOfAnotherPropertyIsNotAnAliasOfTheIdentity() async throws {
    let store = try TextStore(##"model M { remoteID: Int; @RemoteKey(#""id""#) code: String }"##)
    try await store.sync(#"[{"remote_id": 1, "id": "x"}]"#)
    #expect(try store.rows(of: "M") == [["remoteID": 1, "code": "x"]])
  }

  @Test(arguments: [
    ("b.m[0]", "[7]"), ("b.m[1].n", #"[null, {"n": 7}]"#), ("b.m[n:v].x", #"[{"n": "x", "v": 7}]"#),
    ("b.m", "7"),
  ])
  func exportWritesValueIntoRelationshipObject(path: String, value: String) async throws {
    let store = try TextStore(
      """
      model A { id: Int; @RemoteKey("\(path)") x: Int?; b: B? }
      model B { id: Int; name: String? }
      """)
    try await store.expectRoundTrip(
      #"[{"id": 1, "b": {"id": 2, "name": "q", "m": \#(value)}}, {"id": 2, "b": null, "\#(path)": 7}, {"id": 3}]"#,
      as: "A")
    let rows = try await store.exportedRows(of: "A")
    #expect(rows.map { $0["b"]?["m"] } == [try SyncJSON(parsing: value), nil, nil])
    #expect(rows.map { $0["b"]?.isNull } == [false, true, true])
    #expect(rows.map { $0[path] } == [nil, 7, nil])
  }

  /// A quoted key is not read as a part of another, so the value needs the object.
  @Test func quotedKeyOfNilRelationshipKeepsItsObject() async throws {
    let store = try TextStore(
      ##"model A { id: Int; @RemoteKey(#"b."m""#) x: Int?; b: B? } model B { id: Int; name: String? }"##)
    try await store.sync(#"[{"id": 1, "b": {"m": 7}}]"#, as: "A")
    let exported = try await store.exportData("A")
    #expect(try SyncJSON(parsing: exported) == [["id": 1, "b": ["m": 7]]])
    #expect(try await store.sync(exported, as: "A").isUnchanged)
  }

  @Test func indexWithLeadingZeroIsRefused() {
    let schema = """
      model A { id: Int; @RemoteKey("a[1]") x: Int?; @RemoteKey("a[01]") y: Int?; @RemoteKey("a[10]") z: Int? }
      """
    #expect(
      TextStore.analysis(schema).diagnostics.map(\.message) == [
        "“a[01]” is not a valid key: “[01]” has a leading zero: write “[1]”"
      ])
  }

  @Test func unclosedQuoteInPathIsRefused() {
    let open = ##"model A { id: Int; @RemoteKey(#"a."b.c"#) x: Int? }"##
    #expect(
      TextStore.analysis(open).diagnostics.map(\.message) == [
        "“a.\"b.c” is not a valid key: the quote before “b.c” is not closed"
      ])
    let behind = ##"model A { id: Int; @RemoteKey(#""a.b"c"#) x: Int? }"##
    #expect(
      TextStore.analysis(behind).diagnostics.map(\.message) == [
        "“\"a.b\"c” is not a valid key: “c” is not a valid step: write “[]”, “[0]”, “{}” or “{name}”"
      ])
  }

  @Test func syncPathReadsQuotedKeys() async throws {
    let store = try TextStore("model Thing { id: Int }")
    try await store.sync(
      list: #"{"odata": {"value": []}, "odata.value": [{"id": 1}]}"#, at: #""odata.value""#, as: "Thing")
    #expect(try store.rows(of: "Thing") == [["id": 1]])
    try await store.sync(
      list: #"{"result": {"a.b": [{"row": {"id": 2}}]}}"#, at: #"result."a.b"[].row"#, as: "Thing")
    #expect(try store.rows(of: "Thing") == [["id": 2]])
    await #expect(throws: SyncError.self) { try await store.sync(list: "{}", at: #"a."b"#, as: "Thing") }
  }

  @Test func unionTypeKeyCanBeQuoted() async throws {
    let store = try TextStore(
      ##"""
      model Item { id: Int; shapes: [Shape] }
      union Shape on #""@odata.type""# { case circle: Circle; case square: Square }
      struct Circle { radius: Double }
      struct Square { side: Double }
      """##)
    let payload = #"""
      [{"id": 1, "shapes": [
        {"@odata.type": "circle", "radius": 1.5}, {"@odata.type": "square", "side": 2.5}]}]
      """#
    try await store.expectRoundTrip(payload, as: "Item")
    #expect(try await store.exportedRows(of: "Item") == [try SyncJSON(parsing: payload)[0] ?? .null])
  }

  @Test func aRawStringHasNoEscapes() {
    let schema = TextStore.analysis(##"model A { id: Int; name: String = #"a\n"b""# }"##)
    #expect(schema.diagnostics.map(\.message) == [])
    #expect(schema.schema?.models[0].properties[1].defaultValue == .text(#"a\n"b""#))
    let open = TextStore.analysis("model A {\n  id: Int\n  name: String = #\"a\n}")
    #expect(open.diagnostics.map(\.message) == ["unterminated string"])
  }
}
