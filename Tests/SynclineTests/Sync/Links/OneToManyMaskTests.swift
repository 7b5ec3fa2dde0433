import Syncline
import SynclineTesting
import Testing

/// The contract's table of operation masks, for to-many relationships that the members store, and for one-to-ones.
@Suite struct OneToManyMaskTests {
  /// A store in which project 1 has tasks 1 and 2. Task 3 has no project.
  private func store() async throws -> SyncContainer {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "name": "P1"}]"#, as: Project.self)
    try await store.sync(
      payload: #"""
        [{"id": 1, "title": "A", "project_id": 1}, {"id": 2, "title": "B", "project_id": 1},
         {"id": 3, "title": "C"}]
        """#, as: Task.self)
    return store
  }

  private func members(_ store: SyncContainer) throws -> SyncJSON? {
    try store.rows(of: Project.self).first?["tasks"]
  }

  @Test(arguments: MaskRow.all)
  func listOfKeysAddsAndRemovesAsMaskAllows(_ row: MaskRow) async throws {
    let store = try await store()
    try await store.sync(
      item: #"{"id": 1, "task_ids": [2, 3]}"#, as: Project.self, relationshipOperations: row.mask)
    #expect(try members(store) == .array(row.list))
  }

  @Test(arguments: MaskRow.all)
  func emptyListAndNullRemoveAsMaskAllows(_ row: MaskRow) async throws {
    for value in ["[]", "null"] {
      let store = try await store()
      try await store.sync(
        item: #"{"id": 1, "tasks": \#(value)}"#, as: Project.self, relationshipOperations: row.mask)
      #expect(try members(store) == .array(row.emptyList))
      #expect(try store.rows(of: Task.self).count == 3)
    }
  }

  @Test(arguments: MaskRow.all)
  func nestedListAddsUpdatesAndRemovesAsMaskAllows(_ row: MaskRow) async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"[{"id": 1, "name": "P", "tasks": [{"id": 1, "title": "A"}, {"id": 2, "title": "B"}]}]"#,
      as: Project.self)
    try await store.sync(
      item: #"{"id": 1, "tasks": [{"id": 2, "title": "renamed"}, {"id": 3, "title": "C"}]}"#,
      as: Project.self, relationshipOperations: row.mask)
    #expect(try members(store) == .array(row.nestedList))
    #expect(
      try store.pick(Task.self, "id", "title")
        == [[1, "A"], [2, row.renamesMember ? "renamed" : "B"]] + (row.createsUnknown ? [[3, "C"]] : []))
  }

  @Test(arguments: MaskRow.all)
  func membersOfANewRowAreLinkedOnlyIfMaskHasInsert(_ row: MaskRow) async throws {
    let store = try await store()
    try await store.sync(
      item: #"""
        {"id": 2, "name": "P2", "tasks": [{"id": 3, "title": "renamed"}, {"id": 4, "title": "D"}]}
        """#, as: Project.self, relationshipOperations: row.mask)
    #expect(
      try store.pick(Project.self, "id", "tasks") == [[1, [1, 2]], [2, row.linksNewRow ? [3, 4] : []]])
    let isRenamed = row.linksNewRow && row.renames
    #expect(
      try store.pick(Task.self, "title")
        == [["A"], ["B"], [isRenamed ? "renamed" : "C"]] + (row.linksNewRow ? [["D"]] : []))
  }

  @Test(arguments: MaskRow.all)
  func aOneToOneLinkIsSetAndClearedFromEitherEnd(_ row: MaskRow) async throws {
    for isCaptain in [true, false] {
      let store = try makeStore()
      try await store.sync(payload: #"[{"id": 1}, {"id": 2}]"#, as: Captain.self)
      try await store.sync(payload: #"[{"id": 1, "captain_id": 1}, {"id": 2}]"#, as: Ship.self)
      if isCaptain {
        try await store.sync(
          item: #"{"id": 1, "ship_id": 2}"#, as: Captain.self, relationshipOperations: row.mask)
      } else {
        try await store.sync(
          item: #"{"id": 2, "captain_id": 1}"#, as: Ship.self, relationshipOperations: row.mask)
      }
      #expect(
        try store.pick(Captain.self, "id", "ship") == [[1, row.setsKey ? 2 : 1], [2, nil]], "\(isCaptain)")
      let owner = row.setsKey ? 2 : 1
      if isCaptain {
        try await store.sync(
          item: #"{"id": 1, "ship_id": null}"#, as: Captain.self, relationshipOperations: row.mask)
      } else {
        try await store.sync(
          item: #"{"id": \#(owner), "captain": null}"#, as: Ship.self, relationshipOperations: row.mask)
      }
      #expect(
        try store.pick(Captain.self, "ship") == [[row.clears ? nil : row.setsKey ? 2 : 1], [nil]],
        "\(isCaptain)")
    }
  }

  @Test(arguments: MaskRow.all)
  func requiredLinkIsSetOnInsertRegardlessOfMask(_ row: MaskRow) async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "name": "C"}]"#, as: Crew.self)
    try await store.sync(
      item: #"{"id": 1, "name": "S", "crew_id": 1}"#, as: Sailor.self, relationshipOperations: row.mask)
    #expect(try store.pick(Sailor.self, "id", "crew") == [[1, 1]])
  }
}
