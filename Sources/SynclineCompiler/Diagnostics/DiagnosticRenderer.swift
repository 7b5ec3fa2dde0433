/// Writes diagnostics as text.
public enum DiagnosticRenderer {
  /// One line for a build log: `path:line:column: error: message [SL012]`, and a line for each note.
  public static func logLine(_ diagnostic: Diagnostic) -> String {
    let first =
      place(diagnostic.range) + "\(diagnostic.severity.rawValue): \(diagnostic.message) [\(diagnostic.code.rawValue)]"
    let notes = diagnostic.notes.map { place($0.range) + "note: \($0.message)" }
    let fixIts = diagnostic.fixIts.map { place($0.range) + "note: \($0.message)" }
    return ([first] + notes + fixIts).joined(separator: "\n")
  }

  /// The line for a build log, with the source and carets below each place.
  public static func excerpt(_ diagnostic: Diagnostic) -> String {
    var lines = [
      place(diagnostic.range) + "\(diagnostic.severity.rawValue): \(diagnostic.message) [\(diagnostic.code.rawValue)]"
    ]
    lines += carets(diagnostic.range)
    for note in diagnostic.notes {
      lines.append(place(note.range) + "note: \(note.message)")
      lines += carets(note.range)
    }
    for fixIt in diagnostic.fixIts {
      lines.append(place(fixIt.range) + "note: \(fixIt.message)")
      lines += carets(fixIt.range)
    }
    return lines.joined(separator: "\n")
  }

  private static func place(_ range: SourceRange) -> String {
    "\(range.file.path):\(range.start.line):\(range.start.column): "
  }

  private static func carets(_ range: SourceRange) -> [String] {
    let (start, end) = (range.start, range.end)
    let line = range.file.line(start.line)
    let number = String(start.line)
    let gutter = String(repeating: " ", count: number.count)
    let length = end.line == start.line ? end.column - start.column : line.count - start.column + 1
    // Tabs stay tabs, so that the caret stands below its character.
    let indent = String(line.prefix(start.column - 1).map { $0 == "\t" ? "\t" : " " })
    return [
      " \(number) | \(line)",
      " \(gutter) | \(indent)^" + String(repeating: "~", count: max(0, length - 1)),
    ]
  }
}
