import SynclineCompiler

/// The comments and line breaks between two tokens.
struct FormattedGap {
  var comments: [FormattedLines.Comment] = []
  /// The line breaks directly before the token, after the last comment or the previous token.
  var lineBreaks = 0

  init(before position: Int, in tree: SyntaxTree) {
    let before = position > 0 ? tree.trivia[tree.tokens[position - 1].trailing] : []
    for piece in Array(before) + tree.trivia[tree.tokens[position].leading] {
      switch piece.kind {
      case .newline:
        // CR LF is one line break.
        let start = piece.range.lowerBound
        let isSecond =
          tree.file.bytes[start] == UInt8(ascii: "\n") && start > 0
          && tree.file.bytes[start - 1] == UInt8(ascii: "\r")
        if !isSecond || lineBreaks == 0 { lineBreaks += 1 }
      case .lineComment, .documentation, .blockComment:
        let isLine = piece.kind != .blockComment
        let text = tree.file.text(piece.range)
        comments.append(
          .init(text: isLine ? text.trimmingEnd : text, isLine: isLine, breaks: lineBreaks))
        lineBreaks = 0
      case .blank, .unexpected: break
      }
    }
  }

  mutating func addBlankLine() {
    if let first = comments.firstIndex(where: { $0.breaks > 0 }) {
      comments[first].breaks = max(comments[first].breaks, 2)
    } else {
      lineBreaks = max(lineBreaks, 2)
    }
  }
}

extension TriviaPiece {
  var isComment: Bool { [.lineComment, .documentation, .blockComment].contains(kind) }
}

extension String {
  fileprivate var trimmingEnd: String {
    String(
      decoding: Array(utf8.reversed().drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }.reversed()),
      as: UTF8.self)
  }
}

/// The output so far.
struct FormattedLines {
  struct Comment {
    let text: String
    let isLine: Bool
    /// The line breaks before the comment.
    var breaks: Int
  }

  private(set) var text = ""
  /// Whether blank lines are dropped here: at the start of the file, and after an opening brace.
  private var isAtOpening = true
  /// Whether the last output was a line comment, so that a line break must follow.
  private var isLineOver = false

  mutating func add(_ comments: [Comment], at level: Int) {
    for comment in comments {
      if comment.breaks == 0, !isLineOver, !text.isEmpty {
        text += comment.isLine ? "  " : " "
      } else {
        breakLine(comment.breaks, at: level)
      }
      text += comment.text
      isAtOpening = false
      isLineOver = comment.isLine
    }
  }

  mutating func add(_ token: String, breaks: Int, at level: Int, isTight: Bool) {
    if breaks > 0 || isLineOver {
      breakLine(breaks, at: level)
    } else if !text.isEmpty, !isTight || text.hasSuffix("*/") {
      text += " "
    }
    text += token
    (isAtOpening, isLineOver) = (false, false)
  }

  mutating func passBlankLines() { isAtOpening = true }

  private mutating func breakLine(_ breaks: Int, at level: Int) {
    if !text.isEmpty { text += breaks > 1 && !isAtOpening ? "\n\n" : "\n" }
    text += String(repeating: "  ", count: level)
  }
}
