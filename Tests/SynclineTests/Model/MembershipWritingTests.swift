import Foundation
import Syncline
import SynclineTesting
import TestSupport
import Testing

/// Changes of to-many relationships in a transaction of the app.
@Suite struct MembershipWritingTests {
  private func filled() async throws -> SyncContainer {
    let container = try makeStore()
    try await container.sync(
      payload: #"""
        [{"id": 1, "title": "A", "project": {"id": 7, "name": "P"}, "tags": [{"id": 1, "name": "T"}, {"id": 2, "name": "S"}]},
         {"id": 2, "title": "B", "tags": [{"id": 3, "name": "R"}]}]
        """#, as: Task.self)
    return container
  }

  @Test func joinTableLinksAreSetInsertedAndRemoved() async throws {
    let container = try await filled()
    try await container.database.write { db in
      let tags = Task.membership(\.tags, of: 1)
      try tags.insert([3, 1], db)
      try tags.remove([2, 99], db)
    }
    #expect(try container.pick(Task.self, "tags") == [[[1, 3]], [[3]]])
    try await container.database.write { db in
      let task = try #require(try Task.fetchOne(db, id: 1))
      try task.membership(\.tags).set([2, 2], db)
    }
    #expect(try container.pick(Task.self, "tags") == [[[2]], [[3]]])
    // The same relationship from its other end.
    try await container.database.write { try Tag.membership(\.tasks, of: 3).set([1], $0) }
    #expect(try container.pick(Task.self, "tags") == [[[2, 3]], [[]]])
    for (task, tag) in [(1, 99), (99, 1)] {
      await #expect(throws: RecordError.self) {
        try await container.database.write { try Task.membership(\.tags, of: task).insert([tag], $0) }
      }
    }
  }

  @Test func childrenAreSetInsertedAndRemoved() async throws {
    let container = try await filled()
    try await container.database.write { try Project.membership(\.tasks, of: 7).insert([2], $0) }
    #expect(try container.pick(Task.self, "project") == [[7], [7]])
    try await container.database.write { try Project.membership(\.tasks, of: 7).set([2], $0) }
    #expect(try container.pick(Task.self, "project") == [[.null], [7]])
    try await container.database.write { try Project.membership(\.tasks, of: 7).remove([1, 2], $0) }
    #expect(try container.pick(Task.self, "project") == [[.null], [.null]])
    await #expect(throws: RecordError.self) {
      try await container.database.write { try Project.membership(\.tasks, of: 7).set([1, 99], $0) }
    }
    #expect(try container.pick(Task.self, "project") == [[.null], [.null]])
  }

  /// Pending links that a payload stated before the change.
  @Test func settingAnOwnerRemovesThePendingLink() async throws {
    let container = try await filled()
    try await container.sync(item: #"{"id": 2, "title": "B", "project_id": 99}"#, as: Task.self)
    #expect(try await container.waitingLinks().count == 1)
    try await container.database.write { try Project.membership(\.tasks, of: 7).insert([2], $0) }
    #expect(try await container.waitingLinks() == [])
    try await container.sync(item: #"{"id": 99, "name": "late"}"#, as: Project.self)
    #expect(try container.pick(Task.self, "project").last == [7])
  }

  @Test func listMayExceedTheStatementParameterLimit() async throws {
    let container = try await filled()
    let tags = 1...40_000
    try await container.sync(payload: PagedServer.payload(tags), as: Tag.self)
    try await container.database.write { try Task.membership(\.tags, of: 1).set(tags, $0) }
    let count = try await container.database.read { try Task.fetchOne($0, id: 1)?.tags.fetchCount($0) }
    #expect(count == 40_000)
  }

  @Test func membershipOfAOneToOneThrows() async throws {
    let container = try makeStore()
    await #expect(throws: SyncError.self) {
      try await container.database.write { try Person.membership(\.passport, of: 1).insert([1], $0) }
    }
  }

  /// Strings are bound completely.
  @Test func linkedIdentityMayContainNUL() async throws {
    let container = try makeStore()
    try await container.sync(payload: #"[{"id": "a"}, {"id": "a\u0000b"}]"#, as: Theme.self)
    try await container.sync(payload: #"[{"id": 1, "title": "V"}]"#, as: Video.self)
    try await container.database.write { try Video.membership(\.topics, of: 1).insert(["a\0b"], $0) }
    #expect(try container.pick(Video.self, "topics") == [[["a\0b"]]])
  }

  @Test func membershipChangesAreObserved() async throws {
    let container = try await filled()
    var rows = container.values(of: Task.self, relationship: \.tags, relationshipID: 3).makeAsyncIterator()
    #expect(try await rows.next()?.map(\.id) == [2])
    try await container.database.write { try Task.membership(\.tags, of: 1).insert([3], $0) }
    #expect(try await rows.next()?.map(\.id) == [1, 2])
  }

  @Test func pendingLinksOutsideTheNewListAreRemoved() async throws {
    let container = try await filled()
    try await container.sync(
      payload: #"[{"id": 1, "tag_ids": [1, 50, 51]}, {"id": 2, "tag_ids": [50]}]"#, as: Task.self)
    #expect(try await container.waitingLinks().count == 3)
    try await container.database.write { db in
      try Task.membership(\.tags, of: 1).remove([50], db)
      try Task.membership(\.tags, of: 2).set([1], db)
    }
    #expect(try await container.waitingLinks() == ["Task 1.tags of : 51"])
    try await container.sync(
      payload: #"[{"id": 50, "name": "X"}, {"id": 51, "name": "Y"}]"#, as: Tag.self, deletionPolicy: .none)
    #expect(try container.pick(Task.self, "tags") == [[[1, 51]], [[1]]])
  }

  /// The pending key is a code, although it looks like the identity of the new member.
  @Test func pendingKeyOfAnotherPropertyIsRemoved() async throws {
    let store = try TextStore(
      #"""
      model Continent { id: Int; @RemoteKey("codes") @Relationship(inverse: nil, by: \Country.code) countries: [Country] }
      model Country { id: Int; @Unique code: Int }
      """#)
    try await store.sync(#"[{"id": 7, "code": 1}]"#, as: "Country")
    try await store.sync(#"{"id": 1, "codes": [7]}"#)
    #expect(try await store.container.waitingLinks() == ["Continent 1.countries of : 7"])
    try await store.setAllMembers("countries", of: "Continent", to: "Country")
    #expect(try await store.container.waitingLinks() == [])
    #expect(try store.values(of: "Continent", "countries") == [[[7]]])
  }

  /// A row that requires its owner cannot be removed from its list. The error names the row and the list, and nothing is changed.
  @Test func rowsWithARequiredOwnerCannotBeRemoved() async throws {
    let container = try await filled()
    try await container.sync(
      payload: #"[{"id": "a", "title": "A", "task_id": 1}, {"id": "b", "title": "B", "task_id": 1}]"#,
      as: Item.self)
    for members in [[], ["b"]] {
      let error = await #expect(throws: SyncError.self) {
        try await container.database.write { try Task.membership(\.items, of: 1).set(members, $0) }
      }
      guard case .invalidPayload("Task", let reason)? = error else {
        Issue.record("\(error as Any)")
        continue
      }
      #expect(
        reason
          == "Item a cannot be removed from “items”: its “task” is required. Delete the row, or link it to another owner"
      )
    }
    await #expect(throws: SyncError.self) {
      try await container.database.write { try Task.membership(\.items, of: 1).remove(["x", "b"], $0) }
    }
    #expect(try container.pick(Item.self, "task") == [[1], [1]])
    // Rows that are not in the list are ignored, and a row can get another owner.
    try await container.database.write { db in
      try Task.membership(\.items, of: 2).remove(["a", "x"], db)
      try Task.membership(\.items, of: 2).set(["a"], db)
      try Task.membership(\.items, of: 1).set(["b"], db)
    }
    #expect(try container.pick(Item.self, "task") == [[2], [1]])
  }
}
