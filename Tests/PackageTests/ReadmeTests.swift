import Foundation
import Testing

extension OutsidePackageTests {
  /// The README's code, followed to the letter.
  @Suite struct ReadmeTests {
    private struct Block {
      let language: String
      let text: String
    }

    private func blocks() throws -> [Block] {
      let text = try String(contentsOf: Shell.package.appending(path: "README.md"), encoding: .utf8)
      var blocks: [Block] = []
      var current: (language: String, lines: [String])?
      for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        if line.hasPrefix("```") {
          if let block = current {
            blocks.append(Block(language: block.language, text: block.lines.joined(separator: "\n")))
            current = nil
          } else {
            current = (String(line.dropFirst(3)), [])
          }
        } else {
          current?.lines.append(String(line))
        }
      }
      return blocks
    }

    @Test func thePackageOfTheQuickStartBuildsAndAllCodeRuns() throws {
      let blocks = try blocks()
      let folder = try TemporaryFolder()
      let swift = blocks.filter { $0.language == "swift" }.map(\.text)
      let manifest = try #require(swift.first { $0.hasPrefix("// swift-tools-version") })
      try folder.write(manifest.replacing("../Syncline", with: Shell.package.path), to: "Package.swift")
      try folder.write(
        blocks.filter { $0.language == "syncline" }.map(\.text).joined(separator: "\n"),
        to: "Schemas/App/App.syncline")
      let lines = swift.filter { $0 != manifest }.joined(separator: "\n")
        .split(separator: "\n", omittingEmptySubsequences: false)
      let imports = lines.filter { $0.hasPrefix("import ") }
      let statements = lines.filter { !$0.hasPrefix("import ") }
      try folder.write(
        imports.joined(separator: "\n") + "\n@main struct App {\nstatic func main() async throws {\n"
          + statements.joined(separator: "\n") + "\n}\n}\n",
        to: "Sources/App/App.swift")
      let result = try Shell.swift("run", package: folder.url, "App")
      #expect(result.status == 0, "\(result.output)")
      #expect(!result.output.contains("warning:"), "\(result.output)")
      // What the comments say is printed, is.
      for line in swift.joined(separator: "\n").split(separator: "\n") {
        guard line.hasPrefix("print("), let comment = line.range(of: "  // ") else { continue }
        let expected = line[comment.upperBound...].prefix { $0 != ":" || line.contains("Invalid payload") }
        guard !expected.hasPrefix("1 task"), !expected.isEmpty else { continue }
        #expect(result.output.contains(expected), "\(expected)\n\(result.output)")
      }
      #expect(
        result.output.contains(
          "Task “42”, [0].updated_at: the text “soon” is no Date (the stored value was kept)"))
      #expect(result.output.contains("Task “42”, [0].tag_ids: there is no Tag 99 yet (the link was kept)"))
      #expect(
        result.output.contains(
          "Invalid payload for Task: “title” is missing (at [0].title, row 0, identity 50)"))
    }

    @Test func theCommandsExist() throws {
      let makefile = try String(contentsOf: Shell.package.appending(path: "Makefile"), encoding: .utf8)
      let commands = try blocks().filter { $0.language == "sh" }.flatMap { $0.text.split(separator: "\n") }
      #expect(!commands.isEmpty)
      for command in commands {
        let words = command.split(separator: " ")
        switch words.first {
        case "make": #expect(makefile.contains("\n\(words[1]):"), "\(command)")
        default:
          #expect(command.hasPrefix("swift run syncline "), "\(command)")
          let help = try Shell.run(
            "bash", "-c",
            "'\(Shell.package.appending(path: ".build/debug/syncline").path)' \(words[3]) --help")
          #expect(help.status == 0, "\(help.output)")
        }
      }
    }
  }
}
