import Foundation
import TestSupport
import Testing

@testable import Syncline

/// What the server answers to a change.
enum ServerAnswer: Sendable {
  struct Lost: Error {}

  case lost, confirmed
  /// A body with the row.
  case row(String), conflict(String), rejected(String)
  case identity(Int64)

  func outcome<Model: SyncUpdatableModel>(of model: Model.Type) throws -> SyncPushOutcome<Model> {
    switch self {
    case .lost: throw Lost()
    case .confirmed: return .confirmed
    case .row(let body): return .confirmedWith(Data(body.utf8))
    case .rejected(let reason): return .rejected(reason)
    case .conflict(let body): return .conflict(with: Data(body.utf8))
    case .identity(let number):
      let id = try #require(Model.SyncID(SyncIdentity.integer(number)))
      return .confirmedAs(id)
    }
  }
}

/// A server with prepared answers, which confirms all further changes, and logs the requests.
actor AnsweringServer {
  private(set) var log: [String] = []
  private var answers: [ServerAnswer]

  init(_ answers: [ServerAnswer]) { self.answers = answers }

  func answer<Model>(_ change: SyncPendingChange<Model>) throws -> SyncPushOutcome<Model> {
    log.append("\(change.method) \(Model.databaseTableName) \(change.id)")
    let answer = answers.isEmpty ? ServerAnswer.confirmed : answers.removeFirst()
    return try answer.outcome(of: Model.self)
  }
}

extension TextStore {
  /// The pending changes of all models as sorted text: `Task update 1 pending`.
  func pending() async throws -> [String] {
    try await container.pendingChanges().map { "\($0.model) \($0.kind) \($0.id) \($0.state)" }.sorted()
  }

  /// Sends a batch. Changes without an answer stay sent.
  ///
  /// - Parameter answers: the answers by the identities of the rows.
  func push(
    _ name: String, limit: Int = SyncContainer.pushLimit, _ answers: [String: ServerAnswer]
  ) async throws -> SyncPushReport {
    func send<Model: SyncUpdatableModel>(_ model: Model.Type) async throws -> SyncPushReport {
      try await container.withPendingChanges(for: model, limit: limit) { changes in
        var outcomes: [Model.SyncID: SyncPushOutcome<Model>] = [:]
        for change in changes { outcomes[change.id] = try answers["\(change.id)"]?.outcome(of: model) }
        return outcomes
      }
    }
    return try await send(model(name))
  }

  @discardableResult
  func drain(
    _ names: [String], _ server: AnsweringServer, rounds: Int = 5
  ) async throws -> SyncPushReport {
    func push<Model: SyncUpdatableModel>(_ model: Model.Type) -> SyncPush {
      SyncPush(model) { change in try await server.answer(change) }
    }
    var list: [SyncPush] = []
    for name in names { list.append(push(try model(name))) }
    let pushes = list
    func all() -> [SyncPush] { pushes }
    return try await container.drainPendingChanges(
      retry: .exponential(first: .zero, rounds: rounds), all)
  }

  func discardAll(of name: String) async throws { try await discard(name) { _ in true } }

  /// Discards the change of one row.
  func discard(_ name: String, _ id: String) async throws { try await discard(name) { $0 == id } }

  private func discard(_ name: String, where isWanted: (String) -> Bool) async throws {
    func discard<Model: SyncUpdatableModel>(_ model: Model.Type) async throws {
      for change in try await container.pendingChanges(for: model) where isWanted("\(change.id)") {
        try await container.discard(change)
      }
    }
    try await discard(model(name))
  }
}
