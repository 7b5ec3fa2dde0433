import Syncline
import Testing

/// Words that meet at one property, or in one object.
@Suite struct AttributeCombinationTests {
  @Test func oneOrManyListWithNullValueIsNull() async throws {
    let store = try TextStore(
      """
      model Owner { id: Int }
      model Sale {
        id: Int
        @OneOrMany @Null("") buyer: String?
        @OneOrMany @Null("") codes: [String]
        @OneOrMany @Null(0) owner: Owner?
      }
      """)
    let payload = #"[{"id": 1, "buyer": [""], "codes": "", "owner": [0]}]"#
    let report = try await store.sync(payload, as: "Sale")
    #expect(report.problems.isEmpty && report.waiting.isEmpty)
    #expect(try store.rows(of: "Sale") == [["id": 1, "buyer": nil, "codes": [], "owner": nil]])
    // The elements of a list are not concerned.
    try await store.sync(#"[{"id": 1, "buyer": ["Ada"], "codes": [""], "owner": null}]"#, as: "Sale")
    #expect(try store.rows(of: "Sale") == [["id": 1, "buyer": "Ada", "codes": [""], "owner": nil]])
  }

  @Test func nullValueOfIdentityIsNullDespiteKeyPattern() async throws {
    let store = try TextStore(
      """
      model Post { id: Int; @RemoteKey("media") @KeyPattern("/media/{}") media: Media? }
      model Media { @Null(0) id: Int }
      """)
    let report = try await store.sync(
      #"[{"id": 1, "media": 0}, {"id": 2, "media": "/media/7"}]"#, as: "Post")
    #expect(report.problems.isEmpty)
    #expect(report.waiting.map(\.targetIdentity) == ["7"])
  }

  @Test(arguments: ["null", "[]", #""""#]) func nullValueClearsAMergedValue(null: String) async throws {
    let store = try TextStore(
      """
      struct Cpu { model: String?; speed: Double? }
      model Computer { id: Int; @Merged @Null("") cpu: Cpu? }
      """)
    try await store.sync(#"[{"id": 1, "cpu": {"model": "M", "speed": 3.5}}]"#, as: "Computer")
    let report = try await store.sync(#"[{"id": 1, "cpu": \#(null)}]"#, as: "Computer")
    #expect(report.problems.isEmpty)
    #expect(try store.rows(of: "Computer") == [["id": 1, "cpu": nil]])
  }

  /// With fewer digits, the exported row would be another one.
  @Test func dateInAPrimaryKeyIsExportedWithAllDigits() async throws {
    let store = try TextStore(
      #"""
      model Sensor { id: Int; readings: [Reading] }
      @PrimaryKey(\.sensor, \.at) model Reading { sensor: Sensor; at: Date; seen: Date?; value: Double }
      """#)
    try await store.sync(
      #"""
      [{"id": 1, "readings": [{"at": "2026-01-01T00:00:00.123456Z", "seen": "2026-01-01T00:00:00.123456Z", "value": 1},
        {"at": "2026-01-01T00:00:00Z", "value": 2}]}]
      """#, as: "Sensor")
    let exported = try await store.exportedRows(of: "Reading")
    #expect(exported.map { $0["at"] } == ["2026-01-01T00:00:00.000Z", "2026-01-01T00:00:00.123456Z"])
    #expect(exported.last?["seen"] == "2026-01-01T00:00:00.123Z")
    for text in [try await store.export("Reading"), try await store.exportData("Reading")] {
      #expect(try await store.sync(text, as: "Reading").isUnchanged, "\(text)")
    }
  }

  @Test func nullValueClearsAMergedMember() async throws {
    let store = try TextStore(
      """
      struct Cpu { @Null("") model: String?; @OneOrMany speeds: [Double] }
      model Computer { id: Int; @Merged cpu: Cpu? }
      """)
    try await store.sync(#"[{"id": 1, "cpu": {"model": "M", "speeds": 3.5}}]"#, as: "Computer")
    try await store.sync(#"[{"id": 1, "cpu": {"model": ""}}]"#, as: "Computer")
    #expect(try store.rows(of: "Computer") == [["id": 1, "cpu": ["speeds": [3.5]]]])
  }

  @Test func belowObjectIsReadInKeyStyleOfTheTarget() async throws {
    let store = try TextStore(
      """
      schema { keyStyle: pascalCase }
      model Author { id: Int }
      @Below("Attributes") model Article { id: Int; createdAt: String?; author: Author? }
      """)
    let payload = #"[{"Id": 1, "Attributes": {"CreatedAt": "now", "AuthorId": 5}}]"#
    try await store.sync(#"[{"Id": 5}]"#, as: "Author")
    try await store.sync(payload, as: "Article")
    #expect(try store.rows(of: "Article") == [["id": 1, "createdAt": "now", "author": 5]])
    #expect(
      try await store.export("Article")
        == #"[{"Id":1,"Attributes":{"CreatedAt":"now","Author":{"Id":5}}}]"#)
    try await store.expectUnchanged(by: payload, as: "Article")
  }

  private static let assignment = """
    @Below("data") model Assignment { id: Int; note: String?; @RemoteKey(".") role: Role? }
    @Deleted("gone") model Role { @PrimaryKey(remote: "role_id") id: Int; title: String? }
    """

  @Test func dotPathIsReadOutsideTheBelowObject() async throws {
    let store = try TextStore(AttributeCombinationTests.assignment)
    let payload = #"[{"id": 1, "role_id": 7, "title": "T", "data": {"note": "N"}}]"#
    try await store.sync(payload, as: "Assignment")
    #expect(try store.rows(of: "Assignment") == [["id": 1, "note": "N", "role": 7]])
    #expect(try store.rows(of: "Role") == [["id": 7, "title": "T"]])
    try await store.expectUnchanged(by: payload, as: "Assignment")
  }

  @Test func deletionMarkInSharedObjectDeletesOnlyLinkedRow() async throws {
    let store = try TextStore(AttributeCombinationTests.assignment)
    try await store.sync(#"[{"id": 1, "role_id": 7, "data": {"note": "N"}}]"#, as: "Assignment")
    try await store.sync(#"[{"id": 1, "role_id": 7, "gone": true}]"#, as: "Assignment")
    #expect(try store.rows(of: "Assignment") == [["id": 1, "note": "N", "role": nil]])
    #expect(try store.rows(of: "Role") == [])
  }

  @Test func keyOfDeletedRowCreatesNoRow() async throws {
    let store = try TextStore(
      """
      @Deleted("gone") model Tag { @PrimaryKey name: String }
      model Article {
        id: Int
        @Relationship(inverse: nil, unknown: .create) tags: [Tag]
        @Relationship(inverse: nil) main: Tag?
      }
      """)
    try await store.sync(
      #"[{"id": 1, "tags": ["a", "b"], "main": {"name": "b", "gone": 1}}]"#, as: "Article")
    #expect(try store.rows(of: "Tag") == [["name": "a"]])
    #expect(try store.rows(of: "Article") == [["id": 1, "tags": ["a"], "main": nil]])
  }

  /// The row of a required to-one is read first, wherever it is in the text.
  @Test func laterOfTwoListsOfARowWins() async throws {
    let store = try TextStore(
      """
      model Card { id: Int; board: Board; @Relationship(inverse: nil) places: [Place] }
      model Board { id: Int; @Relationship(inverse: nil) tops: [Place] }
      model Place { id: Int; @Relationship(inverse: nil) tags: [Tag] }
      model Tag { id: Int }
      """)
    try await store.sync(#"[{"id": 1}]"#, as: "Tag")
    try await store.sync(#"[{"id": 5}]"#, as: "Place")
    for _ in 0..<2 {
      let report = try await store.sync(
        #"""
        [{"id": 1, "places": [{"id": 5, "tag_ids": [1, 2]}],
          "board": {"id": 4, "tops": [{"id": 5, "tag_ids": []}]}}]
        """#, as: "Card")
      #expect(report.waiting.isEmpty)
      #expect(try await store.rows(#"SELECT count(*) FROM "Place.tags""#) == ["0"])
    }
  }
}
