/// Finds the part of a document that a sync is of, and reads it element by element.
///
/// Only one element's positions are held at a time, so memory does not grow with the number of rows.
struct PayloadReader: ~Copyable {
  private let bytes: UnsafePointer<UInt8>
  private let count: Int
  private let path: [[UInt8]]

  init(_ source: UnsafeRawBufferPointer, path: String?) {
    bytes = JSONDocument.pointer(source)
    count = source.count
    self.path = path.map { $0.split(separator: ".").map { Array($0.utf8) } } ?? []
  }

  enum Target {
    case value(offset: Int, depth: Int)
    case missing(key: String)
  }

  /// Where the value at the path starts. With a path the whole document is checked on the way.
  func locate() throws(JSONError) -> Target {
    var scanner = try JSONDocument.scanner(bytes, count: count)
    guard !path.isEmpty else {
      guard scanner.peek() != nil else { throw JSONError(reason: .unexpectedEnd, offset: scanner.offset) }
      return .value(offset: scanner.offset, depth: 0)
    }
    var check = try JSONDocument.scanner(bytes, count: count)
    try check.scanValue(onto: nil)
    try check.expectEnd()
    for (depth, name) in path.enumerated() {
      guard let offset = try PayloadReader.member(name, of: &scanner, depth: depth) else {
        return .missing(key: String(decoding: name, as: UTF8.self))
      }
      scanner = JSONScanner(bytes, count: count, offset: offset)
    }
    return .value(offset: scanner.offset, depth: path.count)
  }

  /// The offset of a member's value in the object the scanner stands on; of equal keys the last one counts.
  private static func member(
    _ name: [UInt8], of scanner: inout JSONScanner, depth: Int
  ) throws(JSONError) -> Int? {
    guard scanner.peek() == UInt8(ascii: "{") else { return nil }
    scanner.advance()
    guard scanner.peek() != UInt8(ascii: "}") else { return nil }
    let tape = JSONTape(borrowing: scanner.bytes, capacity: 16)
    var result: Int?
    while true {
      let key = tape.count
      try scanner.scanKey(onto: tape)
      guard scanner.peek() != nil else { throw JSONError(reason: .unexpectedEnd, offset: scanner.offset) }
      if tape.value(at: key).hasText(name) { result = scanner.offset }
      try scanner.scanValue(onto: nil, outerDepth: depth + 1)
      guard scanner.peek() == UInt8(ascii: ",") else { return result }
      scanner.advance()
    }
  }

  /// Calls the body with each element of an array, or once with anything else.
  ///
  /// - Parameter body: gets the tape and the element's index, which is nil where there is no array. It returns whether
  ///   nothing holds on to the tape, so that it can be used again.
  /// - Returns: whether it was an array.
  func forEachElement(at offset: Int, depth: Int, _ body: (JSONTape, Int?) throws -> Bool) throws -> Bool {
    var scanner = JSONScanner(bytes, count: count, offset: offset)
    let isWhole = path.isEmpty
    guard scanner.peek() == UInt8(ascii: "[") else {
      let tape = JSONTape(borrowing: bytes)
      defer { tape.close() }
      try scanner.scanValue(onto: tape, outerDepth: depth)
      if isWhole { try scanner.expectEnd() }
      _ = try body(tape, nil)
      return false
    }
    scanner.advance()
    if scanner.peek() == UInt8(ascii: "]") {
      scanner.advance()
      if isWhole { try scanner.expectEnd() }
      return true
    }
    var index = 0
    var tape = JSONTape(borrowing: bytes)
    defer { tape.close() }
    while true {
      try scanner.scanValue(onto: tape, outerDepth: depth + 1)
      if try body(tape, index) {
        tape.clear()
      } else {
        tape.close()
        tape = JSONTape(borrowing: bytes)
      }
      index += 1
      guard let byte = scanner.peek() else { throw JSONError(reason: .unexpectedEnd, offset: scanner.offset) }
      guard byte == UInt8(ascii: ",") else {
        try scanner.expect(UInt8(ascii: "]"))
        if isWhole { try scanner.expectEnd() }
        return true
      }
      scanner.advance()
    }
  }
}
