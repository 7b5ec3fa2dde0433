import Syncline
import SynclineTesting
import TestSupport
import Testing

/// Keys whose rows are not stored yet.
@Suite struct PendingLinkTests {
  @Test func rowsAreLinkedInAnyPayloadOrder() async throws {
    for payload in [
      #"[{"id": "a", "name": "A", "parent_id": "b"}, {"id": "b", "name": "B"}]"#,
      #"[{"id": "b", "name": "B"}, {"id": "a", "name": "A", "parent_id": "b"}]"#,
      #"[{"id": "b", "name": "B", "child_ids": ["a"]}, {"id": "a", "name": "A"}]"#,
      #"[{"id": "a", "name": "A"}, {"id": "b", "name": "B", "child_ids": ["a"]}]"#,
    ] {
      let store = try makeStore()
      let report = try await store.sync(payload: payload, as: Category.self)
      #expect(try store.pick(Category.self, "id", "parent") == [["a", "b"], ["b", nil]])
      #expect(report.problems.isEmpty)
      #expect(try await store.sync(payload: payload, as: Category.self).isUnchanged)
    }
  }

  @Test func laterSyncResolvesPendingLinks() async throws {
    let store = try makeStore()
    let report = try await store.sync(
      payload: #"[{"id": 1, "title": "A", "project_id": 5, "tag_ids": [6, 7]}]"#, as: Task.self)
    #expect(report.problems.isEmpty)
    #expect(
      report.waiting.map(\.description) == [
        "Task “1”, [0].project_id: Project “5” is not stored yet",
        "Task “1”, [0].tag_ids: Tag “6” is not stored yet",
        "Task “1”, [0].tag_ids: Tag “7” is not stored yet",
      ])
    #expect(try store.pick(Task.self, "project", "tags") == [[nil, []]])
    #expect(try store.rows(of: Project.self).isEmpty)
    let projects = try await store.sync(payload: #"[{"id": 5, "name": "P"}]"#, as: Project.self)
    #expect(projects.linked == 1)
    try await store.sync(payload: #"[{"id": 7, "name": "T"}]"#, as: Tag.self)
    #expect(try store.pick(Task.self, "project", "tags") == [[5, [7]]])
    #expect(try store.pick(Project.self, "tasks") == [[[1]]])
    try await store.sync(payload: #"[{"id": 7, "name": "T"}, {"id": 6, "name": "U"}]"#, as: Tag.self)
    #expect(try store.pick(Task.self, "tags") == [[[6, 7]]])
  }

  @Test func unresolvedKeyKeepsTheStoredLink() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "name": "P"}]"#, as: Project.self)
    try await store.sync(payload: #"[{"id": 1, "title": "A", "project_id": 1}]"#, as: Task.self)
    let report = try await store.sync(payload: #"[{"id": 1, "project_id": 5}]"#, as: Task.self)
    #expect(report.waiting.map(\.targetIdentity) == ["5"])
    #expect(report.isUnchanged)
    #expect(try store.pick(Task.self, "project") == [[1]])
    try await store.sync(item: #"{"id": 5, "name": "Q"}"#, as: Project.self)
    #expect(try store.pick(Task.self, "project") == [[5]])
  }

  @Test func repeatedPayloadWithPendingLinksWritesNothing() async throws {
    let store = try makeStore()
    let payload = #"[{"id": 1, "title": "A", "project_id": 5, "tag_ids": [6]}]"#
    try await store.sync(payload: payload, as: Task.self)
    let writes = try store.writes()
    let report = try await store.sync(payload: payload, as: Task.self)
    #expect(report.isUnchanged)
    #expect(report.waiting.count == 2)
    #expect(try store.writes() == writes)
  }

  @Test func laterRelationshipValuesReplacePendingLinks() async throws {
    for (body, expected): (String, [SyncJSON]) in [
      (#""project_id": null, "tag_ids": []"#, [nil, []]), (#""project_id": 1, "tag_ids": [1]"#, [1, [1]]),
      (#""project": {"id": 1}, "tags": null"#, [1, []]),
      (#""project": {"id": 2, "name": "new"}, "tags": [{"id": 2, "name": "new"}]"#, [2, [2]]),
      (#""title": "renamed""#, [5, [6]]),
    ] {
      let store = try makeStore()
      try await store.sync(payload: #"[{"id": 1, "name": "P"}]"#, as: Project.self)
      try await store.sync(payload: #"[{"id": 1, "name": "T"}]"#, as: Tag.self)
      try await store.sync(
        payload: #"[{"id": 1, "title": "A", "project_id": 5, "tag_ids": [6]}]"#, as: Task.self)
      try await store.sync(item: #"{"id": 1, \#(body)}"#, as: Task.self)
      try await store.sync(item: #"{"id": 5, "name": "P5"}"#, as: Project.self)
      try await store.sync(item: #"{"id": 6, "name": "T6"}"#, as: Tag.self)
      #expect(try store.pick(Task.self, "project", "tags") == [expected], "\(body)")
    }
  }

  @Test func nullInAMemberDropsThePendingLinkOfAList() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "name": "P", "task_ids": [1, 2]}]"#, as: Project.self)
    try await store.sync(
      payload: #"[{"id": 1, "title": "A"}, {"id": 2, "title": "B", "project_id": null}]"#, as: Task.self)
    #expect(try store.pick(Task.self, "id", "project") == [[1, 1], [2, nil]])
  }

  @Test func linkToADeletedRowIsClearedAndNotPending() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "name": "P"}]"#, as: Project.self)
    try await store.sync(payload: #"[{"id": 1, "name": "T"}]"#, as: Tag.self)
    try await store.sync(
      payload: #"[{"id": 1, "title": "A", "project_id": 1, "tag_ids": [1]}]"#, as: Task.self)
    try await store.sync(payload: "[]", as: Project.self)
    try await store.sync(payload: "[]", as: Tag.self)
    #expect(try store.pick(Task.self, "project", "tags") == [[nil, []]])
    try await store.sync(payload: #"[{"id": 1, "name": "P"}]"#, as: Project.self)
    try await store.sync(payload: #"[{"id": 1, "name": "T"}]"#, as: Tag.self)
    #expect(try store.pick(Task.self, "project", "tags") == [[nil, []]])
  }

  @Test func pendingLinksOfADeletedRowAreRemoved() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "title": "A", "project_id": 5}]"#, as: Task.self)
    try await store.sync(payload: "[]", as: Task.self)
    try await store.sync(payload: #"[{"id": 1, "title": "A"}]"#, as: Task.self)
    try await store.sync(payload: #"[{"id": 5, "name": "P"}]"#, as: Project.self)
    #expect(try store.pick(Task.self, "project") == [[nil]])
  }

  @Test func nestedListWithEqualStampKeepsPendingLinks() async throws {
    let comments = [
      #"{"id": 4, "text": "a", "post": {"id": 1, "title": "P", "stamp": "2024-01-01", "comment_ids": [4, 5]}}"#,
      #"{"id": 5, "text": "b"}"#,
    ]
    for order in [comments, comments.reversed()] {
      let store = try makeStore()
      try await store.sync(
        payload: #"[{"id": 1, "title": "P", "stamp": "2024-01-01", "comment_ids": [4, 5]}]"#, as: Post.self)
      try await store.sync(payload: "[\(order.joined(separator: ", "))]", as: Comment.self)
      #expect(try store.pick(Comment.self, "post") == [[1], [1]], "\(order)")
      #expect(try await store.waitingLinks().isEmpty, "\(order)")
    }
  }

  @Test func oneToOneKeyIsPendingFromEitherEnd() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "ship_id": 8}]"#, as: Captain.self)
    try await store.sync(payload: #"[{"id": 8}]"#, as: Ship.self)
    #expect(try store.pick(Captain.self, "ship") == [[8]])
    let other = try makeStore()
    try await other.sync(payload: #"[{"id": 8, "captain_id": 1}]"#, as: Ship.self)
    try await other.sync(payload: #"[{"id": 1}]"#, as: Captain.self)
    #expect(try other.pick(Captain.self, "ship") == [[8]])
  }

  @Test func pendingOneToOneLinkIsDroppedByAKeyAtTheOtherEnd() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "ship_id": 8}]"#, as: Captain.self)
    try await store.sync(payload: #"[{"id": 9, "captain_id": 1}]"#, as: Ship.self)
    #expect(try await store.waitingLinks().isEmpty)
    let other = try makeStore()
    try await other.sync(payload: #"[{"id": 8, "captain_id": 1}]"#, as: Ship.self)
    try await other.sync(payload: #"[{"id": 2, "ship_id": 8}]"#, as: Captain.self)
    #expect(try await other.waitingLinks().isEmpty)
  }

  @Test func nestedRowResolvesPendingLinks() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "title": "A", "assignee_id": 3}]"#, as: Task.self)
    try await store.sync(
      item: #"{"id": 2, "title": "B", "watchers": [{"id": 3, "name": "U"}]}"#, as: Task.self)
    #expect(try store.pick(Task.self, "assignee", "watchers") == [[3, []], [nil, [3]]])
  }

  @Test func aRequiredLinkThatStaysUnresolvedIsAnError() async throws {
    let store = try makeStore()
    let payload = #"[{"id": "i", "title": "I", "task_id": 9}, {"id": "j", "title": "J", "task_id": 9}]"#
    await #expect(throws: SyncError.self) { try await store.sync(payload: payload, as: Item.self) }
    #expect(try store.rows(of: Item.self).isEmpty)
    let skipping = try makeStore(invalidRows: .skip)
    try await skipping.sync(payload: #"[{"id": 1, "title": "A"}]"#, as: Task.self)
    let report = try await skipping.sync(
      payload: #"[{"id": "i", "title": "I", "task_id": 9}, {"id": "j", "title": "J", "task_id": 1}]"#,
      as: Item.self)
    #expect(try skipping.pick(Item.self, "id", "task") == [["j", 1]])
    #expect(report[Item.self].skipped == 1)
    #expect(report[Item.self].inserted == 1)
    #expect(report.actions == [.skippedRow])
  }

  @Test func aRequiredLinkMayResolveLaterInThePayload() async throws {
    let store = try makeStore()
    let report = try await store.sync(
      payload:
        #"[{"id": 1, "name": "S", "crew_id": 5}, {"id": 2, "name": "R", "crew": {"id": 5, "name": "C"}}]"#,
      as: Sailor.self)
    #expect(report.problems.isEmpty)
    #expect(try store.pick(Sailor.self, "id", "crew") == [[1, 5], [2, 5]])
  }

  @Test func aMissingOrNullRequiredLinkIsAnError() async throws {
    for body in ["", #", "task_id": null"#, #", "task_id": "x""#, #", "task": {"title": "B"}"#] {
      let store = try makeStore()
      await #expect(throws: SyncError.self, "\(body)") {
        try await store.sync(payload: #"[{"id": "i", "title": "I"\#(body)}]"#, as: Item.self)
      }
    }
  }

  /// The list of a later row gives the row only one of its two links.
  @Test(arguments: [("project", "user"), ("user", "project")])
  func errorNamesTheRequiredLinkThatIsMissing(_ missing: String, _ given: String) async throws {
    let store = try TextStore(
      """
      model Task { id: Int; title: String; project: Project; user: User }
      model Project { id: Int; name: String; tasks: [Task] }
      model User { id: Int; name: String; tasks: [Task] }
      """)
    let payload = #"""
      [{"id": 5, "title": "A"},
       {"id": 6, "title": "B", "\#(missing)": {"id": 1, "name": "M"},
        "\#(given)": {"id": 1, "name": "G", "task_ids": [5, 6]}}]
      """#
    let error = await #expect(throws: SyncError.self) { try await store.sync(payload) }
    #expect(error?.description.contains(missing) == true && error?.description.contains(given) == false)
  }

  @Test func storedRequiredLinkIsNotClearedByNullOrAPendingKey() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "title": "A"}]"#, as: Task.self)
    try await store.sync(payload: #"[{"id": "i", "title": "I", "task_id": 1}]"#, as: Item.self)
    await #expect(throws: SyncError.self) {
      try await store.sync(payload: #"[{"id": "i", "title": "renamed", "task_id": null}]"#, as: Item.self)
    }
    let report = try await store.sync(payload: #"[{"id": "i", "task_id": 2}]"#, as: Item.self)
    #expect(report.waiting.count == 1)
    #expect(try store.pick(Item.self, "title", "task") == [["I", 1]])
    try await store.sync(item: #"{"id": 2, "title": "B"}"#, as: Task.self)
    #expect(try store.pick(Item.self, "task") == [[2]])
  }
}

/// String identities that differ only after a NUL. GRDB's own fetches end such strings there, but an export does not.
@Suite struct PendingLinkWithNULTests {
  private let b: SyncJSON = "a\0b"
  private let c: SyncJSON = "a\0c"
  private let both = #"{"id": "a\u0000b", "name": "B"}, {"id": "a\u0000c", "name": "C"}"#

  /// The identity of each row and the identities in its relationships, in the order of the rows.
  private func links<Model: SyncUpdatableModel>(
    _ store: SyncContainer, _ model: Model.Type, _ relationships: String...
  ) async throws -> [[SyncJSON]] {
    func identities(_ value: SyncJSON?) -> SyncJSON {
      switch value {
      case .object(let row): row["id"] ?? .null
      case .array(let rows): .array(rows.map { $0["id"] ?? $0 })
      case let key: key ?? "absent"
      }
    }
    return try await store.export(as: model).map { row in
      [row["id"] ?? "absent"] + relationships.map { identities(row[$0]) }
    }
  }

  @Test func pendingKeysWithNULResolveToTheirOwnRows() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"""
        [{"id": 1, "category_id": "a\u0000b", "category_ids": ["a\u0000b", "a\u0000c"]},
         {"id": 2, "category_id": "a\u0000c", "category_ids": ["a\u0000c"]}]
        """#, as: Rack.self)
    let report = try await store.sync(payload: "[\(both)]", as: Category.self)
    #expect(report[Rack.self].linked == 5)
    #expect(
      try await links(store, Rack.self, "category", "categories") == [[1, b, [b, c]], [2, c, [c]]])
    #expect(try await store.waitingLinks().isEmpty)
  }

  @Test func rowWithNULResolvesOnlyItsOwnPendingLinks() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"""
        [{"id": "x", "name": "X", "parent_id": "a\u0000b"}, {"id": "y", "name": "Y", "parent_id": "a\u0000c"}]
        """#, as: Category.self)
    try await store.sync(item: #"{"id": "a\u0000c", "name": "C"}"#, as: Category.self)
    // A pending link is exported as its key.
    #expect(try await links(store, Category.self, "parent") == [[c, nil], ["x", b], ["y", c]])
    #expect(try store.pick(Category.self, "parent").dropFirst().first == [nil])
    try await store.sync(item: #"{"id": "a\u0000b", "name": "B"}"#, as: Category.self)
    #expect(try await links(store, Category.self, "parent") == [[b, nil], [c, nil], ["x", b], ["y", c]])
    #expect(try await store.waitingLinks().isEmpty)
  }

  @Test func rowsWithNULKeepTheirOwnPendingKeys() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"""
        [{"id": "a\u0000b", "name": "B", "parent_id": "p"}, {"id": "a\u0000c", "name": "C", "parent_id": "q"}]
        """#, as: Category.self)
    try await store.sync(payload: #"[\#(both), {"id": "q", "name": "Q"}]"#, as: Category.self)
    #expect(try await store.waitingLinks().count == 1)
    try await store.sync(item: #"{"id": "p", "name": "P"}"#, as: Category.self)
    #expect(
      try await links(store, Category.self, "parent") == [[b, "p"], [c, "q"], ["p", nil], ["q", nil]])
  }

  @Test func pendingListMembersWithNULAreDistinguished() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"""
        [{"id": "p", "name": "P", "child_ids": ["a\u0000b"]}, {"id": "q", "name": "Q", "child_ids": ["a\u0000c"]}]
        """#, as: Category.self)
    try await store.sync(item: #"{"id": "a\u0000c", "name": "C"}"#, as: Category.self)
    #expect(try await store.waitingLinks().count == 1)
    try await store.sync(item: #"{"id": "a\u0000b", "name": "B"}"#, as: Category.self)
    #expect(
      try await links(store, Category.self, "parent", "children")
        == [[b, "p", []], [c, "q", []], ["p", nil, [b]], ["q", nil, [c]]])
  }

  @Test func pendingListsOfOwnersWithNULAreDistinguished() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"""
        [{"id": "a\u0000b", "name": "B", "child_ids": ["x", "y"]}, {"id": "a\u0000c", "name": "C", "child_ids": ["z"]}]
        """#, as: Category.self)
    for id in ["x", "y", "z"] {
      try await store.sync(item: #"{"id": "\#(id)", "name": "N"}"#, as: Category.self)
    }
    #expect(
      try await links(store, Category.self, "parent")
        == [[b, nil], [c, nil], ["x", b], ["y", b], ["z", c]])
  }
}
