import Syncline
import Testing

/// Rows that a payload marks as deleted: `@Deleted`.
@Suite struct DeletedRowsTests {
  private static let items = """
    @Deleted("gone")
    model Item {
      id: Int
      name: String
    }
    """

  private func store() async throws -> TextStore {
    let store = try TextStore(Self.items)
    try await store.sync(#"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}, {"id": 3, "name": "c"}]"#)
    return store
  }

  @Test func deltaWithRemovedRowsDeletesThem() async throws {
    let store = try TextStore(
      """
      @Deleted("@removed")
      model Message {
        id: String
        subject: String
        isRead: Bool = false
      }
      """, SyncConfiguration(keyStyle: .camelCase))
    try await store.sync(
      #"[{"id": "m1", "subject": "Hi"}, {"id": "m2", "subject": "Ho"}]"#, policy: DeletionPolicy.none)
    let delta = #"""
      {"@odata.deltaLink": "d", "value": [
        {"id": "m1", "subject": "Hi!"}, {"id": "m2", "@removed": {"reason": "deleted"}},
        {"id": "m9", "@removed": {"reason": "deleted"}}]}
      """#
    let report = try await store.sync(list: delta, at: "value", policy: DeletionPolicy.none)
    #expect(try await store.rows("SELECT id, subject FROM Message ORDER BY 1") == ["m1 Hi!"])
    #expect([report.updated, report.deleted, report.unchanged, report.skipped] == [1, 1, 0, 0])
    #expect(report.problems.isEmpty)
    #expect(try await store.sync(list: delta, at: "value", policy: DeletionPolicy.none).isUnchanged)
  }

  // MARK: What marks a row

  @Test(arguments: [
    "true", "1", "2", "{}", #"{"a": 1}"#, "[1]", "[null]", #""deleted""#, #""true""#, #""yes""#, #"" ""#,
    #""2024-05-02""#,
  ])
  func truthyValueMarksRowAsDeleted(value: String) async throws {
    let store = try await store()
    let report = try await store.sync(#"[{"id": 2, "gone": \#(value)}]"#, policy: DeletionPolicy.none)
    #expect(try await store.rows("SELECT id FROM Item ORDER BY 1") == ["1", "3"])
    #expect(report.deleted == 1)
  }

  @Test(arguments: [
    "null", "false", "0", "0.0", #""0""#, #""false""#, #""no""#, #""NO""#, #""""#, "[]",
  ])
  func nullFalseAndEmptyValuesMarkNoRowAsDeleted(value: String) async throws {
    let store = try await store()
    let report = try await store.sync(#"[{"id": 2, "gone": \#(value)}]"#, policy: DeletionPolicy.none)
    #expect(try await store.rows("SELECT id FROM Item ORDER BY 1") == ["1", "2", "3"])
    #expect(report.isUnchanged)
  }

  @Test(arguments: [
    (#""cancelled""#, #""cancelled""#, true), (#""cancelled""#, #""Cancelled""#, false),
    (#""cancelled""#, #"" cancelled""#, false), (#""cancelled""#, "null", false),
    (#""cancelled""#, "true", false), ("7", "7", true), ("7", "7.0", true), ("7", "70e-1", true),
    ("7", #""7""#, false), ("1.5", "1.50", true), ("true", "true", true), ("true", "1", false),
    ("false", "false", true), ("false", "0", false), (#""""#, #""""#, true), ("0", "0.0", true),
  ])
  func deletionValueIsComparedAsJSON(marking: String, value: String, isDeleted: Bool) async throws {
    let store = try TextStore("@Deleted(\"status\", is: \(marking))\nmodel Item { id: Int }")
    try await store.sync(#"[{"id": 1}]"#)
    try await store.sync(#"[{"id": 1, "status": \#(value)}]"#, policy: DeletionPolicy.none)
    #expect(try await store.rows("SELECT id FROM Item ORDER BY 1") == (isDeleted ? [] : ["1"]))
  }

  @Test func anyOfSeveralDeletedAttributesDeletesTheRow() async throws {
    let store = try TextStore(
      """
      @Deleted("is_deleted")
      @Deleted("status", is: "cancelled")
      @Deleted("status", is: "declined")
      model Event { id: Int; status: String? }
      """)
    try await store.sync(#"[{"id": 1}, {"id": 2}, {"id": 3}, {"id": 4}]"#)
    try await store.sync(
      #"""
      [{"id": 1, "status": "cancelled"}, {"id": 2, "is_deleted": true, "status": "open"},
       {"id": 3, "status": "open", "is_deleted": false}, {"id": 4, "status": "declined"}]
      """#, policy: DeletionPolicy.none)
    #expect(try await store.rows("SELECT id, status FROM Event ORDER BY 1") == ["3 open"])
  }

  @Test func deletedAttributePathStartsAtTheRowObject() async throws {
    let store = try TextStore(#"@Deleted("meta.state[0].deleted") model Item { id: Int }"#)
    try await store.sync(#"[{"id": 1}, {"id": 2}, {"id": 3}]"#)
    let payload = #"""
      [{"id": 1, "meta": {"state": [{"deleted": true}]}}, {"id": 2, "meta": {"state": []}},
       {"id": 3, "meta": "deleted"}]
      """#
    try await store.sync(payload, policy: DeletionPolicy.none)
    #expect(try await store.rows("SELECT id FROM Item ORDER BY 1") == ["2", "3"])
  }

  @Test func deletedAttributeKeyIsAlsoReadInKeyStyle() async throws {
    let store = try TextStore(#"@Deleted("isDeleted") model Item { id: Int }"#)
    try await store.sync(#"[{"id": 1}, {"id": 2}]"#)
    try await store.sync(
      #"[{"id": 1, "is_deleted": true}, {"id": 2, "isDeleted": true}]"#, policy: DeletionPolicy.none)
    #expect(try await store.rows("SELECT id FROM Item ORDER BY 1").isEmpty)
  }

  // MARK: Where a row stands

  @Test func deletedRowNeedsOnlyIdentityAndIsIgnoredIfUnknown() async throws {
    let store = try await store()
    let report = try await store.sync(#"[{"id": 9, "gone": true}]"#, policy: DeletionPolicy.none)
    #expect(report.isUnchanged)
    #expect(report.problems.isEmpty)
    #expect(try await store.rows("SELECT id FROM Item ORDER BY 1") == ["1", "2", "3"])
  }

  @Test func completeListDeletesMarkedAndMissingRows() async throws {
    let store = try await store()
    let payload = #"[{"id": 3, "name": "c"}, {"id": 2, "gone": true}]"#
    let report = try await store.sync(payload)
    #expect(try await store.rows("SELECT id, name FROM Item ORDER BY 1") == ["3 c"])
    #expect([report.deleted, report.unchanged] == [2, 1])
    #expect(try await store.sync(payload).isUnchanged)
  }

  @Test func itemMarkedAsDeletedDeletesItsRow() async throws {
    let store = try await store()
    #expect(try await store.sync(item: #"{"id": 2, "gone": true}"#).deleted == 1)
    #expect(try await store.sync(item: #"{"id": 2, "gone": true}"#).isUnchanged)
    #expect(try await store.rows("SELECT id FROM Item ORDER BY 1") == ["1", "3"])
  }

  @Test func pagesDeleteTheirMarkedRows() async throws {
    let store = try await store()
    let pages = [
      SyncPage(#"[{"id": 1, "name": "a"}, {"id": 2, "gone": true}]"#, cursor: "2"),
      SyncPage(#"[{"id": 3, "gone": true}, {"id": 4, "name": "d"}]"#),
    ]
    #expect(try await store.sync(pages: pages).deleted == 2)
    #expect(try await store.rows("SELECT id FROM Item ORDER BY 1") == ["1", "4"])
    #expect(try await store.sync(pages: pages).isUnchanged)
  }

  @Test func changesDeleteTheirMarkedRows() async throws {
    let store = try await store()
    let changes = #"""
      {"created": [{"id": 8, "gone": true}], "updated": [{"id": 1, "gone": true}], "deleted": [2]}
      """#
    #expect(try await store.sync(changes: changes).deleted == 2)
    #expect(try await store.rows("SELECT id FROM Item ORDER BY 1") == ["3"])
    #expect(try await store.sync(changes: changes).isUnchanged)
  }

  @Test func jsonAPIDocumentDeletesMarkedResources() async throws {
    let store = try TextStore(
      #"@Deleted("gone") @Deleted("meta.deleted") model Item { id: Int; name: String }"#)
    try await store.sync(#"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}, {"id": 3, "name": "c"}]"#)
    let document = #"""
      {"data": [{"type": "items", "id": "1", "attributes": {"name": "a"}},
                {"type": "items", "id": "2", "attributes": {"gone": true}},
                {"type": "items", "id": "3", "meta": {"deleted": true}}]}
      """#
    #expect(try await store.sync(jsonAPI: document).deleted == 2)
    #expect(try await store.rows("SELECT id FROM Item ORDER BY 1") == ["1"])
    #expect(try await store.sync(jsonAPI: document).isUnchanged)
  }

  /// The keys of a document stand for the objects that are included with them.
  @Test func keyOfIncludedDeletedResourceLinksNothing() async throws {
    let store = try TextStore(
      """
      model Post { id: Int; author: Person?; @Relationship(inverse: nil) likers: [Person] }
      @Deleted("gone") model Person { id: Int; name: String? }
      """)
    func document(_ gone: Bool) -> String {
      #"""
      {"data": [{"type": "posts", "id": "1", "relationships": {
          "author": {"data": {"type": "people", "id": "7"}},
          "likers": {"data": [{"type": "people", "id": "7"}, {"type": "people", "id": "8"}]}}}],
       "included": [{"type": "people", "id": "7", "attributes": {"name": "P", "gone": \#(gone)}},
                    {"type": "people", "id": "8", "attributes": {"name": "Q"}}]}
      """#
    }
    for isStored in [false, true] {
      if isStored { try await store.sync(jsonAPI: document(false)) }
      let report = try await store.sync(jsonAPI: document(true))
      #expect(report.waiting.isEmpty && report.problems.isEmpty)
      #expect(try store.values(of: "Person", "id") == [[8]])
      #expect(try store.values(of: "Post", "author", "likers") == [[nil, [8]]])
      let again = try await store.sync(jsonAPI: document(true))
      #expect(again.isUnchanged && again.waiting.isEmpty)
    }
  }

  /// As any other key of a row that the payload deletes.
  @Test func keyOfDeletedRowIsPendingDespiteCreateRule() async throws {
    let store = try TextStore(
      """
      model Post {
        id: Int
        @Relationship(inverse: nil, unknown: .create) main: Tag?
        @Relationship(inverse: nil) tags: [Tag]
      }
      @Deleted("gone") model Tag { @PrimaryKey name: String }
      """)
    let payload =
      #"[{"id": 1, "main": "a"}, {"id": 2, "tags": [{"name": "a", "gone": true}, {"name": "b"}]}]"#
    try await store.sync(#"{"name": "a"}"#, as: "Tag")
    let report = try await store.sync(payload)
    #expect(report.waiting.map(\.targetIdentity) == ["a"])
    #expect(try store.values(of: "Tag", "name") == [["b"]])
    #expect(try await store.sync(payload).isUnchanged)
    try await store.sync(#"{"name": "a"}"#, as: "Tag")
    #expect(try store.values(of: "Post", "id", "main") == [[1, "a"], [2, nil]])
  }

  @Test func markedRowDeletionAppliesDeleteRules() async throws {
    let store = try TextStore(
      """
      @Deleted("gone") model Folder { id: Int; notes: [Note] }
      model Note { id: Int; folder: Folder }
      """)
    try await store.sync(#"[{"id": 1, "notes": [{"id": 5}]}, {"id": 2, "notes": [{"id": 6}]}]"#)
    #expect(try await store.sync(#"[{"id": 1, "gone": 1}]"#, policy: DeletionPolicy.none).deleted == 2)
    #expect(try await store.rows("SELECT id, folder FROM Note ORDER BY 1") == ["6 2"])
  }

  // MARK: Several objects

  @Test(arguments: [
    (#"{"id": 1, "gone": true}, {"id": 1, "gone": false, "name": "z"}"#, ["1 z", "2 b", "3 c"]),
    (#"{"id": 1, "gone": false, "name": "z"}, {"id": 1, "gone": true}"#, ["2 b", "3 c"]),
    (#"{"id": 1, "gone": true}, {"id": 1, "name": "z"}"#, ["2 b", "3 c"]),
    (#"{"id": 1, "name": "z"}, {"id": 1, "gone": true}"#, ["2 b", "3 c"]),
    (#"{"id": 9, "name": "z"}, {"id": 9, "gone": true}"#, ["1 a", "2 b", "3 c"]),
  ])
  func objectsOfOneRowMergeTheirDeletionMarks(objects: String, rows: [String]) async throws {
    let store = try await store()
    try await store.sync("[\(objects)]", policy: DeletionPolicy.none)
    #expect(try await store.rows("SELECT id, name FROM Item ORDER BY 1") == rows)
    #expect(try await store.sync("[\(objects)]", policy: DeletionPolicy.none).isUnchanged)
  }

  @Test func rowOrderDoesNotChangeTheResult() async throws {
    let rows = [#"{"id": 1, "name": "x"}"#, #"{"id": 2, "gone": true}"#, #"{"id": 4, "name": "d"}"#]
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
      let store = try await store()
      let payload = "[\(order.map { rows[$0] }.joined(separator: ", "))]"
      let report = try await store.sync(payload)
      #expect([report.inserted, report.updated, report.deleted, report.unchanged] == [1, 1, 2, 0])
      #expect(try await store.rows("SELECT id, name FROM Item ORDER BY 1") == ["1 x", "4 d"])
      #expect(try await store.sync(payload).isUnchanged)
    }
  }

  @Test func resyncingTheExportDeletesNothing() async throws {
    let store = try await store()
    try await store.sync(#"[{"id": 2, "gone": true}]"#, policy: DeletionPolicy.none)
    #expect(try await store.sync(store.export()).isUnchanged)
  }

  @Test func deletedRowsReportNoUnreadKeysOrMissingProperties() async throws {
    var configuration = SyncConfiguration()
    configuration.unreadKeys = .first(rows: 10)
    let store = try TextStore(Self.items, configuration)
    let deleted = try await store.sync(#"[{"id": 1, "gone": true}]"#)
    #expect(deleted.unreadKeys?.keys.isEmpty ?? true)
    #expect(deleted.unreadKeys?.properties.isEmpty ?? true)
    let kept = try await store.sync(#"[{"id": 1, "name": "a", "gone": false}]"#)
    #expect(kept.unreadKeys?.keys.isEmpty ?? true)
  }
}
