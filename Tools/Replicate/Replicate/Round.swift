import Foundation
import GRDB
import Syncline
import TestSupport

/// One store, which processes write and replicate. They are killed, and the store is restored in the meantime.
struct Round {
  let litestream: URL
  let seed: Int
  let calls: Int
  let folder: URL

  /// The results of a round.
  struct Outcome {
    var restores = 0
    var kills = 0
    /// The number of the call in the last restored store; -1 before the first one.
    var last = -1
    /// The duration of each call in microseconds.
    var times: [Int] = []
    var failures: [String] = []
  }

  func run() async throws -> Outcome {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "store.sqlite")
    let times = folder.appending(path: "times.txt")
    try Data().write(to: times)
    try Version.first.open(.file(file)).database.close()
    let states = try await States(seed: seed, calls: calls)
    let litestream = try Litestream(litestream, store: file, in: folder)
    var random = SeededGenerator(seed: seed)
    var outcome = Outcome()
    var replicator = try litestream.replicate()
    var writer = try write(file, times)
    while writer.isRunning {
      try await _Concurrency.Task.sleep(for: .milliseconds(Int.random(in: 20...600, using: &random)))
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<3 where writer.isRunning:
        writer.kill()
        outcome.kills += 1
        writer = try write(file, times)
      case 3..<5:
        replicator.kill()
        outcome.kills += 1
        try await _Concurrency.Task.sleep(for: .milliseconds(Int.random(in: 0...200, using: &random)))
        replicator = try litestream.replicate()
      default: try restore(with: litestream, states, &outcome)
      }
    }
    if writer.terminationStatus != 0 {
      outcome.failures.append("the writer failed: \(try log("writer.log"))")
    }
    try await _Concurrency.Task.sleep(for: .seconds(1))
    // Before it ends, it replicates the remaining changes.
    replicator.terminate()
    replicator.waitUntilExit()
    try restore(with: litestream, states, &outcome)
    if outcome.last != calls { outcome.failures.append("restored \(outcome.last) at the end, not \(calls)") }
    outcome.times = try String(contentsOf: times, encoding: .utf8).split(separator: "\n").compactMap {
      Int($0)
    }
    return outcome
  }

  /// Restores the replica, and compares it with the committed states.
  private func restore(with litestream: Litestream, _ states: States, _ outcome: inout Outcome) throws {
    let copy = folder.appending(path: "restored.sqlite")
    if let failure = try litestream.restore(to: copy) {
      // Before the first write there is nothing to restore.
      if outcome.last >= 0 { outcome.failures.append("restoring after \(outcome.last): \(failure)") }
      return
    }
    outcome.restores += 1
    do {
      let database = try DatabaseQueue(path: copy.path)
      let damage = try database.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") }
      if damage != ["ok"] { outcome.failures.append("restored after \(outcome.last): \(damage)") }
      guard let state = try State(database) else {
        return outcome.failures.append("restored without tables after \(outcome.last)")
      }
      if let difference = states.difference(from: state) {
        outcome.failures.append("restored \(state.version) \(state.number): \(difference)")
      }
      if state.number < outcome.last {
        outcome.failures.append("restored \(state.number) after \(outcome.last)")
      }
      outcome.last = state.number
    } catch let error as DatabaseError {
      outcome.failures.append("restored after \(outcome.last): \(error)")
    }
  }

  /// Starts the process that makes the calls.
  private func write(_ file: URL, _ times: URL) throws -> Process {
    try Process.start(
      Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0]),
      ["write", file.path, times.path, "--seed", "\(seed)", "--calls", "\(calls)"],
      log: folder.appending(path: "writer.log"))
  }

  private func log(_ name: String) throws -> String {
    try String(contentsOf: folder.appending(path: name), encoding: .utf8)
  }
}
