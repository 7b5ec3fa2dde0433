import Syncline
import SynclineTesting
import Testing

/// Syncs a payload twice. The second sync must change nothing.
private func syncTwice<Model: SyncUpdatableModel>(
  _ payload: String, as model: Model.Type, in store: SyncContainer, deletionPolicy: DeletionPolicy? = nil,
  _ comment: String = "", _ location: SourceLocation = #_sourceLocation
) async throws {
  try await store.sync(payload: payload, as: model, deletionPolicy: deletionPolicy)
  let first = try store.everything()
  let waiting = try await store.waitingLinks()
  let again = try await store.sync(payload: payload, as: model, deletionPolicy: deletionPolicy)
  #expect(again.isUnchanged, "\(comment) \(payload) \(again)", sourceLocation: location)
  #expect(try store.everything() == first, "\(comment) \(payload)", sourceLocation: location)
  #expect(try await store.waitingLinks() == waiting, "\(comment) \(payload)", sourceLocation: location)
}

/// The decisive statement if a payload contains two statements about one link.
@Suite struct ContradictionTests {
  /// A store with two tasks and two tags, with the given links.
  private func store(_ links: [Int: String] = [:]) async throws -> SyncContainer {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "name": "T"}, {"id": 2, "name": "U"}]"#, as: Tag.self)
    let rows = [1, 2].map { #"{"id": \#($0), "title": "A", "tag_ids": \#(links[$0] ?? "[]")}"# }
    try await store.sync(payload: "[\(rows.joined(separator: ", "))]", as: Task.self)
    return store
  }

  private static let before: [[Int: String]] = [[:], [1: "[1]"], [1: "[1, 2]", 2: "[1, 2]"]]

  @Test func manyToManyListThatBeginsLaterWins() async throws {
    // The rows of the payload, and the resulting tags of each task.
    let cases: [([String], [SyncJSON])] = [
      // The list of the other end is nested in the row's list.
      ([#"{"id": 1, "tags": [{"id": 1, "task_ids": []}]}"#, #"{"id": 2, "tag_ids": []}"#], [[], []]),
      (
        [#"{"id": 2, "tag_ids": []}"#, #"{"id": 1, "tags": [{"id": 1, "task_ids": [2]}]}"#], [[], [1]]
      ),
      // It precedes a row's list.
      (
        [#"{"id": 2, "tags": [{"id": 1, "task_ids": [2]}]}"#, #"{"id": 1, "tag_ids": [1]}"#], [[1], [1]]
      ),
      (
        [#"{"id": 2, "tags": [{"id": 1, "task_ids": [1, 2]}]}"#, #"{"id": 1, "tag_ids": []}"#], [[], [1]]
      ),
      // It follows a row's list.
      (
        [#"{"id": 1, "tag_ids": [1]}"#, #"{"id": 2, "tags": [{"id": 1, "task_ids": [2]}]}"#], [[], [1]]
      ),
      (
        [#"{"id": 1, "tag_ids": []}"#, #"{"id": 2, "tags": [{"id": 1, "task_ids": [1, 2]}]}"#], [[1], [1]]
      ),
      // Another list of the same row begins even later.
      (
        [
          #"{"id": 1, "tag_ids": [1]}"#, #"{"id": 2, "tags": [{"id": 1, "task_ids": [2]}]}"#,
          #"{"id": 1, "tag_ids": [1, 2]}"#,
        ], [[1, 2], [1]]
      ),
    ]
    for (rows, tags) in cases {
      for links in Self.before {
        let store = try await store(links)
        try await syncTwice("[\(rows.joined(separator: ", "))]", as: Task.self, in: store, "\(links)")
        let expected = tags.map { [$0] }
        #expect(try store.pick(Task.self, "tags") == expected, "\(rows) \(links)")
      }
    }
  }

  @Test func manyToManyListOfTheOtherEndThatBeginsLaterWins() async throws {
    let cases: [([String], [SyncJSON])] = [
      ([#"{"id": 1, "tasks": [{"id": 1, "tag_ids": []}]}"#, #"{"id": 2, "task_ids": []}"#], [[], []]),
      (
        [#"{"id": 2, "tasks": [{"id": 1, "tag_ids": [2]}]}"#, #"{"id": 1, "task_ids": [1]}"#], [[1], [1]]
      ),
      (
        [#"{"id": 1, "task_ids": [1]}"#, #"{"id": 2, "tasks": [{"id": 1, "tag_ids": [2]}]}"#], [[], [1]]
      ),
    ]
    for (rows, tasks) in cases {
      for links in Self.before {
        let store = try await store(links)
        try await syncTwice("[\(rows.joined(separator: ", "))]", as: Tag.self, in: store, "\(links)")
        #expect(try store.pick(Tag.self, "tasks") == tasks.map { [$0] }, "\(rows) \(links)")
      }
    }
  }

  @Test func laterManyToManyListWinsForNewRows() async throws {
    for (payload, tags): (String, [SyncJSON]) in [
      (#"[{"id": 1, "title": "A", "tags": [{"id": 1, "name": "T", "task_ids": []}]}]"#, [[]]),
      (
        #"""
        [{"id": 1, "title": "A", "tag_ids": [1]},
         {"id": 2, "title": "B", "tags": [{"id": 1, "name": "T", "task_ids": [2]}]}]
        """#, [[], [1]]
      ),
      (
        #"""
        [{"id": 2, "title": "B", "tags": [{"id": 1, "name": "T", "task_ids": [2]}]},
         {"id": 1, "title": "A", "tag_ids": [1]}]
        """#, [[1], [1]]
      ),
    ] {
      let store = try makeStore()
      try await syncTwice(payload, as: Task.self, in: store)
      #expect(try store.pick(Task.self, "tags") == tags.map { [$0] }, "\(payload)")
    }
  }

  @Test func newOwnerWithEmptyListIsStored() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1}]"#, as: Folder.self)
    try await store.sync(payload: #"[{"id": 2, "folder_id": 1}]"#, as: Document.self)
    try await syncTwice(
      #"[{"id": 2, "folder": {"id": 3, "name": "new", "document_ids": []}}]"#, as: Document.self, in: store)
    #expect(try store.pick(Folder.self, "id") == [[1], [3]])

    let tasks = try makeStore()
    try await syncTwice(
      #"[{"id": 1, "title": "A", "project": {"id": 1, "name": "P", "tasks": []}}]"#, as: Task.self, in: tasks)
    #expect(try tasks.pick(Project.self, "id", "tasks") == [[1, []]])
    #expect(try tasks.pick(Task.self, "project") == [[nil]])
  }

  @Test func reportCountsAreNeverNegative() async throws {
    let payload = #"""
      [{"id": 1, "tags": [{"id": 1, "task_ids": [2]}, {"id": 2, "tasks": []}], "project": {"id": 1, "name": "P",
        "tasks": [{"id": 2, "project_id": null}]}}, {"id": 2, "tag_ids": [2], "project": {"id": 2, "name": "Q"}}]
      """#
    for links in Self.before {
      let store = try await store(links)
      let report = try await store.sync(payload: payload, as: Task.self)
      for (model, counts) in report.models {
        let all = [
          counts.inserted, counts.updated, counts.unchanged, counts.deleted, counts.softDeleted,
          counts.reactivated, counts.skipped, counts.linked, counts.unlinked,
        ]
        #expect(all.allSatisfy { $0 >= 0 }, "\(model) \(report)")
      }
      #expect(try await store.sync(payload: payload, as: Task.self).isUnchanged)
    }
  }
}

/// Statements of the payload that brings a row take precedence over pending links to it.
@Suite struct PendingLinkPrecedenceTests {
  @Test func pendingToOneIsDroppedByListOfItsTarget() async throws {
    for list in [#""task_ids": []"#, #""task_ids": [2]"#, #""tasks": [{"id": 2, "title": "B"}]"#] {
      let store = try makeStore()
      try await store.sync(
        payload: #"[{"id": 1, "title": "A", "project_id": 5}, {"id": 2, "title": "B"}]"#, as: Task.self)
      try await syncTwice(#"[{"id": 5, "name": "P", \#(list)}]"#, as: Project.self, in: store)
      let second: SyncJSON = list.contains("2") ? 5 : nil
      #expect(try store.pick(Task.self, "project") == [[nil], [second]], "\(list)")
      #expect(try await store.waitingLinks().isEmpty, "\(list)")
    }
  }

  @Test func pendingToManyLinkIsDroppedByKeyOfItsTarget() async throws {
    for (said, expected): (String, SyncJSON) in [
      (#""project_id": 2"#, 2), (#""project_id": null"#, nil), (#""project": {"id": 2}"#, 2),
      (#""project": {"id": 3, "name": "R"}"#, 3), (#""title": "x""#, 1),
    ] {
      let store = try makeStore()
      try await store.sync(
        payload: #"[{"id": 1, "name": "P", "task_ids": [9]}, {"id": 2, "name": "Q"}]"#, as: Project.self)
      try await syncTwice(#"[{"id": 9, "title": "A", \#(said)}]"#, as: Task.self, in: store)
      #expect(try store.pick(Task.self, "project") == [[expected]], "\(said)")
      #expect(try await store.waitingLinks().isEmpty, "\(said)")
    }
  }

  @Test func pendingToManyLinkIsDroppedByListThatContainsTarget() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "name": "P", "task_ids": [9]}]"#, as: Project.self)
    try await syncTwice(
      #"[{"id": 2, "name": "Q", "tasks": [{"id": 9, "title": "A"}]}]"#, as: Project.self, in: store,
      deletionPolicy: DeletionPolicy.none)
    #expect(try store.pick(Task.self, "project") == [[2]])
    #expect(try await store.waitingLinks().isEmpty)
  }

  @Test func pendingToManyLinkIsDroppedByParentOfTheCall() async throws {
    for isItem in [true, false] {
      let store = try makeStore()
      try await store.sync(
        payload: #"[{"id": 1, "name": "P", "task_ids": [9]}, {"id": 2, "name": "Q"}]"#, as: Project.self)
      if isItem {
        try await store.sync(
          item: #"{"id": 9, "title": "A"}"#, as: Task.self, parent: 2, relationship: \.project)
      } else {
        try await store.sync(
          payload: #"[{"id": 9, "title": "A"}]"#, as: Task.self, parent: 2, relationship: \.project)
      }
      #expect(try store.pick(Task.self, "project") == [[2]])
      #expect(try await store.waitingLinks().isEmpty)
    }
  }

  @Test func pendingToOneIsDroppedByParentOfTheCall() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "name": "P"}]"#, as: Project.self)
    try await store.sync(payload: #"[{"id": 9, "title": "A", "project_id": 5}]"#, as: Task.self)
    try await store.sync(
      payload: #"[{"id": 9, "title": "A"}]"#, as: Task.self, parent: 1, relationship: \.project)
    try await store.sync(item: #"{"id": 5, "name": "R"}"#, as: Project.self)
    #expect(try store.pick(Task.self, "project") == [[1]])
  }

  @Test func pendingManyToManyLinkIsDroppedByListOfItsTarget() async throws {
    for list in [#""task_ids": []"#, #""task_ids": [2]"#, #""tasks": [{"id": 2, "title": "B"}]"#] {
      let store = try makeStore()
      try await store.sync(
        payload: #"[{"id": 1, "title": "A", "tag_ids": [6]}, {"id": 2, "title": "B"}]"#, as: Task.self)
      try await syncTwice(#"[{"id": 6, "name": "T", \#(list)}]"#, as: Tag.self, in: store)
      let second: SyncJSON = list.contains("2") ? [6] : []
      #expect(try store.pick(Task.self, "tags") == [[[]], [second]], "\(list)")
      #expect(try await store.waitingLinks().isEmpty, "\(list)")
    }
  }

  @Test func pendingOneToOneIsDroppedByKeyOfItsTarget() async throws {
    for (said, captains): (String, [SyncJSON]) in [
      (#""captain_id": 2"#, [nil, 8]), (#""captain_id": null"#, [nil, nil]),
      (#""captain": {"id": 2}"#, [nil, 8]),
    ] {
      let store = try makeStore()
      try await store.sync(payload: #"[{"id": 1, "ship_id": 8}, {"id": 2}]"#, as: Captain.self)
      try await syncTwice(#"[{"id": 8, \#(said)}]"#, as: Ship.self, in: store)
      #expect(try store.pick(Captain.self, "ship") == captains.map { [$0] }, "\(said)")
      #expect(try await store.waitingLinks().isEmpty, "\(said)")
    }
    for (said, captains): (String, [SyncJSON]) in [
      (#""ship_id": 9"#, [9]), (#""ship_id": null"#, [nil]), (#""ship": {"id": 9}"#, [9]),
    ] {
      let store = try makeStore()
      try await store.sync(payload: #"[{"id": 8, "captain_id": 1}, {"id": 9}]"#, as: Ship.self)
      try await syncTwice(#"[{"id": 1, \#(said)}]"#, as: Captain.self, in: store)
      #expect(try store.pick(Captain.self, "ship") == captains.map { [$0] }, "\(said)")
      #expect(try await store.waitingLinks().isEmpty, "\(said)")
    }
  }
}

/// A row anywhere in the payload does not count as missing.
@Suite struct NestedRowDeletionTests {
  @Test(arguments: [
    // The row is in a list, or in a to-one of a row in it.
    #"[{"id": 5, "title": "E", "items": [{"id": "a", "title": "I", "task": {"id": 1}}]}]"#,
    #"[{"id": 5, "title": "E", "items": [{"id": "a", "title": "I", "task": {"id": 1, "title": "A"}}]}]"#,
    #"[{"id": 5, "title": "E", "project": {"id": 1, "name": "P", "tasks": [{"id": 1}]}}]"#,
    #"[{"id": 5, "title": "E", "tags": [{"id": 1, "name": "T", "tasks": [{"id": 1}]}]}]"#,
    #"[{"id": 5, "title": "E", "assignee": {"id": 1, "name": "U", "watched": [{"id": 1}]}}]"#,
    // The row is in an object that is ignored, because the key next to it refers to another row.
    #"[{"id": 5, "title": "E", "project_id": 2, "project": {"id": 1, "name": "P", "tasks": [{"id": 1}]}}]"#,
  ])
  func aRowNestedAnywhereIsNotDeleted(_ payload: String) async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "title": "A"}, {"id": 2, "title": "B"}]"#, as: Task.self)
    let report = try await store.sync(payload: payload, as: Task.self)
    #expect(report[Task.self].deleted == 1)
    #expect(try store.pick(Task.self, "id") == [[1], [5]])
    #expect(try await store.sync(payload: payload, as: Task.self).isUnchanged)
  }

  @Test func nestedRowOfTheParentScopeIsNotDeleted() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"[{"id": 1, "name": "P", "tasks": [{"id": 1, "title": "A"}, {"id": 2, "title": "B"}]}]"#,
      as: Project.self)
    let report = try await store.sync(
      payload: #"[{"id": 5, "title": "E", "tags": [{"id": 1, "name": "T", "tasks": [{"id": 1}]}]}]"#,
      as: Task.self,
      parent: 1, relationship: \.project)
    #expect(report[Task.self].deleted == 1)
    #expect(try store.pick(Task.self, "id", "project") == [[1, 1], [5, 1]])
  }
}

/// Statements by lists, and by the rows themselves.
@Suite struct OwnKeyTests {
  @Test func listOfAnOwnerWithEqualStampOverridesKeys() async throws {
    let post = #"{"id": 1, "title": "P", "stamp": "2024-01-01T00:00:00Z", "comment_ids": [2]}"#
    let rows = [
      #"{"id": 1, "text": "a", "post": \#(post)}"#, #"{"id": 2, "text": "b", "post_id": null}"#,
      #"{"id": 2, "text": "b", "post": {"id": 2, "title": "Q"}}"#, #"{"id": 3, "text": "c", "post_id": 1}"#,
    ]
    for order in [[0, 1, 2, 3], [3, 2, 1, 0], [1, 0, 3, 2], [2, 3, 0, 1]] {
      let store = try makeStore()
      let payload = "[\(order.map { rows[$0] }.joined(separator: ", "))]"
      try await syncTwice(payload, as: Comment.self, in: store)
      #expect(try store.pick(Comment.self, "id", "post") == [[1, nil], [2, 1], [3, nil]], "\(payload)")
    }
  }

  @Test func newRowInListOfOwnerWithEqualStampKeepsItsKey() async throws {
    let store = try makeStore()
    let stamp = #""stamp": "2024-01-01T00:00:00Z""#
    try await store.sync(payload: #"[{"id": 1, "title": "P", \#(stamp), "comments": []}]"#, as: Post.self)
    try await syncTwice(
      #"[{"id": 1, "title": "P", \#(stamp), "comments": [{"id": 1, "text": "a", "post_id": 1}]}]"#,
      as: Post.self, in: store)
    #expect(try store.pick(Comment.self, "post") == [[1]])
  }

  @Test func keyIsOverriddenByALaterListOfItsTarget() async throws {
    for isKnown in [false, true] {
      let store = try makeStore()
      try await store.sync(payload: #"[{"id": 1, "name": "P"}]"#, as: Project.self)
      if isKnown { try await store.sync(item: #"{"id": 1, "title": "A"}"#, as: Task.self) }
      try await syncTwice(
        #"""
        [{"id": 1, "title": "A", "project_id": 1, "assignee":
          {"id": 3, "name": "U", "tasks": [{"id": 2, "title": "B", "project": {"id": 1, "task_ids": []}}]}}]
        """#, as: Task.self, in: store)
      #expect(try store.pick(Task.self, "id", "project") == [[1, nil], [2, nil]])
    }
  }

  @Test func listWithUnreadableElementsExtendsEarlierList() async throws {
    for isKnown in [false, true] {
      let store = try makeStore()
      try await store.sync(payload: #"[{"id": 1, "name": "T"}]"#, as: Tag.self)
      if isKnown { try await store.sync(item: #"{"id": 1, "title": "A"}"#, as: Task.self) }
      try await syncTwice(
        #"[{"id": 1, "title": "A", "tag_ids": [1, 9]}, {"id": 1, "tags": [{"id": 2, "name": "U"}, {}]}]"#,
        as: Task.self, in: store)
      #expect(try store.pick(Task.self, "tags") == [[[1, 2]]])
      #expect(try await store.waitingLinks().count == 1)
    }
  }

  /// A required key decides the link, whether its row was stored before or not, even if the row's list contradicts it.
  @Test(arguments: [false, true]) func requiredKeyOverridesListThatLacksItsRow(isStored: Bool)
    async throws
  {
    let store = try makeStore()
    try await store.sync(
      item: #"{"id": 2, "name": "B", "sailors": [{"id": 3, "name": "S"}, {"id": 9, "name": "S"}]}"#,
      as: Crew.self)
    if isStored { try await store.sync(item: #"{"id": 1, "name": "N"}"#, as: Crew.self) }
    for round in 1...2 {
      let report = try await store.sync(
        payload: """
          [{"id": 9, "name": "S", "crew_id": 1},
          {"id": 3, "name": "S", "crew": {"id": 1, "name": "N", "sailors": [3]}}]
          """, as: Sailor.self)
      #expect(try store.pick(Sailor.self, "crew") == [[1], [1]])
      #expect(round == 1 || report.isUnchanged)
    }
  }
}
