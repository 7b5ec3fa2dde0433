import SynclineCompiler

/// Whole lines of an edited file, beginning with a declaration. Their meaning may depend on other pieces. `ParsedPieces` joins
/// the pieces that must be parsed together.
struct FilePiece: Sendable {
  /// The properties of a piece that affect how other pieces are parsed.
  struct Shape: Sendable, Equatable {
    /// The number of closing braces without an opening brace in the piece, and of opening braces without a closing brace.
    var closes = 0
    var opens = 0
    /// Whether a parenthesis is open at its end, which affects where strings in the next piece end.
    var isOpen = false
    /// The names that it declares with type parameters. They may be used anywhere in the file.
    var generics: Set<String> = []
  }

  let source: SourceFile
  /// The shape; nil if the text was edited and has not been analysed since.
  var shape: Shape?

  struct Division {
    /// The offsets and shapes of the pieces, which cover the whole text.
    var pieces: [(offsets: Range<Int>, shape: Shape)] = []
    /// Whether following text may change the division, because a comment or a multi-line string may end in it.
    var isUnfinished = false
  }

  /// Divides a text at the lines that begin a declaration.
  static func divide(_ source: SourceFile) -> Division {
    let scanned = Lexer.scan(source)
    var division = Division(isUnfinished: scanned.isCut)
    var start = 0
    var shape = Shape()
    var parentheses = 0
    // The keyword of the last declaration, which may follow attributes.
    var keyword = -1
    for (index, token) in scanned.tokens.enumerated() {
      // The closing quotes of a multi-line string may be anywhere after it, so the text after it is not divided.
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

  /// Whether a token or its leading trivia is text between three quotes, as in other languages.
  private static func hasLongQuotes(_ token: Token, _ scanned: Lexer.Output, in source: SourceFile) -> Bool {
    func isLong(_ range: Range<Int>) -> Bool {
      range.count > 2 && source.bytes[range.prefix(3)].allSatisfy { $0 == UInt8(ascii: "\"") }
    }
    return token.kind == .string && isLong(token.range)
      || scanned.trivia[token.leading].contains { $0.kind == .unexpected && isLong($0.range) }
  }

  /// The offset of the line after the previous token's line, if the text between both tokens can be divided there.
  private static func lineStart(before index: Int, _ scanned: Lexer.Output, in source: SourceFile) -> Int? {
    guard index > 0 else { return nil }
    let pieces = scanned.trivia[scanned.tokens[index].leading]
    // Comments of another language on consecutive lines are one error. An invisible character may be a byte order mark.
    let between = scanned.trivia[scanned.tokens[index - 1].trailing].map(\.kind) + pieces.map(\.kind)
    guard !between.contains(.unexpected), let first = pieces.first, first.kind == .newline else { return nil }
    // CR LF is one line break.
    let end = first.range.upperBound
    let isPair =
      source.bytes[first.range.lowerBound] == UInt8(ascii: "\r") && end < source.bytes.count
      && source.bytes[end] == UInt8(ascii: "\n")
    return isPair ? end + 1 : end
  }

  /// The maximum number of tokens in the attributes before a declaration.
  private static let attributeLimit = 48

  /// The index of the keyword of a declaration that certainly begins at a token: attributes, the keyword, and a name on the
  /// keyword's line; otherwise nil. After any syntax error, the parser resumes at such a token.
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
      // If arguments that span several lines contain an error, the text after them may belong to an earlier declaration.
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
