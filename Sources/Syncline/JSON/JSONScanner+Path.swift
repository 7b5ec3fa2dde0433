extension JSONScanner {
  /// Finds the value at a path in one pass from the start of the document, which validates the document around it. The value
  /// itself is validated when it is read.
  ///
  /// - Returns: the offset of the value; nil if there is none, or if several may be meant, so that a thorough search must decide.
  mutating func find(_ path: ArraySlice<PathStep>) throws(JSONError) -> Int? {
    guard let offset = try find(path, depth: 0) else { return nil }
    try expectEnd()
    return offset
  }

  /// Moves past the value at the cursor, and finds the path in it.
  private mutating func find(_ path: ArraySlice<PathStep>, depth: Int) throws(JSONError) -> Int? {
    guard let step = path.first else {
      guard peek() != nil else { return nil }
      let offset = self.offset
      return try skipValue(outerDepth: depth) ? offset : nil
    }
    let name: [UInt8]?
    switch step {
    case .member(let key): name = key
    case .index: name = nil
    case .names, .each, .members, .pairs: return nil
    }
    let isObject = name != nil
    guard peek() == UInt8(ascii: isObject ? "{" : "[") else { return nil }
    let end = UInt8(ascii: isObject ? "}" : "]")
    advance()
    guard peek() != end else { return nil }
    let tape = JSONTape(borrowing: bytes, capacity: 16)
    defer { tape.close() }
    var (found, index): (Int?, Int) = (nil, 0)
    while true {
      if isObject {
        tape.clear()
        try scanKey(onto: tape)
      }
      if name.map({ tape.value(at: 0).hasText($0) }) ?? (step == .index(index)) {
        guard found == nil, let offset = try find(path.dropFirst(), depth: depth + 1) else { return nil }
        found = offset
      } else {
        try scanValue(onto: nil, outerDepth: depth + 1)
      }
      guard peek() == UInt8(ascii: ",") else { break }
      advance()
      index += 1
    }
    try expect(end)
    return found
  }
}
