import Syncline
import TestSupport
import Testing

/// Objects of a union with only an identity and a type (contract, R4.5 and R17.7).
@Suite struct UnionReferenceTests {
  private static let schema = """
    union Subject on "type" { case tag: Tag; case page: Page; case kind: Kind }
    model Note { id: Int; subject: Subject? }
    model Board { id: Int; subjects: [Subject] }
    model Tag { id: Int; name: String? }
    model Page { id: Int; title: String }
    model Kind { id: Int; type: String }
    """

  private static let waiting =
    #"SELECT "owner", "relationship", "targetID" FROM syncline_pending_link ORDER BY 1, 2, 3"#

  @Test(arguments: ["Note", "Board"])
  func identityAndTypeAreTheWholeRowIfNothingElseIsRequired(model: String) async throws {
    let store = try TextStore(UnionReferenceTests.schema)
    func row(_ id: Int, _ subject: String) -> String {
      model == "Note"
        ? #"{"id": \#(id), "subject": \#(subject)}"# : #"{"id": \#(id), "subjects": [\#(subject)]}"#
    }
    let rows = [
      row(1, #"{"type": "tag", "id": 5}"#), row(2, #"{"type": "page", "id": 6}"#),
      row(3, #"{"type": "kind", "id": 7}"#),
    ]
    let payload = "[\(rows.joined(separator: ", "))]"
    let report = try await store.sync(payload, as: model)
    #expect(try await store.rows("SELECT id, name FROM Tag") == ["5 -"])
    #expect(try await store.rows("SELECT id FROM Page") == [])
    #expect(try await store.rows("SELECT id, type FROM Kind") == ["7 kind"])
    #expect(report.waiting.map(\.targetIdentity) == ["6"])
    #expect(try await store.sync(payload, as: model).isUnchanged)
    #expect(try await store.sync(store.export(model), as: model).isUnchanged)
    #expect(try await store.rows("SELECT id FROM Page") == [])
  }

  /// As in other relationships: the resource may be in a later document.
  @Test func unionLinkInADocumentIsPending() async throws {
    let store = try TextStore(UnionReferenceTests.schema)
    let document = #"""
      {"data": [{"type": "notes", "id": "1", "relationships": {"subject": {"data": {"type": "tags", "id": "5"}}}}]}
      """#
    for _ in 1...2 {
      let report = try await store.sync(jsonAPI: document, as: "Note")
      #expect(report.waiting.map(\.targetIdentity) == ["5"])
      #expect(try await store.rows("SELECT id FROM Tag") == [])
    }
    let exported = try await store.exportDocument("Note").description
    #expect(try await store.sync(jsonAPI: exported, as: "Note").isUnchanged)
    #expect(try await store.rows("SELECT id FROM Tag") == [])
    try await store.sync(#"[{"id": 5}]"#, as: "Tag")
    #expect(try store.values(of: "Note", "subjectTag") == [[5]])
  }

  @Test(arguments: [("a.b", "a.b_type"), ("a.b_id", "a.b_type"), ("Item.Id", "Item.Type")])
  func typeIsNextToAKeyInQuotes(key: String, type: String) async throws {
    let store = try TextStore(
      ##"""
      union Subject on "type" { case tag: Tag; case page: Page }
      model Note { id: Int; @RemoteKey(#""\##(key)""#) @Export(.identities) subject: Subject? }
      model Tag { id: Int; name: String? }
      model Page { id: Int; title: String }
      """##)
    try await store.sync(#"[{"id": 7}]"#, as: "Tag")
    let payload = #"[{"id":1,"\#(key)":7,"\#(type)":"tag"}]"#
    let report = try await store.sync(payload)
    #expect(report.problems.isEmpty)
    #expect(try store.values(of: "Note", "subjectTag") == [[7]])
    #expect(try await store.export("Note") == payload)
  }

  /// Swift's `==` considers the two spellings equal.
  @Test func typeThatIsSpelledWithOtherCharactersIsUnrecognized() async throws {
    let store = try TextStore(
      """
      union Subject on "type" { case cafe: Cafe = "caf\u{E9}"; case page: Page }
      model Note { id: Int; subject: Subject? }
      model Cafe { id: Int }
      model Page { id: Int; title: String }
      """)
    let payload = "[{\"id\": 1, \"subject\": {\"type\": \"cafe\u{301}\", \"id\": 5}}]"
    let report = try await store.sync(payload, as: "Note")
    #expect(report.problems.map(\.path) == ["[0].subject"])
    #expect(
      try await store.rows("SELECT subjectCafe, hex(subjectUnrecognized) FROM Note") == ["- 63616665CC81"])
    #expect(
      try await store.exportedRows(of: "Note") == [["id": 1, "subject": ["type": "cafe\u{301}"]]])
    #expect(try await store.sync(payload, as: "Note").isUnchanged)
  }

  /// The type was stored by an earlier version of the schema, which did not know it.
  @Test(arguments: ["", "@Export(.identities)"])
  func typeThatTheSchemaKnowsSinceIsNotExportedAsNull(export: String) async throws {
    let store = try TextStore(
      """
      model Note { id: Int; \(export) subject: Subject? }
      union Subject on "type" { case tag: Tag; case page: Page }
      model Tag { id: Int; name: String? }
      model Page { id: Int; title: String }
      """)
    try await store.sync(#"[{"id": 1, "subject": {"type": "video", "id": 9}}, {"id": 2, "subject": null}]"#)
    try await store.run("UPDATE Note SET subjectUnrecognized = 'page' WHERE id = 1")
    let rows = try await store.exportedRows(of: "Note")
    #expect(rows[0] == ["id": 1])
    #expect(rows[1].object?.count ?? 0 > 1)
    let json = try await store.export("Note")
    #expect(try await store.exportData("Note") == json)
    #expect(try await store.sync(json).isUnchanged)
    #expect(try store.values(of: "Note", "subjectUnrecognized") == [["page"], [.null]])
  }

  @Test func pendingKeyOfAUnionIsExportedAsKeyIfAnObjectWouldBeTheWholeRow() async throws {
    let store = try TextStore(UnionReferenceTests.schema)
    try await store.sync(
      #"[{"id": 1, "subject_type": "tag", "subject_id": 5}, {"id": 2, "subject": {"type": "page", "id": 6}}]"#
    )
    let waiting = try await store.rows(UnionReferenceTests.waiting)
    #expect(waiting.count == 2)
    let json = try await store.export("Note")
    #expect(
      json
        == #"[{"id":1,"subject_id":5,"subject_type":"tag"},{"id":2,"subject":{"id":6,"type":"page"}}]"#)
    #expect(try await store.exportData("Note") == json)
    #expect(try await store.sync(json).isUnchanged)
    #expect(try await store.rows(UnionReferenceTests.waiting) == waiting)
    #expect(try await store.rows("SELECT id FROM Tag") == [])
    try await store.sync(#"{"id": 5}"#, as: "Tag")
    #expect(
      try await store.export("Note").hasPrefix(#"[{"id":1,"subject":{"id":5,"name":null,"type":"tag"}}"#))
  }
}
