import ArgumentParser
import Foundation
import SynclineCompiler
import SynclineFiles
import SynclineTooling

struct Format: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Formats schema files.",
    discussion: """
      Changes only whitespace and semicolons at line ends; keeps comments, line breaks and single blank lines. Exits with 0, \
      with 1 if “--check” found an unformatted file or a path does not exist, and with 2 if a file cannot be read or parsed. \
      Such a file is not changed.
      """)

  @Flag(help: "Writes nothing, and prints the files that would change.")
  var check = false

  @Argument(
    help: "Schema files, or folders that contain them; “-” formats standard input to standard output.",
    completion: .schemas)
  var paths: [String]

  func run() throws {
    guard paths != ["-"] else { return try formatInput() }
    var (isFormatted, isReadable) = (true, true)
    var sources = try SchemaSources(target: "Schema")
    for path in paths { sources.add(try SchemaFiles.found(at: path)) }
    for file in try SchemaFiles.read(sources, failingWith: .diagnostics).files {
      guard let text = formatted(file) else {
        isReadable = false
        continue
      }
      guard text != file.text else { continue }
      isFormatted = false
      if check { print(file.path) } else { try SchemaFiles.write(text, to: file.path) }
    }
    if !isReadable { throw ExitCode.diagnostics }
    if check, !isFormatted { throw ExitCode.failure }
  }

  private func formatInput() throws {
    let input: String
    do {
      let bytes = [UInt8](FileHandle.standardInput.readDataToEndOfFile())
      input = try SchemaFile.text(of: bytes, from: "-").get()
    } catch {
      printError("\(error)\n")
      throw ExitCode.diagnostics
    }
    guard let text = formatted(SourceFile(path: "-", text: input)) else { throw ExitCode.diagnostics }
    if check {
      if text != input { throw ExitCode.failure }
    } else {
      print(text, terminator: "")
    }
  }

  /// The formatted text. If the file cannot be parsed, prints its errors and returns nil.
  private func formatted(_ file: SourceFile) -> String? {
    let parsed = ParsedFile(file)
    printError(DiagnosticRenderer.report(parsed.diagnostics))
    return parsed.formatted
  }
}
