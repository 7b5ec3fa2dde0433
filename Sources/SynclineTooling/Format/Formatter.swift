import SynclineCompiler

extension ParsedFile {
  /// The formatted text, with the file's line endings; nil if the file has syntax errors.
  package var formatted: String? {
    guard !diagnostics.hasErrors else { return nil }
    let text = Formatter.text(tree)
    return text.hasSameLines(as: source.text) ? source.text : text.withLineEndings(of: source.text)
  }
}

extension String {
  /// The text with the line endings of another string: “\r\n” if that string's first line ends with it.
  fileprivate func withLineEndings(of other: String) -> String {
    // Other line breaks, such as U+2028, do not end a line of a schema.
    guard other.first(where: { ["\n", "\r", "\r\n"].contains($0) }) == "\r\n" else { return withLineFeeds }
    return String(withLineFeeds.map { $0 == "\n" ? "\r\n" : $0 })
  }
}

/// Formats a file. Keeps its tokens and comments, and rewrites the blanks and line breaks between them.
///
/// Keeps existing line breaks, as `swift format` does, with one exception: in a body that is not on one line, each member gets
/// its own line. Several blank lines become one.
struct Formatter {
  /// The longest line that may contain a whole body.
  static let lineLength = 100

  private let tree: SyntaxTree
  private var lines = FormattedLines()
  /// The bodies and lists that contain the next token.
  private var enclosing: [Enclosing] = []
  /// The offsets at which a line may begin.
  private let starts: Set<Int>
  /// The first tokens of the top-level declarations.
  private let declarationStarts: Set<Int>
  /// The declarations that a blank line separates from the previous one, because one of the two spans several lines.
  private let apart: Set<Int>
  /// The opening braces of the bodies that are written on one line.
  private let inLine: Set<Int>

  private struct Enclosing {
    /// Whether it is the body of a declaration rather than a list or arguments.
    let isBody: Bool
    /// Whether it is a body with each member on its own line.
    let isBroken: Bool
  }

  /// - Parameter tree: the tree of a file without syntax errors.
  static func text(_ tree: SyntaxTree) -> String {
    var formatter = Formatter(tree)
    formatter.write()
    let text = formatter.lines.text
    return text.isEmpty ? "" : text + "\n"
  }

  private init(_ tree: SyntaxTree) {
    self.tree = tree
    inLine = tree.bodiesInLine
    declarationStarts = Set(tree.declarations.map(\.tokens.lowerBound))
    apart = Formatter.apart(tree, inLine)
    starts = Formatter.starts(tree)
  }

  private mutating func write() {
    var isFirst = true
    for position in tree.tokens.indices {
      let token = tree.tokens[position]
      let isOfBrokenBody = enclosing.last?.isBroken ?? true
      var gap = FormattedGap(before: position, in: tree)
      // A line break replaces a semicolon, unless documentation before it would then belong to the next declaration.
      if token.kind == .semicolon, isOfBrokenBody,
        !gap.comments.contains(where: { $0.breaks > 0 && $0.text.hasPrefix("///") })
      {
        // Comments before a removed semicolon belong to the previous token.
        lines.add(gap.comments, at: enclosing.count)
        continue
      }
      defer { isFirst = false }
      let closes = Formatter.closing.contains(token.kind)
      let isDeclaration = declarationStarts.contains(position)
      let previous = position > 0 ? tree.tokens[position - 1] : nil
      let followsBrace = previous?.kind == .leftBrace
      if followsBrace, closes, gap.comments.isEmpty {
        gap.lineBreaks = 0
      } else if isOfBrokenBody, gap.lineBreaks == 0, !isFirst,
        followsBrace || closes || isDeclaration || previous?.kind == .semicolon
      {
        // Members of a broken body are on separate lines.
        gap.lineBreaks = 1
      }
      if apart.contains(position), !isFirst { gap.addBlankLine() }
      if closes { gap.lineBreaks = min(gap.lineBreaks, 1) }
      let inner = enclosing.count
      if closes { _ = enclosing.popLast() }
      lines.add(gap.comments, at: inner)
      if token.kind == .end { break }
      lines.add(
        tree.file.text(token.range), breaks: gap.lineBreaks,
        at: closes ? enclosing.count : indentation(for: token),
        isTight: previous.map { isTight($0, token) } ?? false)
      open(token, position)
    }
  }

  private static let closing: Set<Token.Kind> = [.rightBrace, .rightBracket, .rightParenthesis]

  private mutating func open(_ token: Token, _ position: Int) {
    switch token.kind {
    case .leftBrace:
      enclosing.append(Enclosing(isBody: true, isBroken: !inLine.contains(position)))
      lines.passBlankLines()
    case .leftBracket, .leftParenthesis: enclosing.append(Enclosing(isBody: false, isBroken: false))
    default: break
    }
  }

  private func indentation(for token: Token) -> Int {
    let isStart = starts.contains(token.range.lowerBound) || !(enclosing.last?.isBody ?? true)
    return enclosing.count + (isStart ? 0 : 1)
  }

  private static func apart(_ tree: SyntaxTree, _ inLine: Set<Int>) -> Set<Int> {
    var apart: Set<Int> = []
    var wasLong = false
    for (index, declaration) in tree.declarations.enumerated() {
      let isLong = declaration.tokens.contains {
        tree.tokens[$0].kind == .leftBrace && !inLine.contains($0)
      }
      if index > 0, wasLong || isLong { apart.insert(declaration.tokens.lowerBound) }
      wasLong = isLong
    }
    return apart
  }

  /// Whether there is no space between two tokens on a line.
  private func isTight(_ left: Token, _ right: Token) -> Bool {
    switch (left.kind, right.kind) {
    case (.leftBrace, .rightBrace): true
    case (_, .comma), (_, .colon), (_, .semicolon), (_, .question), (_, .rightParenthesis),
      (_, .rightBracket):
      true
    case (.leftParenthesis, _), (.leftBracket, _), (.at, _), (.backslash, _), (.dot, _), (.minus, _): true
    case (.identifier, .dot), (.identifier, .leftParenthesis), (.question, .dot): true
    default: false
    }
  }

  /// The offsets of members, cases, entries, declarations, attributes, and the tokens after attributes.
  private static func starts(_ tree: SyntaxTree) -> Set<Int> {
    var starts: Set<Int> = []
    func add(_ tokens: Range<Int>) { starts.insert(tree.tokens[tokens.lowerBound].range.lowerBound) }
    var ends: Set<Int> = []
    func add(_ attributes: [AttributeSyntax]) {
      for attribute in attributes {
        starts.insert(attribute.range.offsets.lowerBound)
        ends.insert(attribute.range.offsets.upperBound)
      }
    }
    for declaration in tree.declarations {
      add(declaration.tokens)
      switch declaration {
      case .model(let model):
        add(model.attributes)
        for member in model.members { add(member.tokens) }
        for property in model.properties { add(property.attributes) }
      case .enumeration(let enumeration):
        add(enumeration.attributes)
        for member in enumeration.members { add(member.tokens) }
      case .settings(let settings):
        for entry in settings.entries { starts.insert(entry.name.range.offsets.lowerBound) }
      case .module, .unexpected: break
      }
    }
    for (position, token) in tree.tokens.enumerated().dropLast() where ends.contains(token.range.upperBound) {
      starts.insert(tree.tokens[position + 1].range.lowerBound)
    }
    return starts
  }
}

extension SyntaxTree {
  /// The opening braces of the bodies that are written on one line.
  fileprivate var bodiesInLine: Set<Int> {
    var inLine: Set<Int> = []
    var open: [(position: Int, isInLine: Bool)] = []
    for (position, token) in tokens.enumerated() {
      let breaksLine = token.startsLine || hasLineComment(token.leading)
      if breaksLine { for index in open.indices { open[index].isInLine = false } }
      if token.kind == .leftBrace {
        open.append((position, !hasLineComment(token.trailing)))
      } else if token.kind == .rightBrace, let body = open.popLast() {
        let isEmpty = body.position == position - 1 && !hasComment(after: body.position)
        if isEmpty || (body.isInLine && isShort(from: body.position, to: position)) {
          inLine.insert(body.position)
        }
      }
    }
    return inLine
  }

  private func hasComment(after position: Int) -> Bool {
    [tokens[position].trailing, tokens[position + 1].leading].contains {
      trivia[$0].contains(where: \.isComment)
    }
  }

  private func hasLineComment(_ pieces: Range<Int>) -> Bool {
    trivia[pieces].contains { $0.kind == .lineComment || $0.kind == .documentation }
  }

  /// Whether the line of a body, including the tokens before it, is short enough.
  private func isShort(from brace: Int, to end: Int) -> Bool {
    var first = brace
    while first > 0, !tokens[first].startsLine, tokens[first - 1].kind != .rightBrace { first -= 1 }
    return tokens[first...end].reduce(0) { $0 + $1.range.count + 1 } <= Formatter.lineLength
  }
}
