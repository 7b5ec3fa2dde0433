import Syncline
import Testing
import TestSupport

/// Section 1: if a row is in a payload several times, the later values win. The rows of maps, unions and documents are written anew
/// to be read, which may be longer than the payload.
@Suite struct PayloadOrderTests {
  private static let labels = """
    model Task { id: Int; @RemoteKey("labels{}") @Relationship(inverse: nil) labels: [Label] }
    model Label { @PrimaryKey(remote: "identifier") id: Int; name: String }
    """

  /// With its identity the last label of the first task would begin after the one of the second task.
  @Test(arguments: [1, 30]) func lastMapEntryOfRepeatedRowWins(_ count: Int) async throws {
    let store = try TextStore(PayloadOrderTests.labels)
    func labels(_ range: ClosedRange<Int>, _ name: String) -> String {
      "{" + range.map { #""\#($0)":{"name":"\#(name)"}"# }.joined(separator: ",") + "}"
    }
    let payload = """
      [{"id":1,"labels":\(labels(1...count, "old"))},{"id":2,"labels":\(labels(count...(count + 1), "new"))}]
      """
    for isRepeated in [false, true] {
      let report = try await store.sync(payload, as: "Task")
      #expect(report.problems == [])
      #expect(report.isUnchanged == isRepeated)
      #expect(
        try await store.rows("SELECT id, name FROM label WHERE id >= \(count)")
          == ["\(count) new", "\(count + 1) new"])
    }
  }

  /// The rows of each model are a list of their own, in which the shorter ones would begin earlier.
  @Test(arguments: [true, false]) func lastRelationshipStatementOfDocumentWins(_ isPassportLast: Bool)
    async throws
  {
    let store = try TextStore(
      """
      model User { id: Int; name: String?; passport: Passport? }
      model Passport { id: Int; @Relationship(inverse: \\User.passport) user: User? }
      """)
    let name = String(repeating: "long", count: 50)
    let others = (10..<20).map { #"{"type": "user", "id": "\#($0)", "attributes": {"name": "\#(name)"}}"# }
    let user = #"""
      {"type": "user", "id": "1", "relationships": {"passport": {"data": {"type": "passport", "id": "5"}}}}
      """#
    let passport = #"""
      {"type": "passport", "id": "6", "relationships": {"user": {"data": {"type": "user", "id": "1"}}}}
      """#
    let other = #"{"type": "passport", "id": "5"}"#
    let (first, last) = isPassportLast ? (user, passport) : (passport, user)
    for list in [[first] + others + [last], [first, last] + others, others + [first, last]] {
      let document = #"{"data": [\#(others[0])], "included": [\#((list + [other]).joined(separator: ","))]}"#
      for _ in 0..<2 {
        let report = try await store.sync(jsonAPI: document, as: "User")
        #expect(report.problems == [])
        let passports = try store.values(of: "User", "id", "passport").filter { $0[0] == 1 }
        #expect(passports == [[1, isPassportLast ? 6 : 5]])
      }
      try await store.run("DELETE FROM user")
      try await store.run("DELETE FROM passport")
    }
  }

  /// The call's own rows are read last, although they come first in the payload.
  @Test(arguments: [true, false]) func laterIncludedResourceOverridesDataOfItsRow(_ isStored: Bool)
    async throws
  {
    let store = try TextStore(
      """
      model Task { id: Int; size: Int?; @Relationship(inverse: nil) tags: [Tag] }
      model Tag { id: Int }
      """)
    if isStored { try await store.sync(#"[{"id": 1, "size": 0}, {"id": 2, "size": 0}]"#, as: "Task") }
    func task(_ id: Int, _ size: Int, tag: Int) -> String {
      #"""
      {"type": "task", "id": "\#(id)", "attributes": {"size": \#(size)},
       "relationships": {"tags": {"data": [{"type": "tag", "id": "\#(tag)"}]}}}
      """#
    }
    let document = #"""
      {"data": [\#(task(1, 1, tag: 5)), \#(task(2, 1, tag: 5))],
       "included": [{"type": "tag", "id": "5"}, {"type": "tag", "id": "6"}, \#(task(2, 2, tag: 6))]}
      """#
    for isRepeated in [false, true] {
      #expect(try await store.sync(jsonAPI: document, as: "Task").isUnchanged == isRepeated)
      #expect(try store.values(of: "Task", "id", "size", "tags") == [[1, 1, [5]], [2, 2, [6]]])
    }
  }
}
