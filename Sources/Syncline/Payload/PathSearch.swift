/// Finds the value at a path in one pass, which validates the document around it. The value itself is validated when it is read.
struct PathSearch: ~Copyable {
  private var scanner: JSONScanner

  /// - Parameter scanner: is at the start of the document.
  init(_ scanner: consuming JSONScanner) {
    self.scanner = scanner
  }

  /// The offset of the value; nil if there is none, or several, so that ``PayloadPlaces`` must decide.
  mutating func find(_ path: ArraySlice<PathStep>) throws(JSONError) -> Int? {
    guard let offset = try find(path, depth: 0) else { return nil }
    try scanner.expectEnd()
    return offset
  }

  /// Moves past the value at the cursor, and finds the path in it.
  private mutating func find(_ path: ArraySlice<PathStep>, depth: Int) throws(JSONError) -> Int? {
    guard let step = path.first else { return try pass(depth: depth) }
    let isObject: Bool
    switch step {
    case .member: isObject = true
    case .index: isObject = false
    case .names, .each, .members, .pairs: return nil
    }
    guard scanner.peek() == UInt8(ascii: isObject ? "{" : "[") else { return nil }
    let end = UInt8(ascii: isObject ? "}" : "]")
    scanner.advance()
    guard scanner.peek() != end else { return nil }
    let tape = JSONTape(borrowing: scanner.bytes, capacity: 16)
    defer { tape.close() }
    var (found, index): (Int?, Int) = (nil, 0)
    while true {
      if isObject {
        tape.clear()
        try scanner.scanKey(onto: tape)
      }
      if isObject ? step.isKey(tape.value(at: 0)) : step == .index(index) {
        guard found == nil, let offset = try find(path.dropFirst(), depth: depth + 1) else { return nil }
        found = offset
      } else {
        try scanner.scanValue(onto: nil, outerDepth: depth + 1)
      }
      guard scanner.peek() == UInt8(ascii: ",") else { break }
      scanner.advance()
      index += 1
    }
    try scanner.expect(end)
    return found
  }

  /// Moves past the value at the cursor, without validating an object or a list.
  private mutating func pass(depth: Int) throws(JSONError) -> Int? {
    guard let byte = scanner.peek() else { return nil }
    let offset = scanner.offset
    if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") {
      scanner.advance()
      return scanner.skipToEnd(ofContainers: 1) ? offset : nil
    }
    try scanner.scanValue(onto: nil, outerDepth: depth)
    return offset
  }
}

extension PathStep {
  fileprivate func isKey(_ key: SyncValue) -> Bool {
    if case .member(let name) = self { key.hasText(name) } else { false }
  }
}
