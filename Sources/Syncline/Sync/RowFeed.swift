/// The rows of a payload's bytes, one after the other. The bytes outlive it.
struct RowFeed: ~Copyable {
  private let reader: PayloadReader
  private let offset: Int
  private let depth: Int

  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` when there is nothing at the request's path, `JSONError` when
  ///   the text on the way is no JSON.
  init(_ bytes: UnsafeRawBufferPointer, of request: SyncRequest) throws {
    reader = PayloadReader(bytes, path: request.path)
    switch try reader.locate() {
    case .value(let offset, let depth): (self.offset, self.depth) = (offset, depth)
    case .missing(let key):
      throw SyncError(
        .nothingAtPath(key: key, path: request.path ?? ""), model: request.entry.table.name)
    }
  }

  /// Calls the body with each element of the list, or once with what stands in its place, as ``PayloadReader`` does.
  func forEachElement(_ body: (JSONTape, Int?) throws -> Bool) throws -> Bool {
    try reader.forEachElement(at: offset, depth: depth, body)
  }

  /// Calls the body with each object of the list, or with the object in its place, to look at it only.
  func forEachObject(_ body: (JSONTape, Int?) throws -> Void) throws {
    _ = try forEachElement { tape, index in
      guard tape.value(at: 0).isObject else { return true }
      try body(tape, index)
      return false
    }
  }
}
