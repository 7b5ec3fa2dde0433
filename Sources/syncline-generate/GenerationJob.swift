import Foundation
import SynclineCompiler

/// Reads schema files, compiles them and writes the Swift. A file that would not change is not written, so that
/// nothing is rebuilt for it.
struct GenerationJob {
  let target: String
  let index: String
  let outputs: [(schema: String, swift: String)]
  let modules: [String: [String]]

  struct UnreadableFile: Error, CustomStringConvertible {
    let path: String
    var description: String { "\(path):1:1: error: the schema file cannot be read as UTF-8" }
  }

  struct UnwritableFile: Error, CustomStringConvertible {
    let path: String
    var description: String { "the file “\(path)” cannot be written" }
  }

  func run() throws -> [Diagnostic] {
    let files = try outputs.map { output in
      // The plugin names the Swift file by the path below the schema folder.
      let name = URL(fileURLWithPath: output.swift).deletingPathExtension().lastPathComponent
      return try read(output.schema, relativePath: name)
    }
    let output = CompilerPipeline.compile(
      CompilerInput(
        target: target, files: files, modules: try modules.mapValues { try $0.map { try read($0) } })
    )
    guard !output.diagnostics.hasErrors else { return output.diagnostics }
    let paths = Dictionary(outputs.map { ($0.schema, $0.swift) }, uniquingKeysWith: { first, _ in first })
    for file in output.files {
      let path = file.source.flatMap { paths[$0] } ?? index
      try write(file.text, to: path)
    }
    return output.diagnostics
  }

  private func read(_ path: String, relativePath: String? = nil) throws -> SourceFile {
    guard let data = FileManager.default.contents(atPath: path),
      let text = String(data: data, encoding: .utf8)
    else {
      throw UnreadableFile(path: path)
    }
    return SourceFile(path: path, relativePath: relativePath, text: text)
  }

  private func write(_ text: String, to path: String) throws {
    let data = Data(text.utf8)
    guard FileManager.default.contents(atPath: path) != data else { return }
    // Foundation's own functions wait for the disk after each file.
    guard let file = fopen(path, "wb") else { throw UnwritableFile(path: path) }
    let written = data.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) }
    guard fclose(file) == 0, written == data.count else { throw UnwritableFile(path: path) }
  }
}
