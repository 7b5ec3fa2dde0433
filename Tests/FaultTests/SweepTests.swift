import TestRuns
import Testing

/// A share of the points at which SQLite can fail: `make faults` tries all of them.
@Suite(.enabled(if: TestKind.thorough.runs))
struct SweepTests {
  #if DEBUG
    private static let points = 150
  #else
    private static let points = 1_000
  #endif

  @Test func callThatHitsAFaultIsAppliedFullyOrNotAtAll() throws {
    let run = try FaultsProcess("sweep", "--points", "\(Self.points)")
    #expect(run.exitCode == 0, "\(run.text)")
    // Faults that nothing notices would show nothing.
    #expect(run.count(of: "failed") > Self.points / 4, "\(run.text)")
  }

  @Test(arguments: ["memory", "memory-for-good"])
  func outOfMemoryCallThrowsAndKeepsTheStore(fault: String) throws {
    // Those of the second line create indexes in their transactions, so their statement for a rollback would expire.
    let workloads =
      "values,insert,update,links,lists,page,export,"
      + "opening,added-column,rebuilt-table,recovery,acknowledge,new-identity"
    let run = try FaultsProcess("sweep", "--workload", workloads, "--fault", fault, "--points", "104")
    #expect(run.exitCode == 0, "\(run.text)")
    #expect(run.count(of: "failed") > 52, "\(run.text)")
  }

  @Test func processTerminationIsReportedAsAFinding() throws {
    let run = try FaultsProcess("sweep", "--workload", "values", "--fault", "kill", "--at", "0")
    #expect(run.exitCode == 1)
    #expect(run.lines.first == "WRONG the process ended: signal 9", "\(run.text)")
    let command = "  reproduce: Faults sweep --workload values --fault kill --at 0"
    #expect(run.lines.dropFirst().first.map(String.init) == command, "\(run.text)")
  }
}
