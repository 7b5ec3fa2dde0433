import Foundation
import Syncline
import SynclineTesting
import Testing

/// To-many relationships that are changed in a transaction of the user's.
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

  @Test func linksOfATableAreSetAddedAndTakenOut() async throws {
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
    // The other end of it.
    try await container.database.write { try Tag.membership(\.tasks, of: 3).set([1], $0) }
    #expect(try container.pick(Task.self, "tags") == [[[2, 3]], [[]]])
    await #expect(throws: DatabaseError.self) {
      try await container.database.write { try Task.membership(\.tags, of: 1).insert([99], $0) }
    }
  }

  @Test func childrenAreSetAddedAndTakenOut() async throws {
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

  @Test func changesAreNoticed() async throws {
    let container = try await filled()
    var rows = container.values(of: Task.self, relationship: \.tags, relationshipID: 3).makeAsyncIterator()
    #expect(try await rows.next()?.map(\.id) == [2])
    try await container.database.write { try Task.membership(\.tags, of: 1).insert([3], $0) }
    #expect(try await rows.next()?.map(\.id) == [1, 2])
  }

  @Test func whatWaitsAndIsNotInItIsForgotten() async throws {
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
}
