import Foundation
import GRDB
import Syncline

/// A query that follows a store.
protocol SimulatedFollowing: Sendable {
  /// The difference between the last published result and a new query; nil if there is none.
  func problem() async throws -> String?
  func stop()
}

extension SimulatedQuery {
  /// Follows a store.
  func follow(_ store: SyncContainer, _ model: any SyncUpdatableModel.Type) throws -> any SimulatedFollowing {
    func follower<Model: SyncGeneratedModel>(_ model: Model.Type) -> any SimulatedFollowing {
      SimulatedFollower<Model>(self, store)
    }
    guard let generated = model as? any SyncGeneratedModel.Type else {
      throw SimulationError(description: "\(model) is not generated")
    }
    return follower(generated)
  }

  fileprivate var condition: SQLExpression? { filter.map { SQL(sql: $0).sqlExpression } }

  fileprivate var terms: [any SQLOrderingTerm] {
    guard let order else { return [] }
    return [order.isDescending ? Column(order.column).desc : Column(order.column).asc]
  }
}

private final class SimulatedFollower<Model: SyncGeneratedModel>: SimulatedFollowing {
  private let query: SimulatedQuery
  private let store: SyncContainer
  private let published = Published<Model>()
  private let task: Task<Void, Never>

  init(_ query: SimulatedQuery, _ store: SyncContainer) {
    self.query = query
    self.store = store
    let values = store.values(
      of: Model.self, where: query.condition, orderBy: query.terms, limit: query.limit)
    task = Task { [published] in
      do {
        for try await rows in values { published.set(.success(Array(rows))) }
      } catch {
        published.set(.failure(error))
      }
    }
  }

  func stop() { task.cancel() }

  func problem() async throws -> String? {
    let fresh = try await store.database.read { [query] database in
      var request = Model.order(query.terms + [Column(Model.syncIdentityColumn)])
      if let condition = query.condition { request = request.filter(condition) }
      if let limit = query.limit { request = request.limit(limit) }
      return try request.fetchAll(database)
    }
    let end = ContinuousClock.now + .seconds(10)
    while ContinuousClock.now < end {
      switch published.last {
      case .success(let rows) where rows == fresh: return nil
      case .failure(let error): return "\(query): \(error)"
      default: try await Task.sleep(for: .microseconds(200))
      }
    }
    let last = try published.last?.get()
    return "\(query): published \(last.map(identities) ?? "nothing"), but there is \(identities(fresh))"
  }

  private func identities(_ rows: [Model]) -> String {
    "[\(rows.map { "\($0[keyPath: Model.syncIdentity])" }.joined(separator: " "))]"
  }
}

/// The last published result of a query.
private final class Published<Model: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var result: Result<[Model], any Error>?

  var last: Result<[Model], any Error>? { lock.withLock { result } }

  func set(_ new: Result<[Model], any Error>) { lock.withLock { result = new } }
}
