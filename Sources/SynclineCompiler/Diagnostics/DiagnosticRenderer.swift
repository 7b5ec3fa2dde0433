/// Renders diagnostics as text. The time and length of each do not depend on the length of its source line.
public enum DiagnosticRenderer {
  /// How much of each diagnostic is rendered.
  public enum Style: Sendable {
    /// One line for the diagnostic, and one for each note.
    case log
    /// The log lines, each followed by its source line and carets.
    case excerpts
  }

  /// The number of diagnostics that are rendered. The others are only counted.
  public static let limit = 200

  /// All diagnostics up to the limit, one per line or excerpt.
  public static func report(_ diagnostics: [Diagnostic], style: Style = .excerpts) -> String {
    var text = ""
    for diagnostic in diagnostics.prefix(limit) {
      text += style == .log ? logLine(diagnostic) : excerpt(diagnostic)
      text += "\n"
    }
    let rest = diagnostics.count - limit
    return rest > 0 ? text + "… and \(grouped(rest)) more\n" : text
  }

  /// One line for a build log: `path:line:column: error: message [SL012]`, and a line for each note.
  public static func logLine(_ diagnostic: Diagnostic) -> String {
    lines(of: diagnostic).map(\.text).joined(separator: "\n")
  }

  /// The line for a build log, with the source and carets below each place.
  public static func excerpt(_ diagnostic: Diagnostic) -> String {
    lines(of: diagnostic)
      .flatMap { [$0.text] + ($0.range.map { SourceExcerpt($0).lines } ?? []) }
      .joined(separator: "\n")
  }

  /// An output line and the location that it refers to.
  private typealias Line = (text: String, range: SourceRange?)

  private static let noteLimit = 8

  private static func lines(of diagnostic: Diagnostic) -> [Line] {
    func line(_ kind: String, _ message: String, _ range: SourceRange) -> Line {
      let place = "\(range.file.path):\(range.start.line):\(range.start.column)"
      // The source of one location is shown once.
      let isShown = kind == "note" && range == diagnostic.range
      return ("\(place): \(kind): \(message)", isShown ? nil : range)
    }
    let notes =
      diagnostic.notes.map { ($0.message, $0.range) } + diagnostic.fixIts.map { ($0.message, $0.range) }
    let message = "\(DiagnosticText.line(diagnostic.message)) [\(diagnostic.code.rawValue)]"
    var lines = [line(diagnostic.severity.rawValue, message, diagnostic.range)]
    lines += notes.prefix(noteLimit).map { line("note", DiagnosticText.line($0.0), $0.1) }
    if notes.count > noteLimit {
      lines.append(("… and \(grouped(notes.count - noteLimit)) more notes", nil))
    }
    return lines
  }

  /// A number with a comma between thousands.
  private static func grouped(_ number: Int) -> String {
    var digits = String(number)
    var result = ""
    while digits.count > 3 {
      result = ",\(digits.suffix(3))" + result
      digits.removeLast(3)
    }
    return digits + result
  }
}
