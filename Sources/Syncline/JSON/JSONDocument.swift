/// Reads whole documents and the elements of long arrays.
enum JSONDocument {
  /// Scans a document. The tape borrows the bytes: the caller must close it before they are released.
  static func scan(_ bytes: UnsafeRawBufferPointer, outerDepth: Int = 0) throws(JSONError) -> JSONTape {
    let base = pointer(bytes)
    let tape = JSONTape(borrowing: base, capacity: 16 + bytes.count / 8)
    var scanner = try scanner(base, count: bytes.count)
    try scanner.scanValue(onto: tape, outerDepth: outerDepth)
    try scanner.expectEnd()
    return tape
  }

  /// Reads a document. Its value is valid during the call of the body.
  static func read<Result>(
    _ bytes: UnsafeRawBufferPointer, outerDepth: Int = 0, _ body: (SyncValue) throws -> Result
  ) throws -> Result {
    let tape = try scan(bytes, outerDepth: outerDepth)
    defer { tape.close() }
    return try body(tape.value(at: 0))
  }

  static func read<Result>(
    _ text: [UInt8], outerDepth: Int = 0, _ body: (SyncValue) throws -> Result
  ) throws -> Result {
    try text.withUnsafeBytes { try read($0, outerDepth: outerDepth, body) }
  }

  /// A scanner at the start of the text. A byte order mark is skipped.
  static func scanner(_ base: UnsafePointer<UInt8>, count: Int) throws(JSONError) -> JSONScanner {
    guard count < JSONNode.offsetLimit else { throw JSONError(reason: .tooLarge, offset: 0) }
    let hasMark = UnsafeBufferPointer(start: base, count: count).starts(with: [0xEF, 0xBB, 0xBF])
    return JSONScanner(base, count: count, offset: hasMark ? 3 : 0)
  }

  static func pointer(_ bytes: UnsafeRawBufferPointer) -> UnsafePointer<UInt8> {
    // An empty buffer may have no address; the scanner reads nothing from it.
    bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) ?? emptyByte
  }

  private nonisolated(unsafe) static let emptyByte = UnsafePointer(
    UnsafeMutablePointer<UInt8>.allocate(capacity: 1))
}
