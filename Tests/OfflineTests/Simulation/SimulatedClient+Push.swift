import Foundation

@testable import Syncline

/// What a client sends, and what becomes of it.
extension SimulatedClient {
  private struct Lost: Error {}

  func takeAnswers() async throws {
    let answers = late
    late = []
    try await keepingEdits { for answer in answers { try await answer(store) } }
  }

  func push(_ push: SimulatedStep.Push, number: Int, time: Int) async throws {
    var meanwhile = push.meanwhile
    /// Runs once.
    func perform() async throws {
      let actions = meanwhile
      meanwhile = []
      for (index, action) in actions.enumerated() {
        try await self.perform(action, number: number + 1 + index, time: time)
      }
    }
    for model in SimulatedModel.allCases {
      switch model {
      case .project: try await send(Project.self, model, push, perform)
      case .task: try await send(Task.self, model, push, perform)
      case .passport: try await send(Passport.self, model, push, perform)
      case .step: try await send(Step.self, model, push, perform)
      case .seat: try await send(Seat.self, model, push, perform)
      case .note: try await send(Note.self, model, push, perform)
      }
    }
    if push.crashes { try crash() }
  }

  private func send<Model: SyncUpdatableModel>(
    _ type: Model.Type, _ model: SimulatedModel, _ push: SimulatedStep.Push,
    _ meanwhile: () async throws -> Void
  ) async throws {
    try fault?.beforePush(of: model, in: store.database)
    let stamps = try fault?.stamps(in: store.database)
    let links = try fault?.links(in: store.database)
    var before: SimulatedLook?
    do {
      try await store.withPendingChanges(for: type) { changes in
        var outcomes: [Model.SyncID: SyncPushOutcome<Model>] = [:]
        for (place, change) in changes.enumerated() {
          outcomes[change.id] = try outcome(of: change, model, push.fate(of: model, at: place))
        }
        try await meanwhile()
        if push.cut == model.number { throw Lost() }
        before = try SimulatedLook(store)
        return outcomes
      }
    } catch is Lost {
      try fault?.afterCut(of: model, in: store.database)
    }
    if let stamps { try fault?.restore(stamps, in: store.database) }
    if let links { try fault?.cut(links, in: store.database) }
    try fault?.afterPush(of: model, in: store.database)
    if let before { try check(before, isPull: false) }
  }

  /// Sends a request.
  ///
  /// - Returns: nil if there is no answer for now.
  private func outcome<Model: SyncUpdatableModel>(
    of change: SyncPendingChange<Model>, _ model: SimulatedModel, _ fate: SimulatedStep.Fate
  ) throws -> SyncPushOutcome<Model>? {
    let request = try SimulatedClient.request(for: change, model, number, server)
    func outcome(_ mood: SimulatedServer.Mood) throws -> SyncPushOutcome<Model> {
      let answer = try server.answer(request, mood)
      server.forgetKey(of: request)
      return SimulatedClient.outcome(answer, change)
    }
    switch fate {
    case .row: return try outcome(.row)
    case .bare: return try outcome(.bare)
    case .conflict: return try outcome(.conflict)
    case .refused: return try outcome(.refused)
    case .busy: return SimulatedClient.outcome(try server.answer(request, .busy), change)
    case .twice:
      _ = try outcome(.row)
      return try outcome(.bare)
    case .lost: server.delay(request)
    case .unanswered: _ = try server.answer(request, .row)
    case .late:
      let outcome = SimulatedClient.outcome(try server.answer(request, .row), change)
      late.append { store in
        var report = SyncPushReport()
        try await store.record(outcome, of: change, at: 0, in: &report)
      }
    }
    return nil
  }

  private static func request<Model: SyncUpdatableModel>(
    for change: SyncPendingChange<Model>, _ model: SimulatedModel, _ client: Int, _ server: SimulatedServer
  ) throws -> SimulatedServer.Request {
    let body = change.body.isEmpty ? nil : try SyncJSON(parsing: change.body).object
    let parent = change.rowKey.parent.map { "\($0)/" } ?? ""
    let row = parent + change.rowKey.identity.description
    return SimulatedServer.Request(
      client: client, model: model, row: row, method: change.method, body: body ?? SyncJSONObject(),
      key: server.key(change.key, "\(model.rawValue) \(row)", client))
  }

  private static func outcome<Model: SyncUpdatableModel>(
    _ answer: SimulatedServer.Answer, _ change: SyncPendingChange<Model>
  ) -> SyncPushOutcome<Model> {
    if let made = answer.made, let id = made as? Model.SyncID {
      return .confirmedAs(id, with: answer.body.isEmpty ? nil : answer.body)
    }
    return SyncPushOutcome(status: answer.status, body: answer.body, for: change)
  }

  // MARK: The end

  /// Sends all that can be sent. The server answers each request.
  func drain(_ mood: SimulatedServer.Mood) async throws {
    for model in SimulatedModel.allCases { try fault?.beforePush(of: model, in: store.database) }
    let (server, number) = (self.server, self.number)
    @Sendable func send<Model: SyncUpdatableModel>(
      _ change: SyncPendingChange<Model>, _ model: SimulatedModel
    ) throws -> SyncPushOutcome<Model> {
      let request = try SimulatedClient.request(for: change, model, number, server)
      let answer = try server.answer(request, mood)
      server.forgetKey(of: request)
      return SimulatedClient.outcome(answer, change)
    }
    try await keepingEdits {
      try await store.drainPendingChanges(retry: .exponential(rounds: 1)) {
        SyncPush(Project.self) { try send($0, .project) }
        SyncPush(Task.self) { try send($0, .task) }
        SyncPush(Passport.self) { try send($0, .passport) }
        SyncPush(Step.self) { try send($0, .step) }
        SyncPush(Seat.self) { try send($0, .seat) }
        SyncPush(Note.self) { try send($0, .note) }
      }
    }
  }

  /// Gives up what the server refused, and what cannot be stored.
  func discard() async throws {
    try await discard(Project.self)
    try await discard(Task.self)
    try await discard(Passport.self)
    try await discard(Step.self)
    try await discard(Seat.self)
    try await discard(Note.self)
  }

  private func discard<Model: SyncUpdatableModel>(_ model: Model.Type) async throws {
    for change in try await store.pendingChanges(for: model)
    where change.state == .rejected || change.state == .aside {
      discarded.insert("\(model.databaseTableName) \(change.rowKey.identity)")
      try await store.discard(change)
    }
  }
}
