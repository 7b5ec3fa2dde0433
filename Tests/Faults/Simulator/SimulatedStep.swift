import FaultStore
import Syncline
import TestSupport

/// A step of a simulation.
struct SimulatedStep: Sendable {
  /// Calls of the file system that fail during a step.
  struct Fault: Sendable {
    let kinds: FaultKinds
    let n: Int
    let action: fault_action
    /// The extended result code; 0 for the usual one of the kind.
    var code: Int32 = 0

    /// Whether only the writing connection makes calls of these kinds.
    var strikesWriterOnly: Bool { FaultKinds.changes.subtracting(.open).isSuperset(of: kinds) }
  }

  /// A disturbance during a call.
  enum Circumstance: Sendable {
    case none
    case fault(Fault)
    /// The process is killed at its n-th write. This is simulated by copying the files at this moment and opening the copy.
    case kill(Int)
    /// The task is cancelled at the n-th call of these kinds.
    case cancellation(FaultKinds, Int)
  }

  /// A list that arrives in pages.
  struct Pages: Sendable {
    let model: String
    var payloads: [SyncJSON]
    /// The index of the page that fails; nil if none does.
    let failing: Int?
    /// Whether the run continues where an earlier one was interrupted.
    let resumes: Bool
  }

  enum Kind: Sendable {
    case call(SimulatedCall, Circumstance)
    case atOnce([SimulatedCall])
    case pages(Pages)
    case edit(sql: String)
    /// Opens the store with the next version of the schema.
    case evolution(Circumstance)
    case reopening
    /// Exports a model, and syncs the exported body.
    case export(model: String)
    case following(SimulatedQuery)
  }

  let index: Int
  var kind: Kind

  /// The payloads of the step, which shrinking can reduce.
  var payloads: [SyncJSON] {
    get {
      switch kind {
      case .call(let call, _): [call.payload]
      case .atOnce(let calls): calls.map(\.payload)
      case .pages(let pages): pages.payloads
      default: []
      }
    }
    set {
      switch kind {
      case .call(var call, let circumstance):
        call.payload = newValue.first ?? call.payload
        kind = .call(call, circumstance)
      case .atOnce(var calls):
        for (index, payload) in zip(calls.indices, newValue) { calls[index].payload = payload }
        kind = .atOnce(calls)
      case .pages(var pages):
        pages.payloads = newValue
        kind = .pages(pages)
      default: break
      }
    }
  }
}

extension SimulatedStep: CustomStringConvertible {
  var description: String {
    switch kind {
    case .call(let call, let circumstance): "\(index) \(call)\(circumstance)"
    case .atOnce(let calls): "\(index) at once: \(calls.map(\.description).joined(separator: " & "))"
    case .pages(let pages):
      "\(index) sync(pages:, as: \(pages.model)) \(pages.payloads)"
        + (pages.failing.map { ", page \($0) fails" } ?? "") + (pages.resumes ? ", from the cursor" : "")
    case .edit(let sql): "\(index) \(sql)"
    case .evolution(let circumstance): "\(index) the next schema\(circumstance)"
    case .reopening: "\(index) reopening"
    case .export(let model): "\(index) export(as: \(model)), synced back"
    case .following(let query): "\(index) following \(query)"
    }
  }
}

extension SimulatedStep.Circumstance: CustomStringConvertible {
  var description: String {
    switch self {
    case .none: ""
    case .fault(let fault):
      ", fault \(fault.action.rawValue) code \(fault.code) at \(fault.n) of kinds \(fault.kinds.rawValue)"
    case .kill(let n): ", killed at write \(n)"
    case .cancellation(let kinds, let n): ", cancelled at \(n) of kinds \(kinds.rawValue)"
    }
  }
}
