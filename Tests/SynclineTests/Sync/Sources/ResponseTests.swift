import Foundation
import Syncline
import SynclineTesting
import TestSupport
import Testing

/// The validators and cursors that a store saves, and how they are read from header fields.
@Suite struct ResponseTests {
  @Test func validatorsAreStoredWithTheRows() async throws {
    let store = try makeStore()
    #expect(try await store.validator(for: Tag.self) == nil)
    let validator = SyncValidator(etag: #"W/"a,1""#, lastModified: "Tue, 15 Nov 1994 08:12:31 GMT")
    let body = Data(PagedServer.payload([1]).utf8)
    try await store.sync(payload: SyncResponse(body, validator: validator), as: Tag.self)
    #expect(try await store.validator(for: Tag.self) == validator)
    #expect(
      try await store.validator(for: Tag.self)?.requestFields.map(\.value)
        == [#"W/"a,1""#, "Tue, 15 Nov 1994 08:12:31 GMT"])
    // A failed sync stores no validator.
    let other = SyncValidator(etag: "b")
    await #expect(throws: SyncError.self) {
      try await store.sync(
        payload: SyncResponse(Data("[{}]".utf8), validator: other), as: Tag.self)
    }
    #expect(try await store.validator(for: Tag.self) == validator)
    // The same rows with another validator.
    let report = try await store.sync(payload: SyncResponse(body, validator: other), as: Tag.self)
    #expect(report.isUnchanged)
    #expect(try await store.validator(for: Tag.self) == other)
    // After a response without validators, the earlier ones are removed.
    try await store.sync(payload: SyncResponse(body), as: Tag.self)
    #expect(try await store.validator(for: Tag.self) == nil)
  }

  @Test func repeatedResponseWritesNothing() async throws {
    let store = try makeStore()
    let response = SyncResponse(
      Data(PagedServer.payload([1]).utf8), validator: SyncValidator(etag: "a"), cursor: "c")
    try await store.sync(payload: response, as: Tag.self)
    let before = try store.writes()
    try await store.sync(payload: response, as: Tag.self)
    #expect(try store.writes() == before)
  }

  @Test func responsesOfOneModelAreDistinguishedByName() async throws {
    let store = try makeStore()
    let page = { (rows: [Int], name: String) in
      SyncResponse(Data(PagedServer.payload(rows).utf8), name: name, validator: SyncValidator(etag: name))
    }
    try await store.sync(payload: page([1], "a"), as: Tag.self)
    try await store.sync(
      item: SyncResponse(
        Data(#"{"id": 2, "name": "x"}"#.utf8), name: "tags/2", validator: SyncValidator(etag: "2")),
      as: Tag.self)
    #expect(try await store.validator(for: Tag.self, "a")?.etag == "a")
    #expect(try await store.validator(for: Tag.self, "tags/2")?.etag == "2")
    #expect(try await store.validator(for: Tag.self) == nil)
  }

  @Test func readOnlyStoreReturnsStoredCursors() async throws {
    let folder = TemporaryFolder()
    let file = try folder.file()
    do {
      let store = try SyncContainer(for: SynclineTestsSchema.self, storage: .file(file))
      #expect(try await store.cursor(for: Tag.self) == nil)
      try await store.sync(changes: SyncResponse(Data(#"{"deleted": []}"#.utf8), cursor: "c"), as: Tag.self)
      try store.database.close()
    }
    let replica = try SyncContainer(for: SynclineTestsSchema.self, storage: .readOnly(file))
    #expect(try await replica.cursor(for: Tag.self) == "c")
    await #expect(throws: SyncError.storeUnavailable(reason: "it was opened read-only")) {
      try await replica.sync(pages: PagedServer(0..<2).pages(), as: Tag.self)
    }
  }

  @Test func responseCanWrapAJSONValue() async throws {
    let store = try makeStore()
    let rows: SyncJSON = [["id": 1, "name": "a"]]
    try await store.sync(payload: SyncResponse(rows, validator: SyncValidator(etag: "a")), as: Tag.self)
    #expect(try store.tags() == [1])
    #expect(SyncValidator(etag: nil) == nil)
  }

  @Test(arguments: [
    (#"<https://a.b/c?page=2>; rel="next", <https://a.b/c?page=9>; rel="last""#, "https://a.b/c?page=2"),
    (#"<x>; rel=prev, </c?a=1,2;3>; title="a, b; <y>; rel=\"next\""; REL=Next"#, "/c?a=1,2;3"),
    (#"<x>;rel="start NEXT";rel="prev""#, "x"), (#"<x>; rel="prev", <y> ; rel = next ;a"#, "y"),
    (#"<x>; rel="next"#, "x"), ("<>; rel=next", ""),
    ("<x>;\trel=next\t, <y>; rel=prev", "x"),
  ])
  func nextLinkIsParsedFromTheLinkHeader(_ field: String, _ address: String) {
    #expect(SyncHTTP.link("next", in: field) == address)
  }

  @Test(arguments: [
    nil, "", "x", "<x", "<x>", "<x>; rel", #"<x>; rel="prev""#, #"<x>; rel="nextish""#, ";;;",
    "<x>; title=next",
    #"<x>; title="<y>; rel=next""#,
  ])
  func linkHeaderWithoutANextLinkReturnsNil(_ field: String?) {
    #expect(SyncHTTP.link("next", in: field) == nil)
  }

  @Test func randomLinkHeadersDoNotCrashTheParser() {
    var random = SeededGenerator(seed: 14_500)
    for _ in 0..<2_000 {
      let text = String((0..<30).map { _ in random.pick(Array("<>;,=\"\\ relnxtab\t")) })
      _ = SyncHTTP.link("next", in: text)
    }
  }

  @Test func retryAfterIsParsedAsSecondsOrADate() {
    let now = Date(timeIntervalSince1970: 784_887_151 - 90)
    #expect(SyncHTTP.delay(retryAfter: "120", now: now) == 120)
    #expect(SyncHTTP.delay(retryAfter: " 0 ", now: now) == 0)
    // A `Duration` must be able to represent it.
    #expect(SyncHTTP.delay(retryAfter: String(repeating: "9", count: 40)) == 1e9)
    #expect(SyncHTTP.delay(retryAfter: "Fri, 31 Dec 9999 23:59:59 GMT", now: now) == 1e9)
    #expect(SyncHTTP.delay(retryAfter: "Tue, 15 Nov 1994 08:12:31 GMT", now: now) == 90)
    #expect(SyncHTTP.delay(retryAfter: "Tue, 15 Nov 1994 08:12:31 GMT") == 0)
    for field in [nil, "", "soon", "-5", "1.5", "1e3", String(repeating: "9", count: 400)] {
      #expect(SyncHTTP.delay(retryAfter: field, now: now) == nil)
    }
  }

  /// These functions cannot fail, so they do not throw.
  @Test func pagesAndResponsesAreCreatedWithoutTry() async throws {
    let validator = SyncValidator(etag: "e")
    let rows = #"[{"id": 1, "name": "a"}]"#
    let document = #"{"data": [{"type": "articles", "id": "1", "attributes": {"title": "A"}}]}"#
    let pages = [
      SyncPage(SyncResponse(Data(rows.utf8), validator: validator), cursor: "2"),
      SyncPage(SyncResponse(rows, validator: validator), cursor: "3"), SyncPage(SyncResponse(rows)),
    ]
    #expect(pages.map(\.isLast) == [false, false, true])
    let store = try makeStore()
    try await store.sync(pages: stream(of: pages), as: Tag.self)
    #expect(try store.tags() == [1])
    let documents = [
      SyncPage(SyncDocument(Data(document.utf8)), cursor: "2"), SyncPage(SyncDocument(document), cursor: "3"),
      SyncPage(SyncResponse(SyncDocument(document), validator: validator), cursor: "4"),
      SyncPage(SyncDocument(SyncResponse(document))),
    ]
    try await store.sync(pages: stream(of: documents), as: Essay.self)
    #expect(try store.pick(Essay.self, "title") == [["A"]])
  }
}
