import Syncline
import SynclineCompiler

/// The foldable ranges of a file: bodies, arguments, comments and imports.
struct Folding {
  private let tree: SyntaxTree

  init(_ tree: SyntaxTree) { self.tree = tree }

  /// The ranges, in the form of the protocol.
  var json: SyncJSON {
    .array(
      (bodies + comments + imports).filter { $0.lines.lowerBound < $0.lines.upperBound }.map { fold in
        .object([
          "startLine": SyncJSON(fold.lines.lowerBound), "endLine": SyncJSON(fold.lines.upperBound),
          "kind": fold.kind.map(SyncJSON.string),
        ])
      })
  }

  private func line(_ offset: Int) -> Int { tree.file.lineIndex(of: offset) }

  private var bodies: [(lines: ClosedRange<Int>, kind: String?)] {
    var open: [(kind: Token.Kind, line: Int)] = []
    var found: [(lines: ClosedRange<Int>, kind: String?)] = []
    for token in tree.tokens {
      switch token.kind {
      case .leftBrace, .leftParenthesis: open.append((token.kind, line(token.range.lowerBound)))
      case .rightBrace, .rightParenthesis:
        let opening: Token.Kind = token.kind == .rightBrace ? .leftBrace : .leftParenthesis
        guard let index = open.lastIndex(where: { $0.kind == opening }) else { continue }
        let (first, last) = (open[index].line, line(token.range.lowerBound) - 1)
        if last > first { found.append((first...last, nil)) }
        open.removeSubrange(index...)
      default: break
      }
    }
    return found
  }

  /// Comments on consecutive lines are one range.
  private var comments: [(lines: ClosedRange<Int>, kind: String?)] {
    var found: [ClosedRange<Int>] = []
    for piece in tree.trivia {
      switch piece.kind {
      case .lineComment, .documentation, .blockComment:
        let lines =
          line(piece.range.lowerBound)...line(max(piece.range.lowerBound, piece.range.upperBound - 1))
        if let last = found.last, lines.lowerBound <= last.upperBound + 1 {
          found[found.count - 1] = last.lowerBound...max(last.upperBound, lines.upperBound)
        } else {
          found.append(lines)
        }
      case .blank, .newline, .unexpected: continue
      }
    }
    return found.map { ($0, "comment") }
  }

  private var imports: [(lines: ClosedRange<Int>, kind: String?)] {
    let lines = tree.imports.map { line($0.module.range.offsets.lowerBound) }
    guard let first = lines.min(), let last = lines.max() else { return [] }
    return [(first...last, "imports")]
  }
}
