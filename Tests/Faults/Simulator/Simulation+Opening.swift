import Foundation
import Syncline
import SynclineInterpreter
import TestSupport

extension Simulation {
  /// Closes and opens the store, which must not change it.
  func reopen() async throws {
    stopFollowing()
    try stores.close()
    try stores.open(stores.schema)
    let evolution = try stores.store().container.evolution
    guard evolution == nil else {
      throw SimulatedFinding(.reopened, "evolved: \(evolution?.changes.map(\.description) ?? [])")
    }
    try checkUnchanged(.reopened, after: "reopening")
    try await listen()
  }

  /// Opens both stores with the next version of the schema. If rows do not fit it, both must refuse it and stay unchanged.
  func evolve(_ circumstance: SimulatedStep.Circumstance, _ step: Int) async throws {
    guard versions.indices.contains(nextVersion) else { return try await reopen() }
    let next = nextVersion
    nextVersion += 1
    let schema = InterpretedSchema(try TextStore.schema(versions[next].text))
    stopFollowing()
    try stores.close()
    let expected = opening { try stores.openShadow(schema) } ?? changes(of: stores.shadow)
    var isFirst = true
    switch circumstance {
    case .fault(let fault): isFirst = try open(schema, under: fault)
    case .kill(let n): isFirst = try open(schema, killedAt: n)
    case .none, .cancellation: break
    }
    stores.beginAttempt(step)
    let found = try opening { try stores.open(schema) } ?? changes(of: try stores.store())
    digest.add(expected)
    // A store that an earlier attempt has migrated is not migrated again.
    guard found == expected || !isFirst && found.isEmpty else {
      throw SimulatedFinding(.outcomes, "with faults:\n\(found)\nwithout:\n\(expected)")
    }
    if stores.isOpen {
      stores.take(schema)
      version = next
    } else {
      try stores.open(stores.schema)
      try stores.openShadow(stores.schema)
    }
    try settle()
    try await checkFile()
    try await listen()
  }

  /// Opens a store.
  ///
  /// - Returns: the reason why it was refused; nil if it was opened.
  private func opening(_ body: () throws -> Void) -> String? {
    do { try body() } catch { return "\(type(of: error)): \(error)" }
    return nil
  }

  private func changes(of store: TextStore) -> String {
    (store.container.evolution?.changes.map(\.description) ?? []).joined(separator: "; ")
  }

  /// Opens the file on a disk that fails, and closes it.
  ///
  /// - Returns: whether the file is certain to be unchanged.
  private func open(_ schema: InterpretedSchema, under fault: SimulatedStep.Fault) throws -> Bool {
    Disk.arm(fault.kinds, at: fault.n, fault.action, code: fault.code)
    let result = Result { try stores.open(schema) }
    Disk.disarm()
    switch result {
    case .success: try stores.close()
    case .failure(let error):
      guard error is SyncError else {
        throw SimulatedFinding(.untypedError, "\(type(of: error)): \(error)")
      }
    }
    return try isUnchanged("the fault of an evolution")
  }

  /// Opens the file, and continues with the state that a kill at a write would have left.
  ///
  /// - Returns: whether this state equals the one before.
  private func open(_ schema: InterpretedSchema, killedAt n: Int) throws -> Bool {
    let copy = stores.makeCopy()
    Disk.armCallback(.write, at: n) { copy.take() }
    let result = Result { try stores.open(schema) }
    Disk.disarm()
    if case .success = result { try stores.close() }
    guard try copy.isTaken else { return try isUnchanged("an evolution") }
    try stores.moveToCopy()
    return try isUnchanged("the kill of an evolution")
  }

  /// Whether the closed file has the state before a migration. If not, it must have the state after it.
  private func isUnchanged(_ what: String) throws -> Bool {
    let left = try stores.closedDump()
    if left == tables { return true }
    let after = try StoreDump(stores.shadow.container).ofStore
    guard left == after else {
      throw SimulatedFinding(.between, "after \(what)\n\(left.difference(from: after))")
    }
    return false
  }
}
