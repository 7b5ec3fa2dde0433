import Syncline
import SynclineCompiler

/// Diagnostics as JSON, which `syncline check --json` prints.
public struct DiagnosticList: Encodable, Sendable {
  private let list: SyncJSON

  /// Creates the list in the order of the diagnostics.
  public init(_ diagnostics: [Diagnostic]) {
    let entries = diagnostics.map { diagnostic -> SyncJSON in
      let notes = diagnostic.notes.map { note -> SyncJSON in
        ["message": .string(note.message), "place": DiagnosticList.place(note.range)]
      }
      let fixIts = diagnostic.fixIts.map { fixIt -> SyncJSON in
        [
          "message": .string(fixIt.message), "place": DiagnosticList.place(fixIt.range),
          "replacement": .string(fixIt.replacement),
        ]
      }
      return [
        "code": .string(diagnostic.code.rawValue), "severity": .string(diagnostic.severity.rawValue),
        "message": .string(diagnostic.message), "place": DiagnosticList.place(diagnostic.range),
        "notes": .array(notes), "fixIts": .array(fixIts),
      ]
    }
    list = ["diagnostics": .array(entries)]
  }

  public func encode(to encoder: any Encoder) throws { try list.encode(to: encoder) }

  /// A range of a file: lines and columns are counted from 1, columns and offsets in UTF-8.
  private static func place(_ range: SourceRange) -> SyncJSON {
    func position(_ location: SourceLocation, _ offset: Int) -> SyncJSON {
      ["line": SyncJSON(location.line), "column": SyncJSON(location.column), "offset": SyncJSON(offset)]
    }
    return [
      "file": .string(range.file.path), "start": position(range.start, range.offsets.lowerBound),
      "end": position(range.end, range.offsets.upperBound),
    ]
  }
}
