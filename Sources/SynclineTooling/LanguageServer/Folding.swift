import Syncline
import SynclineCompiler

/// The foldable ranges of a section of a file: bodies, arguments, comments and imports.
struct Folding {
  /// Lines, and the kind of the folding range in the protocol.
  private typealias Fold = (lines: ClosedRange<Int>, kind: String?)

  private let section: EditedFile.Section

  private var tree: SyntaxTree { section.file.tree }

  /// The folding ranges of a file, as JSON of the protocol.
  static func json(_ sections: [EditedFile.Section]) -> SyncJSON {
    let parts = sections.map { Folding(section: $0) }
    var folds: [Fold] = parts.flatMap(\.bodies)
    for lines in joined(parts.flatMap(\.comments)) { folds.append((lines, "comment")) }
    let imports: [Int] = parts.flatMap(\.imports)
    if let first = imports.min(), let last = imports.max() { folds.append((first...last, "imports")) }
    return .array(
      folds.filter { $0.lines.lowerBound < $0.lines.upperBound }.map { fold in
        .object([
          "startLine": SyncJSON(fold.lines.lowerBound), "endLine": SyncJSON(fold.lines.upperBound),
          "kind": fold.kind.map(SyncJSON.string),
        ])
      })
  }

  private func line(_ offset: Int) -> Int { tree.file.lineIndex(of: offset) + section.line }

  private var bodies: [Fold] {
    var open: [(kind: Token.Kind, line: Int)] = []
    var found: [Fold] = []
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

  /// The lines of each comment.
  private var comments: [ClosedRange<Int>] {
    tree.trivia.compactMap { piece in
      switch piece.kind {
      case .lineComment, .documentation, .blockComment:
        line(piece.range.lowerBound)...line(max(piece.range.lowerBound, piece.range.upperBound - 1))
      case .blank, .newline, .unexpected: nil
      }
    }
  }

  /// Merges comments on consecutive lines.
  private static func joined(_ comments: [ClosedRange<Int>]) -> [ClosedRange<Int>] {
    var found: [ClosedRange<Int>] = []
    for lines in comments {
      if let last = found.last, lines.lowerBound <= last.upperBound + 1 {
        found[found.count - 1] = last.lowerBound...max(last.upperBound, lines.upperBound)
      } else {
        found.append(lines)
      }
    }
    return found
  }

  /// The line of each import.
  private var imports: [Int] { tree.imports.map { line($0.module.range.offsets.lowerBound) } }
}
