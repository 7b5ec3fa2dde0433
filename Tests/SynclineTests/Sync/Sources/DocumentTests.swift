import Foundation
import Syncline
import SynclineTesting
import TestSupport
import Testing

/// Documents of the JSON:API format.
@Suite struct DocumentTests {
  /// The first example of the specification.
  static let example = #"""
    {"links": {"self": "http://example.com/articles", "last": "http://example.com/articles?page=1"},
     "data": [{
       "type": "articles", "id": "1", "attributes": {"title": "JSON:API paints my bikeshed!", "stats": {"views": 3}},
       "relationships": {
         "author": {"links": {"self": "http://example.com/articles/1/relationships/author"},
                    "data": {"type": "people", "id": "9"}},
         "comments": {"data": [{"type": "comments", "id": "5"}, {"type": "comments", "id": "12"}]},
         "blog-topics": {"data": [{"type": "blog-topics", "id": "x"}]}},
       "links": {"self": "http://example.com/articles/1"}}],
     "included": [
       {"type": "people", "id": "9", "attributes": {"first-name": "Dan", "twitter": "dgeb"}},
       {"type": "comments", "id": "5", "attributes": {"body": "First!"},
        "relationships": {"author": {"data": {"type": "people", "id": "2"}}}},
       {"type": "comments", "id": "12", "attributes": {"body": "I like XML better"},
        "relationships": {"author": {"data": {"type": "people", "id": "9"}}}},
       {"type": "blogTopics", "id": "x", "attributes": {"name": "X"}}]}
    """#

  @Test func resourcesAreStoredAsRowsOfTheirTypes() async throws {
    let store = try makeStore()
    let report = try await store.sync(jsonAPI: Self.example, as: Essay.self)
    #expect(report.problems.isEmpty)
    #expect(
      try store.pick(Essay.self, "id", "title", "views", "author", "remarks", "blogTopics") == [
        [1, "JSON:API paints my bikeshed!", 3, 9, [5, 12], ["x"]]
      ])
    #expect(try store.pick(Writer.self, "id", "firstName", "twitter") == [[9, "Dan", "dgeb"]])
    #expect(
      try store.pick(Reply.self, "id", "body", "author") == [
        [5, "First!", nil], [12, "I like XML better", 9],
      ])
    #expect(
      report.waiting.map(\.description) == ["Reply “5”, included[1].author: Writer “2” is not stored yet"])
    let before = try store.writes()
    #expect(try await store.sync(jsonAPI: Self.example, as: Essay.self).isUnchanged)
    #expect(try await store.sync(jsonAPI: Self.example).isUnchanged)
    #expect(try store.writes() == before)
  }

  @Test func resourceIsIdentifiedByItsIDAndNotByAnAttribute() async throws {
    let store = try makeStore()
    let document = #"""
      {"data": [{"type": "articles", "id": "1", "attributes": {"id": 71, "title": "A"},
                 "relationships": {"author": {"data": {"type": "people", "id": "9"}}}}],
       "included": [{"type": "people", "id": "9", "attributes": {"id": 20550, "first-name": "Dan"}}]}
      """#
    try await store.sync(jsonAPI: document, as: Essay.self)
    #expect(try store.pick(Essay.self, "id", "author") == [[1, 9]])
    #expect(try store.pick(Writer.self, "id", "firstName") == [[9, "Dan"]])
  }

  @Test func onlyRowsMissingFromTheDataAreDeleted() async throws {
    let store = try makeStore()
    try await store.sync(jsonAPI: Self.example, as: Essay.self)
    let other = #"{"data": [{"type": "articles", "id": "2", "attributes": {"title": "B"}}]}"#
    let report = try await store.sync(jsonAPI: other)
    #expect(report[Essay.self].deleted == 1)
    #expect(try store.pick(Essay.self, "id") == [[2]])
    // Included rows are kept.
    #expect(try store.rows(of: Writer.self).count == 1)
    #expect(try store.rows(of: Reply.self).count == 2)
  }

  @Test func documentWithANextLinkDeletesNothing() async throws {
    let store = try makeStore()
    try await store.sync(jsonAPI: Self.example, as: Essay.self)
    for next in [#""/articles?page=2""#, #"{"href": "/articles?page=2"}"#] {
      let page =
        #"{"links": {"next": \#(next)}, "data": [{"type": "articles", "id": "2", "attributes": {"title": "B"}}]}"#
      #expect(try await store.sync(jsonAPI: page).deleted == 0)
    }
    let last =
      #"{"links": {"next": null}, "data": [{"type": "articles", "id": "3", "attributes": {"title": "C"}}]}"#
    #expect(try await store.sync(jsonAPI: last).deleted == 2)
  }

  @Test func documentsCanBeSyncedAsPagesAndItems() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 7, "title": "old"}]"#, as: Essay.self)
    let pages = (1...2).map { page in
      SyncPage(
        SyncDocument(
          #"{"links": {"next": "x"}, "data": [{"type": "articles", "id": "\#(page)", "attributes": {"title": "A"}}]}"#
        ),
        cursor: page == 1 ? "2" : nil)
    }
    let report = try await store.sync(pages: stream(of: pages), as: Essay.self)
    #expect((report.inserted, report.deleted) == (2, 1))
    let item =
      #"{"data": {"type": "articles", "id": "2", "attributes": {"title": "B"}, "relationships": {"author": {"data": null}}}, "included": [{"type": "people", "id": "1", "attributes": {"first-name": "Ada"}}]}"#
    let changed = try await store.sync(item: SyncDocument(Data(item.utf8)), as: Essay.self)
    #expect((changed[Essay.self].updated, changed[Writer.self].inserted, changed.deleted) == (1, 1, 0))
    await #expect(throws: SyncError.self) {
      try await store.sync(item: SyncDocument(Data(Self.example.utf8)), as: Essay.self)
    }
    #expect(try await store.sync(jsonAPI: #"{"data": null}"#, as: Essay.self).isUnchanged)
    #expect(try await store.sync(jsonAPI: #"{"data": []}"#, as: Essay.self).deleted == 2)
  }

  @Test func resourcesOfSeveralTypesDeleteNothing() async throws {
    let store = try makeStore()
    try await store.sync(jsonAPI: Self.example, as: Essay.self)
    let mixed =
      #"{"data": [{"type": "comments", "id": "1", "attributes": {"body": "b"}}, {"type": "people", "id": "1", "attributes": {"first-name": "Ada"}}]}"#
    let report = try await store.sync(jsonAPI: mixed)
    #expect((report.inserted, report.deleted) == (2, 0))
  }

  /// Models that a document does not list have no missing rows.
  @Test func aDocumentOfOtherTypesDeletesNothing() async throws {
    let store = try makeStore()
    try await store.sync(jsonAPI: Self.example)
    for (data, reason) in [
      (#"{"type": "robots", "id": "1"}"#, "no model matches type “robots”"),
      (
        #"{"type": "people", "id": "1", "attributes": {"first-name": "A"}}"#,
        "no resource is a row of this model; the type is “people”"
      ),
      (
        #"{"type": "people", "id": "1", "attributes": {"first-name": "A"}}, {"type": "robots", "id": "2"}"#,
        "no resource is a row of this model; the types are “people” and “robots”"
      ),
    ] {
      let error = await #expect(throws: SyncError.self) {
        try await store.sync(jsonAPI: #"{"data": [\#(data)]}"#, as: Essay.self)
      }
      #expect(error?.description == "Invalid payload for Essay: \(reason)")
    }
    let feed =
      #"{"data": [{"type": "articles", "id": "7", "attributes": {"title": "A"}}, {"type": "robots", "id": "1"}]}"#
    #expect(try await store.sync(jsonAPI: feed).deleted == 0)
    #expect(try await store.sync(jsonAPI: feed, as: Essay.self).deleted == 0)
    let last =
      #"{"links": {"prev": "/articles?page=1"}, "data": [{"type": "articles", "id": "8", "attributes": {"title": "A"}}]}"#
    #expect(try await store.sync(jsonAPI: last).deleted == 0)
    #expect(try store.pick(Essay.self, "id") == [[1], [7], [8]])
  }

  /// Included rows do not belong to the list of the parent.
  @Test func includedRowsAreNotMovedToTheParent() async throws {
    let store = try makeStore()
    try await store.sync(
      jsonAPI:
        #"{"data": [{"type": "people", "id": "1", "attributes": {"first-name": "A"}}, {"type": "people", "id": "2", "attributes": {"first-name": "B"}}]}"#
    )
    try await store.sync(
      payload: #"[{"id": 5, "title": "E", "author_id": 2}, {"id": 6, "title": "F", "author_id": 1}]"#,
      as: Essay.self)
    let document = #"""
      {"data": [{"type": "articles", "id": "1", "attributes": {"title": "A"}}],
       "included": [{"type": "articles", "id": "5", "attributes": {"title": "G"}}, {"type": "articles", "id": "9", "attributes": {"title": "N"}}]}
      """#
    for _ in 0..<2 {
      try await store.sync(
        payload: SyncDocument(Data(document.utf8)), as: Essay.self, parent: 1, relationship: \.author)
      #expect(
        try store.pick(Essay.self, "id", "title", "author") == [[1, "A", 1], [5, "G", 2], [9, "N", nil]])
    }
    let empty = #"{"data": [], "included": [{"type": "articles", "id": "1", "attributes": {"title": "A"}}]}"#
    let kept = try await store.sync(
      payload: SyncDocument(Data(empty.utf8)), as: Essay.self, requireNonEmptyFullSlice: true)
    #expect(kept.deleted == 0)
    // An included resource without an identity is reported.
    let odd =
      #"{"data": [{"type": "articles", "id": "1", "attributes": {"title": "A"}}], "included": [{"type": "comments"}]}"#
    #expect(try await store.sync(jsonAPI: odd).problems.map(\.path) == ["included[0]"])
  }

  /// The parent of a nested comment may be an included article.
  @Test func oneTypeCanBeInBothDataAndIncluded() async throws {
    let store = try makeStore()
    let document = #"""
      {"data": [{"type": "people", "id": "1", "attributes": {"first-name": "A"},
                 "relationships": {"rival": {"data": {"type": "people", "id": "2"}}}}],
       "included": [{"type": "people", "id": "2", "attributes": {"first-name": "B"}}]}
      """#
    try await store.sync(jsonAPI: document)
    #expect(try store.pick(Writer.self, "id", "rival") == [[1, 2], [2, nil]])
    #expect(try await store.sync(jsonAPI: document).isUnchanged)
  }

  @Test func mismatchedResourcesAreReportedWithTheirPath() async throws {
    let store = try makeStore()
    let document = #"""
      {"data": [{"type": "articles", "id": "1", "attributes": {"title": "A", "stats": {"views": "many"}},
                 "relationships": {"author": {"data": {"type": "robots", "id": "1"}},
                                   "comments": {"data": [{"type": "comments", "id": "5"}, {"type": "people", "id": "9"}]}}}],
       "included": [{"type": "robots", "id": "1"}, {"type": "comments", "id": "5", "attributes": {"body": "b"}},
                    {"type": "robots", "id": "2"}, {"id": "3"}]}
      """#
    let report = try await store.sync(jsonAPI: document)
    #expect(
      report.problems.map(\.path) == [
        "included[0]", "data[0].stats.views", "data[0].author", "data[0].comments[1]", "included[3]",
      ])
    #expect(report.problems.first?.description.contains("no model matches type “robots”") == true)
    #expect(
      report.problems[2].description.contains("a resource of type “robots” is not a row of Writer")
    )
    #expect(try store.pick(Essay.self, "author", "remarks") == [[nil, [5]]])
  }

  @Test(arguments: [
    (#"[]"#, "a JSON:API document must be an object, not a list"), (#"{}"#, "the document has no “data”"),
    (#"{"meta": {}}"#, "the document has no “data”"),
    (
      #"{"errors": [{"status": "422", "title": "Invalid", "detail": "Title is missing"}, {"code": "x"}]}"#,
      "the document has errors: 422: Invalid: Title is missing"
    ),
    (#"{"errors": [{"status": 404, "title": "x"}]}"#, "the document has errors: 404: x"),
    (#"{"data": [{"type": "robots", "id": "1"}]}"#, "no model matches type “robots”"),
  ])
  func invalidDocumentIsRejectedWithAReason(_ text: String, _ reason: String) async throws {
    let store = try makeStore()
    try await store.sync(jsonAPI: Self.example)
    let error = await #expect(throws: SyncError.self) { try await store.sync(jsonAPI: text) }
    #expect(error?.description == "Invalid payload: \(reason)")
    #expect(try store.rows(of: Essay.self).count == 1)
  }

  @Test(arguments: [#"[{"id": "1", "attributes": {"title": "A"}}]"#, #""oops""#])
  func dataWithoutTypesIsRejected(data: String) async throws {
    let store = try makeStore()
    await #expect(throws: SyncError.self) { try await store.sync(jsonAPI: "{\"data\": \(data)}") }
    #expect(try await store.sync(jsonAPI: #"{"data": null}"#).isUnchanged)
  }

  @Test func emptyListOfErrorsIsIgnored() async throws {
    let store = try makeStore()
    let report = try await store.sync(
      jsonAPI: #"{"errors": [], "data": [{"type": "articles", "id": "1", "attributes": {"title": "A"}}]}"#)
    #expect(report.inserted == 1)
  }

  @Test func includedResourceMayBeSingle() async throws {
    let store = try makeStore()
    let data = #""data": [{"type": "articles", "id": "1", "attributes": {"title": "A"}}]"#
    let person = #"{"type": "people", "id": "9", "attributes": {"first-name": "Dan"}}"#
    try await store.sync(jsonAPI: "{\(data), \"included\": \(person)}")
    #expect(try store.pick(Writer.self, "id") == [[9]])
    let report = try await store.sync(jsonAPI: "{\(data), \"included\": {\"0\": \(person)}}")
    #expect(report.problems.map(\.path) == ["included"])
  }

  /// A page that is not a list of known types does not show which rows are missing.
  @Test(arguments: [
    "null", #"{"type": "articles", "id": "1", "attributes": {"title": "A"}}"#,
    #"[{"type": "articles", "id": "1", "attributes": {"title": "A"}}, {"type": "robots", "id": "7"}]"#,
  ])
  func pagesThatAreNoWholeListDeleteNothing(data: String) async throws {
    let store = try makeStore()
    let stored = #"{"data": [{"type": "articles", "id": "7", "attributes": {"title": "B"}}]}"#
    try await store.sync(jsonAPI: stored)
    func page(_ data: String, _ cursor: String?) -> SyncPage {
      SyncPage(SyncDocument("{\"data\": \(data)}"), cursor: cursor)
    }
    let report = try await store.sync(pages: stream(of: [page(data, nil)]), as: Essay.self)
    #expect(report.deleted == 0)
    // Nor does the rest of an interrupted run.
    let first = AsyncThrowingStream { stream in
      stream.yield(page("[]", "1"))
      stream.yield(page(data, "2"))
      stream.finish(throwing: CancellationError())
    }
    _ = try? await store.sync(pages: first, as: Essay.self)
    let rest = try await store.sync(pages: stream(of: [page("[]", nil)]), as: Essay.self, startingAt: "2")
    #expect(rest.deleted == 0)
    #expect(try store.rows(of: Essay.self).contains { $0["id"] == 7 })
  }

  @Test func corruptedDocumentsLeaveTheStoreIntact() async throws {
    let store = try makeStore()
    try await store.sync(jsonAPI: Self.example)
    var random = SeededGenerator(seed: 14_600)
    let bytes = Array(Self.example.utf8)
    for _ in 0..<300 {
      var mutated = bytes
      for _ in 0..<3 {
        mutated[Int.random(in: 0..<mutated.count, using: &random)] = random.pick(Array(#"{}[]",:0tn"#.utf8))
      }
      _ = try? await store.sync(jsonAPI: Data(mutated), as: Essay.self, deletionPolicy: .none)
    }
    #expect(try await store.check().isIntact)
  }

  @Test func jsonAPIExportsMatchTheFormatAndSyncBackUnchanged() async throws {
    let store = try makeStore()
    try await store.sync(jsonAPI: Self.example, as: Essay.self)
    let document = try await store.exportJSONAPI(as: Essay.self)
    #expect(
      document == [
        "data": [
          [
            "type": "articles", "id": "1",
            "attributes": [
              "title": "JSON:API paints my bikeshed!", "created_at": nil, "stats": ["views": 3],
            ],
            "relationships": [
              "author": ["data": ["type": "people", "id": "9"]],
              "comments": ["data": [["type": "comments", "id": "5"], ["type": "comments", "id": "12"]]],
              "blog_topics": ["data": [["type": "blog_topics", "id": "x"]]],
            ],
          ]
        ]
      ])
    #expect(try await store.sync(jsonAPI: document).isUnchanged)
    // A pending link is exported as its key.
    let remarks = try await store.exportJSONAPI(as: Reply.self)
    #expect(
      remarks["data"]?.array?.first?["relationships"]?["author"]?["data"] == ["type": "people", "id": "2"])
    #expect(try await store.sync(jsonAPI: remarks).isUnchanged)
    let writer = try #require(try await store.database.read { try Writer.fetchOne($0, id: 9) })
    let item = try await store.exportJSONAPI(writer)
    #expect(item["data"]?["attributes"] == ["first_name": "Dan"])
    #expect(try await store.sync(item: SyncDocument(item), as: Writer.self).isUnchanged)
    let other = try makeStore()
    for document in [document, remarks] { try await other.sync(jsonAPI: document) }
    try await other.sync(jsonAPI: store.exportJSONAPI(as: Writer.self))
    try await other.sync(jsonAPI: store.exportJSONAPI(as: BlogTopic.self))
    #expect(
      try other.pick(Essay.self, "author", "remarks", "blogTopics")
        == store.pick(Essay.self, "author", "remarks", "blogTopics"))
  }
}
