import Foundation
import TestRuns
import Testing

/// The examples of `Documentation/Commands.md`, which are run one after the other, and print what is shown.
@Suite(.enabled(if: TestKind.building.runs)) struct CommandArticleTests {
  private static let article = Shell.package.appending(path: "Documentation/Commands.md")

  @Test func articleExamplesPrintTheShownOutput() throws {
    let folder = try TemporaryFolder()
    let command = Shell.package.appending(path: ".build/debug/syncline").path
    for block in try CodeBlock.all(in: CommandArticleTests.article) {
      var lines = block.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      if block.language == "syncline" {
        let path = lines.removeFirst().replacingOccurrences(of: "// ", with: "")
        try folder.write(lines.joined(separator: "\n") + "\n", to: path)
        continue
      }
      // The plugin is run by the tests of packages outside.
      if block.language == "sh" { continue }
      #expect(block.language == "console")
      if block.text.hasPrefix("$ sqlite3 "), try Shell.run("bash", "-c", "command -v sqlite3").status != 0 {
        print("skipped: there is no sqlite3")
        continue
      }
      while !lines.isEmpty {
        let line = lines.removeFirst()
        #expect(line.hasPrefix("$ "))
        let end = lines.firstIndex { $0.hasPrefix("$ ") } ?? lines.endIndex
        let result = try Shell.run(
          "bash", "-c", "syncline() { '\(command)' \"$@\"; }\n\(line.dropFirst(2))", in: folder.url)
        let printed = result.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        #expect(printed.map(String.init) == Array(lines[..<end]), "\(line)")
        lines.removeSubrange(..<end)
      }
    }
  }

  @Test func eachCommandHasAnExample() throws {
    let help = try Shell.syncline("--help").output
    let listed = help.split(separator: "\n").drop { $0 != "SUBCOMMANDS:" }.dropFirst()
    let names = listed.filter { $0.hasPrefix("  ") && $0.dropFirst(2).first?.isLowercase ?? false }
      .compactMap { $0.split(separator: " ").first.map(String.init) }
    #expect(names.count > 4, "\(help)")
    let blocks = try CodeBlock.all(in: CommandArticleTests.article).filter { $0.language == "console" }
    for name in names {
      #expect(blocks.contains { $0.text.contains("$ syncline \(name)") }, "\(name)")
      #expect(try Shell.syncline(name, "--help").status == 0)
    }
  }
}
