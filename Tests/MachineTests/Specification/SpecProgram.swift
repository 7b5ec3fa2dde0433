import Foundation
import Syncline

/// The executable specification: a program in Python that writes sequences, or answers each with what it expects.
final class SpecProgram {
  private static let script = package.appending(path: "Tests/Spec/sequences.py")
  private static let package = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL

  /// Sequences that are played in every run.
  static let kept = package.appending(path: "Tests/Spec/kept.jsonl")

  /// Whether the folder of the specification and Python are there.
  static let isThere: Bool = {
    let folder =
      ProcessInfo.processInfo.environment["SYNCLINE_SPEC"].map { URL(filePath: $0) }
      ?? package.appending(path: "../shared/spec").standardizedFileURL
    guard FileManager.default.fileExists(atPath: folder.appending(path: "properties.py").path) else {
      return false
    }
    let paths = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return paths.contains { FileManager.default.isExecutableFile(atPath: "\($0)/python3") }
  }()

  private let process = Process()
  private let input = Pipe()
  private let output: FileHandle
  private var buffer: [UInt8] = []
  /// The first line.
  private(set) var schemas = SyncJSON.null

  init(_ arguments: String...) throws {
    let pipe = Pipe()
    output = pipe.fileHandleForReading
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", SpecProgram.script.path] + arguments
    process.standardInput = input
    process.standardOutput = pipe
    try process.run()
    schemas = try next() ?? .null
  }

  deinit { if process.isRunning { process.terminate() } }

  /// The next line; nil at the end.
  func next() throws -> SyncJSON? {
    var searched = 0
    while true {
      if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { buffer.removeSubrange(...end) }
        return try SyncJSON(parsing: buffer[..<end])
      }
      searched = buffer.count
      let more = output.availableData
      guard !more.isEmpty else { return nil }
      buffer += more
    }
  }

  /// A sequence with what is expected of it.
  func expecting(_ sequence: SpecSequence) throws -> SpecSequence {
    let text = sequence.withoutExpectations.json.description
    input.fileHandleForWriting.write(Data("\(text)\n".utf8))
    guard let answer = try next(), answer["steps"] != nil else {
      throw UnreadableSequence(json: sequence.json)
    }
    return SpecSequence(json: answer)
  }
}
