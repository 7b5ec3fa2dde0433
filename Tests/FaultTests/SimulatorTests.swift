import Foundation
import TestRuns
import Testing

/// A few seeds of the simulator, and the cases that were kept: `make sim SEEDS=…` plays as many as there is time for.
@Suite(.enabled(if: TestKind.random.runs))
struct SimulatorTests {
  private static let cases = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Cases")

  @Test func savedCasesReplayWithoutFindings() throws {
    let run = try FaultsProcess("sim", "--cases", Self.cases.path)
    #expect(run.exitCode == 0, "\(run.text)")
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.cases.path)
    #expect(run.lines.count >= files.count, "\(run.text)")
  }

  /// Hashes have another seed in each process, and tasks another order: neither is to be seen.
  @Test func aSeedGivesTheSameTraceTwice() throws {
    let arguments = ["sim", "--first", "0", "--seeds", "3", "--trace"]
    let (first, second) = (try FaultsProcess(arguments), try FaultsProcess(arguments))
    #expect(first.exitCode == 0, "\(first.text)")
    #expect(first.lines.count == 3 * 25)
    #expect(first.lines == second.lines)
  }

  /// Each seed in a process that reports to its parent.
  @Test func fewRandomSeedsHaveNoFindings() throws {
    let run = try FaultsProcess("sim", "--first", "0", "--seeds", "3")
    #expect(run.exitCode == 0, "\(run.text)")
    #expect(run.lines.last?.hasPrefix("sim: 3 points, 0 findings") == true, "\(run.text)")
  }
}
