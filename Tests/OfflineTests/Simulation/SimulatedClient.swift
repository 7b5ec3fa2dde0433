import Foundation
import GRDB
import TestSupport

@testable import Syncline

/// A client with a store in a file, which it can close and open again at any time.
final class SimulatedClient {
  let number: Int
  let server: SimulatedServer
  let fault: SimulatedFault?
  private let path: String
  private(set) var store: SyncContainer
  private(set) var editor = SimulatedEditor()
  /// Answers that have not come yet.
  var late: [(SyncContainer) async throws -> Void] = []
  /// The rows whose edits were given up.
  var discarded: Set<String> = []
  private(set) var deletedProjects: Set<Int> = []
  /// Edits that were lost.
  private(set) var faults: [String] = []
  /// The step before which there is no connection.
  private var offlineUntil = 0

  init(
    _ number: Int, _ server: SimulatedServer, in folder: TemporaryFolder, _ fault: SimulatedFault?
  ) throws {
    (self.number, self.server, self.fault) = (number, server, fault)
    path = try folder.file("client\(number).sqlite").path
    let empty = try makeStore()
    let file = try SimulatedClient.open(path)
    try empty.database.backup(to: file)
    store = try SyncContainer(for: OfflineTestsSchema.self, storage: .database(file))
  }

  /// What is committed need not survive a power failure here.
  private static func open(_ path: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = OFF") }
    return try DatabaseQueue(path: path, configuration: configuration)
  }

  func close() throws { try store.database.close() }

  /// How far the client's clock is from the right time.
  private var stamp: Int {
    SimulatedServer.time(server.clock) + [0, 86_400, -86_400, 3_600, 0][number % 5]
  }

  // MARK: Steps

  func run(_ step: SimulatedStep) async throws {
    try await perform(step.action, number: step.number * 10 + 100, time: step.number)
  }

  func goOnline() { (offlineUntil, late) = (0, []) }

  func perform(_ action: SimulatedStep.Action, number: Int, time: Int) async throws {
    let isOnline = time >= offlineUntil
    switch action {
    case .edit(let edit, let choice): try self.edit(edit, choice, number)
    case .push(let push) where isOnline: try await self.push(push, number: number, time: time)
    case .pull where isOnline: try await pull()
    case .list(let model) where isOnline: try await pull(model)
    case .item(let model, let choice) where isOnline: try await pull(model, choice)
    case .answers where isOnline: try await takeAnswers()
    case .crash: try crash()
    case .partition(let length): offlineUntil = time + length
    case .replay(let choice):
      guard !server.old.isEmpty else { return }
      _ = try server.answer(server.old[choice % server.old.count], .row)
    default: break
    }
  }

  /// What is not in the file is lost.
  func crash() throws {
    late = []
    try store.database.close()
    let file = try SimulatedClient.open(path)
    store = try SyncContainer(for: OfflineTestsSchema.self, storage: .database(file))
  }

  private func edit(_ edit: SimulatedEdit, _ choice: Int, _ number: Int) throws {
    let before = try projects()
    var editor = self.editor
    let stamp = self.stamp
    try store.database.write { try editor.edit($0, edit, choice, number, stamp) }
    self.editor = editor
    deletedProjects.formUnion(before.subtracting(try projects()))
    try fault?.afterEdit(in: store.database)
  }

  private func projects() throws -> Set<Int> {
    try store.database.read { Set(try Int.fetchAll($0, sql: "SELECT id FROM Project")) }
  }

  // MARK: Pulls

  func pull() async throws {
    try await keepingEdits(isPull: true) {
      for model in SimulatedModel.allCases { try await sync(model) }
    }
  }

  private func pull(_ model: SimulatedModel) async throws {
    try await keepingEdits(isPull: true) {
      // Steps and seats must have their tasks.
      if model == .step || model == .seat { try await sync(.task) }
      try await sync(model)
    }
  }

  private func sync(_ model: SimulatedModel) async throws {
    let list = server.list(model)
    switch model {
    case .project: try await store.sync(payload: list, as: Project.self)
    case .task: try await store.sync(payload: list, as: Task.self)
    case .passport: try await store.sync(payload: list, as: Passport.self)
    case .step: try await store.sync(payload: list, as: Step.self)
    case .note: try await store.sync(payload: list, as: Note.self)
    case .seat:
      for task in try tasks() where task <= 4 && server.has(.task, task) {
        try await store.sync(
          payload: server.seats(of: task), as: Seat.self, parent: task, relationship: \.task)
      }
    }
  }

  private func tasks() throws -> [Int] {
    try store.database.read { try Int.fetchAll($0, sql: "SELECT id FROM Task ORDER BY id") }
  }

  private func pull(_ model: SimulatedModel, _ choice: Int) async throws {
    let rows = server.rows(model)
    guard !rows.isEmpty else { return }
    let row = SyncJSON.object(rows[choice % rows.count])
    try await keepingEdits(isPull: true) {
      let store = self.store
      switch model {
      case .project: try await store.sync(item: row, as: Project.self)
      case .task: try await store.sync(item: row, as: Task.self)
      case .step:
        // Its task may be one that the client does not have.
        guard let task = row["task_id"]?.int, try tasks().contains(task) else { return }
        try await store.sync(item: row, as: Step.self)
      default: break
      }
    }
  }

  /// Checks that values which the server does not have are still there afterwards, and after a pull the deletions.
  func keepingEdits(isPull: Bool = false, _ body: () async throws -> Void) async throws {
    let before = try SimulatedLook(store)
    let stamps = try fault?.stamps(in: store.database)
    try await body()
    if let stamps { try fault?.restore(stamps, in: store.database) }
    try check(before, isPull: isPull)
  }

  func check(_ before: SimulatedLook, isPull: Bool) throws {
    let after = try SimulatedLook(store)
    for value in before.values.subtracting(after.values).sorted() where server.counts[value] == nil {
      faults.append("client \(number) lost \(value)")
    }
    guard isPull else { return }
    for row in before.deleted.subtracting(after.deleted).sorted() {
      faults.append("client \(number) lost the deletion of \(row)")
    }
  }
}
