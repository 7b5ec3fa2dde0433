import Foundation
import GRDB
import Syncline
import TestSupport

/// Reads that follow a store during syncs: a list, a fetch, and the notices of changes.
final class Followers: Sendable {
  private let list: FollowedResults
  private let fetch: FollowedResults
  private let notices: FollowedResults
  private let store: TextStore
  private let model: any SyncUpdatableModel.Type

  private static let limit = 50

  init(of name: String, in store: TextStore) throws {
    self.store = store
    model = try store.model(name)
    let container = store.container
    func followList<Model: SyncUpdatableModel>(_ model: Model.Type) -> FollowedResults {
      FollowedResults { add in
        let rows = container.values(of: model, orderBy: [Column("id")], limit: Followers.limit)
        for try await rows in rows { add { rows.map { "\($0)" } } }
      }
    }
    list = followList(model)
    let sql = Followers.sql(name)
    fetch = FollowedResults { add in
      let rows = container.values { try String.fetchAll($0, sql: sql) }
      for try await rows in rows { add { rows } }
    }
    // From here on, notices are delivered.
    let changes = container.changes()
    notices = FollowedResults { add in
      for try await _ in changes { add { [] } }
    }
  }

  private static func sql(_ name: String) -> String {
    "SELECT id || ' ' || text FROM \(name) ORDER BY id LIMIT \(limit)"
  }

  /// Waits until the followers have the same results as a new read of the store, and then ends them.
  ///
  /// - Returns: the followers that failed, or that never had these results.
  func end() async throws -> [String] {
    let (rows, texts) = try await expected()
    var findings = await list.end("the list", expecting: rows)
    findings += await fetch.end("the fetch", expecting: texts)
    findings += await notices.end("the notices", expecting: [])
    return findings
  }

  private func expected() async throws -> (rows: [String], texts: [String]) {
    func rows<Model: SyncUpdatableModel>(_ model: Model.Type) async throws -> [String] {
      try await store.container.database.read { database in
        try Model.order(Column("id")).limit(Followers.limit).fetchAll(database).map { "\($0)" }
      }
    }
    let sql = Followers.sql(model.databaseTableName)
    return (
      try await rows(model),
      try await store.container.database.read { try String.fetchAll($0, sql: sql) }
    )
  }
}

/// The last result of one sequence that follows the store.
private final class FollowedResults: @unchecked Sendable {
  /// A result as text. It is a closure, because creating the text takes long.
  typealias Result = @Sendable () -> [String]

  private let lock = NSLock()
  private var last: Result?
  private var failure: (any Error)?
  private var task: Task<Void, Never>?

  init(
    _ follow: @escaping @Sendable (_ add: @escaping @Sendable (@escaping Result) -> Void) async throws -> Void
  ) {
    let task = Task {
      do {
        try await follow { self.add($0) }
      } catch {
        self.fail(error)
      }
    }
    lock.withLock { self.task = task }
  }

  private func add(_ result: @escaping Result) { lock.withLock { last = result } }
  private func fail(_ error: any Error) { lock.withLock { failure = error } }

  private var state: (last: Result?, failure: (any Error)?) { lock.withLock { (last, failure) } }

  /// Waits for a result, at most for half a minute, and ends the sequence.
  func end(_ name: String, expecting expected: [String]) async -> [String] {
    let deadline = ContinuousClock.now + .seconds(30)
    while state.failure == nil, state.last?() != expected, ContinuousClock.now < deadline {
      do { try await Task.sleep(for: .milliseconds(2)) } catch { break }
    }
    let (result, failure) = state
    let last = result?()
    let task = lock.withLock { self.task }
    task?.cancel()
    await task?.value
    if let failure { return ["\(name) that follows the store failed: \(failure)"] }
    guard last != expected else { return [] }
    return ["\(name) that follows the store has \(last?.count ?? -1) rows, not these \(expected.count)"]
  }
}
