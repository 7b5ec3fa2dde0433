import GRDB
import Syncline

/// The notices of a store about its commits.
///
/// A write to a separate model marks the end of the notices so far, so that no timeout is needed to find missing ones.
@MainActor
final class SimulatedNotices {
  private let store: SyncContainer
  private var iterator: SyncChangeNotices.AsyncIterator

  init(_ store: SyncContainer) async throws {
    self.store = store
    try await store.database.write { database in
      try database.execute(sql: "INSERT OR IGNORE INTO \(SimulatedSchema.beat) (id, count) VALUES (1, 0)")
    }
    iterator = store.changes().makeAsyncIterator()
  }

  /// The notices since the last call.
  ///
  /// - Parameter toleratesErrors: whether a fault may have kept the store from finding the changes.
  func take(toleratesErrors: Bool = false) async throws -> [SyncChanges] {
    try await store.database.write { database in
      try database.execute(sql: "UPDATE \(SimulatedSchema.beat) SET count = count + 1")
    }
    var notices: [SyncChanges] = []
    while true {
      var iterator = iterator
      do {
        guard let changes = try await iterator.next(isolation: MainActor.shared) else {
          throw SimulationError(description: "there are no more notices")
        }
        if changes.tables[SimulatedSchema.beat] != nil { return notices }
        notices.append(changes)
      } catch  where toleratesErrors && !(error is SimulationError) {
        continue
      }
    }
  }
}
