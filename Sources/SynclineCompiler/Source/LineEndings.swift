// Git may check files out with “\r\n” (`core.autocrlf`), so line endings are ignored when comparing
// checked-in files and when formatting. In a String, “\r\n” is one Character, which is not equal to “\n”.

extension String {
  /// The text with each “\r\n” replaced by “\n”.
  package var withLineFeeds: String {
    guard utf8.contains(UInt8(ascii: "\r")) else { return self }
    return String(map { $0 == "\r\n" ? "\n" : $0 })
  }

  /// Whether two strings have the same bytes, apart from line endings. (`==` compares strings by canonical equivalence.)
  package func hasSameLines(as other: String) -> Bool {
    withLineFeeds.utf8.elementsEqual(other.withLineFeeds.utf8)
  }
}
