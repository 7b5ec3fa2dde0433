import Syncline
import SynclineCompiler
import SynclineTooling
import Testing

/// Rows that are lists: all paths of their model begin with a place.
@Suite struct RowListTests {
  private static let candle = """
    model Candle { @PrimaryKey(remote: "[0]") openTime: Int64
     @RemoteKey("[1]") open: Decimal }
    """

  @Test func arrayRowIsReadByIndex() async throws {
    let store = try TextStore(RowListTests.candle)
    let payload = #"[[1499040000000, "0.0163"], [1499040060000, "0.8"]]"#
    #expect(try await store.sync(payload, as: "Candle").problems == [])
    #expect(
      try store.rows(of: "Candle") == [
        ["openTime": 1_499_040_000_000, "open": 0.0163], ["openTime": 1_499_040_060_000, "open": 0.8],
      ])
    try await store.expectRoundTrip(payload, as: "Candle")
    // A list without rows deletes them.
    try await store.sync("[]", as: "Candle")
    #expect(try store.rows(of: "Candle") == [])
  }

  @Test func arrayRowsAreReadFromJSONLines() async throws {
    let store = try TextStore(RowListTests.candle)
    func sync<Model: SyncUpdatableModel>(_ lines: String, _ model: Model.Type) async throws -> SyncReport {
      try await store.container.sync(payload: SyncLines(lines), as: model)
    }
    let model = try store.model("Candle")
    let report = try await sync("[1, \"0.5\"]\n\n[2, \"0.75\"]\n", model)
    #expect(report.problems == [])
    #expect(try store.rows(of: "Candle") == [["openTime": 1, "open": 0.5], ["openTime": 2, "open": 0.75]])
    #expect(try await sync("[2, \"0.75\"]\n[1, \"0.5\"]", model).isUnchanged)
    #expect(try await sync("", model).deleted == 2)
  }

  private static let places = """
    model Plane {
      @PrimaryKey(remote: "[1]") code: String
      @RemoteKey("[3].deep.name", "[4]") name: String?
      @RemoteKey("[3].size") size: Int?
      @RemoteKey("[5]") owner: Owner?
      @RemoteKey("[6]") tags: [Tag]
      @RemoteKey("[7]") words: [String] = []
    }
    model Owner { id: Int; planes: [Plane] }
    model Tag { id: Int; @NotExport @Relationship(inverse: \\Plane.tags) planes: [Plane] }
    """

  @Test func pathsContinueFromAnIndex() async throws {
    let store = try TextStore(RowListTests.places)
    let payload = #"""
      [[0, "a", 1, {"deep.name": "A", "size": 2}, null, {"id": 7}, [1, {"id": 2}], ["x"]],
       [0, "b", 1, {"size": 3}, "B", 7, [], []]]
      """#
    try await store.sync("[{\"id\": 1}]", as: "Tag")
    #expect(try await store.sync(payload, as: "Plane").problems == [])
    #expect(
      try store.rows(of: "Plane") == [
        ["code": "a", "name": "A", "size": 2, "owner": 7, "tags": [1, 2], "words": ["x"]],
        ["code": "b", "name": "B", "size": 3, "owner": 7, "tags": [], "words": []],
      ])
    #expect(try await store.sync(payload, as: "Plane").isUnchanged)
  }

  @Test func missingIndexIsNull() async throws {
    let store = try TextStore(RowListTests.places)
    try await store.sync(
      #"[[0, "a", 1, {"size": 2}, "A", {"id": 7}, [{"id": 1}], ["x"]]]"#, as: "Plane")
    #expect(try await store.sync(#"[[0, "a"]]"#, as: "Plane").problems == [])
    #expect(
      try store.rows(of: "Plane")
        == [["code": "a", "name": nil, "size": nil, "owner": nil, "tags": [], "words": []]])
  }

  @Test func exportWritesArrayUpToLastExportedIndex() async throws {
    let store = try TextStore(
      """
      model Point {
        @PrimaryKey(remote: "[1]") id: Int
        @RemoteKey("[4]") x: Int?
        @RemoteKey("[6]") y: Int?
        @RemoteKey("[2].name") name: String?
        @RemoteKey("[8]") @NotExport z: Int?
      }
      """)
    let payload = #"[[9, 1, {"name": "N"}, 9, 5, 9, null, 9, 6], [9, 2]]"#
    try await store.sync(payload, as: "Point")
    #expect(
      try await store.exportedRows(of: "Point") == [
        [nil, 1, ["name": "N"], nil, 5, nil, nil], [nil, 2, ["name": nil], nil, nil, nil, nil],
      ])
    let (text, rows) = (try await store.exportData("Point"), try await store.exportedRows(of: "Point"))
    #expect(try SyncJSON(parsing: text) == SyncJSON.array(rows))
  }

  /// Without its keys, the list would be read as empty.
  @Test(arguments: [
    (
      #"@PrimaryKey(remote: "[0]") id: Int; @RemoteKey("[1]") tasks: [Task]; @RemoteKey("[2]")"#,
      #"[7, [1, 2], "n"]"#
    ),
    (#"id: Int; @RemoteKey("at[0]") tasks: [Task]; @RemoteKey("at[1]")"#, #"{"id": 7, "at": [[1, 2], "n"]}"#),
    (
      #"id: Int; @RemoteKey("at[n:v].tasks") tasks: [Task]; @RemoteKey("at[n:v].name")"#,
      #"{"id": 7, "at": [{"n": "tasks", "v": [1, 2]}, {"n": "name", "v": "n"}]}"#
    ),
  ])
  func inverseToManyInListIsExportedAsKeys(properties: String, project: String) async throws {
    let store = try TextStore(
      """
      model Task { id: Int; project: Project? }
      model Project { \(properties) name: String? }
      """)
    let payload = "[{\"id\": 1, \"project\": \(project)}, {\"id\": 2}]"
    try await store.sync(payload, as: "Task")
    let exported = try SyncJSON(parsing: project)
    #expect(try await store.exportedRows(of: "Task").map { $0["project"] } == [exported, exported])
    try await store.expectUnchanged(by: payload, as: "Task")
    #expect(try store.rows(of: "Project") == [["id": 7, "tasks": [1, 2], "name": "n"]])
  }

  @Test func notExportedListElementBecomesNilOnReimport() async throws {
    let store = try TextStore(
      "model A { id: Int; @RemoteKey(\"at[0]\") @NotExport x: Int?; @RemoteKey(\"at[1]\") y: Int? }")
    try await store.sync(#"[{"id": 1, "at": [2, 3]}]"#, as: "A")
    let exported = try await store.exportData("A")
    #expect(try SyncJSON(parsing: exported) == [["id": 1, "at": [nil, 3]]])
    try await store.sync(exported, as: "A")
    #expect(try store.rows(of: "A") == [["id": 1, "x": nil, "y": 3]])
  }

  @Test func singleItemCanBeAnArrayRow() async throws {
    let store = try TextStore(RowListTests.candle)
    try await store.sync(item: #"[5, "1.5"]"#, as: "Candle")
    try await store.sync(item: #"{"data": [6, "2.5"]}"#, at: "data", as: "Candle")
    #expect(try store.rows(of: "Candle") == [["openTime": 5, "open": 1.5], ["openTime": 6, "open": 2.5]])
  }

  @Test func olderItemThatIsAnArrayRowIsIgnored() async throws {
    let store = try TextStore(RowListTests.candle)
    func sync<Model: SyncUpdatableModel>(
      _ item: String, _ model: Model.Type, _ moment: SyncMoment
    ) async throws {
      try await store.container.sync(item: item, as: model, requestedAt: moment)
    }
    let (old, new) = (store.container.moment, store.container.moment)
    let model = try store.model("Candle")
    try await sync(#"[5, "2.5"]"#, model, new)
    try await sync(#"[5, "1.5"]"#, model, old)
    try await sync(#"[6, "1.5"]"#, model, old)
    #expect(try store.rows(of: "Candle") == [["openTime": 5, "open": 2.5], ["openTime": 6, "open": 1.5]])
  }

  @Test func arrayRowsAreFoundAtPaths() async throws {
    let store = try TextStore(RowListTests.candle)
    for (payload, path) in [
      (#"{"a": {"b": [[5, "1.5"]]}}"#, "a.b"), (#"{"a": [{"b": [5, "1.5"]}]}"#, "a[].b"),
      (#"[{"b": [5, "1.5"]}]"#, "[].b"), (#"[[[5, "1.5"]]]"#, "[][]"),
    ] {
      try await store.sync("[]", as: "Candle")
      try await store.sync(list: payload, at: path, as: "Candle")
      #expect(try store.rows(of: "Candle") == [["openTime": 5, "open": 1.5]], "\(path)")
    }
  }

  /// As objects, the rows of the first list would be longer than the text up to the second.
  @Test(arguments: [true, false]) func laterListOfBodyWinsForArrayRows(_ isDeletedLast: Bool) async throws {
    let store = try TextStore(
      "model Candle { @PrimaryKey(remote: \"[0]\") time: Int; @RemoteKey(\"[1]\") open: Int? }")
    let rows = "\"candles\": [\((0..<30).map { "[\($0),1]" }.joined(separator: ","))]"
    let deleted = "\"changes\": {\"deleted\": [\((0..<30).map(String.init).joined(separator: ","))]}"
    let parts = isDeletedLast ? [rows, deleted] : [deleted, rows]
    for _ in 0..<2 {
      let report = try await store.sync(
        body: "{\(parts.joined(separator: ", "))}", list: "candles", changes: "changes", as: "Candle")
      #expect(report.problems == [])
      #expect(try store.rows(of: "Candle").count == (isDeletedLast ? 0 : 30))
    }
  }

  @Test func deletedRowsCanBeListedAsArrays() async throws {
    let store = try TextStore(RowListTests.candle)
    try await store.sync(#"[[5, "1.5"], [6, "2.5"], [7, "3.5"]]"#, as: "Candle")
    let report = try await store.sync(changes: #"{"deleted": [[5, "1.5"], 6]}"#, as: "Candle")
    #expect(report.deleted == 2 && report.problems == [])
    #expect(try store.rows(of: "Candle") == [["openTime": 7, "open": 3.5]])
  }

  /// A list that is gathered is a text of its own; what stands behind it is read where it is.
  @Test(arguments: [
    (#"{"r": [[2, "1.5"]], "s": {"deleted": []}}"#, "r"),
    (#"{"r": [], "s": {"created": [[2, "1.5"]]}}"#, "r"),
    (#"{"r": [{"x": [2, "1.5"]}], "s": {"updated": []}}"#, "r[].x"),
  ])
  func collectedListIsReadAtAnyPositionInBody(body: String, path: String) async throws {
    let store = try TextStore(RowListTests.candle)
    let report = try await store.sync(body: body, list: path, changes: "s", as: "Candle")
    #expect(report.inserted == 1 && report.problems == [])
    #expect(try store.rows(of: "Candle") == [["openTime": 2, "open": 1.5]])
  }

  @Test func problemPathContainsTheIndex() async throws {
    let store = try TextStore(RowListTests.places)
    let report = try await store.sync(#"[[0, "a"], [0, "b", 0, {"size": []}]]"#, as: "Plane")
    #expect(report.problems.map(\.path) == ["[1][3].size"])
    let error = try await #require(throws: SyncError.self) {
      try await store.sync("[[0, 1], 5]", as: "Plane")
    }
    #expect(error.description.contains("[1]"))
    await #expect(throws: SyncError.self) { try await store.sync("5", as: "Plane") }
  }

  // MARK: Nested rows

  private static let chart = """
    model Chart { id: Int; candles: [Candle]; @Relationship(inverse: nil) last: Candle? }
    model Candle {
      @PrimaryKey(remote: "[0]") time: Int
      @RemoteKey("[1]") open: Int?
      chart: Chart?
    }
    """

  @Test func nestedArrayRowIsLinkedToItsParentWithoutKey() async throws {
    let store = try TextStore(RowListTests.chart)
    let payload = "[{\"id\": 1, \"candles\": [[5, 50], [6, 60]], \"last\": [6, 60]}]"
    #expect(try await store.sync(payload, as: "Chart").problems == [])
    #expect(
      try store.rows(of: "Candle") == [
        ["time": 5, "open": 50, "chart": 1], ["time": 6, "open": 60, "chart": 1],
      ])
    #expect(try store.rows(of: "Chart") == [["id": 1, "candles": [5, 6], "last": 6]])
    try await store.expectRoundTrip(payload, as: "Chart")
    #expect(try await store.exportedRows(of: "Chart") == [try SyncJSON(parsing: payload)[0] ?? .null])
    try await store.sync("[{\"id\": 1, \"candles\": [[6, 61]], \"last\": 6}]", as: "Chart")
    #expect(try store.rows(of: "Candle").first { $0["time"] == 6 }?["open"] == 61)
    #expect(try store.rows(of: "Chart")[0]["candles"] == [6])
  }

  @Test func parentCompletesCompositeIdentityOfArrayRow() async throws {
    let store = try TextStore(
      """
      model Chart { id: Int; candles: [Candle] }
      @PrimaryKey(\\.chart, \\.time) model Candle {
        chart: Chart
        @RemoteKey("[0]") time: Int
        @RemoteKey("[1]") open: Int?
      }
      """)
    let payload = "[{\"id\": 1, \"candles\": [[5, 50], [6, 60]]}, {\"id\": 2, \"candles\": [[5, 51]]}]"
    try await store.expectRoundTrip(payload, as: "Chart")
    #expect(try store.rows(of: "Candle").map { $0["open"] } == [50, 60, 51])
  }

  // MARK: The schema

  private func codes(_ text: String) -> [DiagnosticCode] { TextStore.analysis(text).diagnostics.map(\.code) }

  @Test func mixedIndexAndNamedPathsAreRefused() {
    #expect(codes("model A { @PrimaryKey(remote: \"[0]\") a: Int; b: Int? }") == [.noPlaceInRow])
    #expect(
      codes("model A { @PrimaryKey(remote: \"[0]\") a: Int; @RemoteKey(\"[1]\", \"b\") b: Int? }")
        == [.noPlaceInRow])
    #expect(codes("model A { id: Int; @RemoteKey(\"[1]\") b: Int? }") == [.noPlaceInRow])
    #expect(
      codes("model A { @PrimaryKey(remote: \"[0]\") a: Int; @Position place: Int; @Transient t: Int = 0 }")
        == [])
    #expect(codes(RowListTests.chart) == [])
    #expect(
      codes("model A { @PrimaryKey(remote: \"[0]\") a: Int; b: B? }\nmodel B { id: Int }") == [.noPlaceInRow])
    #expect(codes("model A { id: Int; s: S? }\nstruct S { @RemoteKey(\"[0]\") a: Int }") == [.invalidKey])
    #expect(codes("model A { id: Int; @RemoteKey(\"[].a\") b: [Int] }") == [.invalidKey])
  }

  @Test func jsonSchemaDescribesArrayRows() throws {
    let schema = try TextStore.schema(RowListTests.chart)
    let json = PayloadSchema.jsonSchema(schema)["$defs"]?["Candle"]
    #expect(json?["type"] == "array")
    #expect(json?["prefixItems"]?.array?.count == 2)
    #expect(json?.object?.keys.contains("properties") == false)
  }
}
