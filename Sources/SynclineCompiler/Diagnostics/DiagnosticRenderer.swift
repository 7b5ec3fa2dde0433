/// Writes diagnostics as text.
public enum DiagnosticRenderer {
  /// One line for a build log: `path:line:column: error: message [SL012]`, and a line for each note.
  public static func logLine(_ diagnostic: Diagnostic) -> String {
    lines(of: diagnostic).map(\.text).joined(separator: "\n")
  }

  /// The line for a build log, with the source and carets below each place.
  public static func excerpt(_ diagnostic: Diagnostic) -> String {
    lines(of: diagnostic).flatMap { [$0.text] + carets($0.range) }.joined(separator: "\n")
  }

  private static func lines(of diagnostic: Diagnostic) -> [(text: String, range: SourceRange)] {
    func line(_ kind: String, _ message: String, _ range: SourceRange) -> (text: String, range: SourceRange) {
      let start = range.start
      return ("\(range.file.path):\(start.line):\(start.column): \(kind): \(onOneLine(message))", range)
    }
    let message = "\(diagnostic.message) [\(diagnostic.code.rawValue)]"
    return [line(diagnostic.severity.rawValue, message, diagnostic.range)]
      + diagnostic.notes.map { line("note", $0.message, $0.range) }
      + diagnostic.fixIts.map { line("note", $0.message, $0.range) }
  }

  /// What a message quotes from a schema may hold what ends a line, or means something to a terminal.
  private static func onOneLine(_ message: String) -> String {
    var result = ""
    for scalar in message.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator:
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static func carets(_ range: SourceRange) -> [String] {
    let (start, end) = (range.start, range.end)
    // Of a line that no screen holds, what is around the place is enough.
    let first = start.column > lineLimit ? start.column - 1 - lineLimit / 2 : 0
    let clipped = range.file.line(start.line).dropFirst(first).prefix(lineLimit + lineLimit / 2)
    // Tabs stay tabs, so that the caret stands below its character.
    let line = clipped.map { $0 == "\t" ? $0 : shown($0) }
    let indent = line.prefix(start.column - 1 - first).map { $0 == "\t" ? $0 : " " }
    let last = end.line == start.line ? min(end.column - 1, first + line.count) : first + line.count
    let length = last - start.column + 1
    let number = String(start.line)
    let gutter = String(repeating: " ", count: number.count)
    return [
      " \(number) | \(String(line))",
      " \(gutter) | \(String(indent))^" + String(repeating: "~", count: max(0, length - 1)),
    ]
  }

  private static let lineLimit = 160

  private static func shown(_ character: Character) -> Character {
    let isControl = character.unicodeScalars.contains { scalar in
      [.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
    }
    return isControl ? "\u{FFFD}" : character
  }
}
