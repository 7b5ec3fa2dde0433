import Syncline
import Testing

/// `*` in the patterns of keys is any text.
@Suite struct KeyWildcardTests {
  private static let schema = #"""
    model Review {
      id: Int
      @RemoteKey("href") @KeyPattern("*/books/{}*") book: Book?
    }
    model Book { @PrimaryKey(remote: "href") @KeyPattern("/books/{}", "*/books/{}*") id: Int; title: String? }
    """#

  /// The key that a reference names; nil if it names none.
  private func key(in reference: String, pattern: String) async throws -> String? {
    let store = try TextStore(
      """
      model Review { id: Int; @RemoteKey("href") @KeyPattern("\(pattern)") book: Book? }
      model Book { id: String }
      """)
    let report = try await store.sync(#"[{"id": 1, "href": "\#(reference)"}]"#, as: "Review")
    #expect(report.problemCount + report.waitingCount == 1, "\(reference)")
    return report.waiting.first?.targetIdentity
  }

  @Test(arguments: [
    "/books/12", "https://example.com/books/12", "/api/v2/books/12/", "/books/12?page=1", "/books/12#top",
    "/books/12/reviews", "x/books/12&y", "/books/12{?page}",
  ])
  func wildcardsMatchAnyTextAroundTheKey(_ reference: String) async throws {
    #expect(try await key(in: reference, pattern: "*/books/{}*") == "12")
  }

  @Test func lastMatchOfPatternWins() async throws {
    #expect(try await key(in: "/books/1/books/2", pattern: "*/books/{}*") == "2")
    #expect(try await key(in: "/books/1/books/", pattern: "*/books/{}*") == "1")
    #expect(try await key(in: "a-b-c", pattern: "*-{}") == "c")
    #expect(try await key(in: "https://a.b/c/d", pattern: "*{}") == "d")
    #expect(try await key(in: "/a/b.json?x=.json", pattern: "*/{}.json*") == "b")
    #expect(try await key(in: "?ref=1&id=7&page=2", pattern: "*id={}*") == "7")
  }

  @Test(arguments: ["/books/", "/books/?page=1", "/books//12", "books/12", "/book/12", "", "/books/{id}"])
  func emptyKeyAndOtherTextDoNotMatch(_ reference: String) async throws {
    #expect(try await key(in: reference, pattern: "*/books/{}*") == nil)
  }

  /// Without a `*`, all of the rest is the key.
  @Test func patternWithoutWildcardTakesTheRestAsKey() async throws {
    #expect(try await key(in: "/books/a/b?c", pattern: "/books/{}") == "a/b?c")
  }

  @Test func exportsWriteThePatternWithoutAWildcard() async throws {
    let store = try TextStore(KeyWildcardTests.schema)
    try await store.expectRoundTrip(
      #"[{"href": "https://example.com/books/12?x", "title": "A"}, {"href": "/books/13"}]"#, as: "Book")
    #expect(
      try await store.exportedRows(of: "Book") == [
        ["href": "/books/12", "title": "A"], ["href": "/books/13", "title": nil],
      ])
    // Where all patterns of a relationship have one, it is left out.
    try await store.expectRoundTrip(
      #"[{"id": 1, "href": "https://example.com/v2/books/12/"}, {"id": 2, "href": null}]"#, as: "Review")
    #expect(
      try await store.exportedRows(of: "Review") == [
        ["id": 1, "href": "/books/12"], ["id": 2, "href": nil],
      ])
    #expect(try store.rows(of: "Review").map { $0["book"] } == [12, .null])
  }

  @Test func aKeyThatDoesNotFitIsReportedWithThePatterns() async throws {
    let store = try TextStore(KeyWildcardTests.schema)
    let reviews = try await store.sync(#"[{"id": 1, "href": "/films/1"}]"#, as: "Review")
    #expect(
      reviews.problems.map(\.reason) == [
        "the string “/films/1” is not an identity of Book: it must have the form “*/books/{}*”"
      ])
    let books = try await store.sync(#"[{"href": "/books/1"}, {"href": "12"}]"#, as: "Book")
    #expect(
      books.problems.map(\.reason) == [
        "its “href” is not an identity of Book: the string “12” must have the form “/books/{}” or “*/books/{}*”"
      ])
  }

  @Test func errorForAllMismatchedRowsNamesThePatterns() async throws {
    let store = try TextStore(KeyWildcardTests.schema)
    let error = try await #require(throws: SyncError.self) {
      try await store.sync(#"[{"href": "12"}, {"href": "/films/1"}]"#, as: "Book")
    }
    #expect(
      error.description.contains("read from “href”, in the form “/books/{}” or “*/books/{}*”"), "\(error)")
    let report = try await store.sync(
      changes: #"{"created": [], "updated": [], "deleted": ["12", {"href": "13"}, 14]}"#, as: "Book")
    #expect(
      report.problems.map(\.reason) == [
        "the string “12” is not an identity of Book: it must have the form “/books/{}” or “*/books/{}*”",
        "its “href” is not an identity of Book: the string “13” must have the form “/books/{}” or “*/books/{}*”",
      ])
  }

  /// What is stored with a cursor is of the schema alone, so that updates of the library do not forget cursors.
  @Test func changedKeyPatternChangesReadingFingerprint() throws {
    func reading(_ pattern: String) throws -> String {
      let identity = #"@PrimaryKey(remote: "href") @KeyPattern("\#(pattern)") id: Int"#
      return try TextStore("model Book { \(identity) }").reading()
    }
    let written = try reading("/books/{}")
    #expect(written == "1f421d4c3a024f90")
    #expect(try reading("*/books/{}") != written)
  }

  /// A pattern with many places for its parts takes no longer for it.
  @Test func longTextIsReadInOnePass() async throws {
    let text = String(repeating: "a", count: 200_000)
    #expect(try await key(in: text, pattern: "*a{}b*a*") == nil)
    #expect(try await key(in: text + "b", pattern: "*a{}b*") == "a")
  }
}
