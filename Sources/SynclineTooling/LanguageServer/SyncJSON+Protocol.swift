import Syncline
import SynclineCompiler

// Conversions to and from the objects of the Language Server Protocol.

extension SourceFile {
  /// A `Range` of the protocol: lines and UTF-16 columns, both counted from 0.
  ///
  /// - Parameter line: the line of the whole file at which the section begins.
  func range(of offsets: Range<Int>, from line: Int = 0) -> SyncJSON {
    func position(_ offset: Int) -> SyncJSON {
      let location = location(of: offset, counting: .utf16)
      return ["line": SyncJSON(location.line - 1 + line), "character": SyncJSON(location.column - 1)]
    }
    return ["start": position(offsets.lowerBound), "end": position(offsets.upperBound)]
  }

  /// The offset of a line and a UTF-16 column, both counted from 0, as editors count. A position past the end
  /// of a line or the file becomes that end. A position inside a character becomes its start.
  package func offset(line: Int, utf16Column: Int) -> Int {
    guard line < lineStarts.count else { return bytes.count }
    let line = max(line, 0)
    let next = line + 1 < lineStarts.count ? lineStarts[line + 1] : bytes.count
    var (offset, column) = (lineStarts[line], 0)
    while offset < next, bytes[offset] != UInt8(ascii: "\n"), bytes[offset] != UInt8(ascii: "\r") {
      let lead = bytes[offset]
      let (length, units) = lead < 0x80 ? (1, 1) : lead < 0xE0 ? (2, 1) : lead < 0xF0 ? (3, 1) : (4, 2)
      guard column + units <= utf16Column else { break }
      offset += length
      column += units
    }
    return offset
  }
}

extension EditedFile {
  /// The offset of a `Position`. If the position does not exist, the nearest offset.
  func offset(of position: SyncJSON?) -> Int {
    offset(line: position?["line"]?.int ?? 0, utf16Column: position?["character"]?.int ?? 0)
  }

  func offsets(of range: SyncJSON?) -> Range<Int> {
    let start = offset(of: range?["start"])
    return start..<max(start, offset(of: range?["end"]))
  }

  /// Applies a change of the protocol, which replaces a range or the whole text.
  mutating func apply(_ change: SyncJSON) {
    guard let text = change["text"]?.string else { return }
    if let range = change["range"], range.object != nil {
      replace(offsets(of: range), with: text)
    } else {
      replace(with: text)
    }
  }
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
