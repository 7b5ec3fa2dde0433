import TestRuns
import Testing

/// Clients edit, push and pull while requests and answers get lost, come late, twice or in another order, programs end
/// between any two transactions, and clocks are wrong. In the end all clients have what the server has, and no edit was
/// lost or applied twice (contract, section 13). Everything follows from a seed.
@Suite(.enabled(if: TestKind.random.runs)) struct ConvergenceTests {
  @Test(arguments: Soak.seeds(90_000_000, count: 200)) func clientsConverge(seed: Int) async {
    let steps = SimulatedStep.all(seed: seed)
    guard let failure = await Simulation.failure(of: steps) else { return }
    let fewer = await Simulation.shrunk(steps)
    let last = await Simulation.failure(of: fewer)
    Issue.record(
      """
      seed \(seed): \(last ?? "not when repeated: \(failure)")
      \(fewer.map(\.description).joined(separator: "\n"))
      """)
  }
}
