/// Estimates the width of a string in an unknown font.
///
/// The widths are those of wide fonts (Verdana, DejaVu Sans), so that a string fits into its box in other fonts.
enum TextWidth {
  /// The width of a string at a font size, in units of the drawing.
  static func of(_ text: String, size: Double, isBold: Bool = false) -> Double {
    text.reduce(0) { $0 + ems(of: $1) } * size * (isBold ? 1.1 : 1)
  }

  /// The string, shortened with an ellipsis if it is wider than the room.
  static func fitted(_ text: String, size: Double, isBold: Bool = false, room: Double) -> String {
    if of(text, size: size, isBold: isBold) <= room { return text }
    var width = of("…", size: size, isBold: isBold)
    var kept = ""
    for character in text {
      width += of(String(character), size: size, isBold: isBold)
      if width > room { break }
      kept.append(character)
    }
    return kept + "…"
  }

  private static func ems(of character: Character) -> Double {
    switch character {
    case "i", "j", "l", "I", "|", "'": 0.31
    case " ", ".", ",", ":", ";", "!", "/", "\\", "·": 0.35
    case "f", "t", "r", "(", ")", "[", "]", "{", "}", "\"", "-": 0.42
    case "m", "w", "M", "W", "%", "@", "…", "—": 1.0
    case "a"..."z", "0"..."9", "_", "?", "*", "$": 0.63
    case "A"..."Z", "&", "~": 0.76
    case "<", ">", "=", "+", "#", "→": 0.84
    // Letters of alphabets; from the Hangul Jamo on, most characters are as wide as they are high.
    default: character.unicodeScalars.first.map { $0.value < 0x1100 ? 0.8 : 1.2 } ?? 0
    }
  }
}
