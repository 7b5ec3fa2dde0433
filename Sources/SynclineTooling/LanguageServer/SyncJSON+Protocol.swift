import Syncline
import SynclineCompiler

// What the Language Server Protocol has objects for.

extension SourceFile {
  /// A position of the protocol: a line and a column of UTF-16, both counted from 0.
  func position(of offset: Int) -> SyncJSON {
    let location = location(of: offset, counting: .utf16)
    return ["line": SyncJSON(location.line - 1), "character": SyncJSON(location.column - 1)]
  }

  /// A range of the protocol.
  func range(of offsets: Range<Int>) -> SyncJSON {
    ["start": position(of: offsets.lowerBound), "end": position(of: offsets.upperBound)]
  }

  /// The offset of a position of the protocol; that of the nearest one where there is no such.
  func offset(of position: SyncJSON?) -> Int {
    offset(line: position?["line"]?.int ?? 0, utf16Column: position?["character"]?.int ?? 0)
  }

  /// The offsets of a range of the protocol.
  func offsets(of range: SyncJSON?) -> Range<Int> {
    let start = offset(of: range?["start"])
    return start..<max(start, offset(of: range?["end"]))
  }
}

extension SourceRange {
  /// The range of the protocol.
  var json: SyncJSON { file.range(of: offsets) }
}

extension SyncJSON {
  init(_ number: Int) { self = .number(SyncNumber(number)) }

  /// An object without the members that have no value.
  static func object(_ members: KeyValuePairs<String, SyncJSON?>) -> SyncJSON {
    .object(SyncJSONObject(members.compactMap { name, value in value.map { (name, $0) } }))
  }

  /// Text in Markdown.
  static func markdown(_ text: String) -> SyncJSON { ["kind": "markdown", "value": .string(text)] }
}
