import TestRuns
import Testing

/// Long runs, shortened: `make endurance` makes a million syncs.
@Suite(.enabled(if: TestKind.thorough.runs))
struct EnduranceTests {
  @Test func repeatedSyncsDoNotGrowMemoryDescriptorsOrLog() throws {
    let run = try FaultsProcess("endurance", "--syncs", "400")
    #expect(run.exitCode == 0, "\(run.text)")
    #expect(run.lines.last?.hasPrefix("400 syncs in 40 stretches, 0 findings") == true, "\(run.text)")
  }

  @Test func leakedMemoryAndDescriptorsAreReported() throws {
    let run = try FaultsProcess("endurance", "--syncs", "200", "--leak", "200000")
    #expect(run.exitCode == 1)
    for finding in ["WRONG memory grew from", "WRONG descriptors grew from"] {
      #expect(run.lines.contains { $0.hasPrefix(finding) }, "\(run.text)")
    }
    #expect(run.lines.contains { $0.contains("descriptors lead to a store that is closed") }, "\(run.text)")
  }

  @Test func openReadThatGrowsTheWALIsLogged() throws {
    let run = try FaultsProcess("endurance", "--reader", "--bytes", "36000000")
    #expect(run.exitCode == 0, "\(run.text)")
    #expect(run.lines.contains { $0.hasPrefix("logged: The write-ahead log is") }, "\(run.text)")
    #expect(run.lines.contains("log 0.0 MB: after a checkpoint"), "\(run.text)")
  }
}
