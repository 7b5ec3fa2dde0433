import Foundation
import Syncline
import SynclineCompiler
import Testing

@testable import SynclineTooling

/// `@OneOrMany` on a model, for the rows of a call; and the payloads of the APIs for which the attribute was made.
@Suite struct OneOrManyRowsTests {
  private static let schema = "@OneOrMany model Item { id: Int; name: String? }"

  // MARK: The rows of a call

  @Test func singleObjectIsReadAsListOfOneRow() async throws {
    let store = try TextStore(Self.schema)
    try await store.sync(#"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]"#, as: "Item")
    let report = try await store.sync(list: #"{"id": 1, "name": "c"}"#, as: "Item")
    #expect(report.updated == 1)
    #expect(report.deleted == 1)
    #expect(report.problems == [])
    #expect(try await store.rows("SELECT * FROM Item") == ["1 c"])
    #expect(try await store.sync(list: #" {"id": 1, "name": "c"} "#, as: "Item").isUnchanged)
  }

  @Test func singleObjectAtPathIsReadAsListOfOneRow() async throws {
    let store = try TextStore(Self.schema)
    try await store.sync(list: #"{"items": {"item": {"id": 1}}}"#, at: "items.item", as: "Item")
    #expect(try await store.rows("SELECT id FROM Item") == ["1"])
    try await store.sync(list: #"{"pages": {"items": {"id": 2}}}"#, at: "pages[].items", as: "Item")
    #expect(try await store.rows("SELECT id FROM Item") == ["2"])
    try await store.sync(
      list: #"{"pages": [{"items": {"id": 3}}, {"items": {"id": 4}}]}"#, at: "pages[].items", as: "Item")
    #expect(try await store.rows("SELECT id FROM Item ORDER BY id") == ["3", "4"])
  }

  @Test func nonObjectPayloadIsRefusedAsRowList() async throws {
    let store = try TextStore(Self.schema)
    for payload in ["3", #""x""#, "null", #"{"id": 1} x"#, #"{"id": 1"#] {
      await #expect(throws: SyncError.self, "\(payload)") { try await store.sync(list: payload, as: "Item") }
    }
    #expect(try await store.rows("SELECT id FROM Item") == [])
  }

  @Test func singleObjectWithoutIdentityDeletesNothing() async throws {
    let store = try TextStore(Self.schema)
    try await store.sync(#"[{"id": 1}]"#, as: "Item")
    await #expect(throws: SyncError.self) { try await store.sync(list: #"{"name": "x"}"#, as: "Item") }
    #expect(try await store.rows("SELECT id FROM Item") == ["1"])
  }

  @Test func singleObjectIsRefusedWithoutOneOrMany() async throws {
    let store = try TextStore("model Item { id: Int; @OneOrMany name: String? }")
    await #expect(throws: SyncError.self) { try await store.sync(list: #"{"id": 1}"#, as: "Item") }
  }

  @Test func singleObjectHasPositionZero() async throws {
    let store = try TextStore("@OneOrMany model Item { id: Int; @Position place: Int }")
    try await store.sync(list: #"{"id": 5}"#, as: "Item")
    #expect(try await store.rows("SELECT id, place FROM Item") == ["5 0"])
  }

  @Test func changesAcceptSingleObjectsAndKeys() async throws {
    let store = try TextStore(Self.schema)
    try await store.sync(#"[{"id": 1}, {"id": 2}, {"id": 3}]"#, as: "Item")
    try await store.sync(
      changes: #"{"created": {"id": 4}, "updated": {"id": 1, "name": "x"}, "deleted": 2}"#, as: "Item")
    #expect(try await store.rows("SELECT * FROM Item ORDER BY id") == ["1 x", "3 -", "4 -"])
    try await store.sync(changes: #"{"deleted": {"id": 3}}"#, as: "Item")
    #expect(try await store.rows("SELECT id FROM Item ORDER BY id") == ["1", "4"])
  }

  @Test func reorderedOneOrManyRowsChangeNothing() async throws {
    let rows = (1...40).map { #"{"id": [\#($0 * 7 % 41)], "name": ["n\#($0 * 7 % 41)"]}"# }
    let store = try TextStore(Self.schema)
    try await store.sync("[\(rows.joined(separator: ","))]", as: "Item")
    #expect(try await store.sync("[\(rows.reversed().joined(separator: ","))]", as: "Item").isUnchanged)
    #expect(try await store.sync("[\(rows.sorted().joined(separator: ","))]", as: "Item").isUnchanged)
    #expect(try await store.rows("SELECT COUNT(*) FROM Item") == ["40"])
  }

  // MARK: Payloads of APIs

  /// XML as JSON: a list of one comes without its list.
  @Test func saleWithSingleItemInsteadOfListIsRead() async throws {
    let store = try TextStore(
      """
      model Sale {
        id: Int
        @OneOrMany items: [Item]
        @OneOrMany @RemoteKey("notes") notes: [Note] = []
        @OneOrMany codes: [String] = []
      }
      model Item { @PrimaryKey plu: String; price: Int; sale: Sale? }
      struct Note { text: String }
      """)
    try await store.sync(
      #"[{"id": 1, "items": [{"plu": "0001", "price": 75}, {"plu": "0002", "price": 5}], "notes": [{"text": "a"}, {"text": "b"}], "codes": ["x", "y"]}]"#,
      as: "Sale")
    let last =
      #"[{"id": 1, "items": {"plu": "0001", "price": 80}, "notes": {"text": "a"}, "codes": "x"}]"#
    let report = try await store.sync(last, as: "Sale")
    #expect(report.problems == [])
    #expect(try await store.rows("SELECT id, notes, codes FROM Sale") == [#"1 [{"text":"a"}] ["x"]"#])
    #expect(
      try await store.rows("SELECT plu, price, sale FROM Item ORDER BY plu") == ["0001 80 1", "0002 5 -"])
    #expect(try await store.sync(last, as: "Sale").isUnchanged)
    let exported = try await store.export("Sale")
    #expect(exported.contains(#""items":[{"plu":"0001""#), "\(exported)")
    #expect(exported.contains(#""notes":[{"text":"a"}],"codes":["x"]"#), "\(exported)")
    #expect(try await store.sync(exported, as: "Sale").isUnchanged)
  }

  /// ActivityPub: a text or a list, a key or an object or a list of either.
  @Test func activityPubNotesWithValuesOrListsAreRead() async throws {
    let store = try TextStore(
      """
      model Note {
        id: String
        content: String?
        @OneOrMany @RemoteKey("to") recipients: [String] = []
        @OneOrMany attributedTo: Actor?
      }
      model Actor { id: String; name: String? }
      """, SyncConfiguration(keyStyle: .camelCase))
    let payload =
      #"[{"id": "n1", "content": "hi", "to": "as:Public", "attributedTo": "u1"}, {"id": "n2", "to": ["as:Public", "u1"], "attributedTo": ["u1"]}, {"id": "n3", "to": ["u1"], "attributedTo": [{"type": "Person", "id": "u1", "name": "A"}]}]"#
    let report = try await store.sync(payload, as: "Note")
    #expect(report.problems == [])
    #expect(
      try await store.rows("SELECT id, recipients, attributedTo FROM Note ORDER BY id") == [
        #"n1 ["as:Public"] u1"#, #"n2 ["as:Public","u1"] u1"#, #"n3 ["u1"] u1"#,
      ])
    #expect(try await store.rows("SELECT id, name FROM Actor") == ["u1 A"])
    #expect(try await store.sync(payload, as: "Note").isUnchanged)
  }

  // MARK: Exports

  @Test func exportsWriteOneOrManyAsListsAndNulls() async throws {
    let store = try TextStore(
      """
      @OneOrMany model M { id: Int; title: String?; words: [String]; place: Place?; owner: User?; notes: [Note] }
      @OneOrMany struct Place { city: String?; lines: [String] }
      model User { id: Int }
      model Note { id: Int; m: M? }
      """)
    try await store.sync(
      #"[{"id": [1], "title": [], "words": "w", "place": [{"city": [], "lines": "l"}], "owner": [], "notes": {"id": 5}}]"#,
      as: "M")
    let exported = try await store.export("M")
    #expect(
      exported.hasPrefix(
        #"[{"id":1,"title":null,"words":["w"],"place":{"city":null,"lines":["l"]},"owner":null,"notes":[{"id":5"#
      ),
      "\(exported)")
    #expect(try await store.sync(exported, as: "M").isUnchanged)
  }

  // MARK: Tools

  @Test func jsonSchemaAcceptsValueAndList() throws {
    let schema = try TextStore.schema(
      """
      model M { id: Int; @OneOrMany words: [Bool]; @OneOrMany flag: Bool?; @OneOrMany notes: [Note] }
      model Note { id: Int; m: M? }
      """)
    let members = PayloadSchema.jsonSchema(schema)["$defs"]?["M"]?["properties"]
    func text(_ name: String) throws -> String { try #require(members?[name]).description }
    func count(_ part: String, in text: String) -> Int { text.components(separatedBy: part).count - 1 }
    let (words, flag, notes) = (try text("words"), try text("flag"), try text("notes"))
    // Each describes an element twice: by itself, and in a list.
    #expect(count(#""array""#, in: words) == 1 && count("enum", in: words) == 2, "\(words)")
    #expect(flag.contains(#""minItems":0,"maxItems":1"#) && count("enum", in: flag) == 2, "\(flag)")
    #expect(count(#""array""#, in: notes) == 1 && count(#"Note""#, in: notes) == 2, "\(notes)")
  }

  @Test func documentationNotesDescribeOneOrMany() throws {
    let schema = try TextStore.schema("model M { id: Int; @OneOrMany a: [Int]; @OneOrMany b: Int?; c: Int? }")
    let notes = try #require(schema.model("M")).properties.map {
      PropertyNotes.all(on: $0).joined(separator: " ")
    }
    #expect(notes[1].contains("A single value is read as a list of one."))
    #expect(notes[2].contains("A list of one is read as its element."))
    #expect(!notes[3].contains("list of one"))
  }
}
