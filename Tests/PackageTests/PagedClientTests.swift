import Foundation
import Testing

extension OutsidePackageTests {
  /// The example that is a client of a paged API.
  @Suite struct PagedClientTests {
    @Test func itSyncsThroughFailuresAndChangesByBothClients() throws {
      let package = Shell.package.appending(path: "Examples/PagedClient")
      let build = try Shell.swift("build", package: package)
      // Its own warnings: a package that it depends on has a file of no use.
      let isWarned = build.output.contains(/PagedClient\/.*warning:/)
      #expect(build.status == 0 && !isWarned, "\(build.output)")
      let expected = try String(contentsOf: package.appending(path: "Expected.txt"), encoding: .utf8)
      let program = Shell.buildFolder.appending(path: "debug/PagedClient").path
      let apps = try Shell.run(program)
      #expect(apps.status == 0 && apps.output == expected, "\(apps.output)")
      let servers = try Shell.run(program, "--server")
      #expect(servers.status == 0 && servers.output == expected, "\(servers.output)")
    }
  }
}
