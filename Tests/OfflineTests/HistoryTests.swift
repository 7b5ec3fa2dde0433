import TestRuns
import TestSupport
import Testing

@testable import Syncline

/// Whatever SQL edits the rows, the pending changes are what differs from a copy of the tables (contract, section 13).
/// Everything follows from a seed.
@Suite(.enabled(if: TestKind.random.runs)) struct HistoryTests {
  /// A store that was synced, and edited by random statements.
  private static func edited(seed: Int, _ fault: CaptureFault? = nil) async throws -> History {
    var random = SeededGenerator(seed: seed)
    let history = try History()
    try await history.begin()
    if random.chance(50) || fault == .letsUserTriggersRunFirst {
      for trigger in History.triggers { try history.execute(trigger) }
      if fault != .letsUserTriggersRunFirst { try history.open() }
    }
    if let fault { try history.put(fault) }
    try history.edit(30, using: &random)
    return history
  }

  /// How the pending changes and the tables disagree; nil if they agree.
  private static func disagreement(_ history: History) async throws -> String? {
    let pending = try await history.pending()
    let expected = try history.difference(pending)
    if expected == pending { return nil }
    return """
      missing: \(expected.subtracting(pending).sorted())
      too many: \(pending.subtracting(expected).sorted())
      """
  }

  private static func fail(_ seed: Int, _ text: String, _ history: History) {
    Issue.record("seed \(seed): \(text)\n\(history.log.joined(separator: "\n"))")
  }

  @Test(arguments: Soak.seeds(92_000_000, count: 300))
  func pendingChangesMatchTheTableDifference(seed: Int) async throws {
    let history = try await Self.edited(seed: seed)
    if let text = try await Self.disagreement(history) { return Self.fail(seed, text, history) }
    // What triggers of the user's write while rows are put back is not looked at here.
    try history.dropTriggers()
    do {
      try await history.store.discardAllPendingChanges()
    } catch {
      return Self.fail(seed, "discarding: \(error)", history)
    }
    if let text = try history.disagreement(with: history.copy) {
      Self.fail(seed, "after discarding: \(text)", history)
    }
    #expect(try await !history.store.hasPendingChanges(), "seed \(seed)")
  }

  /// Rows that only the server has.
  private static let new = [
    "Project": #"{"id": 90, "name": "new"}"#, "Task": #"{"id": 90, "title": "new", "project_id": 90}"#,
    "Passport": #"{"id": "z", "number": "9"}"#, "Note": #"{"id": 90, "text": "new"}"#,
    "Step": #"{"id": "00000000-0000-4000-8000-000000000090", "text": "new", "task_id": 90}"#,
  ]
  private static let newKeys: Set<String> = ["90", "'z'", "X'00000000000040008000000000000090'"]

  @Test(arguments: Soak.seeds(93_000_000, count: 300)) func syncsKeepPendingChanges(seed: Int) async throws {
    let history = try await Self.edited(seed: seed)
    try history.dropTriggers()
    let (tables, pending) = (try history.tables(), try await history.pending())
    let additions: [[String: String]] = [[:], Self.new]
    for rows in additions {
      do {
        try await history.sync(rows)
      } catch {
        return Self.fail(seed, "sync: \(error)", history)
      }
      if let text = try history.disagreement(with: tables, besides: Self.newKeys) {
        return Self.fail(seed, "after a sync: \(text)", history)
      }
      let now = try await history.pending()
      if now != pending {
        let (lost, more) = (pending.subtracting(now).sorted(), now.subtracting(pending).sorted())
        return Self.fail(seed, "a sync lost the changes \(lost), and made \(more)", history)
      }
    }
  }

  @Test(arguments: Soak.seeds(94_000_000, count: 300)) func pushedChangesAreNoLongerPending(seed: Int)
    async throws
  {
    let history = try await Self.edited(seed: seed)
    try history.dropTriggers()
    let edited = try history.edited()
    let deletions = try await history.pending().filter { $0.hasPrefix("delete ") }
    do {
      try await history.sync(Self.new, isChanged: true)
      if let text = try history.lost(edited) { return Self.fail(seed, "a sync lost \(text)", history) }
      let deleted = try await history.push()
      if let text = try history.lost(edited) { return Self.fail(seed, "a push lost \(text)", history) }
      // What was deleted with the row that it requires is not sent.
      for row in deleted.sorted() where !deletions.contains(where: { $0.hasPrefix("delete \(row):") }) {
        Self.fail(seed, "the deletion of \(row) was sent", history)
      }
    } catch {
      return Self.fail(seed, "\(error)", history)
    }
    let pending = try await history.pending()
    if !pending.isEmpty { Self.fail(seed, "pending after the push: \(pending.sorted())", history) }
  }

  /// The comparison finds each way of missing edits: what it does not find, it does not test.
  @Test(arguments: CaptureFault.allCases) func injectedCaptureFaultIsDetected(fault: CaptureFault)
    async throws
  {
    for seed in 95_000_000..<95_000_100 {
      do {
        let history = try await Self.edited(seed: seed, fault)
        guard try await Self.disagreement(history) != nil else { continue }
      } catch {
        // Some faults end in an error.
      }
      // It must be the fault's.
      let sound = try await Self.edited(seed: seed)
      if try await Self.disagreement(sound) == nil { return }
    }
    Issue.record("no history finds \(fault.rawValue)")
  }
}
