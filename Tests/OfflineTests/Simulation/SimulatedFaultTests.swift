import TestRuns
import Testing

/// The simulation finds each way of losing or repeating edits: what it does not find, it does not test.
@Suite(.enabled(if: TestKind.random.runs)) struct SimulatedFaultTests {
  /// Where a run takes a tenth of the seeds, one of the faults.
  private static let faults = SimulatedFault.allCases.enumerated().filter { Soak.takes($0.offset) }
    .map(\.element)

  /// Where each fault was found first. There the search begins, so that it seldom takes long.
  private static let found: [SimulatedFault: Int] = [
    .serverAnswersTheSameKeyAnew: 91_000_000, .makesANewKeyForWhatIsSentAgain: 91_000_000,
    .keepsTheDevicesStamp: 91_000_000, .forgetsWhatWasSent: 91_000_002,
    .serverForgetsItsRefusals: 91_000_005, .sendsNewContentWithTheOldKey: 91_000_005,
    .writesWhatIsSentAfterTheCall: 91_000_005, .clearsReferencesOfARename: 91_000_006,
    .endsWhatIsEditedBack: 91_000_038,
  ]

  @Test(arguments: faults) func injectedFaultIsDetectedBySimulation(fault: SimulatedFault) async {
    for seed in [Self.found[fault] ?? 91_000_000] + Array(91_000_000..<91_000_060) {
      let steps = SimulatedStep.all(seed: seed)
      guard await Simulation.failure(of: steps, fault) != nil else { continue }
      // It must be the fault's.
      if await Simulation.failure(of: steps) == nil { return }
    }
    Issue.record("no simulation finds \(fault.rawValue)")
  }
}
