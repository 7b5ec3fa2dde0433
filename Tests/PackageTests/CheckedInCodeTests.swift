import Foundation
import Testing

extension OutsidePackageTests {
  /// Swift that is kept in the repository: `swift package syncline generate`.
  @Suite struct CheckedInCodeTests {
    /// The targets' own schema files are excluded, so that SwiftPM does not warn of files it cannot handle.
    private func manifest(_ plugins: String = "") -> String {
      """
      // swift-tools-version: 6.1
      import PackageDescription

      let package = Package(
        name: "CheckedIn",
        platforms: [.macOS(.v14)],
        dependencies: [.package(name: "Syncline", path: "\(Shell.package.path)")],
        targets: [
          .target(name: "Base", dependencies: [.product(name: "Syncline", package: "Syncline")]),
          .executableTarget(
            name: "App", dependencies: ["Base", .product(name: "Syncline", package: "Syncline")],
            exclude: ["Models/Label.syncline", "Vendored"]\(plugins)),
        ]
      )
      """
    }

    private func generate(_ folder: TemporaryFolder, _ arguments: String...) throws -> Shell.Result {
      try Shell.generate(folder.url, arguments)
    }

    /// What is checked in is what the schema gives: nobody forgot to write it anew.
    @Test func checkedInExampleCodeIsUpToDate() throws {
      let example = Shell.package.appending(path: "Examples/CheckedIn")
      let check = try Shell.syncline(
        "generate", "--check", "--target", "CheckedIn", "--output",
        example.appending(path: "Sources/CheckedIn/Generated").path,
        example.appending(path: "Schemas/CheckedIn").path)
      #expect(check.status == 0, "\(check.output)")
      let run = try Shell.swift("run", package: example, "CheckedIn")
      #expect(run.status == 0 && run.output.contains("3 rows"), "\(run.output)")
      #expect(!run.output.contains("warning:"), "\(run.output)")
    }

    @Test func checkedInCodeIsGeneratedCheckedAndBuilt() throws {
      let folder = try TemporaryFolder()
      try folder.write(manifest(), to: "Package.swift")
      try folder.write(
        "schema { access: public }\nmodel User { id: Int }\n", to: "Schemas/Base/User.syncline")
      // SwiftPM knows no target without Swift.
      try folder.write("// Types that are generated.\n", to: "Sources/Base/Base.swift")
      try folder.write("import Base\nmodel Task { id: Int; owner: User? }\n", to: "Schemas/App/Task.syncline")
      try folder.write("model Label { id: Int }\n", to: "Sources/App/Models/Label.syncline")
      try folder.write("model Nested { id: Int }\n", to: "Sources/App/Vendored/Nested.syncline")
      try folder.write("// Another package.\n", to: "Sources/App/Vendored/Package.swift")
      try folder.write(
        #"import Base; print(AppSchema.models.map { "\($0)" }.sorted())"#, to: "Sources/App/main.swift")
      let first = try generate(folder, "generate")
      #expect(
        first.status != 0 && first.output.contains("No target has checked-in code yet"), "\(first.output)")
      for target in ["Base", "App"] {
        let written = try generate(folder, "generate", "--target", target)
        #expect(written.status == 0, "\(written.output)")
      }
      let run = try Shell.swift("run", package: folder.url, "App")
      #expect(run.status == 0 && run.output.contains(#"["Label", "Task", "User"]"#), "\(run.output)")
      #expect(!run.output.contains("warning:"), "\(run.output)")
      let same = try generate(folder, "generate", "--check")
      #expect(same.status == 0, "\(same.output)")
      try folder.write("import Base\nmodel Task { id: Int; name: String }\n", to: "Schemas/App/Task.syncline")
      let check = try generate(folder, "generate", "--check")
      #expect(check.status != 0 && check.output.contains("changed: Task.syncline.swift"), "\(check.output)")
      #expect(check.output.contains("The generated code of App is out of date"), "\(check.output)")
      #expect(try generate(folder, "generate").status == 0)
      #expect(try generate(folder, "generate", "--check").status == 0)
      // Both ways at once are told apart in a sentence.
      try folder.write(
        manifest(
          ", plugins: [.plugin(name: \"SynclinePlugin\", package: \"Syncline\")]"),
        to: "Package.swift")
      let both = try Shell.swift("build", package: folder.url)
      #expect(
        both.status != 0 && both.output.contains("App has checked-in code in")
          && !both.output.contains("multiple producers"), "\(both.output)")
      // The command does not write what no build would take.
      let refused = try generate(folder, "generate", "--target", "App")
      #expect(
        refused.status != 0 && refused.output.contains("App has checked-in code in"), "\(refused.output)")
    }
  }
}
