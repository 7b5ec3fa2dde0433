/// What else happens to a store while a process that writes it is killed.
enum KillScene: String, CaseIterable, Sendable {
  /// Nothing. The store is opened afterwards.
  case alone
  /// The store has a rollback journal, which the next process finds.
  case journal
  /// Another process has the store open, and reads it.
  case reader
  /// A damaged store is recovered, while another process opens it.
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

  /// The calls of SQLite at which the process is killed.
  var kinds: FaultKinds { self == .recovery ? [.changes, .lock] : .write }

  /// Whether a process is killed within a write, too, of which half is done then.
  var hasHalves: Bool { self != .recovery }

  private static let calls = [
    "opening", "insert", "update", "nested", "checkpoint", "pages", "rebuilt-table", "membership", "capture",
  ]
  .compactMap(Workload.named)
}
