import Foundation
import TestSupport
import Testing

/// Long runs, shortened: what they find, and that they find it.
@Suite struct EnduranceTests {
  /// A run takes the memory and the descriptors of its process for its own, so it is one.
  private func run(_ arguments: String...) throws -> (status: Int32, lines: [Substring]) {
    let faults = Process()
    faults.executableURL = Bundle.main.bundleURL.appending(path: "Faults")
    faults.arguments = ["endurance"] + arguments
    faults.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    let pipe = Pipe()
    faults.standardOutput = pipe
    try faults.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    faults.waitUntilExit()
    return (faults.terminationStatus, output.split(separator: "\n"))
  }

  @Test func smallSyncsTakeNoMoreMemoryFilesOrLog() throws {
    let (status, lines) = try run("--syncs", "400")
    #expect(status == 0, "\(lines.joined(separator: "\n"))")
    #expect(lines.last?.hasPrefix("400 syncs in 40 stretches, 0 findings") == true)
  }

  @Test func memoryAndDescriptorsThatAreKeptAreFound() throws {
    let (status, lines) = try run("--syncs", "200", "--leak", "200000")
    #expect(status == 1)
    #expect(lines.contains { $0.hasPrefix("WRONG memory grew from") })
    #expect(lines.contains { $0.hasPrefix("WRONG descriptors grew from") })
    #expect(lines.contains { $0.contains("descriptors lead to a store that is closed") })
  }

  @Test func aReadThatStaysOpenIsLogged() throws {
    let (status, lines) = try run("--reader", "--bytes", "36000000")
    #expect(status == 0, "\(lines.joined(separator: "\n"))")
    #expect(lines.contains { $0.hasPrefix("logged: The write-ahead log takes") })
    #expect(lines.contains("log 0.0 MB: after a checkpoint"))
  }
}
