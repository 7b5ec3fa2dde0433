import Foundation
import Syncline
import SynclineTesting
import Testing

/// Steps of paths into lists and maps.
@Suite struct PathStepTests {
  private static let payload = #"""
    [{"id": 1, "name": "C", "thumbs": [{"url": "a.png", "width": 64}, {"url": "b.png"}], "labels": [{"name": "x"}, {"name": "y"}],
      "stats": {"points": [{"at": {"x": 1}}, {"at": {"x": 2.5, "y": 3}}]},
      "videos": {"page": 1, "edges": [
        {"cursor": "c1", "node": {"id": 7, "title": "V", "tags": {"edges": [{"node": {"id": "t", "name": "T"}}]}}},
        {"node": {"id": 8, "title": "W"}}]},
      "groups": [{"members": [{"id": "u", "name": "U"}, "v"]}, {"members": []}, {"members": ["w"]}],
      "devices": {"s1": {"info": {"kind": "phone"}}, "s2": {"serial": "s3"}, "s4": true},
      "words": {"5": "five", "6": "six"}, "owners": [{"id": "u"}],
      "facts": {"links": [{"href": "h", "rel": "self"}, {"href": "i"}]}},
     {"id": 2}]
    """#

  private func filled(_ style: KeyStyle = .snakeCase) async throws -> SyncContainer {
    let container = try makeStore(keyStyle: style)
    let report = try await container.sync(payload: Self.payload, as: Channel.self)
    #expect(report.problems == [])
    return container
  }

  @Test func listIndexInAPathIsRead() async throws {
    let container = try await filled()
    let channel = try #require(try await container.database.read { try Channel.fetchOne($0, id: 1) })
    #expect(channel.thumb == "a.png")
    #expect(channel.thumbWidth == 64)
    #expect(channel.secondThumb == "b.png")
    #expect(channel.owner?.id == "u")
    #expect(channel.facts == ChannelFacts(link: "h", rel: "self"))
    // The list no longer has an element at this index.
    let report = try await container.sync(
      payload: #"[{"id": 1, "thumbs": [{"url": "c.png"}], "owners": []}, {"id": 2, "thumbs": {}}]"#,
      as: Channel.self)
    #expect(report.problems.map(\.path) == ["[1].thumbs[0].url", "[1].thumbs[0].width", "[1].thumbs[1].url"])
    let changed = try #require(try await container.database.read { try Channel.fetchOne($0, id: 1) })
    #expect(changed.thumb == "c.png")
    #expect(changed.thumbWidth == 64)
    #expect(changed.secondThumb == nil)
    #expect(changed.owner == nil)
  }

  @Test func eachListElementOfAPathIsRead() async throws {
    let container = try await filled()
    let channel = try #require(try await container.database.read { try Channel.fetchOne($0, id: 1) })
    #expect(channel.labels == ["x", "y"])
    #expect(channel.points == [Moment(x: 1), Moment(x: 2.5, y: 3)])
    #expect(try container.pick(Channel.self, "videos", "viewers")[0] == [[7, 8], ["u"]])
    #expect(try container.pick(Video.self, "id", "title", "topics") == [[7, "V", ["t"]], [8, "W", []]])
    let report = try await container.sync(
      payload: #"[{"id": "v"}, {"id": "w"}]"#, as: Viewer.self, deletionPolicy: .none)
    #expect(report.linked == 2)
    #expect(try container.pick(Channel.self, "viewers")[0] == [["u", "v", "w"]])
  }

  @Test func mapIsReadAsAListOfRows() async throws {
    let container = try await filled()
    #expect(
      try container.pick(Apparatus.self, "serial", "kind", "channel") == [
        ["s1", "phone", 1], ["s3", .null, 1], ["s4", .null, 1],
      ])
    #expect(try container.pick(Word.self, "id", "text", "channel") == [[5, "five", 1], [6, "six", 1]])
    // Rows that are no longer in the payload are unlinked.
    try await container.sync(
      payload: #"[{"id": 1, "devices": {"s4": {}}, "words": {}}]"#, as: Channel.self, deletionPolicy: .none)
    #expect(try container.pick(Channel.self, "gadgets", "words")[0] == [["s4"], []])
    try await container.sync(
      payload: #"[{"id": 1, "devices": null, "words": {"5": "V"}}]"#, as: Channel.self, deletionPolicy: .none)
    #expect(try container.pick(Channel.self, "gadgets", "words")[0] == [[], [5]])
    #expect(try container.pick(Word.self, "text")[0] == ["V"])
  }

  @Test func repeatedPayloadWithPathsChangesNothing() async throws {
    for style in [KeyStyle.snakeCase, .camelCase] {
      let container = try await filled(style)
      #expect(try await container.sync(payload: Self.payload, as: Channel.self).isUnchanged)
      #expect(try await container.sync(payload: Self.payload, as: Channel.self).isUnchanged)
    }
  }

  @Test func exportKeepsTheNestedShapeOfPaths() async throws {
    let container = try await filled()
    let body = try await container.export(as: Channel.self)
    #expect(body[0]["thumbs"] == [["url": "a.png", "width": 64], ["url": "b.png"]])
    #expect(body[0]["labels"] == [["name": "x"], ["name": "y"]])
    #expect(body[0]["videos"]?["edges"]?[0]?["node"]?["id"] == 7)
    #expect(
      body[0]["videos"]?["edges"]?[0]?["node"]?["tags"]?["edges"] == [["node": ["id": "t", "name": "T"]]])
    #expect(body[0]["groups"] == [["members": [["id": "u", "name": "U"], "v", "w"]]])
    #expect(body[0]["devices"]?["s3"]?["serial"] == "s3")
    #expect(body[0]["words"] == ["5": "five", "6": "six"])
    #expect(body[0]["facts"] == ["links": [["href": "h", "rel": "self"]]])
    #expect(body[1]["words"] == [:])
    let text = try await container.exportData(as: Channel.self)
    #expect(try SyncJSON.array(body) == SyncJSON(parsing: text))
    #expect(try await container.sync(payload: text, as: Channel.self).isUnchanged)
  }

  /// Exported rows may be in another order than in the payload, so a value at an index of their list is written next to the list.
  @Test func indexedValueInARowListIsExportedSeparately() async throws {
    let store = try makeStore()
    let rows = #"[{"id": 1, "shots": [{"id": 9, "url": "nine"}, {"id": 3, "url": "three"}]}]"#
    try await store.sync(payload: rows, as: Album.self)
    #expect(try store.pick(Album.self, "cover") == [["nine"]])
    let exported = try await store.export(as: Album.self)
    #expect(exported.first?["shots[0].url"] == "nine")
    #expect(exported.first?["shots"]?.array?.map { $0["url"] } == ["three", "nine"])
    #expect(try await store.sync(payload: exported, as: Album.self).isUnchanged)
    let other = try makeStore()
    try await other.sync(payload: exported, as: Album.self)
    #expect(try other.everything() == store.everything())
  }

  @Test func missingIndexedValueExportsAnEmptyList() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"[{"id": 1, "sizes": []}, {"id": 2, "sizes": [{"width": 5}]}]"#, as: Album.self)
    let exported = try await store.export(as: Album.self)
    #expect(exported.map { $0["sizes"] } == [[], [["width": 5, "name": nil]]])
    let other = try makeStore()
    let report = try await other.sync(payload: exported, as: Album.self)
    #expect(report.problems.isEmpty)
    #expect(try other.everything() == store.everything())
  }

  /// Inside a list, null would be a list without values.
  @Test func nilValueWithinAListPathIsExportedAsNull() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"""
        [{"id": 1}, {"id": 2, "groups": [], "pages": [{"lines": []}]},
         {"id": 3, "groups": [{"name": "a", "items": [{"n": 1}, {"n": 2}]}, {"name": "b"}]},
         {"id": 4, "groups[].items[].n": null, "groups": [{"name": "a"}]},
         {"id": 5, "groups[].name": null, "groups": [{"items": [{"n": 1}]}]},
         {"id": 6, "groups[].items[].n": null, "groups": []}]
        """#, as: Ledger.self)
    let numbers: [[SyncJSON]] = [
      [nil, nil, nil], [[], [], []], [[1, 2], ["a", "b"], nil], [nil, ["a"], nil], [[1], nil, nil],
      [nil, [], nil],
    ]
    #expect(try store.pick(Ledger.self, "numbers", "names", "texts") == numbers)
    let rows = try await store.export(as: Ledger.self)
    #expect(rows[0] == ["id": 1, "groups": nil, "pages": [["lines": nil]]])
    #expect(rows[3]["groups"] == [["name": "a"]])
    #expect(rows[3].object?["groups[].items[].n"] == .null)
    let report = try await store.sync(payload: rows, as: Ledger.self)
    #expect(report.isUnchanged && report.problems.isEmpty, "\(report)")
    let other = try makeStore()
    #expect(
      try await other.sync(payload: store.exportData(as: Ledger.self), as: Ledger.self).problems.isEmpty)
    #expect(try other.everything() == store.everything())
  }

  /// Keys are written as they were read. For rows that occur elsewhere in the body, only the key is written.
  @Test func mapOfNamesIsExportedWithItsKeys() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"[{"id": 1, "people": {"people/1": "Ada", "people/2": null}}]"#, as: Album.self)
    let exported = try await store.export(as: Album.self)
    #expect(exported.first?["people"] == ["people/1": "Ada", "people/2": nil])
    #expect(try await store.sync(payload: exported, as: Album.self).isUnchanged)
    let editors = try await store.export(as: Editor.self)
    #expect(editors.first?["album"]?["slots"] == [:])
    #expect(editors.first?["album"]?["people"] == nil)
    #expect(try await store.sync(payload: editors, as: Editor.self).isUnchanged)
    #expect(try store.pick(Editor.self, "id", "name", "album") == [["1", "Ada", 1], ["2", nil, 1]])
  }

  @Test func mapKeyIsTheIdentityIfTheRowHasNone() async throws {
    let store = try makeStore()
    try await store.sync(
      payload:
        #"[{"id": 1, "slots": {"a": {"meta": {"id": "own"}}, "b": {}, "c": {"meta.id": null}, "d": {"x": 1}, "e": true}}]"#,
      as: Album.self)
    #expect(try store.pick(Slot.self, "id") == [["b"], ["c"], ["d"], ["e"], ["own"]])
  }

  @Test func wrongTypeAtAListOrMapPathIsReported() async throws {
    let container = try await filled()
    let before = try container.everything()
    let report = try await container.sync(
      payload: #"""
        [{"id": 1, "videos": {"edges": {"node": 1}}, "devices": [1], "labels": [{"name": "x"}, {}],
          "groups": [{"members": 5}], "words": {"x": "no"}, "stats": 5}, {"id": 2}]
        """#, as: Channel.self)
    #expect(
      Set(report.problems.map { "\($0.path) \($0.action.rawValue)" }) == [
        "[0].videos.edges[].node keptLink", "[0].devices{} keptLink", "[0].labels[].name keptStoredValue",
        "[0].groups[].members[][0] ignoredElements", "[0].words[0] skippedRow",
        "[0].stats.points[].at keptStoredValue",
      ])
    #expect(try container.everything() == before)
  }

  @Test func unreadableListElementsDoNotAffectTheOthers() async throws {
    let container = try await filled()
    let report = try await container.sync(
      payload:
        #"[{"id": 1, "videos": {"edges": [{"node": null}, {"node": {"id": 9, "title": "X"}}, 5, {"node": {"title": "Y"}}]}}, {"id": 2}]"#,
      as: Channel.self)
    #expect(
      report.problems.map { "\($0.path) \($0.action.rawValue)" } == [
        "[0].videos.edges[0].node ignoredElements", "[0].videos.edges[2].node ignoredElements",
        "[0].videos.edges[3].node skippedRow",
      ])
    #expect(try container.pick(Channel.self, "videos")[0] == [[7, 8, 9]])
  }

  @Test func errorContainsTheIndexInTheList() async throws {
    let container = try makeStore()
    let error = try await #require(throws: SyncError.self) {
      try await container.sync(
        payload:
          #"[{"id": 1, "points": [], "stats": {"points": []}, "videos": {"edges": [{"node": {"id": 1, "tags": {"edges": []}}}]}}]"#,
        as: Channel.self)
    }
    #expect(error.description.contains("at [0].videos.edges[0].node.title"), "\(error)")
  }

  // MARK: The path of a call

  @Test(arguments: [
    (
      "data.posts.edges[].node",
      #"{"data": {"posts": {"edges": [{"node": {"id": 1, "text": "a"}}, {"node": {"id": 2, "text": "b"}}]}}}"#
    ),
    (
      "entry[].resource",
      #"{"entry": [{"resource": {"id": 1, "text": "a"}}, {"resource": {"id": 2, "text": "b"}}], "x": 1}"#
    ),
    (
      "hits.hits[]._source",
      #"{"hits": {"hits": [{"_source": {"id": 1, "text": "a"}}, {"_source": {"id": 2, "text": "b"}}]}}"#
    ),
    ("data[0].items", #"{"data": [{"items": [{"id": 1, "text": "a"}, {"id": 2, "text": "b"}]}, 5]}"#),
    (
      "groups[].items[]",
      #"{"groups": [{"items": [{"id": 1, "text": "a"}]}, {"items": []}, {}, {"items": [{"id": 2, "text": "b"}]}]}"#
    ),
    ("[].user", #"[{"user": {"id": 1, "text": "a"}}, {"user": {"id": 2, "text": "b"}}]"#),
    ("[]", #"[{"id": 1, "text": "a"}, {"id": 2, "text": "b"}]"#),
    ("[][]", #"[[{"id": 1, "text": "a"}], [], [{"id": 2, "text": "b"}]]"#),
    ("[1].words", #"[5, {"words": [{"id": 1, "text": "a"}, {"id": 2, "text": "b"}]}]"#),
    ("words{}", #"{"words": {"1": {"text": "a"}, "2": {"text": "b", "id": "2"}}}"#),
    ("{}", #"{"1": {"text": "a"}, "2": {"text": "b", "id": "2"}}"#),
    ("{}.word", #"{"1": {"word": {"text": "a"}}, "2": {"word": {"text": "b"}}}"#),
    ("{text}", #"{"1": "a", "2": "b"}"#),
    ("words{text}", #"{"words": {"1": "a", "2": "b"}}"#),
    ("all{}.word", #"{"all": {"1": {"word": {"text": "a"}}, "2": {"word": {"text": "b"}}}}"#),
  ])
  func syncPathFindsTheRows(path: String, payload: String) async throws {
    let container = try makeStore()
    #expect(try await container.sync(payload: payload, at: path, as: Word.self).inserted == 2)
    #expect(try container.pick(Word.self, "id", "text") == [[1, "a"], [2, "b"]])
    #expect(try await container.sync(payload: payload, at: path, as: Word.self).isUnchanged)
  }

  @Test func syncPathFindsTheItem() async throws {
    let container = try makeStore()
    try await container.sync(
      item: #"{"items": [{"id": 1, "text": "a"}, {"id": 2, "text": "b"}]}"#, at: "items[1]", as: Word.self)
    #expect(try container.pick(Word.self, "id") == [[2]])
  }

  @Test(arguments: [
    ("a[", "“a[” is not a path: “[” is not a valid step: write “[]”, “[0]”, “{}” or “{name}”"),
    ("{", "“{” is not a path: “{” must follow a name"),
    ("{}x", "“{}x” is not a path: “{}x” must follow a name"),
    ("a[x]", "“a[x]” is not a path: “[x]” is not a list index: indexes are 0 to 99"),
    ("a[01]", "“a[01]” is not a path: “[01]” has a leading zero: write “[1]”"),
    ("a[3]", "there is no “[3]” at “a[3]”"), ("b[]", "there is no “b” at “b[]”"),
  ])
  func invalidSyncPathIsRefused(path: String, reason: String) async throws {
    let container = try makeStore()
    let error = try await #require(throws: SyncError.self) {
      try await container.sync(payload: #"{"a": [1]}"#, at: path, as: Word.self)
    }
    #expect(error == .invalidPayload(model: "Word", reason: reason))
  }

  @Test func nonListAtTheSyncPathIsRefused() async throws {
    let container = try makeStore()
    let error = try await #require(throws: SyncError.self) {
      try await container.sync(payload: #"{"a": {"id": 1}}"#, at: "a[]", as: Word.self)
    }
    #expect(error.description.contains("the payload must be a list of objects"))
    let row = try await #require(throws: SyncError.self) {
      try await container.sync(payload: #"{"a": [{"b": {"id": 1}}]}"#, at: "a[].b", as: Word.self)
    }
    #expect(row.description.contains("(at a[0].b.text, row 0, identity 1)"), "\(row)")
  }
}
