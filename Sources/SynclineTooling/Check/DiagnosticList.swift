import SynclineCompiler

/// Diagnostics as JSON, which `syncline check --json` prints.
public struct DiagnosticList: Encodable, Sendable {
  struct Entry: Encodable {
    let code: String
    let severity: String
    let message: String
    let place: FileRange
    let notes: [Note]
    let fixIts: [FixIt]
  }

  /// A range of a file: lines and columns are counted from 1, columns and offsets in UTF-8.
  struct FileRange: Encodable {
    struct Position: Encodable {
      let line, column, offset: Int
    }

    let file: String
    let start, end: Position

    init(_ range: SourceRange) {
      func position(_ location: SourceLocation, _ offset: Int) -> Position {
        Position(line: location.line, column: location.column, offset: offset)
      }
      file = range.file.path
      start = position(range.start, range.offsets.lowerBound)
      end = position(range.end, range.offsets.upperBound)
    }
  }

  struct Note: Encodable {
    let message: String
    let place: FileRange
  }

  struct FixIt: Encodable {
    let message: String
    let place: FileRange
    let replacement: String
  }

  let diagnostics: [Entry]

  /// Creates the list in the order of the diagnostics.
  public init(_ diagnostics: [Diagnostic]) {
    self.diagnostics = diagnostics.map { diagnostic in
      Entry(
        code: diagnostic.code.rawValue, severity: diagnostic.severity.rawValue, message: diagnostic.message,
        place: FileRange(diagnostic.range),
        notes: diagnostic.notes.map { Note(message: $0.message, place: FileRange($0.range)) },
        fixIts: diagnostic.fixIts.map {
          FixIt(message: $0.message, place: FileRange($0.range), replacement: $0.replacement)
        })
    }
  }
}
