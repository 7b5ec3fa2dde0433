import Syncline
import SynclineCompiler
import SynclineTooling
import Testing

/// Lists of pairs that are read as objects.
@Suite struct PairTests {
  private static let schema = """
    model Product {
      id: Int
      @RemoteKey("custom_attributes[attribute_code:value].color") color: String?
      @RemoteKey("custom_attributes[attribute_code:value].size.unit") unit: String?
      @RemoteKey("custom_attributes[attribute_code:value].stock") stock: Int = 7
      @RemoteKey("custom_attributes[attribute_code:value].sizes") sizes: [Int]?
    }
    """

  /// A row with a list of pairs.
  private func row(_ pairs: String, id: Int = 1) -> String {
    let pairs = pairs.split(separator: ";").map { pair in
      let parts = pair.split(separator: "=")
      return "{\"attribute_code\": \"\(parts[0])\", \"value\": \(parts[1])}"
    }
    return "{\"id\": \(id), \"custom_attributes\": [\(pairs.joined(separator: ", "))]}"
  }

  private func store(_ rows: String...) async throws -> TextStore {
    let store = try TextStore(PairTests.schema)
    for row in rows {
      #expect(try await store.sync("[\(row)]", as: "Product").problems == [])
      #expect(try await store.sync("[\(row)]", as: "Product").isUnchanged)
    }
    return store
  }

  private static let all = #"color="red";size={"unit": "cm"};stock=5;sizes=[1, 2];other=null"#

  @Test func aPairIsReadByItsName() async throws {
    let store = try await store(row(PairTests.all))
    #expect(
      try store.rows(of: "Product") == [
        ["id": 1, "color": "red", "unit": "cm", "stock": 5, "sizes": [1, 2]]
      ])
  }

  @Test func missingPairIsNullOrKeepsRequiredValue() async throws {
    let store = try await store(row(PairTests.all), row(#"other=1"#))
    #expect(
      try store.rows(of: "Product") == [["id": 1, "color": nil, "unit": nil, "stock": 5, "sizes": nil]])
    try await store.sync("[\(row(PairTests.all)), \(row("", id: 2))]", as: "Product")
    #expect(try store.rows(of: "Product").map { $0["color"] } == ["red", .null])
    #expect(try store.rows(of: "Product").map { $0["stock"] } == [5, 7])
  }

  @Test func lastPairOfEqualNameWins() async throws {
    let store = try await store(row(#"color="red";color="blue""#))
    #expect(try store.rows(of: "Product")[0]["color"] == "blue")
    try await store.sync("[\(row(#"color="red";color=null"#))]", as: "Product")
    #expect(try store.rows(of: "Product")[0]["color"] == .null)
  }

  @Test func absentPairListChangesNothing() async throws {
    let store = try await store(row(PairTests.all), #"{"id": 1}"#)
    #expect(try store.rows(of: "Product")[0]["color"] == "red")
    #expect(try store.rows(of: "Product")[0]["sizes"] == [1, 2])
  }

  @Test func exportWritesAllPairsIntoOneList() async throws {
    let store = try await store(row(PairTests.all), row("stock=0", id: 2))
    try await store.expectRoundTrip("[\(row(PairTests.all)), \(row("stock=0", id: 2))]", as: "Product")
    #expect(
      try await store.exportedRows(of: "Product") == [
        try SyncJSON(parsing: row(#"color="red";size={"unit": "cm"};stock=5;sizes=[1, 2]"#)),
        try SyncJSON(parsing: row("stock=0", id: 2)),
      ])
  }

  @Test func exportOmitsPairsOfNilValues() async throws {
    let store = try TextStore(
      "model A { id: Int; @RemoteKey(\"p[n:v].x\") x: Int?; @RemoteKey(\"p[n:v].y\") y: Int? }")
    try await store.expectRoundTrip(#"[{"id": 1, "p": [{"n": "z", "v": 1}]}]"#, as: "A")
    #expect(try await store.exportedRows(of: "A") == [["id": 1, "p": []]])
  }

  @Test(arguments: [
    #"{"x": 2}"#, "5", #"["x"]"#, #"[{"n": "x"}]"#, #"[{"v": 2}]"#, #"[{"n": {}, "v": 2}]"#,
    #"[{"n": "x", "v": 2}, null]"#,
  ])
  func malformedPairListIsReportedAsProblem(list: String) async throws {
    let store = try TextStore("model A { id: Int; @RemoteKey(\"p[n:v].x\") x: Int? }")
    try await store.sync(#"[{"id": 1, "p": [{"n": "x", "v": 1}]}]"#, as: "A")
    let report = try await store.sync("[{\"id\": 1, \"p\": \(list)}]", as: "A")
    #expect(report.problems.map(\.path) == ["[0].p[n:v].x"])
    #expect(try store.rows(of: "A")[0]["x"] == 1)
  }

  /// A tracker's fields of other types have their values under other keys.
  @Test func pairsOfOtherNamesNeedNoValue() async throws {
    let store = try TextStore("model A { id: Int; @RemoteKey(\"p[n:number].x\") x: Double? }")
    let report = try await store.sync(
      #"[{"id": 1, "p": [{"n": "y", "choice": {"n": "a"}}, {"n": "x", "number": 1.5}, {"n": "z", "text": "b"}]}]"#,
      as: "A")
    #expect(report.problems.isEmpty)
    #expect(try store.rows(of: "A")[0]["x"] == 1.5)
  }

  @Test func nullPairListSetsNull() async throws {
    let store = try TextStore("model A { id: Int; @RemoteKey(\"p[n:v].x\") x: Int? }")
    try await store.sync(#"[{"id": 1, "p": [{"n": "x", "v": 1}]}]"#, as: "A")
    try await store.sync(#"[{"id": 1, "p": null}]"#, as: "A")
    #expect(try store.rows(of: "A")[0]["x"] == .null)
  }

  @Test func pairNamesCanBeNumbersOrQuoted() async throws {
    let store = try TextStore(
      ##"""
      model Issue {
        id: Int
        @RemoteKey("custom_fields[id:value].5") owner: String?
        @RemoteKey(#"custom_fields[id:value]."a.b""#) quoted: String?
        @RemoteKey("meta.fields[key:data].x.y") joined: String?
      }
      """##)
    try await store.sync(
      #"""
      [{"id": 1, "custom_fields": [{"id": 5, "value": "A"}, {"id": "a.b", "value": "B"}],
        "meta.fields": [{"key": "x.y", "data": "C"}]},
       {"id": 2, "custom_fields": [{"id": "5", "value": "D"}], "meta": {"fields": [{"key": "x", "data": {"y": "E"}}]}}]
      """#, as: "Issue")
    #expect(
      try store.rows(of: "Issue") == [
        ["id": 1, "owner": "A", "quoted": "B", "joined": "C"],
        ["id": 2, "owner": "D", "quoted": nil, "joined": "E"],
      ])
  }

  @Test func relationshipIsReadFromAPair() async throws {
    let store = try TextStore(
      """
      model Task { id: Int; @RemoteKey("fields[name:value].owner") owner: Owner? }
      model Owner { id: Int; @NotExport tasks: [Task] }
      """)
    let payload = #"[{"id": 1, "fields": [{"name": "owner", "value": {"id": 2}}]}]"#
    try await store.expectRoundTrip(payload, as: "Task")
    #expect(try store.rows(of: "Task")[0]["owner"] == 2)
    try await store.sync(#"[{"id": 1, "fields": []}]"#, as: "Task")
    #expect(try store.rows(of: "Task")[0]["owner"] == .null)
  }

  /// An object with only the identity would say that the name is nil.
  @Test(arguments: [
    ("at[n:v].id", "at[n:v].name", #"[{"n": "id", "v": 1}, {"n": "name", "v": "a"}]"#),
    ("at[0]", "at[1]", #"[1, "a"]"#), ("at[0].id", "at[1].name", #"[{"id": 1}, {"name": "a"}]"#),
  ])
  func recursiveRowWithIdentityInListIsExportedAsKey(identity: String, name: String, list: String)
    async throws
  {
    let store = try TextStore(
      """
      model Node {
        @PrimaryKey(remote: "\(identity)") id: Int
        @RemoteKey("\(name)") name: String?
        next: Node?
      }
      """)
    try await store.expectRoundTrip("[{\"at\": \(list), \"next\": 1}]", as: "Node")
    #expect(try store.rows(of: "Node") == [["id": 1, "name": "a", "next": 1]])
    #expect(
      try await store.exportedRows(of: "Node") == [["at": try SyncJSON(parsing: list), "next": 1]])
  }

  @Test func recursiveRowIsExportedByItsLookupKey() async throws {
    let store = try TextStore(
      """
      model Node {
        @PrimaryKey(remote: "at[n:v].id") id: Int
        @RemoteKey("at[n:v].code") @Unique code: String
        @RemoteKey("at[n:v].name") name: String?
        @Export(.objects) @Relationship(by: \\Node.code) next: Node?
      }
      """)
    let payload = """
      [{"at": [{"n": "id", "v": 1}, {"n": "code", "v": "a"}, {"n": "name", "v": "b"}], "next": "a"}]
      """
    try await store.expectRoundTrip(payload, as: "Node")
    #expect(try await store.exportedRows(of: "Node") == [try SyncJSON(parsing: payload)[0] ?? .null])
  }

  @Test func unreadPairsAreReportedAsUnreadKeys() async throws {
    let store = try TextStore(PairTests.schema)
    let report = try await store.sync("[\(row(PairTests.all))]", as: "Product")
    #expect(report.unreadKeys?.keys.map(\.key) == ["custom_attributes[attribute_code:value].other"])
  }

  private func codes(_ text: String) -> [DiagnosticCode] { TextStore.analysis(text).diagnostics.map(\.code) }

  @Test func mixedStepsIntoOneListAreRefused() {
    func two(_ first: String, _ second: String) -> [DiagnosticCode] {
      codes("model A { id: Int; @RemoteKey(\"\(first)\") x: Int?; @RemoteKey(\"\(second)\") y: Int? }")
    }
    #expect(two("a[n:v].x", "a[n:v].y") == [])
    #expect(two("a[n:v].x", "a[m:v].y") == [.mixedSteps])
    #expect(two("a[n:v].x", "a[0].v") == [.mixedSteps])
    #expect(two("a[n:v].x", "a[n:v].x") == [.sameKey])
    #expect(two("a[n:v].x", "b[m:v].y") == [])
    #expect(codes("model A { id: Int; @RemoteKey(\"a[n:v]\") x: Int? }") == [.invalidKey])
    #expect(codes("model A { id: Int; @RemoteKey(\"a[n:v:w].x\") x: Int? }") == [.invalidKey])
  }

  @Test func keyReadAsObjectAndListIsRefused() {
    func two(_ first: String, _ second: String) -> [String] {
      TextStore.analysis("model A { id: Int; @RemoteKey(\(first)) x: Int?; @RemoteKey(\(second)) y: Int? }")
        .diagnostics.map { "\($0.code.rawValue) \($0.message)" }
    }
    let reason = "an export can write only one of them"
    #expect(
      two(#""a.x""#, #""a[0]""#) == [
        "SL102 “y” of “A” reads “a” as a list, and “x” as an object: \(reason)"
      ])
    #expect(
      two(#""a[n:v].x""#, #""a.y""#) == [
        "SL102 “y” of “A” reads “a” as an object, and “x” as a list: \(reason)"
      ])
    #expect(
      two(#""b.a[1].x""#, #""b.a[1][0]""#) == [
        "SL102 “y” of “A” reads “b.a[1]” as a list, and “x” as an object: \(reason)"
      ])
    // Other elements of the list, other keys, and keys that exports do not write.
    #expect(two(#""a[0].x""#, #""a[1][0]""#) == [])
    #expect(two(##"#""a.b".x"#"##, #""b[0]""#) == [])
    #expect(two(#""a.x", "a[0].x""#, #""a.y", "a[0].y""#) == [])
    // A number that stands for an index is one mistake.
    #expect(two(#""a.0.x""#, #""a[0].y""#).map { $0.prefix(5) } == ["SL063"])
    let rows = """
      model C {
        @PrimaryKey(remote: "[0]") id: Int
        @RemoteKey("[1].a") a: Int?
        @RemoteKey("[1][0]") b: Int?
      }
      """
    #expect(codes(rows) == [.mixedSteps])
    #expect(codes("struct S { @RemoteKey(\"a.x\") x: Int?; @RemoteKey(\"a[0]\") y: Int? }") == [.mixedSteps])
  }

  /// Rows that are read from one object share its values.
  @Test func keyOfTwoRowsReadAsObjectAndListIsRefused() {
    func two(_ own: String, _ far: String, between: String = "Far") -> [String] {
      TextStore.analysis(
        """
        model Pivot { id: Int; @RemoteKey("\(own)") x: Int?; @RemoteKey(".") far: \(between)? }
        model Between { @PrimaryKey(remote: "between") id: Int; @RemoteKey(".") far: Far? }
        model Far { @PrimaryKey(remote: "key") id: Int; @RemoteKey("\(far)") y: Int? }
        """
      ).diagnostics.map { "\($0.code.rawValue) \($0.message)" }
    }
    for between in ["Far", "Between"] {
      #expect(
        two("m[0]", "m.c", between: between) == [
          "SL102 “far” of “Pivot” is read from the same object: “y” of “Far” reads “m” as an object, and “x” as a list: an export can write only one of them"
        ])
    }
    #expect(two("m[n:v].x", "m[k:v].y").count == 1)
    #expect(two("a.m.c", "a.m[0]").count == 1)
    #expect(two("m[n:v].x", "m[n:v].y") == [])
    #expect(two("m[0]", "m[1].c") == [])
    #expect(two("m.a", "m.b") == [])
  }

  @Test func jsonSchemaContainsThePairList() throws {
    let schema = try TextStore.schema(PairTests.schema)
    let json = PayloadSchema.jsonSchema(schema)["$defs"]?["Product"]?["properties"]?["custom_attributes"]
    #expect(json?["type"] == ["array", "null"])
    #expect(json?["allOf"]?[0]?["items"]?["allOf"]?.array?.count == 4)
  }
}
