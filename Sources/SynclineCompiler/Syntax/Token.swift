/// A token of the text, with the trivia that belong to it: what stands before it up to the line of the token before,
/// and what stands behind it on its line.
package struct Token: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case identifier
    case string
    case number
    case leftBrace, rightBrace, leftParenthesis, rightParenthesis, leftBracket, rightBracket
    case leftAngle, rightAngle
    case colon, comma, semicolon, dot, question, exclamation, equals, at, backslash, minus
    /// What no token starts with.
    case unknown
    case end
  }

  package let kind: Kind
  /// The positions of its pieces among the trivia of the file.
  package let leading: Range<Int>
  package let range: Range<Int>
  package let trailing: Range<Int>
  /// Whether the token is the first of its line.
  package let startsLine: Bool
}

/// A piece of what stands between tokens.
package struct TriviaPiece: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case blank, newline, lineComment, documentation, blockComment
    /// What is no part of the language, and was reported.
    case unexpected
  }

  package let kind: Kind
  package let range: Range<Int>
}

extension Token.Kind {
  /// The token as a sentence names it.
  package var name: String {
    switch self {
    case .identifier: "a name"
    case .string: "text in quotes"
    case .number: "a number"
    case .leftBrace: "“{”"
    case .rightBrace: "“}”"
    case .leftParenthesis: "“(”"
    case .rightParenthesis: "“)”"
    case .leftBracket: "“[”"
    case .rightBracket: "“]”"
    case .leftAngle: "“<”"
    case .rightAngle: "“>”"
    case .colon: "“:”"
    case .comma: "“,”"
    case .semicolon: "“;”"
    case .dot: "“.”"
    case .question: "“?”"
    case .exclamation: "“!”"
    case .equals: "“=”"
    case .at: "“@”"
    case .backslash: "“\\”"
    case .minus: "“-”"
    case .unknown: "an unexpected character"
    case .end: "the end of the file"
    }
  }
}
