import Foundation
import Syncline
import TestSupport

extension Simulation {
  /// Makes a call on both stores, in the file with a disturbance, and then repeats it.
  func play(
    _ call: SimulatedCall, _ circumstance: SimulatedStep.Circumstance, _ step: Int
  ) async throws {
    let shadow = stores.shadow
    let before = try await rows()
    let expected = await outcome { try await call.run(on: shadow) }
    let first = try await attempt(call, circumstance, expected)
    let found: SimulatedOutcome
    if let first {
      found = first
    } else {
      stores.beginAttempt(step)
      let store = try stores.store()
      found = await outcome { try await call.run(on: store) }
    }
    try compare(found, expected)
    guard case .report(let report) = found else {
      try checkUnchanged(.errorChanges, after: found.text)
      try settle()
      return try await checkQuiet(circumstance)
    }
    try settle()
    let changes = StoreDifference(from: before, to: try await rows()).disagreements(with: report)
    guard changes.isEmpty else {
      throw SimulatedFinding(.report, "\(changes.joined(separator: "\n"))\n\(found.text)")
    }
    try await checkNotices(of: report, circumstance)
    // A row that the payload moves away still denies a deletion in this call, but no longer when the call is repeated.
    let isDenied = report.problems.contains {
      $0.action == .keptRow && $0.reason.contains("prevents the deletion")
    }
    guard !isDenied else { return }
    try await `repeat`(call)
  }

  /// Checks that repeating the call changes nothing, reports nothing and causes no notice.
  private func `repeat`(_ call: SimulatedCall) async throws {
    let store = try stores.store()
    let again = await outcome { try await call.run(on: store) }
    // The parent may be one of its own missing rows. After the first call, it no longer exists.
    if case .failure(SyncError.invalidPayload) = again, case .children = call.form,
      try await !isParentStored(of: call)
    {
      return
    }
    // An object without required values updates an existing row. If the changes delete the row, the object is one of a new row in
    // the repeated call.
    if case .failure(SyncError.invalidPayload) = again, case .changes = call.form {
      try checkUnchanged(.repeated, after: again.text)
      return
    }
    guard case .report(let report) = again, report.isUnchanged else {
      throw SimulatedFinding(.repeated, again.text)
    }
    try checkUnchanged(.repeated, after: again.text)
    let noticed = try await notices.take()
    guard noticed.isEmpty else {
      throw SimulatedFinding(.repeated, "noticed: \(noticed.map(\.description).joined(separator: "; "))")
    }
  }

  /// Whether the parent whose children a call syncs is stored.
  private func isParentStored(of call: SimulatedCall) async throws -> Bool {
    guard case .children(let relationship, let parent) = call.form,
      let model = versions[version].number(of: call.model),
      let member = versions[version].members(of: model).first(where: { $0.name == relationship }),
      let owner = versions[version].models[member.other]
    else { throw SimulationError(description: "\(call) has no parent") }
    let rows = try await rows().models[owner.name.now]?.rows.values
    return rows?.contains { $0[owner.identityName] == parent } ?? false
  }

  // MARK: Notices

  private func checkNotices(
    of report: SyncReport, _ circumstance: SimulatedStep.Circumstance
  ) async throws {
    guard case .none = circumstance else {
      // A store that was reopened has no notice of the call, and a store whose disk failed may have lost one.
      _ = try await notices.take(toleratesErrors: true)
      return
    }
    let noticed = try await notices.take()
    guard noticed.count <= 1 else {
      throw SimulatedFinding(.notice, "\(noticed.count) notices of one call")
    }
    let disagreements = (noticed.first ?? SyncChanges()).disagreements(with: report)
    guard disagreements.isEmpty else {
      throw SimulatedFinding(
        .notice, disagreements.map { "\($0.model): \($0.text)" }.joined(separator: "\n"))
    }
  }

  /// Checks that a failed call causes no notice.
  private func checkQuiet(_ circumstance: SimulatedStep.Circumstance) async throws {
    guard case .none = circumstance else {
      _ = try await notices.take(toleratesErrors: true)
      return
    }
    let noticed = try await notices.take()
    guard noticed.isEmpty else {
      throw SimulatedFinding(.notice, "an error was noticed: \(noticed[0])")
    }
  }

  // MARK: Circumstances

  /// Makes the call in the file's store.
  ///
  /// - Returns: its outcome; nil if it was interrupted and must be made again.
  private func attempt(
    _ call: SimulatedCall, _ circumstance: SimulatedStep.Circumstance, _ expected: SimulatedOutcome
  ) async throws -> SimulatedOutcome? {
    let store = try stores.store()
    switch circumstance {
    case .none: return await outcome { try await call.run(on: store) }
    case .fault(let fault):
      // Followers read at the same time, so the n-th call would not be the same in each run.
      if !fault.strikesWriterOnly { stopFollowing() }
      let found = try await struck(by: fault) { try await call.run(on: store) }
      guard case .failure(let error) = found.outcome, found.hasStruck else { return found.outcome }
      guard error is SyncError else {
        throw SimulatedFinding(.untypedError, "\(type(of: error)): \(error)")
      }
      try checkUnchanged(.errorChanges, after: "\(error)")
      return nil
    case .cancellation(let kinds, let n):
      if kinds != .write { stopFollowing() }
      return try await cancelled(call, kinds, n)
    case .kill(let n):
      stopFollowing()
      return try await killed(call, at: n, expected)
    }
  }

  /// Makes a call on a disk that fails.
  func struck(
    by fault: SimulatedStep.Fault, _ body: @MainActor () async throws -> SyncReport
  ) async throws -> (outcome: SimulatedOutcome, hasStruck: Bool) {
    Disk.arm(fault.kinds, at: fault.n, fault.action, code: fault.code)
    let outcome = await outcome(body)
    let hasStruck = Disk.hasStruck
    Disk.disarm()
    return (outcome, hasStruck)
  }

  private func cancelled(
    _ call: SimulatedCall, _ kinds: FaultKinds, _ n: Int
  ) async throws -> SimulatedOutcome? {
    let store = try stores.store()
    // The task starts when this actor is free.
    let task = Task { @MainActor in try await call.run(on: store) }
    Disk.armCallback(kinds, at: n) { task.cancel() }
    let found = await outcome { try await task.value }
    Disk.disarm()
    guard case .failure(let error) = found, error as? SyncError == .cancelled else { return found }
    try checkUnchanged(.errorChanges, after: "a cancellation")
    return nil
  }

  /// Lets the call finish in the original file, and then replaces the file by the copy.
  private func killed(
    _ call: SimulatedCall, at n: Int, _ expected: SimulatedOutcome
  ) async throws -> SimulatedOutcome? {
    let copy = stores.makeCopy()
    let store = try stores.store()
    Disk.armCallback(.write, at: n) { copy.take() }
    let found = await outcome { try await call.run(on: store) }
    Disk.disarm()
    guard try copy.isTaken else { return found }
    try compare(found, expected)
    try stores.close()
    try stores.moveToCopy()
    try stores.open(stores.schema)
    try await checkFile()
    try await listen()
    let left = try dump()
    if left == tables { return nil }
    let after = try StoreDump(stores.shadow.container).ofStore
    guard left == after else { throw SimulatedFinding(.between, left.difference(from: after)) }
    return found
  }
}
