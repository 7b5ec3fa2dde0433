import Foundation
import TestRuns
import Testing

/// Files as other systems and editors leave them.
@Suite(.enabled(if: TestKind.building.runs)) struct CommandFileTests {
  private let folder: TemporaryFolder
  private var path: String { folder.url.path }

  init() throws { folder = try TemporaryFolder() }

  private func generate(_ options: String...) throws -> Shell.Result {
    try Shell.syncline(["generate", "--target", "App", "--output", path + "/Out"] + options + [path + "/S"])
  }

  /// The bytes of the files in the output folder, hidden ones too.
  private func output() throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: path + "/Out")
    return Dictionary(
      uniqueKeysWithValues: try names.map { name in
        (name, try Data(contentsOf: URL(fileURLWithPath: path + "/Out/" + name)))
      })
  }

  /// What git does to text files with `core.autocrlf=true`.
  private func checkOut(_ folder: String) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: path + "/" + folder) {
      let text = try String(contentsOfFile: "\(path)/\(folder)/\(name)", encoding: .utf8)
      try self.folder.write(text.replacing("\n", with: "\r\n"), to: "\(folder)/\(name)")
    }
  }

  @Test func crlfCheckoutIsNotReportedAsChange() throws {
    try folder.write("/// A task.\nmodel A {\n  id: Int\n}\n", to: "S/A.syncline")
    try folder.write("model B { id: Int }\n", to: "S/B.syncline")
    #expect(try generate().status == 0)
    for name in ["S", "Out"] { try checkOut(name) }
    let checkedOut = try output()
    #expect(checkedOut.count == 4 && checkedOut.values.allSatisfy { $0.contains(0x0D) })

    let check = try generate("--check")
    #expect(check.status == 0 && check.output.isEmpty, "\(check.output)")
    let written = try generate()
    #expect(written.status == 0 && written.output.isEmpty, "\(written.output)")
    #expect(try output() == checkedOut, "nothing is written")
    let format = try Shell.syncline("format", "--check", path + "/S")
    #expect(format.status == 0 && format.output.isEmpty, "\(format.output)")

    // What is edited, changed and orphaned is found all the same.
    let index = String(decoding: checkedOut["AppSchema.syncline.swift"] ?? Data(), as: UTF8.self)
    try folder.write(index + "// Mine.\r\n", to: "Out/AppSchema.syncline.swift")
    try folder.write("/// A task.\r\nmodel A {\r\n  id: Int\r\n  name: String\r\n}\r\n", to: "S/A.syncline")
    try folder.remove("S/B.syncline")
    let changed = try generate("--check")
    #expect(changed.status == 1)
    for line in [
      "changed: A.syncline.swift", "edited by hand: AppSchema.syncline.swift", "orphaned: B.syncline.swift",
      "+  var name: Swift.String", "-// Mine.",
    ] {
      #expect(changed.output.split(separator: "\n").contains { $0 == line }, "\(line)\n\(changed.output)")
    }
    #expect(!changed.output.contains("-  var id"), "only lines that are not the same are shown")
    #expect(try generate().output.contains("Removed B.syncline.swift: its schema file was deleted."))
    #expect(try generate("--check").status == 0)
  }

  @Test func overwritingAFileOfAnotherTargetWarns() throws {
    try folder.write("model A { id: Int }\n", to: "S/Models.syncline")
    try folder.write("model W { id: Int }\n", to: "W/Models.syncline")
    #expect(try generate().status == 0)
    let other = try Shell.syncline(
      "generate", "--target", "Watch", "--output", path + "/Out", path + "/W")
    #expect(other.status == 0)
    #expect(
      other.output == "Models.syncline.swift was generated for another target, and is overwritten.\n")
  }

  @Test func formattingKeepsTheLineEndings() throws {
    try folder.write("model  A{\r\nid:Int\r\n}\r\n", to: "A.syncline")
    #expect(try Shell.syncline("format", path).status == 0)
    let text = try String(contentsOfFile: path + "/A.syncline", encoding: .utf8)
    #expect(text == "model A {\r\n  id: Int\r\n}\r\n")
  }

  @Test(arguments: [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian])
  func aFileInUTF16IsOneError(encoding: String.Encoding) throws {
    let text = "/// A task.\nmodel A {\n  id: Int\n  title: String\n}\n"
    try text.data(using: encoding)?.write(to: folder.url.appending(path: "A.syncline"))
    let result = try Shell.syncline("check", path)
    #expect(result.status == 1)
    #expect(
      result.output
        == "\(path)/A.syncline:1:1: error: the schema file cannot be read: it is UTF-16: save it as UTF-8\n"
    )
  }

  /// A file's Swift is called by its whole path, of which no folder is longer than a name may be.
  @Test func tooLongPathIsReported() throws {
    let name = String(repeating: "Folder/", count: 40) + "A.syncline"
    try folder.write("model A { id: Int }\n", to: "S/\(name)")
    let result = try generate()
    #expect(result.status != 0)
    #expect(
      result.output.contains("\(path)/S/\(name):1:1: error: the file “")
        && result.output.contains("too long"),
      "\(result.output)")
  }

  @Test func schemaLikeFilesThatAreNotCompiledAreReported() throws {
    try folder.write("model A { id: Int }\n", to: "S/A.syncline")
    try folder.write("model B { id: Int }\n", to: "S/B.Syncline")
    try folder.write("model C { id: Int }\n", to: "T/C.syncline")
    try FileManager.default.createSymbolicLink(atPath: path + "/S/T", withDestinationPath: path + "/T")
    // A link to what has no schema is nobody's concern.
    try FileManager.default.createSymbolicLink(atPath: path + "/S/U", withDestinationPath: "/usr/share/doc")
    let result = try Shell.syncline("check", path + "/S")
    #expect(result.status == 0)
    #expect(
      result.output == """
        warning: \(path)/S/B.Syncline is not compiled: the names of schema files end in “.syncline”, in lowercase
        warning: the schema files in \(path)/S/T are not compiled: the folder is a symbolic link

        """)
  }

  /// They are one name to Swift, and none of them is left out without a word.
  @Test func fileNamesDifferingOnlyInUnicodeFormAreReported() throws {
    try folder.write("model A { id: Int }\n", to: "S/\u{E9}.syncline")
    try folder.write("model B { id: Int }\n", to: "S/e\u{301}.syncline")
    guard try FileManager.default.contentsOfDirectory(atPath: path + "/S").count == 2 else { return }
    let result = try Shell.syncline("check", path + "/S")
    #expect(result.status == 2 && result.output.contains("[SL092]"), "\(result.output)")
  }

  /// Runs the command by a shell, which takes its streams from elsewhere.
  private func shell(_ script: String) throws -> Shell.Result {
    try Shell.run(
      "bash", "-c", script, Shell.package.appending(path: ".build/debug/syncline").path, in: folder.url)
  }

  /// Each link contains both again. Following them to their end would take 2⁴⁰ searches on Linux.
  @Test func linksToTheirOwnFolderAreReportedOnce() throws {
    try folder.write("model A { id: Int }\n", to: "S/A.syncline")
    for name in ["v1", "v2"] {
      try FileManager.default.createSymbolicLink(atPath: path + "/S/" + name, withDestinationPath: ".")
    }
    // The command is stopped after this many seconds of work.
    let result = try shell(#"ulimit -t 60; exec "$0" check S"#)
    #expect(result.status == 0)
    #expect(
      result.output == """
        warning: the schema files in S/v1 are not compiled: the folder is a symbolic link
        warning: the schema files in S/v2 are not compiled: the folder is a symbolic link

        """)
  }

  /// An editor writes back what it is given.
  @Test func invalidUTF8OnStandardInputIsRefused() throws {
    let result = try shell(#"printf '// caf\xe9\nmodel A {id:Int}\n' | "$0" format -"#)
    #expect(result.status == 2)
    #expect(
      result.output == "-:1:7: error: the schema file is not valid UTF-8: byte 6, counted from 0, is 0xE9\n")
  }

  /// A checking job tells it from a file in another form.
  @Test func formattingUnreadableFileHasItsOwnExitCode() throws {
    try Data([0xE9]).write(to: folder.url.appending(path: "A.syncline"))
    #expect(try Shell.syncline("format", "--check", path).status == 2)
  }

  /// A file on a full disk would be cut off, and look as if it were whole.
  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")),
    arguments: ["docs A.syncline", "snapshot A.syncline", "format - < A.syncline", "explain"])
  func outputThatCannotBeWrittenIsAnError(command: String) throws {
    try folder.write("model A { id: Int }\n", to: "A.syncline")
    let result = try shell("\"$0\" \(command) > /dev/full")
    #expect(result.status == 1)
    #expect(
      result.output == "Error: The output could not be written.\n", "\(result.output)")
  }

  @Test(arguments: ["2>&-", "2>/dev/full"])
  func unwritableStandardErrorDoesNotTrap(stream: String) throws {
    guard stream != "2>/dev/full" || FileManager.default.fileExists(atPath: "/dev/full") else { return }
    try folder.write("model A { id: Sting }\n", to: "A.syncline")
    #expect(try shell("\"$0\" check A.syncline \(stream)").status == 2)
  }

  @Test func folderAsPayloadIsRefused() throws {
    let result = try Shell.syncline("infer", path)
    #expect(result.status == 1)
    #expect(result.output == "Error: “\(path)” cannot be read: it is a folder\n")
  }
}
