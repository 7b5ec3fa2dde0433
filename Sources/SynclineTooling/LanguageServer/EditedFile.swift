import SynclineCompiler

/// A file in an editor. It is parsed in sections, one for each declaration if there are no syntax errors, so that after an edit
/// only the changed declarations are parsed. Edits themselves parse nothing. ``settle()`` parses the changes of all edits since
/// its last call.
package struct EditedFile: Sendable {
  /// Declarations that are parsed together, as a separate file with the same path.
  package struct Section: Sendable {
    package let file: ParsedFile
    /// Its position in the whole file: its line, counted from 0, and its offset.
    package let line: Int
    package let offset: Int
  }

  package let path: String
  package let relativePath: String?
  /// At least one piece. Each but the last ends with a line break.
  var pieces: [FilePiece]
  /// The position of each piece: its line, counted from 0, and its offset.
  private var starts: [(line: Int, offset: Int)] = []
  /// The sections, and the index of each by its file; nil until they are needed.
  private var known: (all: [Section], positions: [ObjectIdentifier: Int])?
  private var parsed = ParsedPieces()

  package init(path: String, relativePath: String? = nil, text: String) {
    (self.path, self.relativePath) = (path, relativePath)
    pieces = [FilePiece(source: SourceFile(path: path, relativePath: relativePath, text: text))]
    locatePieces()
  }

  /// The number of declarations that have been parsed for sections.
  package var parsedDeclarations: Int { parsed.declarations }

  package var text: String { String(decoding: bytes(of: pieces.indices), as: UTF8.self) }

  private var count: Int { (starts.last?.offset ?? 0) + (pieces.last?.source.bytes.count ?? 0) }

  /// The offset of a line and a UTF-16 column, both counted from 0. If the position does not exist, the nearest offset.
  package func offset(line: Int, utf16Column: Int) -> Int {
    let line = max(line, 0)
    let piece = EditedFile.last(of: starts.count) { starts[$0].line <= line }
    return starts[piece].offset
      + pieces[piece].source.offset(line: line - starts[piece].line, utf16Column: utf16Column)
  }

  /// Replaces a range, which must not begin or end inside a character.
  package mutating func replace(_ offsets: Range<Int>, with text: String) {
    let offsets = offsets.clamped(to: 0..<count)
    let (first, last) = (piece(at: offsets.lowerBound), piece(at: offsets.upperBound))
    // A CR before the range and an LF in the new text become one line break.
    let follows = first > 0 && offsets.lowerBound == starts[first].offset
    let start = follows && pieces[first - 1].source.bytes.last == UInt8(ascii: "\r") ? first - 1 : first
    var bytes = bytes(of: start..<first)
    bytes += pieces[first].source.bytes[..<(offsets.lowerBound - starts[first].offset)]
    bytes += text.utf8
    bytes += pieces[last].source.bytes[(offsets.upperBound - starts[last].offset)...]
    pieces.replaceSubrange(start...last, with: [FilePiece(source: source(bytes[...]))])
    locatePieces()
    known = nil
  }

  /// Replaces the whole text. Unchanged parts at its start and end are not parsed again.
  package mutating func replace(with text: String) {
    let (old, new) = (bytes(of: pieces.indices), Array(text.utf8))
    if old == new { return }
    let change = EditedFile.change(from: old, to: new)
    replace(change.offsets, with: change.text)
  }

  /// The smallest edit that turns one text into another. Its range does not begin or end inside a character.
  static func change(from old: [UInt8], to new: [UInt8]) -> (offsets: Range<Int>, text: String) {
    let shared = min(old.count, new.count)
    var start = 0
    while start < shared, old[start] == new[start] { start += 1 }
    // The first different byte may be inside a character.
    while start > 0, start < new.count, new[start] & 0xC0 == 0x80 { start -= 1 }
    while start > 0, start < old.count, old[start] & 0xC0 == 0x80 { start -= 1 }
    var end = 0
    while end < shared - start, old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
    while end > 0, new[new.count - end] & 0xC0 == 0x80 { end -= 1 }
    return (start..<(old.count - end), String(decoding: new[start..<(new.count - end)], as: UTF8.self))
  }

  private func source(_ bytes: ArraySlice<UInt8>) -> SourceFile {
    SourceFile(path: path, relativePath: relativePath, text: String(decoding: bytes, as: UTF8.self))
  }

  private mutating func locatePieces() {
    starts.removeAll(keepingCapacity: true)
    var place = (line: 0, offset: 0)
    for piece in pieces {
      starts.append(place)
      place.line += piece.source.lineStarts.count - 1
      place.offset += piece.source.bytes.count
    }
  }

  /// The index of the piece that contains an offset; between two pieces, the second.
  private func piece(at offset: Int) -> Int {
    EditedFile.last(of: starts.count) { starts[$0].offset <= offset }
  }

  /// Binary search for the last index that meets a condition, which must hold for all indices before it; 0 if none does.
  private static func last(of count: Int, where holds: (Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if holds(middle) { low = middle } else { high = middle }
    }
    return low
  }

  /// Parses all edits since the last call. The members below return the state at the last call.
  package mutating func settle() {
    guard known == nil else { return }
    divideEdited()
    locatePieces()
    var all: [Section] = []
    var positions: [ObjectIdentifier: Int] = [:]
    for (first, file) in parsed.files(of: pieces) {
      positions[ObjectIdentifier(file.source)] = all.count
      all.append(Section(file: file, line: starts[first].line, offset: starts[first].offset))
    }
    known = (all, positions)
  }

  package var sections: [Section] { known?.all ?? [] }

  /// The section of a range; nil if the range is in another file.
  package func section(of range: SourceRange) -> Section? {
    known?.positions[ObjectIdentifier(range.file)].map { sections[$0] }
  }

  /// The offsets of a section's range in the whole file.
  package func offsets(of range: SourceRange) -> Range<Int>? {
    section(of: range).map { range.offsets.lowerBound + $0.offset..<range.offsets.upperBound + $0.offset }
  }

  /// The section that contains an offset, with the offset in the section; nil if the file has no sections yet.
  package func section(at offset: Int) -> (section: Section, offset: Int)? {
    guard !sections.isEmpty else { return nil }
    let section = sections[EditedFile.last(of: sections.count) { sections[$0].offset <= offset }]
    return (section, offset - section.offset)
  }

  /// Parses the whole file on each access. Formatting needs it; the analysis of declarations does not.
  var whole: ParsedFile { ParsedFile(source(bytes(of: pieces.indices)[...])) }

  /// Divides the edited pieces again, together with adjacent pieces, whose boundaries may have changed.
  private mutating func divideEdited() {
    let isEdited = pieces.map { $0.shape == nil }
    func isNear(_ index: Int) -> Bool {
      isEdited[index] || (index > 0 && isEdited[index - 1])
        || (index + 1 < isEdited.count && isEdited[index + 1])
    }
    var divided: [FilePiece] = []
    var index = 0
    while index < pieces.count {
      guard isNear(index) else {
        divided.append(pieces[index])
        index += 1
        continue
      }
      var end = index + 1
      while end < pieces.count, isNear(end) { end += 1 }
      var bytes = bytes(of: index..<end)
      var division = FilePiece.divide(source(bytes[...]))
      if division.isUnfinished, end < pieces.count {
        bytes += self.bytes(of: end..<pieces.count)
        end = pieces.count
        division = FilePiece.divide(source(bytes[...]))
      }
      divided += newPieces(division, of: bytes, from: index..<end)
      index = end
    }
    pieces = divided
  }

  private func bytes(of range: Range<Int>) -> [UInt8] { pieces[range].flatMap(\.source.bytes) }

  /// The pieces of a division. Unchanged pieces keep their files, so that cached results stay valid.
  private func newPieces(
    _ division: FilePiece.Division, of bytes: [UInt8], from range: Range<Int>
  ) -> [FilePiece] {
    var old: [Int: FilePiece] = [:]
    for index in range where pieces[index].shape != nil {
      old[starts[index].offset - starts[range.lowerBound].offset] = pieces[index]
    }
    return division.pieces.map { offsets, shape in
      if let piece = old[offsets.lowerBound], piece.source.bytes.count == offsets.count {
        return FilePiece(source: piece.source, shape: shape)
      }
      return FilePiece(source: source(bytes[offsets]), shape: shape)
    }
  }
}
