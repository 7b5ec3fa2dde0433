import Foundation
@testable import SynclineCompiler
import TestRuns
import Testing

/// Random mistakes of one token in correct schemas: how many give exactly one error, and how many first fix-its leave none.
@Suite(.enabled(if: TestKind.random.runs))
struct RandomMistakeTests {
  enum Kind: String, CaseIterable {
    case deleted, doubled, swapped, replaced
  }

  /// What the mistakes of one kind led to. Mistakes without an error are no mistakes: the schema means something else.
  struct Counts {
    var mistakes = 0
    var single = 0
    var fixIts = 0
    var clean = 0
    var examples: [String] = []

    static func + (left: Counts, right: Counts) -> Counts {
      Counts(
        mistakes: left.mistakes + right.mistakes, single: left.single + right.single,
        fixIts: left.fixIts + right.fixIts, clean: left.clean + right.clean)
    }

    /// The share of mistakes that give exactly one error.
    var singleShare: Double { Double(single) / Double(max(1, mistakes)) }
    /// The share of first fix-its after which no error is left.
    var cleanShare: Double { Double(clean) / Double(max(1, fixIts)) }

    var line: String {
      func percent(_ share: Double) -> String { String(format: "%.1f %%", 100 * share) }
      return
        "\(mistakes) mistakes, \(percent(singleShare)) give one error; \(fixIts) fix-its, \(percent(cleanShare)) leave none"
    }
  }

  /// A schema file without errors, and its tokens.
  private struct Sample {
    let fixture: Fixture
    let file: SourceFile
    let tokens: [Token]

    func errors(of bytes: [UInt8]) -> [Diagnostic] {
      let changed = SourceFile(path: file.path, text: String(decoding: bytes, as: UTF8.self))
      let files = fixture.files.map { $0 === file ? changed : $0 }
      let input = CompilerInput(target: Fixture.target, files: files, modules: fixture.modules)
      return CompilerPipeline.analyse(input).diagnostics.filter { $0.severity == .error }
    }
  }

  private static let samples: [Sample] = Fixture.all.flatMap { fixture -> [Sample] in
    guard !fixture.diagnostics().hasErrors else { return [] }
    return fixture.files.filter { $0.bytes.count < 3000 }.map { file in
      Sample(fixture: fixture, file: file, tokens: ParsedFile(file).tree.tokens.filter { $0.kind != .end })
    }.filter { $0.tokens.count > 1 }
  }

  /// The bytes of a file with one mistake; nil if the mistake would change nothing. Tokens stay apart.
  private func mistake(
    _ kind: Kind, in sample: Sample, _ generator: inout SeededGenerator
  ) -> [UInt8]? {
    let tokens = sample.tokens
    var bytes = sample.file.bytes
    let index = Int.random(in: tokens.indices, using: &generator)
    let token = tokens[index].range
    let blank = [UInt8(ascii: " ")]
    switch kind {
    case .deleted: bytes.replaceSubrange(token, with: blank)
    case .doubled: bytes.insert(contentsOf: blank + bytes[token], at: token.upperBound)
    case .swapped:
      guard index + 1 < tokens.count else { return nil }
      let next = tokens[index + 1].range
      let between = Array(bytes[token.upperBound..<next.lowerBound])
      let swapped = Array(bytes[next]) + blank + between + Array(bytes[token])
      bytes.replaceSubrange(token.lowerBound..<next.upperBound, with: swapped)
    case .replaced:
      // Names are mistaken for names, signs for signs, and values for values.
      let kind = RandomMistakeTests.family(of: tokens[index].kind)
      let others = tokens.filter { RandomMistakeTests.family(of: $0.kind) == kind }
      guard let other = others.randomElement(using: &generator) else { return nil }
      bytes.replaceSubrange(token, with: Array(sample.file.bytes[other.range]))
    }
    return bytes == sample.file.bytes ? nil : bytes
  }

  private static func family(of kind: Token.Kind) -> Int {
    switch kind {
    case .identifier: 0
    case .string, .number: 1
    default: 2
    }
  }

  private func count(_ kind: Kind, _ seeds: Range<Int>) -> Counts {
    var counts = Counts()
    for seed in seeds {
      var generator = SeededGenerator(seed: UInt64(bitPattern: Int64(seed)))
      guard let sample = RandomMistakeTests.samples.randomElement(using: &generator),
        let bytes = mistake(kind, in: sample, &generator)
      else { continue }
      let errors = sample.errors(of: bytes)
      guard let first = errors.first else { continue }
      counts.mistakes += 1
      if errors.count == 1 {
        counts.single += 1
      } else if counts.examples.count < 10 {
        let texts = errors.map(DiagnosticRenderer.excerpt).joined(separator: "\n")
        counts.examples.append("\(kind.rawValue), seed \(seed), \(sample.fixture.name):\n\(texts)")
      }
      guard let fixIt = first.fixIts.first, fixIt.range.file.path == sample.file.path else { continue }
      counts.fixIts += 1
      var corrected = bytes
      corrected.replaceSubrange(fixIt.range.offsets, with: Array(fixIt.replacement.utf8))
      let left = sample.errors(of: corrected)
      if left.isEmpty {
        counts.clean += 1
      } else if counts.examples.count < 20 {
        let texts = ([first] + left).map(DiagnosticRenderer.excerpt).joined(separator: "\n")
        counts.examples.append("\(kind.rawValue), seed \(seed), fix-it “\(fixIt.message)”:\n\(texts)")
      }
    }
    return counts
  }

  @Test func mostTokenMistakesGiveOneErrorAndAWorkingFixIt() {
    #expect(!RandomMistakeTests.samples.isEmpty)
    var all = Counts()
    for (number, kind) in Kind.allCases.enumerated() {
      let counts = count(kind, Soak.seeds(7_000_000 + number * 100_000, count: 4_000))
      print("\(kind.rawValue): \(counts.line)")
      if kind == .swapped { #expect(counts.cleanShare >= 0.9, "\(counts.line)") }
      for example in counts.examples where ProcessInfo.processInfo.environment["SYNCLINE_EXAMPLES"] != nil {
        print(example)
      }
      all = all + counts
    }
    print("all: \(all.line)")
    #expect(all.mistakes > 0)
    #expect(all.singleShare >= 0.94, "\(all.line)")
    #expect(all.cleanShare >= 0.91, "\(all.line)")
  }
}
