internal import SynclineBytes

/// Finds the part of a document that is synced, and reads it element by element.
///
/// Only one element's positions are held at a time, so memory does not grow with the number of rows.
struct PayloadReader: ~Copyable {
  private let bytes: UnsafePointer<UInt8>
  private let count: Int
  private let path: ArraySlice<PathStep>
  /// Whether each line of the text is an element, without an array around them.
  private let isLines: Bool
  /// The order of the text in the payload.
  private let order: PayloadOrder

  /// - Parameter path: selects one value; empty for lines.
  init(
    _ source: UnsafeRawBufferPointer, path: ArraySlice<PathStep>, isLines: Bool = false,
    order: PayloadOrder = PayloadOrder()
  ) {
    bytes = JSONDocument.pointer(source)
    count = source.count
    self.path = path
    self.isLines = isLines
    self.order = order
  }

  enum Target {
    case value(offset: Int, depth: Int)
    case missing(key: String)
  }

  /// The offset of the value at the path. If there is a path, the document around the value is validated.
  func locate() throws(JSONError) -> Target {
    var scanner = try JSONDocument.scanner(bytes, count: count)
    guard !path.isEmpty else {
      guard scanner.peek() != nil || isLines else {
        throw JSONError(reason: .unexpectedEnd, offset: scanner.offset)
      }
      return .value(offset: scanner.offset, depth: 0)
    }
    // An error is thrown below, since the value may have an earlier one.
    if let offset = try? scanner.find(path) { return .value(offset: offset, depth: path.count) }
    let parts = PathStep.prefixes(of: path)
    let text = UnsafeRawBufferPointer(start: bytes, count: count)
    let places = try PayloadPlaces(of: parts.map(\.path), in: text).places
    if case .value(let offset, let depth)? = places.last { return .value(offset: offset, depth: depth) }
    let found = places.lastIndex { if case .value = $0 { true } else { false } } ?? -1
    return .missing(key: parts[found + 1].key)
  }

  /// Scans the value at an offset, and passes it to the body. Used for the container of a path that selects
  /// many values.
  func withContainer<Result>(
    at offset: Int, depth: Int, _ body: (SyncValue, PayloadOrder) throws -> Result
  ) throws -> Result {
    let tape = tape()
    defer { tape.close() }
    var scanner = JSONScanner(bytes, count: count, offset: offset)
    try scanner.scanValue(onto: tape, outerDepth: depth)
    if endsText { try scanner.expectEnd() }
    return try body(tape.value(at: 0), order)
  }

  /// The result of a body that reads an element: what happens to the tape, and whether reading continues.
  enum Use {
    /// The body did not keep the tape, so it can be reused.
    case done
    case kept
    /// Stops reading the list.
    case stop
  }

  enum End {
    /// There was a single value, not a list.
    case item
    case list
    /// The position of the first element that was not read.
    case stopped(Position)
  }

  /// The position in a list from which reading continues.
  struct Position {
    let offset: Int
    let index: Int
  }

  /// Calls the body with a value that is not an array, and does not call it for an empty array.
  ///
  /// - Parameter body: gets the tape, and nil instead of an index.
  func withValue(
    at offset: Int, depth: Int, _ body: (JSONTape, Int?) throws -> Use
  ) throws -> End {
    var scanner = JSONScanner(bytes, count: count, offset: offset)
    if isLines { return .list }
    guard scanner.peek() == UInt8(ascii: "[") else {
      let tape = tape()
      defer { tape.close() }
      try scanner.scanValue(onto: tape, outerDepth: depth)
      if endsText { try scanner.expectEnd() }
      _ = try body(tape, nil)
      return .item
    }
    scanner.advance()
    try scanner.expect(UInt8(ascii: "]"))
    if endsText { try scanner.expectEnd() }
    return .list
  }

  /// The position of the first element of an array; nil if there is none.
  func firstElement(at offset: Int) -> Position? {
    var scanner = JSONScanner(bytes, count: count, offset: offset)
    if isLines { return scanner.peek() == nil ? nil : Position(offset: scanner.offset, index: 0) }
    guard scanner.peek() == UInt8(ascii: "[") else { return nil }
    scanner.advance()
    return scanner.peek() == UInt8(ascii: "]") ? nil : Position(offset: scanner.offset, index: 0)
  }

  /// Calls the body with the elements of an array, starting at a position.
  func forEachElement(
    from start: Position, depth: Int, _ body: (JSONTape, Int?) throws -> Use
  ) throws -> End {
    var scanner = JSONScanner(bytes, count: count, offset: start.offset)
    var index = start.index
    var tape = tape()
    defer { tape.close() }
    while true {
      try scanner.scanValue(onto: tape, outerDepth: depth + 1)
      let use = try body(tape, index)
      renew(&tape, after: use)
      index += 1
      guard try scanner.moveToNextElement(isLines: isLines) else {
        if endsText { try scanner.expectEnd() }
        return .list
      }
      if case .stop = use { return .stopped(Position(offset: scanner.offset, index: index)) }
    }
  }

  /// Whether nothing may follow what is read. With a path, ``locate()`` validated the rest.
  private var endsText: Bool { path.isEmpty }

  /// A locator for the elements of an array, starting at a position, with the keys of their identities.
  func locator(from start: Position, names: [[UInt8]], _ identities: IdentityReader) -> ElementLocator {
    ElementLocator(
      JSONScanner(bytes, count: count, offset: start.offset), names: names, identities, endsText: endsText,
      isLines: isLines)
  }

  /// Calls the body with elements of an array, at positions in any order.
  ///
  /// - Parameter next: returns the offset and index of the next element; nil after the last.
  func forEachElement(
    depth: Int, next: () throws -> Position?, _ body: (JSONTape, Int?) throws -> Use
  ) throws {
    var scanner = JSONScanner(bytes, count: count)
    var tape = tape()
    defer { tape.close() }
    while let position = try next() {
      scanner.offset = position.offset
      try scanner.scanValue(onto: tape, outerDepth: depth + 1)
      renew(&tape, after: try body(tape, position.index))
    }
  }

  private func tape() -> JSONTape {
    let tape = JSONTape(borrowing: bytes)
    tape.order = order
    return tape
  }

  /// Empties the tape for the next element, or replaces it if the body kept it.
  private func renew(_ tape: inout JSONTape, after use: Use) {
    if case .done = use { return tape.clear() }
    tape.close()
    tape = self.tape()
  }

  /// Prefetches bytes that are read soon, starting at an offset.
  @inline(__always)
  func prefetch(_ offset: Int, _ count: Int) {
    syncline_prefetch(bytes + offset, max(0, min(count, self.count - offset)))
  }
}
