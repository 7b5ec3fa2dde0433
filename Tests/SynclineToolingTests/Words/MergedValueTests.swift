import Syncline
import SynclineTooling
import Testing

/// `@Merged`: an object replaces only the members of a stored value that it has.
@Suite struct MergedValueTests {
  private static let schema = """
    model Computer {
      id: Int
      @Merged cpu: Cpu?
      @Merged labels: [String: Int]
      @Merged part: Part?
      name: String?
    }
    struct Cpu {
      model: String?
      clockSpeed: Double?
      cores: Int = 1
      @Merged cache: Cache?
      fan: Cache?
    }
    struct Cache { size: Int; kind: String? }
    union Part on "type" { case disk: Disk; case card: Card }
    struct Disk { size: Int; label: String? }
    struct Card { slot: Int }
    """

  private func store(_ row: String) async throws -> TextStore {
    let store = try TextStore(MergedValueTests.schema)
    #expect(try await store.sync("[\(row)]", as: "Computer").problems.isEmpty)
    return store
  }

  private func value(_ property: String, _ store: TextStore) throws -> SyncJSON {
    try store.rows(of: "Computer")[0][property] ?? .null
  }

  @Test func absentMembersKeepTheirStoredValue() async throws {
    let store = try await store(#"{"id":1,"labels":{},"cpu":{"model":"M","clock_speed":3.2,"cores":4}}"#)
    let report = try await store.sync(#"{"id":1,"cpu":{"clock_speed":3.4}}"#, as: "Computer")
    #expect(report.updated == 1)
    #expect(report.problems.isEmpty)
    #expect(try value("cpu", store) == ["model": "M", "clockSpeed": 3.4, "cores": 4])
    try await store.expectUnchanged(by: #"[{"id":1,"cpu":{"clock_speed":3.4}}]"#, as: "Computer")
  }

  @Test func absentMembersOfRequiredValueAreKept() async throws {
    let store = try TextStore(
      "model Device { id: Int; @Merged at: Place }\nstruct Place { lat: Double; lng: Double; url: URL }")
    try await store.sync(#"[{"id":1,"at":{"lat":1,"lng":2,"url":"a"}}]"#, as: "Device")
    try await store.sync(#"{"id":1,"at":{"lng":3}}"#, as: "Device")
    #expect(try store.rows(of: "Device") == [["id": 1, "at": ["lat": 1, "lng": 3, "url": "a"]]])
    await #expect(throws: SyncError.self) { try await store.sync(#"{"id":1,"at":null}"#, as: "Device") }
    await #expect(throws: SyncError.self) { try await store.sync(#"{"id":1,"at":7}"#, as: "Device") }
  }

  @Test func objectWithoutMergedAttributeReplacesTheValue() async throws {
    let store = try TextStore(
      "model Computer { id: Int; cpu: Cpu? }\nstruct Cpu { model: String?; clockSpeed: Double? }")
    try await store.sync(#"[{"id":1,"cpu":{"model":"M","clock_speed":3.2}}]"#, as: "Computer")
    try await store.sync(#"{"id":1,"cpu":{"clock_speed":3.4}}"#, as: "Computer")
    #expect(try store.rows(of: "Computer") == [["id": 1, "cpu": ["clockSpeed": 3.4]]])
  }

  @Test func unreadableMembersAreKeptAndReported() async throws {
    let store = try await store(#"{"id":1,"labels":{"a":1},"cpu":{"model":"M","clock_speed":3.2,"cores":4}}"#)
    let report = try await store.sync(
      #"[{"id":1,"labels":{"a":"x","b":2},"cpu":{"clock_speed":"fast","cores":[],"model":"N"}}]"#,
      as: "Computer")
    #expect(try value("cpu", store) == ["model": "N", "clockSpeed": 3.2, "cores": 4])
    #expect(try value("labels", store) == ["a": 1, "b": 2])
    #expect(
      Set(report.problems.map(\.path)) == ["[0].labels.a", "[0].cpu.clock_speed", "[0].cpu.cores"])
    #expect(report.problems.allSatisfy { $0.action == .keptStoredValue })
  }

  /// Objects that complete a value do not contradict each other, so they are no sign of a wrong key.
  @Test func mergesOfValuesAreNotCountedAsMergedRows() async throws {
    let store = try TextStore(MergedValueTests.schema)
    let report = try await store.sync(
      #"[{"id":1,"labels":{"a":1}},{"id":1,"labels":{"a":2,"b":3}},{"id":1,"cpu":{"cores":2}},{"id":1,"name":"n"}]"#,
      as: "Computer")
    #expect(try value("labels", store) == ["a": 2, "b": 3])
    #expect(report.models["Computer"]?.merged == 0)
  }

  @Test func nullClearsAMember() async throws {
    let store = try await store(#"{"id":1,"labels":{},"cpu":{"model":"M","clock_speed":3.2,"cores":4}}"#)
    try await store.sync(#"{"id":1,"cpu":{"model":null,"cores":null}}"#, as: "Computer")
    #expect(try value("cpu", store) == ["clockSpeed": 3.2, "cores": 0])
  }

  @Test func nullRemovesAKeyOfAMap() async throws {
    let store = try await store(#"{"id":1,"labels":{"a":1,"b":2}}"#)
    try await store.sync(#"{"id":1,"labels":{"a":null,"c":3}}"#, as: "Computer")
    #expect(try value("labels", store) == ["b": 2, "c": 3])
    let report = try await store.sync(#"{"id":1,"labels":{"a":null,"z":null}}"#, as: "Computer")
    #expect(report.isUnchanged)
    #expect(report.problems.isEmpty)
    try await store.sync(#"{"id":1,"labels":{}}"#, as: "Computer")
    #expect(try value("labels", store) == ["b": 2, "c": 3])
    try await store.sync(#"{"id":1,"labels":null}"#, as: "Computer")
    #expect(try value("labels", store) == [:])
  }

  @Test func emptyListInPlaceOfAStructRemovesAKeyOfAMap() async throws {
    let store = try TextStore(
      "model Host { id: Int; @Merged cpus: [String: Cpu] }\nstruct Cpu { cores: Int? }")
    try await store.sync(#"[{"id":1,"cpus":{"a":{"cores":4},"b":{"cores":8}}}]"#, as: "Host")
    let report = try await store.sync(#"[{"id":1,"cpus":{"a":[]}},{"id":2,"cpus":{"a":[]}}]"#, as: "Host")
    #expect(report.updated == 1 && report.problems.isEmpty)
    #expect(try store.values(of: "Host", "cpus") == [[["b": ["cores": 8]]], [[:]]])
  }

  @Test func emptyListInPlaceOfARequiredStructIsKeptAndReported() async throws {
    let store = try TextStore(
      """
      model User { id: Int; @Merged address: Address? }
      struct Address { geo: Geo; street: String? }
      struct Geo { lat: Double }
      """)
    try await store.sync(#"[{"id":1,"address":{"geo":{"lat":1},"street":"a"}}]"#, as: "User")
    let report = try await store.sync(#"[{"id":1,"address":{"geo":[],"street":"b"}}]"#, as: "User")
    #expect(report.problems.map { "\($0.path) \($0.action)" } == ["[0].address.geo keptStoredValue"])
    #expect(try store.values(of: "User", "address") == [[["geo": ["lat": 1], "street": "b"]]])
  }

  @Test func nullClearsTheValue() async throws {
    let store = try await store(#"{"id":1,"labels":{},"cpu":{"model":"M"}}"#)
    try await store.sync(#"{"id":1,"cpu":null}"#, as: "Computer")
    #expect(try value("cpu", store) == .null)
  }

  @Test func aValueThatDoesNotExistYetMustBeComplete() async throws {
    let store = try await store(#"{"id":1,"labels":{}}"#)
    let report = try await store.sync(#"{"id":1,"part":{"type":"disk","label":"a"}}"#, as: "Computer")
    #expect(try value("part", store) == .null)
    #expect(report.problems.map(\.path) == ["part.size"])
    await #expect(throws: SyncError.self) {
      try await store.sync(#"[{"id":2,"labels":{"a":"x"}}]"#, as: "Computer")
    }
    try await store.sync(#"{"id":1,"part":{"type":"disk","label":"a","size":7}}"#, as: "Computer")
    try await store.sync(#"{"id":1,"part":{"type":"disk","label":"b"}}"#, as: "Computer")
    #expect(try value("part", store) == ["disk": ["label": "b", "size": 7]])
  }

  @Test func nestedMembersAreReplacedUnlessMergedToo() async throws {
    let store = try await store(
      #"{"id":1,"labels":{},"cpu":{"cache":{"size":1,"kind":"L1"},"fan":{"size":2,"kind":"big"}}}"#)
    let report = try await store.sync(
      #"{"id":1,"cpu":{"cache":{"kind":"L2"},"fan":{"size":3}}}"#, as: "Computer")
    #expect(report.problems.isEmpty)
    #expect(try value("cpu", store) == ["cores": 1, "cache": ["size": 1, "kind": "L2"], "fan": ["size": 3]])
    let incomplete = try await store.sync(#"{"id":1,"cpu":{"fan":{"kind":"small"}}}"#, as: "Computer")
    #expect(incomplete.problems.map(\.path) == ["cpu.fan.size"])
    #expect(try value("cpu", store) == ["cores": 1, "cache": ["size": 1, "kind": "L2"], "fan": ["size": 3]])
  }

  @Test func objectsOfARowMergeInTheirOrder() async throws {
    let store = try await store(#"{"id":1,"labels":{"a":1},"cpu":{"model":"M"}}"#)
    let payload =
      #"[{"id":1,"cpu":{"clock_speed":1},"labels":{"b":2}},{"id":1,"cpu":{"clock_speed":2,"cores":3},"labels":{"a":null}}]"#
    try await store.sync(payload, as: "Computer")
    #expect(try value("cpu", store) == ["model": "M", "clockSpeed": 2, "cores": 3])
    #expect(try value("labels", store) == ["b": 2])
    try await store.sync(
      #"[{"id":1,"cpu":null},{"id":1,"cpu":{"cores":9}}]"#, as: "Computer")
    #expect(try value("cpu", store) == ["cores": 9])
  }

  /// Objects of a stamped row are read together.
  /// An object that is incomplete on its own adds to the value of a later one, as it does when both come again.
  @Test(arguments: [
    (#"{"cache":{"kind":"L2"}}"#, #"{"cache":{"size":5}}"#, #"{"size":5,"kind":"L2"}"#),
    (#"{"cache":null}"#, #"{"cache":{"kind":"L2"}}"#, "null"),
    (#"{"cache":{"kind":"L2"}}"#, #"{"cache":{"size":5,"kind":"L3"}}"#, #"{"size":5,"kind":"L3"}"#),
    (#"{"counts":{"a":"bad","c":1}}"#, #"{"counts":{"b":2}}"#, #"{"b":2,"c":1}"#),
  ])
  func incompleteObjectsOfOneRowAreMerged(first: String, second: String, expected: String) async throws {
    let store = try TextStore(
      """
      model Computer { id: Int; @Merged cache: Cache?; @Merged counts: [String: Int]? }
      struct Cache { size: Int; kind: String? }
      """)
    let rows = "[" + [first, second].map { "{\"id\":1," + $0.dropFirst() }.joined(separator: ",") + "]"
    try await store.sync(rows)
    let row = try store.rows(of: "Computer")[0]
    let value = first.contains("cache") ? row["cache"] : row["counts"]
    #expect(value == (try SyncJSON(parsing: expected)))
    #expect(try await store.sync(rows).isUnchanged)
  }

  @Test func objectsOfAStampedRowMergeInTheirOrder() async throws {
    let store = try TextStore(
      """
      @UpdatedAt(\\.at) model Computer { id: Int; at: Date; @Merged labels: [String: Int]; @Merged cpu: Cpu? }
      struct Cpu { model: String; cores: Int? }
      """)
    try await store.sync(#"[{"id":1,"at":1,"labels":{"a":1},"cpu":{"model":"M"}}]"#, as: "Computer")
    let payload =
      #"[{"id":1,"at":2,"labels":{"b":2},"cpu":{"cores":2}},{"id":1,"at":3,"labels":{"a":null,"b":3}}]"#
    try await store.sync(payload, as: "Computer")
    #expect(try value("labels", store) == ["b": 3])
    #expect(try value("cpu", store) == ["model": "M", "cores": 2])
  }

  @Test func objectOfAnotherUnionCaseReplacesTheValue() async throws {
    let store = try await store(#"{"id":1,"labels":{},"part":{"type":"disk","size":1,"label":"a"}}"#)
    try await store.sync(#"{"id":1,"part":{"size":2}}"#, as: "Computer")
    #expect(try value("part", store) == ["disk": ["size": 2, "label": "a"]])
    try await store.sync(#"{"id":1,"part":{"type":"card","slot":3}}"#, as: "Computer")
    #expect(try value("part", store) == ["card": ["slot": 3]])
    let report = try await store.sync(#"{"id":1,"part":{"type":"disk","label":"b"}}"#, as: "Computer")
    #expect(report.problems.map(\.path) == ["part.size"])
    #expect(try value("part", store) == ["card": ["slot": 3]])
  }

  @Test func repeatedSyncsDoNotChangeMergedValues() async throws {
    let rows = [
      #"{"id":1,"labels":{"a":1},"cpu":{"model":"M","cache":{"size":1}},"part":{"type":"card","slot":1}}"#,
      #"{"id":2,"labels":{},"cpu":{"clock_speed":2.5},"name":"B"}"#, #"{"id":3,"labels":{"x":1,"b":2}}"#,
    ]
    let store = try TextStore(MergedValueTests.schema)
    try await store.sync("[\(rows.joined(separator: ","))]", as: "Computer")
    try await store.expectUnchanged(by: "[\(rows.joined(separator: ","))]", as: "Computer")
    try await store.expectUnchanged(by: "[\(rows.reversed().joined(separator: ","))]", as: "Computer")
  }

  @Test func resyncingALossyExportChangesNothing() async throws {
    let store = try TextStore(
      "model Visit { id: Int; @Merged stay: Stay? }\nstruct Stay { at: Date; until: Date?; @NotExport code: String? }"
    )
    try await store.sync(
      #"[{"id":1,"stay":{"at":"2024-05-02T10:00:00.123456Z","until":"2024-05-03T10:00:00.654321Z","code":"c"}}]"#,
      as: "Visit")
    let exported = try await store.export("Visit")
    #expect(!exported.contains("code"))
    #expect(try await store.sync(exported, as: "Visit").isUnchanged)
    #expect(
      try await store.sync(#"{"id":1,"stay":{"at":"2024-05-02T10:00:00.123Z"}}"#, as: "Visit").isUnchanged)
    #expect(try await store.sync(#"{"id":1,"stay":{"code":"d"}}"#, as: "Visit").updated == 1)
  }

  @Test func jsonSchemaAllowsAbsentMergedMembers() throws {
    let text = """
      model Device { id: Int; @Merged at: Place; home: Place; @Merged tags: [String: Int] }
      struct Place { lat: Double; lng: Double }
      """
    let schema = PayloadSchema.jsonSchema(try TextStore.schema(text))
    let properties = try #require(schema["$defs"]?["Device"]?["properties"])
    #expect(properties["at"]?.object?.keys.contains("required") == false)
    #expect(properties["home"]?["$ref"] == "#/$defs/Place")
    #expect(properties["tags"].map { "\($0)".contains("null") } == true)
  }

  /// A word that changes how a model is read forgets its cursors.
  @Test func mergedAttributeChangesReadingFingerprint() throws {
    let plain = "model A { id: Int; b: B? }\nstruct B { c: C? }\nstruct C { d: Int }"
    let words = [
      plain, plain.replacing("b: B", with: "@Merged b: B"), plain.replacing("c: C", with: "@Merged c: C"),
    ]
    #expect(Set(try words.map { try TextStore($0).reading("A") }).count == 3)
  }
}
