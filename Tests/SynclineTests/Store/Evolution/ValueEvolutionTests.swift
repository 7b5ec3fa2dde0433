import Foundation
import SynclineTesting
import TestSupport
import Testing
import SynclineSchema

@_spi(Generated) @testable import Syncline

/// Structs whose members change from one version to the next.
@Suite struct ValueEvolutionTests {
  /// The current version of a struct, as the compiler generates it.
  private struct Place: SyncStruct {
    var street: String
    var town: String
    var floor: Int
    var note: String?

    static let syncMembers = SyncMembers(
      "Place",
      [
        .member("street", String.self, snake: ["street"], camel: ["street"]),
        .member("town", String.self, snake: ["town"], camel: ["town"]).renamed(from: ["city"]),
        .member("floor", Int.self, default: 1, snake: ["floor"], camel: ["floor"]),
        .member("note", String.self, isOptional: true, snake: ["note"], camel: ["note"]),
      ])

    init(syncMembers members: inout SyncMemberReader) throws {
      street = try members.required(String.self, 0)
      town = try members.required(String.self, 1)
      floor = try members.required(Int.self, 2, default: 1)
      note = members.value(String.self, 3)
    }

    func syncWrite(to members: inout SyncMemberWriter) {
      members.write(street, 0)
      members.write(town, 1)
      members.write(floor, 2)
      members.write(note, 3)
    }
  }

  private func schema(_ type: String) throws -> SyncSchemaSnapshot {
    try SyncSchemaSnapshot(
      json: Data(
        #"""
        {"format": 1, "models": [{"name": "House", "identity": "id", "properties": [
          {"name": "id", "type": "Int"}, {"name": "place", "type": "\#(type)"}]}]}
        """#.utf8))
  }

  private let today = "{floor: Int, note: String?, street: String, town: String}"

  /// Migrates a store whose rows have the given values, and returns the values afterwards.
  private func evolve(_ former: String, _ texts: [String?]) throws -> [String?] {
    let database = try DatabaseQueue()
    _ = try SchemaEvolution(to: schema(former)).run(database)
    try database.write { database in
      for (index, text) in texts.enumerated() {
        try database.execute(sql: "INSERT INTO House VALUES (?, ?)", arguments: [index, text])
      }
    }
    let evolution = SchemaEvolution(
      to: try schema(today + (former.hasSuffix("?") ? "?" : "")),
      declaring: .init(composedTypes: [.init(model: "House", property: "place"): Place.self]))
    _ = try evolution.run(database)
    #expect(try database.read { try evolution.preview($0).statements } == [])
    return try database.read { try String?.fetchAll($0, sql: "SELECT place FROM House ORDER BY id") }
  }

  /// The schema names the members of structs, but not the keys of maps.
  @Test func membersOfStructsInMapsAreRenamed() async throws {
    let database = try DatabaseQueue()
    let house = "model House { id: Int; places: [String: Place]? }\n"
    let old = try TextStore(house + "struct Place { city: String; street: String? }", in: .database(database))
    try await old.sync(#"[{"id": 1, "places": {"a": {"city": "Ulm", "street": "s"}}}]"#)
    let new = try TextStore(
      house + #"struct Place { @RenamedFrom("city") town: String }"#, in: .database(database))
    #expect(try await new.rows("SELECT places FROM House") == [#"{"a":{"town":"Ulm"}}"#])
  }

  @Test func mapsThatLoseKeysAreRefused() async throws {
    let database = try DatabaseQueue()
    let old = try TextStore("model House { id: Int; places: [[String: String]]? }", in: .database(database))
    try await old.sync(#"[{"id": 1, "places": [{"city": "Ulm", "street": "s"}]}]"#)
    #expect(throws: SyncError.self) {
      try TextStore(
        "model House { id: Int; places: [Place]? }\nstruct Place { city: String }", in: .database(database))
    }
  }

  /// Cursors are forgotten, so that the server sends the rows again.
  @Test func fingerprintOfAModelDependsOnItsTransforms() {
    func reading<Value: SyncScalar>(_ type: Value.Type) -> String {
      let properties: [SyncProperty] = [.scalar("id", Int.self), .scalar("views", type)]
      return SyncTable("Story", identity: 0, Int.self, properties: properties).readingFingerprint(.snakeCase)
    }
    #expect(reading(Int.self) == reading(Int.self))
    #expect(reading(SyncTransformed<GroupedNumber>.self) != reading(Int.self))
    let members: [SyncMember] = [
      .member("views", Int.self), .member("views", SyncTransformed<GroupedNumber>.self),
    ]
    #expect(members[0].readingText(.snakeCase) != members[1].readingText(.snakeCase))
  }

  @Test func structShapeIsPartOfTheStoredType() {
    #expect(SyncStoredType(Place.self)?.name == today)
    #expect(
      SyncStoredType([String: [Place]].self)?.name == "[String: [\(today)]]")
    #expect(SyncStoredType([[Int]].self)?.name == "[[Int]]")
    let remark = "{answerTo: ^0?, at: Date?, byName: [String: ^0], replies: [^0], text: String}"
    #expect(SyncStoredType(Remark.self)?.name == remark)
    #expect(SyncStoredType(name: remark)?.shape == remark)
    for text in [
      "{", "{a}", "{a: }", "[String: ", "[[Int]", "{a: Int,b: Int}", "{a: Foo}", "[String: Int]]", "^x",
    ] {
      #expect(SyncStoredType(name: text) == nil, "\(text)")
    }
  }

  @Test func structMemberRenamesAndDefaultsAreApplied() throws {
    let texts = try evolve(
      "{street: String, city: String}?", [#"{"street":"a","city":"b"}"#, nil, #"{"street":"c","city":""}"#])
    #expect(
      texts == [#"{"floor":1,"street":"a","town":"b"}"#, nil, #"{"floor":1,"street":"c","town":""}"#])
  }

  @Test func anAddedOptionalMemberChangesNothing() throws {
    let text = #"{"floor":2,"street":"a","town":"b"}"#
    #expect(try evolve("{floor: Int, street: String, town: String}", [text]) == [text])
  }

  /// Otherwise the value would reappear if a later member has its name.
  @Test func valuesOfADroppedMemberAreRemoved() throws {
    #expect(
      try evolve(
        "{floor: Int, gone: Bool, street: String, town: String}",
        [#"{"floor":2,"gone":true,"street":"a","town":"b"}"#]) == [#"{"floor":2,"street":"a","town":"b"}"#])
  }

  @Test func jsonBecomesAStructOnlyIfItFitsCompletely() throws {
    #expect(
      try evolve("JSON", [#"{"street": "a", "town": "b", "gone": null}"#])
        == [#"{"floor":1,"street":"a","town":"b"}"#])
    #expect(throws: StoreMisfit.self) { try evolve("JSON", [#"{"street": [], "town": "b"}"#]) }
    #expect(throws: StoreMisfit.self) { try evolve("JSON", [#"{"street": "a", "town": "b", "other": 1}"#]) }
    #expect(throws: StoreMisfit.self) { try evolve("[String: String]", [#"{"street": "a", "zip": "1"}"#]) }
    #expect(throws: StoreMisfit.self) { try evolve("[String]", [#"["a"]"#]) }
  }

  @Test func memberConversionThatLosesDigitsIsRefused() throws {
    #expect(
      try evolve("{floor: Double, street: String, town: String}", [#"{"floor":2,"street":"a","town":"b"}"#])
        == [#"{"floor":2,"street":"a","town":"b"}"#])
    #expect(throws: StoreMisfit.self) {
      try evolve("{floor: Double, street: String, town: String}", [#"{"floor":2.5,"street":"a","town":"b"}"#])
    }
  }

  @Test func structValueOfAnEarlierVersionIsRead() throws {
    let loaded = try #require(Place.syncLoad(#"{"street":"a","city":"b"}"#.databaseValue))
    #expect(loaded.town == "b")
    #expect(loaded.floor == 1)
  }

  @Test(arguments: [
    ("{a: Int}", "{a: Int}", true), ("{a: Int}", "{a: Int?}", true), ("{a: Int?}", "{a: Int}", false),
    ("{a: Int}", "{b: Int?}", false), ("{a: Int}", "{a: Int, b: Int?}", true),
    ("{a: Int}", "{a: Int, b: Int}", false),
    ("{a: Int8}", "{a: Int}", true), ("{a: Int}", "{a: Int8}", false), ("{a: Int}", "{a: String}", false),
    ("[{a: Int}]", "[{}]", false), ("[String: Int]", "[String: Int64]", true), ("[[Int]]", "[Int]", false),
    ("{a: ^0?}", "{a: ^0?}", true), ("{a: {b: ^0?}, c: ^1}", "{a: {b: ^0?}, c: ^1}", true),
    ("{a: {b: ^0?}}", "{a: {b: ^1?}}", false),
  ])
  func typeChangesThatKeepStoredValuesAreRecognized(from: String, to: String, isKept: Bool) throws {
    let (own, other) = (try #require(SyncStoredType(name: from)), try #require(SyncStoredType(name: to)))
    #expect(own.isKept(as: other) == isKept)
  }
}
