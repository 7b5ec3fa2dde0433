/// A token of the text, with the trivia that belong to it: what stands before it up to the line of the token before,
/// and what stands behind it on its line.
struct Token: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
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

  let kind: Kind
  /// The positions of its pieces among the trivia of the file.
  let leading: Range<Int>
  let range: Range<Int>
  let trailing: Range<Int>
  /// Whether the token is the first of its line.
  let startsLine: Bool
}

/// A piece of what stands between tokens.
struct TriviaPiece: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    case blank, newline, lineComment, documentation, blockComment
    /// What is no part of the language, and was reported.
    case unexpected
  }

  let kind: Kind
  let range: Range<Int>
}

extension Token.Kind {
  /// The token as a sentence names it.
  var name: String {
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
