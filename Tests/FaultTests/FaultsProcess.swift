import Foundation

/// A run of the executable `Faults`, which is built beside the tests. What traps or is killed there does not end the tests.
struct FaultsProcess {
  let exitCode: Int32
  let lines: [Substring]

  init(_ arguments: String...) throws { try self.init(arguments) }

  init(_ arguments: [String]) throws {
    let process = Process()
    process.executableURL = Bundle.main.bundleURL.appending(path: "Faults")
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    exitCode = process.terminationStatus
    lines = output.split(separator: "\n")
  }

  /// All that it printed, for the message of an expectation.
  var text: String { lines.joined(separator: "\n") }

  /// How many points had an outcome, as the summary says.
  func count(of outcome: String) -> Int {
    let line = lines.first { $0.hasSuffix(" × \(outcome)") }
    return line.flatMap { $0.split(separator: " ").first }.flatMap { Int($0) } ?? 0
  }
}
