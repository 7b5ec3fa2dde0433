import Foundation

/// A run of a program of this package that is built beside the tests. What traps or is killed there does not end the tests.
package struct ProgramRun {
  package let exitCode: Int32
  /// What it wrote, errors included.
  package let lines: [Substring]

  package init(_ name: String, _ arguments: [String]) throws {
    let process = Process()
    process.executableURL = Bundle.main.bundleURL.appending(path: name)
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
}
