/// The supported syntax of Unicode date patterns. The compiler checks patterns with it, and the runtime reads and writes dates by
/// it.
package enum DatePatternSyntax {
  /// A part of a pattern: a field of a date, or literal text.
  package enum Part: Hashable, Sendable {
    /// A literal byte of UTF-8.
    case literal(UInt8)
    /// A run of one letter: `yyyy`.
    case field(letter: Character, count: Int)
  }

  /// The error for a run of letters that is not a known field.
  package struct UnknownField: Error, CustomStringConvertible {
    /// The run as written in the pattern: `yyyyy`.
    package let letters: String
    /// A sentence for the author of the pattern.
    package var description: String { "the date pattern has the unknown field “\(letters)”" }
  }

  /// The parts of a pattern in order.
  package static func parts(of pattern: String) throws(UnknownField) -> [Part] {
    var parts: [Part] = []
    let letters = Array(pattern.utf8)
    var index = 0
    while index < letters.count {
      let letter = letters[index]
      if letter == UInt8(ascii: "'") {
        index = appendQuoted(letters, from: index + 1, to: &parts)
        continue
      }
      guard letter < 0x80, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter | 0x20) else {
        parts.append(.literal(letter))
        index += 1
        continue
      }
      var count = 1
      while index + count < letters.count, letters[index + count] == letter { count += 1 }
      let character = Character(UnicodeScalar(letter))
      guard lengths[character]?.contains(count) ?? false else {
        throw UnknownField(letters: String(repeating: character, count: count))
      }
      parts.append(.field(letter: character, count: count))
      index += count
    }
    return parts
  }

  /// The allowed lengths of each letter's run.
  private static let lengths: [Character: Set<Int>] = [
    "G": [1, 2, 3], "y": [1, 2, 4], "M": [1, 2, 3, 4], "L": [1, 2, 3, 4], "d": [1, 2], "E": [1, 2, 3, 4],
    "c": [3, 4], "H": [1, 2], "h": [1, 2], "a": [1, 2, 3], "m": [1, 2], "s": [1, 2],
    "S": Set(1...9), "Z": [1, 2, 3, 5], "X": [1, 2, 3], "x": [1, 2, 3], "z": [1, 2, 3],
  ]

  /// Appends quoted text. `''` is an apostrophe, inside or outside quotes.
  private static func appendQuoted(_ letters: [UInt8], from start: Int, to parts: inout [Part]) -> Int {
    var index = start
    if index < letters.count, letters[index] == UInt8(ascii: "'") {
      parts.append(.literal(UInt8(ascii: "'")))
      return index + 1
    }
    while index < letters.count {
      if letters[index] == UInt8(ascii: "'") {
        guard index + 1 < letters.count, letters[index + 1] == UInt8(ascii: "'") else { return index + 1 }
        index += 1
      }
      parts.append(.literal(letters[index]))
      index += 1
    }
    return index
  }
}
