import Foundation
import TestRuns
import Testing

/// File systems that do not tell letter case apart, as most of macOS and Windows do not, have all files.
@Suite(.enabled(if: TestKind.building.runs)) struct LetterCaseTests {
  /// The names that are equal to another but for letter case.
  private func doubled(_ names: [String]) -> [[String]] {
    Dictionary(grouping: Set(names)) { $0.lowercased() }.values.filter { $0.count > 1 }
  }

  @Test func pathsDifferByMoreThanLetterCase() throws {
    var paths: [String] = []
    for root in try FileManager.default.contentsOfDirectory(atPath: Shell.package.path)
    where root == ".ci" || !root.hasPrefix(".") {
      let entries = FileManager.default.enumerator(atPath: Shell.package.appending(path: root).path)
      while let path = entries?.nextObject() as? String {
        if path.hasSuffix(".build") { entries?.skipDescendants() } else { paths.append("\(root)/\(path)") }
      }
    }
    #expect(paths.count > 1000)
    #expect(doubled(paths).isEmpty, "\(doubled(paths))")
  }

  /// SwiftPM calls folders and files of a build by the names of targets and products. A library that is neither static
  /// nor dynamic has none.
  @Test func targetsAndProductsDifferByMoreThanLetterCase() throws {
    struct Manifest: Decodable {
      struct Named: Decodable { let name: String }
      struct Product: Decodable {
        let name: String
        let type: [String: [String]?]

        var hasFiles: Bool { type["library"] != ["automatic"] && type["plugin"] == nil }
      }
      let targets: [Named]
      let products: [Product]
    }
    let examples = try FileManager.default.contentsOfDirectory(
      atPath: Shell.package.appending(path: "Examples").path)
    let packages = [".", "Benchmarks", "Tests/OutsidePackage", "Tests/PluginPackage", "Tools/Rooms"]
    for path in packages + examples.map({ "Examples/\($0)" }) {
      let folder = Shell.package.appending(path: path)
      guard FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path) else {
        continue
      }
      let scratch = try TemporaryFolder()
      let dump = try Shell.run(
        "bash", "-c",
        "swift package --package-path '\(folder.path)' --scratch-path '\(scratch.url.path)' dump-package 2>/dev/null"
      )
      let manifest = try JSONDecoder().decode(Manifest.self, from: Data(dump.output.utf8))
      let targets = manifest.targets.map(\.name)
      let products = manifest.products.filter(\.hasFiles).map(\.name)
      #expect(!targets.isEmpty)
      #expect(doubled(targets).isEmpty, "\(path): \(doubled(targets))")
      #expect(doubled(products).isEmpty, "\(path): \(doubled(products))")
    }
  }
}
