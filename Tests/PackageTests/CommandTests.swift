import Foundation
import TestRuns
import Testing

/// The command line tool, built with the package and run as a user would.
@Suite(.enabled(if: TestKind.building.runs)) struct CommandTests {

  /// The names of the files in a folder, but for hidden ones.
  private func visibleFiles(in path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).filter { !$0.hasPrefix(".") }.sorted()
  }

  private func syncline(_ arguments: String...) throws -> Shell.Result { try Shell.syncline(arguments) }

  @Test func checkAcceptsARightSchema() throws {
    let result = try syncline("check", Shell.package.appending(path: "Schemas/SynclineTests").path)
    #expect(result.status == 0, "\(result.output)")
    #expect(result.output.isEmpty)
  }

  @Test func checkPrintsEveryDiagnosticWithItsSource() throws {
    let folder = try TemporaryFolder()
    try folder.write("model A {\n  name: Sring\n}\n\nmodel A { id: Int }\n", to: "A.syncline")
    let result = try syncline("check", folder.url.appending(path: "A.syncline").path)
    #expect(result.status == 2)
    #expect(result.output.contains("error: unknown type “Sring”; did you mean “String”? [SL012]"))
    #expect(result.output.contains(" 2 |   name: Sring\n   |         ^~~~~"))
    #expect(result.output.contains("[SL030]"))
    #expect(result.output.contains("[SL010]"))
  }

  @Test func checkPrintsJSONForMachines() throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "A.syncline").path
    try folder.write("model A { id: Sring }\n", to: "A.syncline")
    for (form, part) in [("--json", #""code" : "SL012""#), ("--sarif", #""ruleId" : "SL012""#)] {
      let result = try syncline("check", form, file)
      #expect(result.status == 2 && result.output.contains(part), "\(result.output)")
      #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(result.output.utf8)) }
    }
    // A warning is no error.
    try folder.write("model A { id: Int; description: String }\n", to: "A.syncline")
    let result = try syncline("check", "--json", file)
    #expect(result.status == 0 && result.output.contains("SL071"), "\(result.output)")
  }

  @Test func formatWritesFilesInOneForm() throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "A.syncline")
    try folder.write("model  A{id:Int // its number\n}", to: "A.syncline")
    try folder.write("model B { id: Int }\n", to: "B.syncline")
    let check = try syncline("format", "--check", folder.url.path)
    #expect(check.status == 1 && check.output == "\(file.path)\n", "\(check.output)")
    let format = try syncline("format", folder.url.path)
    #expect(format.status == 0 && format.output.isEmpty, "\(format.output)")
    #expect(try String(contentsOf: file, encoding: .utf8) == "model A {\n  id: Int  // its number\n}\n")
    #expect(try syncline("format", "--check", folder.url.path).status == 0)
    let input = try Shell.run(
      "bash", "-c",
      "printf 'model  C{id:Int}' | '\(Shell.package.appending(path: ".build/debug/syncline").path)' format -")
    #expect(input.status == 0 && input.output == "model C { id: Int }\n", "\(input.output)")
    // What cannot be read stays as it is.
    try folder.write("model  D{", to: "D.syncline")
    let broken = try syncline("format", folder.url.path)
    #expect(broken.status == 2 && broken.output.contains("D.syncline:1:"), "\(broken.output)")
    let left = try String(contentsOf: folder.url.appending(path: "D.syncline"), encoding: .utf8)
    #expect(left == "model  D{")
  }

  @Test func generateCheckReportsOutdatedFiles() throws {
    let folder = try TemporaryFolder()
    let (schemas, output) = (folder.url.appending(path: "S").path, folder.url.appending(path: "Out").path)
    try folder.write("model A { id: Int }\n", to: "S/A.syncline")
    try folder.write("model B { id: Int }\n", to: "S/B.syncline")
    func generate(_ options: String...) throws -> Shell.Result {
      try Shell.syncline(["generate", "--target", "App", "--output", output] + options + [schemas])
    }
    let empty = try generate("--check")
    #expect(
      empty.status == 1
        && empty.output
          == "missing: A.syncline.swift\nmissing: AppSchema.syncline.swift\nmissing: B.syncline.swift\n"
    )
    #expect(!FileManager.default.fileExists(atPath: output))
    #expect(try generate().status == 0)
    let same = try generate("--check")
    #expect(same.status == 0 && same.output.isEmpty, "\(same.output)")
    // The schema changes, a file goes, and somebody changes what was written.
    try folder.write("model A { id: Int; name: String }\n", to: "S/A.syncline")
    try folder.remove("S/B.syncline")
    let index = folder.url.appending(path: "Out/AppSchema.syncline.swift")
    let text = try String(contentsOf: index, encoding: .utf8)
    try folder.write(text + "// Mine.\n", to: "Out/AppSchema.syncline.swift")
    let check = try generate("--check")
    #expect(check.status == 1)
    let lines = check.output.split(separator: "\n").map(String.init)
    #expect(
      lines.filter { $0.contains(": ") && $0.hasSuffix(".swift") && !$0.hasPrefix("-") } == [
        "changed: A.syncline.swift", "edited by hand: AppSchema.syncline.swift",
        "orphaned: B.syncline.swift",
      ], "\(check.output)")
    #expect(lines.contains("+  var name: Swift.String") && lines.contains("-// Mine."))
    let written = try generate()
    #expect(
      written.status == 0
        && written.output.hasPrefix("AppSchema.syncline.swift was edited by hand, and is overwritten:\n"),
      "\(written.output)")
    #expect(try generate("--check").status == 0)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: output).sorted() == [
        ".App.syncline-manifest.json", "A.syncline.swift", "AppSchema.syncline.swift",
      ])
  }

  @Test func explainPrintsThePageOfACode() throws {
    let page = try syncline("explain", "sl012")
    #expect(page.status == 0 && page.output.hasPrefix("## SL012: unknown type\n"))
    #expect(try syncline("explain").output.split(separator: "\n").count > 50)
    #expect(try syncline("explain", "SL999").status == 64)
  }

  @Test func generateWritesTheSwiftOfASchema() throws {
    let folder = try TemporaryFolder()
    try folder.write("model A { id: Int }\n", to: "A.syncline")
    let output = folder.url.appending(path: "Generated")
    let result = try syncline(
      "generate", "--target", "App", "--output", output.path, folder.url.appending(path: "A.syncline").path)
    #expect(result.status == 0, "\(result.output)")
    let files = try visibleFiles(in: output.path)
    #expect(files == ["A.syncline.swift", "AppSchema.syncline.swift"])
  }

  @Test func pathsWithoutSchemaFilesAreRefused() throws {
    let readme = Shell.package.appending(path: "README.md").path
    let folder = try TemporaryFolder()
    for (path, sentence) in [
      (readme, "Error: “\(readme)” is not a schema file: its name must end in “.syncline”.\n"),
      (folder.url.path, "Error: There is no schema file in “\(folder.url.path)”.\n"),
    ] {
      let result = try syncline("check", path)
      #expect(result.status == 1)
      #expect(result.output == sentence)
    }
  }

  @Test func versionOptionPrintsTheVersionFile() throws {
    let version = try String(contentsOf: Shell.package.appending(path: "VERSION"), encoding: .utf8)
    #expect(version.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil, "\(version)")
    let result = try syncline("--version")
    #expect(result.status == 0)
    #expect(result.output == version)
  }

  @Test func aMissingFileIsNamed() throws {
    let result = try syncline("check", "/nowhere/Missing.syncline")
    #expect(result.status != 0)
    #expect(result.output.contains("/nowhere/Missing.syncline"))
  }

  /// A folder with a schema file for each path.
  private func folder(_ files: KeyValuePairs<String, String>) throws -> (TemporaryFolder, String) {
    let folder = try TemporaryFolder()
    for (path, text) in files { try folder.write(text, to: path) }
    return (folder, folder.url.path)
  }

  @Test func hiddenFilesAreNotSearched() throws {
    let (folder, path) = try folder([
      "A.syncline": "model A { id: Int }", ".build/B.syncline": "broken", "._A.syncline": "broken",
      ".#A.syncline": "broken", "Nested/.git/C.syncline": "broken", "D.syncline/E.txt": "a folder",
    ])
    let result = try syncline("check", path)
    #expect(result.status == 0, "\(result.output)")
    withExtendedLifetime(folder) {}
  }

  @Test func fileGivenTwiceIsReadOnce() throws {
    let (folder, path) = try folder(["A.syncline": "model A { id: Int }"])
    try FileManager.default.createSymbolicLink(
      atPath: path + "/B.syncline", withDestinationPath: path + "/A.syncline")
    let result = try syncline(
      "check", path, path + "/A.syncline", path + "/../" + folder.url.lastPathComponent)
    #expect(result.status == 0, "\(result.output)")
  }

  @Test func filesOfOneNameInTwoFoldersHaveTwoOutputs() throws {
    let (folder, path) = try folder([
      "S/A/Names.syncline": "model A { id: Int }", "S/B/Names.syncline": "model B { id: Int }",
    ])
    let result = try syncline("generate", "--target", "App", "--output", path + "/Out", path + "/S")
    #expect(result.status == 0, "\(result.output)")
    let files = try visibleFiles(in: path + "/Out")
    #expect(files == ["A_Names.syncline.swift", "AppSchema.syncline.swift", "B_Names.syncline.swift"])
    let twice = try syncline("check", path + "/S/A", path + "/S/B")
    #expect(twice.status == 2)
    #expect(twice.output.contains("[SL092]"), "\(twice.output)")
    withExtendedLifetime(folder) {}
  }

  @Test func swiftOfDeletedSchemaFileIsRemoved() throws {
    let (folder, path) = try folder([
      "S/A.syncline": "model A { id: Int }", "S/B.syncline": "model B { id: Int }",
      "T/C.syncline": "model C { id: Int }", "Out/Mine.syncline.swift": "// Written by hand.",
    ])
    func generate(_ target: String, _ schemas: String) throws -> Shell.Result {
      try syncline("generate", "--target", target, "--output", path + "/Out", path + "/" + schemas)
    }
    #expect(try generate("App", "S").output.isEmpty)
    #expect(try generate("Other", "T").output.isEmpty, "another target's Swift stays")
    try folder.remove("S/B.syncline")
    #expect(try generate("App", "S").output == "Removed B.syncline.swift: its schema file was deleted.\n")
    let files = try visibleFiles(in: path + "/Out")
    #expect(
      files == [
        "A.syncline.swift", "AppSchema.syncline.swift", "C.syncline.swift", "Mine.syncline.swift",
        "OtherSchema.syncline.swift",
      ])
  }

  @Test func swiftFollowsTheLetterCaseOfItsSchemaFile() throws {
    let (folder, path) = try folder(["S/Task.syncline": "model A { id: Int }"])
    func generate(_ options: String...) throws -> Shell.Result {
      try Shell.syncline(
        ["generate", "--target", "App", "--output", path + "/Out", path + "/S"] + options)
    }
    #expect(try generate().status == 0)
    try folder.remove("S/Task.syncline")
    try folder.write("model A { id: Int }", to: "S/task.syncline")
    #expect(try generate("--check").status == 1)
    #expect(try generate().status == 0)
    let files = try visibleFiles(in: path + "/Out").map { $0.lowercased() }
    #expect(files.sorted() == ["appschema.syncline.swift", "task.syncline.swift"])
    #expect(try generate("--check").status == 0)
  }

  @Test func tryRefusesAPathInADocumentOfAUnion() throws {
    let folder = try TemporaryFolder()
    try folder.write("model Post { id: Int }\nunion Item on \"type\" { case post: Post }\n", to: "A.syncline")
    try folder.write(#"{"data": [{"type": "posts", "id": "1"}]}"#, to: "page.json")
    let (schema, page) = (folder.url.path + "/A.syncline", folder.url.path + "/page.json")
    let result = try syncline("try", "--json-api", "--as", "Item", "--at", "no.such.path", schema, page)
    #expect(result.status == 64)
    #expect(result.output.contains("“--at” cannot be combined with “--json-api” and a union."))
    #expect(try syncline("try", "--json-api", "--as", "Item", schema, page).status == 0)
  }

  @Test func mergeKeysOfYAMLAreRead() throws {
    let document = """
      openapi: 3.0.0
      x-common: &common {id: {type: integer}, name: {type: integer}}
      components:
        schemas:
          Trip:
            properties: {<<: *common, name: {type: string}}

      """
    let (folder, path) = try folder(["A.yaml": document, "B.yaml": "\u{FEFF}" + document])
    for name in ["A", "B"] {
      let result = try syncline("infer", "--openapi", path + "/\(name).yaml")
      #expect(result.output.contains("model Trip {\n  id: Int\n  name: String"), "\(result.output)")
    }
    withExtendedLifetime(folder) {}
  }

  @Test func nothingIsWrittenOutsideOfTheOutput() throws {
    let (folder, path) = try folder(["A.syncline": "model A { id: Int }"])
    for target in ["../evil", "", "..", "a/b"] {
      let result = try syncline("generate", "--target", target, "--output", path + "/Out", path)
      #expect(result.status == 1)
      #expect(result.output == "Error: “\(target)” is not a valid name of a target\n")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["A.syncline"])
    withExtendedLifetime(folder) {}
  }

  @Test func moduleNameOfTargetMatchesSwiftPM() throws {
    let (folder, path) = try folder(["A.syncline": "model A { id: Int }"])
    let result = try syncline("generate", "--target", "odd-app", "--output", path + "/Out", path)
    #expect(result.status == 0, "\(result.output)")
    let files = try visibleFiles(in: path + "/Out")
    #expect(files == ["A.syncline.swift", "odd_appSchema.syncline.swift"])
    withExtendedLifetime(folder) {}
  }

  @Test func otherTargetsCanBeImported() throws {
    let (folder, path) = try folder([
      "App/Task.syncline": "import my_base\nmodel Task {\n  id: Int\n  owner: User?\n}\n",
      "Base/User.syncline": "schema { access: package }\nmodel User { id: Int }\n",
    ])
    let alone = try syncline("check", path + "/App")
    #expect(alone.status == 2)
    #expect(alone.output.contains("[SL090]"), "\(alone.output)")
    let result = try syncline(
      "generate", "--target", "App", "--output", path + "/Out", "--import", "my-base=\(path)/Base",
      path + "/App")
    #expect(result.status == 0, "\(result.output)")
    let swift = try String(contentsOfFile: path + "/Out/Task.syncline.swift", encoding: .utf8)
    #expect(swift.contains("import my_base\n"))
    withExtendedLifetime(folder) {}
  }

  /// `import protocol` means something else.
  @Test func targetCanBeNamedLikeASwiftKeyword() throws {
    let (folder, path) = try folder([
      "App/Task.syncline": "import protocol\nmodel Task {\n  id: Int\n  state: Value = .open\n}\n",
      "Base/User.syncline":
        "schema { access: package }\nenum Value: String { case open }\nmodel User { id: Int; state: Value }\n",
    ])
    let app = try syncline(
      "generate", "--target", "App", "--output", path + "/Out", "--import", "protocol=\(path)/Base",
      path + "/App")
    #expect(app.status == 0, "\(app.output)")
    let task = try String(contentsOfFile: path + "/Out/Task.syncline.swift", encoding: .utf8)
    #expect(task.contains("import `protocol`\n") && task.contains("var state: `protocol`.Value = .open\n"))
    #expect(try syncline("generate", "--target", "protocol", "--output", path, path + "/Base").status == 0)
    let user = try String(contentsOfFile: path + "/User.syncline.swift", encoding: .utf8)
    #expect(user.contains("var state: `protocol`.Value\n"))
    withExtendedLifetime(folder) {}
  }

  @Test func everyFileThatCannotBeReadIsReportedWithTheReason() throws {
    let (folder, path) = try folder(["A.syncline": "model A { id: Int }", "C.syncline": ""])
    try Data("model B {\n  id: \u{FFFF}".utf8.dropLast(1)).write(to: folder.url.appending(path: "B.syncline"))
    try FileManager.default.removeItem(atPath: path + "/C.syncline")
    try FileManager.default.createSymbolicLink(
      atPath: path + "/C.syncline", withDestinationPath: path + "/Nowhere.syncline")
    let result = try syncline("check", path)
    #expect(result.status == 1)
    #expect(
      result.output == """
        \(path)/B.syncline:2:7: error: the schema file is not valid UTF-8: byte 16, counted from 0, is 0xEF
        \(path)/C.syncline:1:1: error: the schema file cannot be read: No such file or directory

        """)
  }

  @Test func namedPipeIsRefusedWithoutWaiting() throws {
    let (folder, path) = try folder(["A.syncline": "model A { id: Int }"])
    #expect(mkfifo(path + "/B.syncline", 0o600) == 0)
    let result = try syncline("check", path)
    #expect(result.status == 1)
    #expect(
      result.output
        == "\(path)/B.syncline:1:1: error: the schema file cannot be read: it is not a regular file\n")
    withExtendedLifetime(folder) {}
  }
}

/// Comparing versions of a schema.
@Suite(.enabled(if: TestKind.building.runs)) struct VersionCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("model Task {\n  id: Int\n  title: String\n  note: String?\n}\n", to: "1/Task.syncline")
    try folder.write(
      "model Task {\n  id: Int\n  @RenamedFrom(\"title\") name: String\n  dueAt: Date\n}\n",
      to: "2/Task.syncline")
  }

  private func syncline(_ arguments: String...) throws -> Shell.Result { try Shell.syncline(arguments) }

  private func path(_ name: String) -> String { folder.url.appending(path: name).path }

  @Test func diffComparesSnapshotWithSchemaFiles() throws {
    let snapshot = try syncline("snapshot", path("1"))
    #expect(snapshot.status == 0, "\(snapshot.output)")
    #expect(snapshot.output.contains(#"{ "name": "note", "type": "String?", "keys": ["note"] }"#))
    try folder.write(snapshot.output, to: "1.json")
    let same = try syncline("diff", path("1.json"), path("1"))
    #expect(same.status == 0)
    #expect(same.output == "Nothing changes.\n")
    let other = try syncline("diff", path("1.json"), path("2"))
    #expect(other.status == 1)
    let article = Shell.package.appending(path: "Sources/Syncline/Syncline.docc/Evolution.md")
    let shown = try #require(try CodeBlock.all(in: article).first { $0.language == "text" }?.text)
    #expect("$ swift run syncline diff Versions/1.0.json Schemas/App\n" + other.output == shown + "\n")
  }

  /// A snapshot has what a store has: also the models of other targets, whole, but not those that nothing leads to.
  @Test func snapshotContainsReferencedImportedModels() throws {
    try folder.write(
      """
      schema { access: public }
      enum Role: Int { case guest = 0 }
      model User { id: Int; mail: String?; role: Role; team: Team? }
      model Team { id: Int; @RemoteKey("title") name: String; users: [User] }
      model Other { id: Int }
      """, to: "Base/User.syncline")
    let task = "import Base\nmodel Task { id: Int; level: Role; @Relationship(inverse: nil) user: User? }\n"
    try folder.write(task, to: "3/Task.syncline")
    let imports = ["--import", "Base=\(path("Base"))"]
    let snapshot = try Shell.syncline(["snapshot", path("3")] + imports)
    #expect(snapshot.status == 0, "\(snapshot.output)")
    let schema = try SnapshotNames(snapshot.output)
    #expect(schema.models == ["Task", "Team", "User"])
    #expect(snapshot.output.contains(#"{ "name": "mail", "type": "String?", "keys": ["mail"] }"#))
    #expect(
      snapshot.output.contains(#"{ "name": "role", "type": "Int", "declared": "Role", "keys": ["role"] }"#))
    #expect(
      snapshot.output.contains(#"{ "name": "level", "type": "Int", "declared": "Role", "keys": ["level"] }"#))
    #expect(snapshot.output.contains(#""inverseOf": "team""#))
    try folder.write(snapshot.output, to: "3.json")
    try folder.write(
      "schema { access: public }\nenum Role: Int { case guest = 0 }\nmodel User { id: Int; mail: String? }\n",
      to: "Base/User.syncline")
    let difference = try Shell.syncline(["diff", path("3.json"), path("3")] + imports)
    #expect(difference.status == 1)
    #expect(difference.output.contains("! the model Team is dropped"), "\(difference.output)")
    #expect(difference.output.contains("! User.role is dropped"), "\(difference.output)")
  }

  /// The names of the models of a snapshot.
  private struct SnapshotNames: Decodable {
    struct Model: Decodable { let name: String }
    private let all: [Model]
    private enum CodingKeys: String, CodingKey { case all = "models" }
    var models: [String] { all.map(\.name) }

    init(_ text: String) throws { self = try JSONDecoder().decode(Self.self, from: Data(text.utf8)) }
  }

  @Test func diffUsesTheGivenKeyStyle() throws {
    let result = try syncline("diff", "--key-style", "camelCase", path("1"), path("2"))
    #expect(result.output.contains("Task needs “dueAt”, Date"), "\(result.output)")
  }

  @Test func diffPrintsJSON() throws {
    let result = try syncline("diff", "--json", path("1"), path("2"))
    #expect(result.status == 1)
    let json = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: [[String: Any]]]
    #expect(json?["store"]?.map { $0["risk"] as? String } == ["none", "mayBeRefused", "drops"])
    #expect(json?["reading"]?.first?["key"] as? String == "name")
  }

  @Test func invalidSnapshotIsRefused() throws {
    try folder.write("{}", to: "x.json")
    let result = try syncline("diff", path("x.json"), path("1"))
    #expect(result.status == 1)
    #expect(
      result.output.contains("is not a schema written by “syncline snapshot”: there is no “format”"),
      "\(result.output)")
  }
}
