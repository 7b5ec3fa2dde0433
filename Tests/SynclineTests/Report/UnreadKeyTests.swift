import Foundation
import Logging
import Syncline
import SynclineTesting
import Testing

/// Keys that no property reads, and properties that no row contains.
@Suite struct UnreadKeyTests {
  private func store(_ keys: SyncConfiguration.UnreadKeys) throws -> SyncContainer {
    var configuration = SyncConfiguration()
    configuration.unreadKeys = keys
    return try SynclineTestsSchema.makeStore(in: nil, configuration)
  }

  @Test func unreadKeysAreCountedAndMissingPropertiesListed() async throws {
    let store = try store(.first(rows: 100))
    let rows = #"""
      [{"id": 1, "title": "A", "content": "x", "labels": [], "state": {"id": "open", "color": "red"}},
       {"id": 2, "title": "B", "content": null, "updatedAt": "2024-05-02"}]
      """#
    let found = try #require(try await store.sync(payload: rows, as: Task.self).unreadKeys)
    #expect(found.rows == ["Task": 2])
    #expect(
      found.keys.map(\.description) == [
        "Task.content, in 2 rows", "Task.labels, in 1 row", "Task.state.color, in 1 row",
      ])
    #expect(
      found.properties.map(\.property).sorted() == [
        "assignee", "details", "estimate", "project", "stateLabel",
      ])
  }

  @Test func differentlySpelledKeysAreSuggested() async throws {
    let store = try store(.first(rows: 100))
    let rows = #"[{"id": 1, "title": "A", "Description": "x", "estimated": 3, "UpdatedAT": "2024-05-02"}]"#
    let report = try await store.sync(payload: rows, as: Task.self)
    let suggestions = report.unreadKeys?.properties.filter { $0.suggestion != nil }.map(\.description) ?? []
    #expect(
      suggestions.sorted() == [
        #"Task.details is in none of the rows; did you mean @RemoteKey("Description")?"#,
        #"Task.estimate is in none of the rows; did you mean @RemoteKey("estimated")?"#,
        #"Task.updatedAt is in none of the rows; did you mean @RemoteKey("UpdatedAT")?"#,
      ])
    for line in suggestions { #expect(report.description.contains(line)) }
  }

  /// A key whose value merely has the right type is not suggested, even if it is the only one.
  @Test func onlySimilarlySpelledKeysAreSuggested() async throws {
    let store = try store(.first(rows: 100))
    let found = try await store.sync(
      payload: #"[{"id": 1, "name": "A", "contact": "a@b.c", "tasks": []}]"#, as: User.self
    ).unreadKeys
    #expect(found?.properties.map(\.suggestion) == [nil])
    let other = try await store.sync(
      payload: #"[{"id": 1, "name": "A", "emial": "a@b.c", "tasks": []}]"#, as: User.self
    ).unreadKeys
    #expect(other?.properties.map(\.suggestion) == ["emial"])
  }

  /// Without quotes, the key would be read as a path.
  @Test func suggestedKeyIsInQuotesIfItLooksLikeAPath() async throws {
    let store = try store(.first(rows: 100))
    let rows = #"[{"id": 1, "title": "A", ".description": "x", "estimate[]": 3}]"#
    let found = try await store.sync(payload: rows, as: Task.self).unreadKeys
    #expect(
      found?.properties.filter { $0.suggestion != nil }.map(\.description).sorted() == [
        ##"Task.details is in none of the rows; did you mean @RemoteKey(#"".description""#)?"##,
        ##"Task.estimate is in none of the rows; did you mean @RemoteKey(#""estimate[]""#)?"##,
      ])
  }

  @Test func createdAtIsNotSuggestedForUpdatedAt() async throws {
    let store = try store(.first(rows: 100))
    let rows = #"[{"id": 1, "title": "A", "createdAt": "2024-05-02", "created_at": "2024-05-02"}]"#
    let found = try await store.sync(payload: rows, as: Task.self).unreadKeys
    #expect(found?.properties.first { $0.property == "updatedAt" }.map { $0.suggestion == nil } == true)
  }

  @Test func nestedRowsValuesAndMapsAreChecked() async throws {
    let store = try store(.first(rows: 100))
    let rows = #"""
      [{"id": 1, "title": "A", "project": {"id": 1, "name": "P", "owner": 7}, "assignee": {"id": 2},
        "tags": [{"id": 1, "name": "T", "hue": 1}, {"id": 2, "name": "U"}]}]
      """#
    let found = try #require(try await store.sync(payload: rows, as: Task.self).unreadKeys)
    #expect(found.keys.map(\.description) == ["Project.owner, in 1 row", "Tag.hue, in 1 row"])
    #expect(found.rows == ["Task": 1, "Project": 1, "Tag": 2])
    let channel = #"""
      [{"id": 1, "thumbs": [{"url": "a", "size": 1}], "facts": {"links": [], "extra": 1},
        "videos": {"edges": [{"node": {"id": 1, "title": "V", "length": 3}, "cursor": "c"}]},
        "devices": {"x": {"info": {"kind": "k", "age": 1}}}, "words": {"1": "w"}}]
      """#
    let steps = try #require(try await store.sync(payload: channel, as: Channel.self).unreadKeys)
    #expect(
      steps.keys.map(\.description).sorted() == [
        "Apparatus.info.age, in 1 row", "Channel.thumbs[].size, in 1 row",
        "Channel.videos.edges[].cursor, in 1 row", "ChannelFacts.extra, in 1 row", "Video.length, in 1 row",
      ])
  }

  @Test func unionsOfStructsAreChecked() async throws {
    let store = try store(.first(rows: 100))
    let rows = #"""
      [{"id": 1, "title": "A", "lead": {"kind": "text", "t": "x", "size": 1},
        "body": [{"kind": "img", "url": "https://a.b", "alt": "y"}, {"kind": "video", "length": 3}],
        "blocks": {"a":
          {"kind": "quote", "by": "z", "block": {"kind": "text", "t": "x", "hue": 1}, "blocks": []}}}]
      """#
    let found = try #require(try await store.sync(payload: rows, as: Saga.self).unreadKeys)
    #expect(
      found.keys.map(\.description).sorted() == [
        "ImageBlock.alt, in 1 row", "TextBlock.hue, in 1 row", "TextBlock.size, in 1 row",
      ])
    #expect(found.properties.map(\.property) == ["width"])
  }

  /// A path may lead into a value that a relationship reads.
  @Test func keyReadByPathAndRelationshipIsNotUnread() async throws {
    let store = try store(.first(rows: 100))
    let rows = #"[{"id": 1, "shots": [{"id": 2, "url": "u"}], "people": {}, "slots": {}, "sizes": []}]"#
    let found = try #require(try await store.sync(payload: rows, as: Album.self).unreadKeys)
    #expect(found.keys == [])
    #expect(!found.properties.map(\.property).contains("cover"))
    let lists = try await store.sync(payload: #"[{"id": 1, "trackz": []}]"#, as: Playlist.self).unreadKeys
    #expect(lists?.properties.filter { $0.suggestion != nil }.map(\.property) == ["tracks"])
  }

  /// The object with the key of a union may have other keys, which are read.
  @Test(arguments: [#"{"kind": "post", "by": "x"}"#, #"{"kind": "post", "of": {"a": 1}}"#])
  func pathOfAUnionIsNotUnread(meta: String) async throws {
    var configuration = SyncConfiguration()
    configuration.unreadKeys = .first(rows: 100)
    let store = try TextStore(
      """
      union Entry on "meta.kind" { case post: Post; case page: Page }
      model Note { id: Int; entry: Entry? }
      model Post { id: Int; @RemoteKey("meta.by") author: String? }
      model Page { id: Int; title: String? }
      """, configuration)
    let report = try await store.sync(#"[{"id": 1, "entry": {"id": 2, "meta": \#(meta)}}]"#, as: "Note")
    let unread: [String] = meta.contains("by") ? [] : ["meta.of"]
    #expect(report.unreadKeys?.keys.map(\.key) == unread)
  }

  @Test func parentPropertyIsNotReportedAsMissing() async throws {
    let store = try store(.first(rows: 100))
    try await store.sync(payload: #"[{"id": 1, "name": "P"}]"#, as: Project.self)
    let rows = #"[{"id": "a", "title": "I", "position": 1}]"#
    try await store.sync(payload: #"[{"id": 1, "title": "T"}]"#, as: Task.self)
    let found = try await store.sync(payload: rows, as: Item.self, parent: 1, relationship: \.task).unreadKeys
    #expect(found?.properties == [])
    // A parent of one case of a union is the value of all cases.
    try await store.sync(payload: #"[{"id": 1, "title": "T"}]"#, as: Tale.self)
    let opinion = try await store.sync(
      payload: #"[{"id": 1, "text": "x"}]"#, as: Opinion.self, parent: 1, relationship: \.subjectTale)
    #expect(opinion.unreadKeys?.properties == [])
  }

  @Test func onlyTheConfiguredSampleOfRowsIsChecked() async throws {
    let rows =
      "[" + (0..<10).map { #"{"id": \#($0), "name": "n", "k\#($0)": 1}"# }.joined(separator: ",") + "]"
    let sampled = try await store(.first(rows: 3)).sync(payload: rows, as: Tag.self).unreadKeys
    #expect(sampled?.rows == ["Tag": 3])
    #expect(sampled?.keys.map(\.key) == ["k0", "k1", "k2"])
    #expect(try await store(.off).sync(payload: rows, as: Tag.self).unreadKeys == nil)
    #expect(try await store(.first(rows: -1)).sync(payload: rows, as: Tag.self).unreadKeys == nil)
    let pages = [SyncPage(rows), SyncPage(rows)]
    let both = try await store(.first(rows: 2)).sync(pages: stream(of: pages), as: Tag.self).unreadKeys
    #expect(both?.rows == ["Tag": 4])
    #expect(both?.keys.map(\.rows) == [2, 2])
  }

  /// A page lists a property with a default only if it has a similar key.
  @Test(arguments: [#"String = """#, "String?"], [[0, 1], [1, 0]])
  func suggestionOfOnePageIsKept(type: String, order: [Int]) async throws {
    var configuration = SyncConfiguration()
    configuration.unreadKeys = .first(rows: 100)
    let schema = "model Task { id: Int; title: String; details: \(type) }"
    let cases: [(key: String, suggestions: [String?])] = [("other", ["detail"]), ("details", [])]
    for (key, suggestions) in cases {
      let pages = [
        #"[{"id": 1, "title": "a", "detail": "x"}]"#, #"[{"id": 2, "title": "b", "\#(key)": "y"}]"#,
      ]
      let report = try await TextStore(schema, configuration).sync(pages: order.map { SyncPage(pages[$0]) })
      #expect(report.unreadKeys?.properties.map(\.suggestion) == suggestions)
    }
  }

  @Test func unreadKeyReportIsEnabledOnlyInDebugBuilds() {
    #if DEBUG
      #expect(SyncConfiguration().unreadKeys == .first(rows: 100))
    #else
      #expect(SyncConfiguration().unreadKeys == .off)
    #endif
  }

  /// The sync itself reports invalid JSON.
  @Test func invalidJSONErrorIsIndependentOfUnreadKeys() async throws {
    let text = #"[{"id": 1}, {"id": 2, "title": }]"#
    var errors: Set<String> = []
    for keys in [SyncConfiguration.UnreadKeys.off, .first(rows: 100)] {
      let store = try store(keys)
      let error = await #expect(throws: SyncError.self) { try await store.sync(payload: text, as: Task.self) }
      errors.insert(error?.description ?? "")
    }
    #expect(errors.count == 1)
  }
}
