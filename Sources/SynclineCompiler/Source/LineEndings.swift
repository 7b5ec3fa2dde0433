// Git may check files out with “\r\n” (`core.autocrlf`), so line endings count neither for what is checked in nor for
// how a schema is formatted. In a String “\r\n” is one Character, which is not equal to “\n”.

extension String {
  /// The text with each “\r\n” replaced by “\n”.
  package var withLineFeeds: String {
    guard utf8.contains(UInt8(ascii: "\r")) else { return self }
    return String(map { $0 == "\r\n" ? "\n" : $0 })
  }

  /// Whether two texts have the same bytes, apart from their line endings. (Strings are equal where they look the same.)
  package func hasSameLines(as other: String) -> Bool {
    withLineFeeds.utf8.elementsEqual(other.withLineFeeds.utf8)
  }

  /// The text with the line endings of another: “\r\n” where the other's first line has it.
  package func withLineEndings(of other: String) -> String {
    guard other.first(where: \.isNewline) == "\r\n" else { return withLineFeeds }
    return String(withLineFeeds.map { $0 == "\n" ? "\r\n" : $0 })
  }
}
