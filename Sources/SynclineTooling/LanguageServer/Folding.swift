import Syncline
import SynclineCompiler

/// The foldable ranges of a section of a file: bodies, arguments, comments and imports.
struct Folding {
  /// Lines, and the kind of the folding range in the protocol.
  private typealias Fold = (lines: ClosedRange<Int>, kind: String?)

  private let section: EditedFile.Section

  private var tree: SyntaxTree { section.file.tree }

  static func json(_ sections: [EditedFile.Section]) -> SyncJSON {
    let parts = sections.map { Folding(section: $0) }
    var folds: [Fold] = parts.flatMap(\.bodies)
    for lines in joined(parts.flatMap(\.comments)) { folds.append((lines, "comment")) }
    for lines in joined(parts.flatMap(\.imports)) { folds.append((lines, "imports")) }
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

  /// The lines of each comment, except of those that share a line with code, because folding would hide the code, too.
  private var comments: [ClosedRange<Int>] {
    let code = Set(tree.tokens.filter { $0.kind != .end }.map { line($0.range.lowerBound) })
    return tree.trivia.filter(\.isComment).compactMap { piece in
      let first = line(piece.range.lowerBound)
      let last = line(max(piece.range.lowerBound, piece.range.upperBound - 1))
      return code.contains(first) || code.contains(last) ? nil : first...last
    }
  }

  /// Merges consecutive lines.
  private static func joined(_ ranges: [ClosedRange<Int>]) -> [ClosedRange<Int>] {
    var found: [ClosedRange<Int>] = []
    for lines in ranges {
      if let last = found.last, lines.lowerBound <= last.upperBound + 1 {
        found[found.count - 1] = last.lowerBound...max(last.upperBound, lines.upperBound)
      } else {
        found.append(lines)
      }
    }
    return found
  }

  private var imports: [ClosedRange<Int>] {
    tree.imports.map { syntax in
      let number = line(syntax.module.range.offsets.lowerBound)
      return number...number
    }
  }
}
