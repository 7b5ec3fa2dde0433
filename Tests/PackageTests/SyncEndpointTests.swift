import Foundation
import TestRuns
import Testing

extension OutsidePackageTests {
  /// The example whose server answers with several lists in one body.
  @Suite struct SyncEndpointTests {
    private let package = Shell.package.appending(path: "Examples/SyncEndpoint")

    /// `SYNCLINE_RECORD=1` records what it prints.
    @Test func bodiesOfSeveralListsAreSyncedAndEditsReachTheServerOnce() throws {
      let build = try Shell.swift("build", package: package)
      #expect(build.status == 0 && !build.output.contains("warning:"), "\(build.output)")
      let run = try Shell.run(Shell.buildFolder.appending(path: "debug/SyncEndpoint").path)
      let file = package.appending(path: "Expected.txt")
      if ProcessInfo.processInfo.environment["SYNCLINE_RECORD"] == "1" {
        try Data(run.output.utf8).write(to: file)
      }
      let expected = try String(contentsOf: file, encoding: .utf8)
      #expect(run.status == 0 && run.output == expected, "\(run.output)")
      #expect(run.output.hasSuffix("equal: true\n"), "\(run.output)")
    }
  }
}
