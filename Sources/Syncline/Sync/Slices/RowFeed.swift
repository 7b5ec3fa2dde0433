import SynclineNaming

/// Reads the rows of a slice one after the other. The slice's text must outlive it.
struct RowFeed: ~Copyable {
  private let reader: PayloadReader
  private let offset: Int
  private let depth: Int
  /// The position of the first element of the list; nil if there is none.
  let firstElement: PayloadReader.Position?

  /// The values of a path that selects many, as a list of their own.
  private let gathered: JSONTape?

  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` when there is nothing at the slice's path, `JSONError` when the text
  ///   up to there is not JSON.
  init(of slice: PayloadSlice, _ style: KeyStyle) throws {
    let gathered = try RowFeed.gather(slice, style)
    // Gathered values are a list at the root.
    let (text, path) =
      gathered.map { ($0.text, []) } ?? (slice.text.bytes, slice.path.steps[...])
    let reader = PayloadReader(text, path: path, isLines: slice.text.isLines)
    let (offset, depth): (Int, Int)
    if let gathered {
      (offset, depth) = (gathered.offset, 0)
    } else {
      (offset, depth) = try RowFeed.locate(reader, of: slice)
    }
    firstElement = reader.firstElement(at: offset)
    self.gathered = gathered?.tape
    self.reader = reader
    (self.offset, self.depth) = (offset, depth)
  }

  private static func locate(
    _ reader: borrowing PayloadReader, of slice: PayloadSlice
  ) throws -> (offset: Int, depth: Int) {
    if let start = slice.start { return start }
    switch try reader.locate() {
    case .value(let offset, let depth): return (offset, depth)
    case .missing(let key):
      throw SyncError(.nothingAtPath(key: key, path: slice.path.text ?? ""), model: slice.entry.table.name)
    }
  }

  /// The values of a path that selects many, and where their text begins; nil for other paths. In a body of several lists the
  /// text begins where their container does, so that comparing offsets gives the order of the lists.
  private static func gather(
    _ slice: PayloadSlice, _ style: KeyStyle
  ) throws -> (tape: JSONTape, text: UnsafeRawBufferPointer, offset: Int)? {
    let steps = slice.path.steps
    guard let end = steps.firstIndex(where: \.isMany) else { return nil }
    let reader = PayloadReader(slice.text.bytes, path: steps[..<end])
    let (offset, depth) = try locate(reader, of: slice)
    return try reader.withContainer(at: offset, depth: depth) { container in
      let table = slice.entry.table
      var text = GatheredText(table, style)
      guard case .found = text.write(container, steps[end...]) else {
        throw SyncError(
          RowProblem(
            model: table.name, path: slice.path.text ?? "", reason: .notAList(PayloadShape(container))))
      }
      let begin = slice.start == nil ? 0 : offset
      let tape = JSONTape(text.list, at: begin)
      return (tape, UnsafeRawBufferPointer(start: tape.bytes, count: begin + tape.byteCount), begin)
    }
  }

  /// Calls the body with each element of the list, or once with a value that is not a list, as ``PayloadReader`` does.
  func forEachElement(_ body: (JSONTape, Int?) throws -> PayloadReader.Use) throws -> PayloadReader.End {
    if let firstElement { return try forEachElement(from: firstElement, body) }
    return try reader.withValue(at: offset, depth: depth, body)
  }

  /// Calls the body with the elements of the list, starting at a position.
  func forEachElement(
    from place: PayloadReader.Position, _ body: (JSONTape, Int?) throws -> PayloadReader.Use
  ) throws -> PayloadReader.End {
    try reader.forEachElement(from: place, depth: depth, body)
  }

  /// Calls the body with the elements at the positions that `next` returns, in any order.
  func forEachElement(
    next: () throws -> PayloadReader.Position?, _ body: (JSONTape, Int?) throws -> PayloadReader.Use
  ) throws {
    try reader.forEachElement(depth: depth, next: next, body)
  }

  func scout(from place: PayloadReader.Position, names: [[UInt8]], _ identities: IdentityReader)
    -> ElementScout
  {
    reader.scout(from: place, names: names, identities)
  }

  @inline(__always)
  func prefetch(_ offset: Int, _ count: Int) { reader.prefetch(offset, count) }

  /// Calls the body with each object of the list, or with the single object. Nothing is synced.
  func forEachObject(_ body: (JSONTape, Int?) throws -> Void) throws {
    _ = try forEachElement { tape, index in
      guard tape.value(at: 0).isObject else { return .done }
      try body(tape, index)
      return .kept
    }
  }
}
