import Foundation
import Testing

extension OutsidePackageTests {
  /// The README's code, followed to the letter.
  @Suite struct ReadmeTests {
    private func blocks() throws -> [CodeBlock] {
      try CodeBlock.all(in: Shell.package.appending(path: "README.md"))
    }

    @Test func thePackageOfTheQuickStartBuildsAndAllCodeRuns() throws {
      let blocks = try blocks()
      let folder = try TemporaryFolder()
      let swift = blocks.filter { $0.language == "swift" }.map(\.text)
      let manifest = try #require(swift.first { $0.hasPrefix("// swift-tools-version") })
      let shapes = try self.program(ofArticle: "Shapes")
      // These are of the quick start's schema.
      let others = try ["Pages", "Reports"].map { ($0, try self.program(ofArticle: $0).program) }
      let schema = blocks.filter { $0.language == "syncline" }.map(\.text).joined(separator: "\n")
      try folder.write(
        manifest.replacing("../Syncline", with: Shell.package.path).replacing(
          "targets: [",
          with: """
            targets: [
              .executableTarget(
                name: "Shapes", dependencies: [.product(name: "Syncline", package: "Syncline")],
                plugins: [.plugin(name: "SynclinePlugin", package: "Syncline")]),
              .executableTarget(
                name: "Pages", dependencies: [.product(name: "Syncline", package: "Syncline")],
                plugins: [.plugin(name: "SynclinePlugin", package: "Syncline")]),
              .executableTarget(
                name: "Reports", dependencies: [.product(name: "Syncline", package: "Syncline")],
                plugins: [.plugin(name: "SynclinePlugin", package: "Syncline")]),
            """), to: "Package.swift")
      try folder.write(shapes.schema, to: "Schemas/Shapes/Shapes.syncline")
      try folder.write(shapes.program, to: "Sources/Shapes/Shapes.swift")
      for (name, program) in others {
        try folder.write(schema, to: "Schemas/\(name)/App.syncline")
        try folder.write(program, to: "Sources/\(name)/\(name).swift")
      }
      try folder.write(schema, to: "Schemas/App/App.syncline")
      // The examples go on where the quick start's `main()` ends.
      let code = swift.filter { $0 != manifest }
      let start = try #require(code.first)
      let ending = "\n  }\n}"
      #expect(start.hasSuffix(ending))
      let program = start.dropLast(ending.count) + "\n" + code.dropFirst().joined(separator: "\n") + ending
      try folder.write(String(program), to: "Sources/App/App.swift")
      try check("App", String(program), in: folder, atLeast: 15)
      try check("Shapes", shapes.program, in: folder, atLeast: 3)
      for (name, program) in others { try check(name, program, in: folder, atLeast: 1) }
    }

    /// The code of an article, which goes on from block to block, as a program.
    private func program(ofArticle name: String) throws -> (schema: String, program: String) {
      let blocks = try CodeBlock.all(
        in: Shell.package.appending(path: "Sources/Syncline/Syncline.docc/\(name).md"))
      func text(_ language: String) -> String {
        blocks.filter { $0.language == language }.map(\.text).joined(separator: "\n")
      }
      let code = blocks.filter { $0.language == "swift" }.map(\.text)
      let isDeclaration = { (text: String) in text.hasPrefix("nonisolated ") }
      let program = """
        import Foundation
        import Syncline

        \(code.filter(isDeclaration).joined(separator: "\n"))

        @main struct \(name) {
          static func main() async throws {
            let container = try SyncContainer(for: \(name)Schema.self)
        \(code.filter { !isDeclaration($0) }.joined(separator: "\n"))
          }
        }
        """
      return (text("syncline"), program)
    }

    /// Runs a program, whose output is what its comments say.
    private func check(_ target: String, _ program: String, in folder: TemporaryFolder, atLeast count: Int)
      throws
    {
      let result = try Shell.swift("run", package: folder.url, target)
      #expect(result.status == 0, "\(result.output)")
      #expect(!result.output.contains("warning:"), "\(result.output)")
      let printed = printedComments(in: program)
      #expect(printed.count >= count)
      // Each is a line of the output, in their order.
      var output = withoutTimes(result.output).split(separator: "\n")[...]
      for comment in printed.map(withoutTimes) {
        let place = try #require(output.firstIndex { $0 == comment }, "\(comment)\n\(result.output)")
        output = output[(place + 1)...]
      }
    }

    /// What the comments behind or below each `print` say that it prints.
    private func printedComments(in code: String) -> [String] {
      var comments: [String] = []
      var lines = code.split(separator: "\n", omittingEmptySubsequences: false)[...]
      while let line = lines.popFirst() {
        guard line.contains("print(") else { continue }
        if let start = line.range(of: "  // ") {
          comments.append(String(line[start.upperBound...]))
        } else {
          while let below = lines.first?.drop(while: { $0 == " " }), below.hasPrefix("// ") {
            comments.append(String(below.dropFirst(3)))
            lines.removeFirst()
          }
        }
      }
      return comments
    }

    /// The text with one time for all.
    private func withoutTimes(_ text: String) -> String {
      text.replacing(/\d+ µs/, with: "… µs")
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
