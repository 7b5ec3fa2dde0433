import Foundation
import Observation
import Syncline

/// The contents of the screen, and the actions of its keys.
@MainActor @Observable
final class Board {
  private static let limit = 10
  nonisolated private static let states: [TaskState] = [.open, .inProgress, .done]

  private let container: SyncContainer
  private let api: API
  private let users: SyncQueryPublisher<User>
  private let tasks: SyncedQueryPublisher<Task>
  private let archive: SyncSubmissionDriver<Void>
  private let change: SyncSubmissionDriver<Change>
  /// How the server should respond to the next request.
  private let mood = Mood()
  private var counts: [TaskState: Int] = [:]
  /// The part of the archive that has been synced, from 0 to 1.
  private var progress: Double?

  /// Changes the tasks as another user of the API.
  private enum Change { case advance, add }

  /// The request that the load sends.
  private actor Mood {
    private var mood = API.Mood.normal
    func set(_ new: API.Mood) { mood = new }
    var current: API.Mood { mood }
  }

  init(_ container: SyncContainer, _ api: API) {
    (self.container, self.api) = (container, api)
    users = SyncQueryPublisher(User.self, in: container)
    tasks = SyncedQueryPublisher(
      Task.self, in: container, where: Task.Columns.state != .done, orderBy: [Task.Columns.title],
      limit: Board.limit, relationship: \.project, relationshipID: 1
    ) { [mood] in
      let payload = try await api.tasks(await mood.current)
      // The list does not contain the archived tasks, so they must not be deleted.
      try await container.sync(
        payload: payload, at: "data.tasks", as: Task.self, deletionPolicy: .none)
    }
    change = SyncSubmissionDriver { change in
      let item = try await change == .add ? api.add() : api.advance()
      try await container.sync(item: item, as: Task.self)
    }
    let report = Progress()
    archive = SyncSubmissionDriver {
      for page in 1...Service.archivePages {
        let payload = try await api.archive(page: page)
        try await container.sync(
          payload: payload, at: "data.tasks", as: Task.self, deletionPolicy: .none)
        await report.tell(Double(page) / Double(Service.archivePages))
      }
    }
    report.board = self
    followCounts()
    load(.normal)
  }

  /// Receives the progress of a sync, which runs on another thread.
  @MainActor
  private final class Progress {
    weak var board: Board?
    func tell(_ progress: Double) { board?.progress = progress }
  }

  /// The number of tasks in each state: now, and after each change.
  private func followCounts() {
    let counts = container.values { db in
      try Dictionary(
        uniqueKeysWithValues: Board.states.map { state in
          (state, try Task.filter(Task.Columns.state == state).fetchCount(db))
        })
    }
    _Concurrency.Task { [weak self] in
      for try await counts in counts { self?.counts = counts }
    }
  }

  private func load(_ mood: API.Mood) {
    _Concurrency.Task {
      await self.mood.set(mood)
      await tasks.load(.replacing)
    }
  }

  // MARK: Keys

  /// Runs the action of a key.
  ///
  /// - Returns: false if the program should end.
  func press(_ key: Character) -> Bool {
    switch key {
    case "r": load(.normal)
    case "s": load(.slow)
    case "e": load(.failing)
    case "c":
      tasks.cancel()
      archive.cancel()
    case "n": _Concurrency.Task { await change.submit(.advance) }
    case "a": _Concurrency.Task { await change.submit(.add) }
    case "i":
      progress = 0
      _Concurrency.Task { await archive.submit(()) }
    case "q", "\u{3}", "\u{4}": return false
    default: break
    }
    return true
  }

  // MARK: Lines

  var lines: [String] {
    var lines = ["The new site — \(api.root.absoluteString)", status, ""]
    lines += tasks.rows.map(line)
    if tasks.isLoaded, tasks.rows.isEmpty { lines.append("  nothing to do") }
    lines += ["", bar, "r refresh  s slow  e error  c cancel  n next state  a add  i import  q quit"]
    return lines
  }

  private var status: String {
    let counts = Board.states.map { "\(self.counts[$0] ?? 0) \(name(of: $0))" }.joined(separator: ", ")
    if change.phase.isLoading { return "\(counts) · sending…" }
    return switch tasks.phase {
    case .idle: "\(counts) · not loaded"
    case .loading: "\(counts) · loading…"
    case .loaded: "\(counts) · loaded"
    case .failed(let reason): "\(counts) · failed: \(reason)"
    }
  }

  private func line(_ task: Task) -> String {
    let assignee = users.rows.first { $0.id == task.assignee?.id }?.name ?? "–"
    let mark = task.state == .open ? "○" : "◐"
    return "  \(mark) \(task.title.padding(28)) \(name(of: task.state).padding(12)) \(assignee)"
  }

  private func name(of state: TaskState) -> String { state == .inProgress ? "in progress" : state.rawValue }

  private var bar: String {
    guard let progress else { return "" }
    let width = 20
    let full = Int(progress * Double(width))
    let cells = String(repeating: "█", count: full) + String(repeating: "░", count: width - full)
    return "archive \(cells) \(Int(progress * 100)) %"
  }
}

extension String {
  /// The text, padded with spaces.
  fileprivate func padding(_ width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
