/// Where the values at several paths begin in a document. Each object on the paths is scanned once, whatever the number of paths.
struct PayloadPlaces {
  enum Place {
    case value(offset: Int, depth: Int)
    /// A value on the path is null, or the container of the values that it selects is.
    case null
    case absent
    /// A value on the path is not an object.
    case unreadable

    /// Whether the search continues with the next key that joins names of the path.
    fileprivate var allowsNextKey: Bool {
      switch self {
      case .value, .null: false
      case .absent, .unreadable: true
      }
    }
  }

  /// How far a path has been followed.
  private struct Cursor {
    let path: Int
    /// The next step, and the first of its names that follows, if it has several.
    var step = 0
    var name = 0
  }

  /// A key of an object, or a place in a list, and how far the path has been followed there.
  private typealias Way = (step: PathStep, next: Cursor)

  private let bytes: UnsafePointer<UInt8>
  private let count: Int
  private let paths: [[PathStep]]
  /// The places of the paths, in their order. A path that selects many values ends at the container of these.
  private(set) var places: [Place] = []

  /// Validates the whole document, and finds the values.
  init(of paths: [[PathStep]], in source: UnsafeRawBufferPointer) throws(JSONError) {
    bytes = JSONDocument.pointer(source)
    count = source.count
    self.paths = paths
    var scanner = try JSONDocument.scanner(bytes, count: count)
    let isObject = scanner.peek() == UInt8(ascii: "{")
    let start = scanner.offset
    // Finding the members of an object reads all of it.
    if !isObject {
      try scanner.scanValue(onto: nil)
      try scanner.expectEnd()
    }
    places = try find(paths.indices.map { Cursor(path: $0) }, from: start, depth: 0)
  }

  /// Finds the values of the paths that lead through the value at an offset.
  private func find(_ cursors: [Cursor], from offset: Int, depth: Int) throws(JSONError) -> [Place] {
    var scanner = JSONScanner(bytes, count: count, offset: offset)
    guard let first = scanner.peek() else {
      throw JSONError(reason: .unexpectedEnd, offset: scanner.offset)
    }
    var places = Array(repeating: Place.absent, count: cursors.count)
    var ways: [[Way]] = Array(repeating: [], count: cursors.count)
    // PHP writes an empty object as an empty list.
    var isEmptyList = false
    if first == UInt8(ascii: "[") {
      var inside = JSONScanner(bytes, count: count, offset: scanner.offset)
      inside.advance()
      isEmptyList = inside.peek() == UInt8(ascii: "]")
    }
    for (index, cursor) in cursors.enumerated() {
      let path = paths[cursor.path]
      let isNull = first == UInt8(ascii: "n")
      if cursor.step == path.count || (path[cursor.step].isMany && !isNull) {
        places[index] = .value(offset: scanner.offset, depth: depth)
      } else if isNull {
        places[index] = .null
      } else if first != path[cursor.step].opening {
        places[index] = isEmptyList ? .null : .unreadable
      } else {
        ways[index] = self.ways(from: cursor)
      }
    }
    let steps = Set(ways.joined().map { $0.step })
    let isObject = first == UInt8(ascii: "{")
    if steps.isEmpty, depth > 0 || !isObject { return places }
    let found = try values(at: steps, in: &scanner, isObject: isObject, depth: depth)
    if depth == 0, isObject { try scanner.expectEnd() }
    // The values behind each key are looked for together.
    var ends = ways.map { Array(repeating: Place.absent, count: $0.count) }
    for (step, offset) in found {
      let through = ways.indices.flatMap { index in
        ways[index].indices.filter { ways[index][$0].step == step }.map { (index, $0) }
      }
      let inner = try find(through.map { ways[$0][$1].next }, from: offset, depth: depth + 1)
      for ((index, way), place) in zip(through, inner) { ends[index][way] = place }
    }
    for (index, ends) in ends.enumerated() where !ends.isEmpty {
      let isUnreadable = ends.contains { if case .unreadable = $0 { true } else { false } }
      places[index] = ends.first { !$0.allowsNextKey } ?? (isUnreadable ? .unreadable : .absent)
    }
    return places
  }

  /// The keys at which a path may go on, in the order in which they are tried: those that join more names come first.
  private func ways(from cursor: Cursor) -> [Way] {
    let step = paths[cursor.path][cursor.step]
    let following = Cursor(path: cursor.path, step: cursor.step + 1)
    guard case .names(let names) = step else { return [(step, following)] }
    return (cursor.name..<names.count).reversed().map { last in
      let key = PathStep.member(Array(names.joined(cursor.name..<(last + 1))))
      let isLast = last + 1 == names.count
      return (key, isLast ? following : Cursor(path: cursor.path, step: cursor.step, name: last + 1))
    }
  }

  /// The offsets of the values of members in the object at the scanner, which is read to its end, or of elements in the list.
  /// Absent ones are left out. If a key is repeated, the last one wins.
  private func values(
    at steps: Set<PathStep>, in scanner: inout JSONScanner, isObject: Bool, depth: Int
  ) throws(JSONError) -> [PathStep: Int] {
    var found: [PathStep: Int] = [:]
    let end = UInt8(ascii: isObject ? "}" : "]")
    scanner.advance()
    if scanner.peek() == end {
      scanner.advance()
      return found
    }
    let tape = JSONTape(borrowing: bytes, capacity: 16)
    var index = 0
    while true {
      if isObject {
        tape.clear()
        try scanner.scanKey(onto: tape)
      }
      guard scanner.peek() != nil else { throw JSONError(reason: .unexpectedEnd, offset: scanner.offset) }
      for step in steps {
        let isNext =
          if case .member(let name) = step { tape.value(at: 0).hasText(name) } else { step == .index(index) }
        if isNext { found[step] = scanner.offset }
      }
      if !isObject, found.count == steps.count { return found }
      try scanner.scanValue(onto: nil, outerDepth: depth + 1)
      guard scanner.peek() == UInt8(ascii: ",") else { break }
      scanner.advance()
      index += 1
    }
    try scanner.expect(end)
    return found
  }
}

extension PathStep {
  /// The path to each of its keys, and the key.
  static func prefixes(of path: ArraySlice<PathStep>) -> [(path: [PathStep], key: String)] {
    var found: [(path: [PathStep], key: String)] = []
    var before: [PathStep] = []
    for step in path {
      switch step {
      case .member(let name): found.append((before + [step], String(decoding: name, as: UTF8.self)))
      case .names(let names):
        let texts = (0..<names.count).map { String(decoding: names.joined($0..<($0 + 1)), as: UTF8.self) }
        for (last, text) in texts.enumerated() {
          found.append((before + [.names(JoinedNames(texts[...last]))], text))
        }
      case .index(let index): found.append((before + [step], "[\(index)]"))
      case .each, .members, .pairs: found.append((before + [step], ""))
      }
      before.append(step)
    }
    return found
  }

  /// The first byte of a value that has what the step selects.
  fileprivate var opening: UInt8 {
    switch self {
    case .member, .names, .members: UInt8(ascii: "{")
    case .index, .each, .pairs: UInt8(ascii: "[")
    }
  }
}
