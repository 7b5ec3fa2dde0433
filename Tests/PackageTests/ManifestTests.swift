import Foundation
import TestRuns
import Testing

/// What the package's own manifest has to say.
@Suite(.enabled(if: TestKind.building.runs)) struct ManifestTests {
  /// A product brings all of its targets; within the package, each target names those that it needs. Where one is
  /// missing, a build succeeds only if another target happened to need the module earlier.
  @Test func targetsWithGeneratedCodeDependOnItsImports() throws {
    struct Manifest: Decodable {
      struct Target: Decodable {
        struct Dependency: Decodable {
          let byName: [String?]?
        }
        struct Usage: Decodable { let plugin: [String?] }
        let name: String
        let dependencies: [Dependency]
        let pluginUsages: [Usage]?
      }
      let targets: [Target]
    }
    let scratch = try TemporaryFolder()
    let command = """
      swift package --package-path '\(Shell.package.path)' --scratch-path '\(scratch.url.path)' \
        dump-package 2>/dev/null
      """
    let dump = try Shell.run("bash", "-c", command)
    let targets = try JSONDecoder().decode(Manifest.self, from: Data(dump.output.utf8)).targets
    let generating = targets.filter { target in
      (target.pluginUsages ?? []).contains { $0.plugin.first == "SynclinePlugin" }
    }
    #expect(generating.count > 3)
    for target in generating {
      let names = target.dependencies.compactMap { $0.byName?.first ?? nil }
      #expect(names.contains("SynclineGenerated"), "\(target.name)")
    }
  }
}
