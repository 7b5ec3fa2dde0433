import Foundation
import SynclineCompiler
import TestRuns
import Testing

@Suite(.enabled(if: TestKind.long.runs))
struct LosslessTests {
  /// Whether the tree prints the text as it was, and the compiler comes to an end with all it says.
  private func survives(_ text: String) -> Bool {
    let file = SourceFile(path: "Schema.syncline", text: text)
    let output = CompilerPipeline.compile(CompilerInput(target: "Sample", files: [file]))
    for diagnostic in output.diagnostics.prefix(50) {
      _ = DiagnosticRenderer.excerpt(diagnostic)
      guard !DiagnosticRenderer.logLine(diagnostic).isEmpty else { return false }
    }
    return ParsedFile(file).tree.text.utf8.elementsEqual(text.utf8)
  }

  private var texts: [String] { Fixture.all.flatMap { $0.files.map(\.text) } }

  @Test func syntaxTreePrintsFileByteForByte() {
    for text in texts { #expect(survives(text)) }
  }

  @Test func lineEndsAndTheByteOrderMarkAreKept() {
    for text in texts {
      #expect(survives(text.replacing("\n", with: "\r\n")))
      #expect(survives(text.replacing("\n", with: "\r")))
      #expect(survives("\u{FEFF}" + text))
    }
  }

  @Test func syntaxTreePrintsEveryFilePrefix() {
    for text in texts {
      let bytes = Array(text.utf8)
      for length in stride(from: 0, to: bytes.count, by: max(7, bytes.count / 50)) {
        #expect(survives(String(decoding: bytes[..<length], as: UTF8.self)))
      }
    }
  }

  @Test(arguments: Soak.seeds(0, count: 80))
  func syntaxTreePrintsMutatedFiles(seed: Int) {
    var mutation = Mutation(generator: SeededGenerator(seed: UInt64(seed)))
    for text in texts {
      for _ in 0..<3 {
        let mutated = mutation.mutated(text)
        #expect(survives(mutated), "\(mutated.debugDescription)")
      }
    }
  }

  @Test(arguments: Soak.seeds(0, count: 100))
  func syntaxTreePrintsRandomText(seed: Int) {
    var mutation = Mutation(generator: SeededGenerator(seed: UInt64(1000 + seed)))
    for count in 0..<100 {
      let soup = mutation.soup(of: count)
      #expect(survives(soup), "\(soup.debugDescription)")
      let noise = mutation.noise(of: count)
      #expect(survives(noise), "\(noise.debugDescription)")
      let inside = "model Task {\n  id: Int\n  \(mutation.soup(of: 8))\n}\n"
      #expect(survives(inside), "\(inside.debugDescription)")
    }
  }

  @Test(arguments: [
    "{", "}", "[", "]", "(", ")", "{ ", "{\n", "x {\n", "}\n", "/*", "/*/", "*/", "\"", "\\", "\\\"", "@",
    "@ ", "@\n",
    "@a\n", "@a(", "@a([", "@Index(\\.", "#", "#a", "😀", "\u{301}", "-", "1", "1e", "1.", ".", ",", "=",
    "a: ", "a: [",
    "a: Int = [", "a: Int = [[", "model A {", "model A {\n", "enum A: Int {\n", "enum A: Int { case ",
    "case a = ",
    "import A ", "schema { ", "schema { a: [", "model ", "\r", "\n", ";", "/// a\n", "///\n", "é", "\u{2028}",
  ])
  func repeatedTokensDoNotOverflowTheStack(piece: String) async {
    let many = String(repeating: piece, count: 2_000)
    let texts = [many, "model Task {\n  id: Int = \(many)", "@Index(\(many)\nmodel Task {\n  id: Int\n}"]
    #expect(await onAShortStack { texts.allSatisfy(survives) })
  }

  /// Runs something where the stack is too short for a call for each of what nests.
  private func onAShortStack(_ body: @escaping @Sendable () -> Bool) async -> Bool {
    await withCheckedContinuation { continuation in
      let thread = Thread { continuation.resume(returning: body()) }
      thread.stackSize = 1 << 20
      thread.start()
    }
  }

  @Test func longNamesAndNumbersDoNotTrap() {
    let name = String(repeating: "a", count: 100_000)
    let digits = String(repeating: "9", count: 100_000)
    #expect(survives("model \(name) {\n  id: Int\n  other: \(name)b\n  \(name): String\n}"))
    #expect(
      survives("model A {\n  id: Int = \(digits)\n  b: Double = \(digits)\n  c: Decimal = 0.\(digits)\n}"))
    #expect(survives("enum A: Int {\n  case a = \(digits), b\n}\n@\(name) model B {\n  id: \(name)\n}"))
    #expect(survives("model A {\n  id: String = \"\(name)\"\n  @RemoteKey(\"\(name).\") b: Int\n}"))
  }
}

extension SyntaxTree {
  /// The text of all tokens and trivia: the source, byte for byte.
  var text: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(file.bytes.count)
    for token in tokens {
      for piece in trivia[token.leading] { bytes += file.bytes[piece.range] }
      bytes += file.bytes[token.range]
      for piece in trivia[token.trailing] { bytes += file.bytes[piece.range] }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
