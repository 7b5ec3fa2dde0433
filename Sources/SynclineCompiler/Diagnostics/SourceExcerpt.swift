/// The source line of a location with carets below it. A very long line is cut around the location, so the
/// time does not depend on its length.
struct SourceExcerpt {
  private let line: Int
  /// The shown part of the line before the location. `behind` is the rest, from the start of the location.
  private let before: String
  private let behind: String
  private let length: Int
  /// The bytes of the line that were read.
  let window: Range<Int>

  private static let bytesBefore = 80
  private static let bytesBehind = 160

  init(_ range: SourceRange) {
    let file = range.file
    line = file.lineIndex(of: range.offsets.lowerBound)
    let whole = file.offsets(ofLine: line)
    let place = min(max(range.offsets.lowerBound, whole.lowerBound), whole.upperBound)
    let isLong = place - whole.lowerBound > 2 * SourceExcerpt.bytesBefore
    let start = isLong ? file.scalarStart(place - SourceExcerpt.bytesBefore) : whole.lowerBound
    let end = file.scalarStart(min(whole.upperBound, place + SourceExcerpt.bytesBehind))
    let marked = min(end, max(place, range.offsets.upperBound))
    window = start..<max(place, end)
    before = file.text(start..<place)
    behind = file.text(place..<max(place, end))
    length = max(1, file.text(place..<max(place, marked)).count)
  }

  var lines: [String] {
    let number = String(line + 1)
    let gutter = String(repeating: " ", count: number.count)
    // Keep tabs, so that the caret is below its character.
    let indent = String(before.map { $0 == "\t" ? $0 : " " })
    return [
      " \(number) | \(SourceExcerpt.shown(before + behind))",
      " \(gutter) | \(indent)^" + String(repeating: "~", count: length - 1),
    ]
  }

  private static func shown(_ text: String) -> String {
    String(text.map { $0 == "\t" || $0.unicodeScalars.allSatisfy(DiagnosticText.isShown) ? $0 : "\u{FFFD}" })
  }
}

extension SourceFile {
  /// The byte offsets of a line without its end. Lines are counted from 0.
  fileprivate func offsets(ofLine index: Int) -> Range<Int> {
    let start = lineStarts[index]
    var end = index + 1 < lineStarts.count ? lineStarts[index + 1] : bytes.count
    while end > start, bytes[end - 1] == UInt8(ascii: "\n") || bytes[end - 1] == UInt8(ascii: "\r") {
      end -= 1
    }
    return start..<end
  }

  /// The start of the scalar that contains an offset.
  fileprivate func scalarStart(_ offset: Int) -> Int {
    var start = offset
    while start > 0, start < bytes.count, bytes[start] & 0xC0 == 0x80 { start -= 1 }
    return start
  }
}
