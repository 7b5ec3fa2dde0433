import Syncline
import TestSupport

/// The outcome of a call.
enum SimulatedOutcome: Sendable {
  case report(SyncReport)
  case failure(any Error)

  /// The outcome as text, without the duration of the call, so that equal outcomes have equal texts.
  var text: String {
    switch self {
    case .failure(let error): return "\(error)"
    case .report(let report):
      let models = report.models.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
      return
        (models + ["\(report.problemCount) problems"] + report.problems.map(\.description)
        + ["\(report.waitingCount) waiting"] + report.waiting.map(\.description)).joined(separator: "\n")
    }
  }
}

/// A behaviour of the store that violates a rule.
struct SimulatedFinding: Error {
  enum Rule: String, Sendable {
    case untypedError = "an error that is not a SyncError"
    case errorChanges = "an error has changed something"
    case outcomes = "another outcome than without faults"
    case tables = "other tables than without faults"
    case report = "a report that is not the difference of the rows"
    case notice = "a notice that is not the report"
    case repeated = "the same call once more has changed or reported something"
    case between = "a kill left something between before and after"
    case reopened = "reopening has changed something"
    case exported = "an exported body has changed something"
    case followed = "what is followed is not what a fresh query finds"
    case damaged = "the file is damaged"
    case simulator = "the simulator could not go on"
  }

  let rule: Rule
  let details: String

  init(_ rule: Rule, _ details: String) {
    self.rule = rule
    self.details = details
  }
}

extension SimulatedFinding: CustomStringConvertible {
  var description: String { "\(rule.rawValue)\n\(details)" }
}

/// A hash of text that is the same in all processes (FNV-1a).
struct SimulatedDigest {
  private var state: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ text: String) {
    for byte in text.utf8 { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
    state = (state ^ 0xFF) &* 0x100_0000_01B3
  }

  mutating func add(_ dump: StoreDump) {
    for (name, rows) in dump.tables.sorted(by: { $0.key < $1.key }) {
      add(name)
      for row in rows { add(row) }
    }
  }

  var text: String {
    let digits = String(state, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
