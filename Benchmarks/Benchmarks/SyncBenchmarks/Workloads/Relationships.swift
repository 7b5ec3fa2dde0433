import Foundation
import Syncline

/// Nested children and many-to-many keys.
enum Relationships {
  static func register() {
    registerNested()
    registerLinks()
    for isShuffled in [false, true] { registerTasks(isShuffled: isShuffled) }
  }

  private static func registerNested() {
    let payload = Lazy { WorkspaceData.boards(1...1_000, cards: 10) }
    let empty: @Sendable () async throws -> Store = {
      _ = try payload.value()
      return try Store()
    }
    let filled: @Sendable () async throws -> Store = {
      let store = try Store()
      try await store.container.sync(payload: payload.value(), as: Board.self)
      return store
    }
    let first = "6 1k parents with 10 nested children each, first sync"
    workload(first, .syncline, prepare: empty) { store in
      try await store.container.sync(payload: payload.value(), as: Board.self)
    }
    workload(first, .floor, prepare: empty) { store in
      try Floor.scan(payload.value())
      try await Floor.insertBoards(1_000, cards: 10, in: store)
    }
    workload(first, .handWritten, prepare: empty) { store in
      try await HandWritten.sync(boards: payload.value(), in: store)
    }
    let again = "6 1k parents with 10 nested children each, the same again"
    sharedWorkload(again, .syncline, prepare: filled) { store, _ in
      try await store.container.sync(payload: payload.value(), as: Board.self)
    }
    sharedWorkload(again, .floor, prepare: filled) { store, _ in
      try Floor.scan(payload.value())
      try await Floor.selectBoards(1_000, in: store)
    }
    sharedWorkload(again, .handWritten, prepare: filled) { store, _ in
      try await HandWritten.sync(boards: payload.value(), in: store)
    }
  }

  private static func registerLinks() {
    let size = 1_000
    let filled: @Sendable () async throws -> Store = {
      let store = try Store()
      try await store.container.sync(payload: WorkspaceData.tags(size), as: Tag.self)
      try await store.container.sync(
        payload: WorkspaceData.tagged(1...size, size: size, count: 20), as: Task.self)
      return store
    }
    // In every second iteration, two of the twenty tags differ.
    let payloads = Lazy {
      [0, 2].map { WorkspaceData.tagged(1...size, size: size, count: 20, churn: $0) }
    }
    let same = "7 1k owners with 20 many-to-many keys, no change"
    sharedWorkload(same, .syncline, prepare: filled) { store, _ in
      try await store.container.sync(payload: payloads.value()[0], as: Task.self)
    }
    sharedWorkload(same, .floor, prepare: filled) { store, _ in
      try Floor.scan(payloads.value()[0])
      try await Floor.selectTagged(size, replacing: nil, in: store)
    }
    sharedWorkload(same, .handWritten, prepare: filled) { store, _ in
      try await HandWritten.sync(tasks: payloads.value()[0], in: store)
    }
    let churn = "7 1k owners with 20 many-to-many keys, 10 % churn"
    sharedWorkload(churn, .syncline, iterations: 10, prepare: filled) { store, iteration in
      try await store.container.sync(payload: payloads.value()[iteration % 2], as: Task.self)
    }
    // The two removed and the two added tags of each task.
    let changes = (1...size).map { id in
      let tags = WorkspaceData.members(of: id, among: size, salt: 1, count: 22)
      return (old: Array(tags.prefix(2)), new: Array(tags.suffix(2)))
    }
    sharedWorkload(churn, .floor, iterations: 10, prepare: filled) { store, iteration in
      try Floor.scan(payloads.value()[iteration % 2])
      let change = iteration % 2 == 1 ? changes : changes.map { (old: $0.new, new: $0.old) }
      try await Floor.selectTagged(size, replacing: change, in: store)
    }
    sharedWorkload(churn, .handWritten, iterations: 10, prepare: filled) { store, iteration in
      try await HandWritten.sync(tasks: payloads.value()[iteration % 2], in: store)
    }
  }

  /// A list of tasks as most APIs return it, in which the same users and tags are nested repeatedly.
  private static func registerTasks(isShuffled: Bool) {
    let (count, size) = (20_000, 1_000)
    let tasks = Lazy { WorkspaceData.tasks(1...count, size: size, isShuffled: isShuffled) }
    let empty: @Sendable () async throws -> Store = {
      _ = try tasks.value()
      let store = try Store()
      try await store.container.sync(
        payload: WorkspaceData.projects(count / WorkspaceData.tasksPerProject), as: Project.self)
      return store
    }
    let filled: @Sendable () async throws -> Store = {
      let store = try await empty()
      try await store.container.sync(payload: WorkspaceData.tasks(1...count, size: size), as: Task.self)
      return store
    }
    let name = "6 20k tasks with 21 people and tags nested" + (isShuffled ? ", in any order" : "")
    workload(name + ", first sync", .syncline, iterations: 3, prepare: empty) { store in
      try await store.container.sync(payload: tasks.value(), as: Task.self)
    }
    workload(name + ", first sync", .handWritten, iterations: 1, prepare: empty) { store in
      try await HandWritten.sync(tasks: tasks.value(), in: store)
    }
    sharedWorkload(name + ", the same again", .syncline, iterations: 5, prepare: filled) { store, _ in
      try await store.container.sync(payload: tasks.value(), as: Task.self)
    }
    sharedWorkload(name + ", the same again", .handWritten, iterations: 1, prepare: filled) { store, _ in
      try await HandWritten.sync(tasks: tasks.value(), in: store)
    }
  }
}
