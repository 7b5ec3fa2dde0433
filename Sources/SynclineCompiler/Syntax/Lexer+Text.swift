extension Lexer {
  /// Scans a string in quotes. An unterminated string ends at its most likely end, so that the tokens after it can be read.
  mutating func scanString() -> Token.Kind {
    if peek(1) == UInt8(ascii: "\""), peek(2) == UInt8(ascii: "\"") { return scanLongText() }
    let start = offset
    offset += 1
    while offset < bytes.count, !isLineEnd(bytes[offset]) {
      if bytes[offset] == UInt8(ascii: "\"") {
        offset += 1
        return .string
      }
      // An escape includes the next character, but not a line end.
      let isEscape = bytes[offset] == UInt8(ascii: "\\") && !(peek(1).map(isLineEnd) ?? false)
      offset += isEscape ? 2 : 1
    }
    offset = min(offset, bytes.count)
    endText(from: start)
    return .string
  }

  /// Scans a string between `#"` and `"#`, in which quotes and backslashes are ordinary characters.
  mutating func scanRawString() -> Token.Kind {
    let start = offset
    offset += 2
    while offset < bytes.count, !isLineEnd(bytes[offset]) {
      if bytes[offset] == UInt8(ascii: "\""), peek(1) == UInt8(ascii: "#") {
        offset += 2
        return .string
      }
      offset += 1
    }
    endText(from: start, quote: "\"#")
    return .string
  }

  private mutating func endText(from start: Int, quote closing: String = "\"") {
    if closing == "\"", let quote = typographicQuote(in: (start + 1)..<offset) {
      let range = file.range(quote)
      problems.error(
        .unterminatedString, "a string must end with “\"”", at: range, fixIts: [.write("\"", for: range)])
      offset = quote.upperBound
      return
    }
    if openParentheses > 0, let parenthesis = bytes[start..<offset].firstIndex(of: UInt8(ascii: ")")) {
      offset = parenthesis
    }
    var end = offset
    while end > start + 1, bytes[end - 1] <= UInt8(ascii: " ") { end -= 1 }
    let written = file.range(start..<end)
    problems.error(
      .unterminatedString, "unterminated string", at: written,
      fixIts: bytes[end - 1] == UInt8(ascii: "\\") ? [] : [.insert(closing, after: written)])
  }

  private func typographicQuote(in range: Range<Int>) -> Range<Int>? {
    var index = range.lowerBound
    while index < range.upperBound, let (scalar, length) = scalar(at: index) {
      if scalar != "\"", Lexer.typographicQuotes.contains(scalar) { return index..<(index + length) }
      index += length
    }
    return nil
  }

  /// Scans a string in three quotes, which may span several lines.
  private mutating func scanLongText() -> Token.Kind {
    let start = offset
    offset += 3
    while offset < bytes.count {
      if bytes[offset...].starts(with: Lexer.longQuote) {
        let content = file.text((start + 3)..<offset)
        offset += 3
        let range = file.range(start..<offset)
        problems.error(
          .unexpectedCharacter, "a string must be on one line, in “\"”", at: range,
          fixIts: [.write(Lexer.oneLine(content), for: range)])
        return .string
      }
      offset += 1
    }
    offset = start
    skipLine()
    report(.unterminatedString, "unterminated string", start..<(start + 3))
    return .string
  }

  private static let longQuote = [UInt8](repeating: UInt8(ascii: "\""), count: 3)

  /// The content of a multi-line string, with escapes for its line breaks.
  private static func oneLine(_ content: String) -> String {
    var lines = content.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    func isBlank(_ line: Substring) -> Bool { line.allSatisfy { $0 == " " || $0 == "\t" } }
    let indent = lines.count > 1 ? lines.last.map { isBlank($0) ? $0.count : 0 } ?? 0 : 0
    if lines.count > 1, lines.first.map(isBlank) ?? false { lines.removeFirst() }
    if lines.count > 1, lines.last.map(isBlank) ?? false { lines.removeLast() }
    let texts = lines.map { line in
      line.dropFirst(min(indent, line.prefix { $0 == " " || $0 == "\t" }.count))
    }
    return "\"\(texts.joined(separator: "\\n").replacing("\"", with: "\\\""))\""
  }
}
