import Foundation
import GRDB
import Syncline
import SynclineTesting
import TestSupport
import Testing

/// Values of one of several structs, distinguished by a key.
@Suite struct UnionValueTests {
  private static let tale = """
    [{"id": 1, "title": "a", "lead": {"kind": "text", "t": "hello"},
      "body": [{"kind": "img", "url": "https://a.b/c", "width": 3, "note": "n"}, {"t": "x", "kind": "text"},
        {"kind": "quote", "by": null, "block": {"kind": "text", "t": "in"}, "blocks": [{"kind": "text", "t": "y"}]}],
      "blocks": {"a": {"kind": "text", "t": "m"}}}]
    """

  private func saga(_ store: SyncContainer) async throws -> Saga {
    try #require(try await store.database.read { try Saga.fetchOne($0, id: 1) })
  }

  private static func note(_ block: Block) -> String? {
    if case .image(let image) = block { image.note } else { nil }
  }

  @Test func unionValuesAreReadAsTheirCases() async throws {
    let store = try makeStore()
    #expect(try await store.sync(payload: Self.tale, as: Saga.self).problems.isEmpty)
    let tale = try await saga(store)
    #expect(tale.lead == .text(TextBlock(text: "hello")))
    #expect(tale.blocks == ["a": .text(TextBlock(text: "m"))])
    #expect(
      tale.body == [
        .image(ImageBlock(url: try #require(URL(string: "https://a.b/c")), width: 3, note: "n")),
        .text(TextBlock(text: "x")),
        .quote(
          Quote(by: nil, block: .text(TextBlock(text: "in")), blocks: [.text(TextBlock(text: "y"))])),
      ])
    let writes = try store.writes()
    #expect(try await store.sync(payload: Self.tale, as: Saga.self).isUnchanged)
    #expect(try store.writes() == writes)
  }

  @Test func exportsContainTheUnionCase() async throws {
    let store = try makeStore()
    try await store.sync(payload: Self.tale, as: Saga.self)
    let exported = try await store.export(as: Saga.self)
    #expect(exported[0]["lead"] == ["t": "hello", "kind": "text"])
    #expect(exported[0]["body"]?.array?.first?["kind"] == "img")
    #expect(try await store.sync(payload: SyncJSON.array(exported), as: Saga.self).isUnchanged)
    #expect(try SyncJSON(parsing: await store.exportData(as: Saga.self)) == .array(exported))
    // Members that are not exported keep their values.
    let first = try #require(try await saga(store).body.first)
    #expect(Self.note(first) == "n")
  }

  @Test func unexportedMembersAreKeptNextToAnUnknownCase() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: """
        [{"id": 1, "title": "a", "body": [{"kind": "img", "url": "https://a.b/c", "note": "n"}, {"kind": "video"}],
          "blocks": {}}]
        """, as: Saga.self)
    let exported = try await store.export(as: Saga.self)
    #expect(try await store.sync(payload: SyncJSON.array(exported), as: Saga.self).isUnchanged)
    let first = try #require(try await saga(store).body.first)
    #expect(Self.note(first) == "n")
  }

  @Test func unionMembersCanBeQueriedBySQL() async throws {
    let store = try makeStore()
    try await store.sync(payload: Self.tale, as: Saga.self)
    let counts = try await store.database.read { db in
      [
        try Saga.filter(Saga.Columns.lead.text.text == "hello").fetchCount(db),
        try Saga.filter(Saga.Columns.body[0].image.width == 3).fetchCount(db),
        try Saga.filter(Saga.Columns.lead.text.text == "other").fetchCount(db),
      ]
    }
    #expect(counts == [1, 1, 0])
  }

  @Test func unknownUnionTypeIsKeptUnchanged() async throws {
    let store = try makeStore()
    let payload =
      #"[{"id": 1, "title": "a", "lead": {"kind": "video", "src": [1, {"a": null}]}, "body": [], "blocks": {}}]"#
    for isNew in [true, false] {
      let report = try await store.sync(payload: payload, as: Saga.self)
      #expect(report.inserted == (isNew ? 1 : 0) && report.updated == 0)
      #expect(
        report.problems.map(\.description) == [
          "Saga “1”, [0].lead: “video” matches no case of Block (the raw value was kept)"
        ])
    }
    let lead: SyncJSON = ["kind": "video", "src": [1, ["a": nil]]]
    #expect(try await saga(store).lead == .unrecognized(lead))
    #expect(try await store.export(as: Saga.self)[0]["lead"] == lead)
  }

  @Test func unionValueWithoutAValidCaseIsUnreadable() async throws {
    let store = try makeStore()
    try await store.sync(payload: Self.tale, as: Saga.self)
    for lead in [#"{"t": "x"}"#, #"{"kind": 3}"#, "3", #""text""#, "[[]]", #"{"kind": "text"}"#] {
      let report = try await store.sync(item: "{\"id\": 1, \"lead\": \(lead)}", as: Saga.self)
      #expect(report.actions == [.keptStoredValue], "\(lead)")
      #expect(try await saga(store).lead == .text(TextBlock(text: "hello")))
    }
    let report = try await store.sync(item: #"{"id": 1, "lead": {"kind": "text"}}"#, as: Saga.self)
    #expect(report.problems.first?.path == "lead.t")
    // An empty list is read as an empty object, as PHP writes it.
    let empty = try await store.sync(item: #"{"id": 1, "lead": []}"#, as: Saga.self)
    #expect(empty.problems == [])
    #expect(try await saga(store).lead == nil)
  }

  @Test func invalidStoredUnionValueIsKept() async throws {
    let store = try makeStore()
    try await store.sync(payload: Self.tale, as: Saga.self)
    for text in [#"{"gone":{"a":1}}"#, #"{"text":{"text":{}}}"#, "3", "{}", #"{"text":1,"image":2}"#] {
      try await store.database.write { db in
        try db.execute(sql: "UPDATE Saga SET lead = ?", arguments: [text])
      }
      let json = try SyncJSON(parsing: text)
      #expect(try await saga(store).lead == .unrecognized(json))
      let saga = try await saga(store)
      try await store.database.write { try saga.update($0) }
      #expect(try store.pick(Saga.self, "lead") == [[json]])
    }
    #expect(try await store.sync(payload: Self.tale, as: Saga.self).updated == 1)
    #expect(try await saga(store).lead == .text(TextBlock(text: "hello")))
  }

  @Test func unionValuesAreCodable() throws {
    let blocks: [Block] = [
      .text(TextBlock(text: "a")), .quote(Quote(block: .unrecognized(["kind": "x"]), blocks: [])),
    ]
    let data = try JSONEncoder().encode(blocks)
    #expect(try JSONDecoder().decode([Block].self, from: data) == blocks)
    #expect(Set(blocks).count == 2)
  }

  @Test func deeplyNestedUnionValuesDoNotCrash() async throws {
    let store = try makeStore()
    for depth in [10, 60, 70, 200, 5_000] {
      let lead =
        String(repeating: #"{"kind": "quote", "blocks": [], "block": "#, count: depth) + "null"
        + String(repeating: "}", count: depth)
      let payload = "[{\"id\": 1, \"title\": \"a\", \"lead\": \(lead), \"body\": [], \"blocks\": {}}]"
      // A value that exceeds the depth limit of JSON is rejected.
      _ = try? await store.sync(payload: payload, as: Saga.self)
      _ = try? await store.sync(payload: payload, as: Saga.self)
    }
  }
}
