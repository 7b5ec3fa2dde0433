import Foundation
import Testing

/// Packages outside of this one, built and run as a user would. They share a build folder, so one runs at a time.
@Suite(.serialized) enum OutsidePackageTests {}

extension OutsidePackageTests {
  @Suite struct PackageTests {
    @Test func aPackageOutsideUsesThePluginWithHostileNamesAndMainActorIsolation() throws {
      let folder = Shell.package.appending(path: "Tests/OutsidePackage")
      let result = try Shell.swift("run", package: folder, "App")
      #expect(result.status == 0, "\(result.output)")
      #expect(!result.output.contains("warning:"), "\(result.output)")
      #expect(result.output.contains(#""owner":{"id":7,"name":"Ada","role":"admin""#))
      #expect(result.output.contains(#""class":"c","default":2,"in":true"#))
      #expect(result.output.contains("selected 1 7"))
      #expect(result.output.contains(#"joined ["Ada [\"a\"]"] true"#))
    }

    @Test func theTrackerExampleSyncsChangesAndExports() throws {
      let folder = Shell.package.appending(path: "Examples/Tracker")
      let result = try Shell.swift("run", package: folder, "Tracker")
      #expect(result.status == 0, "\(result.output)")
      #expect(!result.output.contains("warning:"), "\(result.output)")
      #expect(result.output.contains("Add session timeout controls"))
      #expect(result.output.contains(#""label": "Done""#))
      #expect(result.output.contains("sqlite3"))
    }

    @Test func theTrackerExampleSyncsAPayloadOfTheUsersOwn() throws {
      let folder = try TemporaryFolder()
      try folder.write(
        #"{"tasks": [{"id": 1, "title": "Mine", "updated_at": "2024-05-05"}]}"#, to: "own.json")
      let result = try Shell.swift(
        "run", package: Shell.package.appending(path: "Examples/Tracker"), "Tracker",
        folder.url.appending(path: "own.json").path, "tasks")
      #expect(result.status == 0, "\(result.output)")
      #expect(result.output.contains(#""title": "Mine""#))
    }

    /// Adding, changing, removing and renaming schema files does the right thing in the next build, and a build
    /// without changes runs nothing.
    @Test func thePluginFollowsTheSchemaFiles() throws {
      let folder = try TemporaryFolder()
      try folder.write(manifest, to: "Package.swift")
      try folder.write(
        #"import Syncline; print(AppSchema.models.map { "\($0)" }.sorted())"#, to: "Sources/App/main.swift")
      func run() throws -> String {
        let result = try Shell.swift("run", package: folder.url, "App")
        #expect(result.status == 0, "\(result.output)")
        return result.output.split(separator: "\n").last.map(String.init) ?? ""
      }
      try folder.write("model A { id: Int }", to: "Schemas/App/A.syncline")
      #expect(try run() == #"["A"]"#)
      try folder.write("model B { id: Int }", to: "Sources/App/Nested/B.syncline")
      #expect(try run() == #"["A", "B"]"#, "added, in the target's own folder")
      try folder.write("model B2 { id: Int }", to: "Sources/App/Nested/B.syncline")
      #expect(try run() == #"["A", "B2"]"#, "changed")
      try folder.remove("Schemas/App/A.syncline")
      try folder.write("model A { id: Int }", to: "Schemas/App/Renamed.syncline")
      #expect(try run() == #"["A", "B2"]"#, "renamed")
      try folder.remove("Sources/App/Nested/B.syncline")
      #expect(try run() == #"["A"]"#, "removed")

      // Schema files are for the compiler; a target has no resources because of them.
      let bundle = Shell.buildFolder.appending(path: "debug/App_App.resources")
      #expect(!FileManager.default.fileExists(atPath: bundle.path))

      let null = try Shell.swift("build", package: folder.url)
      #expect(null.status == 0)
      #expect(!null.output.contains("Compiling the schema"), "\(null.output)")
      #expect(!null.output.contains("Compiling App"), "\(null.output)")

      try folder.write("model A {\n  id: Int\n  title: Strin\n}", to: "Schemas/App/Renamed.syncline")
      let broken = try Shell.swift("build", package: folder.url)
      #expect(broken.status != 0)
      #expect(
        broken.output.contains(
          "Schemas/App/Renamed.syncline:3:10: error: unknown type “Strin”; did you mean “String”? [SL012]"),
        "\(broken.output)")
    }

    private var manifest: String {
      """
      // swift-tools-version: 6.1
      import PackageDescription

      let package = Package(
        name: "App",
        platforms: [.macOS(.v14)],
        dependencies: [.package(name: "Syncline", path: "\(Shell.package.path)")],
        targets: [
          .executableTarget(
            name: "App", dependencies: [.product(name: "Syncline", package: "Syncline")],
            plugins: [.plugin(name: "SynclinePlugin", package: "Syncline")])
        ]
      )
      """
    }
  }
}
