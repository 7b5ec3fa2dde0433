import Foundation
import GRDB
import Observation
import SynclineTesting
import Testing

@testable import Syncline

/// The base of SwiftUI's property wrappers and of the helper for UIKit.
@MainActor @Suite struct ViewSourceTests {
  private func query(_ name: String, limit: Int? = nil) -> ListQuery<Tag> {
    ListQuery(
      where: Tag.Columns.name == name || Tag.Columns.id > 100, orderBy: [Tag.Columns.name.desc], limit: limit)
  }

  @Test func queryIsObservedAgainOnlyWhenItChanges() async throws {
    let store = try makeStore()
    try await store.sync(payload: payload(1...3) { #"{"id": \#($0), "name": "\#($0)"}"# }, as: Tag.self)
    let source = QuerySource<Tag>()
    #expect(source.rows.isEmpty)
    source.follow(query("1"), in: nil)
    #expect(source.publisher == nil)
    source.follow(query("1"), in: store)
    let first = try #require(source.publisher)
    // The rows are read immediately, for the first rendering.
    #expect(source.rows.map(\.id) == [1])
    source.follow(query("1"), in: store)
    #expect(source.publisher === first)
    source.follow(query("2"), in: store)
    #expect(source.publisher !== first && source.rows.map(\.id) == [2])
    let second = source.publisher
    source.follow(query("2", limit: 5), in: store)
    #expect(source.publisher !== second)
    source.follow(query("2", limit: 5), in: try makeStore())
    #expect(source.rows.isEmpty)
  }

  @Test func queryKeyDependsOnAllParameters() throws {
    let store = try makeStore()
    func key(
      _ id: Int = 1, _ relationship: Relationship? = nil, refreshOn: [any SyncUpdatableModel.Type] = []
    )
      -> String
    {
      ListQuery<Task>(where: Task.Columns.id == id, relationship: relationship, refreshOn: refreshOn)
        .key(in: store)
    }
    #expect(key() == key())
    let keys = [
      key(), key(2), key(refreshOn: [User.self]), key(1, Relationship(\Task.project, .integer(1))),
      key(1, Relationship(\Task.project, .integer(2))), key(1, Relationship(\Task.assignee, .integer(1))),
      ListQuery<Task>().key(in: store), ListQuery<Task>(orderBy: [Task.Columns.id]).key(in: store),
      ListQuery<Task>(orderBy: [Task.Columns.id.desc]).key(in: store),
    ]
    #expect(Set(keys).count == keys.count)
    func tags(_ name: String) -> String {
      let tags = Tag.filter(Tag.Columns.name == name).select(Tag.Columns.id)
      return ListQuery<Kinds>(where: tags.contains(Kinds.Columns.int)).key(in: store)
    }
    #expect(tags("a") != tags("b") && tags("a") == tags("a"))
    let keysOfUUIDs = (1...2).map { _ in ListQuery<Kinds>(where: Kinds.Columns.uuid == UUID()).key(in: store)
    }
    #expect(keysOfUUIDs[0] != keysOfUUIDs[1])
  }

  @Test func rowIsObservedAgainOnlyWhenTheIdentityChanges() async throws {
    let store = try makeStore()
    try await store.sync(payload: payload(1...2) { #"{"id": \#($0), "name": "\#($0)"}"# }, as: Tag.self)
    let source = RowSource<Tag>()
    source.follow(1, in: store, refreshOn: [])
    let first = try #require(source.publisher)
    #expect(source.row?.name == "1")
    source.follow(1, in: store, refreshOn: [])
    #expect(source.publisher === first)
    source.follow(2, in: store, refreshOn: [])
    #expect(source.row?.name == "2")
  }

  @Test func changesAreObservedUntilTheObservationIsReleased() async throws {
    let store = try makeStore()
    let publisher = SyncQueryPublisher(Tag.self, in: store, readsImmediately: true)
    let (counts, count) = AsyncStream.makeStream(of: Int.self)
    var observation: SyncObservation? = observeContinuously { count.yield(publisher.rows.count) }
    var iterator = counts.makeAsyncIterator()
    #expect(await iterator.next() == 0)
    for expected in 1...3 {
      try await store.sync(item: #"{"id": \#(expected), "name": "n"}"#, as: Tag.self)
      #expect(await iterator.next() == expected)
    }
    weak let released = observation
    observation = nil
    #expect(released == nil)
    try await store.sync(item: #"{"id": 9, "name": "n"}"#, as: Tag.self)
    try await store.settle()
    let last = observeContinuously { count.yield(-1) }
    #expect(await iterator.next() == -1)
    last.cancel()
  }
}
