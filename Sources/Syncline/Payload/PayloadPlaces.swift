/// Where the values at several paths begin in a document. Each object on the paths is scanned once, whatever the number of paths.
struct PayloadPlaces {
  enum Place {
    case value(offset: Int, depth: Int)
    case null
    case absent
    /// A value on the path is not an object.
    case unreadable
  }

  private let bytes: UnsafePointer<UInt8>
  private let count: Int
  private let paths: [[PathStep]]
  /// The places of the paths, in their order. A path that selects many values ends at the container of these.
  private(set) var places: [Place]

  /// Validates the whole document, and finds the values.
  init(of paths: [[PathStep]], in source: UnsafeRawBufferPointer) throws(JSONError) {
    bytes = JSONDocument.pointer(source)
    count = source.count
    self.paths = paths
    places = Array(repeating: .absent, count: paths.count)
    var scanner = try JSONDocument.scanner(bytes, count: count)
    let isObject = scanner.peek() == UInt8(ascii: "{")
    let start = scanner.offset
    // Finding the members of an object reads all of it.
    if !isObject {
      try scanner.scanValue(onto: nil)
      try scanner.expectEnd()
    }
    try find(Array(paths.indices), from: start, depth: 0)
  }

  /// Finds the values of the paths that lead through the value at an offset.
  ///
  /// - Parameters:
  ///   - numbers: the paths.
  ///   - depth: how many of their steps lead to the value.
  private mutating func find(_ numbers: [Int], from offset: Int, depth: Int) throws(JSONError) {
    var scanner = JSONScanner(bytes, count: count, offset: offset)
    guard let first = scanner.peek() else {
      throw JSONError(reason: .unexpectedEnd, offset: scanner.offset)
    }
    var open: [PathStep: [Int]] = [:]
    for number in numbers {
      let path = paths[number]
      if first == UInt8(ascii: "n") {
        places[number] = .null
      } else if depth == path.count || path[depth].isMany {
        places[number] = .value(offset: scanner.offset, depth: depth)
      } else {
        places[number] = first == path[depth].opening ? .absent : .unreadable
        if first == path[depth].opening { open[path[depth], default: []].append(number) }
      }
    }
    if open.isEmpty, depth > 0 { return }
    let found =
      first == UInt8(ascii: "{")
      ? try members(Array(open.keys), of: &scanner, depth: depth)
      : try elements(Array(open.keys), from: scanner.offset, depth: depth)
    if depth == 0, first == UInt8(ascii: "{") { try scanner.expectEnd() }
    for (step, offset) in found {
      try find(open[step] ?? [], from: offset, depth: depth + 1)
    }
  }

  /// The offsets of the values of members in the object at the scanner, which is read to its end. If a key is repeated, the last
  /// one wins.
  private func members(
    _ steps: [PathStep], of scanner: inout JSONScanner, depth: Int
  ) throws(JSONError) -> [PathStep: Int] {
    var found: [PathStep: Int] = [:]
    scanner.advance()
    if scanner.peek() == UInt8(ascii: "}") {
      scanner.advance()
      return found
    }
    let tape = JSONTape(borrowing: bytes, capacity: 16)
    while true {
      tape.clear()
      try scanner.scanKey(onto: tape)
      guard scanner.peek() != nil else { throw JSONError(reason: .unexpectedEnd, offset: scanner.offset) }
      for step in steps {
        if case .member(let name) = step, tape.value(at: 0).hasText(name) { found[step] = scanner.offset }
      }
      try scanner.scanValue(onto: nil, outerDepth: depth + 1)
      guard scanner.peek() == UInt8(ascii: ",") else { break }
      scanner.advance()
    }
    try scanner.expect(UInt8(ascii: "}"))
    return found
  }

  /// The offsets of elements of the list at an offset; those that it does not have are absent.
  private func elements(
    _ steps: [PathStep], from offset: Int, depth: Int
  ) throws(JSONError) -> [PathStep: Int] {
    var found: [PathStep: Int] = [:]
    for step in steps {
      guard case .index(let index) = step else { continue }
      var scanner = JSONScanner(bytes, count: count, offset: offset)
      found[step] = try PayloadReader.element(index, of: &scanner, depth: depth)
    }
    return found
  }
}

extension PathStep {
  /// The first byte of a value that has what the step selects.
  fileprivate var opening: UInt8 {
    switch self {
    case .member, .members: UInt8(ascii: "{")
    case .index, .each: UInt8(ascii: "[")
    }
  }
}
