import SynclineNaming

/// Reads the rows of a slice one after the other. The slice's text must outlive it.
struct RowFeed: ~Copyable {
  let reader: PayloadReader
  private let offset: Int
  private let depth: Int
  /// The position of the first element of the list; nil if there is none.
  let firstElement: PayloadReader.Position?

  /// The values of a path that selects many, or a lone row, as a list of their own; or rows that are lists, as objects.
  private let gathered: JSONTape?
  /// The rows of several lists, of which the slice's text was written.
  private let part: PayloadPart?

  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` when there is nothing at the slice's path, `JSONError` when the text
  ///   up to there is not JSON.
  init(of slice: PayloadSlice, _ style: KeyStyle) throws {
    let steps = slice.path.steps
    let many = steps.firstIndex(where: \.isMany)
    var reader = PayloadReader(
      slice.text.bytes, path: steps[..<(many ?? steps.endIndex)], isLines: slice.text.isLines)
    var (offset, depth) = try RowFeed.locate(reader, of: slice)
    let list = try RowFeed.gather(slice, style, reader, many: many, at: offset, depth: depth)
    gathered = list.map { JSONTape(copying: $0.text) }
    if let list, let gathered {
      // Gathered values are a list at the root.
      reader = PayloadReader(
        UnsafeRawBufferPointer(start: gathered.bytes, count: gathered.byteCount), path: [],
        order: PayloadOrder(list.text.indices, within: list.places))
      (offset, depth) = (0, 0)
    }
    firstElement = reader.firstElement(at: offset)
    (self.offset, self.depth) = (offset, depth)
    self.reader = reader
    part = slice.part
  }

  private static func locate(
    _ reader: borrowing PayloadReader, of slice: PayloadSlice
  ) throws -> (offset: Int, depth: Int) {
    if let start = slice.start, slice.part == nil { return start }
    switch try reader.locate() {
    case .value(let offset, let depth): return (offset, depth)
    case .missing(let key):
      throw SyncError(.nothingAtPath(key: key, path: slice.path.text), model: slice.entry.table.name)
    }
  }

  /// A list that was written from a part of the text, and the part's places in the payload.
  private typealias Gathered = (text: [UInt8], places: Range<Int>)

  /// The values of a path that selects many, a lone row, or rows that are lists, as a list; nil for others, which are not copied.
  ///
  /// - Parameters:
  ///   - many: the first step of the path that selects many; the reader has the steps before it.
  ///   - offset: where the value at the reader's path begins.
  private static func gather(
    _ slice: PayloadSlice, _ style: KeyStyle, _ reader: borrowing PayloadReader, many: Int?, at offset: Int,
    depth: Int
  ) throws -> Gathered? {
    let table = slice.entry.table
    if let many {
      return try reader.withContainer(at: offset, depth: depth) { container, order in
        var text = GatheredText(
          table, style, oneOrMany: slice.acceptsSingleRow ? OneOrMany.list(depth: 1) : nil)
        guard case .found = text.write(container, slice.path.steps[many...]) else {
          throw SyncError(
            RowProblem(
              model: table.name, path: slice.path.text, reason: .notAList(PayloadShape(container))))
        }
        return (text.list, order.places(of: container))
      }
    }
    if table.rowPlaces > 0 { return try objects(of: slice, style, reader, at: offset, depth: depth) }
    // A lone object where a list of rows is expected is a list of one.
    guard slice.acceptsSingleRow, !slice.text.isLines, reader.firstElement(at: offset) == nil else {
      return nil
    }
    return try reader.withContainer(at: offset, depth: depth) { value, order in
      guard value.isObject else { return nil }
      var text: [UInt8] = []
      value.append(asList: 1, to: &text)
      return (text, order.places(of: value))
    }
  }

  /// The rows of a model whose rows are lists, as objects; other values as they are.
  private static func objects(
    of slice: PayloadSlice, _ style: KeyStyle, _ reader: borrowing PayloadReader, at offset: Int, depth: Int
  ) throws -> Gathered {
    var text = GatheredText(slice.entry.table, style)
    var places = 0..<0
    if !slice.isItem, let first = reader.firstElement(at: offset) {
      _ = try reader.forEachElement(from: first, depth: depth) { tape, index in
        let row = tape.order.places(of: tape.value(at: 0))
        places = (index == first.index ? row.lowerBound : places.lowerBound)..<row.upperBound
        text.write(row: tape.value(at: 0))
        return .done
      }
    } else if !slice.text.isLines {
      return try reader.withContainer(at: offset, depth: depth) { value, order in
        places = order.places(of: value)
        guard slice.isItem || !value.isArray else { return (text.list, places) }
        text.write(row: value)
        return (slice.acceptsSingleRow ? text.list : text.row, places)
      }
    }
    return (text.list, places)
  }

  /// Calls the body with each element of the list, or once with a value that is not a list, as ``PayloadReader`` does.
  func forEachElement(_ body: (JSONTape, Int?) throws -> PayloadReader.Use) throws -> PayloadReader.End {
    if let firstElement { return try forEachElement(from: firstElement, body) }
    return try reader.withValue(at: offset, depth: depth) { tape, index in
      part?.order(tape, index)
      return try body(tape, index)
    }
  }

  /// Calls the body with the elements of the list, starting at a position.
  func forEachElement(
    from place: PayloadReader.Position, _ body: (JSONTape, Int?) throws -> PayloadReader.Use
  ) throws -> PayloadReader.End {
    guard let part else { return try reader.forEachElement(from: place, depth: depth, body) }
    return try reader.forEachElement(from: place, depth: depth) { tape, index in
      part.order(tape, index)
      return try body(tape, index)
    }
  }

  /// Calls the body with the elements at the positions that `next` returns, in any order.
  func forEachElement(
    next: () throws -> PayloadReader.Position?, _ body: (JSONTape, Int?) throws -> PayloadReader.Use
  ) throws {
    try reader.forEachElement(depth: depth, next: next) { tape, index in
      part?.order(tape, index)
      return try body(tape, index)
    }
  }

  /// Calls the body with each object of the list, or with the single object. Nothing is synced.
  func forEachObject(_ body: (JSONTape, Int?) throws -> Void) throws {
    _ = try forEachElement { tape, index in
      guard tape.value(at: 0).isObject else { return .done }
      try body(tape, index)
      return .kept
    }
  }
}
