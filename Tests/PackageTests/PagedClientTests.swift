import Foundation
import TestRuns
import Testing

extension OutsidePackageTests {
  /// The example that is a client of a paged API.
  @Suite struct PagedClientTests {
    private let package = Shell.package.appending(path: "Examples/PagedClient")

    private func expectOutput(_ options: String...) throws {
      let build = try Shell.swift("build", package: package, options)
      // Its own warnings: a package that it depends on has a file of no use.
      let isWarned = build.output.contains(/PagedClient\/.*warning:/)
      #expect(build.status == 0 && !isWarned, "\(build.output)")
      let expected = try String(contentsOf: package.appending(path: "Expected.txt"), encoding: .utf8)
      let run = try Shell.run(Shell.buildFolder.appending(path: "debug/PagedClient").path)
      #expect(run.status == 0 && run.output == expected, "\(run.output)")
    }

    @Test func pagedClientSyncsThroughFailuresAndChanges() throws { try expectOutput() }

    @Test(.enabled(if: TestKind.server.runs)) func pagedClientSyncsWithTheServerTrait() throws {
      try expectOutput("--traits", "Server")
    }
  }
}
