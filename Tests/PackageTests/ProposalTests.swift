import Foundation
import TestRuns
import Testing

/// What `syncline infer` proposes for a tenth of a list, tried with the rest of it.
@Suite(.enabled(if: TestKind.building.runs)) struct ProposalTests {
  /// Lists with the traps of real ones. `Tools/Inference` measures more: those of packages, and any of yours.
  @Test func proposalsReadTheRestOfGeneratedLists() throws {
    guard try Shell.run("bash", "-c", "command -v python3").status == 0 else {
      print("skipped: there is no python3")
      return
    }
    let script = Shell.package.appending(path: "Tools/Inference/proposals.py").path
    let command = Shell.package.appending(path: ".build/debug/syncline").path
    let result = try Shell.run("python3", script, command, "--generated")
    #expect(result.status == 0, "\(result.output)")
  }
}
