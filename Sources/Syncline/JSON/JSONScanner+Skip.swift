internal import SynclineBytes

extension JSONScanner {
  /// Moves from the end of an element, or of a line, to the next one. Returns false after the last.
  mutating func moveToNextElement(isLines: Bool) throws(JSONError) -> Bool {
    guard !isLines else { return try moveToNextLine() }
    guard let byte = peek() else { throw JSONError(reason: .unexpectedEnd, offset: offset) }
    guard byte == UInt8(ascii: ",") else {
      try expect(UInt8(ascii: "]"))
      return false
    }
    advance()
    return true
  }

  /// Moves to the next line that is not blank. Returns false if there is none.
  private mutating func moveToNextLine() throws(JSONError) -> Bool {
    let end = offset
    guard peek() != nil else { return false }
    guard (end..<offset).contains(where: { bytes[$0] == 0x0A || bytes[$0] == 0x0D }) else {
      throw JSONError(reason: .trailingContent, offset: offset)
    }
    return true
  }

  /// Moves past the end of the containers around the cursor, without validating what it skips. If that is not
  /// JSON, the cursor may stop anywhere.
  ///
  /// - Parameter depth: the number of containers to end.
  /// - Returns: whether all of them ended.
  mutating func skipToEnd(ofContainers depth: Int) -> Bool {
    let next = syncline_skip(bytes, offset, end, depth)
    offset = next < 0 ? end : next
    return next >= 0
  }

  /// Moves past a value, without validating an object or a list. Returns false if one of these has no end.
  mutating func skipValue(outerDepth: Int = 0) throws(JSONError) -> Bool {
    guard let byte = peek(), byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") else {
      try scanValue(onto: nil, outerDepth: outerDepth)
      return true
    }
    advance()
    return skipToEnd(ofContainers: 1)
  }
}
