import TestRuns
import Testing

/// A share of the writes at which a process can be killed: `make faults` tries all of them.
@Suite(.enabled(if: TestKind.thorough.runs))
struct KillTests {
  #if DEBUG
    private static let points = 3
  #else
    private static let points = 20
  #endif

  @Test func killedCallIsAppliedFullyOrNotAtAll() throws {
    let run = try FaultsProcess(
      "kill", "--workload", "opening,pages", "--every", "5", "--points", "\(Self.points)")
    #expect(run.exitCode == 0, "\(run.text)")
    for scene in ["alone", "journal", "reader"] {
      #expect(run.count(of: "\(scene): killed") > 0, "\(run.text)")
    }
  }

  @Test func aKilledRecoveryKeepsTheDamagedFile() throws {
    let run = try FaultsProcess(
      "kill", "--scene", "recovery", "--every", "20", "--points", "6")
    #expect(run.exitCode == 0, "\(run.text)")
    #expect(run.count(of: "recovery: killed") > 0, "\(run.text)")
  }
}
