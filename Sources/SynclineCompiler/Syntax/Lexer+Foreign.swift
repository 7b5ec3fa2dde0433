extension Lexer {
  /// Scans characters that cannot begin a token: a name or a string in other quotes, a similar character of another alphabet, or
  /// a run of other characters.
  mutating func scanForeign() -> Token.Kind {
    if skipQuotedName() { return .identifier }
    guard let first = scalar(at: offset) else {
      offset += 1
      return .unknown
    }
    if let closing = Lexer.closingQuotes[first.scalar] { return scanForeignText(closing, first.length) }
    if let sign = Lexer.foreignSigns[first.scalar], let kind = Lexer.punctuation(sign) {
      let range = offset..<(offset + first.length)
      offset += first.length
      problems.error(
        .unexpectedCharacter,
        "“\(first.scalar)” (\(Lexer.codePoint(first.scalar))) is not the character “\(Unicode.Scalar(sign))”",
        at: file.range(range),
        fixIts: [.write(String(Unicode.Scalar(sign)), for: file.range(range))])
      return kind
    }
    return scanUnknown()
  }

  private mutating func scanUnknown() -> Token.Kind {
    let start = offset
    repeat {
      offset += scalar(at: offset)?.length ?? 1
    } while scalar(at: offset).map { !startsToken($0.scalar) } ?? false
    let text = file.text(start..<offset)
    let scalars = text.unicodeScalars
    let code = scalars.first.flatMap { $0.isASCII ? nil : " (\(Lexer.codePoint($0)))" } ?? ""
    report(
      .unexpectedCharacter, "unexpected character\(scalars.count > 1 ? "s" : "") “\(text)”\(code)",
      start..<offset)
    return .unknown
  }

  /// Skips a name in backticks, which are needed only in Swift; returns false if there is none.
  mutating func skipQuotedName() -> Bool {
    guard bytes[offset] == UInt8(ascii: "`") else { return false }
    var end = offset + 1
    while let (scalar, length) = scalar(at: end), isIdentifierPart(scalar, isFirst: end == offset + 1) {
      end += length
    }
    guard end > offset + 1, end < bytes.count, bytes[end] == UInt8(ascii: "`") else { return false }
    let range = file.range(offset..<end + 1)
    let name = file.text(offset + 1..<end)
    problems.error(
      .unexpectedCharacter, "“\(name)” must be written without backticks, even if it is a Swift keyword",
      at: range,
      fixIts: [.write(name, for: range)])
    offset = end + 1
    return true
  }

  /// Scans a string in quotes of another language.
  private mutating func scanForeignText(_ closing: Set<Unicode.Scalar>, _ length: Int) -> Token.Kind {
    let start = offset
    offset += length
    while let (scalar, length) = scalar(at: offset), !isLineEnd(bytes[offset]) {
      offset += length
      guard closing.contains(scalar) else { continue }
      let range = file.range(start..<offset)
      let content = file.text((start + (self.scalar(at: start)?.length ?? 1))..<(offset - length))
      let replacement = "\"\(content.replacing("\"", with: "\\\""))\""
      problems.error(
        .unexpectedCharacter, "a string must be in straight quotes, “\"”", at: range,
        fixIts: [.write(replacement, for: range)])
      return .string
    }
    report(
      .unterminatedString, "a string must be in straight quotes, “\"”, and end on its line", start..<offset)
    return .string
  }

  /// The scalars that can close a string, by the scalar that opens it.
  private static let closingQuotes: [Unicode.Scalar: Set<Unicode.Scalar>] = [
    "'": ["'"], "\u{201C}": typographicQuotes, "\u{201D}": typographicQuotes, "\u{201E}": typographicQuotes,
    "\u{201F}": typographicQuotes, "\u{2018}": ["\u{2018}", "\u{2019}", "'"],
    "\u{2019}": ["\u{2019}", "'"], "\u{201A}": ["\u{2018}", "\u{2019}", "'"], "\u{AB}": ["\u{BB}"],
    "\u{FF02}": ["\u{FF02}", "\""],
  ]
  static let typographicQuotes: Set<Unicode.Scalar> = [
    "\u{201C}", "\u{201D}", "\u{201E}", "\u{201F}", "\"",
  ]

  /// Characters that look like punctuation of the schema language, with the characters that they resemble.
  private static let foreignSigns: [Unicode.Scalar: UInt8] = [
    "：": UInt8(ascii: ":"), "，": UInt8(ascii: ","), "；": UInt8(ascii: ";"), "？": UInt8(ascii: "?"),
    "！": UInt8(ascii: "!"), "＝": UInt8(ascii: "="), "（": UInt8(ascii: "("), "）": UInt8(ascii: ")"),
    "｛": UInt8(ascii: "{"), "｝": UInt8(ascii: "}"), "［": UInt8(ascii: "["), "］": UInt8(ascii: "]"),
    "＠": UInt8(ascii: "@"), "．": UInt8(ascii: "."), "＼": UInt8(ascii: "\\"), "\u{37E}": UInt8(ascii: ";"),
    "\u{2013}": UInt8(ascii: "-"), "\u{2212}": UInt8(ascii: "-"), "\u{2236}": UInt8(ascii: ":"),
  ]

  // MARK: Trivia

  /// Skips a comment that begins with `#`; returns false if there is none.
  mutating func skipHashComment() -> Bool {
    let next = peek(1) ?? UInt8(ascii: "\n")
    if next == UInt8(ascii: "\"") { return false }
    let isAlone = next <= UInt8(ascii: " ") || next == UInt8(ascii: "#") || next == UInt8(ascii: "!")
    guard isAlone || isFirstOfLine else { return false }
    skipComment("#")
    return true
  }

  /// Skips an SQL comment; returns false if there is none.
  mutating func skipDashComment() -> Bool {
    guard peek(1) == UInt8(ascii: "-") else { return false }
    let next = peek(2) ?? UInt8(ascii: "\n")
    guard next <= UInt8(ascii: " ") || next == UInt8(ascii: "-") || (next | 0x20) &- UInt8(ascii: "a") < 26
    else {
      return false
    }
    skipComment("-")
    return true
  }

  /// Skips a comment that begins with a sign of another language, and such comments on the next lines. One diagnostic reports
  /// them all.
  private mutating func skipComment(_ sign: Unicode.Scalar) {
    let (start, sign) = (offset, UInt8(ascii: sign))
    var replacement = ""
    var end = offset
    while true {
      while peek(0) == sign { offset += 1 }
      let content = offset
      skipLine()
      replacement += "//" + file.text(content..<offset)
      end = offset
      while let byte = peek(0), byte <= UInt8(ascii: " ") { offset += 1 }
      guard peek(0) == sign, sign == UInt8(ascii: "#") || peek(1) == sign else { break }
      replacement += file.text(end..<offset)
    }
    offset = end
    let mark = String(repeating: String(Unicode.Scalar(sign)), count: sign == UInt8(ascii: "#") ? 1 : 2)
    let text = file.text(start..<min(end, start + 7))
    if text.hasPrefix("#Index") || text.hasPrefix("#Unique") {
      return problems.error(
        .unexpectedCharacter, "a schema has no macros: write “@Index(\\.a, \\.b)” before the model",
        at: file.range(start..<(start + 1)))
    }
    problems.error(
      .unexpectedCharacter, "a comment begins with “//”",
      at: file.range(start..<(start + mark.utf8.count)),
      fixIts: [
        .init(
          message: "write “//” for “\(mark)”", range: file.range(start..<end),
          replacement: replacement)
      ])
  }

  /// Skips documentation between lines of three quotes, as in Python and GraphQL; returns false if there is none.
  mutating func skipLongDocumentation() -> Bool {
    let quotes = [UInt8](repeating: UInt8(ascii: "\""), count: 3)
    guard isFirstOfLine, bytes[offset...].starts(with: quotes) else { return false }
    let start = offset
    var end = offset + 3
    while end + 3 <= bytes.count, !bytes[end...].starts(with: quotes) { end += 1 }
    guard end + 3 <= bytes.count else { return false }
    let lines = file.text((start + 3)..<end).split(whereSeparator: \.isNewline).map { line in
      line.drop { $0 == " " || $0 == "\t" }
    }
    var indent = start
    while indent > 0, bytes[indent - 1] == UInt8(ascii: " ") || bytes[indent - 1] == UInt8(ascii: "\t") {
      indent -= 1
    }
    let separator = "\n" + file.text(indent..<start)
    offset = end + 3
    let range = file.range(start..<offset)
    problems.error(
      .unexpectedCharacter, "documentation is written with “///” before each of its lines", at: range,
      fixIts: [
        .init(
          message: "write “///”", range: range,
          replacement: lines.filter { !$0.isEmpty }.map { "/// \($0)" }.joined(separator: separator))
      ])
    return true
  }

  private var isFirstOfLine: Bool {
    var index = offset
    while index > 0, bytes[index - 1] == UInt8(ascii: " ") || bytes[index - 1] == UInt8(ascii: "\t") {
      index -= 1
    }
    return index == 0 || isLineEnd(bytes[index - 1])
  }

  /// Skips invisible blanks and zero-width characters; returns false if there are none.
  mutating func skipInvisible() -> Bool {
    guard let first = scalar(at: offset)?.scalar, Lexer.isInvisible(first) else { return false }
    let start = offset
    var count = 0
    while let (scalar, length) = scalar(at: offset), scalar == first {
      offset += length
      count += 1
    }
    let name = first.properties.name.map { " (\($0.lowercased()))" } ?? ""
    let times = count > 1 ? " \(count) times" : ""
    let isBlank = first.properties.isWhitespace
    let range = file.range(start..<offset)
    problems.error(
      .unexpectedCharacter,
      "invisible character \(Lexer.codePoint(first))\(name)\(times); \(isBlank ? "write a space" : "remove it")",
      at: range,
      fixIts: [
        .init(
          message: isBlank ? "write a space" : "remove it", range: range, replacement: isBlank ? " " : "")
      ])
    return true
  }

  /// Skips zero-width characters inside a name, and the rest of the name; returns false if there are none.
  mutating func skipInvisibleLetters() -> Bool {
    guard let (scalar, length) = scalar(at: offset), !scalar.isASCII, !scalar.properties.isWhitespace,
      Lexer.isInvisible(scalar), let next = self.scalar(at: offset + length)?.scalar,
      isIdentifierPart(next, isFirst: false)
    else { return false }
    _ = skipInvisible()
    while let (scalar, length) = self.scalar(at: offset), isIdentifierPart(scalar, isFirst: false) {
      offset += length
    }
    return true
  }

  /// The name without its zero-width characters, which were already reported.
  static func name(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
    let letters = text.unicodeScalars.filter { scalar in
      scalar == "\u{200D}" || scalar == "\u{FE0F}" || scalar.properties.isXIDContinue || !isInvisible(scalar)
    }
    return String(String.UnicodeScalarView(letters))
  }

  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .spaceSeparator, .format, .control, .lineSeparator, .paragraphSeparator: true
    default: scalar.properties.isDefaultIgnorableCodePoint
    }
  }

  /// The scalar in Unicode notation: `U+00A0`.
  static func codePoint(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
