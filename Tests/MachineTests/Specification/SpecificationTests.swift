import Foundation
import Syncline
import TestSupport
import Testing

/// The runtime does with random payloads what the executable specification does: the same rows, the same links that wait,
/// an error where it has one; and the same call once more changes what it changes there, which is nothing.
@Suite struct SpecificationTests {
  /// Sequences that once differed, and some of each schema that never did. Those that still differ are known.
  @Test(arguments: try Kept.sequences.get())
  func savedSequencesMatchTheSpecification(_ sequence: SpecSequence) async throws {
    let schema = try #require(try Kept.schemas.get()[sequence.schema])
    try await withKnownIssue("\(sequence.known ?? "")") {
      let difference = try await SpecDifference.first(in: sequence, schema)
      #expect(difference == nil, "\(sequence.text)\n→ \(difference?.text ?? "")")
    } when: {
      sequence.known != nil
    }
  }

  /// `make spec` says how many, and writes what differs, made small, to a file from which sequences are kept.
  @Test(
    .enabled(if: Random.count > 0, "`make spec` runs random sequences."),
    .enabled(if: SpecProgram.isThere, "There is no executable specification, or no Python, here."))
  func randomSequencesMatchTheSpecification() async throws {
    let program = try SpecProgram("\(Random.seed)", "\(Random.count)")
    let schemas = try SpecSchema.all(in: program.schemas)
    let answering = try SpecProgram()
    var (played, found) = (0, [String: Int]())
    while let line = try program.next() {
      played += 1
      let sequence = SpecSequence(json: line)
      let schema = try #require(schemas[sequence.schema])
      let trail = Trail("randomSequencesMatchTheSpecification", seed: played)
      trail.write(sequence.text)
      defer { trail.end() }
      guard let difference = try await SpecDifference.first(in: sequence, schema) else { continue }
      let shrinking = SpecShrinking(program: answering, schema: schema)
      let (smaller, rest) = try await shrinking.shrunk(sequence, difference)
      try Random.write(smaller, rest)
      let kind = "\(sequence.schema): \(rest.name)"
      found[kind, default: 0] += 1
      // A cause that comes again and again is understood by its first sequence.
      if found[kind]! <= 2 { Issue.record("\(smaller.text)\n→ \(rest.text)") }
    }
    #expect(played == Random.count)
    let kinds = found.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.value) \($0.key)" }
    print(
      "\(played) sequences, \(found.values.reduce(0, +)) differ", kinds.joined(separator: "\n"),
      separator: "\n")
  }

  private enum Kept {
    private static let lines = Result {
      try String(contentsOf: SpecProgram.kept, encoding: .utf8).split(separator: "\n")
        .map { try SyncJSON(parsing: String($0)) }
    }
    static let sequences = lines.map { $0.dropFirst().map(SpecSequence.init) }
    static let schemas = lines.flatMap { lines in Result { try SpecSchema.all(in: lines.first ?? .null) } }
  }

  private enum Random {
    private static func number(_ name: String) -> Int? {
      ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }
    static let count = number("SYNCLINE_SPEC_COUNT") ?? 0
    static let seed = number("SYNCLINE_SPEC_SEED") ?? 1

    /// Adds a sequence that differs to the file that `SYNCLINE_SPEC_FOUND` names.
    static func write(_ sequence: SpecSequence, _ difference: SpecDifference) throws {
      guard let path = ProcessInfo.processInfo.environment["SYNCLINE_SPEC_FOUND"],
        var object = sequence.json.object
      else { return }
      object["known"] = .string(difference.text)
      if !FileManager.default.fileExists(atPath: path) { try Data().write(to: URL(filePath: path)) }
      let file = try FileHandle(forWritingTo: URL(filePath: path))
      try file.seekToEnd()
      try file.write(contentsOf: Data("\(SyncJSON.object(object))\n".utf8))
      try file.close()
    }
  }
}
