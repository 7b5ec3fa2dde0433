import Foundation
@testable import SynclineCompiler
import TestRuns
import Testing

/// Each small mistake that people make in a file that was right: a token dropped, doubled, swapped with the next, or a
/// sign put before it.
@Suite(.enabled(if: TestKind.long.runs))
struct SingleMistakeTests {
  private static let signs = [",", ";", ":", "(", "]", "?", "="]

  /// All places take minutes: some of each file are looked at, and all of them in `make soak`.
  private static let stride = Soak.factor > 1 ? 1 : 11

  /// How many errors the mistakes of one kind give.
  private struct Counts {
    var total = 0
    var most = 0
    var many = 0
    var worst = ""
  }

  private func count(_ change: (inout [UInt8], Range<Int>, Range<Int>) -> Bool) -> Counts {
    var counts = Counts()
    for fixture in Fixture.all where !fixture.compile().diagnostics.hasErrors {
      for file in fixture.files where file.bytes.count < 3000 {
        // Counted in each file, so that another fixture changes nothing for these.
        var place = 0
        let tokens = ParsedFile(file).tree.tokens.filter { $0.kind != .end }.map(\.range)
        for (token, next) in zip(tokens, tokens.dropFirst() + [file.bytes.count..<file.bytes.count]) {
          place += 1
          guard place % Self.stride == 0 else { continue }
          var bytes = file.bytes
          guard change(&bytes, token, next) else { continue }
          let changed = SourceFile(path: file.path, text: String(decoding: bytes, as: UTF8.self))
          let files = fixture.files.map { $0 === file ? changed : $0 }
          let input = CompilerInput(target: Fixture.target, files: files, modules: fixture.modules)
          let errors = CompilerPipeline.analyse(input).diagnostics.filter { $0.severity == .error }
          counts.total += 1
          if errors.count > 1 { counts.many += 1 }
          if errors.count > counts.most {
            counts.most = errors.count
            counts.worst = errors.map(DiagnosticRenderer.excerpt).joined(separator: "\n")
          }
        }
      }
    }
    return counts
  }

  private func check(_ counts: Counts, many: Double, most: Int, _ name: String) {
    let share = Double(counts.many) / Double(max(1, counts.total))
    print(
      "\(name): \(counts.total) mistakes, \(counts.many) give more than one error, at most \(counts.most)")
    #expect(counts.total > 0)
    #expect(share <= many, "\(share)")
    #expect(counts.most <= most, "\(counts.worst)")
  }

  @Test func aDroppedTokenGivesOneError() {
    let counts = count { bytes, token, _ in
      bytes.replaceSubrange(token, with: [UInt8(ascii: " ")])
      return true
    }
    check(counts, many: 0.1, most: 8, "dropped")
  }

  @Test func aDoubledTokenGivesOneError() {
    let counts = count { bytes, token, _ in
      bytes.insert(contentsOf: [UInt8(ascii: " ")] + bytes[token], at: token.upperBound)
      return true
    }
    check(counts, many: 0.1, most: 8, "doubled")
  }

  @Test func swappedTokensGiveOneError() {
    let counts = count { bytes, token, next in
      guard !next.isEmpty else { return false }
      let swapped = bytes[next] + bytes[token.upperBound..<next.lowerBound] + bytes[token]
      bytes.replaceSubrange(token.lowerBound..<next.upperBound, with: Array(swapped))
      return true
    }
    check(counts, many: 0.35, most: 8, "swapped")
  }

  @Test(arguments: signs)
  func extraPunctuationGivesOneError(sign: String) {
    let counts = count { bytes, token, _ in
      bytes.insert(contentsOf: Array("\(sign) ".utf8), at: token.lowerBound)
      return true
    }
    check(counts, many: 0.35, most: 8, "sign \(sign)")
  }
}
