import Syncline
import TestSupport
import Testing

/// Many lists of one row that only add members: their cost is that of their elements.
@Suite struct PartialListWorkTests {
  /// A list that adds links to a join table, and one whose members store their owner.
  private static let schema = """
    model Post {
      id: Int
      @Relationship(missing: .keep) fans: [User]
      @Relationship(inverse: \\Comment.post, missing: .keep) comments: [Comment]
    }
    model User { id: Int; @Relationship(inverse: \\Post.fans) posts: [Post] }
    model Comment { id: Int; post: Post? }
    """

  private func work(_ list: String, _ count: Int, isRepeated: Bool) async throws -> Work {
    let folder = TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let store = try TextStore(PartialListWorkTests.schema, in: .file(folder.file()))
    let members = "[\((1...count).map { #"{"id": \#($0)}"# }.joined(separator: ","))]"
    try await store.sync(members, as: list == "fans" ? "User" : "Comment")
    let key = list == "fans" ? "fan_ids" : "comment_ids"
    let payload = "[\((1...count).map { #"{"id": 1, "\#(key)": [\#($0)]}"# }.joined(separator: ","))]"
    if isRepeated { try await store.sync(payload, as: "Post") }
    return try await store.container.work {
      let report = try await store.sync(payload, as: "Post")
      #expect(report.isUnchanged == isRepeated, "\(report)")
      #expect(report.problems == [])
    }
  }

  @Test(arguments: ["fans", "comments"], [false, true])
  func manyPartialListsOfARowAreReadInLinearTime(list: String, isRepeated: Bool) async throws {
    let few = try await work(list, 100, isRepeated: isRepeated).steps
    let many = try await work(list, 400, isRepeated: isRepeated).steps
    #expect(many < few * 5, "\(few), \(many)")
  }

  @Test func manyPartialListsGiveTheSameLinksAsOne() async throws {
    let store = try TextStore(PartialListWorkTests.schema)
    let rows = (1...40).map { number in
      let fans = "[{\"id\": \(number)}, {\"id\": \(number % 7 + 1)}]"
      return #"{"id": 1, "fans": \#(fans), "fan_ids": [\#(number + 2), \#(number)]}"#
    }
    let payload = "[\(rows.joined(separator: ","))]"
    let report = try await store.sync(payload, as: "Post")
    #expect(try await store.rows(#"SELECT count(*) FROM "Post.fans""#) == ["40"])
    #expect(report.waiting.map(\.targetIdentity) == ["41", "42"])
    #expect(try await store.sync(payload, as: "Post").isUnchanged)
  }
}
