import Foundation
import SynclineCompiler
import Testing

/// A folder of `Tests/Fixtures`: the schema files of a target, those of its dependencies in
/// `Modules/<name>/`, and what the compiler makes of them.
struct Fixture: Sendable, CustomTestStringConvertible {
  static let target = "Sample"

  let name: String
  let folder: URL
  let files: [SourceFile]
  let modules: [String: [SourceFile]]

  var testDescription: String { name }

  /// All fixtures, by name.
  static let all: [Fixture] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
    return names.sorted().compactMap { Fixture(name: $0) }
  }()

  /// Whether expectations are written instead of compared: `SYNCLINE_RECORD=1 swift test`.
  static var isRecording: Bool { ProcessInfo.processInfo.environment["SYNCLINE_RECORD"] == "1" }

  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Fixtures")

  private init?(name: String) {
    let folder = Fixture.root.appendingPathComponent(name)
    let paths = Fixture.paths(below: folder).filter { $0.hasSuffix(".syncline") }
    guard !paths.isEmpty else { return nil }
    var files: [SourceFile] = []
    var modules: [String: [SourceFile]] = [:]
    for path in paths {
      guard let data = FileManager.default.contents(atPath: folder.appendingPathComponent(path).path) else {
        continue
      }
      let file = SourceFile(path: path, text: String(decoding: data, as: UTF8.self))
      let components = path.split(separator: "/")
      if components.first == "Modules", components.count > 2 {
        modules[String(components[1]), default: []].append(file)
      } else {
        files.append(file)
      }
    }
    self.name = name
    self.folder = folder
    self.files = files
    self.modules = modules
  }

  private static func paths(below folder: URL) -> [String] {
    (FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []).sorted()
  }

  func compile() -> CompilerOutput { compile(files) }

  /// Compiles other files in place of the fixture's.
  func compile(_ files: [SourceFile]) -> CompilerOutput {
    CompilerPipeline.compile(CompilerInput(target: Fixture.target, files: files, modules: modules))
  }

  /// What the compiler says of the fixture.
  func diagnostics() -> [Diagnostic] { compile().diagnostics }

  /// What the compiler makes of it: the diagnostics as one text, and the Swift by the name of the file.
  func outcome() -> [String: String] {
    var outcome: [String: String] = [:]
    let diagnostics = diagnostics()
    if !diagnostics.isEmpty {
      outcome["diagnostics.txt"] =
        diagnostics.map(DiagnosticRenderer.excerpt).joined(separator: "\n\n") + "\n"
    }
    guard !diagnostics.hasErrors else { return outcome }
    for file in compile().files {
      outcome[file.name.replacingOccurrences(of: ".syncline.swift", with: ".swift")] = file.text
    }
    return outcome
  }

  /// The expectations that the folder holds.
  func expectations() -> [String: String] {
    var result: [String: String] = [:]
    for path in Fixture.paths(below: folder) where path.hasSuffix(".swift") || path == "diagnostics.txt" {
      let data = FileManager.default.contents(atPath: folder.appendingPathComponent(path).path)
      result[path] = data.map { String(decoding: $0, as: UTF8.self) }
    }
    return result
  }

  func record() throws {
    let outcome = outcome()
    for path in expectations().keys where outcome[path] == nil {
      try FileManager.default.removeItem(at: folder.appendingPathComponent(path))
    }
    for (path, text) in outcome { try Data(text.utf8).write(to: folder.appendingPathComponent(path)) }
  }
}
