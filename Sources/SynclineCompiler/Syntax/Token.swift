/// A token and its trivia. Leading trivia begins after the line of the previous token. Trailing trivia ends with the line of the
/// token.
package struct Token: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case identifier
    case string
    case number
    case leftBrace, rightBrace, leftParenthesis, rightParenthesis, leftBracket, rightBracket
    case leftAngle, rightAngle
    case colon, comma, semicolon, dot, question, exclamation, equals, at, backslash, minus
    /// Characters that cannot begin a token.
    case unknown
    case end
  }

  package let kind: Kind
  /// The indices of its leading trivia in the trivia of the file.
  package let leading: Range<Int>
  package let range: Range<Int>
  package let trailing: Range<Int>
  /// Whether the token is the first of its line.
  package let startsLine: Bool
}

/// A piece of the source between tokens.
package struct TriviaPiece: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case blank, newline, lineComment, documentation, blockComment
    /// Characters outside the language, which were reported.
    case unexpected
  }

  package let kind: Kind
  package let range: Range<Int>
}

extension Token.Kind {
  /// The token as messages name it.
  package var name: String {
    switch self {
    case .identifier: "a name"
    case .string: "a string"
    case .number: "a number"
    case .unknown: "an unexpected character"
    case .end: "the end of the file"
    // Searching is slow, but only messages need it.
    default: (0..<0x80).first { Lexer.punctuation($0) == self }.map { "“\(Unicode.Scalar($0))”" } ?? ""
    }
  }
}
