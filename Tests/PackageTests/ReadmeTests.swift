import Foundation
import Testing

extension OutsidePackageTests {
  /// The README's code, followed to the letter.
  @Suite struct ReadmeTests {
    private func blocks() throws -> [CodeBlock] {
      try CodeBlock.all(in: Shell.package.appending(path: "README.md"))
    }

    private static let articles = Shell.package.appending(path: "Sources/Syncline/Syncline.docc")

    /// The articles whose code is of the quick start's schema: all that no other test runs or type-checks. Each is a program
    /// that continues from block to block.
    private static func guides() throws -> [Guide] {
      let others: Set = [
        "Evolution", "Following", "GettingStarted", "HandwrittenModels", "OfflineEdits", "Operating",
        "Payloads",
        "Reading", "SchemaLanguage", "Shapes", "Storage", "Syncline", "Tour",
      ]
      return try FileManager.default.contentsOfDirectory(atPath: articles.path).sorted()
        .filter { $0.hasSuffix(".md") && !others.contains(String($0.dropLast(3))) }
        .map { try Guide(String($0.dropLast(3))) }
    }

    @Test func thePackageOfTheQuickStartBuildsAndAllCodeRuns() throws {
      let blocks = try blocks()
      let folder = try TemporaryFolder()
      let swift = blocks.filter { $0.language == "swift" }.map(\.text)
      let manifest = try #require(swift.first { $0.hasPrefix("// swift-tools-version") })
      let schema = CodeBlock.joined("syncline", of: blocks)
      let shapes = try Guide("Shapes")
      let start = try Guide("GettingStarted")
      #expect(start.code[0].contains("name: \"ReadingList\""))
      let others = ["Shapes", "Offline", "Guides", "ReadingList"].map { name in
        """
          .executableTarget(
            name: "\(name)",
            dependencies: [
              .product(name: "Syncline", package: "Syncline"), .product(name: "SynclineTesting", package: "Syncline"),
            ],
            plugins: [.plugin(name: "SynclinePlugin", package: "Syncline")]),
        """
      }
      try folder.write(
        manifest.replacing("../Syncline", with: Shell.package.path)
          .replacing("targets: [", with: "targets: [\n" + others.joined(separator: "\n")), to: "Package.swift"
      )

      // The tour goes on where the quick start's `main()` ends.
      let tour = try CodeBlock.all(in: Self.articles.appending(path: "Tour.md")).filter {
        $0.language == "swift"
      }
      let code = swift.filter { $0 != manifest } + tour.map(\.text)
      let app = try continued(code)
      try folder.write(schema, to: "Schemas/App/App.syncline")
      try folder.write(app, to: "Sources/App/App.swift")

      try folder.write(shapes.schema, to: "Schemas/Shapes/Shapes.syncline")
      try folder.write(shapes.file(schema: "ShapesSchema"), to: "Sources/Shapes/Shapes.swift")
      try folder.write(Guide.main(["Shapes"]), to: "Sources/Shapes/main.swift")

      let offline = try Guide("OfflineEdits")
      try folder.write(offline.schema, to: "Schemas/Offline/Offline.syncline")
      try folder.write(offline.file(schema: "OfflineSchema"), to: "Sources/Offline/Offline.swift")
      try folder.write(Guide.main(["OfflineEdits"]), to: "Sources/Offline/main.swift")

      let guides = try Self.guides()
      try folder.write(schema, to: "Schemas/Guides/App.syncline")
      for guide in guides {
        try folder.write(guide.file(schema: "GuidesSchema"), to: "Sources/Guides/\(guide.name).swift")
      }
      try folder.write(Guide.main(guides.map(\.name)), to: "Sources/Guides/main.swift")

      try folder.write(start.schema, to: "Schemas/ReadingList/ReadingList.syncline")
      let readingList = try continued(Array(start.code.dropFirst()))
      try folder.write(readingList, to: "Sources/ReadingList/ReadingList.swift")

      try check("App", app, in: folder, atLeast: 15)
      try check("Shapes", shapes.code.joined(separator: "\n"), in: folder, atLeast: 3)
      try check("Offline", offline.code.joined(separator: "\n"), in: folder, atLeast: 3)
      try check("Guides", guides.flatMap(\.code).joined(separator: "\n"), in: folder, atLeast: 20)
      try check("ReadingList", readingList, in: folder, atLeast: 4)
    }

    /// The blocks behind the first one at the end of its `main()`.
    private func continued(_ code: [String]) throws -> String {
      let start = try #require(code.first)
      let ending = "\n  }\n}"
      #expect(start.hasSuffix(ending))
      return start.dropLast(ending.count) + "\n" + code.dropFirst().joined(separator: "\n") + ending
    }

    /// An article's code: a function, and its declarations.
    private struct Guide {
      let name: String
      let schema: String
      let code: [String]

      init(_ name: String) throws {
        let blocks = try CodeBlock.all(in: articles.appending(path: "\(name).md"))
        self.name = name
        schema = CodeBlock.joined("syncline", of: blocks)
        code = blocks.filter { $0.language == "swift" && !$0.isOfAnotherPlatform }.map(\.text)
      }

      /// The file of a target whose schema is named so.
      func file(schema: String) -> String {
        var imports: Set = ["import Foundation", "import Syncline", "import SynclineTesting"]
        var declarations: [String] = []
        var statements: [String] = []
        for block in code {
          let lines = block.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
          imports.formUnion(lines.filter { $0.hasPrefix("import ") })
          let rest = lines.filter { !$0.hasPrefix("import ") }.drop { $0.isEmpty }.joined(separator: "\n")
          if Self.isDeclarations(rest) { declarations.append(rest) } else { statements.append(rest) }
        }
        return """
          \(imports.sorted().joined(separator: "\n"))

          \(declarations.joined(separator: "\n\n"))

          @MainActor func run\(name)() async throws {
            let container = try SyncContainer(for: \(schema).self)
            _ = container
          \(statements.joined(separator: "\n"))
          }

          """
      }

      /// Whether a block has only declarations, which are allowed outside of a function.
      private static func isDeclarations(_ text: String) -> Bool {
        let words = [
          "nonisolated", "final", "struct", "actor", "enum", "extension", "func", "class", "private",
        ]
        return text.split(separator: "\n").filter {
          $0.first != " " && $0.first != "}" && !$0.hasPrefix("//")
        }
        .allSatisfy { line in line.hasPrefix("@") || words.contains { line.hasPrefix($0 + " ") } }
      }

      static func main(_ names: [String]) -> String {
        names.map { "try await run\($0)()\n" }.joined()
      }
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

    @Test func readmeCommandsExist() throws {
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
