import Syncline
import SynclineCompiler

// Conversions to and from the objects of the Language Server Protocol.

extension SourceFile {
  /// A `Position` of the protocol: a line and a UTF-16 column, both counted from 0.
  func position(of offset: Int) -> SyncJSON {
    let location = location(of: offset, counting: .utf16)
    return ["line": SyncJSON(location.line - 1), "character": SyncJSON(location.column - 1)]
  }

  /// A `Range` of the protocol.
  func range(of offsets: Range<Int>) -> SyncJSON {
    ["start": position(of: offsets.lowerBound), "end": position(of: offsets.upperBound)]
  }

  /// The offset of a `Position`; if the position does not exist, the nearest one.
  func offset(of position: SyncJSON?) -> Int {
    offset(line: position?["line"]?.int ?? 0, utf16Column: position?["character"]?.int ?? 0)
  }

  /// The offsets of a `Range`.
  func offsets(of range: SyncJSON?) -> Range<Int> {
    let start = offset(of: range?["start"])
    return start..<max(start, offset(of: range?["end"]))
  }
}

extension SourceRange {
  /// The range as a `Range` of the protocol.
  var json: SyncJSON { file.range(of: offsets) }
}

extension SyncJSON {
  init(_ number: Int) { self = .number(SyncNumber(number)) }

  /// An object, without the members whose value is nil.
  static func object(_ members: KeyValuePairs<String, SyncJSON?>) -> SyncJSON {
    .object(SyncJSONObject(members.compactMap { name, value in value.map { (name, $0) } }))
  }

  /// Markdown, as `MarkupContent` of the protocol.
  static func markdown(_ text: String) -> SyncJSON { ["kind": "markdown", "value": .string(text)] }
}
