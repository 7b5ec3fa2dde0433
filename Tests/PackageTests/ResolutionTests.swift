import Foundation
import TestRuns
import Testing

/// What a package that depends on Syncline has to resolve.
@Suite(.enabled(if: TestKind.building.runs)) struct ResolutionTests {
  private struct Dependency: Decodable {
    let identity: String
    let version: String
    let dependencies: [Dependency]

    var all: [Dependency] { [self] + dependencies.flatMap(\.all) }
  }

  /// The versions that are resolved for a package, by the identities of the packages.
  private func resolved(_ dependencies: String) throws -> [String: String] {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      // swift-tools-version: 6.1
      import PackageDescription

      let package = Package(
        name: "App",
        platforms: [.macOS(.v14)],
        dependencies: [\(dependencies)],
        targets: [.target(name: "App", dependencies: [.product(name: "Syncline", package: "Syncline")])])
      """, to: "Package.swift")
    try folder.write("import Syncline\n", to: "Sources/App/App.swift")
    let result = try Shell.run(
      "bash", "-c",
      "swift package --package-path '\(folder.url.path)' show-dependencies --format json 2>/dev/null")
    try #require(result.status == 0, "\(result.output)")
    let root = try JSONDecoder().decode(Dependency.self, from: Data(result.output.utf8))
    return Dictionary(root.all.map { ($0.identity, $0.version) }, uniquingKeysWith: { first, _ in first })
  }

  /// Only the command is built with Yams and swift-argument-parser.
  @Test func commandDependenciesAreNotResolvedWithoutTrait() throws {
    let syncline = #".package(name: "Syncline", path: "\#(Shell.package.path)""#
    let all = try resolved(syncline + ")")
    #expect(all.keys.contains("yams") && all.keys.contains("swift-argument-parser"), "\(all)")
    let library = try resolved(syncline + ", traits: [])")
    #expect(library.keys.contains("grdb.swift"), "\(library)")
    #expect(!library.keys.contains("yams") && !library.keys.contains("swift-argument-parser"), "\(library)")
  }

  /// The command compiles with the older of the two versions of Yams that it takes.
  @Test func theCommandCompilesWithYams5() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      // swift-tools-version: 6.1
      import PackageDescription

      let package = Package(
        name: "App",
        platforms: [.macOS(.v14)],
        dependencies: [
          .package(name: "Syncline", path: "\(Shell.package.path)"),
          .package(url: "https://github.com/jpsim/Yams", "5.0.0"..<"6.0.0"),
        ],
        targets: [
          .target(
            name: "App",
            dependencies: [
              .product(name: "Syncline", package: "Syncline"), .product(name: "Yams", package: "Yams"),
            ])
        ])
      """, to: "Package.swift")
    try folder.write("import Yams\n", to: "Sources/App/App.swift")
    let build = try Shell.run(
      "swift", "build", "--package-path", folder.url.path, "--scratch-path", folder.url.path + "/.build",
      "--target", "Yams")
    #expect(build.status == 0, "\(build.output)")
    let sources = Shell.package.appending(path: "Sources/SynclineTool")
    let files = try FileManager.default.contentsOfDirectory(atPath: sources.path).sorted()
      .map { sources.appending(path: $0).path }
    let modules = folder.url.appending(path: ".build/debug/Modules")
    // SwiftPM calls a package by its folder.
    let identity = Shell.package.lastPathComponent.lowercased().replacing(/[^a-z0-9]/, with: "_")
    let result = try Shell.typeCheck(
      files,
      "-parse-as-library -package-name \(identity) -Xcc -fmodule-map-file='\(folder.url.path)/.build/checkouts/Yams/Sources/CYaml/include/module.modulemap'",
      in: modules)
    #expect(result.status == 0, "\(result.output)")
  }
}
