import Syncline
import TestSupport

/// Where the runtime does something else than the specification expects.
struct SpecDifference: Sendable {
  enum Kind: String, Sendable, CaseIterable {
    case refused = "refuses what is accepted"
    case accepted = "accepts what is refused"
    case untypedError = "throws an error that is no SyncError"
    case negativeCount = "reports a negative count"
    case rows = "other rows"
    case waiting = "other links wait"
    case repeated = "a repeat changes something"
    case repeatReported = "a repeat reports a change"
  }

  let kind: Kind
  let step: Int
  let isRepeat: Bool
  let details: String

  var name: String { (isRepeat ? "repeated: " : "") + kind.rawValue }
  var text: String { "step \(step + 1), \(name)\n\(details)" }

  func isLike(_ other: SpecDifference) -> Bool { kind == other.kind && isRepeat == other.isRepeat }

  /// Plays a sequence to its first difference.
  static func first(in sequence: SpecSequence, _ schema: SpecSchema) async throws -> SpecDifference? {
    let store = try schema.store(skippingRows: sequence.skipsRows)
    for (number, step) in sequence.steps.enumerated() {
      let before = try StoreDump(store)
      let first = await Play(of: step, schema, store)
      if let found = try first.difference(from: step.expected, before, schema, store) {
        return SpecDifference(found, step: number, isRepeat: false)
      }
      let settled = try StoreDump(store)
      let again = await Play(of: step, schema, store)
      if let found = try again.difference(from: step.again, settled, schema, store) {
        return SpecDifference(found, step: number, isRepeat: true)
      }
      guard step.isSettled, !step.expected.fails else { continue }
      let after = try StoreDump(store)
      if after != settled {
        return SpecDifference(
          (.repeated, after.difference(from: settled)), step: number, isRepeat: true)
      }
      if step.hasAllOperations, let report = again.report, !report.isUnchanged {
        return SpecDifference((.repeatReported, "\(report)"), step: number, isRepeat: true)
      }
    }
    return nil
  }

  private init(_ found: (kind: Kind, details: String), step: Int, isRepeat: Bool) {
    (kind, details) = found
    (self.step, self.isRepeat) = (step, isRepeat)
  }

  /// One call that was made.
  private struct Play {
    private(set) var report: SyncReport?
    private(set) var error: (any Error)?

    init(of step: SpecStep, _ schema: SpecSchema, _ store: SyncContainer) async {
      do { report = try await step.run(in: schema, on: store) } catch { self.error = error }
    }

    func difference(
      from expected: SpecOutcome, _ before: StoreDump, _ schema: SpecSchema, _ store: SyncContainer
    ) throws -> (Kind, String)? {
      if let error, !(error is SyncError) { return (.untypedError, "\(error)") }
      if let error, !expected.fails { return (.refused, "\(error)") }
      if expected.fails, error == nil {
        return (.accepted, "\(try StoreDump(store).difference(from: before))")
      }
      if let report, report.models.values.contains(where: \.hasNegative) {
        return (.negativeCount, "\(report)")
      }
      let actual = try SpecOutcome(of: store, schema, fails: error != nil)
      guard actual != expected else { return nil }
      let details = """
        expected \(expected.lines(without: actual).joined(separator: "\n         "))
        actual   \(actual.lines(without: expected).joined(separator: "\n         "))
        """
      return (actual.hasSameRows(as: expected) ? .waiting : .rows, details)
    }
  }
}

extension SyncReport.Counts {
  fileprivate var hasNegative: Bool {
    [
      inserted, updated, unchanged, deleted, softDeleted, reactivated, skipped, linked, unlinked,
    ].contains { $0 < 0 }
  }
}
