/// The situation in which a process is killed while it writes a store.
enum KillScene: String, CaseIterable, Sendable {
  /// No other process. The store is opened afterwards.
  case alone
  /// The store has a rollback journal, which the next process must roll back.
  case journal
  /// Another process has the store open and reads it.
  case reader
  /// The process recovers a damaged store while another process opens it.
  case recovery

  var mode: PowerMode { self == .journal ? .journal : .normal }

  /// The workloads of the scene.
  var workloads: [Workload] {
    switch self {
    case .alone: KillScene.calls
    case .journal, .reader:
      KillScene.calls.filter { if case .openStore = $0.start { true } else { false } }
    case .recovery: ["recovery"].compactMap(Workload.named)
    }
  }

  /// The SQLite calls at which the process is killed.
  var kinds: FaultKinds { self == .recovery ? [.changes, .lock] : .write }

  /// Whether a process is also killed in the middle of a write, after half of its bytes.
  var hasHalves: Bool { self != .recovery }

  private static let calls = [
    "opening", "insert", "update", "nested", "checkpoint", "pages", "rebuilt-table", "membership", "capture",
  ]
  .compactMap(Workload.named)
}
