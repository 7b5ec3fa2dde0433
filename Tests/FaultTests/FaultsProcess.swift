import TestRuns

/// A run of the executable `Faults`.
struct FaultsProcess {
  private let run: ProgramRun

  init(_ arguments: String...) throws { try self.init(arguments) }

  init(_ arguments: [String]) throws { run = try ProgramRun("Faults", arguments) }

  var exitCode: Int32 { run.exitCode }
  var lines: [Substring] { run.lines }

  /// All that it printed, for the message of an expectation.
  var text: String { lines.joined(separator: "\n") }

  /// How many points had an outcome, as the summary says.
  func count(of outcome: String) -> Int {
    let line = lines.first { $0.hasSuffix(" × \(outcome)") }
    return line.flatMap { $0.split(separator: " ").first }.flatMap { Int($0) } ?? 0
  }
}
