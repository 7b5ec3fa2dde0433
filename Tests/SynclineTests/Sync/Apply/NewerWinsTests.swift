import Syncline
import SynclineTesting
import Testing

/// Timestamps: a known row is updated only by a newer payload.
@Suite struct NewerWinsTests {
  private func store() async throws -> SyncContainer {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1}, {"id": 2}]"#, as: Flag.self)
    try await store.sync(
      payload: #"""
        [{"id": 1, "title": "A", "stamp": "2024-01-02T00:00:00Z", "flag_id": 1, "label_ids": [1],
          "comments": [{"id": 1, "text": "c", "stamp": "2024-01-02T00:00:00Z"}]}]
        """#, as: Post.self)
    return store
  }

  @Test func anEqualOrOlderStampLeavesScalarsAndLinksAlone() async throws {
    for stamp in ["2024-01-02T00:00:00Z", "2024-01-01T00:00:00Z", "1999-01-01"] {
      let store = try await store()
      let report = try await store.sync(
        payload:
          #"[{"id": 1, "title": "B", "stamp": "\#(stamp)", "flag_id": 2, "label_ids": [2], "comments": []}]"#,
        as: Post.self)
      #expect(report.isUnchanged)
      #expect(report[Post.self].unchanged == 1)
      #expect(try store.pick(Post.self, "title", "flag", "labels", "comments") == [["A", 1, [1], [1]]])
    }
  }

  @Test func rowWithNewerStampIsApplied() async throws {
    let store = try await store()
    try await store.sync(
      payload:
        #"[{"id": 1, "title": "B", "stamp": "2024-01-03", "flag_id": 2, "label_ids": [2], "comments": []}]"#,
      as: Post.self)
    #expect(try store.pick(Post.self, "title", "flag", "labels", "comments") == [["B", 2, [2], []]])
  }

  @Test func aStaleRowsNestedRowsAreSyncedByTheirOwnStamps() async throws {
    let store = try await store()
    let report = try await store.sync(
      payload: #"""
        [{"id": 1, "title": "B", "stamp": "2024-01-01", "flag": {"id": 1, "color": "red"},
          "labels": [{"id": 2, "color": "blue"}],
          "comments": [{"id": 1, "text": "newer", "stamp": "2024-01-03"}, {"id": 2, "text": "new", "stamp": "2024-01-01"}]}]
        """#, as: Post.self)
    #expect(try store.pick(Post.self, "title", "flag", "labels") == [["A", 1, [1]]])
    #expect(try store.pick(Flag.self, "color") == [["red"], ["blue"]])
    #expect(try store.pick(Comment.self, "id", "text") == [[1, "newer"], [2, "new"]])
    #expect(report[Comment.self].inserted == 1)
  }

  @Test func staleNestedRowIsLinkedToOwnerOfItsList() async throws {
    let store = try await store()
    try await store.sync(
      item: #"""
        {"id": 2, "title": "N", "stamp": "2024-01-01",
         "comments": [{"id": 1, "text": "older", "stamp": "2024-01-01"}]}
        """#, as: Post.self)
    #expect(try store.pick(Comment.self, "text", "post") == [["c", 2]])
  }

  @Test func staleRowIsLinkedToParentOfTheCall() async throws {
    let store = try await store()
    try await store.sync(item: #"{"id": 2, "title": "N", "stamp": 0}"#, as: Post.self)
    try await store.sync(
      payload: #"[{"id": 1, "text": "older", "stamp": "2024-01-01"}]"#, as: Comment.self, parent: 2,
      relationship: \.post)
    #expect(try store.pick(Comment.self, "text", "post") == [["c", 2]])
  }

  @Test func aRowWithoutAReadableStampIsAppliedAndReported() async throws {
    for body in ["", #", "stamp": null"#, #", "stamp": "soon""#] {
      let store = try await store()
      let report = try await store.sync(payload: #"[{"id": 1, "title": "B"\#(body)}]"#, as: Post.self)
      #expect(try store.pick(Post.self, "title") == [["B"]], "\(body)")
      #expect(report.actions.contains(.appliedWithoutStamp), "\(body)")
    }
  }

  /// The first object is a whole row, so it is inserted before the values of the others are merged.
  @Test func newRowIsAppliedWithoutStampAndNotReported() async throws {
    let store = try makeStore()
    let report = try await store.sync(
      payload: #"""
        [{"id": "5B2C0E64-7D7F-4E0B-9D0A-3F3A2B1C4D5E",
          "chapters": [{"id": 5}, {"id": 5, "title": "A"}, {"id": 5, "title": "B"}]}]
        """#, as: Anthology.self)
    #expect(try store.pick(Chapter.self, "title") == [["B"]])
    #expect(report.problems.isEmpty)
  }

  @Test func storedNilStampIsOlderThanAnyStamp() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "title": "A"}]"#, as: Post.self)
    try await store.sync(payload: #"[{"id": 1, "title": "B", "stamp": "1900-01-01"}]"#, as: Post.self)
    #expect(try store.pick(Post.self, "title", "stamp") == [["B", "1900-01-01T00:00:00.000Z"]])
  }

  @Test func staleRowIsNotDeletedButMissingRowsAre() async throws {
    let store = try await store()
    try await store.sync(item: #"{"id": 2, "title": "N", "stamp": 0}"#, as: Post.self)
    let report = try await store.sync(payload: #"[{"id": 1, "title": "B", "stamp": 0}]"#, as: Post.self)
    #expect(report.deleted == 1)
    #expect(try store.pick(Post.self, "id", "title") == [[1, "A"]])
  }

  @Test func laterObjectOfANewRowWinsRegardlessOfStamp() async throws {
    let rows = [
      #"{"id": 9, "title": "old", "stamp": "2024-01-01", "flag_id": 1}"#,
      #"{"id": 9, "title": "new", "stamp": "2024-01-02", "flag_id": 2}"#,
    ]
    for (payload, expected): (String, [SyncJSON]) in [
      ("[\(rows[0]), \(rows[1])]", ["new", 2]), ("[\(rows[1]), \(rows[0])]", ["old", 1]),
    ] {
      let store = try await store()
      try await store.sync(payload: payload, as: Post.self)
      #expect(try store.pick(Post.self, "title", "flag") == [expected])
      #expect(try await store.sync(payload: payload, as: Post.self).isUnchanged)
    }
  }
}
