import Foundation
import Testing

/// The command line tool, built with the package and run as a user would.
@Suite struct CommandTests {

  private func syncline(_ arguments: String...) throws -> Shell.Result {
    // The tests stand beside the products: the tool is among them.
    let folder = Shell.package.appending(path: ".build/debug/syncline")
    let quoted = ([folder.path] + arguments).map { "'\($0)'" }.joined(separator: " ")
    return try Shell.run("bash", "-c", quoted)
  }

  @Test func checkAcceptsARightSchema() throws {
    let result = try syncline("check", Shell.package.appending(path: "Schemas/SynclineTests").path)
    #expect(result.status == 0, "\(result.output)")
    #expect(result.output.isEmpty)
  }

  @Test func checkPrintsEveryDiagnosticWithItsSource() throws {
    let folder = try TemporaryFolder()
    try folder.write("model A {\n  name: Sring\n}\n\nmodel A { id: Int }\n", to: "A.syncline")
    let result = try syncline("check", folder.url.appending(path: "A.syncline").path)
    #expect(result.status == 1)
    #expect(result.output.contains("error: unknown type “Sring”; did you mean “String”? [SL012]"))
    #expect(result.output.contains(" 2 |   name: Sring\n   |         ^~~~~"))
    #expect(result.output.contains("[SL030]"))
    #expect(result.output.contains("[SL010]"))
  }

  @Test func generateWritesTheSwiftOfASchema() throws {
    let folder = try TemporaryFolder()
    try folder.write("model A { id: Int }\n", to: "A.syncline")
    let output = folder.url.appending(path: "Generated")
    let result = try syncline(
      "generate", "--target", "App", "--output", output.path, folder.url.appending(path: "A.syncline").path)
    #expect(result.status == 0, "\(result.output)")
    let files = try FileManager.default.contentsOfDirectory(atPath: output.path).sorted()
    #expect(files == ["A.syncline.swift", "AppSchema.syncline.swift"])
  }

  @Test func whatIsNoSchemaFileIsRefusedInOneSentence() throws {
    let readme = Shell.package.appending(path: "README.md").path
    let folder = try TemporaryFolder()
    for (path, sentence) in [
      (readme, "Error: “\(readme)” is no schema file: the names of these end in “.syncline”.\n"),
      (folder.url.path, "Error: There is no schema file in “\(folder.url.path)”.\n"),
    ] {
      let result = try syncline("check", path)
      #expect(result.status == 1)
      #expect(result.output == sentence)
    }
  }

  @Test func theVersionIsPrinted() throws {
    let result = try syncline("--version")
    #expect(result.status == 0)
    #expect(result.output.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil, "\(result.output)")
  }

  @Test func aMissingFileIsNamed() throws {
    let result = try syncline("check", "/nowhere/Missing.syncline")
    #expect(result.status != 0)
    #expect(result.output.contains("/nowhere/Missing.syncline"))
  }
}
