import SynclineCompiler

/// Whole lines of a file that is edited, beginning with a declaration. What its lines mean may depend on other pieces:
/// `EditedFile` joins those that must be parsed together.
struct FilePiece: Sendable {
  /// What the parsing of other pieces depends on.
  struct Shape: Sendable, Equatable {
    /// The closing braces that are not opened in it, and the opening ones that are not closed in it.
    var closes = 0
    var opens = 0
    /// Whether a parenthesis is open at its end, which changes where the strings of the next piece end.
    var isOpen = false
    /// The names that it declares with type parameters, which types anywhere in the file may have.
    var generics: Set<String> = []
  }

  let source: SourceFile
  /// Nil if the text was edited and has not been read since.
  var shape: Shape?

  /// The pieces of a text.
  struct Division {
    /// The offsets and the shape of each piece; they cover the text.
    var pieces: [(offsets: Range<Int>, shape: Shape)] = []
    /// Whether text behind it may change how it is divided: a comment or a long string may end there.
    var isUnfinished = false
  }

  /// Divides a text before each line with which a declaration begins.
  static func divide(_ source: SourceFile) -> Division {
    let scanned = Lexer.scan(source)
    var division = Division(isUnfinished: scanned.isCut)
    var start = 0
    var shape = Shape()
    var parentheses = 0
    // The keyword of the declaration that began last, which may follow attributes.
    var keyword = -1
    for (index, token) in scanned.tokens.enumerated() {
      // The quotes that close a text in three quotes may be anywhere behind it, so nothing behind it is divided.
      if hasLongQuotes(token, scanned, in: source) { division.isUnfinished = true }
      if index > keyword, let found = self.keyword(of: index, scanned.tokens, in: source) {
        keyword = found
        if !division.isUnfinished, let line = lineStart(before: index, scanned, in: source) {
          shape.isOpen = parentheses > 0
          division.pieces.append((start..<line, shape))
          (start, shape) = (line, Shape())
        }
      }
      if let generic = scanned.generic(at: index, in: source) { shape.generics.insert(generic) }
      switch token.kind {
      case .leftBrace: (shape.opens, parentheses) = (shape.opens + 1, 0)
      case .rightBrace:
        parentheses = 0
        if shape.opens > 0 { shape.opens -= 1 } else { shape.closes += 1 }
      case .leftParenthesis: parentheses += 1
      case .rightParenthesis: parentheses = max(0, parentheses - 1)
      default: break
      }
    }
    shape.isOpen = parentheses > 0
    division.pieces.append((start..<source.bytes.count, shape))
    return division
  }

  /// Whether a token, or what precedes it, is text between three quotes, as in other languages.
  private static func hasLongQuotes(_ token: Token, _ scanned: Lexer.Output, in source: SourceFile) -> Bool {
    func isLong(_ range: Range<Int>) -> Bool {
      range.count > 2 && source.bytes[range.prefix(3)].allSatisfy { $0 == UInt8(ascii: "\"") }
    }
    return token.kind == .string && isLong(token.range)
      || scanned.trivia[token.leading].contains { $0.kind == .unexpected && isLong($0.range) }
  }

  /// The offset of the line behind the previous token's, if the text between the two can be divided there.
  private static func lineStart(before index: Int, _ scanned: Lexer.Output, in source: SourceFile) -> Int? {
    guard index > 0 else { return nil }
    let pieces = scanned.trivia[scanned.tokens[index].leading]
    // Foreign comments on lines below each other are one mistake, and an invisible character may be a byte order mark.
    let between = scanned.trivia[scanned.tokens[index - 1].trailing].map(\.kind) + pieces.map(\.kind)
    guard !between.contains(.unexpected), let first = pieces.first, first.kind == .newline else { return nil }
    // CR LF is one line end.
    let end = first.range.upperBound
    let isPair =
      source.bytes[first.range.lowerBound] == UInt8(ascii: "\r") && end < source.bytes.count
      && source.bytes[end] == UInt8(ascii: "\n")
    return isPair ? end + 1 : end
  }

  /// The most tokens of the attributes before a declaration.
  private static let attributeLimit = 48

  /// The index of the keyword of a declaration that certainly begins at a token: attributes, the keyword, and a name on the
  /// keyword's line. Nil otherwise. After any syntax error, the parser resumes at such a token.
  private static func keyword(of start: Int, _ tokens: [Token], in source: SourceFile) -> Int? {
    guard tokens[start].startsLine else { return nil }
    var index = start
    while index + 1 < tokens.count, tokens[index].kind == .at {
      guard tokens[index + 1].kind == .identifier, !tokens[index + 1].startsLine,
        index - start < attributeLimit
      else { return nil }
      index += 2
      guard index < tokens.count, tokens[index].kind == .leftParenthesis, !tokens[index].startsLine else {
        continue
      }
      // If something is wrong with arguments on several lines, what follows them may belong to what precedes them.
      repeat {
        index += 1
        guard index < tokens.count, !tokens[index].startsLine, index - start < attributeLimit,
          ![.leftBrace, .rightBrace, .leftParenthesis, .at].contains(tokens[index].kind)
        else { return nil }
      } while tokens[index].kind != .rightParenthesis
      index += 1
    }
    guard index + 2 < tokens.count, tokens[index].kind == .identifier, !tokens[index + 1].startsLine else {
      return nil
    }
    let word = source.text(tokens[index].range)
    switch Keyword.Kind(rawValue: word) {
    case .settings?: return tokens[index + 1].kind == .leftBrace ? index : nil
    case .enumeration?, .model?, .structure?, .union?, .module?:
      let isNamed = tokens[index + 1].kind == .identifier && source.text(tokens[index + 1].range) != word
      return isNamed ? index : nil
    case nil: return nil
    }
  }
}
