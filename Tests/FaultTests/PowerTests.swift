import TestRuns
import Testing

/// A share of the moments at which power can be lost: `make faults` tries all of them.
@Suite(.enabled(if: TestKind.thorough.runs))
struct PowerTests {
  #if DEBUG
    private static let every = 60
  #else
    private static let every = 7
  #endif

  @Test func aPowerLossLeavesAStateThatWasCommitted() throws {
    let run = try FaultsProcess("power", "--workload", "update,pages", "--every", "\(Self.every)")
    #expect(run.exitCode == 0, "\(run.text)")
    for mode in ["normal", "full", "journal"] {
      #expect(run.count(of: "\(mode): with all commits") > 0, "\(run.text)")
    }
    // If nothing was ever undone, no power loss would have been tried.
    #expect(run.count(of: "normal: without the last commits") > 0, "\(run.text)")
  }

  @Test func damageIsDetectedWithoutFsync() throws {
    let run = try FaultsProcess(
      "power", "--workload", "update", "--mode", "off", "--image", "5", "--every", "2")
    #expect(run.exitCode == 1, "\(run.text)")
    #expect(run.lines.first?.hasPrefix("WRONG ") == true, "\(run.text)")
    let command = "  reproduce: Faults power --workload update --mode off --event "
    #expect(run.lines.dropFirst().first?.hasPrefix(command) == true, "\(run.text)")
  }
}
