import Foundation
import TestRuns
import Testing

/// `Documentation/Architecture.md` names the files that a payload and a schema go through: those that are there.
@Suite(.enabled(if: TestKind.building.runs)) struct ArchitectureTests {
  private func sources() throws -> [String] {
    let folder = Shell.package.appending(path: "Sources")
    let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return files.filter { $0.hasSuffix(".swift") }
  }

  @Test func filesNamedInArchitectureDocumentExist() throws {
    let text = try String(
      contentsOf: Shell.package.appending(path: "Documentation/Architecture.md"), encoding: .utf8)
    let sources = try sources()
    let named = text.matches(of: /`([A-Z][A-Za-z]*\/)+([A-Z][A-Za-z]*(\+[A-Z][A-Za-z]*)?)`/).map {
      String($0.output.0.dropFirst().dropLast())
    }
    #expect(named.count > 30)
    for name in named where !name.hasPrefix("Sources/") && !name.hasPrefix("Tests/") {
      #expect(sources.contains { "/\($0)".hasSuffix("/\(name).swift") }, "\(name)")
    }
  }

  @Test func architectureDocumentIsShorterThan120Lines() throws {
    let text = try String(
      contentsOf: Shell.package.appending(path: "Documentation/Architecture.md"), encoding: .utf8)
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count < 120)
  }
}
