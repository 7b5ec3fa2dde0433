/// Changes of a text that people and accidents make.
struct Mutation {
  var generator: SeededGenerator

  private static let pieces = [
    "{", "}", "(", ")", "[", "]", "\"", "\\", "\\(", "@", "@Index", "@Relationship(inverse: \\", ":", ";",
    ",",
    ".", "=", "?", "-", "/", "//", "/*", "*/", "///", "\n", "\r\n", "\r", "\t", "\u{0}", "\u{7F}", "\u{FEFF}",
    "\u{2028}", "model", "enum", "union", " on \"type\"", "import", "schema", "case", "var", "nil", "true",
    "id: Int\n", "0", "1e",
    "99999999999999999999", "1e99999", "😀", "👩‍👩‍👧", "é", "e\u{301}", "\u{301}", "\u{600}", "\u{200D}", "名",
    "`", "#", "~", "_", "$", "'",
  ]

  /// The text with some of its bytes dropped, doubled, moved or replaced.
  mutating func mutated(_ text: String) -> String {
    var bytes = Array(text.utf8)
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      let start = Int.random(in: 0...bytes.count, using: &generator)
      let end = min(bytes.count, start + Int.random(in: 0...12, using: &generator))
      switch Int.random(in: 0..<5, using: &generator) {
      case 0: bytes.removeSubrange(start..<end)
      case 1: bytes.insert(contentsOf: bytes[start..<end], at: start)
      case 2: bytes.removeSubrange(start...)
      case 3:
        let part = Array(bytes[start..<end])
        bytes.removeSubrange(start..<end)
        bytes.insert(contentsOf: part, at: Int.random(in: 0...bytes.count, using: &generator))
      default:
        let piece = Mutation.pieces.randomElement(using: &generator) ?? ""
        bytes.replaceSubrange(start..<end, with: Array(piece.utf8))
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The text with other blanks, line ends and comments where there are some.
  mutating func spaced(_ text: String) -> String {
    var result = ""
    for character in text {
      result.append(character)
      guard character == " " || character == "\n" || character == "," || character == ":" else { continue }
      switch Int.random(in: 0..<12, using: &generator) {
      case 0: result += "  \t"
      case 1: result += "\n"
      case 2: result += "\n\n\n"
      case 3: result += " /* c */ "
      case 4: result += " // c \n"
      case 5: result += "/* c\n  d */"
      default: break
      }
    }
    return result
  }

  /// Pieces of the language in any order.
  mutating func soup(of count: Int) -> String {
    (0..<count).map { _ in Mutation.pieces.randomElement(using: &generator) ?? "" }.joined(
      separator: Bool.random(using: &generator) ? " " : "")
  }

  /// Any bytes, repaired to UTF-8.
  mutating func noise(of count: Int) -> String {
    let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
