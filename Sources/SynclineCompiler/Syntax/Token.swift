/// A piece of the text: the token itself, and the blanks and comments before it.
struct Token: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    case identifier
    case string
    case number
    case leftBrace, rightBrace, leftParenthesis, rightParenthesis, leftBracket, rightBracket
    case colon, comma, semicolon, dot, question, equals, at, backslash, minus
    /// What no token starts with.
    case unknown
    case end
  }

  let kind: Kind
  /// The blanks and comments between the token before and this one.
  let trivia: Range<Int>
  let range: Range<Int>
  /// Whether the token is the first of its line.
  let startsLine: Bool
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
    case .colon: "“:”"
    case .comma: "“,”"
    case .semicolon: "“;”"
    case .dot: "“.”"
    case .question: "“?”"
    case .equals: "“=”"
    case .at: "“@”"
    case .backslash: "“\\”"
    case .minus: "“-”"
    case .unknown: "an unexpected character"
    case .end: "the end of the file"
    }
  }
}
