import Foundation
import ReplicateFirst
import ReplicateSecond
import Syncline

/// A version of the app that writes the store.
enum Version: String, CaseIterable {
  case first, second

  /// The version that makes a call. The second version makes the second half of the calls.
  init(of number: Int, calls: Int) {
    self = number <= calls / 2 ? .first : .second
  }

  /// Opens a store. The second version migrates it.
  func open(_ storage: SyncStorage) throws -> SyncContainer {
    switch self {
    case .first: try SyncContainer(for: ReplicateFirstSchema.self, storage: storage)
    case .second: try SyncContainer(for: ReplicateSecondSchema.self, storage: storage)
    }
  }

  func run(_ call: Call, on store: SyncContainer) async throws {
    switch self {
    case .first: try await run(call, on: store, ReplicateFirst.Task.self, \.project)
    case .second: try await run(call, on: store, ReplicateSecond.Task.self, \.project)
    }
  }

  private func run<Task: SyncUpdatableModel, Link: SyncParentLink>(
    _ call: Call, on store: SyncContainer, _ task: Task.Type, _ project: KeyPath<Task, Link>
  ) async throws where Link.Parent.SyncID == Int {
    switch call.kind {
    case .list: try await store.sync(payload: call.payload, as: task)
    case .part: try await store.sync(payload: call.payload, as: task, deletionPolicy: .some(.none))
    case .item: try await store.sync(item: call.payload, as: task)
    case .children:
      try await store.sync(payload: call.payload, as: task, parent: call.parent, relationship: project)
    }
  }
}
