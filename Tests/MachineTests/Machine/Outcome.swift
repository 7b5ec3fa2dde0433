import Syncline
import TestSupport

/// What calls led to on a store.
struct Outcome {
  private(set) var error: (any Error)?
  private(set) var isUnchanged = true
  /// Whether a row was skipped, which may be written and taken back.
  private(set) var skipsRows = false
  let tables: StoreDump

  init(of calls: [Call], on store: SyncContainer) async throws {
    do {
      for call in calls {
        let report = try await call.run(on: store)
        if !report.isUnchanged { isUnchanged = false }
        if report.skipped > 0 { skipsRows = true }
      }
    } catch {
      self.error = error
    }
    tables = try StoreDump(store, unifyingMarks: true)
  }

  /// Where this outcome is not the other: one of them is an error, or the tables are not the same.
  func difference(from other: Outcome) -> (place: String, text: String)? {
    if (error == nil) != (other.error == nil) {
      let texts = [error, other.error].map { $0.map { "\($0)" } ?? "accepted" }
      return ("refused", texts.joined(separator: ", not: "))
    }
    guard tables != other.tables else { return nil }
    return (tables.names(besides: other.tables).joined(separator: " "), tables.difference(from: other.tables))
  }
}

extension SyncContainer {
  /// Another store, in memory, that holds the same.
  func copy() throws -> SyncContainer {
    let queue = try DatabaseQueue()
    try database.backup(to: queue)
    return try SyncContainer(
      for: MachineTestsSchema.self, storage: .database(queue), configuration: configuration)
  }
}
