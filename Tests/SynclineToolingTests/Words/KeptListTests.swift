import Foundation
import Syncline
import Testing

/// `@Relationship(missing: .keep)`: lists that only add.
@Suite struct KeptListTests {
  private static let schema = """
    model Post {
      id: Int
      @Relationship(missing: .keep) comments: [Comment]
      @Relationship(inverse: \\Fan.posts, missing: .keep) fans: [Fan]
    }
    model Comment { id: Int; text: String?; post: Post? }
    model Fan { id: Int; @NotExport posts: [Post] }
    """

  private static let fans = "SELECT target, source FROM \"Fan.posts\" ORDER BY target, source"

  /// The fans of each post.
  private func fans(_ store: TextStore) async throws -> [String] { try await store.rows(KeptListTests.fans) }

  private func makeFilled(_ text: String = schema) async throws -> TextStore {
    let store = try TextStore(text)
    try await store.sync(
      #"[{"id": 1, "comments": [{"id": 1}, {"id": 2}, {"id": 3}], "fans": [{"id": 1}, {"id": 2}]}]"#,
      as: "Post")
    return store
  }

  // MARK: Tracker cases

  @Test func pageOfNestedListOnlyAddsLinks() async throws {
    let store = try await makeFilled()
    let page = #"[{"id": 1, "comments": [{"id": 3}, {"id": 4}], "fans": [{"id": 2}, {"id": 3}]}]"#
    let report = try await store.sync(page, as: "Post")
    #expect(report.unlinked == 0 && report.problems == [])
    #expect(try await store.rows("SELECT id, post FROM Comment ORDER BY id") == ["1 1", "2 1", "3 1", "4 1"])
    #expect(try await fans(store) == ["1 1", "1 2", "1 3"])
    #expect(try await store.sync(page, as: "Post").isUnchanged)
    // By the mask of the call, without the word.
    let other = try await makeFilled(KeptListTests.schema.replacing(", missing: .keep", with: ""))
    try await other.sync(page, as: "Post", operations: [.insert, .update])
    #expect(try await fans(other) == ["1 1", "1 2", "1 3"])
  }

  @Test func keepRuleRetainsAbsentChildren() async throws {
    let store = try TextStore(
      "model Post { id: Int; @Relationship(missing: .keep) comments: [Comment] }\n"
        + "model Comment { id: Int; text: String?; post: Post? }")
    try await store.sync(#"[{"id": 1, "comments": [{"id": 1}, {"id": 2}]}]"#, as: "Post")
    try await store.sync(#"[{"id": 1, "comments": [{"id": 2}, {"id": 3}]}]"#, as: "Post")
    #expect(try await store.rows("SELECT id, post FROM Comment ORDER BY id") == ["1 1", "2 1", "3 1"])
  }

  // MARK: Many-to-many

  @Test func manyToManyListWithKeepOnlyAdds() async throws {
    let store = try await makeFilled()
    for payload in [#"[{"id": 1, "fan_ids": [2]}]"#, #"[{"id": 1, "fans": [{"id": 2}, {"id": 1}]}]"#] {
      #expect(try await store.sync(payload, as: "Post").isUnchanged, "\(payload)")
    }
    let report = try await store.sync(#"[{"id": 1, "fans": [{"id": 4}, {"id": 3}]}]"#, as: "Post")
    #expect(report.linked == 2 && report.unlinked == 0)
    #expect(try await fans(store) == ["1 1", "1 2", "1 3", "1 4"])
  }

  @Test func emptyOrNullListRemovesNothing() async throws {
    let store = try await makeFilled()
    for payload in [
      #"[{"id": 1, "fans": [], "comments": []}]"#, #"[{"id": 1, "fans": null, "comments": null}]"#,
    ] {
      let report = try await store.sync(payload, as: "Post")
      #expect(report.isUnchanged && report.problems == [])
    }
    #expect(try await fans(store) == ["1 1", "1 2"])
    #expect(try await store.rows("SELECT COUNT(*) FROM Comment WHERE post = 1") == ["3"])
  }

  @Test func pendingKeysSurviveLaterLists() async throws {
    let store = try await makeFilled()
    try await store.sync(#"[{"id": 1, "fan_ids": [7]}]"#, as: "Post")
    for list in ["[2]", "[]", "null", "[8]"] {
      try await store.sync("[{\"id\": 1, \"fan_ids\": \(list)}]", as: "Post")
    }
    #expect(try await fans(store) == ["1 1", "1 2"])
    try await store.sync(#"{"id": 7}"#, as: "Fan")
    try await store.sync(#"{"id": 8}"#, as: "Fan")
    #expect(try await fans(store) == ["1 1", "1 2", "1 7", "1 8"])
  }

  /// A list that cannot add rows, because of the operations, still states the members that it has.
  @Test func listTakesPrecedenceOverNullKeysOfItsMembersIfItCannotAdd() async throws {
    for rows in [[1, 3], [3, 1]] {
      let store = try TextStore(
        """
        model Item {
          id: Int
          @Relationship(inverse: \\Item.children) parent: Item?
          @Relationship(missing: .keep) children: [Item]
        }
        """)
      try await store.sync(#"[{"id": 1, "child_ids": [3, 4]}, {"id": 3}, {"id": 4}]"#)
      let texts = [1: #"{"id": 1, "children": [{"id": 3}]}"#, 3: #"{"id": 3, "parent_id": null}"#]
      let payload =
        "[\(rows.compactMap { texts[$0] }.joined(separator: ", ")), {\"id\": 4, \"parent_id\": null}]"
      let report = try await store.sync(payload, operations: [.delete])
      #expect(
        try await store.rows("SELECT id, parent FROM Item ORDER BY id") == ["1 -", "3 1", "4 -"], "\(rows)")
      #expect(report.unlinked > 0)
      #expect(try await store.sync(payload, operations: [.delete]).isUnchanged)
    }
  }

  /// A row in a list states nothing about the row that has the list, even if the operations do not add it to the list.
  @Test func nullOwnerInsideAListThatCannotAddIsIgnored() async throws {
    for keep in ["@Relationship(missing: .keep) ", ""] {
      let store = try TextStore(
        """
        model Member { id: Int; \(keep)cards: [Card] }
        model Card { id: Int; owner: Member? }
        """)
      try await store.sync(#"[{"id": 1}, {"id": 2, "card_ids": [2]}]"#)
      try await store.sync(#"[{"id": 2, "owner_id": 2}]"#, as: "Card")
      let report = try await store.sync(
        #"[{"id": 1, "cards": [{"id": 2, "owner": null}]}, {"id": 2}]"#, operations: [.delete])
      #expect(try await store.rows("SELECT id, owner FROM Card") == ["2 2"])
      #expect(report.isUnchanged)
    }
  }

  @Test func listOfTheInverseStillRemovesLinks() async throws {
    let store = try await makeFilled()
    try await store.sync(#"{"id": 1, "post_ids": []}"#, as: "Fan")
    #expect(try await fans(store) == ["1 2"])
    // In one payload, the list says nothing of rows that it leaves out.
    for fan in [#"{"id": 2, "posts": [{"id": 1, "fan_ids": []}]}"#, #"{"id": 2, "posts": []}"#] {
      try await store.sync(fan, as: "Fan")
    }
    #expect(try await fans(store) == [])
  }

  @Test func keepOnBothEndsRemovesNothing() async throws {
    let store = try await makeFilled(
      KeptListTests.schema.replacing("@NotExport posts", with: "@Relationship(missing: .keep) posts"))
    try await store.sync(#"{"id": 1, "post_ids": []}"#, as: "Fan")
    #expect(try await fans(store) == ["1 1", "1 2"])
  }

  @Test func listWithoutInverseCanKeep() async throws {
    let store = try TextStore(
      "model Post { id: Int; @Relationship(missing: .keep) tags: [Tag] }\nmodel Tag { id: Int }")
    try await store.sync(#"[{"id": 1, "tags": [{"id": 1}, {"id": 2}]}]"#, as: "Post")
    try await store.sync(#"[{"id": 1, "tags": [{"id": 3}]}]"#, as: "Post")
    #expect(try await store.rows("SELECT target FROM \"Post.tags\" ORDER BY target") == ["1", "2", "3"])
  }

  /// Both lists add, wherever they stand.
  @Test func keptListsDoNotDependOnRowOrder() async throws {
    let rows = [
      #"{"id": 1, "fans": [{"id": 1}, {"id": 2}]}"#, #"{"id": 2, "fans": [{"id": 2}]}"#,
      #"{"id": 1, "fan_ids": [3]}"#,
      #"{"id": 3, "fans": [{"id": 3}]}"#,
    ]
    for order in [rows, rows.reversed()] {
      let store = try TextStore(KeptListTests.schema)
      let payload = "[\(order.joined(separator: ", "))]"
      try await store.sync(payload, as: "Post")
      #expect(try await fans(store) == ["1 1", "1 2", "1 3", "2 2", "3 3"])
      #expect(try await store.sync(payload, as: "Post").isUnchanged)
    }
  }

  @Test func anExportThatIsSyncedBackChangesNothing() async throws {
    let store = try await makeFilled()
    try await store.sync(#"[{"id": 1, "fan_ids": [7, 3]}, {"id": 2, "fans": [{"id": 3}]}]"#, as: "Post")
    let json = try await store.export("Post")
    #expect(try await store.sync(json, as: "Post").isUnchanged, "\(json)")
  }

  // MARK: Order

  private static let ordered = """
    model List { id: Int; @Ordered @Relationship(missing: .keep) tags: [Tag] }
    model Tag { id: Int }
    """

  private func order(_ store: TextStore) async throws -> String? {
    try await store.rows("SELECT tagsOrder FROM List").first
  }

  @Test func listsOfRepeatedObjectsAreNotReportedAsDifferent() async throws {
    let store = try TextStore(
      """
      model List { id: Int; @Ordered @Relationship(inverse: \\Tag.lists, missing: .keep) tags: [Tag] }
      model Tag { id: Int; lists: [List] }
      """)
    let lists = (1...3).map { #"{"id": 1, "tags": [{"id": \#($0)}]}"# }
    let report = try await store.sync("[\(lists.joined(separator: ","))]", as: "List")
    #expect(report.totals.merged == 0)
  }

  @Test func payloadRowsFollowKeptRowsInOrderedList() async throws {
    let store = try TextStore(KeptListTests.ordered)
    try await store.sync(#"[{"id": 1, "tags": [{"id": 3}, {"id": 1}, {"id": 2}]}]"#, as: "List")
    #expect(try await order(store) == "[3,1,2]")
    let lists = [
      ("[4, 1]", "[3,2,4,1]"), ("[2]", "[3,4,1,2]"), ("[3, 4, 1, 2]", "[3,4,1,2]"), ("[1, 2]", "[3,4,1,2]"),
    ]
    for (ids, expected) in lists {
      let payload = "[{\"id\": 1, \"tag_ids\": \(ids)}]"
      if ids == "[4, 1]" { try await store.sync(#"{"id": 1, "tags": [{"id": 4}, {"id": 1}]}"#, as: "List") }
      try await store.sync(payload, as: "List")
      #expect(try await order(store) == expected, "\(ids)")
      #expect(try await store.sync(payload, as: "List").isUnchanged, "\(ids)")
    }
    for payload in [#"[{"id": 1, "tags": []}]"#, #"[{"id": 1, "tags": null}]"#, #"[{"id": 1}]"#] {
      #expect(try await store.sync(payload, as: "List").isUnchanged, "\(payload)")
    }
    #expect(try await order(store) == "[3,4,1,2]")
    #expect(
      try await store.export("List") == #"[{"id":1,"tags":[{"id":3},{"id":4},{"id":1},{"id":2}]}]"#)
    #expect(try await store.sync(try await store.export("List"), as: "List").isUnchanged)
  }

  /// Objects with a version are merged before they are compared with the store.
  @Test(arguments: ["", #"@UpdatedAt(\.at)"#])
  func orderHasTheRowsOfAllObjectsOfARow(version: String) async throws {
    let store = try TextStore(
      """
      \(version) model List { id: Int; at: Date; @Ordered @Relationship(missing: .keep) tags: [Tag] }
      model Tag { id: Int }
      """)
    let at = #""at": "2024-05-02T10:00:00Z""#
    let objects = ["3, 1", "2, 3"].map { ids in "{\"id\": 1, \(at), \"tag_ids\": [\(ids)]}" }
    let lists = "[\(objects.joined(separator: ","))]"
    try await store.sync(#"[{"id": 1}, {"id": 2}, {"id": 3}]"#, as: "Tag")
    try await store.sync(lists, as: "List")
    #expect(try await order(store) == "[1,2,3]")
    #expect(try await store.sync(lists, as: "List").isUnchanged)
    #expect(try await order(store) == "[1,2,3]")
  }

  /// The order of a list that came first is stored, even if it is that of the identities.
  @Test func orderIsStoredEvenIfSortedByIdentity() async throws {
    let store = try TextStore(KeptListTests.ordered)
    try await store.sync(#"[{"id": 1}]"#, as: "List")
    try await store.sync(#"[{"id": 1, "tags": [{"id": 1}, {"id": 2}, {"id": 3}]}]"#, as: "List")
    try await store.sync(#"[{"id": 1, "tag_ids": [1]}]"#, as: "List")
    #expect(try await order(store) == "[2,3,1]")
  }

  @Test func removingTheKeepRuleDropsCursors() async throws {
    let queue = try DatabaseQueue()
    let kept = try TextStore(KeptListTests.schema, in: .database(queue))
    try await kept.setCursor("next")
    #expect(try await kept.cursor() == "next")
    let complete = KeptListTests.schema.replacing(", missing: .keep", with: "")
    let other = try TextStore(complete, in: .database(queue))
    #expect(try await other.cursor() == nil)
  }
}
