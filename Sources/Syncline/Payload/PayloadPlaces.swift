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
  private struct Way {
    let step: PathStep
    let next: Cursor
  }

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
  ///
  /// - Parameter depth: how many objects and lists are around the value.
  private func find(_ cursors: [Cursor], from offset: Int, depth: Int) throws(JSONError) -> [Place] {
    var scanner = JSONScanner(bytes, count: count, offset: offset)
    guard let first = scanner.peek() else {
      throw JSONError(reason: .unexpectedEnd, offset: scanner.offset)
    }
    var places = Array(repeating: Place.absent, count: cursors.count)
    var ways: [Int: [Way]] = [:]
    for (index, cursor) in cursors.enumerated() {
      let path = paths[cursor.path]
      let isNull = first == UInt8(ascii: "n")
      if cursor.step == path.count || (path[cursor.step].isMany && !isNull) {
        places[index] = .value(offset: scanner.offset, depth: depth)
      } else if isNull {
        places[index] = .null
      } else if first != path[cursor.step].opening {
        places[index] = .unreadable
      } else {
        ways[index] = self.ways(from: cursor)
      }
    }
    if ways.isEmpty, depth > 0 { return places }
    let steps = Set(ways.values.joined().map(\.step))
    let found =
      first == UInt8(ascii: "{")
      ? try members(steps, of: &scanner, depth: depth)
      : try elements(steps, from: scanner.offset, depth: depth)
    if depth == 0, first == UInt8(ascii: "{") { try scanner.expectEnd() }
    // The values behind each key are looked for together.
    var ends: [Int: [(way: Int, place: Place)]] = [:]
    for (step, offset) in found {
      var through: [(index: Int, way: Int, next: Cursor)] = []
      for (index, ways) in ways {
        for (way, candidate) in ways.enumerated() where candidate.step == step {
          through.append((index, way, candidate.next))
        }
      }
      let inner = try find(through.map(\.next), from: offset, depth: depth + 1)
      for (way, place) in zip(through, inner) { ends[way.index, default: []].append((way.way, place)) }
    }
    for (index, found) in ends {
      let inOrder = found.sorted { $0.way < $1.way }.map(\.place)
      places[index] =
        inOrder.first { !$0.allowsNextKey }
        ?? (inOrder.contains { if case .unreadable = $0 { true } else { false } } ? .unreadable : .absent)
    }
    return places
  }

  /// The keys at which a path may go on, in the order in which they are tried: those that join more names come first.
  private func ways(from cursor: Cursor) -> [Way] {
    let step = paths[cursor.path][cursor.step]
    let following = Cursor(path: cursor.path, step: cursor.step + 1)
    guard case .names(let names) = step else { return [Way(step: step, next: following)] }
    return (cursor.name..<names.count).reversed().map { last in
      let key = PathStep.member(Array(names.joined(cursor.name..<(last + 1))))
      return Way(
        step: key,
        next: last + 1 == names.count
          ? following : Cursor(path: cursor.path, step: cursor.step, name: last + 1))
    }
  }

  /// The offsets of the values of members in the object at the scanner, which is read to its end. If a key is repeated, the last
  /// one wins.
  private func members(
    _ steps: Set<PathStep>, of scanner: inout JSONScanner, depth: Int
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
    _ steps: Set<PathStep>, from offset: Int, depth: Int
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
