import Syncline
import Testing

/// Dates and names as APIs spell them.
@Suite struct SpellingTests {
  @Test func datesAreReadInOtherFormats() async throws {
    let store = try TextStore("model D { id: Int; at: Date? }")
    let report = try await store.expectRoundTrip(
      """
      [{"id": 1, "at": "2021-05-03T10:00:00+02:00[Europe/Berlin]"}, {"id": 2, "at": "2021-05-03 10:00:00 UTC"},
       {"id": 3, "at": "20210503100000"}, {"id": 4, "at": "2021-05-03 10:00:00 +0200"},
       {"id": 5, "at": "1512085950.000216"}]
      """, as: "D")
    #expect(report.problems.isEmpty)
    #expect(
      try store.rows(of: "D").map { $0["at"] } == [
        "2021-05-03T08:00:00.000Z", "2021-05-03T10:00:00.000Z", "2021-05-03T10:00:00.000Z",
        "2021-05-03T08:00:00.000Z", "2017-11-30T23:52:30.000Z",
      ])
  }

  @Test func dateWithUnknownZoneOrMissingOffsetIsUnreadable() async throws {
    let store = try TextStore("model D { id: Int; at: Date? }")
    let report = try await store.sync(
      """
      [{"id": 1, "at": "2021-05-03T10:00:00[Europe/Berlin]"}, {"id": 2, "at": "2021-05-03 10:00:00 CEST"}]
      """, as: "D")
    #expect(report.problemCount == 2)
    #expect(try store.rows(of: "D").map { $0["at"] } == [.null, .null])
  }

  /// The keys that are exported are those of the words' singulars.
  @Test func keysOfListsUseSingularNames() async throws {
    let store = try TextStore(
      #"""
      model Student { id: Int
       @Export(.identities) @Relationship(inverse: \Course.students) courses: [Course]
       @Export(.identities) @Relationship(inverse: \House.students) houses: [House]
       @Export(.identities) @Relationship(inverse: nil) sizes: [Size]
       @Export(.identities) @Relationship(inverse: nil) databases: [Database] }
      model Course { id: Int
       @NotExport students: [Student] }
      model House { id: Int
       @NotExport students: [Student] }
      model Size { id: Int }
      model Database { id: Int }
      """#)
    try await store.expectRoundTrip(
      """
      [{"id": 1, "courses": [{"id": 2}], "houses": [{"id": 3}], "sizes": [{"id": 4}],
        "databases": [{"id": 5}]}]
      """, as: "Student")
    #expect(
      try await store.exportedRows(of: "Student") == [
        ["id": 1, "course_ids": [2], "house_ids": [3], "size_ids": [4], "database_ids": [5]]
      ])
    // The singulars of the former rules are read still.
    try await store.sync(
      #"[{"id": 1, "cours_ids": [], "hous_ids": [], "siz_ids": [], "databas_ids": []}]"#, as: "Student")
    #expect(
      try await store.exportedRows(of: "Student") == [
        ["id": 1, "course_ids": [], "house_ids": [], "size_ids": [], "database_ids": []]
      ])
  }
}
