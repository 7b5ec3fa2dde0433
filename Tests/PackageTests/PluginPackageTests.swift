import Foundation
import Testing

extension OutsidePackageTests {
  /// What people report of build plugins and generators, as targets of `Tests/PluginPackage`, which is built once.
  @Suite struct PluginPackageTests {
    private static let package = Shell.package.appending(path: "Tests/PluginPackage")

    /// Targets in the folders of others, excluded drafts, a target that is the whole package, a name that is put
    /// together, a source file called like a manifest, an alias of a module, and imports with access levels.
    @Test func eachTargetHasItsOwnSchema() throws {
      let result = try Shell.swift("run", package: Self.package, "Situations")
      #expect(result.status == 0, "\(result.output)")
      // SwiftPM warns of an alias where the module's package depends on others, and applies it.
      let warnings = result.output.split(separator: "\n").filter { $0.contains("warning:") }
      #expect(warnings.allSatisfy { $0.contains("module alias for target 'Shared'") }, "\(warnings)")
      let expected = """
        Outer ["Outside"]
        Inner ["Inside"]
        ParcelService ["Parcel"]
        Levels ["Base", "Level"]
        PackageLevels ["Base", "PackageLevel"]
        PublicLevels ["Base", "PublicLevel"]
        Shared ["Person"] ["Person"]
        Whole ["Part"]
        Situations ["Guest", "Person"]
        [{"id":1,"person":{"id":2,"name":"Ada"}}]
        """
      #expect(result.output.contains(expected), "\(result.output)")
    }

    /// A build that measures coverage would leave `default.profraw` in the package.
    @Test func toolWritesNoCoverageProfile() throws {
      let (build, commands) = try Shell.plan(of: Self.package)
      #expect(build.status == 0, "\(build.output)")
      let compilations = commands.components(separatedBy: "description: \"Compiling the schema of")
        .dropFirst()
      #expect(!compilations.isEmpty)
      for command in compilations {
        #expect(command.prefix(4000).contains("LLVM_PROFILE_FILE"), "\(command)")
      }
    }

    /// The plugin would write the Swift once more, at every build.
    @Test func theCommandRefusesATargetThatUsesThePlugin() throws {
      let result = try Shell.generate(Self.package, ["generate", "--target", "Outer"])
      #expect(result.status != 0)
      #expect(
        result.output.contains("Outer has checked-in code in")
          && result.output.contains("uses SynclinePlugin"),
        "\(result.output)")
      let written = Self.package.appending(path: "Sources/Outer/Generated")
      #expect(!FileManager.default.fileExists(atPath: written.path))
    }
  }
}
