import Foundation
import TestRuns
import Testing

/// Code that only Apple's toolchains compile, type-checked against declarations of our own. SwiftUI has a suite for
/// itself.
@Suite(
  .enabled(if: AppleStub.isNeeded, "a build on Apple's platforms compiles it as it is"),
  .enabled(if: TestKind.building.runs))
struct AppleTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func typeCheck(_ files: [String], _ options: String = "") throws -> Shell.Result {
    try Shell.run(
      "bash", "-c",
      """
      swiftc -typecheck -warnings-as-errors -swift-version 6 -I '\(folder.url.path)' \(options) -module-name Checked \
      \(files.map { "'\($0)'" }.joined(separator: " "))
      """)
  }

  @Test func xcodePluginTypeChecks() throws {
    let options = "-I '\(try AppleStub.pluginAPI())' -package-description-version 6.1.0"
    let stub = try AppleStub.make("XcodeProjectPlugin", in: folder, options: options)
    #expect(stub.status == 0, "\(stub.output)")
    let plugin = Shell.package.appending(path: "Plugins/SynclinePlugin")
    let files = try FileManager.default.contentsOfDirectory(atPath: plugin.path)
      .map { plugin.appending(path: $0).path }
    let result = try typeCheck(files, "-parse-as-library \(options)")
    #expect(result.status == 0, "\(result.output)")
  }

  @Test func signpostsTypeCheck() throws {
    let stub = try AppleStub.make("os", in: folder)
    #expect(stub.status == 0, "\(stub.output)")
    let result = try typeCheck(["Sources/Syncline/Sync/Calls/SyncSignpost.swift"])
    #expect(result.status == 0, "\(result.output)")
  }

  @Test func theBranchesForDarwinTypeCheck() throws {
    let stub = try AppleStub.make("Darwin", in: folder)
    #expect(stub.status == 0, "\(stub.output)")
    let paths = try ["FileState", "FileIdentity"].map { name in
      let source = Shell.package.appending(path: "Sources/Syncline/Store/\(name).swift")
      // Apple's Foundation exports its C library.
      let text = try "import Darwin\n" + String(contentsOf: source, encoding: .utf8)
      try folder.write(text, to: "Sources/\(name).swift")
      return folder.url.appending(path: "Sources/\(name).swift").path
    }
    let result = try typeCheck(paths)
    #expect(result.status == 0, "\(result.output)")
  }

  /// The branches are those that the tests above know: a new one gets a test.
  @Test func applePlatformBranchesAreOnlyInKnownFiles() throws {
    let known = [
      "Plugins/SynclinePlugin/XcodePlugin.swift",
      "Sources/Syncline/Observation/SwiftUI/SyncContainer+Environment.swift",
      "Sources/Syncline/Observation/SwiftUI/SyncModel.swift",
      "Sources/Syncline/Observation/SwiftUI/SyncQuery.swift", "Sources/Syncline/Store/FileState.swift",
      "Sources/Syncline/Sync/Calls/SyncSignpost.swift",
    ]
    let found = try Shell.run(
      "bash", "-c",
      "grep -rlE '^ *#(else)?if .*(os\\((macOS|iOS)|canImport\\((Darwin|os|SwiftUI|Combine|Xcode|UIKit|AppKit))' Sources Plugins | sort"
    )
    #expect(found.output.split(separator: "\n").map(String.init) == known)
  }
}
