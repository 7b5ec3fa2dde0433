import Foundation
import GRDB
import Syncline
import TestSupport

/// Injects a fault into one SQLite call of a workload, and checks the result and the store that it leaves.
struct FaultPoint {
  let workload: Workload
  let fault: Fault
  /// The number of the call, counted from 0.
  let number: Int
  let expectation: Expectation
  /// The folder before the call.
  let template: URL
  /// The folder of the point. It is not shared with other points, because a connection of a failed call may be closed later on
  /// another thread, and then removes its log.
  let folder: URL

  /// The outcome of the call.
  enum Outcome: String {
    case done, failed
    /// It made fewer calls than expected, so the fault did not occur.
    case missed
  }

  /// The options to try only this point.
  var command: String { "--workload \(workload.name) --fault \(fault.name) --at \(number)" }

  func run() async throws -> (outcome: Outcome, problems: [String]) {
    try Scratch.copy(template, to: folder)
    Disk.watch(folder)
    let site = try workload.site(in: folder)
    if fault.kinds == .memory { try FaultPoint.openReader(of: site) }
    let before = try site.connection()
    let result = await strike(site) { try await workload.call(site) }
    let hasStruck = Disk.hasStruck
    if fault.event == .close { do { try site.close() } catch { Console.say("close: \(error)") } }

    var problems: [String] = []
    let after = try site.connection()
    if let before, let after, before != after {
      problems.append("the connection differs: \(after) instead of \(before)")
    }
    let checks = FaultChecks(point: self, site: site)
    switch result {
    case .success(let report):
      if !fault.damages { problems += checks.afterSuccess(report) }
    case .failure(let error):
      if !hasStruck { problems.append("failed without a fault: \(error)") }
      problems += FaultErrors(workload: workload, fault: fault).objection(to: error).map { [$0] } ?? []
      problems += checks.afterFailure()
    }
    let hasFailed = if case .failure = result { true } else { false }
    problems += await fault.damages ? checks.opened(hasFailed: hasFailed) : checks.later(hasFailed: hasFailed)
    try Scratch.remove(folder)
    return (hasStruck ? hasFailed ? .failed : .done : .missed, problems)
  }

  /// The number of calls of some kinds that the workload makes.
  static func count(
    _ kinds: FaultKinds, of workload: Workload, template: URL, in folder: URL
  ) async throws -> Int {
    try Scratch.copy(template, to: folder)
    Disk.watch(folder)
    let site = try workload.site(in: folder)
    if kinds == .memory { try openReader(of: site) }
    Disk.arm(kinds, at: -1)
    let result: Result<String, any Error>
    do { result = .success(try await workload.call(site)) } catch { result = .failure(error) }
    let count = Disk.disarm()
    try site.close()
    _ = try result.get()
    return count
  }

  private func strike(
    _ site: Site, _ call: @escaping @Sendable () async throws -> String
  ) async -> Result<String, any Error> {
    guard let event = fault.event else {
      Disk.arm(fault.kinds, at: number, fault.action, code: fault.code)
      defer { Disk.disarm() }
      do { return .success(try await call()) } catch { return .failure(error) }
    }
    let running = RunningCall()
    Disk.armCallback(fault.kinds, at: number) {
      // On another thread, because the call may hold a lock.
      running.event.enter()
      Thread.detachNewThread {
        switch event {
        case .cancel: running.task?.cancel()
        case .interrupt: site.store?.container.database.interrupt()
        case .close: try? site.store?.container.database.close()
        }
        running.event.leave()
      }
      _ = running.event.wait(timeout: .now() + 0.02)
    }
    // If the event is late, it must not meet the checks.
    defer {
      Disk.disarm()
      running.event.wait()
    }
    let gate = AsyncStream<Void>.makeStream()
    let task = Task {
      for await _ in gate.stream { break }
      return try await call()
    }
    running.task = task
    gate.continuation.yield()
    return await task.result
  }

  /// Opens a reader in advance. GRDB opens the connection of the first read on demand, and traps if there is no memory to set it
  /// up.
  private static func openReader(of site: Site) throws {
    _ = try site.store?.container.database.read { try Int.fetchOne($0, sql: "SELECT 1") }
  }
}

/// The task of a call, for a fault that cancels it, and the event that is under way.
private final class RunningCall: @unchecked Sendable {
  let event = DispatchGroup()
  private let lock = NSLock()
  private var current: Task<String, any Error>?

  var task: Task<String, any Error>? {
    get { lock.withLock { current } }
    set { lock.withLock { current = newValue } }
  }
}
