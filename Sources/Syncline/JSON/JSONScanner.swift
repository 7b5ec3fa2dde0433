/// Scans JSON text (RFC 8259) in one pass, and records the positions of its values.
///
/// It validates everything, including UTF-8, and allocates only to grow the tape. Containers are kept on its own stack, so deep
/// nesting cannot overflow the call stack.
struct JSONScanner: ~Copyable {
  static let depthLimit = 512
  /// Where a stored value begins: each of up to 64 unions around a value adds a level that the payload does not have.
  static let storedDepth = -65

  let bytes: UnsafePointer<UInt8>
  let end: Int
  var offset: Int
  /// Receives the values; nil while they are only validated.
  private var output: JSONTape.Writer?
  private let stack: UnsafeMutablePointer<(position: Int, start: Int, isObject: Bool)>

  init(_ bytes: UnsafePointer<UInt8>, count: Int, offset: Int = 0) {
    self.bytes = bytes
    end = count
    self.offset = offset
    output = nil
    stack = .allocate(capacity: Self.depthLimit - Self.storedDepth)
  }

  deinit { stack.deallocate() }

  /// The byte at the cursor after white space, or nil at the end.
  @inline(__always)
  mutating func peek() -> UInt8? {
    while offset < end {
      let byte = bytes[offset]
      if byte > 0x20 { return byte }
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
      offset += 1
    }
    return nil
  }

  mutating func advance() {
    offset += 1
  }

  /// Throws unless only white space is left.
  mutating func expectEnd() throws(JSONError) {
    if peek() != nil { throw JSONError(reason: .trailingContent, offset: offset) }
  }

  /// Moves past an expected byte.
  @inline(__always)
  mutating func expect(_ expected: UInt8) throws(JSONError) {
    guard let byte = peek() else { throw JSONError(reason: .unexpectedEnd, offset: offset) }
    guard byte == expected else { throw unexpected(byte) }
    offset += 1
  }

  func unexpected(_ byte: UInt8) -> JSONError {
    JSONError(reason: .unexpectedByte(byte), offset: offset)
  }

  /// Scans one value and appends it to the tape. Without a tape, the value is only validated.
  ///
  /// - Parameter outerDepth: the number of containers around the value.
  mutating func scanValue(onto tape: JSONTape?, outerDepth: Int = 0) throws(JSONError) {
    output = tape?.writer()
    defer {
      if let output { tape?.reclaim(output) }
      output = nil
    }
    try scanValue(outerDepth: outerDepth)
  }

  private mutating func scanValue(outerDepth: Int) throws(JSONError) {
    var depth = 0
    while true {
      // A value starts here.
      guard let byte = peek() else { throw JSONError(reason: .unexpectedEnd, offset: offset) }
      var isComplete = true
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        guard depth + outerDepth < Self.depthLimit else { throw JSONError(reason: .tooDeep, offset: offset) }
        let isObject = byte == UInt8(ascii: "{")
        stack[depth] = (output?.count ?? 0, offset, isObject)
        depth += 1
        output?.append(JSONNode(kind: isObject ? .object : .array, offset: offset, length: 0, next: 0))
        offset += 1
        if peek() == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
          break
        }
        if isObject { try scanKey() }
        isComplete = false
      case UInt8(ascii: "\""): try scanString()
      case UInt8(ascii: "t"): try scanLiteral("true", .true)
      case UInt8(ascii: "f"): try scanLiteral("false", .false)
      case UInt8(ascii: "n"): try scanLiteral("null", .null)
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try scanNumber()
      default: throw unexpected(byte)
      }
      // A value, or an empty container's content, ended: close the containers that end with it.
      while isComplete {
        guard depth > 0 else { return }
        let container = stack[depth - 1]
        guard let byte = peek() else { throw JSONError(reason: .unexpectedEnd, offset: offset) }
        if byte == UInt8(ascii: ",") {
          offset += 1
          if container.isObject { try scanKey() }
          isComplete = false
        } else if byte == (container.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
          offset += 1
          depth -= 1
          try close(container.position, start: container.start)
        } else {
          throw unexpected(byte)
        }
      }
    }
  }

  private func close(_ position: Int, start: Int) throws(JSONError) {
    guard let output else { return }
    guard let length = UInt32(exactly: offset - start), let next = UInt32(exactly: output.count) else {
      throw JSONError(reason: .tooLarge, offset: start)
    }
    output.nodes[position].close(length: length, next: next)
  }

  /// Scans a key and the colon after it.
  mutating func scanKey(onto tape: JSONTape) throws(JSONError) {
    output = tape.writer()
    defer {
      if let output { tape.reclaim(output) }
      output = nil
    }
    try scanKey()
  }

  @inline(__always)
  private mutating func scanKey() throws(JSONError) {
    guard let byte = peek() else { throw JSONError(reason: .unexpectedEnd, offset: offset) }
    guard byte == UInt8(ascii: "\"") else { throw unexpected(byte) }
    try scanString()
    try expect(UInt8(ascii: ":"))
  }

  private mutating func scanLiteral(_ text: StaticString, _ kind: JSONNode.Kind) throws(JSONError) {
    let start = offset
    for index in 0..<text.utf8CodeUnitCount {
      guard offset < end else { throw JSONError(reason: .unexpectedEnd, offset: offset) }
      guard bytes[offset] == text.utf8Start[index] else { throw unexpected(bytes[offset]) }
      offset += 1
    }
    try append(kind, start: start)
  }

  @inline(__always)
  private mutating func append(_ kind: JSONNode.Kind, start: Int, flag: Bool = false) throws(JSONError) {
    guard let count = output?.count else { return }
    guard let length = UInt32(exactly: offset - start), let next = UInt32(exactly: count + 1) else {
      throw JSONError(reason: .tooLarge, offset: start)
    }
    output?.append(JSONNode(kind: kind, offset: start, length: length, next: next, flag: flag))
  }

  private mutating func scanNumber() throws(JSONError) {
    let start = offset
    if bytes[offset] == UInt8(ascii: "-") { offset += 1 }
    if offset < end, bytes[offset] == UInt8(ascii: "0") {
      offset += 1
    } else {
      try scanDigits()
    }
    if offset < end, bytes[offset] == UInt8(ascii: ".") {
      offset += 1
      try scanDigits()
    }
    if offset < end, bytes[offset] | 0x20 == UInt8(ascii: "e") {
      offset += 1
      if offset < end, bytes[offset] == UInt8(ascii: "+") || bytes[offset] == UInt8(ascii: "-") {
        offset += 1
      }
      try scanDigits()
    }
    try append(.number, start: start)
  }

  @inline(__always)
  private mutating func scanDigits() throws(JSONError) {
    let start = offset
    while offset < end, bytes[offset] &- UInt8(ascii: "0") < 10 { offset += 1 }
    if offset == start { throw JSONError(reason: .invalidNumber, offset: offset) }
  }

  @inline(__always)
  private mutating func scanString() throws(JSONError) {
    offset += 1
    let start = offset
    var hasEscapes = false
    while true {
      offset += JSONText.plainPrefix(UnsafeBufferPointer(start: bytes, count: end), from: offset)
      guard offset < end else { throw JSONError(reason: .unexpectedEnd, offset: offset) }
      let byte = bytes[offset]
      if byte == UInt8(ascii: "\"") { break }
      if byte == UInt8(ascii: "\\") {
        hasEscapes = true
        try scanEscape()
      } else if byte < 0x20 {
        throw JSONError(reason: .controlCharacter(byte), offset: offset)
      } else if byte >= 0x80 {
        try scanUTF8Sequence()
      } else {
        offset += 1
      }
    }
    try append(.string, start: start, flag: hasEscapes)
    offset += 1
  }

  private mutating func scanEscape() throws(JSONError) {
    let start = offset
    offset += 1
    guard offset < end else { throw JSONError(reason: .unexpectedEnd, offset: offset) }
    switch bytes[offset] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      offset += 1
    case UInt8(ascii: "u"):
      guard offset + 4 < end else { throw JSONError(reason: .unexpectedEnd, offset: end) }
      for index in 1...4 where hexadecimalValue(bytes[offset + index]) == nil {
        throw JSONError(reason: .invalidEscape, offset: start)
      }
      offset += 5
    default:
      throw JSONError(reason: .invalidEscape, offset: start)
    }
  }

  /// Moves past one character of two to four bytes.
  @inline(__always)
  private mutating func scanUTF8Sequence() throws(JSONError) {
    let length = JSONText.sequenceLength(bytes + offset, limit: end - offset)
    guard length > 0 else { throw JSONError(reason: .invalidUTF8, offset: offset) }
    offset += length
  }
}

/// The uppercase hexadecimal digit of a value below 16.
func hexadecimalDigit(_ value: UInt8) -> UInt8 {
  value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") - 10 + value
}

@inline(__always)
func hexadecimalValue(_ byte: UInt8) -> UInt8? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): byte &- UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): byte &- UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): byte &- UInt8(ascii: "A") + 10
  default: nil
  }
}
